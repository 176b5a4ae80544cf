/** What a reply says of each option: a number or a word, in places that have its name, in a list, or in a row. */

import { rankOrder } from '../../form/rank-order.ts';
import { highestAsked } from '../../form/words-asked.ts';
import type { VerdictFile } from '../../verdicts/index.ts';
import { polarityOf } from '../../verdicts/polarity.ts';
import { ANY_NUMBER, cellsOf } from '../../verdicts/reading/frames.ts';
import { withDigits } from '../../verdicts/spelling.ts';
import { namesVerdict } from '../../words/field-names.ts';
import { occurrences } from '../../words/occurrences.ts';
import { beginsAnOrder, onlyDifference, wordsOfLabel } from '../../words/vocabulary.ts';
import { bestAt } from './in-a-row.ts';
import { LONGEST_FRAME, namesOf, optionNamed, withoutName } from './option-names.ts';
import {
  isGround,
  isNumber,
  isShortWord,
  LONGEST_LINE,
  type ReplyPlace,
  singles,
  TRUTH,
  varies,
} from './reply-places.ts';

/**
 * A number for each option, or a word: in places that have its name. Numbers may stand in a list, too, or where the same
 * words stand as often in each reply.
 */
export function inEach(
  kind: 'scores' | 'list',
  places: readonly ReplyPlace[],
  replies: readonly string[],
  labels: readonly string[],
  orders: string,
  more = false,
): VerdictFile[] {
  const isOffered = (word: string) => TRUTH.test(word) || occurrences(orders, word).length > 0;
  const isWord = (place: ReplyPlace) =>
    !isGround(place) &&
    place.values.flat().every((word) => isShortWord(word) && !isNumber(word) && isOffered(word)) &&
    place.values.flat().every((word) => optionNamed(word, labels) < 0);
  const found = places.filter(
    (place) =>
      varies(place.values) && (kind === 'list' ? isWord(place) : place.values.flat().every(isNumber)),
  );
  const named = labels.map((_, option) =>
    singles(found).filter(({ name }) => ownField(name, labels).option === option),
  );
  const own = named.every(({ length }) => length === 0) ? inARow(singles(found), labels.length) : named;
  // What all of them are called tells none from the others.
  const shared = sharedWords(own.flat().map(({ name }) => ownField(name, labels).rest));
  const concludes = ({ name }: ReplyPlace) =>
    namesVerdict(
      wordsOfLabel(name)
        .filter((word) => !shared.has(word))
        .join(' '),
    );
  const concluding = own.map((some) => some.filter(concludes));
  const single = [concluding, own].find((each) => each.every((some) => some.length === 1));
  const criteria = kind === 'scores' && single !== concluding ? byCriteria(places, labels) : [];
  const chosen = criteria.length > 0 ? [] : (single?.flat() ?? []);
  const fields = chosen.flatMap(({ where: { field } }) => field ?? []);
  const templates = chosen.flatMap(({ where: { template } }) => template ?? []);
  const repeated = found.filter(
    ({ where, values }) =>
      values.every(({ length }) => length === labels.length || (more && length > labels.length)) &&
      (where.template === undefined
        ? entriesInOrder(where.field, places, labels)
        : standInOrder(where.template, replies, labels)),
  );
  const [each, ...others] =
    repeated.length > 1 ? repeated.filter(({ name }) => namesVerdict(name)) : repeated;
  const ranks = replies.map((_, reply) => chosen.map(({ values }) => Number(values[reply]?.[0])));
  const isNamedRank = chosen.every(({ where: { field = '' } }) => /rank/i.test(field));
  if (kind === 'scores' && chosen.length > 0 && countUp(ranks) && (isNamedRank || areRanks(orders, labels))) {
    const isCalledRank = labels.length > 2 || isNamedRank;
    const order = rankOrder(orders, labels) ?? (isCalledRank ? 'best-first' : null);
    const where = fields.length > 0 ? { fields } : { template: templates.join('\n') };
    // Numbers from 1 on may be marks of two: nothing says which of them is the good one.
    return order === 'open' || order === null
      ? []
      : [{ kind: 'ranking', labels: [...labels], ...where, ...bestAt(order) }];
  }
  // Numbers that count up and are not called scores are the options' places, or the options in their order: nothing says which.
  const isOpen =
    each !== undefined &&
    (!/scor|rat(?:e|ing)|mark|point|grad/i.test(each.name) || each.where.item !== undefined) &&
    [0, 1].some((from) =>
      countUp(
        each.values.map((row) => row.map(Number)),
        from,
      ),
    );
  return [
    ...(fields.length > 0 ? [{ kind, fields }] : []),
    ...(templates.length > 0 ? [{ kind, template: templates.join('\n') }] : []),
    ...criteria,
    ...(each && others.length === 0 && !isOpen ? [{ kind, ...repeatedWhere(each, labels.length) }] : []),
    ...(kind === 'scores' ? inNumberRows(replies, labels, orders) : []),
  ];
}

