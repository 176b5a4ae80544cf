/** The explicit final answer at the end of a worked solution, so that solutions can be compared by what they conclude. */

/** A text this short without a line break is its own final answer. */
const BARE = 24;

const MARKED = [
  /####[ \t]*([^\n]{1,80})/g,
  /\\boxed\{([^{}\n]{1,80})\}/g,
  /\*\*(?:final\s+)?answer:?\*\*:?[ \t]*([^\n]{1,80})/gi,
  /^(?:final\s+)?answer[ \t]*:[ \t]*([^\n]{1,80})/gim,
  /\b(?:final\s+)?answer\s+is:?[ \t]+([^\n]{1,80})/gi,
];

/**
 * The last explicitly marked answer (`#### 9`, `\boxed{9}`, `Answer: 9`, `the answer is 9`), or the whole
 * text where it is no more than an answer. Null where the text does not say.
 */
export function finalAnswer(text: string): string | null {
  const trimmed = text.trim();
  const tail = trimmed.slice(-2000);
  let last: { at: number; answer: string } | null = null;
  for (const pattern of MARKED) {
    for (const match of tail.matchAll(pattern)) {
      const answer = (match[1] ?? '')
        .replace(/[*_`]+/g, '')
        .replace(/\.\s*$/, '')
        .trim();
      if (answer !== '' && (!last || match.index > last.at)) last = { at: match.index, answer };
    }
  }
  if (last) return last.answer;
  return trimmed !== '' && trimmed.length <= BARE && !trimmed.includes('\n') ? trimmed : null;
}

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
