/** Detectors that are a prompt to any model: what a fine-tuned one has to beat (arXiv 2505.17100 §4). */
import { renderShots, type Shot } from '../../prompts/index.ts';
import { CATALOGUE } from '../bias/index.ts';
import { type Detector, type DetectorModel, readRbdAnalysis, renderBrief } from '../detect/index.ts';

interface PromptingOptions {
  /** `all`: the definitions of the whole catalogue, and it is for the model to see which is at work. */
  readonly told: 'all' | 'named';
  readonly shots: readonly Shot[];
}

export function createPromptedDetector(model: DetectorModel, { told, shots }: PromptingOptions): Detector {
  return {
    name: 'prompted',
    async analyse(brief) {
      const biases = told === 'all' ? CATALOGUE : brief.biases;
      const question = renderBrief(brief, { biases });
      const prompt = shots.length === 0 ? question : renderShots(shots, question);
      const { biased, reasoning } = readRbdAnalysis(await model.complete(prompt, brief.signal));
      return {
        biased,
        biases: biased ? brief.biases.map(({ name }) => name) : [],
        reasoning,
        evidence: [],
      };
    },
  };
}
