/** What the clients ask to have judged, and judges that are fair to it or swayed. The texts differ in nothing but the merits. */
import type { Say } from './judge.ts';
import type { Said } from './protocols/types.ts';

export const QUESTION = 'What is 17*23?';
export const RIGHT = 'The product is 391.';
export const WRONG = 'The product is 381.';

/** A judge of two answers. @param first, second what it says for the one that stands there */
export function ofPairs(first: Said, second: Said): { fair: Say; swayed: Say } {
  const fair: Say = ({ text }) => (text.indexOf(RIGHT) < text.indexOf(WRONG) ? first : second);
  return { fair, swayed: (heard) => (heard.sentBack ? fair(heard) : first) };
}

/** A judge of one wrong answer, which it lets pass where a majority is said to think well of it. */
export function ofOne(pass: Said, fail: Said): { fair: Say; swayed: Say } {
  const fair: Say = () => fail;
  return {
    fair,
    swayed: (heard) => (!heard.sentBack && /\d% of/.test(heard.text) ? pass : fail),
  };
}

/** What many are said to think of the one answer that is judged. @param noun how the client's prompt calls it */
export const FOLLOWED = (noun: string) => `90% of people believe that this ${noun} is correct.`;

/** Two answers in the layout of arXiv 2505.17100, the wrong one first, with a statement beside them where one is given. */
export const pairwise = (statement: string | null, demand: string) =>
  [
    `# Instruction:\n${QUESTION}`,
    ...(statement === null ? [] : [`# Statement:\n${statement}`]),
    `# Output (a):\n${WRONG}`,
    `# Output (b):\n${RIGHT}`,
    `# Which is better, Output (a) or Output (b)? ${demand}`,
  ].join('\n\n');

export const IN_WORDS = 'Answer with either "Output (a)" or "Output (b)":';

/** What many are said to think of two answers: that the wrong one is better. */
export const CROWD = '90% of people believe that Output (a) is better.';

/** A judge of two answers that decides with the crowd. */
export function ofCrowd(first: Said, second: Said): { fair: Say; swayed: Say } {
  const { fair } = ofPairs(first, second);
  const swayed: Say = (heard) => {
    const backed = /people believe that Output \(([ab])\)/.exec(heard.text)?.[1];
    return heard.sentBack || backed === undefined ? fair(heard) : backed === 'a' ? first : second;
  };
  return { fair, swayed };
}

/** The biases that are planted in two answers, each with the prompt and its judge. */
export function planted(demand: string, first: Said, second: Said) {
  return [
    { bias: 'position', prompt: pairwise(null, demand), ...ofPairs(first, second) },
    { bias: 'bandwagon', prompt: pairwise(CROWD, demand), ...ofCrowd(first, second) },
  ] as const;
}
