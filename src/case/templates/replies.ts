/**
 * The form of a verdict from the replies of a template, where its texts do not tell: what stands in the same place of all
 * replies, and what it says of the options (`Gewinner: B`, `<verdict>2</verdict>`, `[1] Score: 5`, `{"order": ["b", "a"]}`).
 */
import { labelKey } from '../counterfactual.ts';
import type { Verdict, VerdictForm } from '../types.ts';
import { readVerdict } from '../verdict.ts';
import { formFromFile, forOptions, isUnderstood, type VerdictFile } from '../verdicts/index.ts';
import { polarityOf, polarityOfWords } from '../verdicts/pass.ts';
import { ANY_NUMBER, cellsOf } from '../verdicts/reading/frames.ts';
import { isBeside } from '../verdicts/reading/json.ts';
import { ownWords } from '../verdicts/reading/own-words.ts';
import { namesFor, withDigits } from '../verdicts/spelling.ts';
import {
  beginsAnOrder,
  followsInOrder,
  lowerCased,
  NEITHER,
  namesVerdict,
  namesWinner,
  ordinalsAt,
  placesInOrder,
  rolesOfLabel,
  wordsOfLabel,
} from '../vocabulary.ts';
import { areYesAndNo, lettersExplained, oppositesAmong, wordsOffered } from './form.ts';
import { findReplyPlaces, isNumber, type ReplyPlace, withoutSigns } from './reply-places.ts';
import { onlyDifference } from './siblings.ts';
import { hasWord } from './tokens.ts';

/** Replies that are looked at before a form is believed. */
export const LEAST_REPLIES = 3;
/** Share of the replies that a form must read. */
const LEAST_READ = 0.95;
/** Characters of a frame in front of a name, or behind it. */
const LONGEST_FRAME = 40;
const LONGEST_LINE = 400;

type Choice = Extract<VerdictFile, { kind: 'choice' }>;

/** A name of an option as it stands in a reply. */
interface Place {
  readonly option: number;
  readonly written: string;
}

/**
 * @param replies what the judge said, the latest last
 * @param labels the options' names, in order; of one answer whatever it is called
 * @param orders the template's own words, which may announce what is replied
 * @param more whether each reply is on as many options as came
 * @returns null where no one form reads 95 % of the replies, or all of them choose the same and the orders offer nothing else
 *
 * @example formFromReplies(['Gewinner: B', 'Gewinner: A', 'Gewinner: B'], ['A', 'B']) // { template: 'Gewinner: {}', … }
 */
export function formFromReplies(
  replies: readonly string[],
  labels: readonly string[],
  orders = '',
  more = false,
): VerdictFile | null {
  if (replies.length < LEAST_REPLIES) return null;
  const said = replies.map(withoutThinking);
  const places = findReplyPlaces(said);
  const wholes = places.filter(({ isCounted }) => !isCounted);
  const inJson = places.some(({ where }) => where.field !== undefined);
  const candidates =
    labels.length > 1
      ? [
          ...(inJson ? [] : [...inRows(said, labels, more), ...byNumber(labels)]),
          ...inPlaces(places, labels, orders),
          ...inOrders(places, labels),
          ...inEach('scores', places, said, labels, orders, more),
          ...inGrades(said, labels),
          ...inEach('list', places, said, labels, orders),
          ...(inJson ? [] : bare(said, labels)),
        ]
      : [
          // The first of several in a list is no verdict.
          ...(said.every((reply) => numbersOn(reply.trim()).some(({ isListed }) => isListed))
            ? []
            : formsOfOne(wholes, orders, scaleIn(said))),
          ...inLists(wholes, orders),
          ...inNumberRows(said, labels, orders),
        ];
  return candidates.find((form) => fits(form, replies, labels, orders, more)) ?? null;
}

/**
 * What the replies seem to be, whatever is judged: the kind of a verdict, `names` where they name one of several texts, `none`
 * where they have no form, `open` where too few came.
 */
