/** `remand serve`: the proxy on Node. Settings come from the environment and from remand.config.json. */
import { readFile } from 'node:fs/promises';
import { defineCommand } from 'citty';
import { InputError } from '../case/errors.ts';
import { SANDBOX_DEMO } from '../judge/sandbox/demo.ts';
import { type Config, readConfig } from '../proxy/config.ts';
import { jsonLog } from '../proxy/log.ts';
import { startServer } from '../proxy/server.ts';

const CONFIG_FILE = 'remand.config.json';

export const serve = defineCommand({
  meta: { name: 'serve', description: 'Serve the proxy. With nothing set, a sandbox judge answers.' },
  args: {
    port: { type: 'string', description: 'Port to listen on (PORT, 8787)', valueHint: 'n' },
    json: { type: 'boolean', description: 'Print one JSON document with the URL on standard output' },
  },
  async run({ args }) {
    const env = args.port === undefined ? process.env : { ...process.env, PORT: args.port };
    const config = readConfig(await withCalibration(env), await configFile());
    const server = await startServer(
      config,
      jsonLog((line) => process.stderr.write(line)),
    );
    const { JUDGE_BASE_URL: judge = 'sandbox', REMAND_DETECTOR: detector, REMAND_MODE: mode } = config;
    if (args.json) process.stdout.write(`${JSON.stringify({ url: server.url, judge, detector, mode })}\n`);
    process.stderr.write(greeting(server.url, config));
    await stopSignal();
    await server.close();
  },
});

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

function greeting(url: string, config: Config): string {
  const { JUDGE_BASE_URL: judge, REMAND_DETECTOR: detector } = config;
  const shown = `Stories of what happened: ${url}/remand\n`;
  if (judge !== undefined)
    return `Remand at ${url}/v1, in front of ${judge.split('?')[0]}, detector ${detector}.\n${shown}`;
  return (
    `Remand at ${url}/v1, in front of a sandbox judge (a simulation; set JUDGE_BASE_URL for a real one), ` +
    `detector ${detector}.\n\nTry:\n${curl(url)}\n\n${shown}`
  );
}

function curl(url: string): string {
  // A single quote cannot stand in a single-quoted shell word; it is closed, escaped and opened again.
  const body = JSON.stringify(SANDBOX_DEMO).replaceAll("'", "'\\''");
  return `curl -si ${url}/v1/chat/completions -H 'content-type: application/json' -d '${body}'`;
}

/** A second signal ends the process at once, as the shell's user expects. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
