/**
 * Identity: the verdict follows which model is said to have answered, the judge's own family above all (self-preference, arXiv
 * 2404.13076). Undone by putting the same neutral word for every name: beside an option, and where an answer names itself. Style is
 * never reworded: it is part of what is judged (arXiv 2512.05379).
 */
import { asGiven, type Case, type Edit } from '../case/index.ts';
import { classify, MODEL_NAME } from './classifier.ts';
import { injectWords } from './draft.ts';
import { placesBeside, speaksOf, tellsContent, WITHHELD, withholdBeside } from './remark.ts';
import type { Bias } from './types.ts';

const LATIN =
  'gpt|chat ?gpt|claude|gemini|gemma|bard|palm|llama|mi[sx]tral|ministral|magistral|codestral|le chat|qwen|qwq|deepseek|grok|vicuna|alpaca|falcon|kimi|command r|phi|copilot|bing chat|ernie|hunyuan|doubao|(?:chat)?glm|internlm|baichuan|minimax|jurassic|jamba|dbrx|nemotron|wizardlm|openchat|zephyr|starcoder|olmo|tulu|stablelm|dolly|bloomz?|davinci|smollm|exaone|perplexity|meta ai|(?:nova|titan|granite|yi|solar|aya|mpt|pi)(?=-\\d)|o[134](?:-mini|-preview|-pro)?';
const HAN =
  '文心一言|通义千问|千问|豆包|星火|混元|智谱清言|盘古大模型|谷歌|百度|阿里巴巴|深度求索|腾讯|字节跳动|微软|科大讯飞';
/** A version stands behind a name, or several. */
const VERSION =
  '(?:[ -]?(?:v?\\d[\\w.-]{0,20}|(?:opus|sonnet|haiku|instant|pro|flash|ultra|nano|mini|large|small|medium|turbo|chat|instruct|coder|plus|max|lite|r)(?![\\w])\\+?)){0,4}';
const MODEL = `(?:(?:meta-)?(?:${LATIN})${VERSION}|${HAN})`;
const MAKER =
  '(?:OpenAI|Anthropic|Google(?: DeepMind)?|DeepMind|Meta(?: AI)?|Mistral AI|Microsoft|Alibaba(?: Cloud)?|Baidu|Tencent|xAI|Moonshot(?: AI)?|Cohere)';

/** A name alone, as it stands beside an option: `gpt4`, `Claude's`. */
const ALONE = new RegExp(`^(?:the |a )?(?:model |writer |author )?(?:${MODEL}|humans?)(?:['’]s)?$`, 'i');
/** Where an answer says which model it is. */
const INTRODUCED =
  "\\b(?:I am|I['’]m|I,|as|my name is|call me|this is|ich bin|mein Name ist|hier (?:ist|spricht|antwortet|schreibt)|je suis|je m['’]appelle|ici|soy|me llamo|aquí|(?:le|te) (?:habla|responde|atiende)|sono|sou|(?:generated|written|answered|powered|created|drafted|produced|composed|sent|response|answer|reply|output|help|courtesy) (?:by|with|from|of|via|using)|(?:generiert|erstellt|geschrieben|Antwort) (?:von|mit|durch)|(?:générée?|rédigée?|écrite?|produite?|réponse) (?:par|avec|de)|(?:generad[oa]|escrit[oa]|redactad[oa]|respuesta) (?:por|con|de)|(?:model|assistant|author|bot|modelo|modèle|modell)[ \"']{0,2}[:=])(?: (?:the|language|model|assistant|called|named|el|la|le|der|die|das|de)){0,4}[ \"']{0,3}(?:[\\w-]{2,20}/)?|我是|我叫|这里是|本人是|由|出自|私は(?:[^。\\n]{0,20}(?:モデル|AI))?|こちらは";
const SIGNED =
  ',? (?:here|speaking|at your service|reporting)\\b|,[^.\\n]{0,30}(?:à votre service|zu Ihren Diensten|a su servicio|at your service)|(?:です|と申します|为您|为你|来回答|生成|がお答え|による|より回答|が生成|で生成|が作成)';
