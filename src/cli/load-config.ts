/** The proxy's settings for commands: from the environment, then from remand.config.json in the current folder. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError, InputError } from '../errors.ts';
import { type Config, readConfig } from '../proxy/config.ts';

const CONFIG_FILE = 'remand.config.json';

/** @throws InputError naming the field */
export async function loadConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  return readConfig(await withFiles(env), await configFile());
}

/** `REMAND_CALIBRATION` and `REMAND_CONFIDENCE` may be a file's path, `REMAND_TEMPLATES` that of a file or of a folder of files, `REMAND_ANCHORS` that of a file of lines. */
async function withFiles(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const { REMAND_TEMPLATES: templates, REMAND_ANCHORS: anchors } = env;
  const files: Record<string, string> = {};
  for (const name of ['REMAND_CALIBRATION', 'REMAND_CONFIDENCE'] as const) {
    const path = env[name];
    if (isPath(path)) files[name] = await jsonTextOf(name, path);
  }
  return {
    ...env,
    ...files,
    ...(isPath(templates) && { REMAND_TEMPLATES: await templatesIn(templates) }),
    ...(isPath(anchors) && { REMAND_ANCHORS: await anchorsIn(anchors) }),
  };
}

const isPath = (said: string | undefined): said is string =>
  said !== undefined && said !== '' && !/^\s*[[{]/.test(said);

async function textOf(field: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new InputError(field, `${path} cannot be read: ${describeError(cause)}`);
  }
}

/** What is in it is checked with the other settings, which do not know the file. */
async function jsonTextOf(field: string, path: string): Promise<string> {
  const text = await textOf(field, path);
  try {
    JSON.parse(text);
    return text;
  } catch (cause) {
    throw new InputError(field, `${path} is not valid JSON: ${describeError(cause)}`);
  }
}

/** The JSON list of the requests in a file, one a line. */
async function anchorsIn(path: string): Promise<string> {
  const lines = (await textOf('REMAND_ANCHORS', path)).split('\n');
  const requests = lines.flatMap((line, n): unknown[] => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line)];
    } catch (cause) {
      throw new InputError(
        'REMAND_ANCHORS',
        `${path}: line ${n + 1} is not valid JSON: ${describeError(cause)}`,
      );
    }
  });
  return JSON.stringify(requests);
}

/** The JSON list of all templates in a file or in a folder's `.json` files, by name. */
async function templatesIn(path: string): Promise<string> {
  const field = 'REMAND_TEMPLATES';
  const folder = await stat(path).catch((cause: unknown) => {
    throw new InputError(field, `${path} cannot be read: ${describeError(cause)}`);
  });
  const names = folder.isDirectory()
    ? (await readdir(path)).filter((name) => name.endsWith('.json')).sort()
    : [];
  const files = folder.isDirectory() ? names.map((name) => join(path, name)) : [path];
  const lists = await Promise.all(
    files.map(async (file) => {
      const text = await textOf(field, file);
      try {
        const read: unknown = JSON.parse(text);
        return Array.isArray(read) ? read : [read];
      } catch (cause) {
        throw new InputError(field, `${file} is not valid JSON: ${describeError(cause)}`);
      }
    }),
  );
  return JSON.stringify(lists.flat());
}

async function configFile(): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(CONFIG_FILE, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw new InputError(CONFIG_FILE, `cannot be read: ${describeError(cause)}`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InputError(CONFIG_FILE, `is not valid JSON: ${describeError(cause)}`);
  }
}
