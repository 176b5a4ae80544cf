/** Reading recorded judgments from JSONL files, line by line. For Node only. */
import type { ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { InputError } from '../../case/errors.ts';
import { createRecords, itemSchema, type Records, verdictSchema } from './records.ts';

export interface RecordPaths {
  readonly items: string;
  readonly verdicts: string;
}

/** @throws InputError naming file, line and field of the first record that is wrong */
export async function loadRecords(paths: RecordPaths): Promise<Records> {
  // One after the other, so that of two faults always the same one is named.
  const items = await readJsonLines(paths.items, itemSchema);
  const verdicts = await readJsonLines(paths.verdicts, verdictSchema);
  return createRecords(items, verdicts);
}

async function readJsonLines<T>(path: string, schema: z.ZodType<T>): Promise<T[]> {
  const records: T[] = [];
  let number = 0;
  const input = await opened(path);
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number++;
      if (line.trim() !== '') records.push(parseLine(line, schema, `${path}:${number}`));
    }
    return records;
  } finally {
    // Also after a wrong line: readline leaves its input open.
    input.destroy();
  }
}

/** Opened before it is read: an error of opening would come while nobody listens yet. */
async function opened(path: string): Promise<ReadStream> {
  try {
    const file = await open(path);
    if ((await file.stat()).isFile()) return file.createReadStream({ encoding: 'utf8' });
    await file.close();
  } catch (cause) {
    throw new InputError(path, `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  throw new InputError(path, 'is not a file');
}

function parseLine<T>(line: string, schema: z.ZodType<T>, where: string): T {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new InputError(where, `not valid JSON: ${cause.message}`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InputError(where, z.prettifyError(parsed.error));
}
