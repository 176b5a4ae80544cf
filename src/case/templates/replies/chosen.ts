/** Which option a reply chooses: the forms of a name, a place or a degree in one place of all replies. */

import { labelKey } from '../../counterfactual.ts';
import { codesExplained, explainedIn, optionMarked, withNamesMarked } from '../../form/explained.ts';
import { highestAsked, lettersExplained, wordsOffered } from '../../form/words-asked.ts';
import { namesLoser } from '../../form/worse-asked.ts';
import type { VerdictFile } from '../../verdicts/index.ts';
import { withDigits } from '../../verdicts/spelling.ts';
import {
  concludes,
  fieldSays,
  isBesideAsNumber,
  namesVerdict,
  namesWinner,
} from '../../words/field-names.ts';
import { occurrences } from '../../words/occurrences.ts';
import {
  followsInOrder,
  lowerCased,
  NEITHER,
  onlyDifference,
  ordinalsAt,
  placesInOrder,
  rolesOfLabel,
  wordsOfLabel,
} from '../../words/vocabulary.ts';
import { hasWord } from '../align/tokens.ts';
import { isName, LONGEST_FRAME, optionNamed, spellings, WORDS_OF_NAME, withoutName } from './option-names.ts';
import {
  isGround,
  isNumber,
  type ReplyPlace,
  singles,
  soleEntries,
  varies,
  withoutSigns,
} from './reply-places.ts';

export type ChoiceFile = Extract<VerdictFile, { kind: 'choice' }>;

/** The keys of the options' names, where most replies are one of them and nothing else. */
export function bare(replies: readonly string[], labels: readonly string[]): ChoiceFile[] {
  const keys = labels.map(labelKey);
  const plain = replies.filter((reply) => keys.includes(reply.trim())).length;
  return 2 * plain > replies.length ? [{ kind: 'choice', labels: keys }] : [];
}

/** Names with signs in them, as files and models have, where the first or last line of most replies is one: `drafts/new.md`. */
export function namesWithSigns(replies: readonly string[], labels: readonly string[]): ChoiceFile[] {
  const ends = replies.flatMap((reply) => {
    const lines = reply.trim().split('\n');
    const found = [lines.at(0), lines.at(-1)].flatMap((line = '') =>
      labels.flatMap((label) => (line.startsWith(label) ? [line.slice(label.length).trim()] : [])),
    );
    return found.filter((end) => FILE_TYPE.test(end)).slice(0, 1);
  });
  const [end = '', ...others] = new Set(ends);
  const names = labels.map((label) => label + end);
  const haveSigns = names.every((name) => /[^\p{L}\p{M}\p{N}\s_-]/u.test(name));
  const isMost = 2 * ends.length > replies.length && others.length === 0;
  return isMost && haveSigns ? [{ kind: 'choice', labels: names }] : [];
}

/** What a judge may say behind the name of a file, or nothing. */
const FILE_TYPE = /^(?:\.[a-z]{1,5})?$/;

/** Whether the orders offer all options side by side, in the place in which the judge names one of them. */
export function offers(orders: string, { labels = [], field, template = '{}' }: ChoiceFile): boolean {
  const lead = withoutSigns(field ?? template.split('{}')[0] ?? '');
  const isOffer = (line: string) =>
    line.includes(lead) && labels.every((label) => occurrences(line, label).length > 0);
  return labels.length > 1 && orders.split('\n').some(isOffer);
}

