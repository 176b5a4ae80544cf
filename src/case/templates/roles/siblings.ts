/**
 * Slots that could be the options: those whose names differ in one word, and those that stand one behind the other with the
 * same between them.
 */
import { labelKey } from '../../counterfactual.ts';
import {
  beginsAnOrder,
  CJK,
  followsInOrder,
  isInOrder,
  lowerCased,
  onlyDifference,
  wordsOfLabel,
} from '../../words/vocabulary.ts';
import { sharedStart } from '../align/shared-lines.ts';
import { hasWord } from '../align/tokens.ts';
import { type LabelledSlot, type LearnedPart, LINES } from './slot-names.ts';

/** One way in which slots are siblings. */
export interface Kinship {
  /** Where their names stand; `run` for slots without names. */
  readonly way: string;
  /** Whether the names count, from the first on: `A`, `B`. */
  readonly isRow: boolean;
  /** The words of the name that all of them share, and the word that each has for itself. */
  readonly frame: readonly string[];
  readonly keys: readonly string[];
  /** Whether another slot has one of the names. */
  readonly isShared: boolean;
  /** The line above the first one's name. */
  readonly heading: string;
  /** What stands between slots without names. */
  readonly between: string;
}

export interface Siblings {
  /** For each option its slots, by index. */
  readonly members: readonly (readonly number[])[];
  readonly labels: readonly string[];
  readonly ways: readonly Kinship[];
}

interface Found {
  readonly members: readonly (readonly number[])[];
  readonly labels: readonly string[];
  readonly kinship: Kinship;
}

/** @returns each set of slots that could be the options, with all ways in which they are siblings */
export function siblingsAmong(parts: readonly LearnedPart[], slots: readonly LabelledSlot[]): Siblings[] {
  const found = [...namesOf(parts).flatMap((names) => namesakes(slots, names)), ...runs(parts, slots)];
  return [...Map.groupBy(found, ({ members }) => JSON.stringify(members)).values()].flatMap((all) => {
    // Names that count come before those that differ in another word, too: `Baseline (A)`, `Variant (B)`.
    const named = all.find(({ kinship }) => kinship.isRow) ?? all[0];
    return named ? [{ ...named, ways: all.map(({ kinship }) => kinship) }] : [];
  });
}

interface Names {
  readonly way: string;
  readonly depth: number;
  readonly lineOf: (slot: LabelledSlot) => string;
  readonly nameIn: (line: string) => string;
}

/** The places in which the name of a slot may stand. */
function namesOf(parts: readonly LearnedPart[]): Names[] {
  const inFront = Array.from({ length: LINES }, (_, depth) =>
    [withoutAside, nameBefore, aside].map(
      (nameIn, n): Names => ({
        way: `${['line', 'name', 'aside'][n]} ${depth}`,
        depth,
        lineOf: ({ lines }) => lines[depth] ?? '',
        nameIn,
      }),
    ),
  ).flat();
  const behind = ({ part, slot }: LabelledSlot) =>
    (parts[part]?.literals[slot + 1] ?? '').split('\n', LINES).find(hasWord) ?? '';
  /** A message may only say what the next one is. */
  const message = ({ part, slot }: LabelledSlot) => {
    const before = parts[part - 1];
    const isNamed = slot > 0 || hasWord(parts[part]?.literals[0] ?? '') || before?.values.length !== 0;
    return isNamed ? '' : (before.literals.join('').split('\n').findLast(hasWord) ?? '');
  };
  return [
    ...inFront,
    { way: 'near', depth: 0, lineOf: ({ near }) => near, nameIn: String },
    { way: 'behind', depth: 1, lineOf: behind, nameIn: String },
    { way: 'message', depth: 0, lineOf: message, nameIn: String },
  ];
}

