/** All options in one row of a reply: `S2 > S1 > S3`, `A>>B`, `1. S2` and `2. S1`, `["b", "a"]`. */

import { labelKey } from '../../counterfactual.ts';
import { type RankOrder, rankOrder, tellsRanks } from '../../form/rank-order.ts';
import type { VerdictFile } from '../../verdicts/index.ts';
import { occurrences } from '../../words/occurrences.ts';
import type { ChoiceFile } from './chosen.ts';
import { LONGEST_FRAME, optionNamed, ownParts, spellings, variantsOf } from './option-names.ts';
import { isNumber, LEAST_SHARED, LONGEST_LINE, type ReplyPlace } from './reply-places.ts';

/** Which of two is better, and by how much, in the same frame: `A>>B`, `Verdict: B > A`. */
export function inGrades(replies: readonly string[], labels: readonly string[]): ChoiceFile[] {
  const own = ownParts(labels);
  return [labels.map(labelKey), labels.map((label) => own.get(label) ?? label)].flatMap((names) =>
    gradesOf(replies, names),
  );
}

function gradesOf(replies: readonly string[], names: readonly string[]): ChoiceFile[] {
  const [first = '', second = ''] = names;
  const found = replies.flatMap((reply) => {
    const rows = reply.split('\n').flatMap((line) => rowOn(line, names));
    const grades = rows.filter(({ separator }) => /^\s?[<>=~≈]{1,2}\s?$/u.test(separator));
    return grades.slice(-1).map(({ template, separator, order }) => ({
      // Double brackets are looked for wherever they stand.
      template: template.includes('[[{}]]') ? '[[{}]]' : template,
      written: order.map((option) => names[option]).join(separator),
    }));
  });
  const [frame, ...others] = new Set(found.map(({ template }) => template));
  const isWhole = found.length >= LEAST_SHARED * replies.length && names.length === 2;
  if (frame === undefined || others.length > 0 || !isWhole) return [];
  const tie = found.find(({ written }) => /[=~≈]/.test(written))?.written;
  const gap = found.some(({ written }) => written.includes(' ')) ? ' > ' : '>';
  return [
    {
      kind: 'choice',
      labels: [first + gap + second, second + gap + first],
      ...(frame !== '{}' && { template: frame }),
      ...(tie !== undefined && { tie: frame.replace('{}', () => tie) }),
    },
  ];
}

/**
 * Whether bare numbers are ranks rather than the options in their order. Of two options both are the same where 1 is the best; of more
 * the orders tell it.
 */
function countRanks(words: readonly string[], labels: readonly string[], orders: string): boolean {
  if (!words.every(isNumber)) return false;
  const order = rankOrder(orders, labels);
  return order === 'open' || (labels.length < 3 ? order === 'best-last' : tellsRanks(orders, labels));
}

/** All options in an order, the best first, on a line of their own or behind the same words: `Rang: S2 > S1 > S3`. */
export function inRows(
  replies: readonly string[],
  labels: readonly string[],
  orders: string,
  more: boolean,
): VerdictFile[] {
  const own = ownParts(labels);
  const spelled = labels.map((label) => [...variantsOf(label), own.get(label) ?? label]);
  return (spelled[0] ?? []).flatMap((_, style): VerdictFile[] => {
    const names = spelled.map((variants) => variants[style] ?? '');
    const rows = replies.flatMap((reply) =>
      reply
        .split('\n')
        .flatMap((line) => longestRowOn(line, names, more ? 2 : names.length))
        .slice(-1),
    );
    const [first] = rows;
    const isOne = rows.every(
      ({ template, separator }) =>
        template === first?.template && separator.trim() === first.separator.trim(),
    );
    const differ = new Set(rows.map(({ order }) => order.join(' '))).size > 1;
    if (!first || !isOne || rows.length < LEAST_SHARED * replies.length || !differ) return [];
    const { template, separator } = first;
    if (/[,、/|;]/.test(separator) && countRanks(names, labels, orders)) return [];
    return [{ kind: 'ranking', labels: names, separator, ...(template !== '{}' && { template }) }];
  });
}

/** All options in an order, one a line, behind its number or alone: `1. S2`, `2. S1`. */
export const byLine = (labels: readonly string[], order: RankOrder | null): VerdictFile[] =>
  order === 'open'
    ? []
    : [labels, labels.map(labelKey)].map((names) => ({
        kind: 'ranking',
        labels: [...names],
        separator: '\n',
        ...bestAt(order),
      }));

/** Which rank is the best, as a form tells it. */
export const bestAt = (order: RankOrder | null) => (order === 'best-last' ? { bestLast: true } : {});

/** The row of all names on a line, or of as many of the first ones as it has. */
function longestRowOn(line: string, names: readonly string[], least: number): ReturnType<typeof rowOn> {
  for (let count = names.length; count >= least; count--) {
    const row = rowOn(line, names.slice(0, count));
    if (row.length > 0) return row;
  }
  return [];
}

