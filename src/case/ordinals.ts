/**
 * Naming options by their place ("the first option") instead of by their label. A note to a judge must not
 * contain a label the way a verdict is written: many clients take the first or last label they find, and an
 * index such as `1` is a verdict, too, in some forms.
 */
import { labelKey } from './counterfactual.ts';
import type { Case, VerdictForm } from './types.ts';
import { formKindOf } from './verdicts/index.ts';
import { fieldPattern } from './verdicts/spelling.ts';

const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth ' +
  'fifteenth sixteenth seventeenth eighteenth nineteenth twentieth';
const NOUNS = 'output option answer choice response assistant model story candidate text solution reply'
  .split(' ')
  .map((noun) => `[${noun.charAt(0).toUpperCase()}${noun.charAt(0)}]${noun.slice(1)}`)
  .join('|');

/** `the second option`; beyond the twentieth, `a later option`. @param slot place in the prompt, from 0 */
export function placeName(slot: number): string {
  const ordinal = ORDINALS.split(' ')[slot];
  return ordinal ? `the ${ordinal} option` : 'a later option';
}

/**
 * A text with every labelled mention of an option replaced by the option's place.
 * @param order the order in which the reader sees the options: `order[slot]` is an index into them
 */
export function nameByPlace(text: string, subject: Case, order: readonly number[]): string {
  const spellings = subject.options.map((option) => spellingsOf(option.label));
  const all = new RegExp(`(?<![\\p{L}\\p{N}])(?:${spellings.map((one) => `(${one})`).join('|')})`, 'gu');
  return text.replace(all, (written, ...groups) => {
    const option = spellings.findIndex((_, index) => groups[index] !== undefined);
    return option < 0 ? written : placeName(order.indexOf(option));
  });
}

/**
 * `Output (a)`, `output (A)`, `Answer A`, `[[A]]`, `(a)`; not the "a" of "answer a question", nor every number
 * of a text whose options are numbered.
 */
function spellingsOf(label: string): string {
  const key = labelKey(label);
  const either = `(?:${RegExp.escape(key.toUpperCase())}|${RegExp.escape(key.toLowerCase())})`;
  const bare = /^\p{Ll}$/u.test(key) ? key.toUpperCase() : key;
  return [
    // `Draft I` is no part of `Draft II`.
    ...(label === key
      ? []
      : [RegExp.escape(label) + (/[\p{L}\p{N}]$/u.test(label) ? '(?![\\p{L}\\p{N}])' : '')]),
    `(?:${NOUNS})s?\\s*(?:\\(\\s*${either}\\s*\\)|\\[{1,2}\\s*${either}\\s*\\]{1,2}|${RegExp.escape(bare)}(?![\\p{L}\\p{N}]))`,
    `\\[\\[\\s*${either}\\s*\\]\\]`,
    ...(/^\p{L}$/u.test(key) ? [`\\(${either}\\)`] : []),
  ].join('|');
}

/*
 * A text with nothing in it that reads as a verdict of a form. A detector's reasoning comes from a model that may
 * quote labels, or from judged text that plants them; a judge that is shown one tends to repeat it.
 */

/** What stands where a label was. */
const INSTEAD = '(a verdict)';

/** Shapes of verdicts of every known client, whatever the form at hand: `[[A]]`, `[RESULT] B`, `GRADE: C`. */
const SHAPES: readonly RegExp[] = [
  /(?<!\[)\[{2,}[^[\]\n]{0,40}\]{2,}/g,
  /\[RESULT\][ \t]*(?:\S{1,20})?/gi,
  /\b(?:GRADE|Rating|Score)[ \t]{0,40}:[ \t]{0,40}\S{1,20}/gi,
  /["'](?:final_?)?(?:verdict|winner|choice|decision|preference|preferred|better|best|selected|pass(?:ed)?|score|rating|grade|label|answer|result)["'][ \t]{0,40}:[ \t]{0,40}(?:"[^"\n]{0,60}"|'[^'\n]{0,60}'|[\w.-]{1,20})/gi,
];

export function withoutLabels(text: string, form: VerdictForm): string {
  const field = form.field === null ? [] : fieldPattern(form.field);
  const patterns = [...field, ...formKindOf(form).patterns(form), ...SHAPES];
  return patterns.reduce((rest, pattern) => rest.replace(pattern, INSTEAD), text);
}
