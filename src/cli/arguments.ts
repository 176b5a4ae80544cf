/** Reading arguments of commands: what is wrong is said with the option's name. */
import { InputError } from '../case/errors.ts';

/** @throws InputError naming the option */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < least || value > most)
    throw new InputError(option, `must be a whole number from ${least} to ${most}, not "${text}"`);
  return value;
}

/** @throws InputError naming the option */
export function oneOf<T extends string>(option: string, text: string, known: readonly T[]): T {
  const found = known.find((one) => one === text);
  if (found === undefined) throw new InputError(option, `"${text}" is none of ${known.join(', ')}`);
  return found;
}

/** Runs `work` with a signal that aborts at the first Ctrl-C; a second one ends the process at once. */
export async function interrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onInterrupt = () => stop.abort(new Error('interrupted; start again to go on'));
  process.once('SIGINT', onInterrupt);
  try {
    return await work(stop.signal);
  } finally {
    process.removeListener('SIGINT', onInterrupt);
  }
}

/** The first so many. */
export async function* taken<T>(all: AsyncIterable<T>, limit: number): AsyncGenerator<T> {
  if (limit <= 0) return;
  let count = 0;
  for await (const one of all) {
    yield one;
    if (++count >= limit) return;
  }
}
