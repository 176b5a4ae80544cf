/**
 * Clients that leave, on Node: whatever is in flight for them at that moment (the first calls, a probe, a remand) is
 * cancelled, and nothing more is begun. At the edge: edge-disconnect.test.ts.
 */
import { describe, expect, test } from 'vitest';
import { PROTOCOLS } from '../../bench/fuzz/protocols.ts';
import { findRemand } from '../../prompts/remand-note.ts';
import { scriptedClock } from '../scripted-clock.ts';
import { pairwise, RIGHT, WRONG } from './judges.ts';
import { follower, question, STATEMENT, spoken } from './protocol-judges.ts';
import { type Received, startProxy, startUpstream, until } from './servers.ts';

/** Which call the judge never answers, and how many of them are in flight then. */
const SILENT: Record<string, { calls: number; is: (text: string) => boolean }> = {
  'the first calls, both orders': { calls: 2, is: () => true },
  'probes, both orders': { calls: 2, is: (text) => !text.includes('people believe') },
  'a remand, both orders': { calls: 2, is: (text) => findRemand(text) !== null },
};

const rows = PROTOCOLS.flatMap((protocol) =>
  [false, true].flatMap((stream) =>
    Object.keys(SILENT).map((what) => ({
      name: protocol.adapter.name,
      protocol,
      stream,
      how: stream ? 'streaming' : 'whole',
      what,
    })),
  ),
);

describe('a client that leaves', () => {
  test.each(rows)('$name, $how: $what in flight', async ({ protocol, stream, what }) => {
    const silent = SILENT[what];
    const waiting: Received[] = [];
    const upstream = await startUpstream((received, response) => {
      const text = received.body.toString();
      if (silent?.is(text)) return void waiting.push(received);
      // As JSON writes it; the line breaks are all that matters here.
      const said = spoken(received, ['', text.replaceAll('\\n', '\n')], follower);
      response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json');
      response.end(stream ? protocol.events(said).join('') : JSON.stringify(protocol.whole(said)));
    });
    const settings = { REMAND_BIASES: 'position,bandwagon', REMAND_HEARTBEAT_MS: '30' };
    // What is silent stays so, and no time passes but a heartbeat's: nothing but the client's leaving ends a call.
    const clock = scriptedClock(0);
    const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, ...settings }, clock);
    const body = JSON.stringify(protocol.request('You judge.', question(RIGHT, WRONG, STATEMENT), stream));
    const gone = new AbortController();
    const leaving = fetch(`${proxy.url}${protocol.path(stream)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: gone.signal,
    }).then((response) => response.text());
    await until(() => waiting.length === silent?.calls, `${what} reach the judge`);
    if (stream) await clock.passOnceAsked(30);
    gone.abort();
    await expect(leaving).rejects.toThrow();
    await until(() => waiting.every(({ abortedAt }) => abortedAt !== null), 'the calls are cancelled');
    const made = upstream.received.length;
    const entry = await until(
      () => proxy.log.find(({ event }) => event === 'request'),
      'the request is logged',
    );
    expect(entry.status).toBe(499);
    expect(upstream.received).toHaveLength(made);
  });
});

test('a client that leaves while an added call waits to be made again: it is not made again', async () => {
  const upstream = await startUpstream((_received, response) => {
    // The client's own call hangs; the other order is told to come back a little later.
    if (upstream.received.length > 1) response.writeHead(429, { 'retry-after-ms': '600' }).end('{}');
  });
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const gone = new AbortController();
  const init = { method: 'POST', body: pairwise(WRONG, RIGHT), signal: gone.signal };
  const leaving = fetch(`${proxy.url}/v1/chat/completions`, init);
  await until(() => upstream.received.length === 2, 'both orders reach the judge');
  await new Promise((resolve) => setTimeout(resolve, 100));
  gone.abort();
  await expect(leaving).rejects.toThrow();
  await until(() => proxy.log.some(({ status }) => status === 499), 'the request is over');
  await new Promise((resolve) => setTimeout(resolve, 900));
  expect(upstream.received).toHaveLength(2);
});