/**
 * Numbers on one line: one for each option (`9,4`), with one more where the orders ask for the options one by one and then for
 * something else; on a line of each option (`A: 5,4,5`) its marks; where one text is judged (`0.8,0.7`) a list.
 */
export function inNumberRows(
  replies: readonly string[],
  labels: readonly string[],
  orders: string,
): VerdictFile[] {
  const rows = replies.map((reply) => reply.split('\n').flatMap(numbersOn));
  const [first = []] = rows;
  const [{ name = '', sign = ' ', count = 0 } = {}] = first;
  const isAlike = rows.every(
    (row) =>
      row.length === first.length &&
      row.every((one, n) => one.name === first[n]?.name && one.count === count),
  );
  const differ = new Set(rows.map((row) => JSON.stringify(row))).size > 1;
  // `4/5` is one number of so many, and `4,5` one with a fraction.
  const isOne =
    count === 2 &&
    !rows.flat().some(({ isListed }) => isListed) &&
    (sign === '/' || (sign === ',' && !rows.flat().some(({ isSpaced }) => isSpaced)));
  if (!isAlike || !differ || count < 2 || (isOne && (sign === '/' || name !== '' || labels.length === 1)))
    return [];
  const places = Array(count).fill('{}');
  if (
    first.length === labels.length &&
    first.every((row, option) => optionNamed(row.name.slice(0, -1), labels) === option)
  )
    return [{ kind: 'scores', template: first.map((row) => `${row.name} ${places.join(',')}`).join('\n') }];
  if (first.length > 1 || name !== '') return [];
  // `[9, 4, 1]`
  const isList = rows.flat().every(({ isListed }) => isListed);
  const isSpaced = rows.flat().every((row) => row.isSpaced);
  const list = isList ? `[${places.join(isSpaced ? `${sign} ` : sign)}]` : null;
  if (!isList && rows.flat().some(({ isListed }) => isListed)) return [];
  if (labels.length === 1) return list === null ? [{ kind: 'list', template: places.join(sign) }] : [];
  // `2 1` may be the ranks of both, or their names in an order.
  const numbers = rows.map(([row]) => row?.cells.map(Number) ?? []);
  if (count === labels.length && countUp(numbers) && areRanks(orders, labels)) return [];
  if (count === labels.length && list !== null) return [{ kind: 'scores', template: list }];
  if (count === labels.length) return [{ kind: 'scores', template: places.join(sign.replace(',', ' ')) }];
  const owners = orders.split('\n').map((line) => optionNamed(line.slice(0, LONGEST_FRAME), labels));
  const isAsked = owners.some((_, n) =>
    [...labels.keys(), -1].every((option, at) => owners[n + at] === option),
  );
  return count === labels.length + 1 && isAsked
    ? [{ kind: 'scores', template: [...places.slice(1), ANY_NUMBER].join(sign) }]
    : [];
}

/**
 * Whether numbers that count the texts are ranks: no longer scale is asked for, or ranks are asked for beside it, of which 1 is
 * the best. Where the last one is, ranks are read as marks are.
 */
function areRanks(orders: string, labels: readonly string[]): boolean {
  if (highestAsked(orders) <= labels.length) return true;
  const order = rankOrder(orders, labels);
  return order !== null && order !== 'best-last';
}

/** Whether each row has every number from 1 on once, or from `first` on. */
const countUp = (rows: readonly (readonly number[])[], first = 1) =>
  rows.every((row) => row.toSorted((a, b) => a - b).every((rank, n) => rank === n + first));

/** A line of numbers with the same sign between them, and what it is called. */
export function numbersOn(line: string) {
  const [, name = '', rest = ''] = /^([^\n:：]{0,40}[:：])?(.{0,400})$/.exec(withDigits(line.trim())) ?? [];
  const listed = /^\s*\[(.*)\]\s*$/.exec(rest)?.[1];
  const { cells, sign } = cellsOf(listed ?? rest);
  const isRow = cells.length > 1 && cells.every((cell) => /^-?[\d.]{1,9}$/.test(cell));
  const isSpaced = / \d/.test(rest.trim());
  return isRow ? [{ name, sign, cells, count: cells.length, isSpaced, isListed: listed !== undefined }] : [];
}

