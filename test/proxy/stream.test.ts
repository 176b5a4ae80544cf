/** Streams: consumed whole, examined, and handed on event by event; patient clients, and clients that leave. */
import type { ServerResponse } from 'node:http';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/ports.ts';
import { scriptedClock } from '../scripted-clock.ts';
import {
  fair,
  firstPlaceLover,
  pairwise,
  RIGHT,
  streamChunks,
  streamed,
  stubborn,
  WRONG,
  whole,
} from './judges.ts';
import { afterHeartbeat, begin, exchange, type Reply, startProxy, startUpstream, until } from './servers.ts';

const PATH = '/v1/chat/completions';
const headers = { 'x-remand-biases': 'position', 'content-type': 'application/json' };
const asked = { stream: true, stream_options: { include_usage: true } };

async function behind(reply: Reply, settings: Record<string, string> = {}, clock?: Clock) {
  const upstream = await startUpstream(reply);
  return { upstream, proxy: await startProxy({ JUDGE_BASE_URL: upstream.url, ...settings }, clock) };
}

test("the chosen reply's own events go out, with the usage of all calls", async () => {
  const { proxy, upstream } = await behind(streamed(firstPlaceLover));
  const body = pairwise(WRONG, RIGHT, asked);
  const answer = await exchange(proxy.url + PATH, { method: 'POST', headers, body });
  expect(answer.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-remand-status': 'revised' });
  const expected = streamChunks('Output (b)')
    .join('')
    .replace('"prompt_tokens":100', '"prompt_tokens":400')
    .replace('"completion_tokens":4', '"completion_tokens":16')
    .replace('"total_tokens":104', '"total_tokens":416');
  expect(answer.body.toString()).toBe(expected);
  for (const one of upstream.received) expect(JSON.parse(one.body.toString()).stream).toBe(true);
});

test('in shadow mode the stream is the very bytes', async () => {
  const { proxy } = await behind(streamed(firstPlaceLover), { REMAND_MODE: 'shadow' });
  const answer = await exchange(proxy.url + PATH, {
    method: 'POST',
    headers,
    body: pairwise(WRONG, RIGHT, asked),
  });
  expect(answer.body.toString()).toBe(streamChunks('Output (a)').join(''));
});

describe('in shadow mode a stream goes through as it comes', () => {
  const body = pairwise(WRONG, RIGHT, asked);
  const [begin0 = '', ...rest] = streamChunks('Output (a)');
  const shadow = { REMAND_MODE: 'shadow', REMAND_HEARTBEAT_MS: '1' };

  /** A judge that begins its reply, and goes on when it is told to. */
  async function halfway() {
    const go = Promise.withResolvers<ServerResponse>();
    const going = Promise.withResolvers<void>();
    const { proxy, upstream } = await behind(async (received, response) => {
      if (received.body.toString() !== body) return streamed(firstPlaceLover)(received, response);
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_1' });
      response.write(begin0);
      go.resolve(response);
      await going.promise;
      response.end(rest.join(''));
    }, shadow);
    const incoming = await begin(proxy.url + PATH, { method: 'POST', headers, body });
    const first: Buffer = await new Promise((resolve) => incoming.once('data', resolve));
    return { proxy, upstream, incoming, first, judge: await go.promise, goOn: () => going.resolve() };
  }

  test('the client has the first event before the judge has said the last one', async () => {
    const { proxy, incoming, first, goOn } = await halfway();
    expect(first.toString()).toBe(begin0);
    expect(incoming.headers).toMatchObject({ 'x-remand-status': 'shadow', 'x-request-id': 'req_1' });
    goOn();
    let text = first.toString();
    for await (const piece of incoming) text += piece;
    expect(text).toBe(streamChunks('Output (a)').join(''));
    const path = `${proxy.url}/remand/traces/${incoming.headers['x-remand-trace']}`;
    await until(async () => (await exchange(path)).status === 200, 'it is examined afterwards');
    expect(JSON.parse((await exchange(path)).body.toString())).toMatchObject({ would_be: 'revised' });
  });

  test('a client that leaves in its middle ends it at the judge', async () => {
    const { incoming, upstream } = await halfway();
    incoming.destroy();
    await until(() => upstream.received[0]?.abortedAt, 'the call is cancelled');
    expect(upstream.received).toHaveLength(1);
  });

  test('one that breaks off at the judge breaks off at the client', async () => {
    const { proxy, incoming, judge } = await halfway();
    judge.destroy();
    await expect(incoming.toArray()).rejects.toThrow('aborted');
    const entry = await until(() => proxy.log.find(({ event }) => event === 'broken-off'), 'it is logged');
    expect(entry.message).toBe("the judge's reply broke off: other side closed");
    const path = `${proxy.url}/remand/traces/${incoming.headers['x-remand-trace']}`;
    await until(async () => (await exchange(path)).status === 200, 'the trace tells of it');
    expect(JSON.parse((await exchange(path)).body.toString())).toMatchObject({ stop: 'judge-failed' });
  });

  test('one that nobody can read is handed on, and told as a fault of the judge', async () => {
    const broken = `${begin0}data: {"choices": [\n\n`;
    const { proxy } = await behind((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(broken);
    }, shadow);
    const answer = await exchange(proxy.url + PATH, { method: 'POST', headers, body });
    expect(answer.body.toString()).toBe(broken);
    const entry = await until(() => proxy.log.find(({ level }) => level === 'error'), 'it is logged');
    expect(entry.event).toBe('judge-failed');
  });

  test('one that lasts longer than a call may is not cut, and ends at the judge when the client leaves', async () => {
    // A busy machine must not take as long as this to begin.
    const LIMIT_MS = 2_000;
    const ended = Promise.withResolvers<void>();
    const { proxy } = await behind(
      async (_, response) => {
        response.once('close', ended.resolve);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const size = Math.ceil(begin0.length / 24);
        for (let at = 0; at < begin0.length; at += size) {
          response.write(begin0.slice(at, at + size));
          await new Promise((resolve) => setTimeout(resolve, LIMIT_MS / 20));
        }
      },
      { ...shadow, JUDGE_TIMEOUT_MS: String(LIMIT_MS), JUDGE_API_KEY: 'sk-operator-key' },
    );
    const incoming = await begin(proxy.url + PATH, { method: 'POST', headers, body });
    let text = '';
    incoming.on('data', (piece: Buffer) => {
      text += piece;
    });
    await until(() => text === begin0, 'all of it is there');
    const entry = await until(() => proxy.log.find(({ level }) => level === 'error'), 'it is logged');
    expect(entry.message).toBe(`the judge did not answer within ${LIMIT_MS} ms`);
    incoming.destroy();
    await ended.promise;
  });

  test('an error that comes late keeps its status', async () => {
    const { proxy } = await behind(async (_, response) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      response.writeHead(503, { 'retry-after': '7' }).end('{"error": {"message": "loading"}}');
    }, shadow);
    const answer = await exchange(proxy.url + PATH, { method: 'POST', headers, body });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '7']);
    expect(answer.body.toString()).toBe('{"error": {"message": "loading"}}');
  });
});