/** One place that holds the name of an option in nearly all replies, or its place among them. */
export function inPlaces(
  places: readonly ReplyPlace[],
  labels: readonly string[],
  orders: string,
): ChoiceFile[] {
  const names = places.map(({ name }) => wordsOfLabel(name).join(' '));
  const numbers = new Set(
    singles(places).filter(
      (place) =>
        !isGround(place) &&
        !isBesideAsNumber(place.name) &&
        !fieldSays(place.name, 'count') &&
        varies(place.values) &&
        place.values.flat().every(isNumber) &&
        // `{"carve": 2, "points": {"1": 50, "2": 77}}`
        !isOfOne(place.name, names, labels),
    ),
  );
  const offered = [...numbers].filter(({ name }) => isOfferedAsChoice(name, labels.length, orders));
  const called = [...numbers].filter(({ name }) => namesVerdict(name) || isAnswer(name));
  const conclude = offered.length > 0 ? offered : called;
  const fits = ({ values }: ReplyPlace) =>
    values.flat().every((word) => Number(withDigits(word.trim())) <= labels.length);
  // Of `{"verdict": 2, "score": 8}` the one whose numbers are all of options.
  const [verdict, ...verdicts] = conclude.length > 1 ? conclude.filter(fits) : conclude;
  const isAlike = ({ name }: ReplyPlace) =>
    [...numbers].some((other) => other.name !== name && haveWordInCommon(name, other.name));
  /** Whether a number stands beside others and is not called what is chosen: `{"old_score": 1, "new_score": 2}`. */
  const isOneOfMarks = (place: ReplyPlace) =>
    numbers.size > 1 &&
    numbers.has(place) &&
    !namesWinner(place.name) &&
    (verdicts.length > 0 || verdict !== place || isAlike(place));
  // Of winners by criterion and over all the last is the verdict.
  const rankOf = ({ name }: ReplyPlace) =>
    (namesVerdict(name) ? 0 : namesWinner(name) ? 1 : 2) + (concludes(name) ? 0 : 2);
  const ranked = [...singles(places), ...soleEntries(places)]
    .filter(({ name }) => !namesLoser(name))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  const found = ranked.flatMap((place) => formsIn(place).map((form) => ({ place, form })));
  const keyOf = ({ field, template }: ChoiceFile) => field ?? template ?? null;
  const stated = found.filter(({ form }) => keyOf(form) !== null);
  const columns = new Map(stated.map(({ place: { values } }) => [JSON.stringify(values), values.flat()]));
  const isTold =
    found.some(({ place }) => rankOf(place) < 2) ||
    (stated.every(({ place }) => varies(place.values)) &&
      (columns.size === 1 || isOrder([...columns.values()])));
  if (new Set(stated.map(({ form }) => keyOf(form))).size < 2 || isTold) return found.map(({ form }) => form);
  // Which of several criteria is the verdict nothing tells, unless it stands above the others.
  const [above, ...others] = stated.filter(({ place }) => !place.isInner);
  const told = others.length === 0 ? above : undefined;
  return found.flatMap((one) => (one === told || keyOf(one.form) === null ? [one.form] : []));

  /** Whether places in plain text name all options between them in each reply, the best first. */
  function isOrder([first = [], ...others]: readonly (readonly string[])[]): boolean {
    return (
      others.length === labels.length - 1 &&
      stated.every(({ form }) => form.field === undefined) &&
      first.every((word, n) => new Set([word, ...others.map((words) => words[n])]).size === labels.length)
    );
  }

  function formsIn(place: ReplyPlace): ChoiceFile[] {
    const { where, name, values, isAll } = place;
    const { field, template } = where;
    const words = values.flat();
    // `{"chosen": "A", "rejected": "B"}`, though an option may be called Chosen, too.
    const saysWhich = namesWinner(name) && words.every((word) => isName(word.trim(), labels));
    if (isGround(place) || (!saysWhich && isOfOne(name, names, labels))) return [];
    if (areMarks(words, labels, orders, field, isOneOfMarks(place))) return [];
    const offered = wordsOffered(words, orders, wordsFramed(words, template, orders));
    const explained =
      [words, [...words, ...offered]]
        .flatMap((some) => [template, ...LISTED].map((frame) => explainedAs(some, frame)))
        .find((found) => found !== null) ?? null;
    // `0 if Draft 1 is better, 1 if Draft 2 is`: numbers that are names of options may stand for others.
    const isNamed = words.some((word) => isName(word, labels)) && !codesTold(words);
    const spelled =
      byDegrees(words, labels, orders) ??
      (isNamed ? null : explained) ??
      spelledIn(words, labels, orders, offered) ??
      explained;
    // What only opens a reply, or ends it, may be a word of its reasons, unless it is a name and nothing else, or a letter for a tie.
    const isBare = field === undefined && template === undefined && !isAll;
    const isTie = (word: string) => spelled?.tie === word && lettersExplained(words, orders).includes(word);
    const isMeant = (word: string) =>
      isName(word, labels) || (word.length < 3 && (spelled?.labels?.includes(word) || isTie(word)));
    if (!spelled || (isBare && !words.every(isMeant))) return [];
    const { tie: other, ...named } = spelled;
    const tie =
      other === undefined || NEITHER.test(other)
        ? {}
        : { tie: (template ?? '{}').replace('{}', () => other) };
    return [{ kind: 'choice', ...named, ...where, ...tie }];
  }

  function codesTold(words: readonly string[]): boolean {
    const told = codesExplained(orders, labels);
    return told !== null && told !== 'mismatch' && words.some((word) => told.labels.includes(word.trim()));
  }

  function explainedAs(words: readonly string[], frame = '{}'): Pick<ChoiceFile, 'labels' | 'tie'> | null {
    const told = explainedIn(words, labels, frame, orders, (piece) => optionMeant(piece, labels));
    return told && { labels: [...told.labels], ...(told.tie !== undefined && { tie: told.tie }) };
  }
}

