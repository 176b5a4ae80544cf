/** Reading recorded judgments from JSONL files, line by line. For Node only. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { InputError } from '../errors.ts';
import { createRecords, itemSchema, type Records, verdictSchema } from './records.ts';

export interface RecordPaths {
  readonly items: string;
  readonly verdicts: string;
}

/** @throws InputError naming file, line and field of the first record that is wrong */
export async function loadRecords(paths: RecordPaths): Promise<Records> {
  const [items, verdicts] = await Promise.all([
    readJsonLines(paths.items, itemSchema),
    readJsonLines(paths.verdicts, verdictSchema),
  ]);
  return createRecords(items, verdicts);
}

async function readJsonLines<T>(path: string, schema: z.ZodType<T>): Promise<T[]> {
  const records: T[] = [];
  let number = 0;
  const stream = createReadStream(path, 'utf8');
  // An error of opening the file comes before the first line is asked for, and would be nobody's.
  const opened = new Promise<void>((resolve, reject) => {
    stream.once('ready', resolve);
    stream.once('error', (cause) => reject(new InputError(path, `cannot be read: ${cause.message}`)));
  });
  await opened;
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line.trim() !== '') records.push(parseLine(line, schema, `${path}:${number}`));
  }
  return records;
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
