/**
 * Rubric order: the verdict follows the order in which a rubric is written down: its score descriptions, its criteria, the
 * names of its scores. Undone by writing them in the opposite order. Every number and name keeps its description, so the
 * scale stays as it is, and a verdict means the same in both orders.
 */
import {
  asGiven,
  type Case,
  type Edit,
  findOwnText,
  formKindOf,
  matchWords,
  rolesOfLabel,
  type Span,
} from '../case/index.ts';
import { WORDS } from './meanings.ts';
import type { Bias } from './types.ts';

/** One of the things that a rubric lists. */
interface Entry {
  readonly at: Span;
  /** The number of a score description, the name of a score, or nothing for a criterion. */
  readonly key: string;
}

interface RubricList {
  readonly what: 'score descriptions' | 'score names' | 'criteria';
  /** Two or more, in the order in which they stand. */
  readonly entries: readonly Entry[];
}

/** What a list has to be in a stretch of text to belong to a rubric. */
interface Expected {
  /** Ends of the scale where bare numbers can be scores; null where only such numbers are that are called so. */
  readonly scale: { readonly min: number; readonly max: number } | null;
  /** How the request spells the verdicts that are no numbers. */
  readonly names: readonly string[];
  /** `headed`: under a heading that speaks of criteria. */
  readonly criteria: 'all' | 'headed' | 'none';
}

