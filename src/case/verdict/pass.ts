/**
 * Whether a reply lets the judged answer pass: yes/no, pass/fail, correct/incorrect, true/false and their
 * letters. Single letters count only where a verdict stands, never inside a sentence.
 */
import type { NoVerdictReason } from '../types.ts';

export type Pass =
  | { readonly pass: boolean }
  | { readonly none: Extract<NoVerdictReason, 'no-label' | 'contradictory'> };

const WORDS = 'yes|no|pass(?:es|ed)?|fail(?:s|ed)?|incorrect|correct|true|false';
const VERDICT = `(${WORDS}|[ynci])`;
const STOP = '(?=["\')\\]]{0,3}\\s{0,9}(?:[.,;!\\n–—-]|$|because\\b|since\\b|as\\b))';

const ALONE = new RegExp(`^\\s{0,9}["'(\\[]{0,3}${VERDICT}["')\\]]{0,3}[.!]?\\s{0,9}$`, 'gimu');
const MARKED = new RegExp(`\\[\\[\\s{0,9}${VERDICT}\\s{0,9}\\]\\]`, 'giu');
const LED = new RegExp(
  `\\b(?:verdict|answer|grade|result|decision|judge?ment|conclusion|label|score|evaluation|outcome|pass(?:ed)?|correct)["']?\\s{0,9}[:=]\\s{0,9}["'(\\[]{0,3}${VERDICT}${STOP}`,
  'giu',
);
const LED_BY_IS = new RegExp(
  `\\b(?:(?:verdict|grade|decision|judge?ment|conclusion) is:?\\s{0,9}["']?${VERDICT}|(?:final|correct|my) answer is:?\\s{0,9}["']?(yes|no))${STOP}`,
  'giu',
);
const OPENING = new RegExp(
  `^\\s{0,9}["'(\\[]{0,3}(${WORDS}|[yn](?=[.,:;]))(?=["')\\]]{0,3}\\s{0,9}(?:[.,:;!\\n–—-]|$))`,
  'giu',
);
const CLOSING = /(?:[.!?:]\s+|\n)([yn]|yes|no)["')\]]{0,3}[.!]?\s*$/giu;
const STATED =
  /\b(?:answer|response|output|submission|solution|reply|completion|criterion|criteria|requirement)(?:\s+(?:given|provided|above))?\s+(?:(?:is|are|was|has|does|should|therefore|thus|clearly|fully|also)\s+|(is|are|was|does|has|should)(?:n't|\s+not)\s+(?:fully\s+)?)?(?:be\s+|been\s+)?(pass(?:es|ed)?|fail(?:s|ed)?|incorrect|correct|met)\b(?![^.]{0,200}\b(?:but|however|except)\b)/giu;
const CONCLUDES = /\b(?:therefore|thus|hence|overall|in conclusion|in summary|conclude|so,)\b/iu;

/** Where verdicts stand, by how sure: an answer to the letter; a concluding sentence about the answer. */
export function passInText(said: string): Pass {
  const exact = [ALONE, MARKED, LED, LED_BY_IS, OPENING, CLOSING].flatMap((place) =>
    [...said.matchAll(place)].map((match) => isPass(match[1] ?? match[2] ?? '')),
  );
  if (exact.length > 0) return unanimous(exact);
  const sentences = said.split(/(?<=[.!?])\s+|\n+/u).filter((sentence) => sentence !== '');
  const stated = sentences
    .filter(
      (sentence, at) =>
        (at === sentences.length - 1 || CONCLUDES.test(sentence)) && !/\?["')]{0,3}$/.test(sentence),
    )
    .flatMap((sentence) => [...sentence.matchAll(STATED)])
    .map((match) => isPass(match[2] ?? '') !== (match[1] !== undefined));
  return stated.length > 0 ? unanimous(stated) : { none: 'no-label' };
}

/** A JSON value as a verdict: true, "yes", 1. */
export function passOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1) return value === 1;
  return typeof value === 'string' && new RegExp(`^\\s*${VERDICT}[.!]?\\s*$`, 'iu').test(value)
    ? isPass(value)
    : null;
}

const isPass = (word: string) => /^\s*(?:y|c|yes|pass|correct|true|met)/i.test(word);

function unanimous(all: readonly boolean[]): Pass {
  const [first] = all;
  return first !== undefined && all.every((one) => one === first)
    ? { pass: first }
    : { none: 'contradictory' };
}
