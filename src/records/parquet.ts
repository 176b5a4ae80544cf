/** Parquet files in and out, a row group at a time: memory does not grow with the file. For Node. */

import { type FileHandle, open } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
} from 'hyparquet';
import { type BasicType, ByteWriter, parquetWriteRows } from 'hyparquet-writer';
import type * as z from 'zod';
import { describeError, InputError } from '../errors.ts';
import { checkFields } from '../strict-fields.ts';
import { type WholeFile, writeWhole } from './whole-file.ts';

export interface ParquetColumn {
  readonly name: string;
  readonly type: BasicType;
  readonly nullable: boolean;
}

/** The row groups `datasets` writes have as many; a page of the hub's viewer loads one. */
const ROWS_PER_GROUP = 1000;

/**
 * Writes rows as they come. A text that UTF-8 cannot hold (a lone surrogate) is written with U+FFFD in its place.
 *
 * @returns how many rows were written
 */
async function writeParquetTo(
  file: WholeFile,
  columns: readonly ParquetColumn[],
  rows: Iterable<Record<string, unknown>> | AsyncIterable<Record<string, unknown>>,
): Promise<number> {
  let count = 0;
  const counted = async function* () {
    for await (const row of rows) {
      count++;
      yield row;
    }
  };
  const writer = new FlushedWriter(file);
  await parquetWriteRows({
    writer,
    rows: counted(),
    columns: columns.map((column) => ({ ...column })),
    rowGroupSize: ROWS_PER_GROUP,
    createdBy: 'remand',
  });
  await writer.flush();
  return count;
}

/**
 * The file appears when it is whole; one that was there before stays until then.
 *
 * @returns how many rows were written
 */
export function writeParquet(
  path: string,
  columns: readonly ParquetColumn[],
  rows: Iterable<Record<string, unknown>> | AsyncIterable<Record<string, unknown>>,
): Promise<number> {
  return writeWhole({ rows: path }, (files) => writeParquetTo(files.rows, columns, rows));
}

/** Hands over what it gathered after every row group, so that it never holds more than one. */
class FlushedWriter extends ByteWriter {
  readonly #file: WholeFile;

  constructor(file: WholeFile) {
    super();
    this.#file = file;
  }

  async flush(): Promise<void> {
    const bytes = this.getBytes().slice();
    this.index = 0;
    await this.#file.write(bytes);
  }
}

/** What Node's zlib undoes beside the Snappy that hyparquet brings along. */
export const COMPRESSORS: Compressors = {
  GZIP: (bytes) => gunzipSync(bytes),
  BROTLI: (bytes) => brotliDecompressSync(bytes),
  ZSTD: (bytes) => zstdDecompressSync(bytes),
};

interface ParquetOptions {
  /** What an error names: the option the path came from; without one, the place in the file. */
  readonly field?: string | undefined;
  /** Columns that must be there. */
  readonly needs?: readonly string[];
}

/**
 * One row group is in memory at a time, as large as whoever wrote the file made it. Whole numbers of 64 bits come
 * as numbers where a number holds them, and as bigint else.
 *
 * @throws InputError naming the file that is no Parquet or broken, the column that is missing, or the row (from 1)
 *   and column that are wrong
 */
export async function* readParquet<T>(
  path: string,
  schema: z.ZodType<T>,
  { field, needs = [] }: ParquetOptions = {},
): AsyncGenerator<T> {
  const fault = (where: string, what: string) =>
    field === undefined ? new InputError(where, what) : new InputError(field, `${where}: ${what}`);
  const reading = async <R>(what: string, work: () => Promise<R>): Promise<R> => {
    try {
      return await work();
    } catch (cause) {
      throw fault(path, `${what}: ${describeError(cause)}`);
    }
  };
  const handle = await reading('cannot be read', () => open(path));
  try {
    const file = await reading('cannot be read', () => bufferOf(handle));
    const metadata = await reading('is no Parquet file, or is cut off', () => parquetMetadataAsync(file));
    const missing = needs.filter((name) => !listColumns(metadata).includes(name));
    if (missing.length > 0)
      throw fault(path, `has no column ${missing.join(', ')}; it has ${listColumns(metadata).join(', ')}`);
    let start = 0;
    for (const group of metadata.row_groups) {
      const end = start + Number(group.num_rows);
      const range = { rowStart: start, rowEnd: end };
      const rows = await reading(`is broken in rows ${start + 1} to ${end}`, () =>
        parquetReadObjects({ file, metadata, compressors: COMPRESSORS, ...range }),
      );
      for (const [index, row] of rows.entries())
        yield checkFields(schema, asNumbers(row), (what) => fault(`${path}: row ${start + index + 1}`, what));
      start = end;
    }
  } finally {
    await handle.close();
  }
}

async function bufferOf(handle: FileHandle): Promise<AsyncBuffer> {
  const { size } = await handle.stat();
  return {
    byteLength: size,
    async slice(start, end = size) {
      const bytes = new Uint8Array(Math.max(0, end - start));
      let filled = 0;
      while (filled < bytes.byteLength) {
        const { bytesRead } = await handle.read(bytes, filled, bytes.byteLength - filled, start + filled);
        if (bytesRead === 0) throw new Error(`the file ends at byte ${start + filled}, before ${end}`);
        filled += bytesRead;
      }
      return bytes.buffer;
    },
  };
}

/** Names of the top-level columns: the schema is a tree in one list, each node before its children. */
export function listColumns({ schema }: FileMetaData): string[] {
  const names: string[] = [];
  let at = 1;
  const skip = () => {
    const children = schema[at]?.num_children ?? 0;
    at++;
    for (let child = 0; child < children; child++) skip();
  };
  while (at < schema.length) {
    names.push(schema[at]?.name ?? '');
    skip();
  }
  return names;
}

/** Every value at every depth whose bigint a number holds exactly. */
export function asNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (Array.isArray(value)) return value.map(asNumbers);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof Date)
    return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asNumbers(one)]));
}
