/** Whether the verdict that a prompt asks for is one on its options: these are compared, and called by their names. */

import { labelKey } from '../counterfactual.ts';
import { OR } from '../form/alternatives.ts';
import { areCodes } from '../form/explained.ts';
import type { Case, VerdictForm } from '../types.ts';
import { keysOf } from '../verdicts/choice/choice-in-words.ts';
import { namesWinner } from '../words/field-names.ts';
import { occurrences, occurrencesOf } from '../words/occurrences.ts';
import { splitAtStops } from '../words/sentences.ts';
import {
  ASKS_WHICH,
  BETTER,
  beginsAnOrder,
  lowerCased,
  ordinalsAt,
  rolesOfLabel,
} from '../words/vocabulary.ts';
import { wordsOf } from './pipeline.ts';
import { slotNames } from './replies/options-in-replies.ts';
import type { Template } from './template.ts';

type Choice = Extract<VerdictForm, { kind: 'choice' }>;

/**
 * Whether the verdict that is asked for is one on these options: nobody chooses one of one, and what is chosen is named.
 * Of a form that the template tells somebody has said which label is which option.
 */
export function suitsForm({ options, form }: Case, template: Template): boolean {
  const { verdict } = template;
  const among = ['choice', 'ranking', 'scores', 'list'].includes(form.kind);
  if (options.length < 2) {
    // `first` or `second` is said of two texts, whatever they are called, and so is which one is worse: `{"new_is_worse": true}`.
    const counts = form.kind === 'category' && countsOptions(form.write.labels);
    const compares = form.kind === 'pass' && namesWinner(form.field ?? '');
    return form.kind !== 'choice' && form.kind !== 'ranking' && !counts && !compares;
  }
  // Labels that say by how much an option is better have its name in them.
  const isTold =
    form.kind !== 'choice' || !form.write || form.write.strong !== undefined || verdict !== undefined;
  if (form.kind === 'choice' && standsForOptions(form, options, template)) return true;
  return (
    among &&
    (isTold || namesOptions(keysOf(form.write) ?? form.write.labels, options)) &&
    (form.kind !== 'choice' ||
      (!namesText(form, template) &&
        (!mayBeMark(form, options) ||
          explainsNames(wordsOf(template), form, options) ||
          asksWhich(template, namesWritten(form), options))))
  );
}

/** Whether the prompt says which option each label stands for: `1 if Draft A is better, else 0`. */
const standsForOptions = ({ write }: Choice, options: Case['options'], template: Template) =>
  write !== null &&
  areCodes(
    write.labels,
    options.map(({ label }) => label),
    wordsOf(template),
  );

/** Whether what looks like a tie names another text of the case: `"A", "B" or "Draft"` where a draft is given. */
const namesText = ({ tie }: Choice, { parts }: Template) =>
  tie !== null && slotNames(parts, [tie]).length > 0;

/**
 * Whether a bare letter or number may be a mark on all texts as well as the name of one: these are counted, and not called answers
 * (`Question 1`, `Judge B`), and what holds it is not called after what is chosen.
 */
const mayBeMark = ({ write, field }: Choice, options: Case['options']) =>
  !!write?.labels.every((label) => /^(?:\p{L}|\p{N}{1,2})$/u.test(label)) &&
  !namesWinner(field ?? write.template) &&
  options.every(
    ({ label }) =>
      labelKey(label).length < label.length && !rolesOfLabel(label).some(([role]) => role === 'answer'),
  );

/** As they stand in a reply, with the words around them. */
const namesWritten = ({ write }: Choice) =>
  (write?.labels ?? []).map((label) => (write?.template ?? '{}').replace('{}', () => label));

/**
 * Whether a sentence says of a bare name which option it is: `Reply 1 if Text 1 is more polite`. Where it speaks of several options, each
 * has its own: `1 if Turn 1 and Turn 2 are polite` is a mark.
 */