/** The row of all names on a line, with the same signs between them; nothing where there is none. */
function rowOn(line: string, names: readonly string[]) {
  if (line.length > LONGEST_LINE) return [];
  const places = names
    .flatMap((name, option) => occurrences(line, name).map((at) => ({ option, at, end: at + name.length })))
    .toSorted((a, b) => a.at - b.at);
  const order = places.map(({ option }) => option);
  const [separator = '', ...others] = places.slice(1).map(({ at }, n) => line.slice(places[n]?.end, at));
  const isRow =
    separator.trim() !== '' &&
    /^[^\p{L}\p{N}\n]{1,9}$/u.test(separator) &&
    others.every((one) => one === separator);
  if (!isRow || order.length !== names.length || new Set(order).size < names.length) return [];
  const template = `${line.slice(0, places[0]?.at).trimStart()}{}${line
    .slice(places.at(-1)?.end)
    .trimEnd()
    .replace(/^[.。]$/, '')}`;
  return template.length <= 2 * LONGEST_FRAME ? [{ template, separator, order }] : [];
}

/** Whether options are all that there are or, where each reply is on as many as came, the first two, the first three and so on. */
const isOfAll = (options: readonly number[], labels: readonly string[], more: boolean): boolean =>
  new Set(options).size === options.length &&
  (more ? options.length > 1 : options.length === labels.length) &&
  options.every((option) => option >= 0 && option < options.length);

/**
 * Each option with its rank, in the entries of a list: `{"rankings": [{"response": "B", "rank": 1}, {"response": "A", "rank": 2}]}`.
 *
 * @param more whether each list may be of the first two options, or the first three and so on
 */
export function withRanks(
  places: readonly ReplyPlace[],
  all: readonly string[],
  order: RankOrder | null,
  more: boolean,
): VerdictFile[] {
  if (order === 'open') return [];
  const lists = places.filter(({ isList, where }) => isList && where.item !== undefined);
  const ranks = lists.filter(
    ({ where, values }) =>
      where.item === 'rank' &&
      values.every((row) =>
        isOfAll(
          row.map((rank) => Number(rank) - 1),
          all,
          more,
        ),
      ),
  );
  const named = lists.flatMap(({ where, values }) => {
    const { field, item } = where;
    if (item === undefined || item === 'rank') return [];
    if (!ranks.some(({ where }) => where.field === field)) return [];
    const labels = labelsIn(values, all, more);
    const optionOf = (written: string) =>
      written.length <= LONGEST_FRAME ? optionNamed(written, labels) : -1;
    const rows = values.map((row) => row.map(optionOf));
    if (!rows.every((row) => isOfAll(row, labels, more))) return [];
    const spelled = spellings(
      values.flat().map((written) => ({ written, option: optionOf(written) })),
      labels,
    );
    const orders = rows.map((row) => row.join());
    return spelled
      ? [{ form: { kind: 'ranking', labels: spelled, ...where, item, ...bestAt(order) } as const, orders }]
      : [];
  });
  // `{"no": 1, "answer": 2, "rank": 1}` counts the entries, and of `{"worse_than": "B", "answer": "A"}` either may have the rank.
  const told = named.length > 1 ? named.filter(({ orders }) => new Set(orders).size > 1) : named;
  const isOne = new Set(told.map(({ orders }) => orders.join(';'))).size === 1;
  return isOne ? told.map(({ form }) => form) : [];
}

/**
 * All options in an order, the best first, in a list: `{"order": ["b", "a"]}`. Numbers may be scores or ranks; of two options
 * ranks and the order are the same where 1 is the best.
 *
 * @param more whether each list may be of the first two options, or the first three and so on
 */
export function inOrders(
  places: readonly ReplyPlace[],
  all: readonly string[],
  orders: string,
  more: boolean,
): VerdictFile[] {
  return places.flatMap(({ isList, where: { field, item }, name, values }): VerdictFile[] => {
    if (!isList || item !== undefined || field === undefined) return [];
    const labels = labelsIn(values, all, more);
    const found = values.flat().map((written) => ({ written, option: optionNamed(written, labels) }));
    const isWhole = values.every((one) =>
      isOfAll(
        one.map((written) => optionNamed(written, labels)),
        labels,
        more,
      ),
    );
    const isRank = countRanks(values.flat(), labels, orders);
    const isRankOfTwo =
      labels.length < 3 && !isRank && /rank/i.test(name) && !IS_MARK.test(name.replace(/rank/i, ''));
    const isMark =
      values.flat().every(isNumber) && !isRankOfTwo && (labels.length < 3 || isRank || IS_MARK.test(name));
    const spelled = isWhole && !isMark ? spellings(found, labels) : null;
    return spelled ? [{ kind: 'ranking', labels: spelled, separator: ', ', field }] : [];
  });
}

/** The options of the longest list, where each may be of the first ones. */
const labelsIn = (values: ReplyPlace['values'], all: readonly string[], more: boolean) =>
  more ? all.slice(0, Math.max(2, ...values.map(({ length }) => length))) : all;

/** Names of lists that hold a number for each option. */
const IS_MARK = /scor|rating|grade|point|mark|rank(?!ing|ed)/i;
