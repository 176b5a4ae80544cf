/**
 * The obvious shortcuts, as a baseline to beat: the verdict went where some cue points (picked the longer, the
 * majority's, the cheerful one), or the two orders disagree; so it is biased. No model, no call.
 *
 * Never a default. On the published test set it scores as high as trained detectors, because that set is
 * one-sided: the longer answer, the crowd's and the cheerful one are almost always the wrong ones there. On the
 * counterbalanced twins (src/evaluate/twins.ts), where the longer or the crowd's answer is the right one, it is
 * wrong every time. A detector that does no better than this on all of them has learned no more than this.
 */
import { findConsistentSuspects } from './rbd.ts';
import type { Detector, LocalDetectorEntry } from './types.ts';

export const rules = {
  name: 'rules',
  needsModel: false,
  asksJudge: false,
  create: createRulesDetector,
} as const satisfies LocalDetectorEntry;

/** @example await debias({ ...trial, subject, detector: createRulesDetector() }); */
export function createRulesDetector(): Detector {
  return {
    name: rules.name,
    async analyse(brief) {
      const suspects = findConsistentSuspects(brief, brief.biases);
      const seen = suspects.map(({ cue }) => `${cue.bias} (${cue.seen})`).join('; ');
      return {
        biased: suspects.length > 0,
        biases: [...new Set(suspects.map(({ bias }) => bias.name))],
        reasoning:
          seen === ''
            ? 'No cue speaks for what was decided.'
            : `What was decided is what a cue speaks for: ${seen}.`,
        evidence: [],
      };
    },
  };
}
