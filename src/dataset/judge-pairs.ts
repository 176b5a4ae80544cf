/** What judges decided on D and on D_bias: asking them, and the record of each. */
import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { renderOptions } from '../../prompts/index.ts';
import { isNone, readVerdict, type VerdictForm, winnerOf } from '../case/index.ts';
import { describeError, InputError } from '../errors.ts';
import { type Model, pairUp, type RunOptions, runAll, settleAll } from '../models/index.ts';
import { readJsonl } from '../records/node.ts';
import { type DatasetRow, datasetRow } from './base.ts';

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
  /** Of what the two rows show (`hashShown`); absent of records from before it was noted. */
  shown: z.string().optional(),
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
): AsyncGenerator<readonly [RowPair, VerdictRecord]> {
  const work = ([[d, dBias], judge]: readonly [RowPair, Model], signal: AbortSignal) =>
    settleAll([decide(judge, d, signal), decide(judge, dBias, signal)]);
  for await (const result of runAll(pairUp(pairs, judges), work, run)) {
    const [pair, judge] = result.item;
    const head = { id: pair[0].id, judge: judge.name, shown: hashShown(pair) };
    if ('error' in result) yield [pair, { ...head, d: null, d_bias: null, error: result.error.message }];
    else yield [pair, { ...head, d: result.value[0], d_bias: result.value[1], error: null }];
  }
}

/** Tells a pair from one of the same id in a dataset that was built anew: what a judge sees of the two rows, in hex. */
export function hashShown(pair: RowPair): string {
  const seen = pair.map(({ instruction, options, labels, statements }) => [
    instruction,
    options,
    labels,
    statements,
  ]);
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 16);
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

// The files of a dataset's folder, and reading the two rows of a pair side by side.

export const listDatasetFiles = (folder: string) => ({
  d: join(folder, 'd.jsonl'),
  dBias: join(folder, 'd_bias.jsonl'),
  dropped: join(folder, 'dropped.jsonl'),
  verdicts: join(folder, 'verdicts.jsonl'),
  labels: join(folder, 'labels.jsonl'),
  unlabelled: join(folder, 'unlabelled.jsonl'),
});

/**
 * Before anything is opened or written beside them.
 *
 * @param remedy what makes them, said at the end
 * @throws InputError naming the file of these that is not there
 */
export async function checkFiles(paths: readonly string[], remedy = ''): Promise<void> {
  for (const path of paths)
    await access(path).catch((cause: unknown) => {
      throw new InputError(path, `cannot be read: ${describeError(cause)}${remedy}`);
    });
}

/**
 * Before anything is opened or written beside them.
 *
 * @throws InputError where the folder holds no dataset, with what makes one
 */
export async function checkDataset(folder: string): Promise<void> {
  const { d, dBias } = listDatasetFiles(folder);
  await checkFiles([d, dBias], `; remand dataset build --out ${folder} makes it`);
}

/** @throws InputError where a line is wrong, or the two files do not belong together */
export async function* readPairs(folder: string): AsyncGenerator<RowPair> {
  const { d, dBias } = listDatasetFiles(folder);
  const biased = readJsonl(dBias, datasetRow);
  try {
    let line = 0;
    for await (const row of readJsonl(d, datasetRow)) {
      line++;
      const { value: other, done } = await biased.next();
      if (done || !belong(row, other))
        throw new InputError(
          `${dBias}:${line}`,
          `is not the biased row of ${row.id}: the two files do not belong together`,
        );
      checkRight(row, `${d}:${line}`);
      checkRight(other, `${dBias}:${line}`);
      yield [row, other];
    }
    if (line === 0) throw new InputError(d, 'has no rows: dropped.jsonl beside it says why');
    if (!(await biased.next()).done) throw new InputError(`${dBias}:${line + 1}`, `has no row in ${d}`);
  } finally {
    await biased.return(undefined);
  }
}

/** A bias changes texts, their order, what is said of them and the order of a rubric's lines, and nothing else. */
function belong(d: DatasetRow, dBias: DatasetRow): boolean {
  const kept = ({ id, base, biases, twin, instruction, options }: DatasetRow) =>
    JSON.stringify([id, base, biases, twin, instruction.split('\n').toSorted(), options.length]);
  return d.set === 'd' && dBias.set === 'd_bias' && kept(d) === kept(dBias);
}

function checkRight(
  row: { right: number; options: readonly string[]; labels: readonly string[] },
  where: string,
): void {
  if (row.right >= row.options.length)
    throw new InputError(where, `right: ${row.right} is none of ${row.options.length} options`);
  if (row.labels.length !== row.options.length)
    throw new InputError(where, 'labels: must be one for each option');
}

export function readVerdicts(folder: string): AsyncGenerator<VerdictRecord> {
  return readJsonl(listDatasetFiles(folder).verdicts, verdictRecord);
}