const haveWordInCommon = (name: string, other: string) =>
  wordsOfLabel(name).some((word) => wordsOfLabel(other).includes(word));

/** Whether a field is called an answer and nothing more: a number there says which one. */
const isAnswer = (name: string) =>
  wordsOfLabel(name).length === 1 && rolesOfLabel(name).some(([role]) => role === 'answer');

/** Whether the orders give a field the numbers of the options and no others: `"pick": 1 or 2`. */
function isOfferedAsChoice(name: string, count: number, orders: string): boolean {
  const [, ...pieces] = name === '' ? [] : orders.split(`"${name}":`);
  return pieces.some((piece) => {
    const [value = ''] = /^[^,\n}]{1,80}/.exec(piece) ?? [];
    const numbers = new Set(value.match(/\d+/g)?.map(Number));
    return (
      numbers.size >= count &&
      [...numbers].every((number) => number <= count) &&
      // `0 to 2` is a scale.
      !(numbers.has(0) && /\d\s?(?:[-–]|to)\s?\d/.test(value))
    );
  });
}

/** Whether a place tells of one option alone: it is called as the option is, or another place is called after the next one. */
function isOfOne(path: string, names: readonly string[], labels: readonly string[]): boolean {
  const own = wordsOfLabel(path);
  const last = wordsOfLabel(path.split('.').at(-1) ?? '').join(' ');
  const keys = labels.map((label) => lowerCased(labelKey(label)));
  const areTwo = (a: string, b: string) =>
    (keys.includes(a) && keys.includes(b)) || followsInOrder(a, b) || followsInOrder(b, a);
  return (
    [...keys, ...labels.map((label) => wordsOfLabel(label).join(' '))].includes(last) ||
    names.some((name) => {
      const other = name.split(' ');
      const at = onlyDifference(own, other);
      return at !== null && areTwo(own[at] ?? '', other[at] ?? '');
    })
  );
}

/**
 * How options are spelled in the words of a judge that choose one each: by their names, or by their place (`first`, or 0).
 * One other word is a tie, where two options were named as well, or all of two.
 */
