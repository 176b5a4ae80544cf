/** `remand serve`: the proxy on Node. Settings come from the environment and from remand.config.json. */
import { describeError } from '../errors.ts';
import { decideAccessPolicy, isLoopback } from '../proxy/access/door.ts';
import { type Config, describeStrangeNames } from '../proxy/config.ts';
import { createJsonLog, type Log } from '../proxy/log.ts';
import { type RunningServer, startServer } from '../proxy/server.ts';
import { SANDBOX_DEMO } from '../sandbox/index.ts';
import { asText, createCommand, flag, optional } from './command.ts';
import { loadConfig } from './load-config.ts';
import { collectGarbage, writeCompileCache } from './process-setup.ts';
import { print, tell } from './terminal.ts';

export const serveCommand = createCommand(
  {
    port: optional(asText, 'port to listen on (PORT, 8787)'),
    json: flag('print one JSON document with the URL on standard output'),
  },
  async ({ args }) => {
    const env = args.port === undefined ? process.env : { ...process.env, PORT: args.port };
    const config = await loadConfig(env);
    const log = createJsonLog(createLineLogger());
    const starting = startServer(config, log);
    countLostOutput(starting);
    const server = await starting;
    const { JUDGE_BASE_URL: judge = 'sandbox', REMAND_DETECTOR: detector, REMAND_MODE: mode } = config;
    const { url, pagesUrl } = server;
    const pages = pagesUrl === url ? {} : { pages: pagesUrl };
    // Who reads the line may send a signal at once.
    const stopped = stopSignal();
    collectGarbage();
    const reload = () => void reloadConfig(server, env, log);
    process.on('SIGHUP', reload);
    if (args.json) print(`${JSON.stringify({ url, ...pages, judge, detector, mode })}\n`);
    tell([...describeStrangeNames(env), greeting(server, config)].join('\n'));
    writeCompileCache();
    await stopped;
    process.off('SIGHUP', reload);
    await server.close();
  },
);

function greeting({ url, pagesUrl }: RunningServer, config: Config): string {
  const { JUDGE_BASE_URL: judge, REMAND_DETECTOR: detector, REMAND_MODE: mode } = config;
  const shown = `${MODE_WORDS[mode]}${whoMayCome(config)}Stories of what happened: ${pagesUrl}/remand\n`;
  if (judge !== undefined)
    return `Remand at ${url}/v1, in front of ${judge.split('?')[0]}, detector ${detector}.\n${shown}`;
  return (
    `Remand at ${url}/v1, in front of a sandbox judge (a simulation; set JUDGE_BASE_URL for a real one), ` +
    `detector ${detector}.\n\nTry:\n${curl(url)}\n\n${shown}`
  );
}

const MODE_WORDS: Readonly<Record<Config['REMAND_MODE'], string>> = {
  debias: '',
  shadow: 'Mode shadow: everything is examined, and every client gets the first verdict.\n',
  off: 'Mode off: nothing is examined unless a request asks for it (x-remand-mode).\n',
};

/** Nothing where no web page can have a name of its own lead here; elsewhere what holds, and what to do about it. */
function whoMayCome(config: Config): string {
  const { judging, pages, answersTo } = decideAccessPolicy(
    config,
    isLoopback(config.HOST) ? 'loopback' : 'outside',
  );
  if (!answersTo('remand.example')) return '';
  const traces = '`remand keys add --name … --scopes traces`';
  if (judging === 'key')
    return `Clients need a key (\`remand keys add --name …\`), and so does whoever reads traces (${traces}).\n`;
  if (pages === 'key') return `Anyone may judge; whoever reads traces needs a key (${traces}).\n`;
  return 'Anyone who reaches this server may judge and read traces (REMAND_ACCESS).\n';
}

function curl(url: string): string {
  // A single quote cannot stand in a single-quoted shell word; it is closed, escaped and opened again.
  const body = JSON.stringify(SANDBOX_DEMO).replaceAll("'", "'\\''");
  return `curl -si ${url}/v1/chat/completions -H 'content-type: application/json' -d '${body}'`;
}

/** SIGHUP: remand.config.json and the calibration are read again. What cannot be used leaves all as it was. */
async function reloadConfig(server: RunningServer, env: NodeJS.ProcessEnv, log: Log): Promise<void> {
  try {
    await server.reload(await loadConfig(env));
  } catch (error) {
    const message = describeError(error);
    log({ level: 'error', event: 'fault', message: `not reloaded, nothing changed: ${message}` });
  }
}

/** A second signal ends the process at once, as the shell's user expects. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}

/** A full disk or a closed pipe behind standard output or error ends nothing: without a listener it would end the process. */
function countLostOutput(starting: Promise<RunningServer>): void {
  const count = () =>
    void starting.then(
      ({ notLogged }) => notLogged(),
      () => undefined,
    );
  for (const stream of [process.stdout, process.stderr]) stream.on('error', count);
}

/** How long a line waits for others, in milliseconds. */
const MOMENT_MS = 10;

/** @returns to be called with a whole line, its end included; what waits is written when the process ends, too */
function createLineLogger(): (line: string) => void {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== '') tell(waiting);
    waiting = '';
  };
  process.once('exit', write);
  return (line) => {
    waiting += `${line}\n`;
    timer ??= setTimeout(write, MOMENT_MS).unref();
  };
}