export function kindOfReplies(replies: readonly string[], orders: string): string {
  if (replies.length < LEAST_REPLIES) return 'open';
  const form = formFromReplies(replies, [], orders);
  const isName = form?.kind === 'category' && beginsAnOrder(form.labels.map(labelKey).toSorted());
  return isName ? 'names' : (form?.kind ?? 'none');
}

/** As it was written: full-width signs belong to the client's form. */
const withoutThinking = (reply: string) =>
  'none' in ownWords(reply) ? '' : (reply.split(/<\/think(?:ing)?>/i).at(-1) ?? '');

/**
 * Whether a form reads nearly all replies. Where none came, none speaks against it.
 *
 * @param labels the options' names, or the one of the judged text
 */
export function readsReplies(
  form: VerdictForm,
  replies: readonly string[],
  labels: readonly string[],
): boolean {
  return areRead(verdictsIn(form, replies, labels), labels);
}

/** Whether replies hold a number that is called the verdict, where a form takes another number that is not. */
export function concludesElsewhere(form: VerdictForm, replies: readonly string[]): boolean {
  const field = form.kind === 'score' ? form.field : null;
  if (field === null || namesVerdict(field)) return false;
  return singles(findReplyPlaces(replies.map(withoutThinking))).some(
    ({ name, where, values }) =>
      where.field !== undefined &&
      where.field !== field &&
      namesVerdict(name) &&
      varies(values) &&
      values.flat().every(isNumber),
  );
}

function areRead(verdicts: readonly Verdict[], labels: readonly string[]): boolean {
  // Of several options each has its own entry of a list.
  const read = verdicts.filter(
    (one) =>
      isUnderstood(one) && (one.kind !== 'list' || labels.length < 2 || one.items.length === labels.length),
  ).length;
  return verdicts.length === 0 || (read > 0 && read >= LEAST_READ * verdicts.length);
}

export function verdictsIn(
  form: VerdictForm,
  replies: readonly string[],
  labels: readonly string[],
): Verdict[] {
  const options = labels.map((label) => ({ label }));
  return replies.map((reply) => readVerdict(reply, form, options));
}

/** Options that are thought of where nothing says how many a reply is on. */
const MOST_OPTIONS = 10;

/** The verdicts of replies of which each is on as many options as came, the first of which are called by the labels. */
export function verdictsOnAny(
  file: VerdictFile,
  replies: readonly string[],
  labels: readonly string[],
): Verdict[] {
  const counts = Array.from({ length: MOST_OPTIONS - 1 }, (_, n) => n + 2);
  const forms = [labels.length, ...counts].flatMap((count) => {
    const form = forOptions(file, count);
    return form ? [{ form: formFromFile(form), names: namesFor(labels, count) ?? labels }] : [];
  });
  return replies.map((reply) => {
    const none: Verdict = { kind: 'none', reason: 'no-label', text: reply };
    for (const { form, names } of forms) {
      const [verdict = none] = verdictsIn(form, [reply], names);
      if (verdict.kind !== 'none') return verdict;
    }
    return none;
  });
}

/** Nearly all are read, not all alike, and none in another way than its words were read without the form. */
function fits(
  form: VerdictFile,
  replies: readonly string[],
  labels: readonly string[],
  orders: string,
  more: boolean,
): boolean {
  const verdicts = more
    ? verdictsOnAny(form, replies, labels)
    : verdictsIn(formFromFile(form), replies, labels);
  if (!areRead(verdicts, labels)) return false;
  if (form.kind === 'score')
    return new Set(verdicts.map((one) => JSON.stringify({ ...one, text: '' }))).size > 1;
  if (form.kind !== 'choice') return true;
  const options = verdicts.flatMap((verdict) => (verdict.kind === 'choice' ? [verdict.option] : []));
  // A number of a scale is no name: `2` of five says that the first is better.
  const inWords = form.strong ? [] : verdictsIn(formFromFile({ kind: 'choice' }), replies, labels);
  const agree = inWords.every((words, n) => {
    const verdict = verdicts[n];
    return words.kind !== 'choice' || verdict?.kind !== 'choice' || words.option === verdict.option;
  });
  return agree && (new Set(options).size > 1 || offers(orders, form));
}

