/** What a reply says of one answer: a number, one of a few words, or a verdict on each of several things. */

import { alternativesAround } from '../../form/alternatives.ts';
import { areYesAndNo, lettersExplained, oppositesAmong, wordsOffered } from '../../form/words-asked.ts';
import type { VerdictFile } from '../../verdicts/index.ts';
import { polarityOfWords } from '../../verdicts/polarity.ts';
import { withDigits } from '../../verdicts/spelling.ts';
import { fieldSays, namesVerdict, namesWinner } from '../../words/field-names.ts';
import { occurrences } from '../../words/occurrences.ts';
import { beginsAnOrder, rolesOfLabel, wordsOfLabel } from '../../words/vocabulary.ts';
import { LONGEST_FRAME } from './option-names.ts';
import {
  isGround,
  isNumber,
  isShortWord,
  type ReplyPlace,
  SYMBOL,
  singles,
  TRUTH,
  varies,
} from './reply-places.ts';

/** Words of which one was replied, before it is taken for a text. */
const MOST_CATEGORIES = 6;

/** Whether a name says that something is right, as that of a reference does. */
const saysRight = (name: string) => rolesOfLabel(name).some(([role]) => role === 'reference');

/** Letters of a word such as `is`, `was` or `est`. */
const LONGEST_COPULA = 3;

const saysAnswer = (word: string) => rolesOfLabel(word).some(([role]) => role === 'answer');

/** What a name says beside `is`, whose answer it is and what is `final`: `correct` of `is_student_answer_correct`. */
function wordsBeside(name: string): string[] {
  const words = wordsOfLabel(name);
  return words
    .slice(words.findLastIndex(saysAnswer) + 1)
    .filter((word) => word.length > LONGEST_COPULA && !fieldSays(word, 'whole'));
}

/** Whether a yes or no is called right or the verdict as a whole: `is_correct` is, `label_correct` says it of something else. */
const isOnAnswer = (name: string, says: (word: string) => boolean) =>
  says(name) && (wordsBeside(name).length < 2 || wordsBeside(name).every(namesVerdict));

/** Words in front of a name in brackets that may say what it stands for, and their characters. */
const WORDS_CALLED = 3;
const LONGEST_CALLED = 60;

/** Whether the orders call a place the mark as a whole, and give its name in brackets: `decide on a final score (O)`. */
const isCalledWhole = (name: string, orders: string): boolean =>
  occurrences(orders, name).some((at) => {
    const before = orders.slice(Math.max(0, at - LONGEST_CALLED), at);
    if (!/[(（]$/u.test(before) || !/^[)）]/u.test(orders.slice(at + name.length))) return false;
    const said =
      before
        .slice(0, -1)
        .split(/[^\p{L}\p{M} ]/u)
        .at(-1) ?? '';
    const called = said.trim().split(' ').slice(-WORDS_CALLED).join(' ');
    return namesVerdict(called) && fieldSays(called, 'whole');
  });

/** The end of the scale where every reply has it: the 5 of `4/5`. */
export function scaleIn(replies: readonly string[]): { readonly max?: number } {
  const [max, ...others] = new Set(replies.map((reply) => /\d\s?[/／]\s?(\d{1,3})(?!\d)/.exec(reply)?.[1]));
  return max === undefined || others.length > 0 ? {} : { max: Number(max) };
}

/** How far a share may be from what it is made of: it has two decimals. */
const ROUNDED = 0.0051;
/** More numbers than these are marks, and each of them would be compared with each pair of the others. */
const MOST_PARTS = 8;

/**
 * The whole numbers of which another place gives the share: 2 and 3 of `{"supported": 2, "claims": 3, "score": 0.67}`. One that is
 * called the verdict stays one, unless the share is called so, too.
 */
function partsOfShare(places: readonly ReplyPlace[]): ReadonlySet<ReplyPlace> {
  const numbers = singles(places).filter((place) => !isGround(place) && place.values.flat().every(isNumber));
  if (numbers.length > MOST_PARTS) return new Set();
  const columns = new Map(
    numbers.map((place) => [place, place.values.flat().map((word) => Number(withDigits(word)))]),
  );
  const columnOf = (place: ReplyPlace) => columns.get(place) ?? [];
  const isShareOf = (share: ReplyPlace, part: ReplyPlace, wholes: readonly number[]) =>
    columnOf(part).some((count, n) => count > 0 && count < (wholes[n] ?? 0)) &&
    [1, 100].some((unit) =>
      columnOf(part).every((count, n) => {
        const whole = wholes[n] ?? 0;
        return whole === 0 || Math.abs(count / whole - (columnOf(share)[n] ?? NaN) / unit) <= ROUNDED;
      }),
    );
  const counts = numbers.filter((place) => columnOf(place).every((one) => Number.isInteger(one) && one >= 0));
  return new Set(
    numbers.flatMap((share) =>
      counts.flatMap((part) =>
        counts.flatMap((other) => {
          const rest = columnOf(other);
          const isPair = new Set([share, part, other]).size === 3;
          const wholes = [rest, rest.map((count, n) => count + (columnOf(part)[n] ?? 0))];
          if (!isPair || !wholes.some((all) => isShareOf(share, part, all))) return [];
          return [part, other].filter(({ name }) => !namesVerdict(name) || namesVerdict(share.name));
        }),
      ),
    ),
  );
}

