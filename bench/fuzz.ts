/**
 * Hostile traffic before the real proxy: `npm run fuzz -- --seconds 60 [--seed 1]`, or `--case N` for one case again.
 * Random requests in every protocol, against an upstream that answers well, badly, late or never. What a case asks and
 * gets is a function of its number; what is found is printed with the command that shows it again, and ends in 1.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/proxy/config.ts';
import { startServer } from '../src/proxy/server.ts';
import { type Answered, wrongWith } from './fuzz/check.ts';
import { PROTOCOLS } from './fuzz/protocols.ts';
import { caseSeed, Random } from './fuzz/random.ts';
import { requestOf } from './fuzz/requests.ts';
import { CASE_HEADER, startUpstream } from './fuzz/upstream.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    case: { type: 'string' },
    workers: { type: 'string', default: '12' },
  },
});

const JUDGE_TIMEOUT_MS = 500;
const DEADLINE_MS = 400;
/** For a busy machine, and for a body of 10 MB that all others wait behind. */
const SLACK_MS = 6_000;
const SECRET = 'sk-fuzz-0123456789abcdef';

const findings: string[] = [];
const crashed = (what: string) => (error: unknown) =>
  void findings.push(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
process.on('uncaughtException', crashed('uncaught exception'));
process.on('unhandledRejection', crashed('unhandled rejection'));

const upstream = await startUpstream();
const proxy = await startServer(
  readConfig({
    PORT: '0',
    JUDGE_BASE_URL: upstream.url,
    JUDGE_TIMEOUT_MS: String(JUDGE_TIMEOUT_MS),
    REMAND_DEADLINE_MS: String(DEADLINE_MS),
    REMAND_HEARTBEAT_MS: '60',
    REMAND_TRACES: ':memory:',
    REMAND_TRACES_KEEP: '200',
  }),
  (entry) => {
    const line = JSON.stringify(entry);
    if (entry.event === 'fault' || entry.event === 'trace-not-stored') findings.push(`logged: ${line}`);
    if (line.includes(SECRET)) findings.push(`a key in the log: ${line}`);
  },
);

async function ask(url: string, body: Buffer, headers: Record<string, string>): Promise<Answered> {
  const began = performance.now();
  const signal = AbortSignal.timeout(JUDGE_TIMEOUT_MS + DEADLINE_MS + 3 * SLACK_MS);
  const response = await fetch(url, {
    method: 'POST',
    body: Uint8Array.from(body),
    headers,
    signal,
    redirect: 'manual',
  });
  const pieces: Uint8Array[] = [];
  let cut = false;
  try {
    for await (const piece of response.body ?? []) pieces.push(piece);
  } catch {
    // What the broken end means is for the checks to say.
    cut = true;
  }
  const { status } = response;
  return {
    status,
    headers: response.headers,
    body: Buffer.concat(pieces),
    cut,
    ms: performance.now() - began,
  };
}

const seen = new Map<string, number>();

/** @returns what is wrong, or null */
async function run(seed: number): Promise<string | null> {
  const random = new Random(seed);
  const index = random.below(PROTOCOLS.length);
  const protocol = PROTOCOLS[index];
  if (!protocol) throw new RangeError('no such protocol');
  const request = requestOf(protocol, random);
  const id = `${seed}.${index}.${request.stream ? 's' : 'w'}.${random.next()}`;
  const path = protocol.path(request.stream);
  const url = `${proxy.url}${path}${path.endsWith('key=') ? SECRET : ''}`;
  const headers = { ...request.headers, authorization: `Bearer ${SECRET}`, [CASE_HEADER]: id };
  let answered: Answered;
  try {
    answered = await ask(url, request.body, headers);
  } catch (error) {
    // Where the judge breaks off before its headers a pass-through has nothing to say but an error of ours.
    return `no answer: ${String(error)} ${String((error as Error).cause ?? '')}`;
  }
  const outcome = `${answered.status} ${answered.headers.get('x-remand-status') ?? (answered.body.includes(': x-remand-status') ? 'streamed' : '-')}`;
  seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
  const calls = upstream.calls(id);
  if (answered.ms > JUDGE_TIMEOUT_MS + DEADLINE_MS + SLACK_MS)
    return `answered after ${answered.ms.toFixed(0)} ms`;
  if (answered.body.includes(SECRET) || [...answered.headers].join().includes(SECRET))
    return 'a key in the answer';
  const wrong = wrongWith(answered, request, protocol, calls);
  if (wrong !== null) return wrong;
  for (let waited = 0; waited < SLACK_MS && calls.some(({ closed }) => !closed); waited += 10) await wait(10);
  if (calls.some(({ closed }) => !closed)) return 'a call to the judge is still open';
  upstream.forget(id);
  return null;
}

const replay = (seed: number) => `npm run fuzz -- --case ${seed}`;
let done = 0;

/** Seen once, in a crowd: whether the machine was late or Remand wrong is told by asking again. */
const suspects = new Map<number, string>();
/** How often a suspect is asked about again, alone. */
const AGAIN = 3;

async function one(seed: number): Promise<void> {
  const wrong = await run(seed);
  done++;
  if (wrong !== null) suspects.set(seed, wrong);
}

const began = performance.now();
if (values.case !== undefined) {
  await one(Number(values.case));
} else {
  let next = 0;
  const late = () => performance.now() - began > Number(values.seconds) * 1000 || suspects.size > 9;
  const worker = async () => {
    while (!late()) await one(caseSeed(Number(values.seed), next++));
  };
  await Promise.all(Array.from({ length: Number(values.workers) }, worker));
}
for (const [seed, wrong] of suspects) {
  let shown = values.case !== undefined;
  for (let time = 0; time < AGAIN && !shown; time++) shown = (await run(seed)) !== null;
  if (shown) findings.push(`case ${seed}: ${wrong}\n  ${replay(seed)}`);
  else console.log(`seen once, and not in ${AGAIN} repetitions: case ${seed}: ${wrong}`);
}
const health = await fetch(`${proxy.url}/remand/health`);
if (health.status !== 200) findings.push(`health answers ${health.status}`);
const traces = await (await fetch(`${proxy.url}/remand/traces?limit=1000`)).text();
if (traces.includes(SECRET)) findings.push('a key in a trace');
await proxy.close(1_000);
upstream.close();
const outcomes = [...seen].toSorted(([, a], [, b]) => b - a).map(([what, count]) => `${count} × ${what}`);
console.log(
  `${done} cases in ${((performance.now() - began) / 1000).toFixed(0)} s, seed ${values.seed}: ${outcomes.join(', ')}`,
);
for (const finding of findings) console.log(`FOUND ${finding}`);
// Timers of cases that were abandoned must not hold the process.
process.exit(findings.length > 0 ? 1 : 0);
