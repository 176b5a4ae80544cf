/**
 * Reading a text by a template: every literal must stand in it, in order, from the first character to the last. Where
 * the literals fit in more than one way, the text says so, and what stands between them is not known.
 *
 * Takes time linear in the text and the literals: each literal is searched for by the method of Knuth, Morris and
 * Pratt (SIAM J. Comput. 6(2), 1977), once from the left and once from the right.
 */

import { labelKey } from '../counterfactual.ts';
import { textAt } from '../layouts/lines.ts';
import type { Prompt, TextRange } from '../types.ts';
import { nextInOrder } from '../words/vocabulary.ts';
import { isMarkdown } from './align/tokens.ts';
import type { Slot, Template, TemplatePart } from './template.ts';

/**
 * @param literals one more than there are slots; the first begins the text and the last ends it
 * @returns where each slot stands, null for a slot whose edges are not certain; null where the text does not fit
 *
 * @example matchLiterals('Q: x\nA: y', ['Q: ', '\nA: ', '']) // [{ start: 3, end: 4 }, { start: 8, end: 9 }]
 */
export function matchLiterals(text: string, literals: readonly string[]): (TextRange | null)[] | null {
  const inner = literals.slice(1, -1);
  const leftmost = slotsBetween(text, literals, 1);
  const rightmost = leftmost && slotsBetween(text, literals, -1);
  if (leftmost === null || inner.length === 0) return leftmost;
  return leftmost.map((slot, n) => {
    const other = rightmost?.[n];
    return other?.start === slot.start && other.end === slot.end ? slot : null;
  });
}

/** Where each slot stands if every literal stands where it does first (`step` 1) or last (`step` -1); null where the text does not fit. */
export function slotsBetween(text: string, literals: readonly string[], step: 1 | -1): TextRange[] | null {
  const [first = '', ...rest] = literals;
  const last = rest.pop();
  if (last === undefined) return text === first ? [] : null;
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return null;
  const places = placesOf(text, rest, { start: first.length, end }, step);
  return (
    places &&
    Array.from({ length: rest.length + 1 }, (_, n) => ({
      start: n === 0 ? first.length : (places[n - 1] ?? 0) + (rest[n - 1]?.length ?? 0),
      end: places[n] ?? end,
    }))
  );
}

/** A slot and where it stands; null where the literals around it fit in more than one way. */
export interface FilledSlot extends Slot {
  readonly part: number;
  readonly at: TextRange | null;
}

/** What stands in a slot; null where that is not certain. */
export const textIn = (prompt: Prompt, { part, at }: Pick<FilledSlot, 'part' | 'at'>): string | null =>
  at && textAt(prompt, { part, ...at });

export interface TemplateMatch {
  /** `ambiguous`: the texts of this case hold the template's own literals, so that what is judged is not certain. */
  readonly kind: 'slots' | 'ambiguous';
  readonly slots: readonly FilledSlot[];
  /** The template's parts with as many options as this prompt has. */
  readonly parts: readonly TemplatePart[];
}

/**
 * Ambiguous is also a prompt in which one option more than the template knows could begin in the text of an option.
 *
 * @returns null where the prompt was not written with this template
 */
export function matchTemplate({ parts: known, more }: Template, prompt: Prompt): TemplateMatch | null {
  if (known.length !== prompt.parts.length) return null;
  const own = placeSlots(known, prompt);
  if (own === null) return null;
  const placed = { parts: known, slots: own };
  const { parts, slots } = more ? withAllOptions(placed, prompt) : placed;
  if (goesOn(parts, slots, prompt)) return { kind: 'ambiguous', ...withAllOptions(placed, prompt) };
  const options = new Set(slots.flatMap(({ role, label }) => (role === 'option' ? [label] : [])));
  // What stands beside options that are certain is exchanged with nothing; beside one text it may be what is judged.
  const uncertain = slots.some(
    ({ at, role }) => at === null && (options.size > 1 ? role === 'option' : role !== '*'),
  );
  return { kind: uncertain ? 'ambiguous' : 'slots', slots, parts };
}

