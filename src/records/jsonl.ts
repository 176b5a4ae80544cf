/** JSONL in and out, a line at a time: memory does not grow with the file. For Node. */
import { type FileHandle, open } from 'node:fs/promises';
import type * as z from 'zod';
import { describeError, InputError } from '../errors.ts';
import { dropByteOrderMark } from '../parse-json.ts';
import { parseRecord, RecordError } from './json-lines.ts';
import { decodeUtf8, isDecodingError } from './utf-8.ts';
import { writeWhole } from './whole-file.ts';

/**
 * @param field what an error names: the option the path came from; without one, the place in the file
 * @throws InputError naming file, line and field of the first record that is wrong, and a file that an option names and that is empty
 */
export async function* readJsonl<T>(path: string, schema: z.ZodType<T>, field?: string): AsyncGenerator<T> {
  for await (const { record } of readNumberedJsonl(path, schema, field)) yield record;
}

/** Each record with the number of its line, from 1. Parameters and errors as those of `readJsonl`. */
export async function* readNumberedJsonl<T>(
  path: string,
  schema: z.ZodType<T>,
  field?: string,
): AsyncGenerator<{ readonly line: number; readonly record: T }> {
  const file = await opened(path, field);
  const input = file.createReadStream();
  let number = 0;
  let isEmpty = true;
  try {
    for await (const line of linesOf(decodeUtf8(input))) {
      number++;
      const text = number === 1 ? dropByteOrderMark(line) : line;
      if (text.trim() === '') continue;
      isEmpty = false;
      yield { line: number, record: parseLine(text, schema, number, field, path) };
    }
    if (isEmpty && field !== undefined) throw fault(field, path, 'is empty');
  } catch (error) {
    if (!isDecodingError(error)) throw error;
    const place = number === 0 ? '' : `, below line ${number}`;
    throw fault(field, path, `is not UTF-8${place}: save it in that encoding, unpacked`);
  } finally {
    // Also where the reader stops early.
    input.destroy();
  }
}

/** All records at once, for files that fit. */
export const readAllJsonl = <T>(path: string, schema: z.ZodType<T>, field?: string): Promise<T[]> =>
  Array.fromAsync(readJsonl(path, schema, field));

/**
 * Writes the records as they come. The file appears when it is whole; one that was there before stays until then.
 *
 * @returns how many were written
 */
export function writeJsonl(
  path: string,
  records: Iterable<unknown> | AsyncIterable<unknown>,
): Promise<number> {
  return writeWhole({ records: path }, async (files) => {
    let count = 0;
    for await (const record of records) {
      await files.records.write(formatJsonLine(record));
      count++;
    }
    return count;
  });
}

/**
 * One line of a JSONL file. What JSON lets stand and some readers take for the end of a line (readline, Python's
 * splitlines) is escaped.
 */
export function formatJsonLine(record: unknown): string {
  const text = JSON.stringify(record).replace(/[\u0085\u2028\u2029]/g, (end) => LINE_ENDS[end] ?? end);
  return `${text}\n`;
}

const LINE_ENDS: Readonly<Record<string, string>> = {
  '\u0085': '\\u0085',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** Node's readline would end a line at U+2028 and U+2029, too, which a JSON text may hold as they are (RFC 8259 §7). */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...rest] = chunk.split('\n');
    begun.push(first);
    for (const next of rest) {
      yield begun.join('');
      begun = [next];
    }
  }
  yield begun.join('');
}

/** Opened before it is read: an error of opening would come while nobody listens yet. */
async function opened(path: string, field?: string): Promise<FileHandle> {
  const file = await open(path).catch((cause: unknown) => {
    throw fault(field, path, `cannot be read: ${describeError(cause)}`);
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw fault(field, path, 'is not a file');
}

function parseLine<T>(
  text: string,
  schema: z.ZodType<T>,
  line: number,
  field: string | undefined,
  path: string,
): T {
  try {
    return parseRecord(text, schema, line).record;
  } catch (cause) {
    if (!(cause instanceof RecordError)) throw cause;
    throw fault(field, `${path}:${line}`, cause.message);
  }
}

function fault(field: string | undefined, where: string, what: string): InputError {
  return field === undefined ? new InputError(where, what) : new InputError(field, `${where}: ${what}`);
}
