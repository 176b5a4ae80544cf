/** CSV files (RFC 4180) in and out, a record at a time: memory does not grow with the file. For Node. */

import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import * as z from 'zod';
import { describeError, InputError } from '../errors.ts';
import { checkFields } from '../strict-fields.ts';
import { decodeUtf8, isDecodingError, NOT_UTF_8 } from './utf-8.ts';
import { writeWhole } from './whole-file.ts';

interface CsvOptions {
  /** What an error names: the option the path came from; without one, the place in the file. */
  readonly field?: string | undefined;
  /** Columns that must be in the header. */
  readonly needs?: readonly string[];
  readonly delimiter?: string;
  /**
   * Told of every row that has more or fewer values than there are columns, and of its place; such a row is passed
   * over. Without it the first one is an error.
   */
  readonly onMisfit?: (where: string, why: string) => void;
}

const parsed = z.object({
  record: z.record(z.string(), z.string()),
  info: z.object({
    records: z.number(),
    lines: z.number(),
    // Missing where the row has as many values as there are columns.
    error: z.object({ record: z.array(z.string()) }).optional(),
    columns: z.array(z.unknown()),
  }),
});

/**
 * The first line names the columns. Every value is a text; an empty one is `''`. Line ends are told by the file;
 * those inside quotes stay as they are.
 *
 * @throws InputError naming the file and the missing column, or file, row (from 1, the header not counted), the
 *   line it ends on, and the column that is wrong
 */
export async function* readCsv<T>(
  path: string,
  schema: z.ZodType<T>,
  { field, needs = [], delimiter = ',', onMisfit }: CsvOptions = {},
): AsyncGenerator<T> {
  const fault = (where: string, what: string) =>
    field === undefined ? new InputError(where, what) : new InputError(field, `${where}: ${what}`);
  const file = await open(path).catch((cause: unknown) => {
    throw fault(path, `cannot be read: ${describeError(cause)}`);
  });
  try {
    if (!(await file.stat()).isFile()) throw fault(path, 'is not a file');
    const columns = (names: string[]) => {
      const missing = needs.filter((name) => !names.includes(name));
      if (missing.length > 0)
        throw fault(path, `has no column ${missing.join(', ')}; it has ${names.join(', ')}`);
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      if (twice !== undefined) throw fault(path, `has the column ${twice} twice`);
      return names;
    };
    const relax_column_count = onMisfit !== undefined;
    const options = { columns, delimiter, bom: true, info: true, skip_empty_lines: true, relax_column_count };
    // What goes wrong on either side destroys the parser with the error, and so comes out of the loop.
    const rows = pipeline(file.createReadStream(), decodeUtf8, parse(options), () => {});
    for await (const one of rows) {
      const { record, info } = parsed.parse(one);
      const where = `${path}: row ${info.records} (line ${info.lines})`;
      if (info.error) {
        onMisfit?.(where, `has ${info.error.record.length} values for ${info.columns.length} columns`);
        continue;
      }
      yield checkFields(schema, record, (what) => fault(where, what));
    }
  } catch (cause) {
    if (isDecodingError(cause)) throw fault(path, NOT_UTF_8);
    throw cause instanceof CsvError ? fault(path, `is no CSV: ${cause.message}`) : cause;
  } finally {
    await file.close();
  }
}

/**
 * One record as a line, every text quoted so that line ends, quotes and delimiters stay inside; null as nothing.
 */
export function formatCsvLine(values: readonly (string | null)[]): string {
  return stringify([[...values]], { quoted_string: true, quoted_empty: false, eof: true });
}

/**
 * Lines of a table that a person opens in a spreadsheet: a text that would be a formula there begins with an apostrophe
 * (OWASP, CSV injection).
 */
export function formatSheet(lines: readonly (readonly (string | number | null)[])[]): string {
  return stringify(
    lines.map((values) => [...values]),
    { escape_formulas: true },
  );
}

/**
 * The file appears when it is whole; one that was there before stays until then.
 *
 * @returns how many rows were written
 */
export function writeCsv<Column extends string>(
  path: string,
  columns: readonly Column[],
  rows:
    | Iterable<Readonly<Record<Column, string | null>>>
    | AsyncIterable<Readonly<Record<Column, string | null>>>,
): Promise<number> {
  return writeWhole({ rows: path }, async (files) => {
    await files.rows.write(formatCsvLine(columns));
    let count = 0;
    for await (const row of rows) {
      await files.rows.write(formatCsvLine(columns.map((column) => row[column])));
      count++;
    }
    return count;
  });
}