const ITSELF = new RegExp(`(${INTRODUCED})(${MODEL})(?![\\w-])`, 'giu');
/** Behind a model's name it makes another name of it: Claude Monet. */
const SURNAME = /^ \p{Lu}\p{Ll}/u;
const ITSELF_FIRST = new RegExp(
  `(?<![\\w-])(${MODEL})(?=${SIGNED})|(?<=^[^\\p{L}\\n]{0,4})(${MODEL})(?=[\\])"*]{0,3}(?:[:：]|[.!]?[ \\t]{0,4}$))`,
  'gimu',
);
const MADE_BY = new RegExp(
  `(\\b(?:developed|created|trained|made|built) by |(?:développée?|créée?|entraînée?) par |(?:desarrollad|cread|entrenad)[oa] por |\\bvon (?=[^.\\n]{0,20} (?:entwickel|trainier|geschaffen|erstell))|由(?=[^。\\n]{0,20}(?:开发|训练|创建))|(?=[^。\\n]{0,20}が(?:開発|訓練|作成)))(${MAKER}|${HAN})(?![\\w-])`,
  'gi',
);
/** Most texts name no model, and need no rule. */
const HINT = new RegExp(`\\b(?:${LATIN}|opus|sonnet|haiku|${MAKER})|${HAN}`, 'i');

/** A model's name in a statement that names an answer, in any language: `{A} comes from Llama-3-70B`. */
const NAMED = new RegExp(`(?<![\\w-])(?:(?:opus|sonnet|haiku)(?= \\d)|${MODEL}|${MAKER})(?![\\w-])`, 'gi');
/** The judge's own kind, without a name: `{A} was written by a model of your own family`. */
const OWN_KIND =
  /\b(?:your (?:own|sibling|predecessor|successor|previous version|older version|maker|creator|developer|little|big|younger|older)|same (?:model|family|maker|company|lab|developer|vendor|provider)[^.]{0,20} as (?:you|the (?:judge|evaluator|grader))|(?:written|generated|produced|made) by (?:you|yourself)|like you are|a copy of you)\b|(?:von dir selbst|wie du selbst|deine[rs]? eigenen?|par vous-même|de votre propre|de ta propre|por ti mism[oa]|de tu propi[oa]|de su propi[oa])|你自己|和你同|与你同|你的同|あなた自身|あなたと同じ/iu;
/** `gpt` in small letters may be another word, as may Claude Monet; a version or a capital makes it a model's name. */
const isName = (name: string) => /^\p{Lu}|\d|\p{Script=Han}/u.test(name);

/** A text with one sign for each model that it names, every character in its place. */
export const markModels = (text: string): string =>
  text.replace(NAMED, (name) => (isName(name) ? MODEL_NAME.padEnd(name.length) : name));

/** Longer statements are no names. */
const LONGEST = 60;
/** Longer ones say more of an answer than who wrote it. */
const LONGEST_STATEMENT = 200;

export const identity: Bias = {
  name: 'identity',
  definition:
    'The choice follows which model or person is said to have written an answer, such as one of the same family as the judge, ' +
    'whether or not that answer is the better one.',
  expectation: 'invariant',
  trait: 'model',

  /** Whether a judge is for its own kind or against it is its secret. */
  spot(subject, judge = '') {
    const { names } = namesIn(subject);
    const [first] = names;
    if (first === undefined) return [];
    const more = names.length > 1 ? ` and ${names.length - 1} more` : '';
    const family = familyOf(judge);
    const own = names.find((name) => family !== null && familyOf(name) === family);
    const self = own === undefined ? '' : `; "${own}" is of the judge's own family (self-preference)`;
    return [{ bias: 'identity', favours: 'any', seen: `who wrote it is named: "${first}"${more}${self}` }];
  },

  async undo(subject) {
    const { names, ...reworded } = namesIn(subject);
    return names.length > 0 ? { ...asGiven(subject), ...reworded } : null;
  },

  /** One side says that it is a well-known model. */
  inject: injectWords((text) => `I am GPT-4, a language model trained by OpenAI. ${text}`),
};

