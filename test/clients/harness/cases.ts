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
