/** Reading arguments of commands: what is wrong is said with the option's name. */
import { readFileSync } from 'node:fs';
import { describeError, InputError } from '../errors.ts';

/** @throws InputError naming the option */
export function parseWholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < least || value > most)
    throw new InputError(option, `must be a whole number from ${least} to ${most}, not "${text}"`);
  return value;
}

/** @throws InputError naming the option */
export function parseOneOf<T extends string>(option: string, text: string, known: readonly T[]): T {
  const found = known.find((one) => one === text);
  if (found === undefined) throw new InputError(option, `"${text}" is none of ${known.join(', ')}`);
  return found;
}

/** The text of a file that an option names. */
export function readTextOption(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new InputError(option, `${path}: ${describeError(cause)}`);
  }
}

/** An option whose value is a JSON object. */
export function parseJsonObject(option: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InputError(option, `is not valid JSON: ${describeError(cause)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InputError(option, 'must be a JSON object');
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

/** How many there are. */
export async function countAll(all: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of all) count++;
  return count;
}
