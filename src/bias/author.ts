/**
 * Author: the verdict follows who a text is by: institution, gender, seniority, publication record (arXiv 2509.13400).
 * Undone by masking the author block, alike in every option: fields and lines stay, so that a block does not tell by
 * being gone.
 */
import { asGiven, type Case, createCueFinder, listWords, matchWords, type WordLists } from '../case/index.ts';
import { favouredOption } from './draft.ts';
import { tellsContent } from './remark.ts';
import type { Bias } from './types.ts';

const AUTHOR =
  '(?:first |corresponding )?authors?|autor(?:in|en|innen|a|es|as)?|auteure?s?|autrice|作者|著者|投稿人|投稿者|submitted by|(?:this (?:paper|text|article|work|essay) (?:was|is) )?written by|eingereicht von|verfasst von|soumis par|écrit par|rédigé par|enviado por|escrito por';
const FROM =
  "(?:authors?['’]? )?(?:affiliations?|institutions?)|zugehörigkeit|einrichtung|hochschule|afiliación|institución|établissement|单位|机构|所属";
const MORE =
  'e-?mails?|positions?|seniority|career stage|academic rank|h-index|orcid|publications?|(?:publication|track) (?:record|history)|publication count|stellung|puesto|poste|职位|职称|職位';
/** `Affiliation: …`, `**Author:** …`, `Submitted by …`: the field, what stands around it, and its value. */
const FIELD = new RegExp(
  String.raw`^(?<head>[\s>*_#-]{0,20}(?<name>${AUTHOR}|${FROM}|${MORE})(?:[*_\s]{0,9}[:\uff1a][*_\s]{0,9}|(?<=by|von|par|por)\s(?:le |la |el |the |der |dem )?))(?<value>\S.*)$`,
  'iu',
);
const BY = new RegExp(`^(?:${AUTHOR})$`, 'iu');
/** Beginnings of words that say what an author is. */
const STANDING =
  /(?<!\p{L})(?:prof|dr|pr|universi|univ\.|institut|academy|academia|école|hochschule|indice h|índice h|chercheu|investigador|étudiant|estudiante)|教授|博士|大学|学院/iu;
const MASK = 'withheld';
const MASKED = /^(?:withheld|anonym|hidden|redacted|n\/a)/i;

/** The block begins among so many lines that are not blank: a title and little more may stand above it. */
const WITHIN = 4;
/** A block begins and has a field in so many characters. */
const HEAD = 8192;
/** Characters of text below it. What is shorter may be an answer whose substance the author is. */
const BODY = 200;