/** Places that count the options, whatever these are called, as many as there are: `party1.rating` and `party2.rating`. */
function inARow(places: readonly ReplyPlace[], count: number): ReplyPlace[][] {
  const names = places.map(({ name }) => wordsOfLabel(name.replaceAll(/(?<=\p{L})(?=\p{N})/gu, ' ')));
  const rows = names.flatMap((first, n) => {
    const others = names.map((other) => onlyDifference(first, other));
    const at = others.find((one) => one !== null);
    const row = places.filter((_, m) => m === n || others[m] === at);
    const counted = row.map((place) => names[places.indexOf(place)]?.[at ?? 0] ?? '');
    const isRow = row[0] === places[n] && row.length === count && beginsAnOrder(counted);
    return isRow ? [row] : [];
  });
  return rows.length > 0
    ? Array.from({ length: count }, (_, option) => rows.flatMap((row) => row.slice(option, option + 1)))
    : [];
}

/** The same criteria of each option, `A.style` or `style_a`: their mean is its score. */
function byCriteria(places: readonly ReplyPlace[], labels: readonly string[]): VerdictFile[] {
  const numbers = singles(places).filter(
    (place) => place.where.field !== undefined && !isGround(place) && place.values.flat().every(isNumber),
  );
  const criteria = numbers.map((place) => ({ place, ...ownField(place.name, labels) }));
  const own = labels.map((_, option) => criteria.filter((one) => one.option === option));
  const names = own.map((some) => some.map(({ rest }) => rest).join());
  const isGood = ({ rest }: { readonly rest: string }) => polarityOf(rest) !== 'lower' && !/rank/i.test(rest);
  const isOne =
    new Set(names).size === 1 &&
    own.every((some) => some.length > 1 && some.every(isGood)) &&
    own.flat().some(({ place }) => varies(place.values));
  const fields = own.map((some) => some.flatMap(({ place }) => place.where.field ?? []));
  return isOne ? [{ kind: 'scores', fields }] : [];
}

/** The option that a field is called after, -1 for none, and the rest of its name: `A.style`, `style_a`, `answer_1.style`. */
function ownField(name: string, labels: readonly string[]): { option: number; rest: string } {
  const apart = name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2');
  for (const pieces of [name.split('.'), apart.split(/[._]/)]) {
    const options = pieces.map((piece) => optionNamed(piece, labels));
    const [option = -1, ...more] = new Set(options.filter((one) => one >= 0));
    if (option >= 0 && more.length === 0)
      return { option, rest: pieces.filter((_, n) => options[n] !== option).join(' ') };
  }
  const words = apart.replaceAll(/[_.]/g, ' ');
  const option = optionNamed(words, labels);
  return { option, rest: withoutName(words, option, labels) };
}

/** The words that all of several names have, where there are more than one an option. */
function sharedWords(names: readonly string[]): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = names.map((name) => new Set(wordsOfLabel(name)));
  return names.length > 2 ? others.reduce((all, some) => all.intersection(some), first) : new Set();
}

const repeatedWhere = ({ where }: ReplyPlace, times: number) =>
  where.template === undefined ? where : { template: Array(times).fill(where.template).join('\n') };

/** Whether the entries of a list name the options in their order, or none of them. */
const entriesInOrder = (
  field: string | undefined,
  places: readonly ReplyPlace[],
  labels: readonly string[],
) =>
  places
    .filter(({ isList, where, values }) => isList && where.field === field && !values.flat().every(isNumber))
    .map(({ values }) =>
      values.map((row) =>
        row.map((word) => labels.findIndex((label) => namesOf(label, labels).includes(word))),
      ),
    )
    .filter((rows) =>
      rows.every((row) => row.every((option) => option >= 0) && new Set(row).size === labels.length),
    )
    .every((rows) => rows.every((row) => row.every((option, n) => option === n)));

/** Whether the lines above the places of a frame name the options in their order, or none of them. */
function standInOrder(frame: string, replies: readonly string[], labels: readonly string[]): boolean {
  const lead = frame.split('{}')[0]?.trim() ?? '';
  return replies.every((reply) => {
    let owner = -1;
    const owners = reply.split('\n').flatMap((line) => {
      const isPlace = lead !== '' && line.includes(lead);
      const named = line.length <= LONGEST_LINE ? optionNamed(line, labels) : -1;
      if (named >= 0) owner = named;
      return isPlace ? [owner] : [];
    });
    return owners.every((one, n) => one === n);
  });
}
