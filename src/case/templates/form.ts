/**
 * The form of a verdict from the orders alone, in any language: alternatives that are written out side by side
 * (`"Melhor: A", "Melhor: B" ou "Melhor: empate"`, `{"sieger": "links" | "rechts" | "beide"}`, `LEFT, RIGHT or NEITHER`),
 * of which each holds the name of one option.
 */

import * as z from 'zod';
import { labelKey } from '../counterfactual.ts';
import { fieldSays, namesVerdict, namesWinner } from '../field-names.ts';
import { asksForScore, findForm } from '../find-form.ts';
import type { Spelling, VerdictForm } from '../types.ts';
import type { FormSource } from '../verdicts/kind.ts';
import { polarityOf, polarityOfField, polarityOfWords } from '../verdicts/pass.ts';
import { beginsAnOrder, CJK, lowerCased, NEITHER, wordsOfLabel } from '../vocabulary.ts';

type Choice = Extract<VerdictForm, { kind: 'choice' }>;

interface Quoted {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Longest text in quotation marks that can be an alternative. */
const LONGEST = 80;
/** Characters between two alternatives of one list: `, `, ` | `, ` oder `, `または`. */
const APART = 14;

/** @returns null where the general readers know better, or nothing says how the verdict is to be given */
export function formByAlternatives(source: FormSource): VerdictForm | null {
  const known = findForm(source);
  if (source.labels.length < 2)
    return known === 'mismatch' || !asksForScore(source) ? formOfOne(source) : null;
  const choice = known !== 'mismatch' && known.kind === 'choice' ? known : null;
  if (known !== 'mismatch' && !choice) return null;
  const found =
    inValues(source.schema, source.labels.map(labelKey)) ??
    alternativesIn(source.orders, source.labels.map(labelKey));
  // `{"sieger": "A" oder "B" oder "gleich"}`: names that are offered in a field are said there, and so is a tie.
  const isOffered = found?.field && areOffered(source.orders, found.write?.labels ?? []);
  if (choice?.write && (choice.field !== null || !isOffered)) return null;
  // Of several criteria nothing says which is the verdict.
  const labels = found?.write?.labels ?? [];
  if (fieldsBefore(source.orders, quotedIn(source.orders), labels).length > 1) return null;
  return found && { kind: 'choice', ...found, field: found.field ?? choice?.field ?? null };
}

/** Whether the orders or the schema say plainly how the verdict is given, so that no reply is needed to believe it. */
export function saysFormPlainly(source: FormSource): boolean {
  const known = findForm(source);
  if (source.labels.length < 2)
    return known === 'mismatch' ? wordField(source.schema) !== null : asksForScore(source);
  const form = formByAlternatives(source) ?? (known === 'mismatch' ? null : known);
  return form !== null && (form.kind !== 'choice' || form.write !== null || form.field !== null);
}

const Values = z.looseObject({
  properties: z.record(z.string(), z.looseObject({ enum: z.array(z.string()).optional() })),
});

/** The one field of the reply's schema that is limited to words. */
function wordField(schema: unknown): { readonly field: string; readonly values: readonly string[] } | null {
  const read = Values.safeParse(schema);
  if (!read.success) return null;
  const fields = Object.entries(read.data.properties).flatMap(([field, { enum: values }]) =>
    values ? [{ field, values }] : [],
  );
  return fields.length === 1 ? (fields[0] ?? null) : null;
}

/**
 * Values that each hold the name of one option (`Rep 1`), or that are the first of a row in order, for as many options:
 * `alpha`, `beta` for α and β.
 */
function inValues(schema: unknown, keys: readonly string[]): Omit<Choice, 'kind'> | null {
  const { field, values } = wordField(schema) ?? { field: null, values: [] };
  const named = keys.map((key) => values.filter((value) => placeOf(value, key) >= 0));
  const isNamed = named.every((some) => some.length === 1) && new Set(named.flat()).size === keys.length;
  const labels = isNamed ? named.flat() : values.slice(0, keys.length);
  if (field === null || labels.length < keys.length || !(isNamed || beginsAnOrder(labels))) return null;
  const rest = values.filter((value) => !labels.includes(value));
  if (rest.length > 1) return null;
  return {
    write: { template: '{}', labels },
    tie: rest[0] !== undefined && !NEITHER.test(rest[0]) ? rest[0] : null,
    field,
  };
}

/** Words that let an answer pass, each with the one that does not. */
const JUDGING: readonly (readonly [string, string])[] = [
  ['pass', 'fail'],
  ['good', 'bad'],
  ['accept', 'reject'],
  ['correct', 'incorrect'],
  ['approve', 'reject'],
  ['approved', 'rejected'],
  ['valid', 'invalid'],
  ['right', 'wrong'],
  ['safe', 'unsafe'],
  ['ok', 'not ok'],
  ['richtig', 'falsch'],
  ['bestanden', 'nicht bestanden'],
  ['合格', '不合格'],
  ['正确', '错误'],
  ['正しい', '誤り'],
  ['👍', '👎'],
];

/** Words and signs for yes, each with the one for no: which of them lets pass depends on what is asked. */
const YES_AND_NO: readonly (readonly [string, string])[] = [
  ['yes', 'no'],
  ['true', 'false'],
  ['ja', 'nein'],
  ['oui', 'non'],
  ['sí', 'no'],
  ['si', 'no'],
  ['sim', 'não'],
  ['да', 'нет'],
  ['tak', 'nie'],
  ['evet', 'hayır'],
  ['是', '否'],
  ['はい', 'いいえ'],
  ['예', '아니오'],
  ['نعم', 'لا'],
  ['○', '×'],
  ['✓', '✗'],
  ['✔', '✘'],
  ['✅', '❌'],
];

/** Whether two words say yes and no, rather than judge by themselves. */
export const areYesAndNo = (values: readonly string[]): boolean => pairIn(YES_AND_NO, values) !== undefined;

function pairIn(pairs: readonly (readonly [string, string])[], values: readonly string[]) {
  const said = values.map((value) => value.toLowerCase());
  return pairs.find((words) => words.every((word) => said.includes(word)));
}

/** A range of whole numbers in any language: `1 bis 6`, `0〜5`, `1 (sehr gut) bis 6`. */
const RANGE =
  /(?<![\d.])(\d{1,3})\s?(?:\([^()\n]{1,30}\)\s?)?(?:-|–|—|~|〜|～|\.\.|to|and|bis|und|à|a|e|et|y|até|do|до|и|至|到|から|إلى|ila)\s?(\d{1,3})(?!\d|\.\d)/iu;

/** What stands for a number in a form: `n`, `<score>`, `[x]`, `4`. */
const NUMBER =
  /^[[<{"]{0,2}(?:[nNxXzZ]|_{1,9}|…|\.{3}|\d{1,3}(?:\.\d{1,3})?|int|integer|float|number|num|zahl)(?![\p{L}\p{N}])/u;
/** What stands for a number without quotation marks around it: `<od 0 do 3>`. */
const BARE = /^<[^<>"\n]{0,40}\d/;
const TRUTH = /^[<"]?(?:true|false|bool)/i;
/** `"helpful" | "harmful"` */
const OFFERS_WORDS = /^"[^"\n]{1,30}"\s?(?:[|/]|or\b)/;

function formOfOne(source: FormSource): VerdictForm | null {
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
  const quoted = quotedIn(orders);
  const lists = [
    lettersExplained(words, orders),
    wordsInFrames(words, orders),
    quotedList(
      orders,
      quoted.filter((one) => !fieldName(orders, one)),
    ) ?? [],
    listedWords(orders) ?? [],
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

const OR: ReadonlySet<string> = new Set([
  'or',
  'oder',
  'ou',
  'o',
  'u',
  'of',
  'или',
  'lub',
  'albo',
  'veya',
  'atau',
  'hoặc',
  'या',
  'または',
  '或',
  '或者',
  'أو',
  '|',
  '/',
]);

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

function alternativesIn(orders: string, keys: readonly string[]): Omit<Choice, 'kind'> | null {
  const quoted = quotedIn(orders);
  const degrees =
    inDegrees(orders, quoted, keys) ??
    inDegrees(orders, linesOf(orders), keys) ??
    inDegrees(orders, itemsOf(orders), keys);
  return (
    degrees ?? inQuotes(orders, quoted, keys) ?? inOrder(orders, quoted, keys.length) ?? inARow(orders, keys)
  );
}

/** Short lines as texts that could be said. */
function linesOf(orders: string): Quoted[] {
  let at = 0;
  return orders.split('\n').flatMap((line) => {
    const text = line.trim();
    const start = at + line.indexOf(text);
    at += line.length + 1;
    return text === '' || text.length > LONGEST ? [] : [{ text, start, end: start + text.length }];
  });
}

/** An item of a list on one line, with what is said of it in brackets: `old++ (old much better), old+, =`. */
const ITEM =
  /(?<=^|[,，;；|:：]\s{0,3})([^\s,，;；|:：()（）][^,，;；|:：()（）\n]{0,30}?)\s{0,3}(?:[(（][^()（）\n]{1,60}[)）]\s{0,3})?(?=[,，;；|]|[.。](?:\s|$)|$)/gmu;

/** Items of lists in the orders' lines as texts that could be said. */
const itemsOf = (orders: string): Quoted[] =>
  Array.from(orders.matchAll(ITEM), ({ 0: whole, 1: item = '', index }) => ({
    text: item.trim(),
    start: index,
    end: index + whole.length,
  }));

/**
 * A list of texts that say of each option by how much it is better, in the same words for all: `Gana alfa por mucho`, `Gana
 * alfa por poco`. Such a list leads from one end to the other, so the outer words are the stronger ones.
 */
function inDegrees(
  orders: string,
  offered: readonly Quoted[],
  keys: readonly string[],
): Omit<Choice, 'kind'> | null {
  for (const written of stylesOf(keys)) {
    const [first = ''] = written;
    const placeOfText = (text: string) => offered.find((one) => one.text === text)?.start ?? -1;
    const frames = offered.flatMap(({ text }) => {
      const at = placeOf(text, first);
      return at < 0 ? [] : [{ lead: text.slice(0, at), tail: text.slice(at + first.length) }];
    });
    const degrees = frames
      .map(({ lead, tail }) => written.map((key) => lead + key + tail))
      .filter((labels, n, all) => all.findIndex((one) => one[0] === labels[0]) === n)
      .filter((labels) => labels.every((label) => placeOfText(label) >= 0))
      .toSorted((a, b) => spread(a.map(placeOfText)) - spread(b.map(placeOfText)));
    const [labels = [], ...strong] = degrees;
    const texts = degrees.flat();
    const own = offered.map(({ text }) => texts.includes(text));
    const list = offered.slice(own.indexOf(true), own.lastIndexOf(true) + 1);
    const isList = list.every((one, n) => n === 0 || one.start - (list[n - 1]?.end ?? 0) <= APART);
    if (strong.length === 0 || !isList) continue;
    const [tie, ...more] = list.filter(({ text }) => !texts.includes(text) && !NEITHER.test(text));
    if (more.length > 0) continue;
    return {
      write: { template: '{}', labels, strong: strong.flat(), rule: 'unique' },
      tie: tie?.text ?? tieAmong(orders, offered, texts, '{}'),
      field: fieldBefore(orders, offered, texts),
    };
  }
  return null;
}

const spread = (places: readonly number[]) => Math.max(...places) - Math.min(...places);

/** Each option's name within quotation marks, brackets or backticks, all of them in the same words. */
function inQuotes(
  orders: string,
  quoted: readonly Quoted[],
  keys: readonly string[],
): Omit<Choice, 'kind'> | null {
  const [first = '', ...others] = keys;
  for (const one of quoted.toReversed()) {
    for (const written of variantsOf(first)) {
      const at = placeOf(one.text, written);
      if (at < 0) continue;
      const template = `${one.text.slice(0, at)}{}${one.text.slice(at + written.length)}`;
      const labels = [written];
      for (const key of others) {
        const label = variantsOf(key).find((variant) =>
          quoted.some(({ text }) => text === template.replace('{}', () => variant)),
        );
        if (label !== undefined) labels.push(label);
      }
      if (labels.length < keys.length) continue;
      const texts = labels.map((label) => template.replace('{}', () => label));
      // In words of its own a label is read as it is written and not in prose.
      const write: Spelling = { template, labels, ...(template !== '{}' && { rule: 'unique' as const }) };
      return {
        write,
        tie: tieAmong(orders, quoted, texts, template),
        field: fieldBefore(orders, quoted, texts),
      };
    }
  }
  return null;
}

/** As many texts side by side as there are options, whose words are the first of a row: `links`, `rechts`. */
function inOrder(orders: string, quoted: readonly Quoted[], options: number): Omit<Choice, 'kind'> | null {
  for (let n = quoted.length - options; n >= 0; n--) {
    const list = quoted.slice(n, n + options);
    const near = list.every(({ start }, at) => at === 0 || start - (list[at - 1]?.end ?? 0) <= APART);
    const labels = list.map(({ text }) => text);
    if (!near || !beginsAnOrder(labels)) continue;
    return {
      write: { template: '{}', labels },
      tie: tieAmong(orders, quoted, labels, '{}'),
      field: fieldBefore(orders, quoted, labels),
    };
  }
  return null;
}

/** The one other text of the same list. `neither` is no tie. */
function tieAmong(
  orders: string,
  quoted: readonly Quoted[],
  texts: readonly string[],
  template: string,
): string | null {
  const [lead = '', tail = ''] = template.split('{}');
  const last = quoted.findLastIndex(({ text }) => texts.includes(text));
  const list: Quoted[] = [];
  for (const [n, one] of quoted.entries()) {
    const before = quoted[n - 1];
    const after = quoted[n + 1];
    const near = (other: Quoted | undefined, gap: number) =>
      other && (texts.includes(other.text) || list.includes(other)) && gap >= 0 && gap <= APART;
    const close = near(before, one.start - (before?.end ?? 0)) || near(after, (after?.start ?? 0) - one.end);
    const alike = lead.length + tail.length > 1 && one.text.startsWith(lead) && one.text.endsWith(tail);
    if (!texts.includes(one.text) && !fieldName(orders, one) && (alike || (close && n > 0))) list.push(one);
  }
  const rest = [...new Set(list.map(({ text }) => text))].filter(
    (text) => !/\s{2}|^[^\p{L}\p{N}]*$/u.test(text),
  );
  const usable = rest.filter((text) => !NEITHER.test(text));
  return usable.length === 1 && last >= 0 ? (usable[0] ?? null) : null;
}

/** Whether all texts stand one behind the other in quotation marks, as alternatives do. */
function areOffered(orders: string, texts: readonly string[]): boolean {
  if (new Set(texts).size < texts.length) return false;
  const quoted = quotedIn(orders);
  const at = quoted.findIndex(({ text }) => texts.includes(text));
  const list = quoted.slice(at, at + texts.length);
  return (
    at >= 0 &&
    texts.every((text) => list.some((one) => one.text === text)) &&
    list.every(({ start }, n) => n === 0 || start - (list[n - 1]?.end ?? 0) <= APART)
  );
}

/** Whether a text in quotation marks is the name of a field. */
const fieldName = (orders: string, one: Quoted | undefined) =>
  one !== undefined && /^["'”]?\s*:/.test(orders.slice(one.end, one.end + 6));

/** The fields that are shown to hold one of these texts; of several the one that is called as a verdict, where one is. */
function fieldsBefore(orders: string, quoted: readonly Quoted[], texts: readonly string[]): string[] {
  const shown = quoted.flatMap((value, at) => {
    const field = quoted[at - 1];
    const isShown =
      texts.includes(value.text) &&
      field &&
      /^["'”]\s*:\s*["'“<]?$/.test(orders.slice(field.end, value.start));
    return isShown ? field.text : [];
  });
  const fields = [...new Set(shown)];
  const told = [fields.filter(namesVerdict), fields.filter(namesWinner)];
  return told.find(({ length }) => length === 1) ?? fields;
}

/** The same, where it is one. */
function fieldBefore(orders: string, quoted: readonly Quoted[], texts: readonly string[]): string | null {
  const [field = null, ...others] = fieldsBefore(orders, quoted, texts);
  return others.length === 0 ? field : null;
}

/** `LEFT, RIGHT or NEITHER`: the options' names one after the other on a line. */
function inARow(orders: string, keys: readonly string[]): Omit<Choice, 'kind'> | null {
  for (const written of stylesOf(keys)) {
    for (const line of orders.split('\n').toReversed()) {
      let from = 0;
      const places = written.map((key) => {
        const at = placeOf(line.slice(from), key);
        if (at < 0) return -1;
        from += at + key.length;
        return from;
      });
      const near = places.every(
        (end, n) => end >= 0 && (n === 0 || end - (places[n - 1] ?? 0) <= APART + (written[n]?.length ?? 0)),
      );
      if (!near) continue;
      const [first = 0] = places;
      return { ...rowOn(line, first - (written[0]?.length ?? 0), places.at(-1) ?? 0, written), field: null };
    }
  }
  return null;
}

/** What stands behind the last name of a row: what closes it, or one more word, with a comma, a stroke or a word for "or". */
const ROW_END =
  /^["'”’\])>]{0,3}(?:\s?[,|/、，]?\s?(?:(\p{L}{1,8})\s)?["'“‘]?(\p{L}[\p{L}\p{N}_-]{0,20}))?["'”’\])>]{0,3}[.。]?$/u;
const ROW_LEAD = /^([^:：\n]{1,40}[:：]\s?)["'“‘[(<]{0,3}$/u;

/** The names as they stand on a line that holds nothing else behind its label: `Winner: A or B or TIE`. */
function rowOn(
  line: string,
  start: number,
  end: number,
  labels: readonly string[],
): Omit<Choice, 'kind' | 'field'> {
  const [tail, or = '', word] = ROW_END.exec(line.slice(end).trimEnd()) ?? [];
  const lead = tail === undefined ? undefined : ROW_LEAD.exec(line.slice(0, start).trimStart())?.[1];
  const template = `${lead ?? ''}{}`;
  const isTie = word !== undefined && (or === '' || OR.has(or.toLowerCase())) && !NEITHER.test(word);
  return {
    write: { template, labels, ...(lead !== undefined && { rule: 'unique' as const }) },
    tie: isTie ? template.replace('{}', () => word) : null,
  };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + lowerCased(text.slice(1));

/** The names in the letters that the orders may have them in. */
const stylesOf = (keys: readonly string[]) => [
  keys,
  keys.map((key) => key.toUpperCase()),
  keys.map(capital),
  keys.map((key) => key.toLowerCase()),
];

const variantsOf = (key: string) => [...new Set([key, key.toUpperCase(), lowerCased(key), capital(key)])];

/** Where `word` stands in `text` as a word of its own, or -1. */
function placeOf(text: string, word: string): number {
  for (let at = text.lastIndexOf(word); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(word, at - 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + word.length)];
    const apart = (side: string, end: boolean) => {
      const char = end ? side.charAt(0) : side.slice(-1);
      return !/[\p{L}\p{N}_]/u.test(char) || wordsOfLabel(end ? word + char : char + word).length > 1;
    };
    if (apart(before, false) && apart(after, true)) return at;
  }
  return -1;
}

const MARKS: readonly (readonly [string, string])[] = [
  ['“', '”'],
  ['„', '“'],
  ['"', '"'],
  ['「', '」'],
  ['『', '』'],
  ['«', '»'],
  ['‘', '’'],
  ['`', '`'],
  ["'", "'"],
  ['[[', ']]'],
];

/** Short texts within quotation marks, in order. Inner ones count, too. */
function quotedIn(orders: string): Quoted[] {
  const found: Quoted[] = [];
  for (const [open, close] of MARKS) {
    let from = 0;
    for (let at = orders.indexOf(open, from); at >= 0; at = orders.indexOf(open, from)) {
      const start = at + open.length;
      const end = orders.slice(start, start + LONGEST).indexOf(close);
      if (end < 0) {
        from = start;
        continue;
      }
      const text = orders.slice(start, start + end).trim();
      if (text.includes('\n')) {
        from = start;
        continue;
      }
      const bracketed =
        open === '[['
          ? { text: `[[${text}]]`, start: at, end: start + end + 2 }
          : { text, start, end: start + end };
      found.push(bracketed);
      from = start + end + close.length;
    }
  }
  return found.sort((a, b) => a.start - b.start);
}
