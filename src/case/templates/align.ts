/**
 * What several prompts of one pipeline have in common, word for word and in the same order: the literals of their
 * template. What differs between two literals is a slot.
 *
 * The method is that of patience diff, for any number of texts: pieces that stand exactly once in every text hold the
 * texts together; between two of them the search goes on, where more pieces are unique. Whole lines come first, then
 * labels, which are words between two delimiters.
 */
import { matchLiterals } from './match.ts';
import { CLOSES, hasWord, isSentenceEnd, type Token, tokensOf } from './tokens.ts';
import { beginsAnOrder } from './vocabulary.ts';

/** For each text, a half-open range of its tokens. */
type Ranges = readonly (readonly [number, number])[];

/** A piece that stands in every text: its first token in each, and how many tokens it has. */
interface Anchor {
  readonly at: readonly number[];
  readonly length: number;
  readonly weight: number;
}

/** How many label words an anchor joins, the longest first; 0 stands for whole lines. */
const LEVELS = [0, 4, 3, 2, 1] as const;

/** Above this many anchors in one range only the longest are chained, which keeps the chaining quadratic in this. */
const MOST_ANCHORS = 600;

/**
 * @param texts two or more, the same text part of different requests
 * @returns the literals in order, one more than there are slots; the first and the last may be empty. One literal
 *   alone says that the texts are equal.
 *
 * @example learnLiterals(['Q: a\nA: b', 'Q: c\nA: d']) // ['Q: ', '\nA: ', '']
 */
export function learnLiterals(texts: readonly string[]): string[] {
  const [first = ''] = texts;
  if (texts.every((text) => text === first)) return [first];
  const sequences = texts.map(tokensOf);
  const all = literalsOf(new Alignment(sequences).columns(), sequences);
  if (texts.length < 3) return all;
  // A text that repeats a literal of its template hides that literal from the search for what stands only once.
  let best = all;
  for (const [n, text] of texts.entries()) {
    const others = sequences.toSpliced(n, 1);
    const literals = literalsOf(new Alignment(others).columns(), others);
    if (literals.length <= best.length) continue;
    if (matchLiterals(text, literals)?.includes(null)) best = literals;
  }
  return best;
}

class Alignment {
  /** Token of the first text → its twin in every text. */
  readonly #matched = new Map<number, readonly number[]>();

  readonly sequences: readonly (readonly Token[])[];

