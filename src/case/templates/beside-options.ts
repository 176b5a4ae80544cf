/**
 * What a template tells of each of its options beside the text: who wrote it, when, how many tests it passed. It stands in lines that
 * come again for each option around its text, in the same words but for its name. It changes place with the text.
 */

import { labelKey } from '../counterfactual.ts';
import { occurrences } from '../words/occurrences.ts';
import { wordsOfLabel } from '../words/vocabulary.ts';
import type { LearnedPart } from './roles/slot-names.ts';
import type { Slot } from './template.ts';

/** A slot of a message. */
export interface SlotPlace {
  readonly part: number;
  readonly slot: number;
}

/** The slots of all messages in a row, with what stands in front of each, and behind the last. */
export interface SlotRow {
  readonly literals: readonly string[];
  readonly places: readonly SlotPlace[];
}

/** Lines that come again for each option: so many slots from a first one on, then as many for the next option. */
interface Repeat {
  readonly start: number;
  readonly size: number;
}

/** Between two messages. */
const MESSAGE = '\n\u0001\n';

export function slotRow(parts: readonly { readonly literals: readonly string[] }[]): SlotRow {
  const literals = [''];
  for (const [part, { literals: own }] of parts.entries()) {
    const [first = '', ...others] = own;
    literals.push(`${literals.pop() ?? ''}${part === 0 ? '' : MESSAGE}${first}`, ...others);
  }
  const places = parts.flatMap(({ literals: own }, part) => own.slice(1).map((_, slot) => ({ part, slot })));
  return { literals, places };
}

/**
 * The slots that are told of each option, in the order in which they stand.
 *
 * @param options the place of each in the row, and its name; in the order of the row
 * @returns for each option; null where none are, or it is not certain which
 */
export function toldOfEach(
  row: SlotRow,
  options: readonly { readonly at: number; readonly label: string }[],
): readonly (readonly number[])[] | null {
  const labels = options.map(({ label }) => label);
  const [first, second] = options;
  if (!first || !second || new Set(labels).size < labels.length) return null;
  const step = second.at - first.at;
  if (step < 1 || options.some(({ at }, n) => at !== first.at + n * step)) return null;
  const around = repeatAround(row, first.at, step, labels);
  if (around === null) return null;
  const { start, size } = around;
  const told = options.map(({ at }, n) =>
    Array.from({ length: size }, (_, slot) => start + n * size + slot).filter((slot) => slot !== at),
  );
  return told[0]?.length ? told : null;
}

/** Slots of one option, at most. */
const MOST_TOLD = 12;

/** The lines around the options' texts; null where they are not the same for all, or could begin in several places. */
function repeatAround(row: SlotRow, first: number, size: number, labels: readonly string[]): Repeat | null {
  if (size === 1) return { start: first, size };
  if (size > MOST_TOLD) return null;
  const found = Array.from({ length: size }, (_, before) => ({ start: first - before, size })).filter(
    ({ start }) => comesAgain(row, start, size, labels, start + size - 1 > first),
  );
  // Where the same words stand behind the last option, too, each could be told of the option above it or of the one below.
  const [only, ...others] = found;
  return only && others.length === 0 ? only : null;
}

/** Roles of labels that no answer has. */
export const NOT_JUDGED: ReadonlySet<string> = new Set(['instruction', 'reference', 'rubric', 'context']);

/** Roles of texts that are what is judged, or what is to be done with it. */
export const NO_FACTS: ReadonlySet<string> = new Set(['answer', 'instruction', 'reference', 'rubric']);

/** Characters of what stands between two slots of one option, and of what stands in front of its first one. */
const LONGEST_BETWEEN = 2_000;
const LONGEST_HEAD = 400;
/** Lines with words in front of a slot in which the name of its option may stand. */
const LINES_OF_HEAD = 4;

/**
 * Whether slots come again for each option, with the same words around them but for its name.
 *
 * @param goesOn whether the last slot of each is told of it, and no text: then the line behind it says the same for all
 */
function comesAgain(
  { literals }: SlotRow,
  start: number,
  size: number,
  labels: readonly string[],
  goesOn: boolean,
): boolean {
  if (start < 0 || start + size * labels.length > literals.length - 1) return false;
  const literalsAt = (slot: number, cut: (text: string) => string) =>
    labels.map((label, n) => withoutName(cut(literals[start + n * size + slot] ?? ''), label));
  const heads = literalsAt(0, (text) => text.slice(-LONGEST_HEAD)).map(linesUpwards);
  const shared = linesInCommon(heads);
  const inner = Array.from({ length: size - 1 }, (_, n) => literalsAt(n + 1, (text) => text));
  const isSame = ([one = '', ...others]: readonly string[]) =>
    one.length <= LONGEST_BETWEEN && others.every((other) => other === one);
  if (!shared.some(hasWordOrName) || !inner.every(isSame)) return false;
  const tails = goesOn ? literalsAt(size, (text) => text.slice(0, LONGEST_HEAD)).map(restOfLine) : [];
  if (tails.some((words) => words !== tails[0])) return false;
  return [...shared, ...inner.map(([text = '']) => text), tails[0] ?? ''].some((text) => text.includes(NAME));
}