/** Options that a template is lengthened by; a prompt that has more is ambiguous. Each costs one more look through the prompt. */
const MOST_MORE = 32;

/** The template with as many options as the prompt has. */
function withAllOptions(own: Pick<TemplateMatch, 'parts' | 'slots'>, prompt: Prompt): typeof own {
  let placed = own;
  for (let added = 0; added < MOST_MORE; added++) {
    const next = nextName(placed, prompt);
    const parts = next === null ? null : withOneMore(placed.parts, next);
    const slots = parts && placeSlots(parts, prompt);
    if (!slots) break;
    placed = { parts, slots };
  }
  return placed;
}

function placeSlots(parts: readonly TemplatePart[], prompt: Prompt): FilledSlot[] | null {
  const slots: FilledSlot[] = [];
  for (const [part, { role, literals, slots: expected }] of parts.entries()) {
    const here = prompt.parts[part];
    if (!here || here.role !== role) return null;
    const ranges = matchLiterals(here.text, literals);
    if (ranges === null) return null;
    for (const [n, slot] of expected.entries()) slots.push({ ...slot, part, at: ranges[n] ?? null });
  }
  return slots;
}

/**
 * What the option is called that may be one more: by the row that the names begin, or by a line in the text of the last one that
 * is written as the lines are that name the options.
 */
function nextName({ parts, slots }: Pick<TemplateMatch, 'parts' | 'slots'>, prompt: Prompt): string | null {
  const names = optionLines(parts);
  const next = nextInOrder(names.map(({ key }) => key));
  if (next !== null) return next;
  const last = slots.findLast(({ role }) => role === 'option');
  const text = (last && textIn(prompt, last)) ?? '';
  const [{ lead, tail } = { lead: '', tail: '' }] = names;
  const [name = null] = isMarkdown(lead, tail) ? [] : namesOn(text, names);
  // Two options of one name would be one.
  return names.some(({ key }) => key === name) ? null : name;
}

/**
 * The template with one option more, which has this name. What stands between the last two, such as the name of who wrote a
 * text, stands in front of the new one as well.
 */
function withOneMore(parts: readonly TemplatePart[], next: string): TemplatePart[] | null {
  const part = parts.findLastIndex(({ slots }) => slots.some(({ role }) => role === 'option'));
  const { literals = [], slots = [] } = parts[part] ?? {};
  const at = slots.findLastIndex(({ role }) => role === 'option');
  const entry = slots.slice(0, Math.max(0, at)).findLastIndex(({ role }) => role === 'option') + 1;
  const last = slots[at];
  const name = last && entry > 0 ? labelKey(last.label) : '';
  const own = literals.slice(entry, at + 1);
  const named = own.findLastIndex((literal) => literal.includes(name));
  if (!last || name === '' || named < 0) return null;
  const renamed = (text: string) => {
    const place = text.lastIndexOf(name);
    return text.slice(0, place) + next + text.slice(place + name.length);
  };
  return parts.with(part, {
    role: parts[part]?.role ?? '',
    literals: literals.toSpliced(at + 1, 0, ...own.with(named, renamed(own[named] ?? ''))),
    slots: slots.toSpliced(at + 1, 0, ...slots.slice(entry, at), { ...last, label: renamed(last.label) }),
  });
}

/** Whether a line in the text of an option names one option more than there are. */
function goesOn(parts: readonly TemplatePart[], slots: readonly FilledSlot[], prompt: Prompt): boolean {
  const names = optionLines(parts);
  const last = names.at(-1);
  if (!last?.line) return false;
  const next = nextInOrder(names.map(({ key }) => key));
  const begins = `\n${last.lead}${next}${last.tail}`;
  return slots.some((slot) => {
    const text = (slot.role === 'option' && textIn(prompt, slot)) || '';
    return next === null ? namesOn(text, names).length > 0 : `\n${text}`.includes(begins);
  });
}