/** Whether the orders offer the names of a row and a word behind them: `A, B, C, etc.`, `1, 2, 3 or none`. These name one of several texts. */
function areOfRow(words: readonly string[], orders: string): boolean {
  const row = alternativesAround(words, orders);
  return row.length > 2 && /^\p{L}{2}/u.test(row.at(-1) ?? '') && beginsAnOrder(row.slice(0, -1));
}

/**
 * The forms that replies on one answer could have: a number or one of a few words in one place. Of several that could be
 * the verdict the one that says so; none otherwise.
 */
export function formsOfOne(
  places: readonly ReplyPlace[],
  orders: string,
  scale: { readonly max?: number },
): VerdictFile[] {
  const isOffered = (text: string) => !isNumber(text) && occurrences(orders, text).length > 0;
  // Each word once, whatever its letter case.
  const wordsOf = ({ values }: ReplyPlace) =>
    [...Map.groupBy(values.flat(), (text) => text.trim().toLowerCase()).values()].map((some) =>
      (some.find((text) => isOffered(text.trim())) ?? some[0] ?? '').trim(),
    );
  // A word that opens a reply or ends it is part of a text, unless the orders speak of it.
  const isVerdict = (place: ReplyPlace) =>
    place.name !== '' || place.isAll || wordsOf(place).every((word) => isNumber(word) || isOffered(word));
  // A number behind a bare word may count, `Reply 2`, unless the orders quote the word.
  const isQuoted = (name: string) => orders.includes(`"${name}"`) || orders.includes(`“${name}”`);
  const counts = ({ where, name }: ReplyPlace) =>
    /\p{L} \{\}/u.test(where.template ?? '') && !namesVerdict(name) && !isQuoted(name);
  const parts = partsOfShare(places);
  const changing = singles(places).filter(
    (place) =>
      !isGround(place) &&
      !counts(place) &&
      !parts.has(place) &&
      wordsOf(place).length > 1 &&
      isVerdict(place),
  );
  const isTruth = (place: ReplyPlace) => wordsOf(place).every((word) => TRUTH.test(word));
  const truths = changing.filter(isTruth);
  const concluding = changing.filter((place) =>
    truths.length > 1 && isTruth(place)
      ? isOnAnswer(place.name, namesVerdict)
      : namesVerdict(place.name) || isCalledWhole(place.name, orders),
  );
  // What is concluded of a part stands in an object of its own.
  const outermost = concluding.filter(({ isInner }) => !isInner);
  // Reasons are sentences, in any language and under any name.
  const inAWord = changing.filter(({ values }) => values.flat().every(isShortWord));
  // One of the words that the orders offer: `resolved | partly_resolved | unresolved`.
  const announced = inAWord.filter((place) => wordsOf(place).every(isOffered));
  // In plain text a sentence may be one word, in scripts that put no space between words.
  const numbers = inAWord.filter(
    (place) => place.where.template !== undefined && wordsOf(place).every(isNumber),
  );
  // `{"corretta": false, "parziale": true}`
  const right = truths.filter(({ name }) => isOnAnswer(name, saysRight));
  const [one, ...more] =
    [concluding, outermost, inAWord, announced, numbers, right].find(({ length }) => length === 1) ??
    changing;
  // A number that stands behind other words in each reply, or alone: `Accuracy: 85 %`, `20 %`.
  if (!one) return [{ kind: 'score' }, { kind: 'score', ...scale }];
  if (more.length > 0) return [];
  const { name, where } = one;
  const words = wordsOf(one);
  // One of several marks in an object of their own, of which the others were the same each time, or others for each request.
  const isOfSeveral =
    one.isAmongMarks ||
    singles(places).some((other) => other !== one && other.isInner && other.values.flat().every(isNumber));
  if (one.isInner && isOfSeveral && words.every(isNumber) && !namesVerdict(name)) return [];
  // Who wins is one of several, whatever number or letter stands for it, unless the orders say of each what it means.
  const isSaid = announced.includes(one) && words.every((word) => word.length > 1);
  const isOfSome = (namesWinner(name) && !isSaid) || areOfRow(words, orders);
  if (isOfSome && lettersExplained(words, orders).length === 0) return [];
  if (words.every(isNumber))
    return [
      { kind: 'score', ...where },
      { kind: 'score', ...where, ...scale },
    ];
  const isWord = (word: string) =>
    word.length <= LONGEST_FRAME && (/^\p{L}[\p{L}\p{M}\p{N} _+-]*$/u.test(word) || SYMBOL.test(word));
  // What is said alone is a sentence where it has more than two words.
  const isSentence = name === '' && words.some((word) => word.split(/\s+/).length > 2);
  if (isSentence || words.length > MOST_CATEGORIES || !words.every(isWord)) return [];
  const pair = oppositesAmong(words);
  const polarity = saysRight(name) ? 'higher' : polarityOfWords(words, name, orders);
  const good = polarity === 'higher' ? {} : { good: polarity === 'lower' ? false : polarity };
  return [
    { kind: 'pass', ...(where.field !== undefined && { field: where.field }), ...good },
    ...(pair
      ? [
          {
            kind: 'pass' as const,
            // Of `safe` and `unsafe` the words tell which is good, whatever the field is called.
            labels: polarity === 'lower' && areYesAndNo(pair) ? pair.toReversed() : pair,
            ...where,
            ...(polarity === 'unknown' && areYesAndNo(pair) && { good: polarity }),
          },
        ]
      : []),
    ...(words.some(isOffered) || orders === ''
      ? [{ kind: 'category' as const, labels: [...wordsOffered(words, orders, words)], ...where }]
      : []),
  ];
}

