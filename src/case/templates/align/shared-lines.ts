/**
 * Lines that hold several texts: what all requests have in such a line, in the same order, is the template's where it is
 * more than chance. Whether it is, is weighed: long words and the edges of a line tell more than short words and marks.
 */
import { CJK } from '../../words/vocabulary.ts';
import { CLOSES, hasWord, withoutEnd } from './tokens.ts';

/** What learned literals and the texts say of one slot. */
export interface Gap {
  readonly before: string;
  readonly after: string;
  /** What stands in the slot, in each of the requests that say so for certain. */
  readonly values: readonly string[];
}

export const lastLine = (text: string) => text.slice(text.lastIndexOf('\n') + 1);

/**
 * What stands in another line where a label stands in this one.
 *
 * @returns null where the two differ in more than that
 *
 * @example nameInPlace('[Green]', 'Green', '[Red]') // 'Red'
 */
export function nameInPlace(line: string, label: string, other: string): string | null {
  const at = label === '' ? -1 : line.indexOf(label);
  if (at < 0) return null;
  const tail = line.slice(at + label.length);
  const isAlike =
    other.length > at + tail.length && other.startsWith(line.slice(0, at)) && other.endsWith(tail);
  return isAlike ? other.slice(at, other.length - tail.length) : null;
}

