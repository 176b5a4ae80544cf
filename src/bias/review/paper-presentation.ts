/** A badly written paper: typing errors, run-on sentences, disorder. By rule, so that what it says stays. */
import { findPaperStretches } from './submission-parts.ts';
import type { Perturbation } from './types.ts';
import { spoilText } from './write-badly.ts';

export const paperPresentation: Perturbation = {
  name: 'paper-presentation',
  part: 'paper',
  aspect: 'presentation',
  definition: 'The paper is badly written: typing errors, run-on sentences, sentences out of order.',
  expectation: 'decrease',
  called: 'badly written papers',
  by: 'rule',

  async perturb(submission, { draw }) {
    const stretches = findPaperStretches(submission, 'presentation');
    if ('dropped' in stretches) return stretches;
    const changes = stretches.flatMap(({ start, text }) => {
      const after = spoilText(text, (of) => draw(`${submission.id} ${start} ${of}`));
      return after === text ? [] : [{ part: 'paper' as const, item: 0, start, before: text, after }];
    });
    return changes.length > 0 ? { changes, refused: [] } : { dropped: 'no prose to write badly' };
  },
};
