/**
 * One example a detector learns from: the prompt it will be sent, the reasoning it should give, and the true label
 * (a triple of x, ŷ^r and b in arXiv 2505.17100 §3.2). Written by distilling, read by every export.
 */
import * as z from 'zod';
import { labelledRow } from './label-pairs.ts';

export const SPLITS = ['train', 'validation', 'test'] as const;

export const detectorExample = labelledRow.extend({
  /** The whole prompt of the detector, as the proxy will send it. */
  prompt: z.string(),
  /** A teacher's reasoning that came to the true label; null for a label without reasons. */
  reasoning: z.string().nullable(),
  /** Name of the teacher; null where nobody was asked. */
  teacher: z.string().nullable(),
  split: z.enum(SPLITS),
});
export type DetectorExample = z.output<typeof detectorExample>;

/** What the detector should answer: its reasoning between the tags, then the label alone. */
export function formatCompletion({
  reasoning,
  bias_label,
}: Pick<DetectorExample, 'reasoning' | 'bias_label'>): string {
  return reasoning === null ? bias_label : `<think>\n${reasoning.trim()}\n</think>\n\n${bias_label}`;
}
