/**
 * Everything a deployment has, on this machine: `npm run dev:edge [-- --port 8787]`. The Worker in workerd, its D1
 * database with the migrations applied, KV, Durable Objects and Workflows, by wrangler's own simulator; the sandbox judge, where
 * `.dev.vars` names no other. Needs no account and no network. Ctrl-C ends all of it, and so does whatever else ends this process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createKey } from '../src/proxy/access/key.ts';
import { SANDBOX_DEMO } from '../src/sandbox/sandbox.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Wrangler says so when requests are taken. */
const READY = /Ready on (http:\/\/\S+)/;
/** What is still there then is ended without asking. */
const PATIENCE_MS = 5_000;
/** A budget that nobody reaches by hand, so that the Durable Object of the key keeps its account. */
const LIMITS = { callsPerDay: 100_000 };

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    /** Where databases are kept from one start to the next. */
    state: { type: 'string', default: `${ROOT}.wrangler/state` },
    /** A setting, `NAME:value`, above those of `.dev.vars`. */
    var: { type: 'string', multiple: true, default: [] },
    /** One line of JSON on standard output when it is ready: `{"url", "key"}`. */
    json: { type: 'boolean', default: false },
  },
});

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.abort());

const local = ['--local', '--persist-to', values.state];
const code = await migrated().then((done) => (done ? served() : 1));
process.exitCode = stopped.signal.aborted ? 0 : code;

/** Beside what is there already: traces and keys of an earlier start stay. */
async function migrated(): Promise<boolean> {
  const { child, said, ended } = wrangler('d1', 'migrations', 'apply', 'remand', ...local);
  child.stdout?.resume();
  const failed = (await ended) !== 0;
  if (failed && !stopped.signal.aborted) process.stderr.write(said());
  return !failed && !stopped.signal.aborted;
}

async function served(): Promise<number> {
  // Good for as long as this runs; only its hash is told to the Worker.
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
  const what = { name: 'this machine', scopes: ['admin' as const], limits: LIMITS };
  const { key, record } = await createKey(what, random, Date.now());
  const settings = [`REMAND_KEYS:${JSON.stringify([record])}`, 'REMAND_CACHE_S:3600', ...values.var];
  const { child, said, ended } = wrangler(
    ...['dev', '--port', values.port, '--inspector-port', '0', '--show-interactive-dev-session=false'],
    ...local,
    ...settings.flatMap((setting) => ['--var', setting]),
  );
  let greeted = false;
  const listen = (piece: Buffer) => {
    process.stderr.write(piece);
    const url = READY.exec(said())?.[1]?.replace('localhost', '127.0.0.1');
    if (url === undefined || greeted) return;
    greeted = true;
    process.stderr.write(greeting(url, key));
    if (values.json) process.stdout.write(`${JSON.stringify({ url, key })}\n`);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', listen);
  return ended;
}

/**
 * In a process group of its own, which is ended as one: wrangler leaves workerd behind otherwise. Where this process is
 * killed, dev/together.ts ends it.
 */
function wrangler(...args: string[]) {
  const command = [`${ROOT}dev/together.ts`, `${ROOT}node_modules/.bin/wrangler`, ...args];
  const child: ChildProcess = spawn(process.execPath, command, {
    cwd: ROOT,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    // Asks nothing, and sends nothing home.
    env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
  });
  let text = '';
  const gather = (piece: Buffer) => {
    if (text.length < 1e5) text += String(piece);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', gather);
  const end = () => {
    signalGroup(child, 'SIGTERM');
    setTimeout(() => signalGroup(child, 'SIGKILL'), PATIENCE_MS).unref();
  };
  stopped.signal.addEventListener('abort', end, { once: true });
  if (stopped.signal.aborted) end();
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      stopped.signal.removeEventListener('abort', end);
      signalGroup(child, 'SIGKILL');
      resolve(status ?? 1);
    });
  });
  return { child, said: () => text, ended };
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (cause) {
    // Nobody is left in it.
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ESRCH')) throw cause;
  }
}

function greeting(url: string, key: string): string {
  const body = JSON.stringify(SANDBOX_DEMO).replaceAll("'", "'\\''");
  return `
Remand at ${url}/v1, as it runs at the edge.

Try:
curl -si ${url}/v1/chat/completions -H 'x-remand-key: ${key}' -H 'content-type: application/json' -d '${body}'

What happened: ${url}/remand   any user name, password ${key}
Metrics: curl -s ${url}/remand/metrics -H 'authorization: Bearer ${key}'
The database: npx wrangler d1 execute remand ${local.join(' ')} --command 'SELECT id, status FROM traces'
`;
}
