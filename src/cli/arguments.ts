/** Reading arguments of commands: what is wrong is said with the option's name. */
import { readFileSync } from 'node:fs';
import { describeError, InputError } from '../errors.ts';
import { suggestName } from '../nearest-name.ts';

/** @throws InputError naming the option */
export function parseWholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < least || value > most)
    throw new InputError(option, `must be a whole number from ${least} to ${most}, not "${text}"`);
  return value;
}

/** @throws InputError naming the option */
export function parseShare(option: string, text: string): number {
  const share = Number(text);
  if (!(share > 0 && share < 1))
    throw new InputError(option, `must be more than 0 and less than 1, not "${text}"`);
  return share;
}

/** @throws InputError naming the option */
export function parseOneOf<T extends string>(option: string, text: string, known: readonly T[]): T {
  const found = known.find((one) => one === text);
  if (found === undefined) throw new InputError(option, `"${text}" is none of ${known.join(', ')}`);
  return found;
}

/** `--limit`: how many, or no end. */
export function readLimit(text: string | undefined): number {
  return text === undefined ? Number.POSITIVE_INFINITY : parseWholeNumber('--limit', text, 1, 1e9);
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

/** What a command declares of one of its arguments. */
interface DeclaredArgument {
  readonly type?: string | undefined;
  readonly required?: boolean | undefined;
}

/**
 * Unknown options, options given twice, words that belong to none, and options left out that are needed are errors.
 *
 * @param command as it is typed: `remand audit cues`
 * @param words as they were given, without the command's name
 * @throws InputError with the nearest option that there is, or what is missing
 */
export function checkOptions(
  command: string,
  words: readonly string[],
  declared: Readonly<Record<string, DeclaredArgument>>,
): void {
  const names = Object.keys(declared).filter((name) => declared[name]?.type !== 'positional');
  const takesFiles = names.length < Object.keys(declared).length;
  const needed = names.filter((name) => declared[name]?.required);
  const given = new Set<string>();
  let isValue = false;
  for (const word of words) {
    if (word === '--') return;
    if (isValue || !/^-./.test(word)) {
      if (!isValue && !takesFiles)
        throw new InputError(word, `belongs to no option; ${suggestOption(word, needed, given)}`);
      isValue = false;
      continue;
    }
    const [said = ''] = word.replace(/^--?(?:no-)?/, '').split('=');
    const name = names.find((one) => one === said);
    if (name === undefined)
      throw new InputError(`--${said}`, `no such option${suggestName(said, names, (name) => `--${name}`)}`);
    if (given.has(name)) throw new InputError(`--${name}`, 'is given twice');
    given.add(name);
    isValue = declared[name]?.type !== 'boolean' && !word.includes('=');
  }
  const missing = needed.filter((name) => !given.has(name)).map((name) => `--${name}`);
  if (missing.length === 0) return;
  const [verb, them] = missing.length === 1 ? ['is', 'it is'] : ['are', 'they are'];
  throw new InputError(missing.join(', '), `${verb} missing; ${command} --help says what ${them}`);
}

/** What somebody may have meant who wrote a value without its option. */
function suggestOption(word: string, needed: readonly string[], given: ReadonlySet<string>): string {
  const first = needed.find((name) => !given.has(name));
  return first === undefined
    ? 'a value with spaces needs quotation marks'
    : `did you mean --${first} ${word}?`;
}