/**
 * What lines of a text name that are written as those that name the options: where no row tells what the next one is called, it
 * may be called anything.
 */
function namesOn(text: string, names: ReturnType<typeof optionLines>): string[] {
  const [{ lead, tail } = { lead: '', tail: '' }, ...others] = names;
  const isFrame = others.length > 0 && others.every((one) => one.lead === lead && one.tail === tail);
  if (!isFrame || lead.trim() === '') return [];
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith(lead)) return [];
    const rest = line.slice(lead.length);
    const name = rest.slice(0, tail === '' ? rest.length : Math.max(0, rest.indexOf(tail)));
    return NAME.test(name) ? [name] : [];
  });
}

/** A name that no option of the template has. */
const NAME = /^[\p{L}\p{N}_-]{1,20}$/u;

/** The line that names each option, empty where none does, with the name's key and what stands in front of it and behind it. */
function optionLines(
  parts: readonly TemplatePart[],
): { key: string; line: string; lead: string; tail: string }[] {
  const lines = new Map<string, string>();
  for (const { literals, slots } of parts) {
    // Where the literals begin that are behind the option before.
    let entry = 0;
    for (const [n, { role, label }] of slots.entries()) {
      if (role !== 'option') continue;
      const before = literals.slice(entry, n + 1).findLast((literal) => literal.includes(label)) ?? '';
      const at = label === '' ? -1 : before.lastIndexOf(label);
      if (!lines.has(label))
        lines.set(
          label,
          at < 0 ? '' : (before.slice(before.lastIndexOf('\n', at) + 1).split('\n', 1)[0] ?? ''),
        );
      entry = n + 1;
    }
  }
  return [...lines].map(([label, line]) => {
    const key = labelKey(label);
    const at = line.lastIndexOf(label) + label.lastIndexOf(key);
    return { key, line, lead: line.slice(0, Math.max(0, at)), tail: line.slice(at + key.length) };
  });
}

/** Where each literal stands first (`step` 1) or last (`step` -1) with the others in order; null where they do not fit. */
function placesOf(
  text: string,
  literals: readonly string[],
  range: TextRange,
  step: 1 | -1,
): readonly number[] | null {
  const places: number[] = [];
  let { start, end } = range;
  for (const literal of step === 1 ? literals : literals.toReversed()) {
    const at = find(text, literal, start, end, step);
    if (at < 0) return null;
    places.push(at);
    if (step === 1) start = at + literal.length;
    else end = at;
  }
  return step === 1 ? places : places.reverse();
}

/** Offset of the first (`step` 1) or the last (`step` -1) occurrence of `literal` within `[start, end)`, or -1. */
function find(text: string, literal: string, start: number, end: number, step: 1 | -1): number {
  const size = literal.length;
  if (size === 0) return step === 1 ? start : end;
  const at = (n: number) => literal.charCodeAt(step === 1 ? n : size - 1 - n);
  const borders = new Int32Array(size);
  for (let n = 1, length = 0; n < size; n++) {
    while (length > 0 && at(n) !== at(length)) length = borders[length - 1] ?? 0;
    if (at(n) === at(length)) length++;
    borders[n] = length;
  }
  const first = literal.charAt(step === 1 ? 0 : size - 1);
  for (let n = 0, matched = 0; n < end - start; n++) {
    // To where the literal may begin at all: the engine looks for one character much faster.
    if (matched === 0)
      n =
        step === 1 ? text.indexOf(first, start + n) - start : end - 1 - text.lastIndexOf(first, end - 1 - n);
    if (n < 0 || n >= end - start) return -1;
    const code = text.charCodeAt(step === 1 ? start + n : end - 1 - n);
    while (matched > 0 && code !== at(matched)) matched = borders[matched - 1] ?? 0;
    if (code === at(matched)) matched++;
    if (matched === size) return step === 1 ? start + n + 1 - size : end - 1 - n;
  }
  return -1;
}
