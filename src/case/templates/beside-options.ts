/**
 * What a template tells of each of its options beside the text: who wrote it, when, how many tests it passed. It stands between the name
 * of one option and that of the next, for each in the same words, and changes place with the text.
 */

import { labelKey } from '../counterfactual.ts';
import { occurrences } from '../words/occurrences.ts';
import type { Slot } from './template.ts';

/**
 * The slots of a message that belong to each of its options, by their places in it.
 *
 * @param literals one more than there are slots
 * @returns for the place of each option the places of these, in order; empty where nothing, or not the same, is told of all of them
 */
export function slotsBeside(
  literals: readonly string[],
  slots: readonly Pick<Slot, 'role' | 'label'>[],
): ReadonlyMap<number, readonly number[]> {
  const none = new Map<number, readonly number[]>();
  const options = slots.flatMap(({ role, label }, at) => (role === 'option' ? [{ at, label }] : []));
  const [first, second] = options;
  if (!first || !second || new Set(options.map(({ label }) => label)).size < options.length) return none;
  const step = second.at - first.at;
  const literalAt = (at: number) => literals[at] ?? '';
  // So many slots stand behind an option, in front of the name of the next one.
  const behind = Array.from({ length: step }, (_, n) => n).find(
    (n) => endOfName(literalAt(first.at + 1 + n), second.label) !== null,
  );
  if (step < 2 || behind === undefined) return none;
  const before = step - 1 - behind;
  /** What stands between the pieces of an option, without its name. */
  const wordsOf = ({ at, label }: (typeof options)[number]) => {
    const end = endOfName(literalAt(at - before), label);
    const lead = before === 0 ? '' : literalAt(at - before).slice(end ?? 0);
    const inner = literals.slice(at - before + 1, at + behind + 1).filter((_, n) => before > 0 || n < behind);
    return end === null ? null : [lead, ...inner.map((text) => withoutName(text, label))].join('\0');
  };
  const words = wordsOf(first);
  const areAlike = options.every(
    (option, n) =>
      option.at === first.at + n * step &&
      option.at - before >= 0 &&
      option.at + behind < slots.length &&
      wordsOf(option) === words,
  );
  const others = Array.from({ length: step }, (_, n) => n - before).filter((n) => n !== 0);
  const told = options.map(({ at }) => [at, others.map((n) => at + n)] as const);
  const isAsked = told.flatMap(([, places]) => places).some((at) => slots[at]?.role === 'instruction');
  return words !== null && areAlike && !isAsked ? new Map(told) : none;
}

const namesIn = (text: string, label: string) =>
  [label, labelKey(label)].find((name) => name !== '' && occurrences(text, name).length > 0);

/** Where the last name of an option ends in a text; null where it does not stand there. */
function endOfName(text: string, label: string): number | null {
  const name = namesIn(text, label);
  return name === undefined ? null : (occurrences(text, name).at(-1) ?? 0) + name.length;
}

const withoutName = (text: string, label: string) => {
  const name = namesIn(text, label);
  return name === undefined ? text : text.split(name).join('\0');
};
