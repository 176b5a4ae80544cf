/** Reviews from files: our own records as JSONL, and the published CSV and Parquet layout as it is. For Node. */
import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import * as z from 'zod';
import { describeError, InputError } from '../../errors.ts';
import { readCsv, readJsonl } from '../../records/node.ts';
import { readParquet } from '../../records/parquet.ts';
import {
  type ColumnNames,
  createPublishedReader,
  parsePublishedName,
  type RowReader,
} from './published-reviews.ts';
import { type Review, reviewRecord } from './review.ts';

/** A review, or a row that is none: where it stands and why, in words. */
export type ReviewRow = Review | { readonly where: string; readonly why: string };

export function isReview(read: ReviewRow): read is Review {
  return 'text' in read;
}

const KINDS = ['.jsonl', '.csv', '.parquet'];

/**
 * One at a time, in the order of the files' names where a folder is given.
 *
 * @param option named in errors
 * @throws InputError for a file that cannot be read at all, or whose columns cannot be told
 */
export async function* readReviews(
  paths: readonly string[],
  option: string,
  columns: ColumnNames = {},
): AsyncGenerator<ReviewRow> {
  for (const path of paths)
    for (const file of await filesAt(path, option)) {
      if (extname(file).toLowerCase() === '.jsonl') yield* readJsonl(file, reviewRecord, option);
      else yield* readPublished(file, option, columns);
    }
}

async function filesAt(path: string, option: string): Promise<readonly string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new InputError(option, describeError(cause));
  });
  if (!found.isDirectory()) {
    if (KINDS.includes(extname(path).toLowerCase())) return [path];
    throw new InputError(option, `${path} is none of ${KINDS.join(', ')}`);
  }
  const names = (await readdir(path, { recursive: true }))
    .filter((name) => KINDS.includes(extname(name).toLowerCase()))
    .sort();
  if (names.length === 0) throw new InputError(option, `${path} holds no ${KINDS.join(', ')} file`);
  return names.map((name) => join(path, name));
}

const row = z.record(z.string(), z.unknown());

async function* readPublished(path: string, option: string, columns: ColumnNames): AsyncGenerator<ReviewRow> {
  const name = parsePublishedName(path);
  if (!name)
    throw new InputError(
      option,
      `${path} is not named <conference>.<subset>.<model>, so its venue, its use and its model are not known`,
    );
  let reader: RowReader | null = null;
  let misfits: ReviewRow[] = [];
  const onMisfit = (where: string) => {
    misfits.push({
      where,
      why: 'columns are shifted: the row has more or fewer values than there are columns',
    });
  };
  const rows =
    extname(path).toLowerCase() === '.csv'
      ? readCsv(path, row, { field: option, onMisfit })
      : readParquet(path, row, { field: option });
  let count = 0;
  for await (const one of rows) {
    yield* misfits;
    misfits = [];
    if (!reader) {
      const made = createPublishedReader(name, Object.keys(one), columns);
      if (typeof made === 'string') throw new InputError(option, `${path}: ${made}`);
      reader = made;
    }
    const where = `${basename(path)}: row ${++count}`;
    const read = reader(one, where);
    yield typeof read === 'string' ? { where, why: read } : read;
  }
  yield* misfits;
}