/** Slots whose names differ in one word: in the order of a row, or by names of their own. */
function namesakes(slots: readonly LabelledSlot[], { way, depth, lineOf, nameIn }: Names): Found[] {
  const names = slots.map((slot) => nameIn(lineOf(slot)));
  const words = names.map(wordsOfLabel);
  return slots.flatMap((slot, first) =>
    [true, false].flatMap((isRow): Found[] => {
      const { chain, place } = chainFrom(first, words, isRow);
      const keys = chain.map((index) => words[index]?.[place] ?? '');
      if (chain.length < 2 || isRow !== beginsAnOrder(keys)) return [];
      // `Draft sent` is none of the options `Draft A` and `Draft B`.
      const row = keys.findIndex(isInOrder);
      if (row > 0 && keys.length - row > 1 && beginsAnOrder(keys.slice(row))) return [];
      const called = chain.map((index) => names[index] ?? '');
      const labels = called.map((name, n) => labelOf(name, keys[n] ?? '', sharedStart(called).length));
      if (new Set(labels).size < labels.length) return [];
      const own = new Set(chain.map((index) => words[index]?.join(' ')));
      const isShared = words.some((one, index) => !chain.includes(index) && own.has(one.join(' ')));
      const frame = (words[first] ?? []).toSpliced(place, 1);
      const heading = slot.lines[depth + 1] ?? '';
      const kinship = { way, isRow, frame, keys, isShared, heading, between: '' };
      return [{ members: regionsOf(chain, keys, slots), labels, kinship }];
    }),
  );
}

/** So many slots without names stand one behind the other at most. */
const LONGEST_RUN = 6;

/** Slots between which the same stands; they are called by their places. */
function runs(parts: readonly LearnedPart[], slots: readonly LabelledSlot[]): Found[] {
  const gaps = slots.map(({ part, slot }) =>
    slot === 0 ? '\0' : (parts[part]?.literals[slot]?.trim() ?? ''),
  );
  return slots.flatMap((slot, first) => {
    const found: Found[] = [];
    const between = gaps[first + 1] ?? '';
    for (let end = first + 2; end <= Math.min(slots.length, first + LONGEST_RUN); end++) {
      if (gaps[end - 1] !== between) break;
      const members = Array.from({ length: end - first }, (_, n) => [first + n]);
      const labels = members.map((_, n) => `${n + 1}`);
      const [isShared, heading] = [gaps[first] === between, slot.lines[0] ?? ''];
      const kinship = { way: 'run', isRow: false, frame: [], keys: [], isShared, heading, between };
      found.push({ members, labels, kinship });
    }
    return found;
  });
}

/** The label less what it adds in brackets: `Response A (base)`, never `Output (a)`. */
function withoutAside(label: string): string {
  const open = label.indexOf('(');
  const close = label.indexOf(')', open);
  const aside = open > 0 && close > 0 ? label.slice(open, close + 1) : '';
  const [word = '', ...more] = wordsOfLabel(aside);
  return more.length > 0 || (word.length > 2 && !isInOrder(word)) ? label.replace(aside, '') : label;
}

/**
 * What stands in front of a colon or a bracket, and no word behind one that counts: `Answer 1` of `Answer 1: GPT-4o` and of
 * `--- Answer 1 from GPT-4o ---`, `Student A` of `Student A [human]`.
 */
