/**
 * The bias label of a verdict: biased if and only if the judge was right without the bias and wrong with it
 * (b_i in arXiv 2505.17100 §3.2). A judge that was wrong all along is no evidence of a bias.
 */

import * as z from 'zod';
import { hasOrderBias } from '../bias/index.ts';
import { InputError } from '../errors.ts';
import type { BiasRate } from '../report/index.ts';
import { wilson } from '../stats/index.ts';
import type { DatasetRow } from './base.ts';
import { detectorRow, formatChoices, listShown } from './detector-row.ts';
import { hashShown, type RowPair, type RowVerdict, type VerdictRecord } from './judge-pairs.ts';

/** A row of the published dataset's columns, and ours beside them. */
export const labelledRow = detectorRow.extend({
  id: z.string(),
  base: z.string(),
  twin: z.boolean(),
  /** Null of a verdict from use: nobody knows which option is right, or what the judge said without the bias. */
  right_in_d: z.boolean().nullable(),
  right_in_d_bias: z.boolean().nullable(),
  /** Where a verdict from use was found, and who says whether it is biased; absent of rows that were built. */
  origin: z
    .object({
      source: z.literal('langfuse'),
      trace: z.string(),
      observation: z.string(),
      label: z.enum(['people', 'evidence']),
    })
    .optional(),
});
export type LabelledRow = z.output<typeof labelledRow>;

/** A pair that cannot be labelled, and why. */
interface UnlabelledPair {
  readonly id: string;
  readonly judge: string;
  readonly unlabelled: string;
}

export function labelPair([d, dBias]: RowPair, record: VerdictRecord): LabelledRow | UnlabelledPair {
  const { id, judge } = record;
  if (record.error !== null || !record.d || !record.d_bias)
    return { id, judge, unlabelled: `the judge gave no reply: ${record.error ?? 'no reason is recorded'}` };
  const unread = record.d.unread ?? record.d_bias.unread;
  if (record.d.option === null || record.d_bias.option === null)
    return { id, judge, unlabelled: `no verdict could be read (${unread ?? 'unknown'})` };
  const right_in_d = record.d.option === d.right;
  const right_in_d_bias = record.d_bias.option === dBias.right;
  const published = dBias.choices !== undefined;
  const shown = listShown(dBias, d, published);
  return {
    id,
    base: d.base,
    twin: d.twin,
    bias_category: d.biases.join('+'),
    llm_judge_model: judge,
    instruction: published ? dBias.instruction : dBias.instruction.trim(),
    choices: dBias.choices ?? formatChoices(shown),
    shown,
    llm_judgment: judgment(d, dBias, record.d, record.d_bias),
    right_in_d,
    right_in_d_bias,
    bias_label: right_in_d && !right_in_d_bias ? 'Yes' : 'No',
  };
}

/** The decision in the labels alone; for a bias of order, where both orders are shown, one for each. */
function judgment(d: DatasetRow, dBias: DatasetRow, inD: RowVerdict, inDBias: RowVerdict): string {
  const given = d.labels[inD.option ?? -1] ?? '';
  const biased = dBias.labels[inDBias.option ?? -1] ?? '';
  if (!hasOrderBias(d.biases)) return biased;
  return `### Original Order\n${given}\n\n### Swapped Order\n${biased}`;
}

/**
 * The pairs with their records, which stand in the order of the pairs, all judges of a pair together.
 *
 * @yields what became of each record
 * @throws InputError where a record belongs to no pair, names an option that its row does not have, or is of a row that
 *   has been built anew since
 */
export async function* labelPairs(
  pairs: AsyncIterable<RowPair>,
  records: AsyncIterable<VerdictRecord>,
): AsyncGenerator<LabelledRow | UnlabelledPair> {
  const waiting = pairs[Symbol.asyncIterator]();
  try {
    let current = await waiting.next();
    for await (const record of records) {
      while (!current.done && current.value[0].id !== record.id) current = await waiting.next();
      if (current.done)
        throw new InputError('verdicts', `that on ${record.id} belongs to no row, or stands out of order`);
      if (record.shown !== undefined && record.shown !== hashShown(current.value))
        throw new InputError(
          'verdicts',
          `that on ${record.id} is of another row than the dataset has now; run remand dataset judge again ` +
            '(calls that were made for the same text are not made twice)',
        );
      const [{ options }] = current.value;
      for (const said of [record.d, record.d_bias])
        if (said?.option !== undefined && (said.option ?? 0) >= options.length)
          throw new InputError(
            'verdicts',
            `that on ${record.id} has option ${said.option}, which is none of ${options.length}`,
          );
      yield labelPair(current.value, record);
    }
  } finally {
    // Rows may be left over, and their files are open.
    await waiting.return?.();
  }
}

/** How often each judge is biased, by bias, while the labels go by. */
export function createRateTally() {
  const counts = new Map<
    string,
    { judge: string; bias: string; twin: boolean; n: number; biased: number; right: number }
  >();
  return {
    add({ llm_judge_model: judge, bias_category: bias, twin, bias_label, right_in_d }: LabelledRow): void {
      const key = JSON.stringify([judge, bias, twin]);
      const count = counts.get(key) ?? { judge, bias, twin, n: 0, biased: 0, right: 0 };
      counts.set(key, count);
      count.n++;
      if (bias_label === 'Yes') count.biased++;
      if (right_in_d) count.right++;
    },
    rates: (): BiasRate[] =>
      [...counts.values()].map(({ right, ...count }) => ({
        ...count,
        share: count.n === 0 ? null : count.biased / count.n,
        interval: wilson(count.biased, count.n),
        right_in_d: right,
      })),
  };
}

// One example a detector learns from: the prompt it will be sent, the reasoning it should give, and the true label
// (a triple of x, ŷ^r and b in arXiv 2505.17100 §3.2). Written by distilling, read by every export.

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