const SCORE_NAME = matchWords(WORDS.scoreName).source;
const BULLET = '[ \\t]{0,12}(?:[-*•+][ \\t]{1,4})?';
/** `Score 1: `, `- **2 points** – `, `3 = `, `9-10: `, `1 (poor): `. */
const SCORE = new RegExp(
  `^(${BULLET}["'“(\\[*]{0,3}(?:(${SCORE_NAME})(?: of| de| von)?[ \\t]{0,4}[:#=]?[ \\t]{0,4})?)(\\d{1,3}(?:\\.\\d{1,2})?)(?:[ \\t]?[-–][ \\t]?\\d{1,3}(?:\\.\\d{1,2})?)?["'”)\\]*]{0,3}[ \\t]{0,4}(${SCORE_NAME}|分|点)?["'”)\\]*]{0,3}[ \\t]{0,4}(?:\\([^()\\n]{1,60}\\))?\\*{0,2}[ \\t]{0,4}(?:[:：=→]|[-–—](?=[ \\t]))`,
  'iu',
);
const CRITERION = /^([ \t]{0,12}[-*•+])[ \t]{1,4}\S/u;
const BEFORE_NAME = new RegExp(`^${BULLET}["'“(\\[*]{0,3}`, 'u');
const BEHIND_NAME = /^(?:["'”)\]*]{0,3}[ \t]{0,4}(?:[:：=→.]|[-–—](?=[ \t]))|["'”]?[)\]]["'”*]{0,2}[ \t])/u;
/** Set off at its beginning, or at its end. An entry is none: of a list that it begins, not all would be moved. */
const HEADING = /^[ \t]{0,12}(?:#{1,6} |\*\*|[<[【])|[:：*>\]】]$/u;
/** Longer lines are no headings. */
const LONGEST_HEADING = 80;
/** More entries are no rubric. */
const MOST = 101;

export const rubricOrder: Bias = {
  name: 'rubric-order',
  definition:
    'The verdict follows the order in which the score descriptions, criteria or score names of a rubric are written down, ' +
    'so it changes when the same rubric is written in another order.',
  expectation: 'invariant',
  // Each graded answer with a rubric would cost one more call.
  mustBeNamed: true,

  spot(subject) {
    const lists = findRubricLists(subject);
    if (lists.length === 0) return [];
    const seen = lists.map(describeList).join('; and ');
    return [{ bias: 'rubric-order', favours: 'any', seen, strength: 0.2 }];
  },

  async undo(subject) {
    const elsewhere = findRubricLists(subject).flatMap(reverseList);
    return elsewhere.length > 0 ? { ...asGiven(subject), elsewhere } : null;
  },

  /** The instruction's own score descriptions in the opposite order; there is no wrong side to it. */
  async inject(draft) {
    const { instruction } = draft;
    const edits = findLists(instruction, { part: 0, start: 0, end: instruction.length }, WORDED).flatMap(
      reverseList,
    );
    if (edits.length === 0) return { dropped: 'the instruction holds no score descriptions' };
    return { ...draft, instruction: withEdits(instruction, edits) };
  },
};

const WORDED: Expected = { scale: null, names: [], criteria: 'none' };

/**
 * The lists of a case's rubric, wherever it stands: in the judge's own text, in a slot, or within the task. Criteria are
 * looked for where one answer is judged, and not where the reply has a verdict on each of them by its place.
 */
export function findRubricLists(subject: Case): RubricList[] {
  const { prompt, form, options, instruction, context, standards = [] } = subject;
  const textOf = ({ part }: Span) => prompt.parts[part]?.text ?? '';
  const isPointwise = options.length === 1;
  const { scale: scaleOf, labels: namesOf, isList } = formKindOf(form);
  const ends = scaleOf?.(form);
  const scale = ends ? { min: ends.min ?? 0, max: ends.max ?? 100 } : null;
  const names = isPointwise ? (namesOf?.(form, options) ?? []) : [];
  const hasCriteria = isPointwise && isList !== true;
  const own = findOwnText(subject).flatMap((at) =>
    findLists(textOf(at), at, { scale, names, criteria: hasCriteria ? 'headed' : 'none' }),
  );
  const rubrics = standards.flatMap(({ of, at }) =>
    of === 'rubric'
      ? findLists(textOf(at), at, { scale, names, criteria: hasCriteria ? 'all' : 'none' })
      : [],
  );
  const asked = instruction ? findLists(textOf(instruction.at), instruction.at, WORDED) : [];
  // A statement within the task is exchanged or taken out by itself.
  const isMixed = instruction && context.some(({ whole }) => meet(whole, instruction.at));
  return [...own, ...rubrics, ...(isMixed ? [] : asked)];
}

const meet = (a: Span, b: Span) => a.part === b.part && a.start < b.end && b.start < a.end;

/** Whether the rubric of a case begins with what is worth most; null where it has no score descriptions. */
export function beginsWithBest(subject: Case): boolean | null {
  const scores = findRubricLists(subject).find(({ what }) => what === 'score descriptions')?.entries;
  return scores ? Number(scores[0]?.key) > Number(scores.at(-1)?.key) : null;
}

function describeList({ what, entries }: RubricList): string {
  const [first, last] = [entries[0]?.key, entries.at(-1)?.key];
  return what === 'criteria'
    ? `${entries.length} criteria stand in a fixed order`
    : `${entries.length} ${what} stand from ${first} to ${last}`;
}

/** The bytes of every entry are kept: each is put where its mirror image stands. */
function reverseList({ entries }: RubricList): Edit[] {
  return entries.flatMap(({ at }, index) => {
    const from = entries[entries.length - 1 - index]?.at;
    return from && from !== at ? [{ at, with: from }] : [];
  });
}

function withEdits(text: string, edits: readonly Edit[]): string {
  let [result, from] = ['', 0];
  for (const { at, with: source } of edits.toSorted((a, b) => a.at.start - b.at.start)) {
    result += text.slice(from, at.start);
    result += typeof source === 'string' ? source : text.slice(source.start, source.end);
    from = at.end;
  }
  return result + text.slice(from);
}

/** A list while it is read. */
interface Growing {
  readonly what: RubricList['what'];
  /** All entries are set alike. */
  readonly style: string;
  readonly indent: number;
  readonly isNamed: boolean;
  readonly entries: Entry[];
}

/** The lists in a stretch of a text whose lines are all whole. */
function findLists(text: string, within: Span, expected: Expected): RubricList[] {
  const found: RubricList[] = [];
  let growing: Growing | null = null;
  /** The last line in front of the list. */
  let heading = '';
  /** Whether it speaks of criteria; null until somebody asks. */
  let headed: boolean | null = null;
  const isHeaded = () => {
    headed ??= speaksOfCriteria(heading);
    return headed;
  };
  let isBlankBefore = true;
  const close = () => {
    if (growing && isRubric(growing, expected)) found.push(growing);
    growing = null;
  };
  for (let start = within.start; start <= within.end; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 || newline > within.end ? within.end : newline;
    const line = text.slice(start, end).trimEnd();
    const isWhole = isLineStart(text, start, within, expected) && isLineEnd(text, end, within, expected);
    const entry = isWhole ? readEntry(line, expected, isHeaded) : null;
    const at = { part: within.part, start, end: start + line.length };
    const last: Entry | undefined = growing?.entries.at(-1);
    if (entry && growing?.what === entry.what && growing.style === entry.style) {
      growing.entries.push({ at, key: entry.key });
    } else if (
      growing &&
      last &&
      line !== '' &&
      !isBlankBefore &&
      isWhole &&
      indentOf(line) > growing.indent
    ) {
      growing.entries[growing.entries.length - 1] = { ...last, at: { ...last.at, end: at.end } };
    } else if (line !== '') {
      // A line that is cut off may be an entry, too: of such a list not all is there to be moved.
      if (!isWhole && readEntry(line, expected, isHeaded)) growing = null;
      close();
      if (entry) {
        const { what, style, isNamed } = entry;
        growing = { what, style, isNamed, indent: indentOf(line), entries: [{ at, key: entry.key }] };
      } else [heading, headed] = [CRITERION.test(line) ? '' : line, null];
    }
    isBlankBefore = line === '';
    start = end + 1;
  }
  close();
  return found;
}

/** A slot begins and ends where it does; the judge's own text may have a slot in the middle of a line. */
const isLineStart = (text: string, at: number, { start }: Span, { criteria }: Expected) =>
  at === 0 || text[at - 1] === '\n' || (criteria === 'all' && at === start);
const isLineEnd = (text: string, at: number, { end }: Span, { criteria }: Expected) =>
  at === text.length || text[at] === '\n' || (criteria === 'all' && at === end);

const indentOf = (line: string) => line.length - line.trimStart().length;

interface ReadEntry {
  readonly what: RubricList['what'];
  readonly key: string;
  readonly style: string;
  /** Whether a number is called a score. */
  readonly isNamed: boolean;
}

function readEntry(
  line: string,
  { scale, names, criteria }: Expected,
  isHeaded: () => boolean,
): ReadEntry | null {
  const score = SCORE.exec(line);
  if (score) {
    const [all, before = '', word, key = '', unit] = score;
    const isNamed = word !== undefined || unit !== undefined;
    const style = `${before.trimEnd()}…${all.at(-1)}`;
    return isNamed || scale ? { what: 'score descriptions', key, style, isNamed } : null;
  }
  const before = BEFORE_NAME.exec(line)?.[0] ?? '';
  const rest = line.slice(before.length);
  const key = names.find((name) => rest.startsWith(name) && BEHIND_NAME.test(rest.slice(name.length)));
  if (key !== undefined) return { what: 'score names', key, style: before, isNamed: true };
  const bullet = CRITERION.exec(line)?.[1];
  if (bullet === undefined || criteria === 'none') return null;
  if (criteria === 'headed' && !isHeaded()) return null;
  return { what: 'criteria', key: '', style: bullet, isNamed: false };
}

const speaksOfCriteria = (heading: string) =>
  heading.length <= LONGEST_HEADING &&
  HEADING.test(heading) &&
  rolesOfLabel(heading).some((roles) => roles.includes('rubric'));

function isRubric({ what, isNamed, entries }: Growing, { scale, names }: Expected): boolean {
  if (entries.length < 2 || entries.length > MOST) return false;
  if (what === 'criteria') return true;
  const keys = entries.map(({ key }) => key);
  if (what === 'score names') return names.length === keys.length && new Set(keys).size === keys.length;
  const numbers = keys.map(Number);
  const steps = numbers.slice(1).map((number, n) => Math.sign(number - (numbers[n] ?? number)));
  if (steps.some((step) => step === 0 || step !== steps[0])) return false;
  if (isNamed) return true;
  return entries.length > 2 && scale !== null && numbers.every((one) => scale.min <= one && one <= scale.max);
}
