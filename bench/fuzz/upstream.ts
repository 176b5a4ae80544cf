/** A real server on loopback that answers each call of a case as the case's seed has it. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { PROTOCOLS } from './protocols.ts';
import { Random } from './random.ts';
import { type Plan, planOf } from './replies.ts';

/** One call that a case made, as it went out. */
export interface Call {
  readonly plan: Plan;
  readonly body: Buffer;
  closed: boolean;
  /** Longest time, in milliseconds, for which the judge said nothing from its headers to its end, or to the proxy's. */
  silentMs: number;
}

export interface FuzzUpstream {
  readonly url: string;
  /** The calls of a case so far. */
  calls(id: string): readonly Call[];
  forget(id: string): void;
  close(): void;
}

/** The header that tells the upstream which case a call is of. */
export const CASE_HEADER = 'x-fuzz-case';

export async function startUpstream(): Promise<FuzzUpstream> {
  const calls = new Map<string, Call[]>();
  const server = createServer((incoming, response) => {
    incoming.resume();
    const id = String(incoming.headers[CASE_HEADER]);
    const [seed = '0', protocol = '0', stream = ''] = id.split('.');
    const made = calls.get(id) ?? [];
    calls.set(id, made);
    const random = new Random(Number(seed) ^ Math.imul(made.length + 1, 0xc2b2ae35));
    const plan = planOf(PROTOCOLS[Number(protocol)] ?? random.pick(PROTOCOLS), stream === 's', random);
    const call: Call = { plan, body: Buffer.concat(plan.pieces), closed: false, silentMs: 0 };
    made.push(call);
    // A client that leaves makes writing fail; that is its right.
    response.on('error', () => undefined);
    void play(plan, response, call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: (id) => calls.get(id) ?? [],
    forget: (id) => void calls.delete(id),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function play(plan: Plan, response: ServerResponse, call: Call): Promise<void> {
  let spoke: number | null = null;
  /** From before one word to after the next: whatever keeps this thread in between, the silence was no longer. */
  const say = (word: () => void) => {
    const now = performance.now();
    word();
    call.silentMs = Math.max(call.silentMs, performance.now() - (spoke ?? now));
    spoke = now;
  };
  response.on('close', () => {
    if (!response.writableEnded && spoke !== null) say(() => undefined);
    call.closed = true;
  });
  for (let waited = 0; waited < plan.before && !call.closed; waited += 20) await wait(20);
  if (call.closed) return;
  say(() => {
    response.writeHead(plan.status, plan.headers);
    response.flushHeaders();
  });
  for (const piece of plan.pieces) {
    if (call.closed) return;
    say(() => response.write(piece));
    await (plan.between > 0 ? wait(plan.between) : new Promise((resolve) => setImmediate(resolve)));
  }
  // Who hangs says nothing more: the silence goes on from the last word, not from here.
  if (call.closed || plan.end === 'hang') return;
  say(() => {
    if (plan.end === 'finish') response.end();
    if (plan.end === 'reset') response.socket?.resetAndDestroy();
  });
}
