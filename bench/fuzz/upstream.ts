/** A real server on loopback that answers each call of a case as the case has it. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Plan } from './replies.ts';

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
  /** Says what the calls of a case are answered with, by their number from 0. */
  expect(id: string, planOf: (call: number) => Plan): void;
  /** The calls of a case so far. */
  calls(id: string): readonly Call[];
  forget(id: string): void;
  close(): void;
}

/** The header that tells the upstream which case a call is of. */
export const CASE_HEADER = 'x-fuzz-case';

export async function startUpstream(): Promise<FuzzUpstream> {
  const calls = new Map<string, Call[]>();
  const plans = new Map<string, (call: number) => Plan>();
  const server = createServer((incoming, response) => {
    incoming.resume();
    const id = String(incoming.headers[CASE_HEADER]);
    const made = calls.get(id) ?? [];
    calls.set(id, made);
    // Nobody waits for a case that is over.
    const plan = plans.get(id)?.(made.length);
    if (!plan) return void response.destroy();
    const call: Call = { plan, body: Buffer.concat(plan.pieces), closed: false, silentMs: 0 };
    made.push(call);
    // A client that leaves makes writing fail; that is its right.
    response.on('error', () => undefined);
    void play(plan, response, call);
  });
  // Its judges end a connection only where a plan says so: one that has idled for 5 s would end while a case takes it up.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    expect: (id, planOf) => void plans.set(id, planOf),
    calls: (id) => calls.get(id) ?? [],
    forget(id) {
      calls.delete(id);
      plans.delete(id);
    },
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
