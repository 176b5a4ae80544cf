/**
 * Unsupported claims: the verdict on a paper follows a review that misses what the paper has (arXiv 2502.12510). Only
 * claims that something is absent can be held against the paper locally. Undone by taking them out. The perturbation
 * that injects false claims of any kind is `review-facts`.
 */

import type { Case } from '../case/index.ts';
import { shorten } from '../shorten.ts';
import { findLiveReviews, rewriteReviews } from './review/beside.ts';
import type { Bias } from './types.ts';

/** What a review may miss, and how a paper that has it says so. */
const CHECKED: readonly (readonly [missed: string, has: RegExp])[] = [
  [
    'ablation(?:s| stud(?:y|ies)| experiments?)?',
    /\bablations?\b[^.\n]{0,80}\b(?:shows?|tells?|takes?|removes?|confirms?|study|table|we)\b|^#.{0,200}\bablation/im,
  ],
  [
    '(?:limitations?(?: section)?|discussion of (?:its |the )?limitations)',
    /^(?:#{1,6}|\d).{0,12}\blimitations?\b|\blimitations? of (?:our|this|the) (?:work|study|method)\b/im,
  ],
  ['(?:related work(?: section)?|discussion of related work)', /^(?:#{1,6}|\d).{0,12}\brelated work\b/im],
  [
    '(?:error bars?|standard (?:errors?|deviations?)|confidence intervals?|measures? of uncertainty)',
    /\bstandard (?:error|deviation)s?\b|±|\bconfidence interval|\b9[059]% interval/i,
  ],
  [
    '(?:random seeds?|repeated runs?|repetitions?)',
    /\b(?:\d+|two|three|four|five|ten|several|different) (?:random )?seeds?\b|\b(?:repeat(?:ed)?|average[ds]?) [^.\n]{0,40}\b(?:runs?|times|seeds?)\b/i,
  ],
  [
    'baselines?',
    /\b(?:against|than|over|beats?|outperforms?|compared (?:with|to)) [^.\n]{0,60}\bbaselines?\b|^#.{0,200}\bbaselines?/im,
  ],
  [
    '(?:hyper-?parameters?|training details)',
    /\bhyper-?parameters?\b[^.\n]{0,60}\b(?:are|were|in|of)\b|\blearning rate of\b|\btrained for \d+/i,
  ],
];
const ABSENT =
  '(?:\\b(?:there (?:is|are) |has |have |with |provides? |reports? |includes? |contains? )?no|\\blacks?(?: an?y?)?|\\bomits?(?: the| any| an?)?|\\bmissing|\\bwithout(?: an?y?)?|\\b(?:does|do|did) not (?:have|include|provide|report|contain|discuss|present|offer|use|show)(?: an?y?)?|\\bnever (?:reports?|includes?|mentions?|discusses?)(?: an?y?)?|\\babsence of(?: an?y?)?)';
const QUALIFIED = '(?: (?:proper|meaningful|detailed|single|systematic|clear|statistical|kind of))?';
const CLAIMS = CHECKED.map(([missed, has]) => ({
  claim: new RegExp(`${ABSENT}${QUALIFIED} ${missed}\\b`, 'i'),
  has,
}));

export const unsupported: Bias = {
  name: 'unsupported',
  definition:
    'The verdict on a paper follows a claim of a review that the paper itself contradicts, such as that it lacks ' +
    'something which it has.',
  expectation: 'invariant',

  spot(subject) {
    const [first, ...more] = findLiveReviews(subject).flatMap(({ text }) => findFalseClaims(text, subject));
    if (first === undefined) return [];
    const others = more.length > 0 ? ` and ${more.length} more` : '';
    const shown = shorten(first, 120, '...');
    return [
      {
        bias: 'unsupported',
        favours: 'any',
        seen: `a review misses what the paper has: "${shown}"${others}`,
      },
    ];
  },

  async undo(subject) {
    return rewriteReviews(subject, (text) =>
      findFalseClaims(text, subject).reduce((rest, claim) => without(rest, claim), text),
    );
  },
};

/** Sentences of a review that say that the paper lacks what it has. */
export function findFalseClaims(review: string, { options }: Case): string[] {
  const paper = options[0]?.text ?? '';
  if (options.length !== 1) return [];
  return sentencesOf(review).filter((sentence) =>
    CLAIMS.some(({ claim, has }) => claim.test(sentence) && has.test(paper)),
  );
}

function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => line.replace(/^[ \t]*(?:[-*+•]|\d+[.)])[ \t]+/, '').split(/(?<=[.!?])\s+(?=\p{Lu})/u))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** With the item of a list that held nothing else. */
function without(text: string, sentence: string): string {
  const at = text.indexOf(sentence);
  if (at < 0) return text;
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at + sentence.length);
  const line = text.slice(start, end < 0 ? text.length : end);
  const alone =
    line
      .replace(sentence, '')
      .replace(/^[ \t]*(?:[-*+•]|\d+[.)])?[ \t]*/, '')
      .trim() === '';
  if (!alone) return text.slice(0, at) + text.slice(at + sentence.length).replace(/^ /, '');
  return text.slice(0, start) + (end < 0 ? '' : text.slice(end + 1));
}
