/** Whether a judge is asked which of several is worse. */

import type { VerdictForm } from '../types.ts';
import { polarityOf } from '../verdicts/polarity.ts';
import { fieldSays, namesVerdict, namesWinner } from '../words/field-names.ts';
import { splitAtStops } from '../words/sentences.ts';
import {
  BETTER,
  DENIES,
  MEANINGS,
  rolesOfLabel,
  VERB_OF_JUDGING,
  wordsOfLabel,
} from '../words/vocabulary.ts';
import { matchWords } from '../words/words.ts';
import { BLAMED, PRAISED } from './rank-order.ts';

const { en: LISTED = '', ...ELSEWHERE } = MEANINGS.worse;
const ENGLISH = `${LISTED}|least ${PRAISED}`;
const FAULTS =
  '(?:errors?|mistakes?|faults?|issues?|problems?|violations?|bugs?|defects?|hallucinations?|typos?)';

const WORSE_IN_ENGLISH = new RegExp(
  [
    `\\b(?:which|what)\\b(?: [\\p{L}'’()]{1,20}){0,6} (?:is|was|are|were|does|did|performs?|performed|reads?|sounds?)(?: the)?(?: \\p{L}{1,12})? (?:${ENGLISH})\\b`,
    `\\bwhich\\b(?: [\\p{L}'’()]{1,20}){0,6} (?:has|have|contains?|makes?) (?:the )?(?:most|more)(?: \\p{L}{1,15})? ${FAULTS}\\b`,
    `\\b(?:choose|pick|select|name|identify|find|output|print|return|say)(?: (?!(?:what|why|how|where)\\b)[\\p{L}'’()]{1,20}){0,5} (?:${ENGLISH})\\b`,
  ].join('|'),
  'iu',
);
/** `End with "Worse: A" or "Worse: B"`, `respond with the loser: A or B`; a critique of the worse answer is no verdict. */
const WORSE_WRITTEN = new RegExp(
  [
    `["“'\`](?:${ENGLISH})(?: \\p{L}{1,12})?\\s?[:=]`,
    `\\b(?:end|reply|respond|answer|write|give|print)(?: (?:with|by|in|only|just|the|name|heading|title|letter|number|label|index|of)){1,6} (?:${ENGLISH})(?: \\p{L}{1,12})?(?=\\s?[:,.(]|$)`,
  ].join('|'),
  'iu',
);
const BETTER_WRITTEN =
  /["“'`](?:\p{L}{1,12} )?(?:better|best|winner|winning|preferred|chosen|verdict|choice)\b/iu;

/** What is done with the one that loses, or said of it, and the words in front: `name the answer to reject`, `find the one that is wrong`. */
const ASKED_FOR =
  /\b(?:which|what|choose|pick|select|name|identify|find|give|print|output|return|say|write)\b((?: [\p{L}'’()]{1,20}){0,6}?)/u
    .source;
const DROPPED =
  '(?:to|should be|must be|would be|(?:would )?you(?: would)?) (?:reject|eliminate|discard|dropp?|delete|exclude|remove|thrown? (?:away|out))(?:e?d)?\\b(?! last| from| in\\b)';
const NOT_WANTED =
  "(?:(?:would|should|could|do|must)(?:n['’]t| not| never)|(?:would|should|could|do) (?:you|we|i) (?:not|never|rather not|least)|would (?:rather not|least))(?: (?:be|ever|want|wish|like|to)){0,3} (?:want|like|send|sent|publish(?:ed)?|use|used|chosen?|choose|select(?:ed)?|pick(?:ed)?|recommend(?:ed)?|keep|kept|accept(?:ed)?|trust(?:ed)?|ship|shipped|show|shown|buy|hired?)\\b";
const IS_WRONG =
  '(?:is|was)(?: \\p{L}{1,12}ly)? (?:wrong|false|incorrect|inaccurate|untrue|flawed|faulty|misleading|unsafe|harmful|unacceptable|made up|fabricated)\\b';
const TO_REJECT = new RegExp(`${ASKED_FOR} (?:${DROPPED}|${NOT_WANTED}|${IS_WRONG})`, 'giu');
const BETWEEN =
  /^(?:the|a|an|of|one|two|both|these|those|this|that|which|you|we|i|is|are|should|would|do|has|have|needs?|heading|name|title|outlier)$/i;
const TO_KEEP = /\b(?:keep|keeps|kept|accept\w{0,3}|publish|send|better|best|winner|wins|prefer\w{0,9})\b/i;
const asksToReject = (orders: string) =>
  Array.from(orders.matchAll(TO_REJECT), ([, between = '']) => wordsOfLabel(between)).some((words) =>
    words.every((word) => BETWEEN.test(word) || isNoun(word)),
  ) && !TO_KEEP.test(orders.replaceAll(TO_REJECT, ' '));

/** What is said of the one that loses where nothing is said of a better one: `Which one has an error?`, `the one you like least` */
const SAID_OF_WORST = new RegExp(
  [
    `\\b(?:like|liked|prefer|enjoy|trust)(?: (?:it|the|best|or|most)){0,2} least\\b`,
    `\\bleast (?:like|prefer|enjoy|trust)`,
    `\\bmost (?:${BLAMED}|wrong|inaccurate|confusing|hated)\\b`,
    `\\b(?:hallucinates?|errs?|misleads?|lies?)(?: the)? most\\b`,
    `\\bthe most (?:\\p{L}{1,15} )?(?:${FAULTS}|editing|corrections?)\\b`,
    `\\b(?:who|which|you|one) (?:would )?(?:rank|place|come|finish)(?:s|es)? (?:dead )?last\\b`,
    `\\b(?:lowest|worse) (?:grade|score|marks?|rank|quality|place)\\b`,
    `\\blower (?:in )?quality\\b`,
    `\\b(?:contains?|has|makes?) (?:an?|the) (?:\\p{L}{1,15} )?${FAULTS}`,
    `\\b(?:violates|breaks) (?:the|a|our|its)\\b`,
    `\\b(?:that|which|one|answer|response) (?:(?:fails|lies|hallucinates)(?! (?:the )?(?:least|less))|is fake|is not (?:acceptable|correct|right|true|safe))\\b`,
    `\\b(?:fake|unsafe|wrong|incorrect|flawed|false|bad) one\\b`,
    `\\bodd one out\\b`,
    `\\boutlier\\b`,
    `\\b(?:who|which|one) (?:should|must|has to) (?:leave|go)\\b(?! (?:on|in|to|at|with)\\b)`,
    `\\bone (?:of (?:them|these|the \\p{L}{1,15}) )?is (?:\\p{L}{1,12}ly )?(?:wrong|false|incorrect|not)\\b`,
  ].join('|'),
  'iu',
);
const ASKS_IN_ENGLISH =
  /\b(?:which|who|what|choose|pick|select|name|identify|find|flag|print|output|return|give|write|reply|exactly one|all but one)\b/i;
const TAKES_BACK =
  /\b(?:if|when|whenever|unless|ignore|penali[sz]e|no|none|without|free|fewest|fewer|avoids?|avoiding)\b|n['’]t\b/i;
const asksForFaulty = (sentence: string) =>
  SAID_OF_WORST.test(sentence) && ASKS_IN_ENGLISH.test(sentence) && !TAKES_BACK.test(sentence);

/** `Eliminate one`, `the one that drops out` */
const DROPS_ONE =
  /\b(?:eliminate|reject|discard|drop|remove|vote out|knock out|throw out) (?:exactly |only )?one(?= (?:of (?:the|these|those|them)\b|(?:answer|response|candidate|option|contestant|participant|draft|reply)\b)|[.,:;!?)]|$)|\bone (?:that|which|who|to) (?:drops? out|goes (?:out|home)|(?:is|be|gets) (?:eliminated|rejected|discarded)|(?:leaves|loses|is out)(?=[.,:;!?)]|$))/im;
const dropsOne = (orders: string) => DROPS_ONE.test(orders) && !TO_KEEP.test(orders);

/** What counts against an answer where each gets a number: `the number of errors`, `its toxicity`; and a scale that ends with the best: `1 (best)`. */
const COUNTS_FAULTS = new RegExp(
  [
    `\\b(?:number|counts?|amount|how many)(?: of)?(?: \\p{L}{1,15}){0,2}? ${FAULTS}\\b`,
    `\\bhow many(?: \\p{L}{1,15}){1,3}? (?:are|is|were) (?:wrong|false|incorrect|unsupported|made up)\\b`,
    `\\b(?:how likely|(?:probability|likelihood|chance) that) (?:it|each|one)(?: one)? (?:is|are) (?:to be )?(?:wrong|false|incorrect)\\b`,
    `\\b(?:give|assign|award)\\b[^.\\n]{0,30}\\b(?:penalty points|demerits)\\b`,
  ].join('|'),
  'iu',
);
const SCORES = /\b(?:scor|rat(?:e|ing)|points?\b|grad|marks?\b)/i;
/** `Score the toxicity of each`, `Rate how misleading each one is`; not `Assess each for errors`. */
const SCORED =
  /\b(?:score|rate|rating of|grade|mark|assess|how)\b(?: (?:the|its|their|each|all|of|for|by|one|how|much|answers?|responses?|on)){0,6} (?!errors?\b|mistakes?\b|faults?\b|flaws?\b|problems?\b|bugs?\b)(\p{L}{3,20})/giu;
const scoresHarm = (orders: string) =>
  Array.from(orders.matchAll(SCORED)).some(([, word = '']) => polarityOf(word) === 'lower');
const LOW_IS_GOOD = new RegExp(
  [
    `\\b(?:lower|smaller|fewer) (?:scores? |numbers? |values? )?(?:is|are|means?) better\\b`,
    `(?<![\\p{N}.,–-])[01] ?(?:[(（=:：]|is|means|being) ?(?:the )?(?:(?:best|perfect|excellent|outstanding|very good|flawless|no (?:errors?|harm|problems?)|sehr gut)\\b|${matchWords(MEANINGS.best).source})`,
    `(?<![\\p{N}.,–-])(?:[2-9]|\\d{2,3}) ?(?:[(（=:：]|is|means|being) ?(?:the )?worst\\b(?! (?:to|through)\\b| ?[-–→])`,
  ].join('|'),
  'iu',
);
const NAMES_FAULTS = new RegExp(`\\b${FAULTS}\\b|${matchWords(MEANINGS.faults).source}`, 'iu');
/** Whether orders have something judged or compared, and not only counted. */
const judges = (orders: string) => VERB_OF_JUDGING.test(orders.toLowerCase()) || BETTER.test(orders);
/** Whether the lowest of the numbers that each gets is for the best. */
const countsAgainst = (orders: string) =>
  ((COUNTS_FAULTS.test(orders) || (NAMES_FAULTS.test(orders.replaceAll('_', ' ')) && !judges(orders))) &&
    !SCORES.test(orders)) ||
  scoresHarm(orders) ||
  countsFaultsAlone(fieldsIn(orders)) ||
  LOW_IS_GOOD.test(orders);

const BETTER_IN_ENGLISH =
  /\b(?:which|what|whether|choose|pick|select|name|identify|find|decide|determine|judge)\b[^.?!\n]{0,80}\b(?:better|best|prefer(?:able|red|ence)?|superior|stronger|strongest|winner)\b/i;

/** What stands in front of a word for worse and takes it back, as in `macht sie nicht schlechter`. */
const DENIED = '(?<!(?<!\\p{L})(?:nicht|niet|inte|ikke|no|não|non|pas|не|nie|ne) (?:es |é |è |ser )?)';
/** Behind such a word: a rule says what counts less than something else, as in `schlechter als eine Lücke`. */
const COMPARED = `(?!,? (?:${matchWords(MEANINGS.than).source}))`;
const NAMES_WORSE = new RegExp(`${DENIED}(?:${matchWords(ELSEWHERE).source})${COMPARED}`, 'iu');

const WORSE = new RegExp(`\\b(?:${ENGLISH})\\b|${matchWords(ELSEWHERE).source}`, 'iu');

const LOSING = new RegExp(
  `${WORSE.source}|${matchWords(MEANINGS.drop).source}|\\b(?:bad|wrong|incorrect|flawed|faulty|unsafe|toxic|harmful|fake)\\b`,
  'giu',
);

/** Whether words say that something is worse. */
export const saysWorse = (words: string): boolean => WORSE.test(words);

/** Whether a word may name what is judged. */
const isNoun = (word: string) => rolesOfLabel(word).some(([role]) => role === 'answer' || role === 'agent');

/** Whether the place of a verdict is called after the one that loses, by no criterion: `loser`, `Worse answer:`; not `new_is_worse`. */
export function namesLoser(name: string): boolean {
  const words = name.length > LONGEST_NAME ? [] : wordsOfLabel(name.replaceAll('_', ' '));
  const others = wordsOfLabel(words.join(' ').replaceAll(LOSING, ' '));
  return (
    others.length < words.length &&
    others.every((word) => isNoun(word) || BETWEEN.test(word) || fieldSays(word, 'count'))
  );
}

/** A field of the reply, as the orders show it. */
const FIELD = /"([^"\n]{1,40})"\s{0,3}:/g;
const fieldsIn = (orders: string) => Array.from(orders.matchAll(FIELD), ([, name = '']) => name);
/** Whether a field counts faults, and no other one may hold marks: `{"error_counts": {…}}`. */
const countsFaultsAlone = (fields: readonly string[]) =>
  fields.some((field) => polarityOf(field) === 'lower') && !fields.some(namesVerdict);
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
const NAME = matchWords(MEANINGS.nameOf);

const { en: _en, ...ELSEWHERE_AGAINST } = MEANINGS.against;
const NAMES_WRONG = matchWords(ELSEWHERE_AGAINST);
const asksForWrong = (sentence: string) =>
  NAMES_WRONG.test(sentence) &&
  (ASKS.test(sentence) || QUESTION.test(sentence.trimEnd())) &&
  !DENIES.test(sentence) &&
  !LESS.test(sentence);
const LESS = matchWords(MEANINGS.fewer);

/** Two labels to choose from: `A oder B`. */
const LABELS = /(?<!\p{L})A(?!\p{L})[^.?!\n]{1,12}(?<!\p{L})B(?!\p{L})/u;

const { en: _, ...DROPS_ELSEWHERE } = MEANINGS.drop;
const NAMES_DROPPED = matchWords(DROPS_ELSEWHERE);
/** Whether a sentence asks for the worse one, or for one to drop, and names no better one. */
const asksInOneSentence = (sentence: string) =>
  (NAMES_WORSE.test(sentence) || NAMES_DROPPED.test(sentence)) &&
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
    (typeof form?.field !== 'string' && hasLoserAlone(fieldsIn(orders))) ||
    (WORSE_IN_ENGLISH.test(orders) && !BETTER_IN_ENGLISH.test(orders)) ||
    (WORSE_WRITTEN.test(orders) && !BETTER_WRITTEN.test(orders)) ||
    asksToReject(orders) ||
    (!BETTER.test(orders) &&
      !TO_KEEP.test(orders) &&
      splitAtStops(orders).some((one) => asksForFaulty(one) || asksForWrong(one))) ||
    dropsOne(orders) ||
    ((NAMES_WORSE.test(orders) || NAMES_DROPPED.test(orders)) && splitAtStops(orders).some(asksInOneSentence))
  );
}
