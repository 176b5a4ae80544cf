/**
 * What several prompts of one pipeline have in common, word for word and in the same order: the literals of their
 * template. What differs between two literals is a slot.
 *
 * The method is that of patience diff, for any number of texts: pieces that stand exactly once in every text hold the
 * texts together; between two of them the search goes on, where more pieces are unique. Lines and tags that name a text come
 * first, as what answers have in common stands in any of them; then whole lines, then labels, which are words between two
 * delimiters.
 */
import { type Checkpoint, FEW, runSteps, unlimited } from '../../checkpoint.ts';
import type { TextRange } from '../../types.ts';
import { beginsAnOrder, CJK } from '../../words/vocabulary.ts';
import { matchLiterals } from '../match.ts';
import { answersAmong, literalsOfDocuments, varyingDocument } from './align-json.ts';
import { settleEdges } from './edges.ts';
import { namesText } from './shared-lines.ts';
import { CLOSES, hasWord, isLabelEnd, isSentenceEnd, type Token, tokensOf } from './tokens.ts';
import { joinTurns } from './turn-taking.ts';

/** For each text, a half-open range of its tokens. */
type Ranges = readonly (readonly [number, number])[];

/** A piece that stands in every text: its first token in each, and how many tokens it has. */
interface Anchor {
  readonly at: readonly number[];
  readonly length: number;
  readonly weight: number;
}

type Piece = {
  readonly at: number;
  readonly length: number;
  readonly key: string;
  /** Whether nothing but signs stands in front of it on its line. */
  readonly leads?: boolean;
};
type PiecesIn = (tokens: readonly Token[], range: readonly [number, number]) => Piece[];

/** Words of a phrase that three texts share, and that two share, only because they have it from their template. */
const PHRASE = 4;
const LONG_PHRASE = 8;

/** What holds texts together, the surest first. The later ones take three texts to believe in. */
const LEVELS: readonly { readonly pieces: PiecesIn; readonly texts: number }[] = [
  { pieces: namesIn, texts: 2 },
  { pieces: linesIn, texts: 2 },
  ...[3, 2, 1].map((count) => ({
    pieces: (tokens: readonly Token[], range: readonly [number, number]) => labelsIn(tokens, range, count),
    texts: 2,
  })),
  { pieces: fencesIn, texts: 2 },
  { pieces: (tokens, range) => phrasesIn(tokens, range, LONG_PHRASE), texts: 2 },
  { pieces: tailsIn, texts: 3 },
  { pieces: headsIn, texts: 3 },
  { pieces: (tokens, range) => phrasesIn(tokens, range, PHRASE), texts: 3 },
];

/** Characters of a piece that count where pieces cross each other, and those that a line break in front of one is worth. */
const LONGEST_WEIGHED = 60;
const LINE_START = 20;

/** Above this many anchors in one range only the longest are chained, which keeps the chaining quadratic in this. */
const MOST_ANCHORS = 300;

/**
 * @param texts two or more, the same text part of different requests
 * @returns the literals in order, one more than there are slots; the first and the last may be empty. One literal
 *   alone says that the texts are equal.
 *
 * @example learnLiterals(['Q: a\nA: b', 'Q: c\nA: d']) // ['Q: ', '\nA: ', '']
 */
export const learnLiterals = (texts: readonly string[]): string[] => runSteps(literalSteps(texts, unlimited));

/**
 * `learnLiterals`, one alignment a step.
 *
 * @param checkpoint called between the parts of a step; what it throws ends the search
 */