  constructor(sequences: readonly (readonly Token[])[]) {
    this.sequences = sequences;
    this.#align(
      sequences.map((tokens) => [0, tokens.length] as const),
      0,
    );
  }

  columns(): (readonly number[])[] {
    return [...this.#matched].sort(([a], [b]) => a - b).map(([, at]) => at);
  }

  #align(ranges: Ranges, from: number): void {
    for (let level = from; level < LEVELS.length; level++) {
      const anchors = chain(this.#anchors(ranges, LEVELS[level] ?? 1));
      if (anchors.length === 0) continue;
      let starts = ranges.map(([start]) => start);
      const gap = (ends: readonly number[]) => {
        const inside = starts.map((start, n) => [start, ends[n] ?? start] as const);
        if (inside.every(([start, end]) => end > start)) this.#align(inside, level);
      };
      for (const { at, length } of anchors) {
        gap(at);
        for (let n = 0; n < length; n++)
          this.#matched.set(
            (at[0] ?? 0) + n,
            at.map((start) => start + n),
          );
        starts = at.map((start) => start + length);
      }
      gap(ranges.map(([, end]) => end));
      return;
    }
    for (const run of [...this.#repeatedLabels(ranges), ...this.#numberedRuns(ranges)])
      this.#matched.set(run[0] ?? 0, run);
  }

  /** Pieces that stand once in every range. */
  #anchors(ranges: Ranges, words: number): Anchor[] {
    const pieces = this.sequences.map((tokens, n) => {
      const range = ranges[n] ?? [0, 0];
      return words === 0 ? linesIn(tokens, range) : labelsIn(tokens, range, words);
    });
    const [first = new Map<string, Piece>(), ...others] = pieces.map(onlyOnce);
    const anchors: Anchor[] = [];
    for (const [key, piece] of first) {
      const at = [piece.at];
      for (const other of others) {
        const twin = other.get(key);
        if (twin) at.push(twin.at);
      }
      if (at.length === pieces.length)
        anchors.push({ at, length: piece.length, weight: Math.min(key.length, 60) });
    }
    if (anchors.length <= MOST_ANCHORS) return anchors;
    return anchors
      .sort((a, b) => b.weight - a.weight)
      .slice(0, MOST_ANCHORS)
      .sort((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0));
  }

  /** Labels at the start of a line that stand several times, as often and in the same order in every text. */
  #repeatedLabels(ranges: Ranges): number[][] {
    const labels = this.sequences.map((tokens, n) => leadsIn(tokens, ranges[n] ?? [0, 0]));
    const counts = labels.map((list) => Map.groupBy(list, ({ key }) => key));
    const steady = (key: string) =>
      counts.every(
        (count) =>
          count.get(key)?.length === counts[0]?.get(key)?.length && (count.get(key)?.length ?? 0) > 1,
      );
    return inStep(labels.map((list) => list.filter(({ key }) => steady(key))));
  }

  /**
   * Numbers and letters of a list (`1.`, `a)`) are the template's where every text has the same ones and none goes on:
   * a list inside an answer is longer in one case than in another.
   */
  #numberedRuns(ranges: Ranges): number[][] {
    const lists = this.sequences.map((tokens, n) =>
      Map.groupBy(bulletsIn(tokens, ranges[n] ?? [0, 0]), ({ style }) => style),
    );
    const runs = [...(lists[0]?.keys() ?? [])].map((style) =>
      inStep(lists.map((list) => list.get(style) ?? [])),
    );
    const namesOf = (run: readonly (readonly number[])[]) =>
      run.map(([at = 0]) => this.sequences[0]?.[at]?.text ?? '');
    const ordered = runs.filter((run) => run.length > 1 && beginsAnOrder(namesOf(run)));
    return ordered.length === 1 ? (ordered[0] ?? []) : [];
  }
}

/** The places of each element in every list; nothing where the lists are not equal. */
function inStep(lists: readonly (readonly { readonly key: string; readonly at: number }[])[]): number[][] {
  const [first = []] = lists;
  const equal = lists.every(
    (list) => list.length === first.length && list.every(({ key }, n) => key === first[n]?.key),
  );
  return equal ? first.map((_, n) => lists.map((list) => list[n]?.at ?? 0)) : [];
}

interface Piece {
  readonly at: number;
  readonly length: number;
}

function onlyOnce(pieces: readonly (Piece & { readonly key: string })[]): Map<string, Piece> {
  const once = new Map<string, Piece>();
  const often = new Set<string>();
  for (const piece of pieces) {
    if (once.delete(piece.key)) often.add(piece.key);
    else if (!often.has(piece.key)) once.set(piece.key, piece);
  }
  return once;
}

/** Whole lines with a word in them, or lines that are rules (`---`). */
function linesIn(
  tokens: readonly Token[],
  [start, end]: readonly [number, number],
): (Piece & { key: string })[] {
  const lines: (Piece & { key: string })[] = [];
  for (let at = start; at < end; ) {
    let to = at;
    while (to < end && tokens[to]?.kind !== 'break') to++;
    const text = tokens
      .slice(at, to)
      .map((token) => token.text)
      .join('');
    // A line cut off by what is matched already is no whole line.
    const whole =
      (at === 0 || tokens[at - 1]?.kind === 'break') &&
      (to === tokens.length || tokens[to]?.kind === 'break');
    if (whole && (/\p{L}/u.test(text) || isFramed(text))) lines.push({ at, length: to - at, key: text });
    at = to + 1;
  }
  return lines;
}

