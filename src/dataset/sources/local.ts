/** Rows of a local file, whatever its format. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import * as z from 'zod';
import { describeError, InputError } from '../../errors.ts';
import { readCsv, readJsonl } from '../../records/node.ts';
import { readParquet } from '../../records/parquet.ts';

/** Formats by what their names end in. */
export const FILE_FORMATS = ['jsonl', 'json', 'csv', 'parquet'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export interface LocalRow {
  readonly row: Record<string, unknown>;
  /** File and row, for errors. Rows count from 1. */
  readonly where: string;
}

const record = z.record(z.string(), z.unknown());

/**
 * @param format null to tell by the name's end, JSONL where that says nothing
 * @throws InputError naming the file, and the row, that is wrong
 */
export async function* readLocal(path: string, format: FileFormat | null): AsyncGenerator<LocalRow> {
  const ending = extname(path).slice(1).toLowerCase();
  const told = format ?? FILE_FORMATS.find((one) => one === ending) ?? 'jsonl';
  let count = 0;
  for await (const row of rowsOf(path, told)) yield { row, where: `${path}, row ${++count}` };
}

function rowsOf(path: string, format: FileFormat): AsyncIterable<Record<string, unknown>> {
  switch (format) {
    case 'jsonl':
      return readJsonl(path, record);
    case 'json':
      return readJson(path);
    case 'csv':
      return readCsv(path, record);
    case 'parquet':
      return readParquet(path, record);
  }
}

/** One array of records. JSON cannot be read in parts, so all of it is in memory. */
async function* readJson(path: string): AsyncGenerator<Record<string, unknown>> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new InputError(path, `cannot be read: ${describeError(cause)}`);
  });
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new InputError(path, `is not valid JSON, or is cut off: ${describeError(cause)}`);
  }
  if (!Array.isArray(value)) throw new InputError(path, 'must hold one array of rows');
  for (const [index, one] of value.entries()) {
    const row = record.safeParse(one);
    if (!row.success) throw new InputError(`${path}, row ${index + 1}`, 'is no object');
    yield row.data;
  }
}