/**
 * A verdict for each of several things: a list of entries that differ in one short value (`{"checks": [{"ok": true}]}`), a
 * list of such values, the same words as often as there is something to judge (`[Attributed]`), or several places with
 * numbers or truths (`{"coherence": 4, "fluency": 5}`).
 */
export function inLists(places: readonly ReplyPlace[], orders: string): VerdictFile[] {
  const verdicts = places.filter((place) => !isGround(place) && isVerdictWord(place));
  const lists = verdicts.filter(({ isList, where, values }) => {
    const repeats = new Set(values.flat()).size < values.flat().length;
    if (isList) return where.item === undefined || (varies(values) && repeats);
    return values.some(({ length }) => length > 1) && varies(values) && repeats;
  });
  const [list, ...more] = lists;
  if (list) return more.length === 0 ? [{ kind: 'list', ...list.where }] : [];
  if (places.some(({ isList }) => isList)) return [];
  const isCount = ({ values }: ReplyPlace) =>
    values.flat().every((word) => isNumber(word) || TRUTH.test(word) || occurrences(orders, word).length > 0);
  const changing = singles(verdicts).filter(({ values }) => varies(values));
  // `| Criterion | Score |`
  const isHead = ({ where, values }: ReplyPlace) =>
    where.template?.startsWith('|') && !varies(values) && !values.flat().every(isNumber);
  const each = singles(verdicts).filter((place) => isCount(place) && !isHead(place));
  const isOneKind = [isNumber, (word: string) => !isNumber(word)].some((is) =>
    each.every(({ values }) => values.flat().every(is)),
  );
  // Counts of mistakes beside a mark from 0 to 100 are no marks by several criteria.
  const tops = each.map(({ values }) =>
    Math.max(...values.flat().map((word) => Number.parseFloat(word) || 0)),
  );
  const isOneScale = Math.max(...tops) <= MOST_APART * Math.max(1, Math.min(...tops));
  if (each.length < 2 || changing.length === 0 || !changing.every(isCount) || !isOneKind || !isOneScale)
    return [];
  const fields = each.flatMap(({ where: { field } }) => field ?? []);
  const templates = each.flatMap(({ where: { template } }) => template ?? []);
  return fields.length > 0 ? [{ kind: 'list', fields }] : [{ kind: 'list', template: templates.join('\n') }];
}

/** How many times as high the highest number of one place may be as that of another. */
const MOST_APART = 10;

/** Whether what stands in a place may be a verdict: a short word in JSON, one of a few in plain text. */
function isVerdictWord({ where, values }: ReplyPlace): boolean {
  const words = new Set(values.flat());
  return [...words].every(isShortWord) || (where.template !== undefined && words.size <= MOST_CATEGORIES);
}