function nameBefore(label: string): string {
  const name = /^[^\p{L}\p{N}]*[^:：(（[【]*/u.exec(label)?.[0] ?? '';
  return /^[^\p{L}\p{N}]*(?:\p{L}+[ _]){0,3}(?:\p{N}{1,2}|\p{Lu})(?![\p{L}\p{N}])/u.exec(name)?.[0] ?? name;
}

/** What a label says in brackets: the `A` of `Baseline (A)`. */
const aside = (label: string) => /[(（[]\s{0,3}(\p{L}|\p{N}{1,2})\s{0,3}[)）\]]/u.exec(label)?.[1] ?? '';

function chainFrom(first: number, words: readonly (readonly string[])[], inRow: boolean) {
  const chain = [first];
  let place = -1;
  for (let next = first + 1; next < words.length; next++) {
    const last = chain.at(-1) ?? first;
    const differs = onlyDifference(words[last] ?? [], words[next] ?? []);
    if (differs === null || (place >= 0 && differs !== place)) continue;
    const name = words[next]?.[differs] ?? '';
    if (chain.some((index) => words[index]?.[differs] === name)) continue;
    if (inRow && !followsInOrder(words[last]?.[differs] ?? '', name)) continue;
    place = differs;
    chain.push(next);
  }
  return { chain, place };
}

/** An option of several slots: as many as stand before the next option, where their further labels are alike. */
function regionsOf(
  chain: readonly number[],
  names: readonly string[],
  slots: readonly LabelledSlot[],
): number[][] {
  const [first = 0, second = 0] = chain;
  const size = second - first;
  const even = chain.every((start, n) => n === 0 || start - (chain[n - 1] ?? 0) === size);
  const label = (start: number, offset: number) =>
    wordsOfLabel(slots[start + offset]?.lines[0] ?? '')
      .map((word) => (word === names[chain.indexOf(start)] ? '' : word))
      .join(' ');
  const offsets = Array.from({ length: size }, (_, n) => n);
  const whole =
    size > 1 &&
    even &&
    offsets.every((n) => n === 0 || chain.every((start) => label(start, n) === label(first, n)));
  if (!whole) return chain.map((start) => [start]);
  // What is the same in all options is not the options': the user's turns. Nor is who wrote it, in brackets.
  const own = offsets.filter((offset) => {
    if (chain.some((start) => slots[start + offset]?.inHead) && offset + 1 < size) return false;
    const [one, ...others] = chain.map((start) => slots[start + offset]?.values ?? []);
    return others.some((values) => values.some((value, n) => value !== one?.[n]));
  });
  return chain.map((start) => (own.length === 0 ? offsets : own).map((offset) => start + offset));
}

/**
 * The label as it stands where it ends in the option's own name (`Answer (A)`), else the name alone.
 *
 * @param start how many characters of the line all options have
 */
function labelOf(line: string, name: string, start: number): string {
  const from = line.search(/[\p{L}\p{N}]/u);
  const chars = [...line];
  const end = chars.findLastIndex((char) => /[\p{L}\p{N}]/u.test(char)) + 1;
  const words = chars.slice(0, end).join('').slice(Math.max(0, from));
  const bare = from < 0 ? line : words + closingOf(words, chars[end] ?? '');
  if (
    wordsOfLabel(bare).length <= 3 &&
    wordsOfLabel(bare).at(-1) === name &&
    // Of `<textarea name="left">` the name is what the attribute says.
    !bare.includes('=') &&
    lowerCased(labelKey(bare)) === name
  )
    return bare;
  const lower = lowerCased(bare);
  const place = lower.indexOf(name, Math.max(0, start - Math.max(0, from) - name.length + 1));
  if (place >= 0 && wordsOfLabel(bare.slice(place)).at(0) === name)
    return gluedTo(bare, place, place + name.length);
  for (let at = lower.lastIndexOf(name); at >= 0; at = at === 0 ? -1 : lower.lastIndexOf(name, at - 1))
    if (
      wordsOfLabel(bare.slice(at)).at(0) === name &&
      wordsOfLabel(bare.slice(0, at + name.length)).at(-1) === name
    )
      return gluedTo(bare, at, at + name.length);
  return name;
}

/** The sign behind words if it closes what they open: `)` behind `Output (a`. */
const closingOf = (words: string, sign: string) =>
  [
    ['(', ')'],
    ['[', ']'],
    ['（', '）'],
    ['【', '】'],
  ].some(([open = '', close = '']) => sign === close && words.lastIndexOf(open) > words.lastIndexOf(close))
    ? sign
    : '';

/** The name with the letters and digits that it is written together with: `S1`, `query_one`, `第一案`. */
function gluedTo(line: string, start: number, end: number): string {
  const name = line.slice(start, end);
  // `模型A回复`: words go on behind a letter of another script.
  const goesOn = CJK.test(name) ? /^(?![说說曰的])\p{Script=Han}{1,4}(?!\p{L})/u : /^[A-Za-z0-9_]{1,40}/;
  const tail = goesOn.exec(line.slice(end))?.[0] ?? '';
  // `第一案`: a word that goes on behind what counts is one with what stands in front.
  const glue = CJK.test(tail) ? /\p{Script=Han}{1,4}$/u : /[A-Za-z0-9_]{1,40}$/;
  const lead = glue.exec(line.slice(0, start))?.[0] ?? '';
  return lead + name + tail;
}
