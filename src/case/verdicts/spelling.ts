/** Labels and numbers as a form writes them: to say, to tell people of, and to find. */

import { labelKey } from '../counterfactual.ts';
import type { Spelling } from '../types.ts';
import { namesVerdict, namesWinner } from '../words/field-names.ts';
import { nextInOrder } from '../words/vocabulary.ts';

export const NUMBER = '[-+]?\\d{1,9}(?:\\.\\d{1,9})?';

/** What stands for a number in any script: its digits, or as many stars. */
const OTHER_DIGITS = /(?![0-9])\p{Nd}|[★⭐🌟]\uFE0F?(?:[★⭐🌟☆]\uFE0F?){0,9}/gu;

/** The decimal points of Arabic and of full width. */
const OTHER_POINT = /(?<=\p{Nd})[٫．](?=\p{Nd})/gu;

/** The text with its numbers in plain digits: `٤`, `४` and `★★★★☆` are 4, `٤٫٥` is 4.5. */
export const withDigits = (text: string): string =>
  text.replace(OTHER_POINT, '.').replace(OTHER_DIGITS, (sign) => {
    const stars = sign.match(/[★⭐🌟]/gu)?.length;
    if (stars !== undefined) return String(stars);
    // The digits of a script follow one another, from its zero on.
    const code = sign.codePointAt(0) ?? 0;
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String((code - zero) % 10);
  });

/** The comma of `4,5`, `8,75` and `0,875`; that of `1,000` parts thousands, and those of `5,4,5` several numbers. */
const DECIMAL_COMMA = /(?<![\d.,])(0|\d{1,4}(?=[,，]\d{1,2}(?!\d)))[,，](?=\d{1,17}(?!\d|[.,，]\d))/g;

