/** Detectors that are a prompt to any model: what a fine-tuned one has to beat (arXiv 2505.17100 §4). */
import { renderShots, type Shot } from '../../prompts/shots.ts';
import { CATALOGUE } from '../bias/index.ts';
import type { DetectorModel } from '../detect/rbd/model.ts';
import { renderBrief } from '../detect/rbd/prompt.ts';
import { readAnalysis } from '../detect/rbd/read.ts';
import type { Detector } from '../detect/types.ts';

export interface Prompting {
  /** `all`: the definitions of the whole catalogue, and it is for the model to see which is at work. */
  readonly told: 'all' | 'named';
  readonly shots: readonly Shot[];
}

export function createPromptedDetector(model: DetectorModel, { told, shots }: Prompting): Detector {
  return {
    name: 'prompted',
    async analyse(brief) {
      const biases = told === 'all' ? CATALOGUE : brief.biases;
      const question = renderBrief(brief, { biases });
      const prompt = shots.length === 0 ? question : renderShots(shots, question);
      const { biased, reasoning } = readAnalysis(await model.complete(prompt, brief.signal));
      return {
        biased,
        biases: biased ? brief.biases.map(({ name }) => name) : [],
        reasoning,
        evidence: [],
      };
    },
  };
}