/** The lines of a text from the last one on, each from its first word or name on. */
const linesUpwards = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/^[^\p{L}\p{N}\0]+/u, ''))
    .reverse();

const hasWordOrName = (line: string) => /[\p{L}\p{N}\0]/u.test(line);

/** The lines that all texts end in; none where their last lines differ. */
function linesInCommon([first = [], ...others]: readonly (readonly string[])[]): string[] {
  const end = first.findIndex((line, n) => others.some((other) => other[n] !== line));
  const shared = first.slice(0, end < 0 ? first.length : end);
  const named = shared.flatMap((line, n) => (line.trim() === '' ? [] : [n]))[LINES_OF_HEAD];
  return shared.slice(0, named);
}

const restOfLine = (text: string) => {
  const line = text.split('\n', 1)[0] ?? '';
  return `${wordsOfLabel(line).join(' ')}${line.includes(NAME) ? NAME : ''}`;
};

/** Stands for the name of an option. */
const NAME = '\0';

/** A text with a sign for each name of an option. */
function withoutName(text: string, label: string): string {
  const names = [label, labelKey(label)];
  return names.reduce((rest, name) => replaceName(rest, name), text);
}

function replaceName(text: string, name: string): string {
  let end = 0;
  const pieces = occurrences(text, name).map((at) => {
    const piece = text.slice(end, at);
    end = at + name.length;
    return piece;
  });
  return [...pieces, text.slice(end)].join(NAME);
}

/**
 * What names a slot on its own line, beside the name of the option: `Author` of `Author of Draft A: {{*}}`, nothing in `### Draft A ({{*}})`.
 * A line that only names the option names its text: `Draft A: {{*}}`.
 */
export function ownName(before: string, label: string): string {
  const line = withoutName(before.slice(before.lastIndexOf('\n') + 1), label);
  const rest = line.slice(line.lastIndexOf(NAME) + 1);
  return rest.length === line.length || /[\p{L}\p{N}([（【–—,/|-]/u.test(rest) ? rest : line;
}

/** What a template tells of each of its options, by its name; empty where it tells nothing beside their texts. */
export function toldBeside(
  parts: readonly {
    readonly literals: readonly string[];
    readonly slots: readonly Pick<Slot, 'role' | 'label'>[];
  }[],
): ReadonlyMap<string, readonly SlotPlace[]> {
  const row = slotRow(parts);
  const slotAt = ({ part, slot }: SlotPlace) => parts[part]?.slots[slot];
  const options = row.places.flatMap((place, at) => {
    const { role, label = '' } = slotAt(place) ?? {};
    return role === 'option' ? [{ at, label }] : [];
  });
  const told = toldOfEach(row, options)?.map((some) => some.flatMap((at) => row.places[at] ?? [])) ?? [];
  // A question each is no fact.
  const isAsked = told.flat().some((place) => slotAt(place)?.role === 'instruction');
  return new Map(isAsked ? [] : told.map((places, n) => [options[n]?.label ?? '', places]));
}

/** Stands where a slot was. */
const FOLDED = '\u0002';

/**
 * The messages of a template without what it tells of its options: lines that hold nothing else are left out.
 *
 * @returns with the place that each slot had
 */
export function withoutTold<T extends Pick<LearnedPart, 'literals'>>(
  parts: readonly T[],
  told: readonly SlotPlace[],
  labels: readonly string[],
): { readonly literals: readonly string[]; readonly kept: readonly number[]; readonly part: T }[] {
  return parts.map((part, index) => {
    const kept = part.literals
      .slice(1)
      .flatMap((_, slot) => (told.some((one) => one.part === index && one.slot === slot) ? [] : [slot]));
    const bounds = [-1, ...kept];
    const literals = bounds.map((slot, n) => {
      const joined = part.literals.slice(slot + 1, (kept[n] ?? part.literals.length - 1) + 1).join(FOLDED);
      return joined.includes(FOLDED)
        ? withoutEmptyLines(joined, labels, n === 0, n === bounds.length - 1)
        : joined;
    });
    return { literals, kept, part };
  });
}

/** A literal less the lines that held what is told and no name of an option; a line that a text shares stays. */
function withoutEmptyLines(
  literal: string,
  labels: readonly string[],
  opens: boolean,
  closes: boolean,
): string {
  const lines = literal.split('\n');
  const isNamed = (line: string) => labels.some((label) => occurrences(line, labelKey(label)).length > 0);
  return lines
    .filter(
      (line, n) =>
        !line.includes(FOLDED) || isNamed(line) || (n === 0 && !opens) || (n === lines.length - 1 && !closes),
    )
    .join('\n')
    .replaceAll(FOLDED, '');
}
