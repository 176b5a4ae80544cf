/**
 * What is asked, and how fast it is answered. autocannon asks: in one process it makes several times the requests that
 * the fastest proxy here answers (the bare upstream's row shows how many).
 */
import autocannon from 'autocannon';

export interface Target {
  readonly name: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Taken in turn. */
  readonly bodies: readonly string[];
  /** What Remand says that it did: `x-remand-status`, `x-remand-calls`. Null for whoever says nothing. */
  readonly told: { readonly status: string; readonly calls: number } | null;
}

export interface Rate {
  readonly answered: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface Pressure {
  readonly connections: number;
  readonly seconds: number;
}

const HEADERS = { 'content-type': 'application/json', authorization: 'Bearer sk-bench' };

/** The same bodies come again and again, and each judgment is to make all its calls. */
const headersOf = ({ headers, told }: Target) => ({
  ...HEADERS,
  ...(told && told.calls > 0 && { 'cache-control': 'no-store' }),
  ...headers,
});

/** @throws where a request failed */
export async function load(target: Target, { connections, seconds }: Pressure): Promise<Rate> {
  const { url, bodies, name } = target;
  const headers = headersOf(target);
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: bodies.map((body) => ({ method: 'POST' as const, headers, body })),
  });
  const failed = result.non2xx + result.errors;
  if (failed > 0) throw new Error(`${name}: ${failed} of ${result.requests.sent} requests failed`);
  return {
    answered: result['2xx'],
    perSecond: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** @throws where the answer is no verdict, or did not come about as it should */
export async function prove(target: Target): Promise<void> {
  const { url, bodies, told, name } = target;
  const headers = headersOf(target);
  const body = bodies[0] ?? '';
  const ask = () => fetch(url, { method: 'POST', headers, body });
  // Headers are part of an answer's identity in the cache, and this client's differ from the load's.
  if (told?.calls === 0) await (await ask()).text();
  const response = await ask();
  const text = await response.text();
  if (!response.ok || !text.includes('(a)')) throw new Error(`${name}: ${response.status} ${text}`);
  if (told === null) return;
  const [status, calls] = ['status', 'calls'].map((what) => response.headers.get(`x-remand-${what}`));
  if (status !== told.status || calls !== String(told.calls))
    throw new Error(`${name}: ${status} after ${calls} calls`);
}