function spelledIn(
  words: readonly string[],
  labels: readonly string[],
  orders: string,
  wordsBeside: readonly string[],
): Pick<ChoiceFile, 'labels' | 'tie'> | null {
  const byName = words.map((word) => optionNamed(word, labels));
  // Sentences of which each names an option are reasons, unless they say the same of all.
  const frames = new Set(
    words.flatMap((word, n) => (byName[n] === -1 ? [] : withoutName(word, byName[n] ?? 0, labels))),
  );
  if (frames.size > 1 && words.some((word) => wordsOfLabel(word).length > WORDS_OF_NAME)) return null;
  // Who says -1 counts from 0, whatever the options are called.
  const isNamed = byName.some((option) => option >= 0) && !words.some((word) => word.trim() === '-1');
  const offered = isNamed ? [] : wordsBeside;
  const explained = new Set([...words, ...offered].map((word) => word.trim()));
  // Words that the orders explain one by one are all that can be said, for as many options or one more for a tie.
  const isOther =
    !isNamed && explained.size < labels.length && lettersExplained([...explained], orders).length > 0;
  const row =
    isNamed || isOther
      ? null
      : (placesInOrder([...words, ...offered], labels.length) ??
        numbersOffered(words, labels.length, orders));
  const options = row ? words.map((word) => row.indexOf(lowerCased(word.trim()))) : byName;
  const places = words.flatMap((word, n) => {
    const option = options[n] ?? -1;
    return option < 0 ? [] : [{ option, written: word.trim() }];
  });
  const named = new Set(places.map(({ option }) => option)).size;
  const [tie, ...more] = new Set(words.filter((_, n) => (options[n] ?? -1) < 0).map((word) => word.trim()));
  if (named === 0 || more.length > 0) return null;
  if (tie === '' || (tie?.length ?? 0) > LONGEST_FRAME) return null;
  if (tie !== undefined && named < 2 && occurrences(orders, tie).length === 0) return null;
  // Of numbers only 0 and the one behind the last are no more than two options and a tie: others are of a scale.
  if (tie !== undefined && isNumber(tie) && ![-1, 0, labels.length + 1].includes(Number(withDigits(tie))))
    return null;
  // Of numbers from 0 on nothing says whether they count the options from 0, or from 1 with 0 for a tie.
  if (tie === '0' && !places.some(({ option }) => option === labels.length - 1)) return null;
  const written = [...words, ...offered].map((word) => word.trim());
  const spelled =
    row?.map((name) => written.find((word) => lowerCased(word) === name) ?? name) ??
    spellings(places, labels);
  return spelled && { labels: [...spelled], ...(tie !== undefined && { tie }) };
}

/** The words that the orders put into the frame in which the judge says one of them: `Verdict: A if …, Verdict: B if …`. */
function wordsFramed(words: readonly string[], template: string | undefined, orders: string): string[] {
  const lead = template?.split('{}')[0] ?? '';
  if (lead.trim() === '') return [];
  const framed = orders
    .split(lead)
    .slice(1)
    .flatMap((rest) => /^[\p{L}\p{N}]{1,30}/u.exec(rest)?.[0] ?? []);
  return words.every((word) => framed.includes(word.trim())) ? framed : [];
}

/** Numbers from 0 or 1 as the orders offer them, the one of a tie last: `1, 2 or 0`. */
function numbersOffered(words: readonly string[], count: number, orders: string): readonly string[] | null {
  const said = [...new Set(words.map((word) => word.trim()))];
  if (said.length !== count + 1 || said.some((word) => !/^\d$/.test(word) || Number(word) > count))
    return null;
  for (const line of orders.split('\n')) {
    const numbers = line.match(/(?<![\p{L}\p{N}])\d+(?![\p{L}\p{N}])/gu) ?? [];
    if (numbers.length !== said.length || said.some((word) => !numbers.some((one) => one === word))) continue;
    const row = numbers.slice(0, count);
    return row.every((number, n) => n === 0 || Number(number) > Number(row[n - 1])) ? row : null;
  }
  return null;
}

/** How the orders list what may be said: `A. The first is better`, `A) …`, `A: …`. */
const LISTED = ['{}.', '{})', '{}:'];

