/**
 * Author: the verdict follows who a text is by: institution, gender, seniority, publication record (arXiv 2509.13400).
 * Undone by masking the author block, alike in every option: fields and lines stay, so that a block does not tell by
 * being gone.
 */
import { asGiven, type Case, createCueFinder, type WordLists } from '../case/index.ts';
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
/** Says in one line what a block says in several: an author alone is a name, which many texts begin with. */
const STANDING =
  /(?<!\p{L})(?:prof|dr|pr|ph\.?d|universi|univ\.|institut|college|academy|academia|école|hochschule|MIT|ETH|h-?index|indice h|índice h|student|senior|junior|researcher|scientist|lecturer|engineer|fellow|undergraduate|laureate|forscher|chercheu|investigador|étudiant|estudiante)|教授|博士|大学|学院|研究|指数|学生|院士/iu;
const MASK = 'withheld';
const MASKED = /^(?:withheld|anonym|hidden|redacted|n\/a)/i;

/** The block begins among so many lines that are not blank: a title and little more may stand above it. */
const WITHIN = 4;
/** A block begins and has a field in so many characters. */
const HEAD = 8192;
/** Characters of text below it. What is shorter may be an answer whose substance the author is. */
const BODY = 200;

const STANDS: WordLists = {
  any: 'MIT|ETH|Dr|Prof|PhD|h-index',
  en: `professor|senior|junior|researcher|scientist|lecturer|engineer|fellow|intern|undergraduate|graduate|postdoc|doctoral|tenured|university|institute|college|laboratory|award-winning|laureate|
    prize-winning|renowned|distinguished|eminent|first-year|well-published|highly cited|publications|papers|citations|unpublished|woman|women|man|female|male|chair|director|head of|member of|affiliated|independent scholar|emeritus`,
  de: `professor*|doktorand*|forscher*|wissenschaftler*|dozent*|ingenieur*|praktikant*|universität*|institut*|hochschule|labor|preisträger*|renommiert*|angesehen*|veröffentlichungen|publikationen|
    zitate|frau|mann|lehrstuhl*|direktor*|leiter*|mitglied|emeritiert*`,
  fr: `professeur*|doctorant*|chercheur*|chercheuse*|scientifique*|ingénieur*|stagiaire|université|institut|école|laboratoire|lauréat*|prix nobel|renommé*|éminent*|publications|articles|citations|femme|homme|
    chaire|directeur|directrice|membre|émérite|maître de conférences`,
  es: `profesor*|catedrátic*|doctorand*|investigador*|científic*|ingenier*|becari*|universidad|instituto|facultad|laboratorio|premiad*|premio|renombrad*|eminente|publicaciones|artículos|citas|mujer|hombre|
    cátedra|director*|miembro|emérit*`,
  zh: '教授|博士|研究员|研究生|本科生|科学家|讲师|工程师|实习生|大学|学院|研究所|实验室|得主|知名|著名|资深|论文|发表过|引用|女性|男性|女士|先生|院士|主任|院长|指数',
  ja: '教授|博士|研究員|大学院生|学部生|科学者|講師|技術者|インターン|大学|研究所|研究室|受賞者|著名|高名|ベテラン|論文|業績|女性|男性|所長|名誉|指数',
};
const WRITES: WordLists = {
  en: 'written by|authored by|author is|author of|authors of|wrote|submitted by|penned by|is by|comes from|the work of|authors are|submission by|is from',
  de: 'verfasst*|geschrieben|schrieb|autor*|eingereicht|stammt|stammen|das werk|arbeit von',
  fr: "écrit*|rédigé*|auteur*|autrice|soumis*|vient|provient|l'œuvre|signé*",
  es: 'escrit*|escribió|redactad*|autor*|enviad*|presentad*|procede*|obra de|firmad*',
  zh: '作者|撰写|写|投稿|出自|来自|提交',
  ja: '著者|作者|書|投稿|執筆|による|提出',
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
});
/** Longer lines are material. */
const LONGEST = 200;
const saysAuthor = (line: string) => line.length <= LONGEST && findRemarks(line)('author').length > 0;

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
    const wrong = draft.options.findIndex((_, index) => index !== draft.right);
    const favours = side === 'wrong' ? wrong : draft.right;
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
  return context.flatMap(({ of, text, mentions }, index) =>
    !of && mentions.length > 0 && saysAuthor(text) ? [index] : [],
  );
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
    (names.length > 1 || fields.some(({ value }) => STANDING.test(value)));
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
    else if (saysAuthor(line)) fields.push({ at, head: '', name: 'author', value: line.trim() });
    else if (fields.length > 0) return { fields, end: at };
    else if (++above >= WITHIN) return null;
  }
  return null;
}