/** One to several words in a row on one line, with the delimiters at both ends. */
function labelsIn(
  tokens: readonly Token[],
  [start, end]: readonly [number, number],
  count: number,
): (Piece & { key: string })[] {
  const labels: (Piece & { key: string })[] = [];
  const words: number[] = [];
  for (let at = start; at < end; at++) {
    const token = tokens[at];
    if (token?.kind === 'break') words.length = 0;
    if (token?.kind !== 'words') continue;
    words.push(at);
    if (words.length < count) continue;
    const from = words[words.length - count] ?? at;
    const text = tokens
      .slice(from, at + 1)
      .map((one) => one.text)
      .join('');
    const ends = endOf(tokens, at, end);
    if (ends === null || !(isStrong(text) || (count === 1 && isInitial(tokens, from, at, text)))) continue;
    const begins = startOf(tokens, from, start);
    labels.push({ at: from, length: at + 1 - from, key: `${begins}${text}${ends}` });
  }
  return labels;
}

/** What stands behind a label: the delimiter; a line break or the text's end count as one. */
function endOf(tokens: readonly Token[], at: number, end: number): string | null {
  let next = at + 1;
  if (tokens[next]?.kind === 'space') next++;
  if (next >= tokens.length) return '\n';
  const token = tokens[next];
  if (token?.kind === 'break') return '\n';
  return next < end || token?.kind === 'delimiter' ? (token?.text ?? '\n') : null;
}

function startOf(tokens: readonly Token[], at: number, _start: number): string {
  let before = at - 1;
  if (tokens[before]?.kind === 'space') before--;
  const token = tokens[before];
  return !token || token.kind === 'break' ? '\n' : token.text;
}

/** More than a number or a letter: two characters of which one is a letter. */
const isStrong = (text: string) =>
  /\p{L}/u.test(text) && (/[\p{L}\p{N}].*[\p{L}\p{N}]/su.test(text) || /[\p{Script=Han}]/u.test(text));

