/**
 * Which end of an order is the best one: of names in a row, and of ranks that are numbers. Orders say it in many languages
 * (`words/words.json`); what speaks of an end in words that are not known is left open, and never guessed.
 */

import { withDigits } from '../verdicts/spelling.ts';
import { splitAtStops } from '../words/sentences.ts';
import { ASKS_WHICH, CJK, MEANINGS } from '../words/vocabulary.ts';
import { joinLists, matchWords, type WordLists } from '../words/words.ts';
import { highestAsked } from './words-asked.ts';

const [WORST, BEST, FIRST, LAST] = [MEANINGS.worst, MEANINGS.best, MEANINGS.first, MEANINGS.last].map(
  (words) => `(?:${matchWords(words).source})`,
);
/** What may stand between the two in a clause. */
const WITHIN = '[^.,;:()=\\d\\n。，；：（）]';
/** One of the two and then the other one: whether the worst comes first, and the best last. */
const FROM_TO = new RegExp(`(?:(${WORST})|${BEST})${WITHIN}{1,25}?(?:${WORST}|(${BEST}))`, 'giu');
/** `the worst first`, `die beste zuletzt`, `悪い順`. */
const AT_AN_END = new RegExp(
  `${WORST}${WITHIN}{0,12}?${FIRST}|${BEST}${WITHIN}{0,12}?${LAST}|${matchWords(MEANINGS.worstFirst).source}`,
  'iu',
);

/** The same in English, where `least` and `most` tell it only in front of what is praised: the least harmful is no worst. */
export const PRAISED =
  '(?:good|helpful|useful|accurate|correct|relevant|complete|clear|convincing|persuasive|coherent|faithful|truthful|honest|suitable|appropriate|informative|fluent|natural|readable|creative|preferred|desirable|satisfying|impressive)';
const LOW = `lowest(?!(?:[ -]in)?[ -](?:risk|harm|toxic|bias|error|cost|price|number|amount|count|perplexity|loss|latency))`;
export const BLAMED =
  '(?:harmful|toxic|severe|serious|dangerous|offensive|biased|problematic|flawed|erroneous|misleading|unsafe)';
const WORST_OF_ALL = `worst|weakest|poorest|gravest|riskiest|most ${BLAMED}|least(?= to most ${PRAISED}| ${PRAISED})`;
const THE_WORST = `\\b(?:${WORST_OF_ALL}|${LOW})`;
const THE_BEST = `\\b(?:best|strongest|highest|finest|clearest|greatest|closest|favou?rite|most ${PRAISED}|(?:like|prefer)(?: the)? most)\\b`;
/** Up to so many words between, of which none says the opposite. */
const BETWEEN =
  '(?:[ -](?!best\\b|worst\\b|first\\b|last\\b|most\\b|least\\b|to\\b|highest\\b|in\\b)\\p{L}{1,20})';
const TO = '(?: (?:up )?to |-to-| ?(?:->|→) ?)(?:the )?';
const MERIT =
  '(?:quality|helpfulness|accuracy|correctness|relevance|merit|goodness|preference|scores?|ratings?)\\b';