/** As `withDigits`, and with a point for a decimal comma where the template has no comma between two places. */
export const withPoints = (text: string, template = '{}'): string =>
  /\{\}\s{0,9},\s{0,9}\{/.test(template) ? withDigits(text) : withDigits(text).replace(DECIMAL_COMMA, '$1.');

/** A field of JSON with its value. */
export function fieldPattern(field: string): RegExp[] {
  const value = `(?:"[^"\\n]{0,60}"|'[^'\\n]{0,60}'|[\\w.-]{1,20})`;
  return [new RegExp(`["']${RegExp.escape(field)}["'][ \\t]{0,40}:[ \\t]{0,40}${value}`, 'gi')];
}

/** A label that is a mere word or letter is one only where it has a line to itself; elsewhere it is a word. */
export function spellingPatterns({ template, labels, strong = [] }: Spelling, tie: string | null): RegExp[] {
  const written = [...labels, ...strong].map((label) => template.replaceAll('{}', () => label));
  const all = [...written, ...(tie === null ? [] : [tie])];
  const [bare, dressed] = [all.filter(isBare), all.filter((one) => !isBare(one))];
  return [
    ...(dressed.length > 0 ? [new RegExp(alternatives(dressed), 'giu')] : []),
    ...(bare.length > 0 ? [aloneOnALine(alternatives(bare))] : []),
  ];
}

/** A number in its template. */
export function numberPatterns(template: string): RegExp[] {
  const pattern = template.split('{}').map(RegExp.escape).join(NUMBER);
  return /[^\s{},]/.test(template) ? [new RegExp(pattern, 'giu')] : [aloneOnALine(pattern)];
}

const isBare = (label: string) => /^[\p{L}\p{N}]+$/u.test(label);

/** Longest first, or `A>B` would be taken out of the middle of `A>>B`. */
const alternatives = (labels: readonly string[]) =>
  labels
    .toSorted((a, b) => b.length - a.length)
    .map((label) => RegExp.escape(label))
    .join('|');

const aloneOnALine = (label: string) =>
  new RegExp(`(?<=^[ \\t"'*]{0,8})(?:${label})(?=[ \\t"'*.!]{0,8}$)`, 'gimu');

/** A label of the spelling or the tie, as the source of a regular expression; null where one client's own rule reads it. */
export function labelSource(
  { template, labels, strong = [], rule }: Spelling,
  tie: string | null,
): string | null {
  // `unique` is the rule of templates that several clients share: LangChain takes the first label in Python and
  // the last line in JavaScript.
  if (rule !== undefined && rule !== 'unique') return null;
  const written = [...labels, ...strong].map((label) => template.replaceAll('{}', () => label));
  return [...written, ...(tie === null ? [] : [tie])].map((one) => RegExp.escape(one)).join('|');
}

/** A verdict in the text around it. */
export const spellOut = ({ template }: Spelling, label: string | undefined): string | null =>
  label === undefined ? null : template.replaceAll('{}', () => label);

/** The same in a field of JSON, where there is one. */
export const putInField = (field: string | null, written: string | null): string | null =>
  written === null || field === null ? written : JSON.stringify({ [field]: written });

export const tellScale = ({ min, max }: { readonly min: number | null; readonly max: number | null }) =>
  `${min === null ? '' : ` from ${min}`}${max === null ? '' : ` to ${max}`}`;

export const tellTemplate = (template: string | null) =>
  template === null || template === '{}' ? '' : `, written "${template}"`;

export const tellLabels = (template: string, labels: readonly string[]) =>
  labels.map((label) => `"${template.replace('{}', () => label)}"`).join(', ');

/** A field of an object in JSON, and the beginning of what is shown as its value. */
const JSON_FIELD = /["']([A-Za-z_]{4,30})["']\s{0,9}:(?=\s{0,9}([^\n]{0,30}))/g;
/** Names of the field that holds the verdict. */
const VERDICT_FIELD =
  /^(?:verdict|winner|choice|decision|preference|preferred|better|best|selected|pass|score|rating|grade|label|answer|result)$/i;
const WHOLE = /^(?:final|overall|total)_?/i;

/** What a verdict is made of: a number, a yes or a no, the name of an option. */
type FieldValue = 'number' | 'truth' | 'option';
const SHOWS_NUMBER =
  /^["'“]?[<[({]?\s?(?:an? |your |the )?(?:-?\d|int\b|integer|number|numeric|float|decimal|score|rating)/i;
const SHOWS_TRUTH =
  /^["'“]?[<[({]?\s?(?:a )?(?:true|false|bool|boolean|yes|no|pass|fail|correct|incorrect)(?=\s?["'”>)\]},|/]| (?:or|and|if)\b|\s*$)/i;
/** `"1 sentence"`, `"score in words"` */
const SHOWS_TEXT = /^["'“][^"'”]*\s/;
const NUMBER_FIELD = /score|rating/i;
const OPTION_FIELD = /winner|choice|prefer|better|best|selected/i;

/**
 * @param value what the verdict is made of: `{"score": 0.5, "pass": true}` holds a score in one field and a pass in the other
 *
 * @returns the verdict's field where the prompt shows the JSON to write (`{"winner": "A"}`), the overall one before that of a
 *   part; null where it shows none
 */
export function jsonField(orders: string, value: FieldValue): string | null {
  const named = Array.from(orders.matchAll(JSON_FIELD), ([, name = '', shown = '']) => ({
    name,
    fit: fitOf(name, shown, value),
    isText: SHOWS_TEXT.test(shown),
  })).filter(
    ({ name, fit, isText }) =>
      fit > 0 &&
      (VERDICT_FIELD.test(name.replace(WHOLE, '')) || (fit > 1 && !isText && /^overall$/i.test(name))),
  );
  const best = Math.max(...named.map(({ fit }) => fit));
  const fitting = named.filter(({ fit }) => fit === best).map(({ name }) => name);
  return fitting.find((name) => WHOLE.test(name)) ?? fitting[0] ?? null;
}

/** How well a field fits a verdict, by its name and what the prompt shows in it: 0 where it holds something else. */
function fitOf(name: string, shown: string, value: FieldValue): 0 | 1 | 2 {
  const isTruth = SHOWS_TRUTH.test(shown) || /pass/i.test(name);
  const isNumber = !isTruth && (SHOWS_NUMBER.test(shown) || NUMBER_FIELD.test(name));
  if (value === 'truth') return isTruth ? 2 : isNumber ? 0 : 1;
  if (value === 'number') return isNumber ? 2 : isTruth ? 0 : 1;
  if (OPTION_FIELD.test(name)) return 2;
  return isNumber || isTruth ? 0 : 1;
}

/** A field of JSON and the numbers that are shown in it, of which the first is 0. */
const FROM_0 = /"([^"\n]{1,40})"\s{0,3}:\s{0,3}(["'<]?0(?![\d.-])[^\n,}]{0,80})/g;

/** The field that holds the place of one of so many options, from 0 on: `{"better": 0|1}`; `write` is null where that is open. */
export function fieldFrom0(orders: string, count: number) {
  const [[, field = '', values = ''] = [], ...others] = orders.matchAll(FROM_0);
  const labels = [...new Set(values.match(/\d+/g))].toSorted();
  const isChoice = others.length === 0 && (namesWinner(field) || namesVerdict(field));
  if (!isChoice || Number(labels.at(-1)) >= count) return null;
  const isPlain = labels.length === count && !MEANS.test(orders);
  return { write: isPlain ? { template: '{}', labels } : null, tie: null, field };
}

/** A number in front of what it stands for. */
const MEANS = /(?<![\p{L}\p{N}.-])([01])["']? ?(?:[=:（(]|means|if|when|for)/u;

/** The orders less the names of fields, which nobody is to say: `{"1": <score>, "2": <score>}`. */
export const dropKeys = (orders: string) => orders.replaceAll(/"[^"\n]{1,40}"\s{0,3}:/g, ':');

/**
 * What stands for so many options, where it is known for another number: fewer of them, or more as their row goes on.
 *
 * @returns null where they are no row
 *
 * @example namesFor(['Draft A', 'Draft B'], 3) // ['Draft A', 'Draft B', 'Draft C']
 */
export function namesFor(names: readonly string[], count: number): readonly string[] | null {
  if (count <= names.length) return names.slice(0, count);
  const keys = names.map(labelKey);
  const [last = '', key = ''] = [names.at(-1), keys.at(-1)];
  const next = nextInOrder(keys);
  if (next === null) return null;
  const at = last.lastIndexOf(key);
  return namesFor([...names, last.slice(0, at) + next + last.slice(at + key.length)], count);
}