export function* literalSteps(texts: readonly string[], checkpoint: Checkpoint): Generator<void, string[]> {
  const [first = ''] = texts;
  if (texts.every((text) => text === first)) return [first];
  const answers = answersAmong(texts);
  const found = varyingDocument(texts);
  const isAnswer = answers.some((some, n) => some.some(({ start }) => start === found?.[n]?.start));
  const documents = isAnswer ? null : found;
  const within =
    documents &&
    literalsOfDocuments(texts.map((text, n) => text.slice(documents[n]?.start, documents[n]?.end)));
  if (documents && within) {
    const front = yield* literalSteps(
      texts.map((text, n) => text.slice(0, documents[n]?.start)),
      checkpoint,
    );
    yield;
    const back = yield* literalSteps(
      texts.map((text, n) => text.slice(documents[n]?.end)),
      checkpoint,
    );
    return joinedLiterals(joinedLiterals(front, within), back);
  }
  // Most of a prompt is often the same from its start and to its end: that need not be searched.
  const lead = Math.min(sharedLead(texts), ...answers.flat().map(({ start }) => start));
  const tail = Math.min(
    sharedTail(texts.map((text) => text.slice(lead))),
    ...answers.flatMap((some, n) => some.map(({ end }) => (texts[n]?.length ?? 0) - end)),
  );
  const between = texts.map((text) => text.slice(lead, text.length - tail));
  const wholes = answers.map((some) =>
    some.map(({ start, end }) => ({ start: start - lead, end: end - lead })),
  );
  const literals = yield* literalsBetween(between, wholes, checkpoint);
  literals[0] = first.slice(0, lead) + (literals[0] ?? '');
  literals[literals.length - 1] += first.slice(first.length - tail);
  yield;
  return joinTurns(yield* settleEdges(literals, texts), texts);
}

/** The literals of a text that is written behind another one. */
const joinedLiterals = (front: readonly string[], back: readonly string[]): string[] => [
  ...front.slice(0, -1),
  (front.at(-1) ?? '') + (back[0] ?? ''),
  ...back.slice(1),
];

/** Length of the lines with which all texts begin, of which the last has a word in it and is no fence. */
function sharedLead(texts: readonly string[]): number {
  const [first = ''] = texts;
  let same = 0;
  while (same < first.length && texts.every((text) => text.charCodeAt(same) === first.charCodeAt(same)))
    same++;
  let end = breakBefore(first, same) + 1;
  while (end > 0) {
    const start = breakBefore(first, end - 1) + 1;
    const line = first.slice(start, end);
    if (hasWord(line) && !FENCE.test(line)) return end;
    end = start;
  }
  return 0;
}

/** Offset of the last line break in front of `end`, or -1. */
const breakBefore = (text: string, end: number) => (end <= 0 ? -1 : text.lastIndexOf('\n', end - 1));

/** Length of the lines with which all texts end, with the break in front of them; the first has a word in it. */
function sharedTail(texts: readonly string[]): number {
  const [first = ''] = texts;
  const at = (text: string, back: number) => text.charCodeAt(text.length - 1 - back);
  let same = 0;
  while (
    same < first.length &&
    texts.every((text) => same < text.length && at(text, same) === at(first, same))
  )
    same++;
  for (let start = first.indexOf('\n', first.length - same); start >= 0; ) {
    const next = first.indexOf('\n', start + 1);
    if (hasWord(first.slice(start, next < 0 ? first.length : next))) return first.length - start;
    start = next;
  }
  return 0;
}

/** @param wholes for each text what stands in it as one word */
function* literalsBetween(
  texts: readonly string[],
  wholes: readonly (readonly TextRange[])[],
  checkpoint: Checkpoint,
): Generator<void, string[]> {
  const sequences = labelsApart(texts.map((text, n) => joinWholes(tokensOf(text), wholes[n] ?? [], text)));
  const literalsIn = (some: typeof sequences) => literalsOf(new Alignment(some, checkpoint).columns(), some);
  const all = literalsIn(sequences);
  if (texts.length < 3) return all;
  // A text that repeats a literal of its template hides that literal from the search for what stands only once.
  let best = all;
  for (const [n, text] of texts.entries()) {
    yield;
    const literals = literalsIn(sequences.toSpliced(n, 1));
    if (literals.length <= best.length) continue;
    if (matchLiterals(text, literals)?.includes(null)) best = literals;
  }
  return best;
}

/** With all tokens of a range as one word. */
function joinWholes(tokens: readonly Token[], ranges: readonly TextRange[], text: string): readonly Token[] {
  if (ranges.length === 0) return tokens;
  let next = 0;
  return tokens.flatMap((token): Token[] => {
    while ((ranges[next]?.end ?? Number.POSITIVE_INFINITY) <= token.start) next++;
    const { start, end } = ranges[next] ?? { start: text.length, end: text.length };
    if (token.start < start) return [token];
    return token.start === start ? [{ kind: 'word', text: text.slice(start, end), start, end }] : [];
  });
}

