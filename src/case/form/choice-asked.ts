/** The form of a choice, from the orders: alternatives of which each holds the name of one option, by degrees or without. */

import type { Spelling, VerdictForm } from '../types.ts';
import { dropKeys } from '../verdicts/spelling.ts';
import { beginsAnOrder, lowerCased, NEITHER, wordsOfLabel } from '../words/vocabulary.ts';
import { OR, withTieOffered } from './alternatives.ts';
import { APART, fieldBefore, fieldName, itemsOf, linesOf, type Quoted, quotedIn } from './quoted.ts';
import { wordField } from './words-asked.ts';

type Choice = Extract<VerdictForm, { kind: 'choice' }>;

/**
 * Values that each hold the name of one option (`Rep 1`), or that are the first of a row in order, for as many options:
 * `alpha`, `beta` for α and β.
 */
export function inValues(schema: unknown, keys: readonly string[]): Omit<Choice, 'kind'> | null {
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

export function alternativesIn(orders: string, keys: readonly string[]): Omit<Choice, 'kind'> | null {
  const found = findAlternatives(orders, keys);
  return found && withTieOffered(found, orders);
}

function findAlternatives(orders: string, keys: readonly string[]): Omit<Choice, 'kind'> | null {
  const quoted = quotedIn(orders);
  const degrees =
    inDegrees(orders, quoted, keys) ??
    inDegrees(orders, linesOf(orders), keys) ??
    inDegrees(orders, itemsOf(orders), keys);
  return (
    degrees ?? inQuotes(orders, quoted, keys) ?? inOrder(orders, quoted, keys.length) ?? inARow(orders, keys)
  );
}

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
  const values = quoted.filter((one) => !fieldName(orders, one));
  for (const one of values.toReversed()) {
    for (const written of variantsOf(first)) {
      const at = placeOf(one.text, written);
      if (at < 0) continue;
      const template = `${one.text.slice(0, at)}{}${one.text.slice(at + written.length)}`;
      const labels = [written];
      for (const key of others) {
        const label = variantsOf(key).find((variant) =>
          values.some(({ text }) => text === template.replace('{}', () => variant)),
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
  const values = quoted.filter((one) => !fieldName(orders, one));
  for (let n = values.length - options; n >= 0; n--) {
    const list = values.slice(n, n + options);
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
export function areOffered(orders: string, texts: readonly string[]): boolean {
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

/** `LEFT, RIGHT or NEITHER`: the options' names one after the other on a line. */
function inARow(orders: string, keys: readonly string[]): Omit<Choice, 'kind'> | null {
  for (const written of stylesOf(keys)) {
    for (const line of dropKeys(orders).split('\n').toReversed()) {
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
