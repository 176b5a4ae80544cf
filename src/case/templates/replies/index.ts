/**
 * The form of a verdict from the replies of a template, where its texts do not tell: what stands in the same place of all
 * replies, and what it says of the options (`Gewinner: B`, `<verdict>2</verdict>`, `[1] Score: 5`, `{"order": ["b", "a"]}`).
 */

import { labelKey } from '../../counterfactual.ts';
import { areCodes } from '../../form/explained.ts';
import { rankOrder } from '../../form/rank-order.ts';
import { wordsOffered } from '../../form/words-asked.ts';
import type { Verdict, VerdictForm } from '../../types.ts';
import { readVerdict } from '../../verdict.ts';
import {
  formFromFile,
  forOptions,
  isUnderstood,
  tellingForm,
  type VerdictFile,
} from '../../verdicts/index.ts';
import { ownWords, visibleIn } from '../../verdicts/reading/own-words.ts';
import { namesFor } from '../../verdicts/spelling.ts';
import { namesVerdict } from '../../words/field-names.ts';

import { beginsAnOrder, onlyDifference, wordsOfLabel } from '../../words/vocabulary.ts';
import { areOnScale, bare, type ChoiceFile, inPlaces, namesWithSigns, offers } from './chosen.ts';

import { byLine, inGrades, inOrders, inRows, withRanks } from './in-a-row.ts';
import { inEach, inNumberRows, numbersOn } from './of-each.ts';
import { formsOfOne, inLists, scaleIn } from './of-one.ts';
import {
  findReplyPlaces,
  isGround,
  isNumber,
  isShortWord,
  scoreWritten,
  showDecimals,
  singles,
  varies,
} from './reply-places.ts';

/** Replies that are looked at before a form is believed. */
export const LEAST_REPLIES = 3;
/** Share of the replies that a form must read. */
const LEAST_READ = 0.95;

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
  const order = rankOrder(orders, labels);
  const inJson = places.some(({ where }) => where.field !== undefined);
  if (labels.length > 1 && areOnScale(said, labels, orders)) return null;
  const candidates =
    labels.length > 1
      ? [
          ...(inJson ? [] : [...inRows(said, labels, orders, more), ...byLine(labels, order)]),
          ...inPlaces(places, labels, orders),
          ...inOrders(places, labels, orders, more),
          ...withRanks(places, labels, order, more),
          ...inEach('scores', places, said, labels, orders, more),
          ...inGrades(said, labels),
          ...inEach('list', places, said, labels, orders),
          ...(inJson ? [] : [...bare(said, labels), ...namesWithSigns(said, labels)]),
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

/** As it was written, but for signs that nobody sees: full-width signs belong to the client's form. */
const withoutThinking = (reply: string) =>
  'none' in ownWords(reply)
    ? ''
    : (visibleIn(reply)
        .split(/<\/think(?:ing)?>/i)
        .at(-1) ?? '');

/** Whether replies look like verdicts, whatever they are on: nearly all hold a number or a word in the same place. */
export function lookLikeVerdicts(replies: readonly string[]): boolean {
  if (replies.length < LEAST_REPLIES) return false;
  const places = findReplyPlaces(replies.map(withoutThinking));
  return places.some(({ values }) => values.flat().length > 0 && values.flat().every(isShortWord));
}

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
  const verdicts = verdictsIn(form, replies, labels);
  const isInText = form.kind === 'score' && form.field === null;
  return areRead(verdicts, labels) && (!isInText || areOneNumber(verdicts, replies));
}