/** Signs of a label that is looked for at the end of a longer word. */
const SHORTEST_RUN_ON = 2;
const LONGEST_RUN_ON = 8;

/**
 * Scripts that put no space between words let a label run on from the text in front: `…是什么回答：`. What ends a word in front
 * of a colon in every text is taken apart from the rest of the word. Takes time linear in the texts.
 */
function labelsApart(sequences: readonly (readonly Token[])[]): readonly (readonly Token[])[] {
  const runsOn = ({ kind, text }: Token, next: Token | undefined) =>
    kind === 'word' && CJK.test(text.slice(-1)) && isLabelEnd(next);
  const [first = new Set<string>(), ...others] = sequences.map(
    (tokens) =>
      new Set(tokens.flatMap((token, n) => (runsOn(token, tokens[n + 1]) ? endsOf(token.text) : []))),
  );
  const shared = others.reduce((all, ends) => all.intersection(ends), first);
  if (shared.size === 0) return sequences;
  return sequences.map((tokens) =>
    tokens.flatMap((token, n) => {
      const label = runsOn(token, tokens[n + 1])
        ? endsOf(token.text).find((end) => shared.has(end))
        : undefined;
      // What goes on in front of the longest is a word that all texts have.
      if (label === undefined || label.length > LONGEST_RUN_ON || label === token.text) return [token];
      const at = token.end - label.length;
      return [
        { ...token, text: token.text.slice(0, -label.length), end: at },
        { ...token, text: label, start: at },
      ];
    }),
  );
}

/** The ends of a word that may be a label, and one that is longer, the longest first. */
function endsOf(word: string): string[] {
  const longest = Math.min(word.length, LONGEST_RUN_ON + 1);
  return Array.from({ length: Math.max(0, longest - SHORTEST_RUN_ON + 1) }, (_, n) =>
    word.slice(n - longest),
  );
}

class Alignment {
  /** Token of the first text → its twin in every text. */
  readonly #matched = new Map<number, readonly number[]>();

  readonly sequences: readonly (readonly Token[])[];

  readonly #checkpoint: Checkpoint;

