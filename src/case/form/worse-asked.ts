/** Whether a judge is asked which of several is worse. */

import type { VerdictForm } from '../types.ts';
import { fieldSays, namesVerdict, namesWinner } from '../words/field-names.ts';
import { splitAtStops } from '../words/sentences.ts';
import { BETTER, MEANINGS, rolesOfLabel, wordsOfLabel } from '../words/vocabulary.ts';
import { matchWords } from '../words/words.ts';
import { PRAISED } from './rank-order.ts';

const { en: LISTED = '', ...ELSEWHERE } = MEANINGS.worse;
const ENGLISH = `${LISTED}|least ${PRAISED}`;
const FAULTS =
  '(?:errors?|mistakes?|faults?|issues?|problems?|violations?|bugs?|defects?|hallucinations?|typos?)';

const WORSE_IN_ENGLISH = new RegExp(
  `\\b(?:which|what)\\b(?: [\\p{L}'’()]{1,20}){0,6} (?:is|was|are|were|does|did|performs?|performed|reads?|sounds?)(?: the)?(?: \\p{L}{1,12})? (?:${ENGLISH})\\b|\\bwhich\\b(?: [\\p{L}'’()]{1,20}){0,6} (?:has|have|contains?|makes?) (?:the )?(?:most|more)(?: \\p{L}{1,15})? ${FAULTS}\\b|\\b(?:choose|pick|select|name|identify|find|output|return|say)(?: (?!(?:what|why|how|where)\\b)[\\p{L}'’()]{1,20}){0,5} (?:${ENGLISH})\\b`,
  'iu',
);
/** `End with "Worse: A" or "Worse: B"`, `respond with the loser: A or B`; a critique of the worse answer is no verdict. */
const WORSE_WRITTEN = new RegExp(
  `["“'\`](?:${ENGLISH})(?: \\p{L}{1,12})?\\s?[:=]|\\b(?:end|reply|respond|answer|write|give)(?: (?:with|by|in|only|just|the|name|letter|number|label|index|of)){1,6} (?:${ENGLISH})(?: \\p{L}{1,12})?(?=\\s?[:,.(]|$)`,
  'iu',
);
const BETTER_WRITTEN =
  /["“'`](?:\p{L}{1,12} )?(?:better|best|winner|winning|preferred|chosen|verdict|choice)\b/iu;

/** What is done with the one that loses, and the words in front of it: `name the answer to reject`. */
const TO_REJECT =
  /\b(?:which|what|choose|pick|select|name|identify|find|say)\b((?: [\p{L}'’()]{1,20}){0,6}?) (?:to|should be|must be|would be|(?:would )?you(?: would)?) (?:reject|eliminate|discard|dropp?|remove|thrown? (?:away|out))(?:e?d)?\b(?! last| from| in\b)/giu;
const BETWEEN =
  /^(?:the|a|an|of|one|two|both|these|those|this|that|is|are|should|would|do|has|have|needs?)$/i;
const TO_KEEP = /\b(?:keep|keeps|kept|accept\w{0,3}|publish|send|better|best|winner|wins|prefer\w{0,9})\b/i;
const asksToReject = (orders: string) =>
  !TO_KEEP.test(orders) &&
  Array.from(orders.matchAll(TO_REJECT), ([, between = '']) => wordsOfLabel(between)).some((words) =>
    words.every((word) => BETWEEN.test(word) || isNoun(word)),
  );

/** `Eliminate one`, `the one that drops out` */
const DROPS_ONE =
  /\b(?:eliminate|reject|discard|drop|remove|vote out|knock out|throw out) (?:exactly |only )?one(?= (?:of (?:the|these|those|them)\b|(?:answer|response|candidate|option|contestant|participant|draft|reply)\b)|[.,:;!?)]|$)|\bone (?:that|which|who|to) (?:drops? out|goes (?:out|home)|(?:is|be|gets) (?:eliminated|rejected|discarded)|(?:leaves|loses|is out)(?=[.,:;!?)]|$))/im;
const dropsOne = (orders: string) => DROPS_ONE.test(orders) && !TO_KEEP.test(orders);

/** What counts against an answer where each gets a number: `the number of errors`, `its toxicity`; and a scale that ends with the best: `1 (best)`. */
const COUNTS_FAULTS = new RegExp(
  `\\b(?:number|counts?|amount|how many)(?: of)?(?: \\p{L}{1,15}){0,2}? ${FAULTS}\\b|\\bhow many(?: \\p{L}{1,15}){1,3}? (?:are|is|were) (?:wrong|false|incorrect|unsupported|made up)\\b|\\bhow likely (?:it|each|one) (?:is|are) (?:to be )?(?:wrong|false|incorrect)\\b`,
  'iu',
);
const SCORES = /\b(?:scor|rat(?:e|ing)|points?\b|grad|marks?\b)/i;
const SCORES_HARM =
  /\b(?:score|rate|rating of|grade|mark|assess|how)\b(?: (?:the|its|their|each|all|of|for|by|one|answers?|responses?|on)){0,6} (?:toxicity|toxic|harmfulness|harmful|severity|severe|risks?|risky|bias|biased|penalty|perplexity|dangerous)\b/i;
const LOW_IS_GOOD = new RegExp(
  `\\b(?:lower|smaller|fewer) (?:scores? |numbers? |values? )?(?:is|are|means?) better\\b|(?<![\\p{N}.,–-])[01] ?(?:[(（=:：]|is|means|being) ?(?:the )?(?:(?:best|perfect|excellent|outstanding|very good|flawless|no (?:errors?|harm|problems?)|sehr gut)\\b|${matchWords(MEANINGS.best).source})`,
  'iu',
);
/** Whether the lowest of the numbers that each gets is for the best. */
const countsAgainst = (orders: string) =>
  (COUNTS_FAULTS.test(orders) && !SCORES.test(orders)) ||
  SCORES_HARM.test(orders) ||
  LOW_IS_GOOD.test(orders);

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

/** Whether a word may name what is judged. */
const isNoun = (word: string) => rolesOfLabel(word).some(([role]) => role === 'answer' || role === 'agent');

/** Whether the place of a verdict is called after the one that loses, by no criterion: `loser`, `Worse answer:`; not `new_is_worse`. */
export function namesLoser(name: string): boolean {
  const words = name.length > LONGEST_NAME ? [] : wordsOfLabel(name.replaceAll('_', ' '));
  const others = words.filter((word) => !saysWorse(word));
  return others.length < words.length && others.every((word) => isNoun(word) || fieldSays(word, 'count'));
}

/** A field of the reply, as the orders show it. */
const FIELD = /"([^"\n]{1,40})"\s{0,3}:/g;
const hasLoserAlone = (fields: readonly string[]) =>
  fields.some(namesLoser) &&
  !fields.some(
    (field) => (namesWinner(field) || namesVerdict(field) || TO_KEEP.test(field)) && !namesLoser(field),
  );

