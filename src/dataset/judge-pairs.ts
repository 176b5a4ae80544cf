/** What judges decided on D and on D_bias: asking them, and the record of each. */
import * as z from 'zod';
import { renderOptions } from '../../prompts/index.ts';
import { isNone, readVerdict, type VerdictForm, winnerOf } from '../case/index.ts';
import { type Model, type RunOptions, runAll, settleAll } from '../models/index.ts';
import type { DatasetRow } from './dataset-row.ts';

const said = z.object({
  /** The judge's reply, as it came. */
  text: z.string(),
  /** Index into the options as that row shows them; null where no verdict could be read. */
  option: z.int().min(0).nullable(),
  /** Why none could be read; null where one was. */
  unread: z.string().nullable(),
});
export type RowVerdict = z.output<typeof said>;

export const verdictRecord = z.object({
  /** Of the two rows. */
  id: z.string(),
  judge: z.string(),
  /** Null where the judge gave no reply. */
  d: said.nullable(),
  d_bias: said.nullable(),
  /** What went wrong, in words; null where nothing did. */
  error: z.string().nullable(),
});
export type VerdictRecord = z.output<typeof verdictRecord>;

export type RowPair = readonly [d: DatasetRow, dBias: DatasetRow];

/** @returns one record for each pair and judge, judges in turn, in the order of the pairs */
export async function* judgePairs(
  pairs: Iterable<RowPair> | AsyncIterable<RowPair>,
  judges: readonly Model[],
  run: RunOptions,
): AsyncGenerator<VerdictRecord> {
  const work = ({ pair: [d, dBias], judge }: Task, signal: AbortSignal) =>
    settleAll([decide(judge, d, signal), decide(judge, dBias, signal)]);
  for await (const result of runAll(tasks(pairs, judges), work, run)) {
    const { pair, judge } = result.item;
    const head = { id: pair[0].id, judge: judge.name };
    if ('error' in result) yield { ...head, d: null, d_bias: null, error: result.error.message };
    else yield { ...head, d: result.value[0], d_bias: result.value[1], error: null };
  }
}

interface Task {
  readonly pair: RowPair;
  readonly judge: Model;
}

async function* tasks(
  pairs: Iterable<RowPair> | AsyncIterable<RowPair>,
  judges: readonly Model[],
): AsyncGenerator<Task> {
  for await (const pair of pairs) for (const judge of judges) yield { pair, judge };
}

/** The question a row is put to a judge as; the same row is the same question, so it is asked once. */
export function renderRowQuestion(row: DatasetRow): { readonly system: string; readonly user: string } {
  const options = row.options.map((text, index) => ({ text, label: row.labels[index] ?? '' }));
  return renderOptions({ instruction: row.instruction, options, statements: row.statements });
}

async function decide(judge: Model, row: DatasetRow, signal: AbortSignal): Promise<RowVerdict> {
  const { text } = await judge.ask(renderRowQuestion(row), signal);
  return readRowVerdict(text, row);
}

export function readRowVerdict(text: string, row: Pick<DatasetRow, 'labels'>): RowVerdict {
  const options = row.labels.map((label) => ({ label }));
  const verdict = readVerdict(text, formOf(row.labels), options);
  const winner = winnerOf(verdict);
  if (typeof winner === 'number') return { text, option: winner, unread: null };
  return { text, option: null, unread: isNone(verdict) ? verdict.reason : verdict.kind };
}

function formOf(labels: readonly string[]): VerdictForm {
  const numbered = labels[0]?.startsWith('Choice') ?? false;
  const keys = labels.map((label) => /(?<!\w)(\w+)\)?$/.exec(label)?.[1] ?? label);
  const template = numbered ? 'Choice {}' : 'Output ({})';
  return { kind: 'choice', write: { template, labels: keys }, tie: null, field: null };
}
