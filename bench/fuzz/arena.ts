/** The real proxy before a scripted upstream, and one exchange after another through both, each looked at from all sides. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Answered, wrongWith } from './check.ts';
import { watchLateness } from './lateness.ts';
import type { Protocol } from './protocols.ts';
import { type Measured, startProxy } from './proxy.ts';
import type { Plan } from './replies.ts';
import type { FuzzRequest } from './requests.ts';
import { CASE_HEADER, type Call, startUpstream } from './upstream.ts';

const JUDGE_TIMEOUT_MS = 500;
const DEADLINE_MS = 400;
/** For a proxy that works on eleven other cases; what a thread was late comes on top. */
const SLACK_MS = 6_000;
/** Longest that the proxy may look at nothing else, in CPU time: a reading or a step of learning takes 50 ms at most. */
const TURN_MS = 1_000;
/** The client's own patience: longer than any answer may take on the slowest machine, so that one is judged, not missed. */
const PATIENCE_MS = 120_000;
const SECRET = 'sk-fuzz-0123456789abcdef';

export interface Exchange {
  readonly protocol: Protocol;
  readonly request: FuzzRequest;
  /** What the judge does with each call, from 0. */
  readonly planOf: (call: number) => Plan;
}

export interface Asked {
  /** What is wrong; null where all is well. */
  readonly wrong: string | null;
  /** The HTTP status and what Remand says of the verdict. */
  readonly outcome: string;
  readonly plans: readonly Plan[];
}

export interface Arena {
  ask(exchange: Exchange): Promise<Asked>;
  measure(): Promise<Measured>;
  /** @returns what is wrong with the proxy itself, once all is over */
  close(): Promise<string[]>;
}

/** @param hear told what goes wrong beside an exchange, and whether it may be about one that is under way */
export async function openArena(hear: (wrong: string, underWay: boolean) => void): Promise<Arena> {
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
    ({ line = '', wrong, underWay = false }) => {
      if (line.includes(SECRET)) hear(`a key in the log: ${line}`, false);
      if (wrong !== undefined) hear(wrong, underWay);
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

  let asked = 0;

  async function ask({ protocol, request, planOf }: Exchange): Promise<Asked> {
    const id = String(asked++);
    upstream.expect(id, planOf);
    const path = protocol.path(request.stream);
    const url = `${proxy.url}${path}${path.endsWith('key=') ? SECRET : ''}`;
    const headers = { ...request.headers, authorization: `Bearer ${SECRET}`, [CASE_HEADER]: id };
    const lateBefore = lateMs();
    let answered: Answered;
    try {
      answered = await send(url, request.body, headers);
    } catch (error) {
      const plans = upstream.calls(id).map(({ plan }) => plan);
      // Before the first byte of a body that is passed on, the server may end the connection as the judge ended its own.
      const judgeBroke = plans.some(({ end }) => end !== 'finish');
      const wrong = `no answer: ${String(error)} ${String((error as Error).cause ?? '')}`;
      return { wrong: judgeBroke ? null : wrong, outcome: 'none', plans };
    }
    const told = answered.headers.get('x-remand-status');
    // In shadow mode a stream lasts as long as its judge speaks.
    const isJudges = told === 'shadow' && request.stream;
    const late = () =>
      !isJudges && answered.ms > JUDGE_TIMEOUT_MS + DEADLINE_MS + SLACK_MS + lateMs() - lateBefore;
    // A thread tells how late it is when it looks up, which may be after it has answered.
    if (late()) await wait(200);
    const calls = upstream.calls(id);
    const closed = await allClosed(calls);
    const streamed = answered.body.includes(': x-remand-status') ? 'streamed' : '-';
    const wrongs = [
      late() ? `answered after ${answered.ms.toFixed(0)} ms` : null,
      answered.body.includes(SECRET) || [...answered.headers].join().includes(SECRET)
        ? 'a key in the answer'
        : null,
      wrongWith(answered, request, protocol, calls, JUDGE_TIMEOUT_MS),
      closed ? null : 'a call to the judge is still open',
    ];
    upstream.forget(id);
    return {
      wrong: wrongs.find((one) => one !== null) ?? null,
      outcome: `${answered.status} ${told ?? streamed}`,
      plans: calls.map(({ plan }) => plan),
    };
  }

  return {
    ask,
    measure: proxy.measure,
    async close() {
      const findings: string[] = [];
      const health = await fetch(`${proxy.url}/remand/health`);
      if (health.status !== 200) findings.push(`health answers ${health.status}`);
      const traces = await (await fetch(`${proxy.url}/remand/traces?limit=1000`)).text();
      if (traces.includes(SECRET)) findings.push('a key in a trace');
      await proxy.close();
      upstream.close();
      return findings;
    },
  };
}

async function send(url: string, body: Buffer, headers: Record<string, string>): Promise<Answered> {
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
