/**
 * Author: the verdict follows who a text is by: institution, gender, seniority, publication record (arXiv 2509.13400).
 * Undone by masking the author block, alike in every option: fields and lines stay, so that a block does not tell by
 * being gone. What an answer says of its writer at its beginning or end (`As a mother of four, …`) is cut.
 */
import {
  asGiven,
  type Case,
  clausesOf,
  countLetters,
  type FoundCue,
  matchWords,
  quote,
  type TextRange,
} from '../case/index.ts';
import { classify } from './classifier.ts';
import { AUTHOR_BELOW, type CueReader } from './cue-words.ts';
import { favouredOption } from './draft.ts';
import { WORDS } from './meanings.ts';
import { isQuoted } from './phrase.ts';
import { placesBeside, speaksOf, tellsContent, WITHHELD, withholdBeside } from './remark.ts';
import type { Bias } from './types.ts';

const AUTHOR =
  '(?:first |corresponding )?authors?|autor(?:in|en|innen|a|es|as)?|auteure?s?|autrice|作者|著者|投稿人|投稿者|submitted by|(?:this (?:paper|text|article|work|essay) (?:was|is) )?written by|eingereicht von|verfasst von|soumis par|écrit par|rédigé par|enviado por|escrito por';
const FROM =
  "(?:authors?['’]? )?(?:affiliations?|institutions?)|zugehörigkeit|einrichtung|hochschule|afiliación|institución|établissement|单位|机构|所属";
const MORE =
  'e-?mails?|positions?|seniority|career stage|academic rank|h-index|orcid|publications?|(?:publication|track) (?:record|history)|publication count|stellung|puesto|poste|职位|职称|職位';
/** `Affiliation: …`, `**Author:** …`, `Submitted by …`: the field, what stands around it, and its value. */
const FIELD = new RegExp(
  `^(?<head>[\\s>*_#-]{0,20}(?<name>${AUTHOR}|${FROM}|${MORE})(?:[*_\\s]{0,9}[:\\uff1a][*_\\s]{0,9}|(?<=by|von|par|por)\\s(?:le |la |el |the |der |dem )?))(?<value>\\S.*)$`,
  'iu',
);
const OF_WHOM = new RegExp(`^(?:${AUTHOR}|${FROM})$`, 'iu');
const BY = new RegExp(`^(?:${AUTHOR})$`, 'iu');
/** Beginnings of words that say what an author is. */
const STANDING = matchWords(WORDS.standing);
const MASKED = /^(?:withheld|anonym|hidden|redacted|n\/a)/i;

/** The block begins among so many lines that are not blank: a title and little more may stand above it. */
const WITHIN = 4;
/** A block begins and has a field in so many characters. */
const HEAD = 8192;
/** Characters of text below it. What is shorter may be an answer whose substance the author is. */
const BODY = 200;