  constructor(sequences: readonly (readonly Token[])[], checkpoint: Checkpoint) {
    this.sequences = sequences;
    this.#checkpoint = checkpoint;
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
      this.#checkpoint();
      const { pieces, texts } = LEVELS[level] ?? { pieces: linesIn, texts: 2 };
      const anchors =
        texts > this.sequences.length ? [] : chain(this.#anchors(ranges, pieces), this.#checkpoint);
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
    this.#checkpoint();
    for (const run of [...this.#repeated(ranges), ...this.#numberedRuns(ranges), ...this.#rows(ranges)])
      this.#matched.set(run[0] ?? 0, run);
  }

  /** Pieces that stand once in every range. */
  #anchors(ranges: Ranges, piecesIn: PiecesIn): Anchor[] {
    const pieces = this.sequences.map((tokens, n) => piecesIn(tokens, ranges[n] ?? [0, 0]));
    const [first = new Map<string, Piece>(), ...others] = pieces.map(onlyOnce);
    const anchors: Anchor[] = [];
    for (const [key, piece] of first) {
      const at = [piece.at];
      for (const other of others) {
        const twin = other.get(key);
        if (twin) at.push(twin.at);
      }
      // What begins a line is a template's more often than what stands within one.
      const weight = Math.min(key.length, LONGEST_WEIGHED) + (piece.leads ? LINE_START : 0);
      if (at.length === pieces.length) anchors.push({ at, length: piece.length, weight });
    }
    if (anchors.length <= MOST_ANCHORS) return anchors;
    return anchors
      .sort((a, b) => b.weight - a.weight)
      .slice(0, MOST_ANCHORS)
      .sort((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0));
  }

  /** Lines, and labels at the start of a line, that stand several times, as often and in the same order in every text. */
  #repeated(ranges: Ranges): number[][] {
    const all = this.sequences.map((tokens, n) => {
      const range = ranges[n] ?? [0, 0];
      return [...linesIn(tokens, range), ...leadsIn(tokens, range)].sort((a, b) => a.at - b.at);
    });
    const counts = all.map((list) => Map.groupBy(list, ({ key }) => key));
    const steady = (key: string) =>
      counts.every(
        (count) =>
          count.get(key)?.length === counts[0]?.get(key)?.length && (count.get(key)?.length ?? 0) > 1,
      );
    const lists = all.map((list) => list.filter(({ key }) => steady(key)));
    const lengths = lists[0] ?? [];
    return inStep(lists).flatMap((at, n) => spread(at, lengths[n]?.length ?? 1));
  }

  /** The strings of a list or the cells of a row, as many in every text. */
  #rows(ranges: Ranges): number[][] {
    const tokensIn = (n: number) => {
      const [start, end] = ranges[n] ?? [0, 0];
      return (this.sequences[n] ?? []).slice(start, end).map((token, at) => ({ ...token, at: start + at }));
    };
    const inside = this.sequences.map((_, n) => tokensIn(n));
    const strings = inStep(inside.map(betweenStrings));
    if (strings.length > 0) return strings;
    return ['|', '\t'].flatMap((mark) => inStep(inside.map((tokens) => cellsIn(tokens, mark))));
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
      run.map(([at = 0]) => this.sequences[0]?.[at]?.text.replace('#', '') ?? '');
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

function onlyOnce(pieces: readonly Piece[]): Map<string, Piece> {
  const once = new Map<string, Piece>();
  const often = new Set<string>();
  for (const piece of pieces) {
    if (once.delete(piece.key)) often.add(piece.key);
    else if (!often.has(piece.key)) once.set(piece.key, piece);
  }
  return once;
}

/**
 * What stands between the strings of a list in JSON (`["…", "…"]`) or of a row (`7,"…","…"`), each sign with its place
 * in the list.
 */
function betweenStrings(tokens: readonly (Token & { readonly at: number })[]): { at: number; key: string }[] {
  const said = tokens.filter(({ kind }) => kind !== 'space' && kind !== 'break');
  const textAt = (n: number) => said[n]?.text;
  const opens = said.findIndex(
    (_, n) => (n === 0 || /[[,;]$/.test(textAt(n - 1) ?? '')) && textAt(n) === '"',
  );
  const isList = textAt(opens - 1) === '[';
  const between: { at: number; key: string }[] = [];
  if (!isList && opens >= 0) between.push({ at: said[opens]?.at ?? 0, key: '"' });
  for (let n = opens + 1; opens >= 0 && n < said.length; n++) {
    // A quotation mark behind a backslash is in the string.
    if (textAt(n) !== '"' || isEscaped(textAt(n - 1) ?? '', said[n - 1]?.end === said[n]?.start)) continue;
    if (isList ? textAt(n + 1) === ']' : n === said.length - 1) return between;
    if (!/^[,;]$/.test(textAt(n + 1) ?? '') || textAt(n + 2) !== '"') return [];
    for (const sign of said.slice(n, n + 3))
      between.push({ at: sign.at, key: `${between.length} ${sign.text}` });
    n += 2;
  }
  return [];
}

const isEscaped = (before: string, joined: boolean) => joined && /(?<!\\)(?:\\\\){0,20}\\$/.test(before);

/**
 * The marks between the cells of one row, or of a table that nothing else stands beside, each with the number of its row.
 */
function cellsIn(
  tokens: readonly (Token & { readonly at: number })[],
  mark: string,
): { at: number; key: string }[] {
  const rows: (typeof tokens)[number][][] = [[]];
  for (const token of tokens)
    if (token.kind === 'break') rows.push([]);
    else rows.at(-1)?.push(token);
  const filled = rows.filter((row) => row.some(({ kind }) => kind !== 'space'));
  const isTable = mark === '|' && filled.every((row) => row.some(({ text }) => text === mark));
  if (filled.length > 1 && !isTable) return [];
  return filled.flatMap((row, n) =>
    row.filter(({ text }) => text === mark).map(({ at }) => ({ at, key: `${n} ${mark}` })),
  );
}

const spread = (at: readonly number[], length: number): number[][] =>
  Array.from({ length }, (_, n) => at.map((start) => start + n));

function joinTokens(tokens: readonly Token[], start = 0, end = tokens.length): string {
  let text = '';
  for (let at = start; at < end; at++) text += tokens[at]?.text ?? '';
  return text;
}

/** A longer row of such marks is a rule. */
const FENCE = /^\s*(?:`{3,5}|~{3,5})(?![`~])/;

/** No fences: answers have the same ones. */
function linesIn(tokens: readonly Token[], range: readonly [number, number]): Piece[] {
  return wholeLinesIn(tokens, range).filter(({ key }) => !FENCE.test(key));
}

/** Lines that name the text below, and tags within a line. */
function namesIn(tokens: readonly Token[], range: readonly [number, number]): Piece[] {
  const lines = linesIn(tokens, range).filter(({ key }) => namesText(key.trim()) || isFramed(key));
  return [...lines, ...tagsIn(tokens, range)].sort((a, b) => a.at - b.at);
}

/** `<question>` or `</question>` with other text on its line. */
function tagsIn(tokens: readonly Token[], [start, end]: readonly [number, number]): Piece[] {
  return tokens.slice(start, Math.max(start, end - 2)).flatMap(({ text }, n): Piece[] => {
    const at = start + n;
    const name = tokens[at + 1]?.text ?? '';
    const isTag = text === '<' && /^\/?\p{L}[\w.-]*$/u.test(name) && tokens[at + 2]?.text === '>';
    const isLine = startOf(tokens, at) === '\n' && (tokens[at + 3]?.kind ?? 'break') === 'break';
    return isTag && !isLine ? [{ at, length: 3, key: `<${name}>` }] : [];
  });
}

function fencesIn(tokens: readonly Token[], range: readonly [number, number]): Piece[] {
  return wholeLinesIn(tokens, range).filter(({ key }) => FENCE.test(key));
}

/** Whole lines with a word in them, or lines that are rules (`---`). */
function wholeLinesIn(tokens: readonly Token[], [start, end]: readonly [number, number]): Piece[] {
  const lines: Piece[] = [];
  for (let at = start; at < end; ) {
    let to = at;
    while (to < end && tokens[to]?.kind !== 'break') to++;
    const text = joinTokens(tokens, at, to);
    // A line cut off by what is matched already is no whole line.
    const whole =
      (at === 0 || tokens[at - 1]?.kind === 'break') &&
      (to === tokens.length || tokens[to]?.kind === 'break');
    if (whole && (/\p{L}/u.test(text) || isFramed(text))) lines.push({ at, length: to - at, key: text });
    at = to + 1;
  }
  return lines;
}

/** Words in a row with nothing but spaces between them: its first token and the one behind its last word. */
function runsIn(
  tokens: readonly Token[],
  [start, end]: readonly [number, number],
): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (let at = start; at < end; at++) {
    if (tokens[at]?.kind !== 'word') continue;
    const run = { from: at, to: at + 1 };
    while (at + 1 < end && (tokens[at + 1]?.kind === 'word' || tokens[at + 1]?.kind === 'space')) {
      at++;
      if (tokens[at]?.kind === 'word') run.to = at + 1;
    }
    runs.push(run);
  }
  return runs;
}

/** One to several runs of words on one line, with the delimiters at both ends. */
function labelsIn(tokens: readonly Token[], range: readonly [number, number], count: number): Piece[] {
  const runs = runsIn(tokens, range);
  return runs.flatMap((last, n): Piece[] => {
    const first = runs[n - count + 1];
    if (!first) return [];
    for (let at = first.from; at < last.from; at++) if (tokens[at]?.kind === 'break') return [];
    const text = joinTokens(tokens, first.from, last.to);
    const ends = endOf(tokens, last.to - 1, range[1]);
    // What is cut off by what is matched already is no whole run.
    if (ends === null || tokens[first.from - 1]?.kind === 'word') return [];
    const begins = startOf(tokens, first.from);
    const named =
      isStrong(text) ||
      isMarked(begins, text, ends) ||
      (count === 1 && isInitial(tokens, first.from, last.to - 1, text));
    const key = `${begins}${text}${ends}`;
    const leads = beginsLine(tokens, first.from);
    return named ? [{ at: first.from, length: last.to - first.from, key, leads }] : [];
  });
}

/** A name in a tag or in quotation marks may be a single letter. */
const isMarked = (begins: string, text: string, ends: string) =>
  /[\p{L}\p{N}]/u.test(text) &&
  text.length <= 3 &&
  ((begins === '<' && ends === '>') || (begins === '"' && ends === '"'));

/** The last words in front of a colon, where what is in front of them is a slot: `… Answer 1:`. */
function tailsIn(tokens: readonly Token[], range: readonly [number, number]): Piece[] {
  return runsIn(tokens, range).flatMap(({ from, to }): Piece[] => {
    const mark = tokens[to]?.kind === 'space' ? to + 1 : to;
    const next = tokens[mark];
    if (!isLabelEnd(next)) return [];
    const opened = tokens[tokens[mark + 1]?.kind === 'space' ? mark + 2 : mark + 1]?.text ?? '';
    const quotes = opened in CLOSES && opened !== '|';
    const words = wordsBetween(tokens, from, to);
    return [3, 2, 1].flatMap((count): Piece[] => {
      const at = words.at(-count);
      const text = at === undefined ? '' : joinTokens(tokens, at, to);
      return at !== undefined &&
        (at > from || startOf(tokens, from) !== '\n') &&
        (quotes || /^(?:\p{Lu}|\p{Script=Han})/u.test(text)) &&
        isStrong(text)
        ? [{ at, length: to - at, key: `${count} ${text}${next?.text ?? ''}${quotes ? opened : ''}` }]
        : [];
    });
  });
}

/** A word in capitals or a sign at the start of a line, or three words there. */
function headsIn(tokens: readonly Token[], range: readonly [number, number]): Piece[] {
  return runsIn(tokens, range).flatMap(({ from, to }): Piece[] => {
    if (startOf(tokens, from) !== '\n') return [];
    const words = wordsBetween(tokens, from, to);
    const heads: Piece[] = [];
    const [first = '', second, third] = [tokens[from]?.text, words[1], words[2]];
    const sign = !hasWord(first) && !/^[-*+•–#>\d`]+$/.test(first);
    // All queries begin with SELECT: below a fence or a label, the first word is the text's.
    const above = lineBefore(tokens, from);
    const opensText = FENCE.test(above) || (namesText(above.trim()) && !/^\p{Lu}{3,}\s/u.test(above));
    if (!opensText && ((sign && words.length > 1) || /^\p{Lu}{3,}$/u.test(first)))
      heads.push({ at: from, length: 1, key: first });
    // Nothing stands between the words of Chinese or Japanese: so many signs in a row are a sentence of the template's.
    if (second !== undefined && from > range[0] + 1 && LONG_UNSPACED.test(first))
      heads.push({ at: from, length: 1, key: first });
    // In a log, each line has its time in front of its label.
    if (second !== undefined && third !== undefined && isStamp(first))
      heads.push({ at: second, length: third + 1 - second, key: joinTokens(tokens, second, third + 1) });
    // The first words of a slot are often the same by chance: `What is the …`.
    if (third !== undefined && words.length > 3 && from > range[0] + 1)
      heads.push({ at: from, length: third + 1 - from, key: joinTokens(tokens, from, third + 1) });
    return heads;
  });
}

/** As much as three words say, in scripts that put no space between words. */
const LONG_UNSPACED = new RegExp(`(?:${CJK.source}[，、]?){8}`, 'u');

/** A date and time in one word: `2026-02-15T22:15:30Z`, `[22:15:30.112]`. */
const isStamp = (word: string) =>
  /^[^\p{L}]{4,}(?:T[\d:.,+-]{4,}Z?)?$/u.test(word) && /\d{2}[-:./]\d{2}/.test(word);

/** The line above the one that begins at `at`. */
function lineBefore(tokens: readonly Token[], at: number): string {
  let start = at;
  while (tokens[start - 1]?.kind === 'space') start--;
  let from = start - 1;
  while (from > 0 && tokens[from - 1]?.kind !== 'break') from--;
  return joinTokens(tokens, Math.max(0, from), start);
}

/** So many words in a row within a sentence, or at the start of the prompt. */
function phrasesIn(tokens: readonly Token[], range: readonly [number, number], count: number): Piece[] {
  return runsIn(tokens, range).flatMap(({ from, to }) => {
    const words = wordsBetween(tokens, from, to);
    return words.slice(count - 1).flatMap((last, n): Piece[] => {
      const at = words[n] ?? last;
      if (at === from && at > 0) return [];
      return [{ at, length: last + 1 - at, key: joinTokens(tokens, at, last + 1) }];
    });
  });
}

function wordsBetween(tokens: readonly Token[], from: number, to: number): number[] {
  const words: number[] = [];
  for (let at = from; at < to; at++) if (tokens[at]?.kind === 'word') words.push(at);
  return words;
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

function startOf(tokens: readonly Token[], at: number): string {
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

/** One letter at the start of a line that a colon or marks on both sides make a label: `Q:`, `— X —`. */
function isInitial(tokens: readonly Token[], from: number, at: number, text: string): boolean {
  if (!/^(?:[-*•–]\s)?\p{L}$/u.test(text) || !beginsLine(tokens, from)) return false;
  const next = tokens[at + 1]?.kind === 'space' ? tokens[at + 2] : tokens[at + 1];
  const isFirst = from === 0 || tokens[from - 1]?.kind === 'break';
  return next?.kind === 'delimiter' && !isSentenceEnd(next) && (next.text !== ')' || !isFirst);
}

/** Signs that may stand in front of a label on its line: `- `, `**`, `[`. */
const MOST_SIGNS = 4;

/** Whether nothing but signs stands in front of a word on its line. */
function beginsLine(tokens: readonly Token[], at: number): boolean {
  let before = at - 1;
  while (
    at - before <= MOST_SIGNS &&
    (tokens[before]?.kind === 'space' || tokens[before]?.kind === 'delimiter')
  )
    before--;
  return before < 0 || tokens[before]?.kind === 'break';
}

/** Words at the start of a line with a delimiter behind them. */
function leadsIn(tokens: readonly Token[], range: readonly [number, number]): Piece[] {
  return labelsIn(tokens, range, 1).filter(({ leads, key }) => leads && !key.endsWith('\n'));
}

/** Bullets with a number or a letter at the start of a line. */
function bulletsIn(tokens: readonly Token[], [start, end]: readonly [number, number]) {
  const bullets: { at: number; key: string; style: string }[] = [];
  for (let at = start; at < end; at++) {
    const token = tokens[at];
    if (token?.kind !== 'word' || !/^(?:#?\p{N}{1,2}|\p{L})$/u.test(token.text)) continue;
    let before = at - 1;
    while (tokens[before]?.kind === 'space' || /^[([\t]$/.test(tokens[before]?.text ?? '')) before--;
    const next = tokens[at + 1]?.kind === 'space' ? tokens[at + 2] : tokens[at + 1];
    if (before >= 0 && tokens[before]?.kind !== 'break') continue;
    const kind = /\p{N}/u.test(token.text) ? '1' : /\p{Lu}/u.test(token.text) ? 'A' : 'a';
    if (next?.kind === 'delimiter') bullets.push({ at, key: token.text, style: kind + next.text });
    else if ((kind === 'A' || token.text.startsWith('#')) && next?.kind === 'word')
      bullets.push({ at, key: token.text, style: `${kind} ` });
  }
  return bullets;
}

/** The heaviest chain of anchors that stand in the same order in every text. */
function chain(anchors: readonly Anchor[], checkpoint: Checkpoint): Anchor[] {
  const ordered = anchors.toSorted((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0));
  const best: { weight: number; before: number }[] = [];
  let last = -1;
  for (const [n, anchor] of ordered.entries()) {
    const here = { weight: anchor.weight, before: -1 };
    if (n % FEW === FEW - 1) checkpoint();
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
  const whole: Run[] = [];
  for (const run of runs) {
    const before = whole.at(-1);
    if (before?.at.every((from, n) => from + before.length === run.at[n])) before.length += run.length;
    else whole.push(run);
  }
  return whole.map((run) => textOf(run, sequences));
}

/**
 * Takes into the two literals beside a slot what every text has at the slot's edges. Words are taken only where the
 * literal ends in the middle of a row of them.
 */
function widen(left: Run, right: Run, sequences: readonly (readonly Token[])[]): void {
  const room = () => left.at.every((from, n) => from + left.length < (right.at[n] ?? 0));
  const shared = (of: (n: number) => number): Token | null => {
    const token = sequences[0]?.[of(0)];
    return token && sequences.every((tokens, n) => tokens[of(n)]?.text === token.text) ? token : null;
  };
  const [tokens = []] = sequences;
  const opened: Token[] = [];
  while (room()) {
    const token = shared((n) => (left.at[n] ?? 0) + left.length);
    const last = tokens[(left.at[0] ?? 0) + left.length - 1];
    const before = last?.kind === 'space' ? tokens[(left.at[0] ?? 0) + left.length - 2] : last;
    if (!token || (saysSomething(token) && (left.length === 0 || before?.kind !== 'word'))) break;
    left.length++;
    opened.push(token);
  }
  // Equal in every text from one literal to the next: no slot at all.
  if (!room()) return;
  const closed: Token[] = [];
  while (room()) {
    const token = shared((n) => (right.at[n] ?? 0) - 1);
    const next = tokens[right.at[0] ?? 0];
    const after = next?.kind === 'space' ? tokens[(right.at[0] ?? 0) + 1] : next;
    if (!token || (saysSomething(token) && (right.length === 0 || after?.kind !== 'word'))) break;
    right.at = right.at.map((from) => from - 1);
    right.length++;
    closed.push(token);
  }
  // What opens a slot belongs to the template only where it is closed, and the other way round.
  const [fewerOpened, fewerClosed] = countUnmatched(
    opened,
    closed,
    textOf(left, sequences).slice(0, -lengthOf(opened) || undefined),
    textOf(right, sequences).slice(lengthOf(closed)),
  );
  left.length -= fewerOpened;
  right.at = right.at.map((from) => from + fewerClosed);
  right.length -= fewerClosed;
}

const lengthOf = (tokens: readonly Token[]) => tokens.reduce((sum, { text }) => sum + text.length, 0);

/** Tokens at a slot's edge that are tried as a pair of marks. */
const MOST_TRIED = 12;

/**
 * How many of the tokens nearest the slot belong to it, on either side: the fewest with which every mark that is opened in
 * front is closed behind.
 *
 * @param opened in front of the slot, the nearest last
 * @param closed behind the slot, the nearest last
 */
function countUnmatched(
  opened: readonly Token[],
  closed: readonly Token[],
  before: string,
  after: string,
): [number, number] {
  const tried = Math.min(opened.length, MOST_TRIED) + Math.min(closed.length, MOST_TRIED);
  for (let fewer = 0; fewer <= tried; fewer++)
    for (let close = Math.min(fewer, closed.length); close >= 0 && fewer - close <= opened.length; close--) {
      const front = opened.slice(0, opened.length - (fewer - close));
      const back = closed.slice(0, closed.length - close);
      const lead = before + joinTokens(front);
      const tail = joinTokens(back.toReversed()) + after;
      if (
        (front.length === 0 || isClosed(front.at(-1)?.text ?? '', tail)) &&
        (back.length === 0 || isOpened(back, lead))
      )
        return [fewer - close, close];
    }
  return [opened.length, closed.length];
}

const saysSomething = (token: Token) => token.kind === 'word' && hasWord(token.text);

const textOf = ({ at: [from = 0], length }: Run, [tokens = []]: readonly (readonly Token[])[]) =>
  joinTokens(tokens, from, from + length);

const CLOSERS: ReadonlySet<string> = new Set(Object.values(CLOSES));

function isClosed(last: string, after: string): boolean {
  const close = CLOSES[last];
  if (!close || last === '|') return true;
  return after.replace(/^[\s\\]+/, '').startsWith(close);
}

/**
 * A full stop at the end of a slot is the slot's, with the space that French has in front of some; and so is a bracket that is
 * opened in it.
 */
function isOpened(closed: readonly Token[], before: string): boolean {
  const first = closed.at(-1);
  if (!first || isSentenceEnd(closed.findLast(({ kind }) => kind !== 'space'))) return false;
  if (!CLOSERS.has(first.text) || first.text === '|') return true;
  return Object.entries(CLOSES).some(
    ([open, close]) => close === first.text && before.trimEnd().endsWith(open),
  );
}
