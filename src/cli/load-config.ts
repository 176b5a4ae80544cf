/** The proxy's settings for commands: from the environment, then from remand.config.json in the current folder. */
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readTemplateFile } from '../case/index.ts';
import { describeError, InputError } from '../errors.ts';
import { isObject } from '../parse-json.ts';
import { type Config, checkSettingFile, readConfig } from '../proxy/config.ts';
import { readJsonFile, readTextFile } from '../records/node.ts';

const CONFIG_FILE = 'remand.config.json';

/** @throws InputError naming the field */
export async function loadConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const file = existsSync(CONFIG_FILE) ? await readJsonFile(CONFIG_FILE) : null;
  return readConfig(await withFiles(env), isObject(file) ? await withFiles(file) : file);
}

/** `REMAND_CALIBRATION` and `REMAND_CONFIDENCE` may be a file's path, `REMAND_TEMPLATES` that of a file or of a folder of files, `REMAND_ANCHORS` that of a file of lines. */
async function withFiles(said: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const { REMAND_TEMPLATES: templates, REMAND_ANCHORS: anchors } = said;
  const files: Record<string, string> = {};
  for (const name of ['REMAND_CALIBRATION', 'REMAND_CONFIDENCE'] as const) {
    const path = said[name];
    if (!isPath(path)) continue;
    const content = await readJsonFile(path, name);
    checkSettingFile(name, content, path);
    files[name] = JSON.stringify(content);
  }
  return {
    ...said,
    ...files,
    ...(isPath(templates) && { REMAND_TEMPLATES: await templatesIn(templates) }),
    ...(isPath(anchors) && { REMAND_ANCHORS: await anchorsIn(anchors) }),
  };
}

const isPath = (said: unknown): said is string =>
  typeof said === 'string' && said !== '' && !/^\s*[[{]/.test(said);

/** The JSON list of the requests in a file, one a line. */
async function anchorsIn(path: string): Promise<string> {
  const lines = (await readTextFile(path, 'REMAND_ANCHORS')).split('\n');
  const requests = lines.flatMap((line, n): unknown[] => {
    if (line.trim() === '') return [];
    const place = `${path}: line ${n + 1}`;
    let request: unknown;
    try {
      request = JSON.parse(line);
    } catch (cause) {
      throw new InputError('REMAND_ANCHORS', `${place} is not valid JSON: ${describeError(cause)}`);
    }
    checkSettingFile('REMAND_ANCHORS', request, place);
    return [request];
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
      const content = await readJsonFile(file, field);
      for (const [n, one] of [content].flat().entries())
        readTemplateFile(one, `${field}: ${file}${Array.isArray(content) ? `[${n}]` : ''}`);
      return content;
    }),
  );
  return JSON.stringify(lists.flat());
}