/** Longer lines are material. */
const LONGEST = 200;
/** Beside the answers a few sentences may say when they came and who wrote them. */
const LONGEST_STATEMENT = 400;
const NAME = `\\p{Lu}\\p{Ll}{1,20}(?:-\\p{Lu}\\p{Ll}{1,20})?`;
/** By somebody who has a first name and a last one: `by Ursula K. Le Guin`, `d'Amélie Nothomb`. */
const BY_NAME = new RegExp(
  `(?<!\\p{L})(?:(?:by|from|wrote|von|aus der Feder von|par|de|por|signed|is|author[:,]?) |d['’])${NAME}(?: (?:\\p{Lu}\\.|de|la|del|di|von|van|der)){0,2} ${NAME}(?!\\p{L})`,
  'u',
);
/** Something stands beside a name. */
const MORE_THAN_NAME = /[,|(–—，]/;
/** A line with several colons is a sentence about somebody, a line that leads on is a heading, and neither is a byline. */
const isByline = (line: string) =>
  line.length <= LONGEST &&
  !/[:：].*[:：]|[:：,]\s*$|^\s*\d/.test(line) &&
  classify(line, ['author']).length > 0;

/** Who wrote the options, as it is told beside them. */
const bylinesOf = (subject: Case) =>
  subject.options.flatMap((option) => placesBeside(subject, option, isByline));

export const author: Bias = {
  name: 'author',
  definition:
    'The verdict follows who a text is said to be by (the institution, gender, seniority or publication record of ' +
    'its author), whether or not the text itself is the better one.',
  expectation: 'invariant',
  trait: 'writer',

  /** One cue for all blocks: whether a judge is for the renowned or against them is its secret. */
  spot(subject, _judge, read) {
    const [first, ...more] = [
      ...subject.options.flatMap(
        ({ text }) => maskAuthor(text)?.seen ?? findIntroductions(text, read).map((at) => quote(text, at)),
      ),
      ...remarksIn(subject).map((index) => subject.context[index]?.text ?? ''),
      ...bylinesOf(subject).map(({ text }) => text),
    ];
    if (first === undefined) return [];
    const others = more.length > 0 ? ` and ${more.length} more` : '';
    return [{ bias: 'author', favours: 'any', seen: `it is said who the author is: "${first}"${others}` }];
  },

  async undo(subject) {
    const options = subject.options.flatMap(({ text }, index) => {
      const rest = maskAuthor(text)?.text ?? withoutIntroductions(text);
      return rest === text ? [] : [[index, rest] as const];
    });
    const context = remarksIn(subject).map((index) => [index, null] as const);
    const elsewhere = withholdBeside(subject, isByline);
    if (options.length + context.length + elsewhere.length === 0) return null;
    return { ...asGiven(subject), options: new Map(options), context: new Map(context), elsewhere };
  },

  /** Above each option an author of the same name: renowned where the bias speaks for it, little known elsewhere. */
  async inject(draft, { side }) {
    if (draft.options.some((text) => text.trim().length < BODY))
      return { dropped: 'too short to have an author' };
    if (draft.options.some((text) => findAuthorBlock(text))) return { dropped: 'has an author block' };
    const favours = favouredOption(draft, side);
    const above = (index: number) => (index === favours ? RENOWNED : LITTLE_KNOWN);
    return { ...draft, favours, options: draft.options.map((text, index) => `${above(index)}\n\n${text}`) };
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
    if (of || mentions.length === 0 || text.length > LONGEST_STATEMENT || tellsContent(statement)) return [];
    return BY_NAME.test(text) || speaksOf(statement, 'author') ? [index] : [];
  });
}

/** Characters from the beginning of an answer, and from its end, in which it says who wrote it. */
const EDGE = 200;
/** Longer sentences say more than who somebody is. */
const LONGEST_INTRODUCTION = 240;
/** A longer sentence in the third person tells of somebody else. */
const LONGEST_SIGNATURE = 100;
/** Letters that must be left of an answer. */
const LEAST_LEFT = 12;
/** A signature, which has no clauses. */
const SIGNED =
  /^\s{0,9}(?:[—–-]{1,2}|best|regards|yours|sincerely|cheers|signed|viele grüße|mit freundlichen|gez|cordialement|signé|atentamente|saludos|un saludo|firmado|敬具|敬上|此致|祝好|―)/iu;

/** A sign between clauses, and not in a number. */
const CLAUSE = /[,;:](?!\d)\s{0,4}|[，、；：]\s{0,4}/gu;

/** The clause that a cue stands in, or its whole sentence where little would be left of it. */
function clauseOf(text: string, cue: FoundCue): TextRange {
  const { sentence, start } = cue;
  const bounds = [...text.slice(sentence.start, sentence.end).matchAll(CLAUSE)].map(
    ({ index, 0: sign }) => sentence.start + index + sign.length,
  );
  const next = bounds.find((at) => at > start);
  const last = bounds.findLast((at) => at <= start);
  const found =
    next === undefined
      ? (clausesOf(text, cue) ?? sentence)
      : {
          start: last !== undefined && last - sentence.start > LEAST_LEFT ? last : sentence.start,
          end: next,
        };
  const rest = text.slice(sentence.start, found.start) + text.slice(found.end, sentence.end);
  return countLetters(rest) < LEAST_LEFT && /^[\p{Script=Latin}\P{L}]*$/u.test(rest) ? sentence : found;
}

/** Begins what somebody says of themselves. Alone it says little: the classifier must not think it unlikely. */
const OF_MYSELF = matchWords(WORDS.ofMyself);
/** Somebody speaks of themselves; in Spanish and Japanese the words above tell that. */
const MYSELF = matchWords(WORDS.myself);
/** Who signs a letter, or what is left open in one, is part of what was asked for. */
const LETTER =
  /(?<!\p{L})(?:dear|to whom it may concern|finds you well|sehr geehrte|liebe[rs]?|cher|chère|chers|madame|estimad[oa]s?|querid[oa]s?) |尊敬的|亲爱的|拝啓|\[[^\]\n]{0,40}name[^\]\n]{0,20}\]/iu;

/** Of the author in the third person: a block says that, or the answer is about one. */
const OF_AUTHORS = new RegExp(`^\\W{0,9}(?:the |der |die |l['’]|el |la )?(?:${AUTHOR})(?!\\p{L})`, 'iu');

