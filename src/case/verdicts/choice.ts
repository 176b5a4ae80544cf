/** One option is better. */
import * as z from 'zod';
import type { VerdictKind } from './kind.ts';

export const choice = {
  // Choosing the same option by more or less (`A>B`, `A>>B`) is the same decision.
  isSame: (a, b) => a.option === b.option,
  mapBack(verdict, order) {
    const option = order[verdict.option];
    return option === undefined ? null : { ...verdict, option };
  },
  preferred: ({ option }) => option,
  likelihood({ probability: mean, missing = 0 }) {
    if (mean === undefined) return undefined;
    const low = mean * (1 - missing);
    return { mean, variance: mean * (1 - mean), missing, low, high: low + missing };
  },
  describe: ({ option }, nameOf) => nameOf(option),
  remind: ({ option }, nameOf) => nameOf(option),
  brief: ({ option }, nameOf) => nameOf(option),
  plain: ({ option }, nameOf) => nameOf(option),
  traced: {
    /** The chosen option's label. */
    choice: z.string().optional(),
    /** By how much it was chosen, where the form asks. */
    strength: z.enum(['slight', 'strong']).optional(),
    /** Of the chosen label among the labels of the form, by the judge's log-probabilities. */
    probability: z.number().optional(),
    /** Of the probability at the label, what is on none of the labels that the endpoint lists. */
    missing: z.number().optional(),
  },
  toTrace: ({ option, strength, probability, missing }, nameOf) => ({
    choice: nameOf(option),
    ...(strength && { strength }),
    ...(probability !== undefined && { probability }),
    ...(missing !== undefined && { missing }),
  }),
  fromTrace({ choice: label }, optionOf) {
    const option = typeof label === 'string' ? optionOf(label) : -1;
    return option < 0 ? null : { kind: 'choice', option };
  },
} as const satisfies VerdictKind<'choice'>;
