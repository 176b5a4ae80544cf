/** The files of a dataset's folder, and reading the two rows of a pair side by side. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError, InputError } from '../errors.ts';
import { readJsonl } from '../records/node.ts';
import { type DatasetRow, datasetRow } from './dataset-row.ts';
import { type RowPair, type VerdictRecord, verdictRecord } from './judge-pairs.ts';

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
 * @throws InputError naming the file of these that is not there
 */
export async function checkFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths)
    await access(path).catch((cause: unknown) => {
      throw new InputError(path, `cannot be read: ${describeError(cause)}`);
    });
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