/** A number of a scale in front of what it means: `1 (Response 1 much better)`, `7 = B is far better`. */
const MEANS =
  /(?<![\p{L}\p{N}.,-])(-?\d{1,2})\s?(?:[(（=:：]|[-–—]\s|means?\b|if\b|when\b|(?=(?:strongly |slightly |clearly )?(?:prefers?|favou?rs?)\b))\s?/gu;
const MEANING = /^(?:[^\n,;，；()（）。.]|\.(?!\s)){1,80}/u;

/** What the orders say of each number of a scale, and which option they name there; -1 where they name none. */
function meaningsIn(orders: string, labels: readonly string[]) {
  const marked = withNamesMarked(orders, labels);
  const numbers = [...marked.matchAll(MEANS)];
  return numbers.flatMap(({ 0: whole, 1: number, index }, n) => {
    const [meaning = ''] = MEANING.exec(marked.slice(index + whole.length, numbers[n + 1]?.index)) ?? [];
    const named = optionMarked(meaning, labels.length);
    const option = named >= 0 ? named : optionMeant(meaning, labels);
    return hasWord(meaning) || named >= 0 ? [{ number: Number(number), option }] : [];
  });
}

/**
 * Whether numbers are marks and name no option: the orders explain them by other words (`3 = all of it, 1 = none`), they stand beside
 * other marks, or there are more of them than options in a field that is not called after what is chosen.
 */
export function areMarks(
  words: readonly string[],
  labels: readonly string[],
  orders: string,
  field = '',
  isOneOfMarks = false,
): boolean {
  if (!words.every(isNumber)) return false;
  const said = new Set(words.map((word) => Number(withDigits(word.trim()))));
  const explained = meaningsIn(orders, labels);
  if (explained.some(({ option }) => option >= 0)) return false;
  if (isOneOfMarks) return true;
  if (new Set(explained.flatMap(({ number }) => (said.has(number) ? [number] : []))).size > 1) return true;
  if (field === '' || namesWinner(field)) return false;
  // `"grade": <1-5>`
  const shown = orders.split(`"${field}":`).slice(1);
  if (shown.some((piece) => highestAsked(piece.split(/[,\n}]/, 1).join()) > labels.length)) return true;
  return said.size > labels.length && !namesVerdict(field);
}

/**
 * Whether replies are a number and nothing else, where the orders give a range for more of them than there are options (`Rate it from
 * 1 to 5`) and do not say which option a number of it is for.
 */
export const areOnScale = (replies: readonly string[], labels: readonly string[], orders: string): boolean =>
  replies.every((reply) => isNumber(reply.trim())) &&
  highestAsked(orders) > labels.length &&
  meaningsIn(orders, labels).every(({ option }) => option < 0);

/** Fewer numbers name an option each, or a tie. */
const LEAST_DEGREES = 4;

const MOST_DEGREES = 11;

/**
 * Numbers of a scale that leads from one of two options to the other: `1 (A is much better) to 5 (B is much better)`. The
 * orders say which end is whose.
 */
function byDegrees(
  words: readonly string[],
  labels: readonly string[],
  orders: string,
): Pick<ChoiceFile, 'labels' | 'strong' | 'tie'> | null {
  if (labels.length !== 2 || !words.every(isNumber)) return null;
  const meant = meaningsIn(orders, labels);
  const numbers = meant.map(({ number }) => number);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const count = high - low + 1;
  if (count < LEAST_DEGREES || count > MOST_DEGREES) return null;
  const isWithin = (word: string) => {
    const number = Number(withDigits(word));
    return Number.isInteger(number) && number >= low && number <= high;
  };
  const middle = (low + high) / 2;
  const ownersOf = (isSide: (number: number) => boolean) =>
    new Set(meant.flatMap(({ number, option }) => (isSide(number) && option >= 0 ? [option] : [])));
  const [lower, upper] = [ownersOf((one) => one < middle), ownersOf((one) => one > middle)];
  const isTold = lower.size === 1 && upper.size === 1 && lower.isDisjointFrom(upper);
  if (!isTold || ownersOf((one) => one === middle).size > 0 || !words.every(isWithin)) return null;
  const isReversed = lower.has(1);
  const degrees = Array.from({ length: Math.floor(count / 2) }, (_, n) => {
    const pair = [Math.ceil(middle) - 1 - n, Math.floor(middle) + 1 + n].map(String);
    return isReversed ? pair.toReversed() : pair;
  });
  const [nearest = [], ...further] = degrees;
  return {
    labels: nearest,
    strong: further.flat(),
    ...(Number.isInteger(middle) && { tie: String(middle) }),
  };
}

/** The option that a clause names, by its name or by its place (`the first note`); -1 for none. */
function optionMeant(clause: string, labels: readonly string[]): number {
  const named = optionNamed(clause, labels);
  const counted = labels.map((_, place) => ordinalsAt(place));
  const places = counted.flatMap((words, place) =>
    words.some((word) => occurrences(clause.toLowerCase(), word).length > 0) ? [place] : [],
  );
  return named >= 0 || places.length !== 1 ? named : (places[0] ?? -1);
}