function explainsNames(orders: string, { write }: Choice, options: Case['options']): boolean {
  return splitAtStops(orders).some((sentence) => {
    const told = options
      .map(({ label }, n) => ({ label, at: sentence.indexOf(label), name: write?.labels[n] ?? '' }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at);
    const ends = told.map(({ label, at }) => at + label.length);
    const before = told.map(({ at }, n) => sentence.slice(ends[n - 1] ?? 0, at));
    const behind = told.map((_, n) => sentence.slice(ends[n], told[n + 1]?.at));
    return (
      told.length > 0 &&
      [before, behind].some((words) =>
        told.every(({ name }, n) => occurrences(words[n] ?? '', name).length > 0),
      )
    );
  });
}

/**
 * Whether it is asked which of several it is, and not where something comes first: the better one, in so many words, by the names side by
 * side (`"A" or "B"`), or because all of them answer one instruction.
 */
function asksWhich(template: Template, names: readonly string[], options: Case['options']): boolean {
  const orders = wordsOf(template);
  const isAsking = (words: string) => ASKS_WHICH.test(words) || COMPARES.test(words);
  const asking = splitAtStops(orders).filter(isAsking);
  const namesPlace = (place: number, words: string) =>
    ordinalsAt(place).some((word) => occurrences(lowerCased(words), word).length > 0);
  // `First read both, then say which is better`, `which, the first or the second?`
  const asksForFirst = (sentence: string) => {
    const [clause = sentence] = sentence
      .split(/[,，、;；]/)
      .filter((one) => namesPlace(0, one))
      .slice(-1);
    return namesPlace(0, clause) && !namesPlace(1, sentence) && isAsking(clause);
  };
  if (BETTER.test(orders) || !asking.every(asksForFirst)) return true;
  const labels = options.map(({ label }) => label);
  if (wordsBetween(orders, names).some(isJoint) || wordsBetween(orders, labels).some((word) => OR.has(word)))
    return true;
  const answersOne = template.parts.some(({ slots }) => slots.some(({ role }) => role === 'instruction'));
  return asking.length === 0 && answersOne;
}

/** What stands between the first two names wherever these are near each other: `" or "` in `"A" or "B"`. */
const wordsBetween = (orders: string, [first = '', second = '']: readonly string[]) =>
  occurrencesOf(orders, first).flatMap((at) => {
    const behind = orders.slice(at + first.length, at + first.length + LONGEST_GAP + second.length);
    const [end] = occurrencesOf(behind, second);
    return end === undefined ? [] : [behind.slice(0, end).trim()];
  });

/** Whether bare names are offered side by side, with nothing between them but signs, or one word: `"A" or "B"`, `A|B`. */
const isJoint = (between: string) =>
  /^["'”’」』)\]}>]{0,3}(?:[,|/、，]|\s?\p{L}{1,6}\s?)\s?["'“‘「『([{<]{0,3}$/u.test(between);

/** Characters between two names that are offered. */
const LONGEST_GAP = 20;
const COMPARES = /\b(?:compare|comparing|decide between)\b/i;

/** Whether labels name one of several by its place: `first` and `second`, `row 1`, `row 2` and `row both`. */
function countsOptions(labels: readonly string[]): boolean {
  const [first = [], ...others] = labels.map((label) => label.trim().split(/\s+/));
  const noun = first.length > 1 ? first[0] : undefined;
  if (noun === undefined) return spellsOut(labels) && beginsAnOrder(labels);
  return others.every((words) => words[0] === noun) && beginsAnOrder(labels.slice(0, 2).map(lastWord));
}

const lastWord = (label: string) => label.trim().split(/\s+/).at(-1) ?? '';

/** Whether labels of a verdict are the options' names, in their order, or count the options. */
function namesOptions(labels: readonly string[], options: Case['options']): boolean {
  const keys = (texts: readonly string[]) => texts.map((text) => lowerCased(labelKey(text)));
  const [written, names] = [keys(labels), keys(options.map(({ label }) => label))];
  const alike = written.every((key, n) => {
    const name = names[n] ?? '';
    return key === name || (Math.min(key.length, name.length) > 2 && haveOneStem(key, name));
  });
  // `first` may be called 1; the turns of a conversation are numbered, too, and their speakers called A and B.
  return (
    alike ||
    // Whether the first is better than the second.
    written.join() === 'yes,no' ||
    // Whatever the options are called, they may be counted from 0.
    written.every((key, n) => key === String(n)) ||
    (beginsAnOrder(written) && (!beginsAnOrder(names) || (areLetters(written) && areLetters(names)))) ||
    (spellsOut(written) !== spellsOut(names) && beginsAnOrder(written))
  );
}

/** A judge may write A and B for А and Б. */
const areLetters = (keys: readonly string[]) => keys.every((key) => /^\p{L}$/u.test(key));

/** `left` of `left draft`, `links` of `linkes`. */
function haveOneStem(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  const stem = shorter > 4 ? shorter - 1 : shorter;
  return a.slice(0, stem) === b.slice(0, stem);
}

const spellsOut = (keys: readonly string[]) => keys.every((key) => key.length > 2);
