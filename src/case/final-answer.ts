/** The explicit final answer at the end of a worked solution, so that solutions can be compared by what they conclude. */
import { CJK, DENIES } from './words/vocabulary.ts';

/** A text this short without a line break is its own final answer. */
const BARE = 24;

/** A marked answer that is longer is a text of its own. */
const LONGEST = 80;

const MARKED = [
  /####[ \t]*([^\n]{1,81})/g,
  /\\boxed\{([^{}\n]{1,80})\}/g,
  /\*\*(?:final\s+)?answer:?\*\*:?[ \t]*([^\n]{1,81})/gi,
  /^(?:final\s+)?answer[ \t]*:[ \t]*([^\n]{1,81})/gim,
  /\b(?:final\s+)?answer\s+is:?[ \t]+([^\n]{1,81})/gi,
];

/**
 * The one explicitly marked answer that a text ends with (`#### 9`, `\boxed{9}`, `Answer: 9`, `the answer is 9`), or the
 * whole text where it is no more than an answer. Null where the text does not say, says it at length, gives several, or goes
 * on: it may answer several questions, take an answer back or tell somebody else's.
 */
export function finalAnswer(text: string): string | null {
  const trimmed = text.trim();
  const answers = MARKED.flatMap((pattern) =>
    Array.from(trimmed.matchAll(pattern), ({ index, 0: whole, 1: said = '' }) => {
      const answer = said
        .replace(/\$?\\boxed\{([^{}]*)\}\$?/, '$1')
        .replace(/[*_`]+/g, '')
        .replace(/\.\s*$/, '')
        .trim();
      return { end: index + whole.length, answer, isWhole: said.length <= LONGEST };
    }),
  ).filter(({ answer }) => answer !== '');
  const [first, ...others] = answers.toSorted((a, b) => b.end - a.end);
  if (!first) return trimmed !== '' && trimmed.length <= BARE && !trimmed.includes('\n') ? trimmed : null;
  const said = wordsOf(first.answer);
  const isOther = others.some(
    ({ answer }) => !saysAll(wordsOf(answer), said) && !saysAll(said, wordsOf(answer)),
  );
  return !first.isWhole || isOther || /[\p{L}\p{N}]/u.test(trimmed.slice(first.end)) ? null : first.answer;
}

/** One answer has so many words more than another at most. */
const MORE_WORDS = 2;

/** Of a choice: `(B) Paris`, `B: Paris`. */
const LABEL = /^\(?\p{L}\)?[.:)]\s+/u;

/** A clause, a sentence or a bracket behind the answer gives reasons for it. */
const REASONED = /[,;:，；：、。–—]\s*\p{L}{2}|[.!?]\s+\p{L}{2}|\s-{1,2}\s+\p{L}{2}|\s[([]|\S（/u;

/** Names of what the answer lies in: `Paris, France`. */
const BESIDE_NAME = /, \p{Lu}\p{L}{1,40}(?: \p{Lu}\p{L}{1,40})?$/u;

/**
 * The final answers of several texts, where these are all that counts. Null where a text has none, gives reasons on the
 * line of its answer, or says more there than another does; and where two say the same, which leaves nothing to judge.
 *
 * @example finalAnswers(['17*20 + 17*3, so\n#### 391', 'Answer: 381']) // ['391', '381']
 */
export function finalAnswers(texts: readonly string[]): string[] | null {
  const answers = texts.flatMap((text) => finalAnswer(text) ?? []);
  if (
    answers.length < texts.length ||
    answers.some((answer) => REASONED.test(answer.replace(LABEL, '').replace(BESIDE_NAME, '')))
  )
    return null;
  const words = answers.map(wordsOf);
  const lengths = words.map((all) => all.filter((word) => !SIGN.test(word)).length);
  if (Math.max(...lengths) > Math.min(...lengths) + MORE_WORDS) return null;
  const isTwice = words.some((one, n) => words.some((other, m) => n !== m && saysAll(one, other)));
  return isTwice ? null : answers;
}

const wordsOf = (answer: string): readonly string[] => answer.toLowerCase().match(WORDS) ?? [];

/** Whether an answer has all words of another ("x is 391" and "391"), or the same numbers ("$5" and "5.00 dollars"). */
function saysAll(words: readonly string[], other: readonly string[]): boolean {
  const numbers = numbersIn(words);
  return (
    holds(words, other) ||
    (numbers !== '' &&
      numbers === numbersIn(other) &&
      holds(words.filter(isNoNumber), other.filter(isNoNumber)))
  );
}

/** Whether all of the other words stand in a row, and beside them nothing that makes it another answer. */
function holds(words: readonly string[], other: readonly string[]): boolean {
  const [whole = '', part = ''] = [words, other].map((all) => all.map((word) => ` ${word} `).join(''));
  const rest = whole.replace(part, '').replace(BETWEEN_SIGNS, '');
  return whole.includes(part) && ![DIFFERS, DENIES].some((words) => words.test(rest));
}

/** A sign of arithmetic, but for an equals sign, or what denies beside `DENIES`. */
const DIFFERS = /[-+<>^/*≤≥≠非未]| (?:jamais|nunca) |せん/;
/** Between two signs of a script that sets no space there. */
const BETWEEN_SIGNS = new RegExp(`(?<=${CJK.source}) {2}(?=${CJK.source})`, 'gu');

const toNumber = (word: string) => Number(word.replaceAll(',', ''));
const isNoNumber = (word: string) => Number.isNaN(toNumber(word));
const numbersIn = (words: readonly string[]) =>
  words
    .map(toNumber)
    .filter((number) => !Number.isNaN(number))
    .join(' ');

/**
 * The number after `####`, else the last one of the text, as a decimal without thousands separators; null where
 * there is none. Worked solutions end in the number that counts, whatever words they put around it.
 */
export function finalNumber(text: string): string | null {
  const marked = /####\s*\$?(-?\d[\d,]*(?:\.\d+)?)/.exec(text)?.[1];
  return (marked ?? text.match(NUMBER)?.at(-1))?.replaceAll(',', '') ?? null;
}

/** Not the digits of a word or of a version: "x2", "1.2.3". */
const NUMBER = /(?<![\w.])-?\d[\d,]*(?:\.\d+)?|(?<=\$)\d[\d,]*(?:\.\d+)?/g;

/** A sign of arithmetic alone. */
const SIGN = /^[-+=<>^/*≤≥≠]$/u;

/** Numbers, words and signs. A Chinese, Japanese or Korean character is a word of its own. */
const WORDS = new RegExp(
  `${NUMBER.source}|${CJK.source}|(?:(?!${CJK.source})[\\p{L}\\p{M}\\p{N}])+|[-+=<>^/*≤≥≠]`,
  'gu',
);
