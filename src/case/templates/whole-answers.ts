/**
 * Answers that are all set out alike: a summary, details, and what to do next. To the alignment their headings are the
 * template's. What stands between the names of two answers and comes again, word for word, behind the last of them is theirs.
 */

import { beginsAnOrder, followsInOrder, onlyDifference, wordsOfLabel } from '../words/vocabulary.ts';
import { hasWord } from './align/tokens.ts';
import { MUCH_LONGER } from './doubts.ts';
import type { LearnedPart } from './roles/slot-names.ts';
import type { TemplatePart } from './template.ts';

/** A line of a literal that may name the text below or behind it. */
interface NameLine {
  readonly literal: number;
  readonly start: number;
  /** Behind its line break, if it has one. */
  readonly end: number;
  readonly text: string;
  readonly words: readonly string[];
}

/** Characters of a line that names a text. */
const LONGEST_NAME = 120;

/**
 * The parts with one slot for each of several answers that are set out alike.
 *
 * @param valuesOf what stood in the slots
 * @returns null where none are
 *
 * @example
 * withWholeAnswers([{ role: 'user', literals: ['Text A:\nDear ', ',\n', '\n\nText B:\nDear ', ',\n', '\n\nWhich?'], slots }], values)?.[0]
 *   ?.literals // ['Text A:\n', '\n\nText B:\n', '\n\nWhich?']
 */
export function withWholeAnswers(
  parts: readonly TemplatePart[],
  valuesOf: readonly Pick<LearnedPart, 'values'>[],
): readonly TemplatePart[] | null {
  for (const [n, part] of parts.entries()) {
    const literals = literalsAround(part.literals, valuesOf[n]?.values ?? []);
    if (!literals) continue;
    const slots = literals
      .slice(1)
      .map((_, at) => part.slots[at] ?? { role: '*' as const, label: '', encoding: 'plain' as const });
    return parts.with(n, { ...part, literals, slots });
  }
  return null;
}

function literalsAround(
  literals: readonly string[],
  values: LearnedPart['values'],
): readonly string[] | null {
  const lines = literals.slice(0, -1).flatMap(namesIn);
  // The nearest to the texts first: the orders above may name all of them as well.
  for (const first of lines.toReversed()) {
    const names = rowFrom(first, lines);
    const whole = names.length > 1 && !holdFacts(names, values) ? withoutInner(literals, names) : null;
    if (whole) return whole;
  }
  return null;
}

function namesIn(literal: string, n: number): NameLine[] {
  let start = 0;
  return literal.split('\n').flatMap((line): NameLine[] => {
    const own = { literal: n, start, end: Math.min(literal.length, start + line.length + 1) };
    start += line.length + 1;
    // What stands in front of the first break goes on from a text.
    const isWhole = own.start > 0 || n === 0;
    return isWhole && line.length <= LONGEST_NAME && hasWord(line)
      ? [{ ...own, text: line, words: wordsOfLabel(line) }]
      : [];
  });
}

/** The lines that name one text each, in order: `Answer A`, `Answer B`. */
function rowFrom(first: NameLine, lines: readonly NameLine[]): readonly NameLine[] {
  const row = [first];
  let place = 0;
  for (const line of lines) {
    const last = row.at(-1) ?? first;
    const at = line.literal > last.literal ? onlyDifference(last.words, line.words) : null;
    if (at === null || (row.length > 1 && at !== place)) continue;
    const [own = '', next = ''] = [last.words[at], line.words[at]];
    if (!(row.length === 1 ? beginsAnOrder([own, next]) : followsInOrder(own, next))) continue;
    place = at;
    row.push(line);
  }
  return row.map((line) => ({ ...line, end: nameEnd(line, line.words[place] ?? '') }));
}

/** Where a name ends whose text begins on its line: behind the marks that follow the word that counts, as in `Reply M: Dear …`. */
function nameEnd({ start, end, text }: NameLine, word: string): number {
  const lower = text.toLowerCase();
  const at =
    [...lower.matchAll(/[\p{L}\p{N}]+/gu)].find(([own]) => own === word)?.index ?? lower.indexOf(word);
  const marks = /^[^\p{L}\p{N}]*?[:：>)\]】=|»]+\s?/u.exec(text.slice(at + word.length))?.[0];
  const behind = marks === undefined ? text.length : at + word.length + marks.length;
  return hasWord(text.slice(behind)) ? start + behind : end;
}

/** Whether the first of several slots of an answer, or the last, may tell something of it: it is much shorter than another. */
function holdFacts(names: readonly NameLine[], values: LearnedPart['values']): boolean {
  const [first, second] = names;
  const count = first && second ? second.literal - first.literal : 0;
  const lengths = Array.from({ length: count }, (_, n) =>
    names.reduce((sum, { literal }) => sum + (values[literal + n] ?? []).join('').length, 0),
  );
  return [0, -1].some((at) => MUCH_LONGER * (lengths.at(at) ?? 0) <= Math.max(...lengths));
}

/** The literals without those that stand inside every answer; null where there are none, or they are not the same in all of them. */
function withoutInner(literals: readonly string[], names: readonly NameLine[]): readonly string[] | null {
  const [first, second] = names;
  if (!first || !second) return null;
  const count = second.literal - first.literal;
  const textOf = (n: number) => literals[n] ?? '';
  /** What stands inside one answer: behind its name, between its slots, and behind the last of them. */
  const insides = names.map((name, n) => {
    const next = names[n + 1];
    const last = name.literal + count;
    return {
      inner: [textOf(name.literal).slice(name.end), ...literals.slice(name.literal + 1, last)],
      behind: next ? textOf(last).slice(0, next.start) : textOf(last),
      isNext: next ? next.literal === last : last < literals.length,
    };
  });
  const [{ inner, behind } = { inner: [], behind: '' }] = insides;
  const isSame = insides.every((one) => one.isNext && one.inner.join('\0') === inner.join('\0'));
  // `Published: ` in front of the only slot names what is told above the text in it.
  if (!isSame || (count === 1 && /[:：][^\S\n]*$/.test(inner[0] ?? ''))) return null;
  // Behind the last one the orders go on: only so much as all have in common, line for line, may be the answers'.
  const rows = insides.map((one) => one.behind.split('\n'));
  let common = 0;
  while (common < behind.split('\n').length && rows.every((row) => row[common] === rows[0]?.[common]))
    common++;
  const shared = (rows[0] ?? []).slice(0, common).join('\n').trimEnd();
  if (count === 1 && !hasWord(inner.join('')) && !hasWord(shared)) return null;
  const closes = insides.map((one) => one.behind.slice(shared.length));
  const head = [...literals.slice(0, first.literal), textOf(first.literal).slice(0, first.end)];
  const between = names
    .slice(1)
    .map((name, n) => (closes[n] ?? '') + textOf(name.literal).slice(name.start, name.end));
  const end = (names.at(-1)?.literal ?? 0) + count;
  return [...head, ...between, closes.at(-1) ?? '', ...literals.slice(end + 1)];
}
