/** The files `remand eval detector` reads: rows and base data of the twins. Wrong ones are named by line. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { publishedArena, publishedGsm8k } from '../../dataset/index.ts';
import { describeError, InputError } from '../../errors.ts';
import { createCrowdTwin, createLongerTwin, type Twin } from '../../evaluate/index.ts';
import { readAllJsonl } from '../../records/node.ts';

/**
 * The twins made from the bias4-eval files in a folder.
 *
 * @param log told what became of their lines
 * @throws InputError where a file is missing or a line is wrong
 */
export async function readTwins(
  folder: string,
  log: (message: string) => void,
): Promise<Readonly<Record<string, Twin>>> {
  const files = listFiles(folder);
  const read = async <T>(part: string, schema: z.ZodType<T>): Promise<T[]> => {
    const named = files.filter((file) => file.includes(part) && file.endsWith('.jsonl'));
    if (named.length === 0) throw new InputError('--twins', `no ${part} JSONL file in ${folder}`);
    const rows = await Promise.all(named.map((file) => readRows(join(folder, file), schema, '--twins')));
    return rows.flat();
  };
  const twins = {
    'longer-is-right': await createLongerTwin(await read('GSM8K_Verbosity', publishedGsm8k)),
    'crowd-is-right': await createCrowdTwin(await read('Arena_Position_and_Bandwagon', publishedArena)),
  };
  for (const [name, twin] of Object.entries(twins)) {
    const gone = Object.entries(twin.dropped).map(([why, count]) => `, ${count} dropped: ${why}`);
    log(`${name}: ${twin.rows.length} rows of ${twin.sources} lines${gone.join('')}`);
  }
  return twins;
}

/** The records of a JSONL file. Throws InputError naming the line and the field that is wrong. */
export async function readRows<T>(path: string, schema: z.ZodType<T>, field: string): Promise<T[]> {
  const rows = await readAllJsonl(path, schema, field);
  if (rows.length === 0) throw new InputError(field, `${path} has no rows`);
  return rows;
}

function listFiles(folder: string): string[] {
  return orInputError(() => readdirSync(folder).sort(), '--twins');
}

function orInputError<T>(read: () => T, field: string): T {
  try {
    return read();
  } catch (cause) {
    throw new InputError(field, describeError(cause));
  }
}
