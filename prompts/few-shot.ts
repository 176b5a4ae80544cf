/** Examples put before a detector's question: the few-shot baselines that a fine-tuned detector is measured against. */
import { RBD_MATERIAL } from './bias-detector.ts';

/** One example's material, with the placeholders of prompts/bias-detector.ts. */
export const SHOT_TEMPLATE = `Looking for: {{biases}}\n\n${RBD_MATERIAL}`;

export interface Shot {
  /** `SHOT_TEMPLATE` filled. */
  readonly material: string;
  /** Null for a label alone. */
  readonly reasoning: string | null;
  readonly label: 'Yes' | 'No';
}

/** @param question the whole prompt that the examples go before */
export function renderShots(shots: readonly Shot[], question: string): string {
  const examples = shots.map(
    ({ material, reasoning, label }, index) =>
      `Example ${index + 1}\n\n${material}\n\nAnswer:\n${reasoning === null ? '' : `<think> ${reasoning.trim()} </think> `}${label}`,
  );
  const head = 'Here are decisions that were reviewed before, each with the answer that was right.';
  return `${head}\n\n${examples.join('\n\n')}\n\nNow it is your turn.\n\n${question}`;
}
