/** The proxy's settings for commands: from the environment, then from remand.config.json in the current folder. */
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError, InputError } from '../errors.ts';
import { type Config, readConfig } from '../proxy/config.ts';
import { readJsonFile, readTextFile } from '../records/node.ts';

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
    if (isPath(path)) files[name] = JSON.stringify(await readJsonFile(path, name));
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

/** The JSON list of the requests in a file, one a line. */
async function anchorsIn(path: string): Promise<string> {
  const lines = (await readTextFile(path, 'REMAND_ANCHORS')).split('\n');
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
  const lists = await Promise.all(files.map((file) => readJsonFile(file, field)));
  return JSON.stringify(lists.flat());
}

async function configFile(): Promise<unknown> {
  return existsSync(CONFIG_FILE) ? readJsonFile(CONFIG_FILE) : null;
}