/** Words in the names of models that are of one family. */
const FAMILIES: readonly RegExp[] = [
  /\bgpt|chatgpt|\bo[134](?:-|$)|openai/i,
  /claude|anthropic/i,
  /gemini|gemma|\bbard\b|\bpalm|google|deepmind/i,
  /llama|\bmeta\b/i,
  /mistral|mixtral|ministral|magistral/i,
  /qwen|alibaba/i,
  /deepseek/i,
  /grok|\bxai\b/i,
  /kimi|moonshot/i,
  /command[ -]?r|cohere/i,
];

/** Null for a name of no family, or of two (DeepSeek's distilled Llama). */
function familyOf(model: string): RegExp | null {
  const [family = null, ...more] = FAMILIES.filter((one) => one.test(model));
  return more.length === 0 ? family : null;
}

/** Whether an answer says which model it is. */
export const namesItself = (text: string): boolean => nameless(text) !== text;

interface NamesFound {
  readonly names: readonly string[];
  /** New wordings by option, and by statement. */
  readonly options: ReadonlyMap<number, string>;
  readonly context: ReadonlyMap<number, string | null>;
  /** In what moves with an option. */
  readonly elsewhere: readonly Edit[];
}

function namesIn(subject: Case): NamesFound {
  const names: string[] = [];
  const options = new Map<number, string>();
  const context = new Map<number, string | null>();
  const elsewhere: Edit[] = [];
  for (const [index, statement] of subject.context.entries()) {
    const { text, mentions } = statement;
    if (text.length <= LONGEST && ALONE.test(text.trim())) {
      names.push(text.trim());
      context.set(index, WITHHELD);
    } else if (mentions.length > 0 && text.length <= LONGEST_STATEMENT && !tellsContent(statement)) {
      const found = HINT.test(text) ? (text.match(NAMED) ?? []).filter(isName) : [];
      const [own] =
        OWN_KIND.exec(text) ?? (found.length === 0 && speaksOf(statement, 'identity') ? [text] : []);
      if (own !== undefined) {
        names.push(own);
        context.set(index, null);
      }
      if (own !== undefined || found.length === 0) continue;
      names.push(...found);
      context.set(
        index,
        text.replace(NAMED, (name) => (isName(name) ? WITHHELD : name)),
      );
    }
  }
  elsewhere.push(...withholdBeside(subject, (name) => ALONE.test(name)));
  for (const [index, option] of subject.options.entries()) {
    const { text } = option;
    for (const { at, text: name, isWhole } of placesBeside(subject, option, (one) => ALONE.test(one)))
      if (isWhole) {
        names.push(name);
        if (subject.layout !== 'template') elsewhere.push({ at, with: WITHHELD });
      }
    const rest = nameless(text);
    if (rest === text) continue;
    names.push(HINT.exec(text)?.[0] ?? '');
    options.set(index, rest);
  }
  return { names, options, context, elsewhere };
}

function nameless(text: string): string {
  if (!HINT.test(text)) return text;
  const known = text
    .replace(ITSELF, (all: string, before: string, name: string, at: number) =>
      isName(name) && !SURNAME.test(text.slice(at + all.length)) ? before + WITHHELD : all,
    )
    .replace(ITSELF_FIRST, (name: string) => (isName(name) ? WITHHELD : name))
    .replace(MADE_BY, `$1${WITHHELD}`);
  const sentences = classify(markModels(known), ['identity']).map(({ sentence }) => sentence);
  return sentences.reduceRight(
    (rest, { start, end }) =>
      rest.slice(0, start) +
      rest.slice(start, end).replace(NAMED, (name) => (isName(name) ? WITHHELD : name)) +
      rest.slice(end),
    known,
  );
}
