/** Whether a judge is asked which of several is worse. */

import { splitAtStops } from '../words/sentences.ts';
import { BETTER, MEANINGS } from '../words/vocabulary.ts';
import { matchWords } from '../words/words.ts';

const { en: ENGLISH = '', ...ELSEWHERE } = MEANINGS.worse;

const WORSE_IN_ENGLISH = new RegExp(
  `\\b(?:which|what)\\b(?: [\\p{L}'’()]{1,20}){0,6} (?:is|was|are|were|does|did|performs?|performed|reads?|sounds?)(?: the)?(?: \\p{L}{1,12})? (?:${ENGLISH})\\b|\\b(?:choose|pick|select|name|identify|find|output|return|say)(?: [\\p{L}'’()]{1,20}){0,5} (?:${ENGLISH})\\b`,
  'iu',
);
const BETTER_IN_ENGLISH =
  /\b(?:which|what|whether|choose|pick|select|name|identify|find|decide|determine|judge)\b[^.?!\n]{0,80}\b(?:better|best|prefer(?:able|red|ence)?|superior|stronger|strongest|winner)\b/i;

/** What stands in front of a word for worse and takes it back, as in `macht sie nicht schlechter`. */
const DENIED = '(?<!(?<!\\p{L})(?:nicht|niet|inte|ikke|no|não|non|pas|не|nie|ne) (?:es |é |è |ser )?)';
/** Behind such a word: a rule says what counts less than something else, as in `schlechter als eine Lücke`. */
const COMPARED = `(?!,? (?:${matchWords(MEANINGS.than).source}))`;
const NAMES_WORSE = new RegExp(`${DENIED}(?:${matchWords(ELSEWHERE).source})${COMPARED}`, 'iu');

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
export const asksForWorse = (orders: string): boolean =>
  (WORSE_IN_ENGLISH.test(orders) && !BETTER_IN_ENGLISH.test(orders)) ||
  (NAMES_WORSE.test(orders) && splitAtStops(orders).some(asksInOneSentence));