describe('a judge that takes long', () => {
  test('what passes by itself is tried again once a heartbeat is out: the client has its status already', async () => {
    const clock = scriptedClock(0);
    let failures = 0;
    const { proxy, upstream } = await behind(
      afterHeartbeat(clock, 30, (received, response) => {
        if (received.body.toString() !== body || failures > 0) return streamed(fair)(received, response);
        failures++;
        response.writeHead(500).end('{}');
      }),
      { REMAND_HEARTBEAT_MS: '30' },
      clock,
    );
    const body = pairwise(RIGHT, WRONG, asked);
    const answer = await exchange(proxy.url + PATH, { method: 'POST', headers, body });
    expect(answer.body.toString()).toContain(': x-remand-status: unchanged');
    expect(answer.body.toString()).toContain('data: [DONE]');
    expect(upstream.received.filter((one) => one.body.toString() === body)).toHaveLength(2);
  });

  test('one that hangs is not asked again: the client has waited long enough', async () => {
    const clock = scriptedClock(0);
    const settings = { REMAND_HEARTBEAT_MS: '30', JUDGE_TIMEOUT_MS: '700', REMAND_ROUNDS: '0' };
    let calls = 0;
    const { proxy } = await behind(
      (received, response) => {
        if (calls++ > 0) streamed(fair)(received, response);
      },
      settings,
      clock,
    );
    const body = pairwise(RIGHT, WRONG, asked);
    const waiting = exchange(proxy.url + PATH, { method: 'POST', headers, body });
    await until(() => calls > 0, 'the judge is asked');
    await clock.passOnceAsked(30);
    await clock.passOnceAsked(700);
    expect((await waiting).body.toString()).toContain('did not answer in time');
    expect(calls).toBe(1);
  });

  test('the client hears heartbeats, then the facts as comments, then the events', async () => {
    const clock = scriptedClock(0);
    const { promise: thought, resolve: ready } = Promise.withResolvers<void>();
    const answering = streamed(firstPlaceLover);
    const reply: Reply = async (received, response) => {
      await thought;
      return answering(received, response);
    };
    const { proxy } = await behind(reply, { REMAND_HEARTBEAT_MS: '50' }, clock);
    const body = pairwise(WRONG, RIGHT, asked);
    const waiting = exchange(proxy.url + PATH, { method: 'POST', headers, body });
    for (let heartbeats = 0; heartbeats < 2; heartbeats++) await clock.passOnceAsked(50);
    ready();
    const answer = await waiting;
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(answer.headers).not.toHaveProperty('x-remand-status');
    const lines = answer.body.toString().split('\n');
    const comments = lines.filter((line) => line.startsWith(':'));
    expect(comments.filter((line) => line === ': ping')).toHaveLength(2);
    expect(comments).toContain(': x-remand-status: revised');
    expect(comments.join()).toMatch(/: x-remand-trace: [\w-]+/);
    // Comments come before the first event, one line each, with one blank line behind them all.
    expect(lines.findIndex((line) => line.startsWith('data:'))).toBe(comments.length + 1);
    expect(lines[comments.length]).toBe('');
    expect(lines.filter((line) => line.startsWith('data: {')).length).toBe(
      streamChunks('Output (b)').length - 1,
    );
    expect(lines).toContain('data: [DONE]');
  });

  test('an OpenAI client reads it as if nothing had been there', async () => {
    const clock = scriptedClock(0);
    const slow = afterHeartbeat(clock, 20, streamed(firstPlaceLover));
    const { proxy } = await behind(slow, { REMAND_HEARTBEAT_MS: '20' }, clock);
    const client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: 'sk-test', maxRetries: 0 });
    const stream = await client.chat.completions.create(
      { ...JSON.parse(pairwise(WRONG, RIGHT)), ...asked },
      { headers },
    );
    let text = '';
    let total: number | undefined;
    for await (const chunk of stream as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>) {
      text += chunk.choices[0]?.delta.content ?? '';
      total = chunk.usage?.total_tokens ?? total;
    }
    expect(text).toBe('Output (b)');
    expect(total).toBe(416);
  });

  test("an error before the first heartbeat keeps the judge's status", async () => {
    const { proxy } = await behind((_received, response) => {
      response.writeHead(429, { 'content-type': 'application/json' });
      response.end('{"error": {"message": "slow down"}}');
    });
    const answer = await exchange(proxy.url + PATH, {
      method: 'POST',
      headers,
      body: pairwise(WRONG, RIGHT, asked),
    });
    expect(answer.status).toBe(429);
    expect(answer.body.toString()).toBe('{"error": {"message": "slow down"}}');
  });

  test('an error after it is the last event, and no [DONE] follows', async () => {
    const fail: Reply = (_received, response) => {
      response.writeHead(403, { 'content-type': 'application/json' });
      response.end('{"error": {"message": "not with this key"}}');
    };
    const clock = scriptedClock(0);
    const { proxy } = await behind(afterHeartbeat(clock, 30, fail), { REMAND_HEARTBEAT_MS: '30' }, clock);
    const answer = await exchange(proxy.url + PATH, {
      method: 'POST',
      headers,
      body: pairwise(WRONG, RIGHT, asked),
    });
    expect(answer.status).toBe(200);
    const text = answer.body.toString();
    expect(text).not.toContain('[DONE]');
    const event = /^data: (.*)\n\n$/m.exec(text)?.[1] ?? '';
    expect(JSON.parse(event).error).toMatchObject({
      message: 'not with this key',
      type: 'invalid_request_error',
    });
    expect(text.endsWith('\n\n')).toBe(true);
  });

  test('a stream that is cut off is an error, not half a verdict', async () => {
    const { proxy } = await behind((_received, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(streamChunks('Output (a)').slice(0, 2).join(''));
    });
    const answer = await exchange(proxy.url + PATH, {
      method: 'POST',
      headers,
      body: pairwise(WRONG, RIGHT, asked),
    });
    expect(answer.status).toBe(502);
  });
});