const STANDS: WordLists = {
  any: 'MIT|ETH|Dr|Prof|PhD|h-index|FRS|Sir|Dame|Lord|MSc|BSc|CNRS|CSIC|NASA|Google|Microsoft|OpenAI|DeepMind|Stanford|Harvard|Oxford|Cambridge|Yale|Princeton|Caltech|Meta',
  en: `professor|senior|junior|researcher|scientist|lecturer|engineer|fellow|intern|undergraduate|graduate|postdoc|doctoral|tenured|university|institute|college|laboratory|award-winning|laureate|
    prize-winning|renowned|distinguished|eminent|first-year|well-published|highly cited|publications|papers|citations|unpublished|woman|women|man|female|male|chair|director|head of|member of|
    affiliated|independent scholar|emeritus|lord|nobel|award|prize|prizewinner|bestselling|best-selling|famous|well-known|unknown|nobody has heard|obscure|celebrated|acclaimed|star|veteran|novice|
    beginner|amateur|self-taught|no degree|degree|dropout|high school|high-school|at school|schoolboy|schoolgirl|pupil|teenager|age #|aged #|years old|year-old|mum|mom|mother|father|dad|grandmother|
    single mum|immigrant|refugee|retired|pensioner|housewife|freshman|sophomore|trainee|apprentice|staff engineer|principal engineer|developer|programmer|doctor|physician|surgeon|lawyer|judge|teacher|
    nurse|journalist|novelist|poet|economist|historian|mathematician|physicist|chemist|biologist|psychologist|scholar|academic|expert|specialist|celebrity|influencer|ceo|cto|founder|president|
    minister|dean|rector|principal|partner at|community college|ivy league|faculty|department|hospital|clinic|asian|african|indian|chinese|kenyan|american|british|german|french|gay|muslim|christian|
    jewish|disabled|blind|h-index|first paper|first author|published|a stranger|class of|working at|works at|works for|employed by|cleaner|janitor|plumber|farmer|driver|waiter|clerk|secretary|
    assistant|someone nobody|somebody nobody|no name|no-name`,
  de: `professor*|doktorand*|forscher*|wissenschaftler*|dozent*|ingenieur*|praktikant*|universität*|institut*|hochschule|labor|preisträger*|renommiert*|angesehen*|veröffentlichungen|publikationen|zitate|
    lehrstuhl*|direktor*|leiter*|mitglied|emeritiert*|chefarzt|chefärztin|charité|schüler*|azubi|auszubildende*|rentner*|hausfrau|mutter|vater|anfänger*|amateur*|autodidakt*|ohne abschluss|abitur*|
    gymnasium|grundschule|jahre alt|jährig*|berühmt*|bekannt*|unbekannt*|preis*|bestseller*|nobel*|experte|expertin|fachmann|fachfrau|arzt|ärztin|anwalt|anwältin|richter*|lehrer*|journalist*|
    schriftsteller*|dichter*|ökonom*|historiker*|mathematiker*|physiker*|chemiker*|biolog*|psycholog*|entwickler*|programmierer*|geschäftsführer*|gründer*|minister*|dekan*|rektor*|fakultät|klinik|
    klinikum|firma|konzern|flüchtling*|migrant*|junge|mädchen|jemand|laie|laien|aushilfe|handwerker*|habilitiert*|promoviert*|volkshochschule|quereinsteiger*`,
  fr: `professeur*|doctorant*|chercheur*|chercheuse*|scientifique*|ingénieur*|stagiaire|université|institut|école|laboratoire|lauréat*|prix nobel|renommé*|éminent*|publications|articles|citations|chaire|
    directeur|directrice|membre|émérite|maître de conférences|académicien*|lycéen*|collégien*|élève|seconde|terminale|apprenti*|retraité*|mère|père|femme au foyer|débutant*|amateur*|autodidacte|
    sans diplôme|diplômé*|âgé*|célèbre*|connu*|inconnu*|illustre|prix|primé*|nobel|expert*|spécialiste|médecin|avocat*|juge|instituteur*|institutrice|journaliste|écrivain*|romanci*|poète|économiste|
    historien*|mathématicien*|physicien*|chimiste|biologiste|psychologue|développeu*|programmeu*|pdg|fondateur*|ministre|doyen*|recteur*|directeur*|faculté|hôpital|clinique|entreprise|réfugié*|
    immigré*|garçon|quelqu'un|sorbonne|polytechnique|normalien*|agrégé*|chef|cadre|ouvrier*|agriculteur*`,
  es: `profesor*|catedrátic*|doctorand*|investigador*|científic*|ingenier*|becari*|universidad|instituto|facultad|laboratorio|premiad*|premio|renombrad*|eminente|publicaciones|artículos|citas|mujer|
    hombre|cátedra|director*|miembro|emérit*|maestr*|rural|lic|ing|alumn*|colegial*|bachillerato|aprendiz*|jubilad*|madre|padre|ama de casa|principiante|aficionad*|autodidacta|sin título|titulad*|
    famos*|conocid*|desconocid*|ilustre|nobel|expert*|especialista|médic*|abogad*|juez|jueza|periodista|escritor*|novelista|poeta|economista|historiador*|matemátic*|físic*|químic*|biólog*|psicólog*|
    desarrollador*|programador*|fundador*|ministr*|decan*|rector*|hospital|clínica|empresa|refugiad*|inmigrante|chico|chica|niñ*|alguien|académic*|obrero|agricultor*`,
  zh: `教授|博士|研究员|研究生|本科生|科学家|讲师|工程师|实习生|大学|学院|研究所|实验室|得主|知名|著名|资深|论文|发表过|引用|女性|男性|女士|先生|院士|主任|院长|指数|退休|女教师|男教师|教师|老师|初中|高中|小学|中学|大学生|学徒|新手|初学者|业余|自学|辍学|文凭|岁|无名|名不见经传|获奖|诺贝尔|畅销|专家|医生|律师|法官|记者|作家|诗人|经济学家|
    历史学家|数学家|物理学家|化学家|心理学家|程序员|开发者|总裁|创始人|部长|校长|所长|清华|北大|哈佛|中科院|医院|公司|企业|难民|移民|母亲|父亲|妈妈|爸爸|农民|工人|某人|家庭主妇|外卖|保安|清洁工|博导|副教授|首席|高级|员工`,
  ja: `教授|博士|研究員|大学院生|学部生|科学者|講師|技術者|インターン|大学|研究所|研究室|受賞者|著名|高名|ベテラン|論文|業績|女性|男性|所長|名誉|指数|弁護士|新入社員|社員|会社員|医師|医者|裁判官|教師|先生|記者|小説家|詩人|経済学者|歴史学者|数学者|物理学者|化学者|心理学者|エンジニア|プログラマ|開発者|社長|創業者|大臣|学部長|学長|院長|主任|東大|
    京大|ハーバード|病院|会社|企業|難民|移民|主婦|母親|父親|農家|高校生|中学生|小学生|大学生|学生|高校|中学|小学|見習い|新人|初心者|素人|独学|中退|学歴|歳|有名|無名|人気作家|ノーベル|受賞|専門家|定年|退職|誰か|准教授|主任研究員|アルバイト|パート|若手|期待の`,
};
const WRITES: WordLists = {
  en: `written by|authored by|author is|author of|authors of|wrote|submitted by|penned by|is by|comes from|the work of|authors are|submission by|is from|written for|written as|the person behind|
    the one behind|behind|is the work|was the work|came from|belongs to|signed|composed by|contributed by|sent in by|handed in by|prepared by|drafted by|produced by|the writer of|writer of|who wrote|
    credited to|attributed to|author|authors|its author|by`,
  de: `verfasst*|geschrieben|schrieb|autor*|eingereicht|stammt|stammen|das werk|arbeit von|hinter|steht|von|autorin|verfasser*|urheber*|unterzeichnet|signiert|gehört|die person hinter|kommt von|ist von|
    aus der feder`,
  fr: `écrit*|rédigé*|auteur*|autrice|soumis*|vient|provient|l'œuvre|signé*|signée|est de|est d'|derrière|œuvre|par|la personne derrière|attribué*|composé*|plume|appartient`,
  es: 'escrit*|escribió|redactad*|autor*|enviad*|presentad*|procede*|obra de|firmad*|es de|obra|detrás|firma*|pertenece|por|la persona detrás|atribuid*|compuest*|pluma',
  zh: '作者|撰写|写|投稿|出自|来自|提交|的人是|出于|手笔|笔下|作品|背后|署名',
  ja: '著者|作者|書|投稿|執筆|による|提出|筆者|の作|手による|書き手|作品|署名|名義|の背後|によるもの',
};
/** Words that a line of its own needs, where `by` would stand in front of a title, too. */
const WROTE_IT: WordLists = {
  en: 'written by|authored by|author is|author of|authors of|wrote|submitted by|penned by|is by|comes from|the work of|authors are|submission by|is from',
  de: 'verfasst*|geschrieben|schrieb|autor*|eingereicht|stammt|stammen|das werk|arbeit von',
  fr: "écrit*|rédigé*|auteur*|autrice|soumis*|vient|provient|l'œuvre|signé*",
  es: 'escrit*|escribió|redactad*|autor*|enviad*|presentad*|procede*|obra de|firmad*',
  zh: '作者|撰写|写|投稿|出自|来自|提交',
  ja: '著者|作者|書|投稿|執筆|による|提出',
};
/** An author speaks of the author. */
const MYSELF: WordLists = {
  en: "i'm|i am|my name|about me|about the author|a few words about me|hi, i|hello, i|my background|written by|written for|^by|bio:|biography",
  de: 'ich bin|mein name|über mich|über die autorin|über den autor|geschrieben von|^von|zur person|hallo, ich',
  fr: "je suis|je m'appelle|mon nom|à propos de moi|à propos de l'auteur|écrit par|^par|bonjour, je|moi, c'est",
  es: 'soy|me llamo|mi nombre|sobre mí|acerca de mí|sobre el autor|sobre la autora|escrito por|^por|hola, soy',
  zh: '我是|我叫|本人|关于我|作者简介|自我介绍',
  ja: '私は|と申します|といいます|自己紹介|筆者|著者紹介|プロフィール',
};
const SAME: WordLists = {
  en: 'same',
  de: 'selben|gleichen',
  fr: 'même',
  es: 'mism*',
  zh: '同一',
  ja: '同じ',
};
const findRemarks = createCueFinder({
  author: { sentences: [{ all: [WRITES, STANDS], none: SAME, within: 120 }] },
  byline: {
    sentences: [
      { all: [MYSELF, STANDS], none: SAME, within: 80 },
      { all: [WROTE_IT, STANDS], none: SAME, within: 120 },
    ],
  },
});
const TITLES = matchWords(listWords(STANDS), 'giu');
/** Longer lines are material, and none of a card is as long. */
const CARD = 100;
const LONGEST = 200;
const saysAuthor = (line: string) => line.length <= LONGEST && findRemarks(line)('author').length > 0;
/** By somebody who has a first name and a last one. */
const BY_NAME =
  /(?<!\p{L})(?:by|from|wrote|von|aus der Feder von|par|de|por|signed|is|author[:,]?) \p{Lu}\p{Ll}{1,20}(?: \p{Lu}\.)? \p{Lu}\p{Ll}{1,20}(?!\p{L})/u;
