/** The form of a verdict on one answer, from the orders: a number, or one of a few words (`freundlich / neutral / unhöflich`). */

import * as z from 'zod';
import type { VerdictForm } from '../types.ts';
import type { FormSource } from '../verdicts/kind.ts';
import { polarityOf, polarityOfField, polarityOfWords } from '../verdicts/polarity.ts';
import { fieldSays, namesVerdict, namesWinner } from '../words/field-names.ts';
import { CJK, MEANINGS } from '../words/vocabulary.ts';
import { listRows } from '../words/words.ts';
import { alternativesAround, OR } from './alternatives.ts';
import { APART, type Quoted, quotedIn } from './quoted.ts';

const Values = z.looseObject({
  properties: z.record(z.string(), z.looseObject({ enum: z.array(z.string()).optional() })),
});

/** The one field of the reply's schema that is limited to words. */
export function wordField(
  schema: unknown,
): { readonly field: string; readonly values: readonly string[] } | null {
  const read = Values.safeParse(schema);
  if (!read.success) return null;
  const fields = Object.entries(read.data.properties).flatMap(([field, { enum: values }]) =>
    values ? [{ field, values }] : [],
  );
  return fields.length === 1 ? (fields[0] ?? null) : null;
}

/** Words that let an answer pass, each with the one that does not. */
const JUDGING = listRows(MEANINGS.passOrFail);

/** Words and signs for yes, each with the one for no: which of them lets pass depends on what is asked. */
const YES_AND_NO = listRows(MEANINGS.yesOrNo);

/** Whether two words say yes and no, rather than judge by themselves. */
export const areYesAndNo = (values: readonly string[]): boolean => pairIn(YES_AND_NO, values) !== undefined;

function pairIn(pairs: readonly (readonly string[])[], values: readonly string[]) {
  const said = values.map((value) => value.toLowerCase());
  return pairs.find((words) => words.every((word) => said.includes(word)));
}

/** A range of whole numbers in any language: `1 bis 6`, `0〜5`, `1 (sehr gut) bis 6`. */
const RANGE =
  /(?<![\d.])(\d{1,3})\s?(?:\([^()\n]{1,30}\)\s?)?(?:-|–|—|~|〜|～|\.\.|to|and|bis|und|à|a|e|et|y|até|do|до|и|至|到|から|إلى|ila)\s?(\d{1,3})(?!\d|\.\d)/iu;

/** The highest end of the ranges that the orders give from 0 or 1 on: 3 of `rate it from 1 to 3`; 0 where they give none. */
export const highestAsked = (orders: string): number =>
  Math.max(
    0,
    ...Array.from(orders.matchAll(new RegExp(RANGE, 'giu')), ([, low, high]) =>
      Number(low) < 2 ? Number(high) : 0,
    ),
  );