/** Characters of the name of a field. */
const LONGEST_NAME = 60;

/** How a question ends. */
const QUESTION = /[?？؟;]$|か[。.]?$/;
/** What a question or an order to choose says. */
const ASKS = matchWords(MEANINGS.asksWhich);
/** What is to be replied. */
const NAME = /(?<!\p{L})(?:names?|namen|nom|nombre|nome|имя)(?!\p{L})|名称|名字|名前|이름/iu;

/** Two labels to choose from: `A oder B`. */
const LABELS = /(?<!\p{L})A(?!\p{L})[^.?!\n]{1,12}(?<!\p{L})B(?!\p{L})/u;

/** Whether a sentence asks for the worse one, and names no better one. */
const asksInOneSentence = (sentence: string) =>
  NAMES_WORSE.test(sentence) &&
  !BETTER.test(sentence) &&
  (QUESTION.test(sentence.trimEnd()) || ASKS.test(sentence) || LABELS.test(sentence) || NAME.test(sentence));

/**
 * Whether the worse of several is asked for: in English in so many words, in other languages by a sentence that asks or has one
 * chosen, with a word for the worse one and none for the better one. `A` means the opposite then, "A is worse" does not, and what
 * sways a judge towards an option sways it away from naming it: such a request is left alone. So is one that gives each a number
 * of which the lowest is the best.
 *
 * @param form how the verdict is given, where that is known
 */
export function asksForWorse(orders: string, form?: VerdictForm): boolean {
  if (form?.kind === 'scores') return countsAgainst(orders);
  if (form && form.kind !== 'choice') return false;
  return (
    namesLoser(form?.field ?? form?.write?.template ?? '') ||
    // Where the verdict has a field of its own, another may name the one that loses.
    (typeof form?.field !== 'string' &&
      hasLoserAlone(Array.from(orders.matchAll(FIELD), ([, name = '']) => name))) ||
    (WORSE_IN_ENGLISH.test(orders) && !BETTER_IN_ENGLISH.test(orders)) ||
    (WORSE_WRITTEN.test(orders) && !BETTER_WRITTEN.test(orders)) ||
    asksToReject(orders) ||
    dropsOne(orders) ||
    (NAMES_WORSE.test(orders) && splitAtStops(orders).some(asksInOneSentence))
  );
}
