/**
 * Verbosity: the verdict follows length. Undone by comparing final answers where every option states one,
 * otherwise by condensing the longer option to the same claims.
 */
import { reduceToFinalAnswers, rewriteOptions } from './reword.ts';
import type { Bias } from './types.ts';

/** Twice as long is where a reader would notice; below it judges' preference for length is hard to tell from detail. */
const RATIO = 2;
/** And by at least this many characters: "no" against "yes" is no matter of length. */
const MARGIN = 40;

export const verbosity: Bias = {
  name: 'verbosity',
  definition:
    'The choice follows length: a longer answer is preferred for being longer, even where it is not clearer, ' +
    'more accurate or more complete.',
  expectation: 'invariant',
  trait: 'length',

  spot(subject) {
    const lengths = subject.options.map((option) => option.text.length);
    if (lengths.length < 2) return [];
    const longest = Math.max(...lengths);
    const shortest = Math.min(...lengths);
    if (longest < RATIO * shortest || longest - shortest < MARGIN) return [];
    const times = shortest === 0 ? 'many' : (longest / shortest).toFixed(1);
    return [
      {
        bias: 'verbosity',
        favours: lengths.indexOf(longest),
        seen: `it is ${times} times as long as the shortest (${longest} against ${shortest} characters)`,
        strength: 1 - shortest / longest,
      },
    ];
  },

  async undo(subject, cue, tools) {
    const compared = reduceToFinalAnswers(subject);
    if (compared || cue.favours === 'any') return compared;
    return rewriteOptions(subject, 'condense', [cue.favours], tools);
  },

  /** One side keeps its worked solution, the other is left with its final answer alone. */
  async inject(draft, { side }) {
    const short = (index: number) => (index === draft.right) === (side === 'wrong');
    const options = draft.options.map((text, index) => (short(index) ? draft.answers[index] : text));
    if (options.some((text) => text === null || text === undefined)) {
      const known =
        side === 'wrong' ? 'right option is known: the base data have no `answer`' : 'wrong option is known';
      return { dropped: `no final answer of the ${known}` };
    }
    return { ...draft, options: options.map((text) => text ?? '') };
  },
};
