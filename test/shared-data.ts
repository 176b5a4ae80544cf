/**
 * The published data beside the repository (`../shared/data`). A clone has none of it: tests that need it
 * are declared with `test.skipIf(!hasSharedData)` and say so in their name.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type * as z from 'zod';

export const SHARED = new URL('../../shared/data/', import.meta.url);

export const hasSharedData: boolean = existsSync(fileURLToPath(SHARED));

/** A file's text, by its path under the data folder; null where it is missing. */
export function sharedData(path: string): string | null {
  const file = fileURLToPath(new URL(path, SHARED));
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/**
 * The records of a JSONL file under the data folder, each checked; empty where the file is missing, so that
 * a table of tests can be built before it is skipped.
 */
export function readJsonl<T>(path: string, schema: z.ZodType<T>): T[] {
  const lines = (sharedData(path) ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const read = schema.safeParse(JSON.parse(line));
    if (!read.success) throw new Error(`${path}, line ${index + 1}: ${read.error.message}`);
    return read.data;
  });
}