/** A rule (`---`), alone on its line or around a number. A fence is none: answers have fences, too. */
const isFramed = (text: string) => /^\s*([^\p{L}\p{N}\s"`])\1\1/u.test(text);

/** One letter at the start of a line that a colon makes a label: `Q:` and `A:`. */
function isInitial(tokens: readonly Token[], from: number, at: number, text: string): boolean {
  if (!/^\p{L}$/u.test(text)) return false;
  const before = tokens[from - 1];
  if (before && before.kind !== 'break') return false;
  const next = tokens[at + 1]?.kind === 'space' ? tokens[at + 2] : tokens[at + 1];
  return next?.kind === 'delimiter' && !isSentenceEnd(next) && next.text !== ')';
}

/** Words at the start of a line with a delimiter behind them. */
function leadsIn(tokens: readonly Token[], range: readonly [number, number]): { at: number; key: string }[] {
  return labelsIn(tokens, range, 1).filter(({ at, key }) => {
    const before = tokens[at - 1]?.kind === 'space' ? tokens[at - 2] : tokens[at - 1];
    return (!before || before.kind === 'break') && !key.endsWith('\n');
  });
}

/** Bullets with a number or a letter at the start of a line. */
function bulletsIn(tokens: readonly Token[], [start, end]: readonly [number, number]) {
  const bullets: { at: number; key: string; style: string }[] = [];
  for (let at = start; at < end; at++) {
    const token = tokens[at];
    if (token?.kind !== 'words' || !/^(?:\p{N}{1,2}|\p{L})$/u.test(token.text)) continue;
    let before = at - 1;
    while (tokens[before]?.kind === 'space' || tokens[before]?.text === '(' || tokens[before]?.text === '[')
      before--;
    const next = tokens[at + 1]?.kind === 'space' ? tokens[at + 2] : tokens[at + 1];
    if (before >= 0 && tokens[before]?.kind !== 'break') continue;
    const kind = /\p{N}/u.test(token.text) ? '1' : /\p{Lu}/u.test(token.text) ? 'A' : 'a';
    if (next?.kind === 'delimiter') bullets.push({ at, key: token.text, style: kind + next.text });
  }
  return bullets;
}

/** The heaviest chain of anchors that stand in the same order in every text. */
function chain(anchors: readonly Anchor[]): Anchor[] {
  const ordered = anchors.toSorted((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0));
  const best: { weight: number; before: number }[] = [];
  let last = -1;
  for (const [n, anchor] of ordered.entries()) {
    const here = { weight: anchor.weight, before: -1 };
    for (let m = 0; m < n; m++) {
      const other = ordered[m];
      const weight = (best[m]?.weight ?? 0) + anchor.weight;
      if (other && weight > here.weight && isBefore(other, anchor)) {
        here.weight = weight;
        here.before = m;
      }
    }
    best.push(here);
    if (last < 0 || here.weight > (best[last]?.weight ?? 0)) last = n;
  }
  const found: Anchor[] = [];
  for (let n = last; n >= 0; n = best[n]?.before ?? -1) {
    const anchor = ordered[n];
    if (anchor) found.push(anchor);
  }
  return found.reverse();
}

const isBefore = (a: Anchor, b: Anchor) => a.at.every((start, n) => start + a.length <= (b.at[n] ?? 0));

/** A literal as a run of tokens: its first token in every text, and how many. */
interface Run {
  at: number[];
  length: number;
}

function literalsOf(
  columns: readonly (readonly number[])[],
  sequences: readonly (readonly Token[])[],
): string[] {
  const start: Run = { at: sequences.map(() => 0), length: 0 };
  const end: Run = { at: sequences.map((tokens) => tokens.length), length: 0 };
  const runs: Run[] = [start];
  for (const column of columns) {
    const run = runs.at(-1);
    if (run?.at.every((from, n) => from + run.length === column[n])) run.length++;
    else runs.push({ at: [...column], length: 1 });
  }
  runs.push(end);
  for (let n = 0; n + 1 < runs.length; n++) {
    const left = runs[n];
    const right = runs[n + 1];
    if (left && right) widen(left, right, sequences);
  }
  const joined: Run[] = [];
  for (const run of runs) {
    const before = joined.at(-1);
    if (before?.at.every((from, n) => from + before.length === run.at[n])) before.length += run.length;
    else joined.push(run);
  }
  const [tokens = []] = sequences;
  return joined.map(({ at: [from = 0], length }) =>
    tokens
      .slice(from, from + length)
      .map(({ text }) => text)
      .join(''),
  );
}

/** Takes into the two literals beside a slot what every text has at the slot's edges, and words never. */
function widen(left: Run, right: Run, sequences: readonly (readonly Token[])[]): void {
  const room = () => left.at.every((from, n) => from + left.length < (right.at[n] ?? 0));
  const shared = (of: (n: number) => number): Token | null => {
    const token = sequences[0]?.[of(0)];
    return token && sequences.every((tokens, n) => tokens[of(n)]?.text === token.text) ? token : null;
  };
  const opened: string[] = [];
  while (room()) {
    const token = shared((n) => (left.at[n] ?? 0) + left.length);
    if (!token || (token.kind === 'words' && hasWord(token.text))) break;
    left.length++;
    opened.push(token.text);
  }
  const closed: string[] = [];
  while (room()) {
    const token = shared((n) => (right.at[n] ?? 0) - 1);
    if (!token || isSentenceEnd(token) || (token.kind === 'words' && hasWord(token.text))) break;
    right.at = right.at.map((from) => from - 1);
    right.length++;
    closed.push(token.text);
  }
  // What opens a slot belongs to the template only where it is closed, and the other way round.
  const before = () => textOf(left, sequences);
  const after = () => textOf(right, sequences);
  while (opened.length > 0 && !isClosed(opened.at(-1) ?? '', before(), after())) {
    opened.pop();
    left.length--;
  }
  while (closed.length > 0 && !isOpened(closed.at(-1) ?? '', before(), after())) {
    closed.pop();
    right.at = right.at.map((from) => from + 1);
    right.length--;
  }
}

const textOf = ({ at: [from = 0], length }: Run, [tokens = []]: readonly (readonly Token[])[]) =>
  tokens
    .slice(from, from + length)
    .map(({ text }) => text)
    .join('');

const CLOSERS: ReadonlySet<string> = new Set(Object.values(CLOSES));

function isClosed(last: string, _before: string, after: string): boolean {
  const close = CLOSES[last];
  if (!close || last === '|') return true;
  return after.trimStart().startsWith(close);
}

function isOpened(first: string, before: string, _after: string): boolean {
  if (!CLOSERS.has(first) || first === '|') return /^\s*$/.test(first) || !hasWord(first);
  return Object.entries(CLOSES).some(([open, close]) => close === first && before.trimEnd().endsWith(open));
}
