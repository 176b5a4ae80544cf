/**
 * Hostile traffic before the real proxy: random requests in every protocol, against an upstream that answers well,
 * badly, late or never. What a case asks and gets is a function of its number.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Answered, wrongWith } from './check.ts';
import { watchLateness } from './lateness.ts';
import { PROTOCOLS } from './protocols.ts';
import { startProxy } from './proxy.ts';
import { caseSeed, Random } from './random.ts';
import { requestOf } from './requests.ts';
import { CASE_HEADER, type Call, startUpstream } from './upstream.ts';

const JUDGE_TIMEOUT_MS = 500;
const DEADLINE_MS = 400;
/** For a proxy that works on eleven other cases; what a thread was late comes on top. */
const SLACK_MS = 6_000;
/** Longest that the proxy may look at nothing else, in CPU time; a body of 10 MB takes it less than 1 s. */
const TURN_MS = 5_000;
/** The client's own patience: longer than any answer may take on the slowest machine, so that one is judged, not missed. */
const PATIENCE_MS = 120_000;
const SECRET = 'sk-fuzz-0123456789abcdef';

async function ask(url: string, body: Buffer, headers: Record<string, string>): Promise<Answered> {
  const began = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    body: new Uint8Array(body),
    headers,
    signal: AbortSignal.timeout(PATIENCE_MS),
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

export interface HttpRun {
  readonly seed: number;
  readonly seconds: number;
  /** Begins with this case of the seed's: a finding may need its neighbours. */
  readonly from: number;
  /** The number of one case to ask alone; null for as many as there is time for. */
  readonly only: number | null;
  readonly workers: number;
}

/** @returns findings, each with the command that shows it again */
export async function fuzzHttp({ seed, seconds, from, only, workers }: HttpRun): Promise<string[]> {
  const findings: string[] = [];
  /** The cases that are being asked, and the commands that show each again. */
  const underWay = new Map<number, string>();

  const ownLate = new Float64Array(1);
  const proxyLate = new Float64Array(new SharedArrayBuffer(8));
  const lateMs = () => (ownLate[0] ?? 0) + (proxyLate[0] ?? 0);
  watchLateness(ownLate);

  const upstream = await startUpstream();
  const proxy = await startProxy(
    {
      settings: {
        PORT: '0',
        JUDGE_BASE_URL: upstream.url,
        JUDGE_TIMEOUT_MS: String(JUDGE_TIMEOUT_MS),
        REMAND_DEADLINE_MS: String(DEADLINE_MS),
        REMAND_HEARTBEAT_MS: '60',
        REMAND_TRACES: ':memory:',
        REMAND_TRACES_KEEP: '200',
      },
      late: proxyLate,
      turnMs: TURN_MS,
    },
    ({ line = '', wrong, underWay: about }) => {
      if (line.includes(SECRET)) findings.push(`a key in the log: ${line}`);
      if (wrong !== undefined) findings.push([wrong, ...(about ? underWay.values() : [])].join('\n  '));
    },
  );

  /** Whether what the proxy asked of the judge for a case ends with the case. */
  async function allClosed(calls: readonly Call[]): Promise<boolean> {
    const began = performance.now();
    const lateBefore = lateMs();
    while (calls.some(({ closed }) => !closed)) {
      if (performance.now() - began > SLACK_MS + lateMs() - lateBefore) return false;
      await wait(10);
    }
    return true;
  }

  const seen = new Map<string, number>();

  /** @returns what is wrong, or null */
  async function run(own: number): Promise<string | null> {
    const random = new Random(own);
    const index = random.below(PROTOCOLS.length);
    const protocol = PROTOCOLS[index];
    if (!protocol) throw new RangeError('no such protocol');
    const request = requestOf(protocol, random);
    const id = `${own}.${index}.${request.stream ? 's' : 'w'}.${random.next()}`;
    const path = protocol.path(request.stream);
    const url = `${proxy.url}${path}${path.endsWith('key=') ? SECRET : ''}`;
    const headers = { ...request.headers, authorization: `Bearer ${SECRET}`, [CASE_HEADER]: id };
    const lateBefore = lateMs();
    let answered: Answered;
    try {
      answered = await ask(url, request.body, headers);
    } catch (error) {
      // Where the judge breaks off before its headers a pass-through has nothing to say but an error of ours.
      return `no answer: ${String(error)} ${String((error as Error).cause ?? '')}`;
    }
    const outcome = `${answered.status} ${answered.headers.get('x-remand-status') ?? (answered.body.includes(': x-remand-status') ? 'streamed' : '-')}`;
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    const late = () => answered.ms > JUDGE_TIMEOUT_MS + DEADLINE_MS + SLACK_MS + lateMs() - lateBefore;
    // A thread tells how late it is when it looks up, which may be after it has answered.
    if (late()) await wait(200);
    if (late()) return `answered after ${answered.ms.toFixed(0)} ms`;
    if (answered.body.includes(SECRET) || [...answered.headers].join().includes(SECRET))
      return 'a key in the answer';
    const calls = upstream.calls(id);
    const closed = await allClosed(calls);
    const wrong = wrongWith(answered, request, protocol, calls, JUDGE_TIMEOUT_MS);
    if (wrong !== null) return wrong;
    if (!closed) return 'a call to the judge is still open';
    upstream.forget(id);
    return null;
  }

  let done = 0;

  async function one(own: number, among: number | null): Promise<void> {
    const alone = `npm run fuzz -- --case ${own}`;
    // A fault that needs a crowd shows again, if at all, among the cases that were under way with it.
    const crowd = `npm run fuzz -- --seed ${seed} --from ${Math.max(0, (among ?? 0) - 20)} --seconds 10`;
    const again = among === null ? alone : `${alone}\n  ${crowd}`;
    underWay.set(own, again);
    const wrong = await run(own);
    underWay.delete(own);
    done++;
    if (wrong !== null) findings.push(`case ${own}: ${wrong}\n  ${again}`);
  }

  const began = performance.now();
  if (only !== null) {
    await one(only, null);
  } else {
    let next = from;
    const over = () => performance.now() - began > seconds * 1000 || findings.length > 9;
    const worker = async () => {
      while (!over()) {
        const index = next++;
        await one(caseSeed(seed, index), index);
      }
    };
    await Promise.all(Array.from({ length: workers }, worker));
  }
  const health = await fetch(`${proxy.url}/remand/health`);
  if (health.status !== 200) findings.push(`health answers ${health.status}`);
  const traces = await (await fetch(`${proxy.url}/remand/traces?limit=1000`)).text();
  if (traces.includes(SECRET)) findings.push('a key in a trace');
  await proxy.close();
  upstream.close();
  const outcomes = [...seen].toSorted(([, a], [, b]) => b - a).map(([what, count]) => `${count} × ${what}`);
  console.log(
    `${done} cases in ${((performance.now() - began) / 1000).toFixed(0)} s, seed ${seed}: ${outcomes.join(', ')}`,
  );
  return findings;
}
