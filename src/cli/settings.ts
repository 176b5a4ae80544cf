/** The proxy's settings for commands: from the environment, then from remand.config.json in the current folder. */
import { readFile } from 'node:fs/promises';
import { InputError } from '../case/errors.ts';
import { type Config, readConfig } from '../proxy/config.ts';

const CONFIG_FILE = 'remand.config.json';

/** @throws InputError naming the field */
export async function readSettings(env: NodeJS.ProcessEnv): Promise<Config> {
  return readConfig(await withCalibration(env), await configFile());
}

/** `REMAND_CALIBRATION` may be a file's path. */
async function withCalibration(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const { REMAND_CALIBRATION: said } = env;
  if (!said || said.trimStart().startsWith('{')) return env;
  try {
    return { ...env, REMAND_CALIBRATION: await readFile(said, 'utf8') };
  } catch (cause) {
    throw new InputError('REMAND_CALIBRATION', `cannot be read: ${String(cause)}`);
  }
}

async function configFile(): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(CONFIG_FILE, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw new InputError(CONFIG_FILE, `cannot be read: ${String(cause)}`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InputError(CONFIG_FILE, `is not valid JSON: ${String(cause)}`);
  }
}
