/** Reading arguments of commands: what is wrong is said with the option's name. */
import type * as z from 'zod';
import { describeError, InputError } from '../errors.ts';
import { isObject } from '../parse-json.ts';
import { operatorKey } from '../proxy/setting-values.ts';
import { readJsonFile } from '../records/node.ts';
import { checkFields } from '../strict-fields.ts';

/** @throws InputError naming the option */
export function parseWholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < least || value > most)
    throw new InputError(option, `must be a whole number from ${least} to ${most}, not "${text}"`);
  return value;
}

/** @throws InputError naming the option, where nothing is given */
export function requireOption<T>(option: string, value: T | undefined, problem = 'is needed'): T {
  if (value === undefined || value === '') throw new InputError(option, problem);
  return value;
}

/** @throws InputError naming the option */
export function asDay(text: string, option: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const day = new Date(text);
    // February the 30th is read as a day of March.
    if (!Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return text;
  }
  throw new InputError(option, 'must be a day such as 2026-11-01');
}

/**
 * A key from the environment, without the line break that a file or a secret ends in.
 *
 * @returns null where the variable is not set, or empty
 * @throws InputError naming the variable, for what no header can hold
 */
export function readKey(env: Readonly<Record<string, string | undefined>>, variable: string): string | null {
  const key = checkFields(operatorKey, env[variable] ?? '', (what) => new InputError(variable, what));
  return key ?? null;
}

/**
 * @param form what the file holds, in words that an error ends with
 * @throws InputError naming the option, the file and all fields that are wrong
 */
export async function readJsonOption<T>(
  path: string,
  option: string,
  schema: z.ZodType<T>,
  form?: string,
): Promise<T> {
  return checkFields(
    schema,
    await readJsonFile(path, option),
    (what) => new InputError(option, [`${path}: ${what}`, form].filter(Boolean).join('; ')),
  );
}

/** An option whose value is a JSON object. */
export function parseJsonObject(text: string, option: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InputError(option, `is not valid JSON: ${describeError(cause)}`);
  }
  if (!isObject(value)) throw new InputError(option, 'must be a JSON object');
  return { ...value };
}

/** Runs `work` with a signal that aborts at the first Ctrl-C; a second one ends the process at once. */
export async function runInterruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  message = 'interrupted; start again to go on',
): Promise<T> {
  const stop = new AbortController();
  const onInterrupt = () => stop.abort(new Error(message));
  process.once('SIGINT', onInterrupt);
  try {
    return await work(stop.signal);
  } finally {
    process.removeListener('SIGINT', onInterrupt);
  }
}

/** The first so many. */
export async function* takeFirst<T>(all: AsyncIterable<T>, limit: number): AsyncGenerator<T> {
  if (limit <= 0) return;
  let count = 0;
  for await (const one of all) {
    yield one;
    if (++count >= limit) return;
  }
}

/** Counts, by what is counted: why rows were left out. */
export type ReasonCounts = Record<string, number>;

/** @example onSkipped: (reason) => addTo(skipped, reason) */
export function addTo(counts: ReasonCounts, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

/** How many there are. */
export async function countAll(all: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of all) count++;
  return count;
}