describe('a client that leaves', () => {
  test.each([
    ['before the answer, not streaming', {}, 0],
    ['before the first heartbeat', asked, 0],
    ['between heartbeats', asked, 1],
  ])('%s: every call to the judge is cancelled', async (_name, rest, heartbeats) => {
    // The judge never answers, and no time passes: nothing but the client's leaving ends a call.
    const clock = scriptedClock(0);
    const { proxy, upstream } = await behind(() => undefined, { REMAND_HEARTBEAT_MS: '30' }, clock);
    const gone = new AbortController();
    const leaving = fetch(proxy.url + PATH, {
      method: 'POST',
      headers,
      body: pairwise(WRONG, RIGHT, rest),
      signal: gone.signal,
    }).then((response) => response.text());
    await until(() => upstream.received.length === 2, 'both first calls reach the judge');
    for (let i = 0; i < heartbeats; i++) await clock.passOnceAsked(30);
    if ('stream' in rest)
      await until(
        () => clock.asked.filter((ms) => ms === 30).length > heartbeats,
        'the next one is waited for',
      );
    gone.abort();
    await expect(leaving).rejects.toThrow();
    await until(() => upstream.received.every((one) => one.abortedAt !== null), 'the calls are cancelled');
    const entry = await until(
      () => proxy.log.find(({ event }) => event === 'request'),
      'the request is logged',
    );
    expect(entry.status).toBe(499);
  });

  test('a passed-through stream is cancelled, too', async () => {
    const { proxy, upstream } = await behind((_received, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    const incoming = await begin(`${proxy.url}/v1/responses`, { method: 'POST', body: '{}' });
    await new Promise((resolve) => incoming.once('data', resolve));
    incoming.destroy();
    await until(() => upstream.received[0]?.abortedAt, 'the call is cancelled');
  });
});

test('an OpenAI client that does not stream gets the revised verdict', async () => {
  const { proxy } = await behind(whole(firstPlaceLover));
  const client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: 'sk-test', maxRetries: 0 });
  const { data, response } = await client.chat.completions
    .create(JSON.parse(pairwise(WRONG, RIGHT)), { headers })
    .withResponse();
  expect((data as OpenAI.ChatCompletion).choices[0]?.message.content).toBe('Output (b)');
  expect(response.headers.get('x-remand-status')).toBe('revised');
});

test('a policy may put a verdict in a stream that no reply gave', async () => {
  const { proxy } = await behind(streamed(stubborn), { REMAND_POLICY: 'counterfactual' });
  const client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: 'sk-test', maxRetries: 0 });
  const stream = client.chat.completions.stream(
    { ...JSON.parse(pairwise(WRONG, RIGHT)), stream: true },
    { headers },
  );
  expect(await stream.finalContent()).toBe('Output (b)');
});