/** Whether scores with a fraction are one number each, and not two marks with a comma between. */
function areOneNumber(verdicts: readonly Verdict[], replies: readonly string[]): boolean {
  const written = verdicts.flatMap((one, n) =>
    one.kind === 'score' ? scoreWritten(one.score, replies[n] ?? '') : [],
  );
  return showDecimals(written);
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

/**
 * Whether of replies to requests of this many names nearly all were understood, and most of all with those that are empty or
 * refuse; where none came, none speaks against it.
 */
export function areRead(verdicts: readonly Verdict[], labels: readonly string[]): boolean {
  // Of several options each has its own entry of a list.
  const read = verdicts.filter(
    (one) =>
      isUnderstood(one) && (one.kind !== 'list' || labels.length < 2 || one.items.length === labels.length),
  ).length;
  return (
    verdicts.length === 0 || (2 * read > verdicts.length && read >= LEAST_READ * tellingForm(verdicts).length)
  );
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
  if (form.kind === 'score') {
    const scores = new Set(verdicts.map((one) => (one.kind === 'score' ? one.score : null)));
    return scores.size > 1 && (form.field !== undefined || areOneNumber(verdicts, replies));
  }
  if (form.kind !== 'choice') return true;
  const options = verdicts.flatMap((verdict) => (verdict.kind === 'choice' ? [verdict.option] : []));
  if (isOneOfList(form, replies, labels)) return false;
  // A number of a scale is no name: `2` of five says that the first is better. Nor is one that stands for another option.
  const isNoName = form.strong !== undefined || areCodes(form.labels ?? [], labels, orders);
  const inWords = isNoName ? [] : verdictsIn(formFromFile({ kind: 'choice' }), replies, labels);
  const agree = inWords.every((words, n) => {
    const verdict = verdicts[n];
    return words.kind !== 'choice' || verdict?.kind !== 'choice' || words.option === verdict.option;
  });
  return agree && (new Set(options).size > 1 || offers(orders, form));
}

/** What may stand in front of a name in a list or a table: `1. `, `| 3 | `, `## `. */
const LISTED = /^[\s*_#>|("'`[-]{0,8}(?:\d{1,3}\s{0,4}[.):|])?[\s*_"'`|[-]{0,6}/;

/** The option whose name a line begins with; -1 for none. */
function optionListed(line: string, labels: readonly string[]): number {
  const rest = line.replace(LISTED, '');
  return labels.findIndex(
    (label) => rest.startsWith(label) && !/^[\p{L}\p{N}]/u.test(rest.slice(label.length, label.length + 2)),
  );
}

/** Whether most replies have a line for each option, and the one that is said to be chosen is that of a place in this list. */
function isOneOfList(
  { template, labels: [first = ''] = [] }: ChoiceFile,
  replies: readonly string[],
  labels: readonly string[],
): boolean {
  if (template === undefined) return false;
  const own = template.replace('{}', () => first).split('\n');
  const lists = replies.filter((reply) => {
    const listed = reply
      .split('\n')
      .map((line) => optionListed(line, labels))
      .filter((option) => option >= 0);
    return listed.length === labels.length && new Set(listed).size === labels.length;
  });
  return 2 * lists.length > replies.length && own.some((line) => optionListed(line, labels) >= 0);
}

/** What the marks of a reply are called, and the words that tell these names apart: `user` and `ai` of `{"userScore": 7, "aiScore": 4}`. */
export function namesOfMarks(replies: readonly string[]): string[][] {
  const marks = singles(findReplyPlaces(replies.map(withoutThinking))).filter(
    (place) => place.where.field !== undefined && !isGround(place) && place.values.flat().every(isNumber),
  );
  const names = marks.map(({ name }) => name.split('.').at(-1) ?? '');
  return names.length > 1 ? [names, ownWordsIn(names)] : [];
}

/** The word of each name that no other has, where they are alike otherwise; nothing where they are not. */
export function ownWordsIn(names: readonly string[]): string[] {
  const words = names.map(wordsOfLabel);
  const [first = [], ...others] = words;
  const [at = null, ...more] = new Set(others.map((other) => onlyDifference(first, other)));
  return at === null || more.length > 0 ? [] : words.map((some) => some[at] ?? '');
}

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
