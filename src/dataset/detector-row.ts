/** Rows of the published detector dataset (arXiv 2505.17100 §3.2): what a judge saw, what it said, and the columns as they are published. */
import * as z from 'zod';
import { renderStatement } from '../../prompts/index.ts';
import { hasOrderBias } from '../bias/index.ts';
import { type DatasetRow, datasetRow } from './base.ts';

const label = z.enum(['Yes', 'No']);

/** What a judge is shown of a row in one order. */
const shown = datasetRow.pick({ options: true, labels: true, statements: true });
export type Shown = z.output<typeof shown>;

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
  /**
   * The pieces of `choices`, for each order in it, in rows of one's own: an answer may hold a label, which makes the text
   * ambiguous. A statement is its whole line.
   */
  shown: z.array(shown).min(1).max(2).nullish(),
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

/**
 * What a row shows, in the order of the columns: as a live case is read, without white space around its texts.
 *
 * @param d the row of D that belongs to it: where D_bias is another order, the row shows both, each as the judge
 *   saw it, and in D it saw no statement and no text that a further bias had changed
 * @param published as the published data has it to the letter: its statements end in no full stop and double each percent
 *   sign, an escape that was never undone. A live judge is shown the stop, and one sign
 */
export function listShown(
  row: Shown & Pick<DatasetRow, 'biases' | 'set'>,
  d: Shown,
  published: boolean,
): Shown[] {
  const both = row.set === 'd_bias' && hasOrderBias(row.biases);
  return (both ? [d, row] : [row]).map(({ options, labels, statements }) => ({
    options: published ? options : options.map((option) => option.trim()),
    labels,
    statements: statements.map((said) =>
      published ? `### Statement: ${said.replaceAll('%', '%%')}` : renderStatement(said),
    ),
  }));
}

export function formatChoices([first, second]: readonly Shown[]): string {
  if (!first) throw new RangeError('a row shows one order at least');
  if (!second) return evaluation(first);
  return (
    `### First Evaluation (Original Order)\n${evaluation(first)}\n\n` +
    `### Second Evaluation (Swapped Order)\n${evaluation(second)}`
  );
}

function evaluation({ statements, labels, options }: Shown): string {
  const numbered = labels[0]?.startsWith('Choice') ?? false;
  const listed = numbered
    ? options.map((option, index) => `${index + 1}. ${option}`).join('\n')
    : options.map((option, index) => `${labels[index]}: ${option}`).join('\n\n');
  return [...statements, listed].join('\n\n');
}
