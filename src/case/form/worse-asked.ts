/** Whether a judge is asked which of several is worse. */

import type { VerdictForm } from '../types.ts';
import { fieldSays, namesWinner } from '../words/field-names.ts';
import { splitAtStops } from '../words/sentences.ts';
import { BETTER, MEANINGS, rolesOfLabel, wordsOfLabel } from '../words/vocabulary.ts';
import { matchWords } from '../words/words.ts';

const { en: ENGLISH = '', ...ELSEWHERE } = MEANINGS.worse;

const WORSE_IN_ENGLISH = new RegExp(
  `\\b(?:which|what)\\b(?: [\\p{L}'’()]{1,20}){0,6} (?:is|was|are|were|does|did|performs?|performed|reads?|sounds?)(?: the)?(?: \\p{L}{1,12})? (?:${ENGLISH})\\b|\\b(?:choose|pick|select|name|identify|find|output|return|say|end|reply|respond|answer|write|give)(?: [\\p{L}'’()]{1,20}){0,5} ["“'\`]?(?:${ENGLISH})\\b|\\b(?:which|what|choose|pick|select|name|identify|find|say)\\b(?: [\\p{L}'’()]{1,20}){0,6} (?:to|should be|must be|would be|you(?: would)?) (?:reject|eliminate|discard|drop|remove|throw (?:away|out))(?:e?d)?\\b`,
  'iu',
);
const BETTER_IN_ENGLISH =
  /\b(?:which|what|whether|choose|pick|select|name|identify|find|decide|determine|judge)\b[^.?!\n]{0,80}\b(?:better|best|prefer(?:able|red|ence)?|superior|stronger|strongest|winner)\b/i;

/** What stands in front of a word for worse and takes it back, as in `macht sie nicht schlechter`. */
const DENIED = '(?<!(?<!\\p{L})(?:nicht|niet|inte|ikke|no|não|non|pas|не|nie|ne) (?:es |é |è |ser )?)';
/** Behind such a word: a rule says what counts less than something else, as in `schlechter als eine Lücke`. */
const COMPARED = `(?!,? (?:${matchWords(MEANINGS.than).source}))`;
const NAMES_WORSE = new RegExp(`${DENIED}(?:${matchWords(ELSEWHERE).source})${COMPARED}`, 'iu');

const WORSE = new RegExp(`\\b(?:${ENGLISH})\\b|${matchWords(ELSEWHERE).source}`, 'iu');

/** Whether words say that something is worse. */
export const saysWorse = (words: string): boolean => WORSE.test(words);

/** Whether the place of a verdict is called after the one that loses, by no criterion: `loser`, `Worse answer:`; not `new_is_worse`. */
export function namesLoser(name: string): boolean {
  const words = name.length > LONGEST_NAME ? [] : wordsOfLabel(name.replaceAll('_', ' '));
  const others = words.filter((word) => !saysWorse(word));
  const isNoun = (word: string) => rolesOfLabel(word).some(([role]) => role === 'answer' || role === 'agent');
  return others.length < words.length && others.every((word) => isNoun(word) || fieldSays(word, 'count'));
}

/** A field of the reply, as the orders show it. */
const FIELD = /"([^"\n]{1,40})"\s{0,3}:/g;
const hasLoserAlone = (fields: readonly string[]) =>
  fields.some(namesLoser) && !fields.some((field) => namesWinner(field) && !namesLoser(field));

/** Characters of the name of a field. */
const LONGEST_NAME = 60;

/** How a question ends. */
const QUESTION = /[?？؟;]$|か[。.]?$/;
/** What a question or an order to choose says. */
const ASKS = matchWords(MEANINGS.asksWhich);

/** Two labels to choose from: `A oder B`. */
const LABELS = /(?<!\p{L})A(?!\p{L})[^.?!\n]{1,12}(?<!\p{L})B(?!\p{L})/u;

/** Whether a sentence asks for the worse one, and names no better one. */
const asksInOneSentence = (sentence: string) =>
  NAMES_WORSE.test(sentence) &&
  !BETTER.test(sentence) &&
  (QUESTION.test(sentence.trimEnd()) || ASKS.test(sentence) || LABELS.test(sentence));

/**
 * Whether the worse of several is asked for: in English in so many words, in other languages by a sentence that asks or has one
 * chosen, with a word for the worse one and none for the better one. `A` means the opposite then, "A is worse" does not, and what
 * sways a judge towards an option sways it away from naming it: such a request is left alone.
 */
export const asksForWorse = (orders: string, form?: VerdictForm): boolean =>
  (form?.kind === 'choice' && namesLoser(form.field ?? form.write?.template ?? '')) ||
  hasLoserAlone(Array.from(orders.matchAll(FIELD), ([, name = '']) => name)) ||
  (WORSE_IN_ENGLISH.test(orders) && !BETTER_IN_ENGLISH.test(orders)) ||
  (NAMES_WORSE.test(orders) && splitAtStops(orders).some(asksInOneSentence));
