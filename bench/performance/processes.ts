/** What is compared, each in a process of its own, started as its users start it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gatewayScript } from './portkey/install.ts';

/** As an installed package runs it: `npm run build` makes it. */
const BUILT = fileURLToPath(new URL('../../dist/src/cli/remand.js', import.meta.url));
const STARTS_MS = 30_000;

export interface Running {
  readonly url: string;
  readonly pid: number;
}

/** Settings by the names of the environment's variables; of the rest of the environment, NODE_OPTIONS gets to a server. */
export type Settings = Readonly<Record<string, string>>;

export class Processes {
  readonly #ends: (() => Promise<void>)[] = [];
  /** A script of this folder, which prints its URL. */
  async script(name: string, ...args: string[]): Promise<Running> {
    const child = this.#start([fileURLToPath(new URL(name, import.meta.url)), ...args]);
    return { url: await firstLine(child), pid: pidOf(child) };
  }

  /** `remand serve` in a folder of its own: traces in SQLite there, and a log, which nobody reads. */
  async remand(judge: string, settings: Settings = {}): Promise<Running & { readonly folder: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'remand-bench-'));
    const env = { JUDGE_BASE_URL: judge, PORT: '0', ...settings };
    const child = this.#start([BUILT, 'serve', '--json'], env, folder);
    this.#ends.push(() => rm(folder, { recursive: true, force: true }));
    const { url } = JSON.parse(await firstLine(child)) as { url: string };
    return { url, pid: pidOf(child), folder };
  }

  /** Portkey's gateway by its own start script, without the console that it shows in a browser. */
  async portkey(): Promise<Running> {
    const port = await freePort();
    const script = await gatewayScript();
    const child = this.#start([script, `--port=${port}`, '--headless'], { NODE_ENV: 'production' });
    child.stdout?.resume();
    const url = `http://127.0.0.1:${port}`;
    for (const until = Date.now() + STARTS_MS; ; await wait(100)) {
      const up = await fetch(url).catch((error: unknown) => error);
      if (up instanceof Response) return { url, pid: pidOf(child) };
      if (Date.now() > until) throw new Error('the gateway does not start', { cause: up });
    }
  }

  async end(): Promise<void> {
    for (const end of this.#ends.toReversed()) await end();
  }

  #start(args: readonly string[], env: Settings = {}, cwd?: string): ChildProcess {
    const { NODE_OPTIONS } = process.env;
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, ...(NODE_OPTIONS !== undefined && { NODE_OPTIONS }), ...env },
      ...(cwd !== undefined && { cwd }),
    });
    this.#ends.unshift(async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    });
    return child;
  }
}

/** `remand keys add`, for a server that keeps its keys in this folder. */
export async function newKey(folder: string): Promise<string> {
  const child = spawn(process.execPath, [BUILT, 'keys', 'add', '--name', 'bench', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH },
    cwd: folder,
  });
  const { key } = JSON.parse(await firstLine(child)) as { key: string };
  return key;
}

async function firstLine(child: ChildProcess): Promise<string> {
  const { stdout } = child;
  if (!stdout) throw new Error('the process has no standard output');
  const [line] = await once(createInterface({ input: stdout }), 'line', {
    signal: AbortSignal.timeout(STARTS_MS),
  });
  return String(line);
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('the process did not start');
  return pid;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