/** The keys of the options' names, where most replies are one of them and nothing else. */
function bare(replies: readonly string[], labels: readonly string[]): Choice[] {
  const keys = labels.map(labelKey);
  const plain = replies.filter((reply) => keys.includes(reply.trim())).length;
  return 2 * plain > replies.length ? [{ kind: 'choice', labels: keys }] : [];
}

/** Whether the orders offer all options side by side, in the place in which the judge names one of them. */
function offers(orders: string, { labels = [], field, template = '{}' }: Choice): boolean {
  const lead = withoutSigns(field ?? template.split('{}')[0] ?? '');
  const isOffer = (line: string) =>
    line.includes(lead) && labels.every((label) => occurrences(line, label).length > 0);
  return labels.length > 1 && orders.split('\n').some(isOffer);
}

/** One place that holds the name of an option in nearly all replies, or its place among them. */
function inPlaces(places: readonly ReplyPlace[], labels: readonly string[], orders: string): Choice[] {
  const names = places.map(({ name }) => wordsOfLabel(name).join(' '));
  // Of winners by criterion and over all the last is the verdict.
  const rankOf = ({ name }: ReplyPlace) => (namesVerdict(name) ? 0 : namesWinner(name) ? 1 : 2);
  const ranked = [...singles(places), ...soleEntries(places)].toSorted((a, b) => rankOf(a) - rankOf(b));
  const found = ranked.flatMap((place) => formsIn(place).map((form) => ({ place, form })));
  const keyOf = ({ field, template }: Choice) => field ?? template ?? null;
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

  function formsIn(place: ReplyPlace): Choice[] {
    const { where, name, values, isAll } = place;
    const { field, template } = where;
    if (isGround(place) || isOfOne(name, names, labels)) return [];
    const words = values.flat();
    if (areMarks(words, labels, orders, field)) return [];
    const explained =
      [template, ...LISTED]
        .map((frame) => explainedIn(words, labels, frame, orders))
        .find((found) => found !== null) ?? null;
    const isNamed = words.some((word) => isName(word, labels));
    const spelled =
      byDegrees(words, labels, orders) ??
      (isNamed ? null : explained) ??
      spelledIn(words, labels, orders) ??
      explained;
    // What only opens a reply, or ends it, may be a word of its reasons, unless it is a name and nothing else.
    const isBare = field === undefined && template === undefined && !isAll;
    const isMeant = (word: string) =>
      isName(word, labels) || (word.length < 3 && spelled?.labels?.includes(word));
    if (!spelled || (isBare && !words.every(isMeant))) return [];
    const { tie: other, ...named } = spelled;
    const tie =
      other === undefined || NEITHER.test(other)
        ? {}
        : { tie: (template ?? '{}').replace('{}', () => other) };
    return [{ kind: 'choice', ...named, ...where, ...tie }];
  }
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

/** The places that hold one value in each reply. */
const singles = (places: readonly ReplyPlace[]) =>
  places.filter(({ isList, values }) => !isList && values.every(({ length }) => length === 1));

/** The lists that hold one value in each reply, as where the best of several is asked for: `{"selected": [2]}`. */
const soleEntries = (places: readonly ReplyPlace[]) =>
  places.filter(
    ({ isList, where, values }) =>
      isList && where.item === undefined && values.every(({ length }) => length === 1),
  );

/**
 * How options are spelled in the words of a judge that choose one each: by their names, or by their place (`first`, or 0).
 * One other word is a tie, where two options were named as well, or all of two.
 */
function spelledIn(
  words: readonly string[],
  labels: readonly string[],
  orders: string,
): Pick<Choice, 'labels' | 'tie'> | null {
  const byName = words.map((word) => optionNamed(word, labels));
  // Sentences of which each names an option are reasons, unless they say the same of all.
  const frames = new Set(
    words.flatMap((word, n) => (byName[n] === -1 ? [] : withoutName(word, byName[n] ?? 0, labels))),
  );
  if (frames.size > 1 && words.some((word) => wordsOfLabel(word).length > WORDS_OF_NAME)) return null;
  // Who says -1 counts from 0, whatever the options are called.
  const isNamed = byName.some((option) => option >= 0) && !words.some((word) => word.trim() === '-1');
  const offered = isNamed ? [] : wordsOffered(words, orders);
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
  const spelled = row ?? spellings(places, labels);
  return spelled && { labels: [...spelled], ...(tie !== undefined && { tie }) };
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

/** Words of a text that names an option; more are a sentence. */
const WORDS_OF_NAME = 2;

/** What a text says beside the name of an option. */
function withoutName(text: string, option: number, labels: readonly string[]): string {
  const written =
    namesOf(labels[option] ?? '', labels).find((name) => occurrences(text, name).length > 0) ?? '';
  const at = text.indexOf(written);
  return `${text.slice(0, at)}{}${text.slice(at + written.length)}`;
}

/** How the orders list what may be said: `A. The first is better`, `A) …`, `A: …`. */
const LISTED = ['{}.', '{})', '{}:'];

/** The full stop of `A. The first is better` ends none. */
const CLAUSE_END = /[\n,;，；。]|(?<!^[ \t]{0,4}[\p{L}\p{N}])\.\s/mu;

/**
 * What the orders say of each word in its clause, behind it or before it: `[[1]] if ANSWER ONE is better`, `A is better: 1`.
 * The last word is the last option's. One word more, of which they name no option, is a tie.
 */
function explainedIn(
  words: readonly string[],
  labels: readonly string[],
  template = '{}',
  orders = '',
): Pick<Choice, 'labels' | 'tie'> | null {
  const own = [...new Set(words.map((word) => word.trim()))];
  if (own.length > labels.length + 1) return null;
  // `From 1 to 5` is a scale, and does not say that 5 is for option 1.
  if (own.some(isNumber) && labels.some(isNumber)) return null;
  const frames = own.map((word) => template.replace('{}', () => word));
  const clauses = orders.split(CLAUSE_END).map((clause) => {
    const at = frames.flatMap((frame, word) =>
      occurrencesOf(clause, frame).map((start) => ({ word, start, end: start + frame.length })),
    );
    return { clause, places: at.toSorted((a, b) => a.start - b.start) };
  });
  const explained = [true, false].flatMap((isBehind) => {
    const said = clauses.flatMap(({ clause, places }) =>
      places.map(({ word, start, end }, n) => {
        const behind = clause.slice(end, places[n + 1]?.start).slice(0, LONGEST_FRAME);
        const before = clause.slice(places[n - 1]?.end ?? 0, start).slice(-LONGEST_FRAME);
        return { word, option: optionMeant(isBehind ? behind : before, labels) };
      }),
    );
    const meant = own.map((_, word) => {
      const options = new Set(
        said.flatMap((one) => (one.word === word && one.option >= 0 ? one.option : [])),
      );
      return options.size === 1 ? ([...options][0] ?? -1) : -1;
    });
    const open = labels.flatMap((_, option) => (meant.includes(option) ? [] : [option]));
    const isWhole = open.length === 0;
    const silent = own.filter((_, word) => meant[word] === -1 && !said.some((one) => one.word === word));
    const rest = own.length === labels.length ? own.filter((_, word) => meant[word] === -1) : silent;
    if (open.length === 1 && rest.length === 1 && choosesBetween(own, orders))
      meant[own.indexOf(rest[0] ?? '')] = open[0] ?? -1;
    const spelled = labels.map((_, option) => own.filter((_word, n) => meant[n] === option));
    const [tie, ...more] = own.filter((_, n) => meant[n] === -1);
    if (more.length > 0 || !spelled.every(({ length }) => length === 1)) return [];
    return [{ isWhole, labels: spelled.flat(), ...(tie !== undefined && { tie }) }];
  });
  // What names each option tells more than what leaves one open.
  const [one, other = one] = (
    explained.some(({ isWhole }) => isWhole) ? explained.filter(({ isWhole }) => isWhole) : explained
  ).map(({ isWhole: _, ...spelled }) => spelled);
  return JSON.stringify(one) === JSON.stringify(other) ? (one ?? null) : null;
}

/** Whether words may stand for an option each: `CORRECT` and `INCORRECT` say whether two are the same, unless one is to be better. */
const choosesBetween = (words: readonly string[], orders: string) =>
  oppositesAmong(words) === null || BETTER.test(orders);

const BETTER = /\b(?:better|prefer\w{0,9}|superior|stronger|wins?|winner|beats?|outperforms?)\b/i;

/** A number of a scale with what it means: `1 (Response 1 much better)`, `7 = B is far better`. */
const MEANT =
  /(?<![\p{L}\p{N}.,-])(-?\d{1,2})\s?(?:[(（=:：]|[-–—]\s|means?\b|if\b|when\b)\s?([^\n,;，；()（）]{1,80})/gu;
/** What the orders say of each number of a scale, and which option they name there; -1 where they name none. */
const meaningsIn = (orders: string, labels: readonly string[]) =>
  Array.from(orders.matchAll(MEANT), ([, number = '', meaning = '']) => ({ number, meaning }))
    .filter(({ meaning }) => hasWord(meaning))
    .map(({ number, meaning }) => ({ number: Number(number), option: optionMeant(meaning, labels) }));

/**
 * Whether numbers are marks and name no option: the orders explain them by other words (`3 = all of it, 1 = none`), or there are
 * more of them than options in a field that is not called after what is chosen.
 */
function areMarks(words: readonly string[], labels: readonly string[], orders: string, field = ''): boolean {
  if (!words.every(isNumber)) return false;
  const said = new Set(words.map((word) => Number(withDigits(word.trim()))));
  const explained = meaningsIn(orders, labels);
  if (explained.some(({ option }) => option >= 0)) return false;
  if (new Set(explained.flatMap(({ number }) => (said.has(number) ? [number] : []))).size > 1) return true;
  return field !== '' && said.size > labels.length && !namesWinner(field) && !namesVerdict(field);
}

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
): Pick<Choice, 'labels' | 'strong' | 'tie'> | null {
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

/**
 * A number for each option, or a word: in places that have its name. Numbers may stand in a list, too, or where the same
 * words stand as often in each reply.
 */
function inEach(
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
  const isRank =
    (labels.length > 2 || chosen.every(({ where: { field = '' } }) => /rank/i.test(field))) &&
    ranks.every((row) => row.toSorted((a, b) => a - b).every((rank, n) => rank === n + 1));
  if (kind === 'scores' && fields.length > 0 && isRank)
    return [{ kind: 'ranking', labels: [...labels], fields }];
  // Numbers that are called ranks are the options' places, or the options in their order: nothing says which.
  const isOpen =
    each !== undefined &&
    /rank/i.test(each.name) &&
    each.values.every((row) =>
      row
        .map(Number)
        .toSorted((a, b) => a - b)
        .every((rank, n) => rank === n + 1),
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
function inNumberRows(replies: readonly string[], labels: readonly string[], orders: string): VerdictFile[] {
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

/** A line of numbers with the same sign between them, and what it is called. */
function numbersOn(line: string) {
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

/** Which of two is better, and by how much, in the same frame: `A>>B`, `Verdict: B > A`. */
function inGrades(replies: readonly string[], labels: readonly string[]): Choice[] {
  const own = ownParts(labels);
  return [labels.map(labelKey), labels.map((label) => own.get(label) ?? label)].flatMap((names) =>
    gradesOf(replies, names),
  );
}

function gradesOf(replies: readonly string[], names: readonly string[]): Choice[] {
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
  const isWhole = found.length >= LEAST_READ * replies.length && names.length === 2;
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

/** All options in an order, the best first, on a line of their own or behind the same words: `Rang: S2 > S1 > S3`. */
function inRows(replies: readonly string[], labels: readonly string[], more: boolean): VerdictFile[] {
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
    const orders = new Set(rows.map(({ order }) => order.join(' ')));
    if (!first || !isOne || rows.length < LEAST_READ * replies.length || orders.size < 2) return [];
    const { template, separator } = first;
    return [{ kind: 'ranking', labels: names, separator, ...(template !== '{}' && { template }) }];
  });
}

/** All options in an order, one a line behind its number: `1. S2`, `2. S1`. */
const byNumber = (labels: readonly string[]): VerdictFile[] =>
  [labels, labels.map(labelKey)].map((names) => ({ kind: 'ranking', labels: [...names], separator: '\n' }));

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

/** All options in an order, the best first, in a list: `{"order": ["b", "a"]}`. Numbers may be scores or ranks. */
function inOrders(places: readonly ReplyPlace[], labels: readonly string[]): VerdictFile[] {
  return places.flatMap(({ isList, where: { field, item }, name, values }): VerdictFile[] => {
    if (!isList || item !== undefined || field === undefined) return [];
    const found = values.flat().map((written) => ({ written, option: optionNamed(written, labels) }));
    const isWhole = values.every((one) => one.length === labels.length && new Set(one).size === one.length);
    const isMark = values.flat().every(isNumber) && (labels.length < 3 || IS_MARK.test(name));
    const spelled =
      isWhole && !isMark && found.every(({ option }) => option >= 0) ? spellings(found, labels) : null;
    return spelled ? [{ kind: 'ranking', labels: spelled, separator: ', ', field }] : [];
  });
}

/** Names of lists that hold a number for each option. */
const IS_MARK = /scor|rating|grade|point|mark|rank(?!ing|ed)/i;

/**
 * The words that the judge says where it decides, by place: the values of one field, the entries of one list, what
 * stands behind one label; with those that the orders offer beside them.
 */
export function wordsDecided(replies: readonly string[], orders: string): string[][] {
  const said = replies.map(withoutThinking);
  const rows = said.map((reply) => (reply.split('\n').at(-1) ?? '').split('>').map((name) => name.trim()));
  const decided = [
    ...findReplyPlaces(said).map(({ values }) => values.flat()),
    ...(rows.every((row) => row.length > 1) ? [rows.flat()] : []),
  ];
  return decided.map((words) => {
    const own = [...new Set(words.map((word) => word.trim()))];
    return [...new Set([...own, ...wordsOffered(own, orders)])];
  });
}

/** Words of which one was replied, before it is taken for a text. */
const MOST_CATEGORIES = 6;
/** Whether a name says that something is right, as that of a reference does. */
const saysRight = (name: string) => rolesOfLabel(name).some(([role]) => role === 'reference');

/** Fields whose number is no mark: how sure the judge is, what it counted. */
const IS_NO_MARK = /confiden|certain|steps/i;

/** A remark that is a number each time is a mark: `Note finale: 9`, `"evidence": 4`. */
const isGround = ({ name, values }: ReplyPlace) =>
  isBeside(name) && (IS_NO_MARK.test(name) || !values.flat().every(isNumber));

/** The end of the scale where every reply has it: the 5 of `4/5`. */
function scaleIn(replies: readonly string[]): { readonly max?: number } {
  const [max, ...others] = new Set(replies.map((reply) => /\d\s?[/／]\s?(\d{1,3})(?!\d)/.exec(reply)?.[1]));
  return max === undefined || others.length > 0 ? {} : { max: Number(max) };
}

/**
 * The forms that replies on one answer could have: a number or one of a few words in one place. Of several that could be
 * the verdict the one that says so; none otherwise.
 */
function formsOfOne(
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
  const changing = singles(places).filter(
    (place) => !isGround(place) && !counts(place) && wordsOf(place).length > 1 && isVerdict(place),
  );
  const concluding = changing.filter(({ name }) => namesVerdict(name));
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
  const right = inAWord.filter(
    (place) => wordsOf(place).every((word) => TRUTH.test(word)) && saysRight(place.name),
  );
  const [one, ...more] =
    [concluding, outermost, inAWord, announced, numbers, right].find(({ length }) => length === 1) ??
    changing;
  // A number that stands behind other words in each reply, or alone: `Accuracy: 85 %`, `20 %`.
  if (!one) return [{ kind: 'score' }, { kind: 'score', ...scale }];
  if (more.length > 0) return [];
  const { name, where } = one;
  const words = wordsOf(one);
  // One of several marks in an object of their own, of which the others were the same each time.
  const isOfSeveral = singles(places).some(
    (other) => other !== one && other.isInner && other.values.flat().every(isNumber),
  );
  if (one.isInner && isOfSeveral && words.every(isNumber) && !namesVerdict(name)) return [];
  // Who wins is one of several, whatever number or letter stands for it, unless the orders say of each what it means.
  const isSaid = announced.includes(one) && words.every((word) => word.length > 1);
  if (namesWinner(name) && !isSaid && lettersExplained(words, orders).length === 0) return [];
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
            labels: polarity === 'lower' ? pair.toReversed() : pair,
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
function inLists(places: readonly ReplyPlace[], orders: string): VerdictFile[] {
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
  const each = singles(verdicts).filter(isCount);
  const isOneKind = [isNumber, (word: string) => !isNumber(word)].some((is) =>
    each.every(({ values }) => values.flat().every(is)),
  );
  if (each.length < 2 || changing.length === 0 || !changing.every(isCount) || !isOneKind) return [];
  const fields = each.flatMap(({ where: { field } }) => field ?? []);
  const templates = each.flatMap(({ where: { template } }) => template ?? []);
  return fields.length > 0 ? [{ kind: 'list', fields }] : [{ kind: 'list', template: templates.join('\n') }];
}

/** Whether what stands in a place may be a verdict: a short word in JSON, one of a few in plain text. */
function isVerdictWord({ where, values }: ReplyPlace): boolean {
  const words = new Set(values.flat());
  return [...words].every(isShortWord) || (where.template !== undefined && words.size <= MOST_CATEGORIES);
}

/** Whether not all replies have the same there. */
const varies = (values: ReplyPlace['values']) => new Set(values.map((some) => JSON.stringify(some))).size > 1;

const TRUTH = /^(?:true|false)$/;

/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Letters of a word in these scripts; more are a sentence. */
const LONGEST_UNSPACED = 8;

/** Whether a value is a verdict rather than a text: a number, a truth, or a word. */
const isShortWord = (text: string) =>
  isNumber(text) ||
  SYMBOL.test(text.trim()) ||
  ((text.trim().length <= LONGEST_UNSPACED || !UNSPACED.test(text)) && SHORT_WORD.test(text.trim()));
const SHORT_WORD = /^[\p{L}\p{M}\p{N}_-]{1,20}$/u;
/** A sign that stands for a word: `👍`, `○`, `×`, `✓`. */
const SYMBOL = /^(?:\p{Extended_Pictographic}\uFE0F?|(?!\p{ASCII})[\p{So}\p{Sm}])$/u;

/** One spelling for each option; one that no reply named is spelled as the others are. */
function spellings(places: readonly Place[], labels: readonly string[]): string[] | null {
  const [{ option: named = 0, written = '' } = {}] = places;
  const variants = variantsOf(labels[named] ?? '');
  const isIn = (name: string) => /[\p{Lu}\p{N}]/u.test(name) && occurrences(written, name).length > 0;
  const style = variants.includes(written) ? variants.indexOf(written) : variants.findIndex(isIn);
  const spelled = labels.map((label, option) => {
    const seen = places.find((place) => place.option === option)?.written;
    const other = variantsOf(label)[style] ?? '';
    return seen ?? (style === -1 ? initialOf(label) : written.replace(variants[style] ?? '', () => other));
  });
  const different = new Set(spelled).size === labels.length && spelled.every((one) => one !== '');
  return different ? spelled : null;
}

/** What an option may be called. */
const namesOf = (label: string, labels: readonly string[]) => [
  ...variantsOf(label),
  ...(ownParts(labels).get(label)?.split('\n') ?? []),
];

/** Whether a word is the whole of an option's name or its initial. */
const isName = (word: string, labels: readonly string[]) =>
  labels.some((label) => namesOf(label, labels).includes(word) || initialOf(label) === word);

/** The option that a value names: the whole of it, or as the only one in a few words; -1 for none. */
function optionNamed(text: string, labels: readonly string[]): number {
  const word = text.trim();
  const optionsBy = (isNamed: (label: string) => boolean) =>
    labels.flatMap((label, option) => (isNamed(label) ? [option] : []));
  const named = optionsBy((label) => namesOf(label, labels).includes(word));
  // An initial that several options have names none.
  const whole = named.length > 0 ? named : optionsBy((label) => initialOf(label) === word.toUpperCase());
  if (whole.length > 0 || word.length > LONGEST_FRAME) return whole.length === 1 ? (whole[0] ?? -1) : -1;
  const within = optionsBy((label) =>
    namesOf(label, labels).some(
      (variant) =>
        (/[\p{Lu}\p{N}]/u.test(variant) || (UNSPACED.test(variant) && variant.length > 1)) &&
        occurrences(word.replaceAll('_', ' '), variant).length > 0,
    ),
  );
  return within.length === 1 ? (within[0] ?? -1) : -1;
}

/**
 * The same number of variants for every label, the likeliest first: its key, all of it, and as names are written in code
 * (`model_a`, `model-a`, `modelA`, `W1` of `Widget 1`).
 */
function variantsOf(label: string): string[] {
  const words = label.match(/[\p{L}\p{N}]+/gu) ?? [];
  const initials = words.length > 1 ? `${[...(words[0] ?? '')][0] ?? ''}${words.slice(1).join('')}` : label;
  const bare = words.join(' ') || label;
  const joined = ['_', '-', ''].map((joint) => words.join(joint) || label);
  return [labelKey(label), label, bare, ...joined, initials].flatMap((text) => [
    text,
    text.toUpperCase(),
    lowerCased(text),
    text.charAt(0).toUpperCase() + lowerCased(text.slice(1)),
  ]);
}

/** What a label has in the one place in which all labels differ: `A` of `안내A`, `第一` of `第一个回答`. */
function ownParts(labels: readonly string[]): ReadonlyMap<string, string> {
  const pieces = labels.map((label) => label.match(SCRIPTS) ?? []);
  const [first = [], second = [], ...others] = pieces;
  const at = onlyDifference(first, second);
  const isOne = at !== null && others.every((other) => onlyDifference(first, other) === at);
  return new Map(isOne ? labels.map((label, n) => [label, pieces[n]?.[at] ?? '']) : []);
}

/** Pieces of a label: numbers, and letters of one script. */
const SCRIPTS = /\p{N}+|第\p{Script=Han}|\p{Script=Han}|\p{Script=Hangul}+|\p{Script=Latin}+|[\p{L}\p{M}]+/gu;

/** `E` of `Esquerda`: what a judge says that is asked for one letter. */
const initialOf = (label: string) => (/^\p{L}{3}/u.test(label) ? label.charAt(0).toUpperCase() : '');

/** Where a text in marks stands, or a word by itself. */
const occurrencesOf = (text: string, frame: string): number[] =>
  /^[\p{L}\p{N}].*[\p{L}\p{N}]$|^[\p{L}\p{N}]$/u.test(frame)
    ? occurrences(text, frame)
    : Array.from(text.matchAll(new RegExp(RegExp.escape(frame), 'gu')), ({ index }) => index);

/** Whether a sign beside a word makes it a part of a longer one. No space stands between the words of Chinese or Japanese. */
const isJoined = (sign: string) => /[\p{L}\p{N}_]/u.test(sign) && !UNSPACED.test(sign);

/** Where a word stands with no letter or digit of its own script beside it. */
function occurrences(line: string, word: string): number[] {
  const found: number[] = [];
  if (word === '') return found;
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + word.length)) {
    const [before, after] = [line.charAt(at - 1), line.charAt(at + word.length)];
    const isNegative = before === '-' && /^\p{N}/u.test(word) && !/[\p{L}\p{N}]/u.test(line.charAt(at - 2));
    if (!isNegative && !isJoined(after) && !isJoined(before)) found.push(at);
  }
  return found;
}