/** Names and titles of two, without a verb: `{A}: Prof. Vogel, ETH Zürich. {B}: Bob, community college.` */
const listsTitles = (line: string) => line.includes(':') && (line.match(TITLES)?.length ?? 0) > 1;
/** A name and what its bearer is, as on a card: no sentence, no heading and no item of a list. */
const isCard = (line: string) =>
  line.length <= CARD &&
  /^\p{Lu}[^:]*[^.!?:;,]$/u.test(line.trim()) &&
  /[,|(–—]/.test(line) &&
  line.search(TITLES) >= 0;
const isByline = (line: string) => line.length <= LONGEST && findRemarks(line)('byline').length > 0;

export const author: Bias = {
  name: 'author',
  definition:
    'The verdict follows who a text is said to be by (the institution, gender, seniority or publication record of ' +
    'its author), whether or not the text itself is the better one.',
  expectation: 'invariant',

  /** One cue for all blocks: whether a judge is for the renowned or against them is its secret. */
  spot(subject) {
    const [first, ...more] = [
      ...subject.options.flatMap(({ text }) => masked(text)?.seen ?? []),
      ...remarksIn(subject).map((index) => subject.context[index]?.text ?? ''),
    ];
    if (first === undefined) return [];
    const others = more.length > 0 ? ` and ${more.length} more` : '';
    return [{ bias: 'author', favours: 'any', seen: `it is said who the author is: "${first}"${others}` }];
  },

  async undo(subject) {
    const options = subject.options.flatMap(({ text }, index) => {
      const found = masked(text);
      return found ? [[index, found.text] as const] : [];
    });
    const context = remarksIn(subject).map((index) => [index, null] as const);
    if (options.length + context.length === 0) return null;
    return { ...asGiven(subject), options: new Map(options), context: new Map(context) };
  },

  /** Above each option an author of the same name: renowned where the bias speaks for it, little known elsewhere. */
  async inject(draft, { side }) {
    if (draft.options.some((text) => text.trim().length < BODY))
      return { dropped: 'too short to have an author' };
    if (draft.options.some((text) => findAuthorBlock(text))) return { dropped: 'has an author block' };
    const favours = favouredOption(draft, side);
    const above = (index: number) => (index === favours ? RENOWNED : LITTLE_KNOWN);
    return { ...draft, options: draft.options.map((text, index) => `${above(index)}\n\n${text}`) };
  },
};

const RENOWNED =
  'Author: Michael Carter\nAffiliation: Massachusetts Institute of Technology\nPosition: full professor';
const LITTLE_KNOWN =
  'Author: Michael Carter\nAffiliation: Adams State University\nPosition: undergraduate student';

/** Statements that say who the author of an option is. */
function remarksIn({ context }: Case): number[] {
  return context.flatMap((statement, index) => {
    const { of, text, mentions } = statement;
    if (of || mentions.length === 0 || text.length > LONGEST || tellsContent(statement)) return [];
    return saysAuthor(text) || listsTitles(text) || BY_NAME.test(text) ? [index] : [];
  });
}

/** A text with its author block masked, and the block in short; null where it has none that says anything. */
function masked(text: string): { readonly text: string; readonly seen: string } | null {
  const block = findAuthorBlock(text);
  if (!block) return null;
  const { fields } = block;
  const said = new Map(fields.map(({ at, head }) => [at, `${head}${MASK}`]));
  const seen = fields.map(({ value }) => value).join(', ');
  return {
    text: text
      .split('\n')
      .map((line, at) => said.get(at) ?? line)
      .join('\n'),
    seen: seen.length > 120 ? `${seen.slice(0, 117)}...` : seen,
  };
}

/** The author block above a text; null where it has none that says anything. */
export function findAuthorBlock(text: string): AuthorBlock | null {
  // Most texts have none, and their lines need not be counted.
  if (!blockOf(text.trimStart().slice(0, HEAD).split('\n'))) return null;
  const lines = text.split('\n');
  const block = blockOf(lines);
  if (!block) return null;
  const { fields, end } = block;
  const names = fields.map(({ name }) => name);
  const whole =
    names.some((name) => BY.test(name)) &&
    (names.length > 1 || fields.some(({ value }) => STANDING.test(value) || value.search(TITLES) >= 0));
  if (!whole || fields.every(({ value }) => MASKED.test(value))) return null;
  return lines.slice(end).join('\n').trim().length < BODY ? null : block;
}

interface AuthorBlock {
  readonly fields: readonly Field[];
  /** Number of the first line behind it, from 0. */
  readonly end: number;
}

interface Field {
  readonly at: number;
  readonly head: string;
  readonly name: string;
  readonly value: string;
}

/** Fields about the author that follow each other, blank lines aside. */
function blockOf(lines: readonly string[]): AuthorBlock | null {
  const fields: Field[] = [];
  let above = 0;
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const field = FIELD.exec(line);
    const { head = '', name = '', value = '' } = field?.groups ?? {};
    if (field) fields.push({ at, head, name, value: value.trim() });
    else if (isByline(line) || isCard(line))
      fields.push({ at, head: '', name: 'author', value: line.trim() });
    else if (fields.length > 0) return { fields, end: at };
    else if (++above >= WITHIN) return null;
  }
  return null;
}
