/**
 * A judge on loopback of whose calls one in four goes wrong, in five ways: a 429 that says when to come back, a 500,
 * no answer at all, a connection that breaks, a body that breaks off. It keeps count of what reached it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../fuzz/random.ts';
import { judgmentOf, kindOf, verdictOf } from './judgments.ts';

export const FAULTS = ['429', '500', 'hang', 'reset', 'truncated'] as const;
export type Fault = (typeof FAULTS)[number];
export type Kind = ReturnType<typeof kindOf>;

/** Share of calls for each fault. */
const SHARE = 0.05;
export const RETRY_AFTER_MS = '25';

/** A call that arrived whole. */
export interface Arrived {
  readonly kind: Kind;
  readonly fault: Fault | null;
  /** 0 where no status was sent. */
  readonly status: number;
  /** What was sent or, of a truncated one, meant to be. */
  readonly body: string;
  readonly text: string;
}

export interface LoadUpstream {
  readonly url: string;
  /** By the judgment's number; taken out, since there are many. */
  take(number: number): readonly Arrived[];
  /** Calls of which the whole request never came. */
  readonly cutShort: number;
  /** Calls that have neither been answered nor been given up. */
  underWay(): number;
  connections(): Promise<number>;
  close(): void;
}

/** The header that tells which judgment a call is of. Of no meaning to the proxy, which hands it on. */
export const NUMBER_HEADER = 'x-load-number';

export async function startUpstream(seed: number): Promise<LoadUpstream> {
  const arrived = new Map<number, Arrived[]>();
  let cutShort = 0;
  let open = 0;
  const server = createServer({ keepAliveTimeout: 30_000 }, async (incoming, response) => {
    // A caller that gives up makes writing fail; that is its right.
    response.on('error', () => undefined);
    open++;
    response.on('close', () => open--);
    const body = await bodyOf(incoming);
    if (body === null) return void cutShort++;
    const number = Number(incoming.headers[NUMBER_HEADER]);
    const calls = arrived.get(number) ?? [];
    arrived.set(number, calls);
    const judgment = judgmentOf(seed, number);
    const like = kindOf(judgment, body);
    // A repeat of the client's own request, which weighs a score's noise, can be the same to the byte; it comes later.
    const isRepeat = calls.some((call) => call.kind === 'judge' && call.fault === null);
    const kind = like === 'judge' && isRepeat ? 'probe' : like;
    const nth = calls.filter((call) => call.kind === kind).length;
    const random = new Random(
      seed ^ Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(nth + 1, kind.length * 7919),
    );
    const fault = FAULTS[Math.floor(random.next() / 2 ** 32 / SHARE)] ?? null;
    const text = verdictOf(judgment, body);
    const { stream, protocol } = judgment;
    const said = stream ? protocol.events(text).join('') : JSON.stringify(protocol.whole(text));
    const refused = `{"error": {"type": "api_error",  "message": "not now: ${number} ${kind} ${nth}"}}`;
    const failing = fault === '429' || fault === '500';
    const one: Arrived = {
      kind,
      fault,
      status: failing ? Number(fault) : fault === 'hang' || fault === 'reset' ? 0 : 200,
      body: failing ? refused : said,
      text,
    };
    calls.push(one);
    // Most answer at once; some keep a client that streams waiting for a heartbeat.
    await wait(random.chance(0.03) ? 400 : 2 + random.below(15));
    send(one, response, stream, random);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take(number) {
      const calls = arrived.get(number) ?? [];
      arrived.delete(number);
      return calls;
    },
    get cutShort() {
      return cutShort;
    },
    underWay: () => open,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Null where the caller gave up before its end. */
async function bodyOf(incoming: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of incoming) pieces.push(piece as Buffer);
  } catch {
    return null;
  }
  return Buffer.concat(pieces).toString();
}

function send(call: Arrived, response: ServerResponse, stream: boolean, random: Random): void {
  const { fault, status, body } = call;
  // The caller's timeout ends it.
  if (fault === 'hang') return;
  if (fault === 'reset') return void response.socket?.resetAndDestroy();
  const type = stream && status === 200 ? 'text/event-stream' : 'application/json';
  const bytes = Buffer.byteLength(body);
  response.writeHead(status, {
    'content-type': type,
    ...(fault === '429' && { 'retry-after-ms': RETRY_AFTER_MS }),
    ...(!stream && { 'content-length': bytes }),
  });
  if (fault !== 'truncated') return void response.end(body);
  // The headers and a part of the body leave before the connection breaks.
  response.write(body.slice(0, 1 + random.below(body.length - 1)), () => response.socket?.destroy());
}
