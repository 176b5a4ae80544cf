/**
 * A text that has been the same in all requests, beside one that varies: a champion against its challengers. To the alignment it is
 * a part of the template's own words. Its name tells that it is judged: but for what counts it, it is that of the text that varies.
 */

import type { TextRange } from '../types.ts';
import { beginsAnOrder, CJK, isInOrder } from '../words/vocabulary.ts';
import { hasWord, placesOfText } from './align/tokens.ts';
import type { TemplatePart } from './template.ts';

/** Words that two names may differ in: `Reply 1:` and `Reply 2:`, `回答甲：` and `回答乙：`. */
const WORD = new RegExp(`${CJK.source}|(?:(?!${CJK.source})[\\p{L}\\p{N}])+`, 'gu');

/** Letters of a word that counts. */
const LONGEST_COUNT = 20;

/**
 * The parts with one slot more, for that text.
 *
 * @returns null where no such text is found, or where it is not certain where it ends
 *
 * @example
 * withConstantText([{ role: 'user', literals: ['Text A:\nSame.\n\nText B:\n', '\n\nWhich?'], slots: [one] }])?.[0]?.literals
 * // ['Text A:\n', '\n\nText B:\n', '\n\nWhich?']
 */
export function withConstantText(parts: readonly TemplatePart[]): readonly TemplatePart[] | null {
  for (const [n, part] of parts.entries())
    for (const slot of part.slots.keys()) {
      const found = cutBefore(part, slot) ?? cutBehind(part, slot);
      if (found) return parts.with(n, found);
    }
  return null;
}

/** Where the text is the first of the two. */
function cutBefore(part: TemplatePart, slot: number): TemplatePart | null {
  const before = part.literals[slot] ?? '';
  const start = nameStart(before);
  const found = siblingOf(before.slice(start), before.slice(0, start));
  if (!found || !beginsAnOrder([found.other, found.own])) return null;
  const { at, own, other } = found;
  const text = before.slice(at.end, start);
  const end = endOf(text, part.literals[slot + 1] ?? '', own, other);
  return end === null || holdsName(text.slice(0, end), before.slice(start))
    ? null
    : cutAt(part, slot, { start: at.end, end: at.end + end }, slot);
}

/** Where it is the second: it ends where a mark closes it, as one closes the first. Nothing else tells it from the orders below. */
function cutBehind(part: TemplatePart, slot: number): TemplatePart | null {
  const before = part.literals[slot] ?? '';
  const after = part.literals[slot + 1] ?? '';
  const found = siblingOf(before.slice(nameStart(before)), after);
  if (!found || !beginsAnOrder([found.own, found.other])) return null;
  const { at, own, other } = found;
  const rest = after.slice(at.end);
  const close = renamed(after.slice(0, at.start).trimEnd(), own, other);
  const [end, ...more] = close.trim() === '' ? [] : placesOfText(rest, close);
  return end === undefined || more.length > 0 || !hasWord(rest.slice(0, end))
    ? null
    : cutAt(part, slot + 1, { start: at.end, end: at.end + end }, slot + 1);
}

/** The start of the last line with a word: the name of the text that follows. */
function nameStart(before: string): number {
  const words = [...before.matchAll(WORD)];
  return before.lastIndexOf('\n', words.at(-1)?.index ?? 0) + 1;
}

/** Where a text holds a name that differs from another one in what counts it; null where it holds that one first. */
function siblingOf(
  name: string,
  text: string,
): { readonly at: TextRange; readonly own: string; readonly other: string } | null {
  const page = `\n${text}`;
  const found = [...name.matchAll(WORD)].flatMap(({ 0: own, index }) => {
    if (!isInOrder(own)) return [];
    const [lead, tail] = [name.slice(0, index), name.slice(index + own.length)];
    return placesOfText(page, `\n${lead}`).flatMap((start) => {
      const from = start + lead.length;
      const [other = ''] = text.slice(from, from + LONGEST_COUNT).match(WORD) ?? [];
      const end = from + other.length;
      return isInOrder(other) && text.startsWith(other, from) && text.startsWith(tail, end)
        ? [{ at: { start, end: end + tail.length }, own, other }]
        : [];
    });
  });
  // A second one stands in the text that the first one names: then names stand in texts, and the template does not act.
  const [first] = found;
  return first && first.own !== first.other ? first : null;
}

/**
 * Where a text ends in front of the next name: what stands behind it is what stands behind that one's text.
 *
 * @returns null where its last line may be the template's
 */
function endOf(text: string, after: string, own: string, other: string): number | null {
  const lines = text.split('\n');
  const [first = '', ...below] = renamed(after, own, other).split('\n');
  for (let last = 0; last < lines.length - 1; last++) {
    const closing = lines.slice(last + 1, -1);
    const line = lines[last] ?? '';
    if (!line.endsWith(first) || !closing.every((one, n) => one.trim() === (below[n] ?? '').trim())) continue;
    const said = line.slice(0, line.length - first.length);
    const isTemplates = [first, ...below].some((one) => one.trim() !== '' && one.trim() === said.trim());
    return hasWord(said) && !isTemplates
      ? lines.slice(0, last).join('\n').length + (last > 0 ? 1 : 0) + said.length
      : null;
  }
  return null;
}

/** Whether a line of a text is set off as names are: it may name another text of the template. What names a text by words alone sets nothing off. */
function holdsName(text: string, name: string): boolean {
  const [line = ''] = name.trim().split('\n');
  const [front = '', back = ''] = line.replace(/[\p{L}\p{N}].*[\p{L}\p{N}]/u, '\n').split('\n');
  return text
    .split('\n')
    .map((one) => one.trim())
    .some((one) => one.startsWith(front) && one.endsWith(back));
}

const renamed = (text: string, own: string, other: string) =>
  text.replace(WORD, (word) => (word === own ? other : word));

function cutAt(part: TemplatePart, literal: number, { start, end }: TextRange, slot: number): TemplatePart {
  const text = part.literals[literal] ?? '';
  return {
    role: part.role,
    literals: part.literals.toSpliced(literal, 1, text.slice(0, start), text.slice(end)),
    slots: part.slots.toSpliced(slot, 0, { role: '?', label: '', encoding: 'plain' }),
  };
}