const ASCENDING = '\\b(?:ascending|increasing|rising)';
const WORST_TO_BEST = new RegExp(
  `\\b(?:${WORST_OF_ALL})${BETWEEN}{0,2}${TO}(?:best|strongest|most ${PRAISED})\\b`,
  'iu',
);
const WORST_FIRST = new RegExp(
  [
    `\\b${LOW}${BETWEEN}{0,2}${TO}highest\\b(?! rank)`,
    `${THE_WORST}(?! (?:mistake|error|part|point|argument|flaw))${BETWEEN}{0,4}(?: in)? (?:the )?first\\b`,
    `${THE_BEST}${BETWEEN}{0,4}(?: in)?(?: the)? last(?! (?:line|sentence|word|paragraph|message))\\b`,
    `${THE_WORST}${BETWEEN}{0,4} (?:at|on) (?:the )?(?:top|beginning|start|head|front|left)\\b`,
    `(?:${THE_BEST}|\\bbetter\\b)${BETWEEN}{0,4} (?:at|on) (?:the )?(?:very )?(?:bottom|end|right)\\b`,
    // Any other one of its kind comes first: `lousiest first`.
    '\\b(?!(?:latest|test|rest|request|guest)\\b)\\p{L}{2,15}est(?: (?:ones?|answers?|responses?|candidates?))? first\\b',
    '\\b(?:start|begin)\\p{L}{0,4} with (?:the )?(?:\\p{L}{1,15} ){0,4}(?:(?:like|prefer)(?: the)? least|least (?:like|prefer))',
    '\\bfrom (?:the )?(?:last|bottom)(?: place)? to (?:the )?(?:first|top)\\b|\\bin reverse(?: order)?\\b|\\breversed? (?:order|ranking)\\b',
    '\\border in which you (?:would|should) (?:eliminate|reject|drop|discard|remove)\\b',
    `\\b(?:start|begin)\\p{L}{0,4} with (?:the )?(?<=\\s)${THE_WORST}`,
    `\\b(?:end|finish|conclud)\\p{L}{0,4} with (?:the )?(?<=\\s)${THE_BEST}`,
    `${ASCENDING}(?: order)?(?: of| by| in)?(?: the| their| overall){0,2} ${MERIT}`,
    `\\b${MERIT},? (?:in )?${ASCENDING}`,
  ].join('|'),
  'iu',
);
const BEST_FIRST = new RegExp(
  `${THE_BEST}${BETWEEN}{0,4} first\\b|${THE_BEST}${BETWEEN}{0,2}${TO}(?:worst|weakest|poorest|lowest|least)\\b`,
  'iu',
);
/** A direction that is ruled out: `not from worst to best`. */
const RULED_OUT = /(?:\b(?:not|never|rather than|instead of)|n['’]t)(?:\s\p{L}{1,20}){1,3}/giu;

const withoutRuledOut = (orders: string) =>
  orders.replaceAll(RULED_OUT, ' ').replaceAll(/[\s*_"“”]{1,9}/gu, ' ');

function ranksWorstFirstInEnglish(orders: string): boolean {
  const text = withoutRuledOut(orders);
  return WORST_TO_BEST.test(text) || (WORST_FIRST.test(text) && !BEST_FIRST.test(text));
}

/** Whether orders have several texts ranked from the best to the worst. */
const ranksBestFirst = (orders: string): boolean =>
  BEST_FIRST.test(withoutRuledOut(orders)) ||
  Array.from(orders.matchAll(FROM_TO)).some(([, worst, best]) => worst === undefined && best === undefined);

/**
 * Whether orders have several texts ranked from the worst to the best: then who is named first is the last.
 *
 * @example ranksWorstFirst('Ordne sie von der schlechtesten zur besten.') // true
 */
export const ranksWorstFirst = (orders: string): boolean =>
  ranksWorstFirstInEnglish(orders) ||
  AT_AN_END.test(orders) ||
  Array.from(orders.matchAll(FROM_TO)).some(([, worst, best]) => worst !== undefined && best !== undefined);

const sourceOf = (...lists: readonly WordLists[]) => matchWords(joinLists(...lists)).source;

const [BETTER, WORSE] = [sourceOf(MEANINGS.best, MEANINGS.better), sourceOf(MEANINGS.worst, MEANINGS.worse)];
/** What is said of a rank beside it: `1 = best`, `worst (1)`, `1が最低`. */
const BESIDE = new RegExp(
  `(${THE_BEST}|${BETTER}|${sourceOf(MEANINGS.highest)})|${THE_WORST}|${WORSE}|${sourceOf(MEANINGS.lowest)}`,
  'giu',
);
/** Characters between a rank and what is said of it. */
const NEAR = 40;
const NEAR_COUNT = 16;
/** What is written together with a number counts: `4개의 답변을 좋은 순서대로`; in `4が最低` the word follows at once. */
const COUNTER = /^(?:\p{Script=Hangul}|\p{Script=Han}|\p{Script=Hiragana})/u;
const CLAUSE_END = /[;,，；、!?！？。\n]|\.(?!\d)/u;
const RANK_NUMBER = /(?<![\p{L}\d.])\d{1,3}(?!\d|\.\d)/gu;

/** Which of the ranks is the best; `open` where it is said and cannot be read. */
export type RankOrder = 'best-first' | 'best-last' | 'open';

interface EndNamed {
  readonly rank: number;
  readonly isGood: boolean;
  readonly gap: number;
}

/** What a clause says of ranks: behind the numbers, or in front of them, whichever tells of more or stands nearer. */
function ranksTold(clause: string, count: number): EndNamed[] {
  // `Which of the 2 is better?`
  if (ASKS_WHICH.test(clause) || /\bdecide\b/i.test(clause)) return [];
  const numbers = [...clause.matchAll(RANK_NUMBER)];
  const [behind = [], before = []] = [true, false].map((isBehind) =>
    numbers.flatMap(({ index, 0: written }, n): EndNamed[] => {
      const rank = Number(written);
      if (rank !== 1 && rank !== count) return [];
      const end = index + written.length;
      const last = numbers[n - 1];
      const from = last ? last.index + last[0].length : 0;
      const piece = isBehind
        ? clause.slice(end, numbers[n + 1]?.index).slice(0, NEAR)
        : clause.slice(from, index).slice(-NEAR);
      if (!/\p{L}/u.test(piece)) return [];
      const all = [...piece.matchAll(BESIDE)];
      const found = all.at(isBehind ? 0 : -1);
      // `Rank all 4 answers from best to worst` says nothing of the number.
      const isBoth = all.some((one) => (one[1] === undefined) !== (found?.[1] === undefined));
      if (!found || isBoth) return [];
      const gap = isBehind ? found.index : piece.length - found.index - found[0].length;
      // `1 for the better and 2 for the other`: the words are those of the number before.
      if (!isBehind && last && AND.test(piece.slice(found.index + found[0].length))) return [];
      // Other numbers than 1 count the texts as well: `the 3 answers`.
      const near = COUNTER.test(piece) ? NEAR_COUNT / 4 : NEAR_COUNT;
      return rank > 1 && gap > near ? [] : [{ rank, isGood: found[1] !== undefined, gap }];
    }),
  );
  const nearest = (all: readonly EndNamed[]) => Math.min(...all.map(({ gap }) => gap));
  const isBefore =
    before.length > behind.length || (before.length === behind.length && nearest(before) < nearest(behind));
  return isBefore ? before : behind;
}

const AND = new RegExp(`^\\s?(?:${matchWords(MEANINGS.and).source})\\s`, 'iu');
const RANKS = matchWords(MEANINGS.rank);
const THAN = new RegExp(`\\bthan\\b|${sourceOf(MEANINGS.than)}`, 'iu');
const [NUMBERS, HIGHER, LOWER, QUALITY] = [
  matchWords(MEANINGS.numbers),
  sourceOf(MEANINGS.higher, MEANINGS.highest),
  sourceOf(MEANINGS.lower, MEANINGS.lowest),
  new RegExp(`(${BETTER}|${THE_BEST})|${WORSE}`, 'iu'),
];
const HEIGHT = new RegExp(`(${HIGHER})|${LOWER}`, 'iu');
/** What is no longer than `Higher is better` or `越大越好` may speak of numbers that it does not name. */
const isShort = (sentence: string) => {
  const words = sentence.trim().split(/\s+/);
  return words.length <= 3 && (!CJK.test(sentence) || sentence.replaceAll(/[\s\p{P}]/gu, '').length <= 6);
};
/** `a greater number of examples`: no number that is given. */
const COUNTED = /\bn(?:umbers?|ombres?|[úu]meros?) (?:of|de|di)\b|\bn(?:ombre|umero) d['’]/iu;

/** Whether a sentence calls higher numbers better, or lower ones; null where it speaks of no numbers so. */
function higherIsBetter(sentence: string): boolean | null {
  const height = HEIGHT.exec(sentence);
  const quality = height && QUALITY.exec(sentence.replace(height[0], ' '));
  const isOfNumbers = NUMBERS.test(sentence.replace(COUNTED, ' ')) || isShort(sentence);
  return quality && isOfNumbers ? (height[1] === undefined) === (quality[1] === undefined) : null;
}

/** `2 = cream of the crop`, `the cream of the crop (2)`. */
const BESIDE_SIGN = /\d\s?[=:：(（→–-]|[=→]\s?\d|[(（]\d[)）]/u;
/** Whether a clause explains a number that no rank of so many texts has: `5 = excellent` of two. */
const endsLonger = (clause: string, count: number) =>
  Array.from(clause.matchAll(EXPLAINED)).some(([, one]) => Number(one) > count);
const EXPLAINED = /(?<![\p{L}\d.%])(\d{1,3})\s?[=:：(（]\s?\p{L}/gu;

/** A line that begins with the number of a step: `2) Find the best answer.`, `Step 2: …` */
const STEP = /^[\s*#>-]{0,6}(?:(\p{L}{1,15}) ?\d{1,2}[).:：]|\d{1,2}[)）])(?=([^\n]{1,120}))/gmu;
/** Behind a number it is longer than what is said of a rank. */
const LONG =
  /^(?:[ *]{1,3}[^\s\d]{1,30}){4}|^[ *]{0,3}[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul} ]{7}/u;

/** Without the numbers of steps. */
const withoutSteps = (orders: string) =>
  orders.replaceAll(STEP, (step, word = '', rest = '') =>
    RANKS.test(word) || NUMBERS.test(word) || (!LONG.test(rest) && (word === '' || QUALITY.test(rest)))
      ? step
      : ' ',
  );

/** What a clause has that shows a form or gives a range, and so says nothing of a rank. */
const SHOWS = /["“”'`{}[\]<>]|\d\P{N}{1,7}\d/u;

/**
 * Which rank orders call the best one, where replies give each of several texts a number from 1 on.
 *
 * @param labels the names of the texts
 * @returns `open` where the orders say something of a rank that cannot be read, null where they do not speak of ranks
 *
 * @example rankOrder('Give ranks, 1 = worst and 2 = best.', ['A', 'B']) // 'best-last'
 */
export function rankOrder(orders: string, labels: readonly string[]): RankOrder | null {
  const text = withoutSteps(withoutNames(orders, labels));
  const clauses = text.split(CLAUSE_END);
  const isLongScale = clauses.some((clause) => endsLonger(clause, labels.length));
  const told = clauses.flatMap((clause) =>
    isLongScale
      ? []
      : ranksTold(clause, labels.length).map((one) => ({ ...one, isCompared: THAN.test(clause) })),
  );
  // `2 = second best` says less than `1 = best`.
  const ofFirst = told.filter(({ rank }) => rank === 1);
  const byRanks = (ofFirst.length > 0 ? ofFirst : told).map(({ rank, isGood }) => (rank === 1) === isGood);
  // On a scale that is longer than the row of texts the higher ones are marks.
  const isOfMarks = byRanks.length > 0 || isLongScale || highestAsked(text) > labels.length;
  const sentences = isOfMarks ? [] : splitAtStops(text);
  const [isFirst, ...others] = new Set(
    sentences
      .flatMap((sentence) => higherIsBetter(sentence) ?? [])
      .map((isLast) => !isLast)
      .concat(byRanks),
  );
  const isBestFirst = ranksBestFirst(text);
  // `2 errors are worse than 1`, and what is higher may be a mark where ranks are asked for in another sentence.
  const isDoubtful =
    told.some(({ isCompared }) => isCompared) ||
    (RANKS.test(text) && sentences.some((one) => higherIsBetter(one) === true && !NUMBERS.test(one)));
  if (others.length > 0 || (isFirst === false && (isBestFirst || isDoubtful))) return 'open';
  if (isFirst !== undefined) return isFirst ? 'best-first' : 'best-last';
  if (isLongScale && isBestFirst && !ranksWorstFirst(orders)) return RANKS.test(orders) ? 'best-first' : null;
  // Where no word is known, any number may be a rank; where some are, it may count the texts, unless a sign stands beside it.
  const isKnown = RANKS.test(text) || QUALITY.test(text);
  const isOpen = clauses.some(
    (clause) =>
      /\p{L}/u.test(clause) &&
      !SHOWS.test(clause) &&
      (!isKnown || BESIDE_SIGN.test(clause)) &&
      Array.from(clause.matchAll(RANK_NUMBER)).some(([one]) => [1, labels.length].includes(Number(one))),
  );
  if (isOpen || ranksWorstFirst(orders)) return 'open';
  return RANKS.test(orders) ? 'best-first' : null;
}

/** Characters at each end of orders that are looked at. */
const LONGEST_END = 16_000;

/** Without the names that hold a number, as `Answer 1` does. */
const withoutNames = (all: string, labels: readonly string[]) => {
  const orders =
    all.length > 2 * LONGEST_END ? `${all.slice(0, LONGEST_END)}\n${all.slice(-LONGEST_END)}` : all;
  return labels
    .filter((label) => /\p{L}/u.test(label) && /\d/.test(label))
    .reduce((rest, label) => rest.replaceAll(label, '\n'), withDigits(orders));
};

/**
 * Whether orders say of a number which rank it is: then numbers in a row are ranks, and not the names of texts in their order.
 *
 * @example tellsRanks('Give ranks, 1 = best.', ['A', 'B']) // true
 */
export const tellsRanks = (orders: string, labels: readonly string[]): boolean =>
  withoutSteps(withoutNames(orders, labels))
    .split(CLAUSE_END)
    .some((clause) => ranksTold(clause, labels.length).length > 0);
