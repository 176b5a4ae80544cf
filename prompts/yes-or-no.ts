/** Replies that were to be one word: yes or no. */
import { removeThoughts } from './thoughts.ts';

/** @returns null where the reply, thoughts before it aside, is neither of the two words */
export function readYesOrNo(reply: string): boolean | null {
  const word = /^\W*(yes|no)\W*$/i.exec(removeThoughts(reply).trim())?.[1]?.toLowerCase();
  return word === undefined ? null : word === 'yes';
}
