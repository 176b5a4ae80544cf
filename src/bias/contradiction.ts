/**
 * Contradiction: the verdict is not the one that the judge's own reasons come to ("so Response B is better", and then
 * `{"winner": "A"}`). Seen in the reply itself, so that finding it costs no call; the case goes back with both quoted.
 */
import { readOwnReasons } from '../case/index.ts';
import type { Bias } from './types.ts';

export const contradiction: Bias = {
  name: 'contradiction',
  definition: 'The verdict is another one than the reasons that the judge gives for it come to.',
  expectation: 'invariant',

  /** It stands in the judge's reply, never in the case. */
  spot: () => [],
  undo: async () => null,

  reread(subject, verdict) {
    const own = readOwnReasons(subject, verdict);
    return own && { after: own.verdict, seen: own.seen };
  },
};
