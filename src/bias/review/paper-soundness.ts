/** A paper that cannot be checked: details of method and validation out. */
import { editedBy } from './edit.ts';
import { paperStretches } from './paper.ts';
import type { Perturbation } from './types.ts';

export const paperSoundness: Perturbation = {
  name: 'paper-soundness',
  part: 'paper',
  aspect: 'soundness',
  definition: 'The paper no longer says how its method works in detail and how its results were validated.',
  expectation: 'decrease',
  called: 'papers without details of method and validation',
  by: 'model',

  async perturb(submission, tools) {
    const stretches = paperStretches(submission, 'soundness');
    if ('dropped' in stretches) return stretches;
    const keep = { size: [0.15, 1.1], citations: 'some', numbers: 'some' } as const;
    return editedBy({ task: 'soundness', part: 'paper', keep, stretches }, tools);
  },
};
