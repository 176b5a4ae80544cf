/** Dismissive rebuttals: the same arguments, said with condescension. */
import { editedBy } from './edit.ts';
import { rebuttalStretches } from './rebuttal.ts';
import type { Perturbation } from './types.ts';

export const rebuttalTone: Perturbation = {
  name: 'rebuttal-tone',
  part: 'rebuttal',
  aspect: 'tone',
  definition: 'The rebuttals make the same arguments in a dismissive tone.',
  expectation: 'invariant',
  called: 'dismissive rebuttals',
  by: 'model',

  async perturb(submission, tools) {
    const stretches = rebuttalStretches(submission);
    if ('dropped' in stretches) return stretches;
    const keep = { size: [0.6, 2], citations: 'all', numbers: 'all' } as const;
    return editedBy({ task: 'dismissive', part: 'rebuttal', keep, stretches }, tools);
  },
};