/** Requests of which a line must hold the same words in the same order. */
const LEAST_LINES = 3;
/** Longest line that is looked at, in characters, and lines of a text without a name in which a label is looked for. */
const LONGEST_LINE = 300;
const MOST_LINES = 3;
/** A word, which may hold a mark between its letters (a date, a path), or one mark. */
const PIECE = /(?:[\p{L}\p{N}]|\\u[0-9a-fA-F]{4})+(?:[-_.'’:/@+][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]/gu;

/** A line of each value, cut into words and marks. */
interface Lines {
  readonly texts: readonly string[];
  readonly pieces: readonly (readonly Piece[])[];
}

interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What stands in the line of every value: its first piece in each, and how many pieces it has. */
interface Run {
  readonly at: readonly number[];
  readonly length: number;
}

/**
 * What all values have in a line, in the same order, is the template's where it is more than chance:
 * `date: {{*}}, commit: {{*}}`, `Question ({{context}}, max. {{context}} points): {{instruction}}`, `{{context}} / {{context}}`.
 */
export function splitLine({ before, after, values }: Gap): string[] | null {
  if (new Set(values).size < LEAST_LINES) return null;
  const own = lastLine(before);
  const above = lastLine(before.trimEnd());
  // What begins a text that has a name of its own is the text's.
  const isNamed = namesText(own.trim() === '' ? above : own);
  const rows = values.map((value) => value.split('\n'));
  const least = Math.min(...rows.map((row) => row.length));
  for (let n = 0; n < Math.min(MOST_LINES, least); n++) {
    const texts = rows.map((row) => row[n] ?? '');
    if (texts.some((text) => text.trim() === '' || text.length > LONGEST_LINE)) return null;
    const lines = { texts, pieces: texts.map(piecesOf) };
    // Below a line of a named text a label alone is more than chance.
    const isBelow = isNamed && n > 0 && rows.some((row) => piecesOf(row[n - 1] ?? '').length > 1);
    const evident = evidentRuns(
      lines,
      n === 0 ? own : '',
      isNamed && n === 0,
      n === 0 && before !== '' && own === before,
    );
    const runs = isBelow ? evident.filter((run) => isLabel(lines, run)) : evident;
    if (runs.length === 0) continue;
    const literals = [before];
    if (n > 0) literals.push('\n');
    for (const run of runs) {
      const text = textOf(lines, run);
      if (run.at[0] === 0) literals.push((literals.pop() ?? '') + text);
      else literals.push(text);
    }
    const ends = endsLine(lines, runs.at(-1));
    const rests = rows.map((row) => row.slice(n + 1).join('\n'));
    if (rows.every((row) => row.length === n + 1))
      return ends ? [...literals.slice(0, -1), literals.at(-1) + after] : [...literals, after];
    // Behind a line that ends in nothing of its own nobody sees where the next text begins, unless there is none: then what
    // stands behind a label goes on below.
    const last = runs.at(-1);
    if (rows.some((row) => row.length === n + 1))
      return last && !ends && isLabel(lines, last) ? [...literals, after] : null;
    const blank = sharedStart(
      rests.map((rest) => /^(?:\s{1,9}|"{3}\n|`{3}\w{0,20}\n){0,9}/.exec(rest)?.[0] ?? ''),
    );
    if (ends) return [...literals.slice(0, -1), `${literals.at(-1)}\n${blank}`, after];
    return runs.length === 1 && runs[0]?.at[0] === 0 ? [...literals, after] : null;
  }
  return null;
}

/** Whether a line names the text behind it or below. */
export const namesText = (line: string) =>
  ':：=>])】）|*'.includes(withoutEnd(line, '"\'`“„«「 \t').at(-1) ?? '?') ||
  /^\s{0,3}(?:#|`{3})/u.test(line);

/** The label at the start of a line, or all of a heading: `Poll:` of `Poll: 72 %`, `### Reference`. */
export const nameOfLine = (line: string): string | null =>
  /^(?:[^\n:：]{1,30}(?:：|:(?=\s|$))|#{1,6} [^\n]{1,60}$)/u.exec(line)?.[0] ?? null;

const piecesOf = (line: string): Piece[] =>
  Array.from(line.matchAll(PIECE), ({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));

/** What stands in front of a piece of every line; null where it differs. */
function gapAt({ texts, pieces }: Lines, at: readonly number[]): string | null {
  const gaps = at.map((n, line) => {
    const own = pieces[line] ?? [];
    return (texts[line] ?? '').slice(own[n - 1]?.end ?? 0, own[n]?.start ?? texts[line]?.length);
  });
  return gaps.every((gap) => gap === gaps[0]) ? (gaps[0] ?? '') : null;
}

const behind = ({ at, length }: Run) => at.map((n) => n + length);

const endsLine = ({ pieces }: Lines, run: Run | undefined) =>
  run !== undefined && behind(run).every((n, line) => n === pieces[line]?.length);

/** Whether a run is two words or more and a colon, in front of which a name may stand. */
function isLabel(lines: Lines, run: Run): boolean {
  const text = textOf(lines, run).trim();
  return /[:：]$/u.test(text) && text.split(' ').filter(hasWord).length > 1;
}

/** The run's words with the spaces beside them. */
function textOf(lines: Lines, run: Run): string {
  const own = lines.pieces[0] ?? [];
  const from = run.at[0] ?? 0;
  const text = (lines.texts[0] ?? '').slice(own[from]?.start, own[from + run.length - 1]?.end);
  return `${gapAt(lines, run.at) ?? ''}${text}${gapAt(lines, behind(run)) ?? ''}`;
}

/** Pieces that stand in all lines in the same order, with what is the same beside them, each row as one. */
function sharedRuns(lines: Lines): Run[] {
  const { pieces } = lines;
  const [first = []] = pieces;
  const counts = pieces.map((own) => Map.groupBy(own.keys(), (n) => own[n]?.text ?? ''));
  const once = first.flatMap(({ text }) => {
    const at = counts.map((count) => count.get(text) ?? []);
    return at.every((places) => places.length === 1) ? [at.flat()] : [];
  });
  const columns = new Map(longestChain(once).map((at) => [at[0] ?? 0, at]));
  const isShared = (at: readonly number[]) =>
    at.every((n, line) => {
      const text = pieces[line]?.[n]?.text;
      return text !== undefined && text === first[at[0] ?? 0]?.text;
    });
  const grow = (from: readonly number[], step: 1 | -1) => {
    for (
      let here = from.map((n) => n + step);
      isShared(here) && !columns.has(here[0] ?? 0);
      here = here.map((n) => n + step)
    ) {
      if (gapAt(lines, step === 1 ? here : here.map((n) => n + 1)) === null) return;
      columns.set(here[0] ?? 0, here);
    }
  };
  for (const at of [...columns.values()]) {
    grow(at, 1);
    grow(at, -1);
  }
  grow(
    pieces.map(() => -1),
    1,
  );
  grow(
    pieces.map((own) => own.length),
    -1,
  );
  const runs: { at: readonly number[]; length: number }[] = [];
  for (const at of [...columns.values()].sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))) {
    const run = runs.at(-1);
    const next = run && behind(run);
    if (run && next?.every((n, line) => n === at[line]) && gapAt(lines, at) !== null) run.length++;
    else if (next?.every((n, line) => n <= (at[line] ?? 0)) ?? true) runs.push({ at, length: 1 });
  }
  return runs;
}

/** The most columns that stand in the same order in every line. */
function longestChain(columns: readonly (readonly number[])[]): (readonly number[])[] {
  const chains: (readonly number[])[][] = [];
  for (const at of columns) {
    const before = chains.filter((chain) => chain.at(-1)?.every((n, line) => n < (at[line] ?? 0)));
    const longest = before.reduce(
      (best, chain) => (chain.length > best.length ? chain : best),
      [] as (readonly number[])[],
    );
    chains.push([...longest, at]);
  }
  return chains.reduce((best, chain) => (chain.length > best.length ? chain : best), []);
}

/** So much is shared by chance hardly ever: a long word counts 2, a short one 1, a mark a half, an edge of the line 1. */
const LEAST_EVIDENCE = 2.5;
/** Letters of a short word, of which all texts have the same ones. */
const SHORT_WORD = 4;
/** Pieces in front of a colon that could be a name. */
const LONGEST_NAMED = 5;

/** The runs that are the template's; marks alone are where words in the same line are, or where little stands beside them. */
function evidentRuns(lines: Lines, front: string, isNamed: boolean, isWithinLine: boolean): Run[] {
  const own = lines.pieces[0] ?? [];
  // Behind another slot of the line a mark alone sets off what follows.
  const beginsLine = front.trim() === '' || (isWithinLine && /^\s*[·•—–→›/,;]\s*$/u.test(front));
  const open = openBracket(front);
  const piecesIn = ({ at: [from = 0], length }: Run) => own.slice(from, from + length);
  const wordsOf = (run: Run) =>
    piecesIn(run)
      .map(({ text }) => text)
      .join('');
  const isAside = (run: Run) => endsLine(lines, run) && /^[)）\]】]$/u.test(wordsOf(run));
  const isSure = (run: Run): boolean => {
    const text = wordsOf(run);
    const begins = run.at.every((n) => n === 0);
    if (open !== null && text.includes(open) && (begins || closesFirst(lines, run, open))) return true;
    if (begins && isNamed) return false;
    const starts = beginsLine && begins;
    const ends = endsLine(lines, run);
    if (isAside(run)) return closesAside(lines.texts);
    if (ends && isNamed && !/^[([（【{|/]/u.test(text)) return false;
    if (!hasWord(text)) {
      const isSet =
        gapAt(lines, run.at)?.trim() === '' &&
        gapAt(lines, run.at) !== '' &&
        gapAt(lines, behind(run)) !== '';
      const isShort = lines.pieces.every((one) => one.length <= 12);
      const names =
        !isNamed && /^[)）\]】]?[:：]$/u.test(text) && run.at.every((n) => n > 0 && n <= LONGEST_NAMED);
      if (ends && !isNamed && /^[:：]$/.test(text)) return run.at.every((n) => n > 0 && n <= LONGEST_NAMED);
      return !ends && !starts && ((isSet && isShort && /^[/|·—–→]$/u.test(text)) || names);
    }
    const weight = piecesIn(run).reduce((sum, piece) => sum + weigh(piece.text), 0);
    // Several spaces set off a field as a tab does.
    const isApart = /\s{2}|\t/.test(gapAt(lines, run.at) ?? '');
    return weight + (starts ? 1 : 0) + (ends ? 1 : 0) + (isApart ? 1.5 : 0) >= LEAST_EVIDENCE;
  };
  const all = sharedRuns(lines);
  const sure = all.filter(isSure);
  if (sure.length === 0) return [];
  const isBracket = (run: Run) => /^[()[\]{}（）【】:：]+$/u.test(wordsOf(run));
  const found = all.filter((run) => sure.includes(run) || (isBracket(run) && !(isNamed && run.at[0] === 0)));
  // Brackets that close what nothing opens are the texts'.
  const isOpened = found.some((run) => /[(（[【]/u.test(wordsOf(run)));
  return isOpened ? found : found.filter((run) => !isAside(run));
}

/** Whether each line ends in brackets, in front of which something stands and behind which nothing. */
const closesAside = (lines: readonly string[]) =>
  lines.every((line) =>
    /^[^()（）[\]【】]*[^()（）[\]【】\s] ?[(（[【][^()（）[\]【】]+[)）\]】]\s*$/u.test(line),
  );

/** Whether a run begins with the first sign in each line that closes the bracket in front of the line. */
const closesFirst = ({ texts, pieces }: Lines, { at }: Run, close: string) =>
  at.every((n, line) => pieces[line]?.[n]?.start === texts[line]?.indexOf(close));

/** What closes the bracket that a line leaves open; null where it leaves none. */
export function openBracket(line: string, marks = '([（【'): string | null {
  const at = Math.max(...[...marks].map((mark) => line.lastIndexOf(mark)));
  const close = at < 0 ? undefined : CLOSES[line.charAt(at)];
  return close !== undefined && !line.slice(at).includes(close) ? close : null;
}

function weigh(piece: string): number {
  if (!hasWord(piece)) return 0.5;
  return piece.length > SHORT_WORD || CJK.test(piece) ? 2 : 1;
}

/** What all texts begin with. */
export function sharedStart(texts: readonly string[]): string {
  const [first = ''] = texts;
  let size = 0;
  while (size < first.length && texts.every((text) => text.startsWith(first.slice(0, size + 1)))) size++;
  return first.slice(0, size);
}