/** Sentences at the ends of an answer that say who its writer is. */
function findIntroductions(text: string, read?: CueReader): TextRange[] {
  if (LETTER.test(text.slice(0, HEAD))) return [];
  const likely = read ? read(text).ofAuthor : classify(text, ['author'], AUTHOR_BELOW);
  return likely.flatMap(({ sentence, place, score }) => {
    const said = text.slice(sentence.start, sentence.end);
    if (FIELD.test(said) || OF_AUTHORS.test(said)) return [];
    if (said.length > LONGEST_SIGNATURE && !MYSELF.test(said)) return [];
    if (score <= 0 && !(OF_MYSELF.test(said) && MYSELF.test(said))) return [];
    const isAtEdge = sentence.start <= EDGE || text.length - sentence.end <= EDGE;
    const isShort = sentence.end - sentence.start <= LONGEST_INTRODUCTION;
    const midst = Math.floor((place.start + place.end) / 2);
    const cue = { start: midst, end: midst, sentence, rule: null };
    if (!isAtEdge || !isShort || isQuoted(text, cue)) return [];
    const found = SIGNED.test(said) ? sentence : clauseOf(text, cue);
    const left = text.slice(0, found.start) + text.slice(found.end);
    return countLetters(left) >= LEAST_LEFT ? [found] : [];
  });
}

/** Passes over a text: of a sentence of many clauses, one may say more than another. */
const MOST_PASSES = 4;

function withoutIntroductions(text: string): string {
  let rest = text;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const [found] = findIntroductions(rest);
    if (!found) break;
    const before = rest.slice(0, found.start);
    const behind = rest.slice(found.end);
    rest =
      before.trim() === ''
        ? behind.trimStart()
        : behind.trim() === ''
          ? before.trimEnd()
          : before.trimEnd() + (/^\s/.test(behind) ? '' : ' ') + behind;
  }
  return rest;
}

/** A text with its author block masked, and the block in short; null where it has none that says anything. */
function maskAuthor(text: string): { readonly text: string; readonly seen: string } | null {
  const block = findAuthorBlock(text);
  if (!block) return null;
  const { fields } = block;
  const said = new Map(fields.map(({ at, head }) => [at, `${head}${WITHHELD}`]));
  const seen = fields.map(({ value }) => value).join(', ');
  return {
    text: text
      .split('\n')
      .map((line, at) => said.get(at) ?? line)
      .join('\n'),
    seen: quote(seen),
  };
}

/** Whether an answer says who wrote it: in a block above it, or in a sentence at its beginning or end. */
export const tellsAuthor = (text: string): boolean =>
  findAuthorBlock(text) !== null || findIntroductions(text).length > 0;

/** The author block above a text; null where it has none that says anything. */
export function findAuthorBlock(text: string): AuthorBlock | null {
  // Most texts have none: some are too short for one, and of the others the lines need not be counted.
  if (text.length < BODY || !blockOf(text.trimStart().slice(0, HEAD).split('\n'))) return null;
  const lines = text.split('\n');
  const block = blockOf(lines);
  if (!block) return null;
  const { fields, end } = block;
  const names = fields.map(({ name }) => name);
  const whole =
    names.some((name) => BY.test(name)) &&
    (names.length > 1 ||
      fields.some(
        // A line without the name of a field was taken for what it says.
        ({ head, value }) =>
          head === '' || STANDING.test(value) || (MORE_THAN_NAME.test(value) && isByline(head + value)),
      ));
  if (!whole || fields.every(({ value }) => MASKED.test(value))) return null;
  return lines.slice(end).join('\n').trim().length < BODY ? null : block;
}

/**
 * A paper without the author block above it. Other than in an answer, a lone `Author: …` is one.
 *
 * @returns the paper as it is where it has none
 */
export function removeAuthorBlock(paper: string): string {
  const lines = paper.split('\n');
  const named = blockOf(lines)?.fields.filter(({ head }) => head !== '') ?? [];
  const fields = findAuthorBlock(paper)?.fields ?? named;
  if (!fields.some(({ name }) => OF_WHOM.test(name))) return paper;
  const gone = new Set(fields.map(({ at }) => at));
  return lines.filter((_, at) => !gone.has(at)).join('\n');
}

export interface AuthorBlock {
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
    else if (isByline(line)) fields.push({ at, head: '', name: 'author', value: line.trim() });
    else if (fields.length > 0) return { fields, end: at };
    else if (++above >= WITHIN) return null;
  }
  return null;
}
