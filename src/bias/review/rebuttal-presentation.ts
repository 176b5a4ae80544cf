/** Badly written rebuttals: typing errors, run-on sentences, disorder. By rule, so that what they say stays. */
import { findRebuttalStretches } from './submission-parts.ts';
import type { Perturbation } from './types.ts';
import { spoilText } from './write-badly.ts';

export const rebuttalPresentation: Perturbation = {
  name: 'rebuttal-presentation',
  part: 'rebuttal',
  aspect: 'presentation',
  definition: 'The rebuttals are badly written: typing errors, run-on sentences, sentences out of order.',
  expectation: 'invariant',
  called: 'badly written rebuttals',
  by: 'rule',

  async perturb(submission, { draw }) {
    const stretches = findRebuttalStretches(submission);
    if ('dropped' in stretches) return stretches;
    const changes = stretches.flatMap(({ item, start, text }) => {
      const after = spoilText(text, (of) => draw(`${submission.id} rebuttal ${item} ${of}`));
      return after === text ? [] : [{ part: 'rebuttal' as const, item, start, before: text, after }];
    });
    return changes.length > 0 ? { changes, refused: [] } : { dropped: 'no prose to write badly' };
  },
};