/** What stands for a number in a form: `n`, `<score>`, `[x]`, `4`. */
const NUMBER =
  /^[[<{"]{0,2}(?:[nNxXzZ]|_{1,9}|…|\.{3}|\d{1,3}(?:\.\d{1,3})?|int|integer|float|number|num|zahl)(?![\p{L}\p{N}])/u;

/** What stands for a number without quotation marks around it: `<od 0 do 3>`. */
const BARE = /^<[^<>"\n]{0,40}\d/;

const TRUTH = /^[<"]?(?:true|false|bool)/i;

/** `"helpful" | "harmful"` */
const OFFERS_WORDS = /^"[^"\n]{1,30}"\s?(?:[|/]|or\b)/;

export function formOfOne(source: FormSource): VerdictForm | null {
  const { orders, schema } = source;
  const sorted = wordField(schema);
  if (sorted) return formOfWords(sorted.values, sorted.field, orders);
  const quoted = quotedIn(orders);
  // `"Winner: 1" or "Winner: 2"` is said of several.
  if (quoted.some(({ text }) => namesWinner(text) && /\d\W{0,3}$/.test(text))) return null;
  const [low, high] = [...(RANGE.exec(orders)?.slice(1) ?? [])].map(Number);
  const known = low !== undefined && high !== undefined && low < high;
  const scale = known ? { min: low, max: high } : { min: null, max: null };
  const fields = fieldsIn(orders, quoted);
  const numbers = fields.filter(
    ({ value }) => !/^(?:\[|"\.)/.test(value) && (NUMBER.test(value) || BARE.test(value)),
  );
  const listed = fields.flatMap(({ name, value }) => alternatives(value).map((words) => ({ name, words })));
  const truths = fields.filter(({ value }) => TRUTH.test(value));
  const [number] = numbers;
  // How sure the judge is, or how grave a fault, may stand beside the verdict.
  const hasWords = listed.length + truths.length > 0 || fields.some(({ value }) => OFFERS_WORDS.test(value));
  const isBeside =
    (hasWords && !namesVerdict(number?.name ?? '')) || fieldSays(number?.name ?? '', 'sureness');
  // Who is chosen is one of several, whatever number it has.
  if (numbers.some(({ name }) => namesWinner(name))) return null;
  if (number && numbers.length === 1 && !isBeside)
    return { kind: 'score', ...scale, template: null, field: number.name };
  if (numbers.length > 1) return null;
  if (listed.length === 1) return formOfWords(listed[0]?.words ?? [], listed[0]?.name ?? null, orders);
  const [truth, ...more] = truths;
  if (truth && more.length === 0)
    return { kind: 'pass', field: truth.name, polarity: polarityOfField(truth.name, orders) };
  const ends = [...new Set(known ? quoted.flatMap(({ text }) => openEnd(text) ?? []) : [])];
  const [template, ...others] = [ends, ends.filter(namesVerdict)].find(({ length }) => length === 1) ?? ends;
  if (others.length > 0) return null;
  if (template) return { kind: 'score', ...scale, template, field: null };
  const words = quotedList(orders, quoted) ?? listedWords(orders);
  if (words) return formOfWords(words, null, orders);
  return known ? { kind: 'score', ...scale, template: null, field: null } : null;
}

/** The fields of the JSON to write, each with what stands for its value. */
function fieldsIn(
  orders: string,
  quoted: readonly Quoted[],
): { readonly name: string; readonly value: string }[] {
  const fields = quoted.flatMap(({ text: name, end }) => {
    const value = /^["”]\s?:\s?([^\n]{1,120})/u.exec(orders.slice(end, end + 130))?.[1];
    return value === undefined ? [] : [{ name, value }];
  });
  // Of an example for each verdict the first is enough.
  return fields.filter(({ name }, n) => fields.findIndex((one) => one.name === name) === n);
}

/** Words of a label, where lines stand between labels. */
const LONGEST_LABEL = 30;

/** The words of `"TOXIC or OK or UNKNOWN"` or `"<one of: fine | not fine>"`, as the only list; nothing where that is none. */
function alternatives(value: string): string[][] {
  const [whole = ''] = /(?<=^")[^"\n]{3,118}(?=")/u.exec(value) ?? [];
  const labels = whole
    .replace(/^<([^<>]*)>$/u, '$1')
    .replace(/^[^|]*:/u, '')
    .split('|')
    .map((label) => label.trim());
  if (labels.length > 1 && labels.every((label) => label !== '' && label.length <= LONGEST_LABEL))
    return [labels];
  const inner = /^"([^"\n]{3,39})/u.exec(value)?.[1] ?? '';
  const words = inner.split(/[\s,|/]+/u).filter((word) => word !== '');
  const names = words.filter((word) => !OR.has(word.toLowerCase()));
  const joints = words.length - names.length + (inner.match(/[|/]/g)?.length ?? 0);
  return names.length > 1 && joints > 0 && joints >= names.length - 2 ? [names] : [];
}

/** `Note: n` as `Note: {}`, `点数：[[x]]` as `点数：[[{}]]`; null for other texts. */
function openEnd(text: string): string | null {
  const closing = text.endsWith(']]') ? ']]' : '';
  const body = text.slice(0, text.length - closing.length);
  const at = Math.max(...[':', '：', '=', ' ', '['].map((mark) => body.lastIndexOf(mark))) + 1;
  const rest = body.slice(at);
  return at > 0 && NUMBER.test(rest) && rest.length <= 12 ? `${body.slice(0, at)}{}${closing}` : null;
}

/** Words of which one is to be given: a pass where they are opposites, else a category. */
function formOfWords(values: readonly string[], field: string | null, orders: string): VerdictForm | null {
  if (values.length < 2 || values.length > 12) return null;
  const labels = oppositesAmong(values);
  if (!labels) return { kind: 'category', write: { template: '{}', labels: values }, field };
  const polarity = areYesAndNo(labels) ? polarityOfWords(labels, field ?? '', orders) : 'higher';
  const write = {
    template: '{}',
    labels: polarity === 'lower' ? labels.toReversed() : labels,
    rule: 'unique' as const,
  };
  return { kind: 'pass', field, write, ...(polarity === 'unknown' && { polarity }) };
}

/** Two words of which one lets an answer pass, that one first; null for other words. */
export function oppositesAmong(values: readonly string[]): string[] | null {
  const said = values.map((value) => value.toLowerCase());
  if (values.length !== 2) return null;
  const pair = pairIn([...JUDGING, ...YES_AND_NO], values) ?? findNegation(said);
  return pair ? pair.map((word) => values[said.indexOf(word)] ?? word) : null;
}

/** Letters that a word is longer by which says the opposite: `supported` and `unsupported`, `compliant` and `non-compliant`. */
const LONGEST_NEGATION = 5;

function findNegation(words: readonly string[]): readonly string[] | null {
  const [word = '', longer = ''] = words.toSorted((a, b) => a.length - b.length);
  const more = longer.length - word.length;
  if (word.length < 4 || more < 1 || more > LONGEST_NEGATION || !longer.endsWith(word)) return null;
  return polarityOf(word) === 'lower' ? [longer, word] : [word, longer];
}

/** A line of the orders that says what a letter stands for: `A. The answer is complete.` */
const EXPLAINED = /^[^\p{L}\p{N}\n]{0,6}([\p{L}\p{N}])["'”]?\s?[.):：=–—-]{1,2}\s{1,3}\S[^\n]{3}/gmu;

/** The letters that the orders explain, one a line, where these words are among them; nothing where they are not. */
export function lettersExplained(words: readonly string[], orders: string): readonly string[] {
  const letters = [...new Set(Array.from(orders.matchAll(EXPLAINED), ([, letter = '']) => letter))];
  return letters.length > 1 && words.every((word) => letters.includes(word)) ? letters : [];
}

/**
 * The words that the orders offer where these are some of them: a list of alternatives, or letters that are explained.
 *
 * @param otherwise what to return where the orders offer no such words
 */
export function wordsOffered(
  words: readonly string[],
  orders: string,
  otherwise: readonly string[] = [],
): readonly string[] {
  const lists = [
    lettersExplained(words, orders),
    wordsInFrames(words, orders),
    alternativesAround(words, orders),
  ];
  return lists.find((list) => list.length > 1 && words.every((word) => list.includes(word))) ?? otherwise;
}

/** What stands in front of a word in an example of the reply: a tag, brackets, the field of an object. */
const FRAME_OPENS = /(?:<[\w-]{1,30}>|\[{1,2}|\{\s?"[\w-]{1,30}"\s?:\s?")$/;

const FRAME_CLOSES = /^(?:<\/[\w-]{1,30}>|\]{1,2}|"\s?\})/;

/** Longest tag or object with a name in it. */
const LONGEST_FRAME = 40;

/** The words that the orders show in one frame each, one behind the other: `{"pick": "a"} or {"pick": "b"}`. */
function wordsInFrames([word = '']: readonly string[], orders: string): readonly string[] {
  for (let at = orders.lastIndexOf(word); word !== '' && at >= 0; at = orders.lastIndexOf(word, at - 1)) {
    const opens = FRAME_OPENS.exec(orders.slice(Math.max(0, at - LONGEST_FRAME), at))?.[0];
    const behind = orders.slice(at + word.length, at + word.length + LONGEST_FRAME);
    const closes = FRAME_CLOSES.exec(behind)?.[0];
    if (opens && closes) {
      const framed = orders
        .split(opens)
        .slice(1)
        .map((rest) => rest.slice(0, LONGEST_FRAME).split(closes)[0] ?? '');
      return [...new Set(framed.filter((one) => /^[^\n<>{}[\]]{1,30}$/.test(one)))];
    }
    if (at === 0) break;
  }
  return [];
}

/** The last texts in quotation marks with nothing between them but a comma, a stroke or a word for "or". */
function quotedList(orders: string, quoted: readonly Quoted[]): string[] | null {
  const list: Quoted[] = [];
  let joined = false;
  for (const one of quoted.toReversed()) {
    const [next] = list;
    if (next) {
      const between = orders.slice(one.end, next.start);
      const words = between.toLowerCase().match(/[\p{L}]+|[|/]/gu) ?? [];
      if (between.length > APART || words.some((word) => !OR.has(word))) break;
      joined ||= words.length > 0;
    }
    list.unshift(one);
  }
  const words = [...new Set(list.map(({ text }) => text))];
  return joined && words.length > 1 && words.every((word) => word.length <= 30) ? words : null;
}

/** `(freundlich / neutral / unhöflich)` anywhere, `accept or reject?` in one of the last two lines. */
function listedWords(orders: string): string[] | null {
  const lines = orders.split('\n').filter((line) => line.trim() !== '');
  for (const [n, line] of lines.toReversed().entries()) {
    if (n > 1 && line.length > 120) continue;
    const pieces = line.slice(0, 400).match(/[\p{L}][\p{L}\p{N}_-]*|[^\p{L}\s]/gu) ?? [];
    const last = pieces.findLastIndex((piece) => OR.has(piece.toLowerCase()));
    const words = [pieces[last - 1] ?? '', pieces[last + 1] ?? ''];
    if (last < 1 || !words.every((word) => /^\p{L}{2}/u.test(word) || CJK.test(word))) continue;
    const after = pieces[last + 2];
    const stroke = pieces[last] === '/' || pieces[last] === '|';
    if (
      stroke
        ? !/^[)\]）】]$/.test(after ?? '')
        : n > 1 || (after !== undefined && /^[\p{L}\p{N}]/u.test(after))
    )
      continue;
    for (
      let at = last - 2;
      [',', '/', '|'].includes(pieces[at] ?? '') &&
      /^\p{L}/u.test(pieces[at - 1] ?? '') &&
      // `Verdict, PRECISE or OFF?` asks for one of two.
      !namesVerdict(pieces[at - 1] ?? '');
      at -= 2
    )
      words.unshift(pieces[at - 1] ?? '');
    return words;
  }
  return null;
}
