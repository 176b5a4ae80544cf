/**
 * Rows of the published detector dataset (arXiv 2505.17100 §3.2), as they are: a record of what a judge saw,
 * what it decided, and whether that was biased. `bias_label` is Yes where the judge was right without the bias
 * and wrong with it.
 */
import * as z from 'zod';

const label = z.enum(['Yes', 'No']);

export const detectorRow = z.object({
  /** Number of the base item; unique within a bias only. */
  index: z.union([z.string(), z.number()]).optional(),
  bias_category: z.string(),
  llm_judge_model: z.string(),
  instruction: z.string(),
  choices: z.string(),
  llm_judgment: z.string(),
  /** Reasoning of zero-shot DeepSeek-R1, which was not told the label. */
  without_bias_label_think_content: z.string().nullish(),
  deepseek_prediction_bias_label: label.nullish(),
  bias_label: label,
});

export type DetectorRow = z.output<typeof detectorRow>;

/** A row in words, for messages: `verbosity row 125`. */
export function describeRow(row: DetectorRow): string {
  return `${row.bias_category} row${row.index === undefined ? '' : ` ${row.index}`}`;
}
