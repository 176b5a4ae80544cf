/** Whole files as text or JSON, and the files of a folder. For Node. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { describeError, InputError } from '../errors.ts';
import { dropByteOrderMark } from '../parse-json.ts';
import { isDecodingError, NOT_UTF_8 } from './utf-8.ts';

/** @param field what an error names: the option or setting that the path came from; the path itself without one */
export async function readTextFile(path: string, field?: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw fault(path, field, `cannot be read: ${describeError(cause)}`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw fault(path, field, isDecodingError(cause) ? NOT_UTF_8 : `cannot be read: ${describeError(cause)}`);
  }
}

/** Parameters and errors as those of `readTextFile`. JSON cannot be read in parts, so all of it is in memory. */
export async function readJsonFile(path: string, field?: string): Promise<unknown> {
  const text = await readTextFile(path, field);
  try {
    return JSON.parse(dropByteOrderMark(text));
  } catch (cause) {
    throw fault(path, field, `is not valid JSON, or is cut off: ${describeError(cause)}`);
  }
}

/**
 * @param path a file, or a folder
 * @param endings of the files of a folder that count, such as `.csv`
 * @returns the file, or the files of the folder in the order of their names
 * @throws InputError where there is nothing, or the folder holds no such file
 */
export async function listFiles(
  path: string,
  endings: readonly string[],
  field: string,
  recursive = false,
): Promise<string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    throw fault(path, field, `cannot be read: ${describeError(cause)}`);
  });
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path, { recursive })).filter((name) => isOf(name, endings)).sort();
  if (names.length === 0) throw fault(path, field, `holds no ${endings.join(', ')} file`);
  return names.map((name) => join(path, name));
}

const isOf = (name: string, endings: readonly string[]) => endings.includes(extname(name).toLowerCase());

const fault = (path: string, field: string | undefined, what: string) =>
  field === undefined ? new InputError(path, what) : new InputError(field, `${path} ${what}`);
