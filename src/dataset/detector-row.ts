/** Rows of the published detector dataset (arXiv 2505.17100 §3.2): what a judge saw, what it said, and the columns as they are published. */
import * as z from 'zod';
import { hasOrderBias } from '../bias/index.ts';
import type { DatasetRow } from './base.ts';

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
  /** Whether the bias speaks for the right option, in rows of one's own: the published ones have no such side. */
  twin: z.boolean().nullish(),
});

export type DetectorRow = z.output<typeof detectorRow>;

/** A row in words, for messages: `verbosity row 125`. */
export function describeRow(row: DetectorRow): string {
  return `${row.bias_category} row${row.index === undefined ? '' : ` ${row.index}`}`;
}

/** The bias of a row, its two sides apart: `bandwagon`, `bandwagon twin`. */
export function nameSide({ bias_category, twin }: DetectorRow): string {
  return twin ? `${bias_category} twin` : bias_category;
}

type Shown = Pick<DatasetRow, 'options' | 'labels' | 'statements'>;

/**
 * @param d the row of D that belongs to it: where D_bias is another order, the row shows both, each as the judge
 *   saw it, and in D it saw no statement and no text that a further bias had changed
 * @param published as the published data has it to the letter: its statements double each percent sign, an escape that
 *   was never undone. A live judge is shown one sign
 */
export function formatChoices(
  row: Shown & Pick<DatasetRow, 'biases' | 'set'>,
  d: Shown,
  published: boolean,
): string {
  if (row.set === 'd' || !hasOrderBias(row.biases)) return evaluation(row, published);
  return (
    `### First Evaluation (Original Order)\n${evaluation(d, published)}\n\n` +
    `### Second Evaluation (Swapped Order)\n${evaluation(row, published)}`
  );
}

function evaluation(row: Shown, published: boolean): string {
  const statements = row.statements
    .map((statement) => `### Statement: ${published ? statement.replaceAll('%', '%%') : statement}\n\n`)
    .join('');
  const numbered = row.labels[0]?.startsWith('Choice') ?? false;
  const options = numbered
    ? row.options.map((option, index) => `${index + 1}. ${option}`).join('\n')
    : row.options.map((option, index) => `${row.labels[index]}: ${option}`).join('\n\n');
  return statements + options;
}
