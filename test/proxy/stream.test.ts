/** Streams: consumed whole, examined, and handed on event by event; patient clients, and clients that leave. */
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import {
  firstPlaceLover,
  pairwise,
  RIGHT,
  streamChunks,
  streamed,
  stubborn,
  WRONG,
  whole,
} from './judges.ts';
import { begin, exchange, type Reply, startProxy, startUpstream, until } from './servers.ts';

const PATH = '/v1/chat/completions';
const headers = { 'x-remand-biases': 'position', 'content-type': 'application/json' };
const asked = { stream: true, stream_options: { include_usage: true } };

async function behind(reply: Reply, settings: Record<string, string> = {}) {
  const upstream = await startUpstream(reply);
  return { upstream, proxy: await startProxy({ JUDGE_BASE_URL: upstream.url, ...settings }) };
}

/** Each reply after so many milliseconds. */
function slowly(ms: number, reply: Reply): Reply {
  return async (received, response) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return reply(received, response);
  };
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

describe('a judge that takes long', () => {
  test('the client hears heartbeats, then the facts as comments, then the events', async () => {
    const { proxy } = await behind(slowly(120, streamed(firstPlaceLover)), { REMAND_HEARTBEAT_MS: '50' });
    const body = pairwise(WRONG, RIGHT, asked);
    const answer = await exchange(proxy.url + PATH, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(answer.headers).not.toHaveProperty('x-remand-status');
    const lines = answer.body.toString().split('\n');
    const comments = lines.filter((line) => line.startsWith(':'));
    expect(comments.filter((line) => line === ': ping').length).toBeGreaterThanOrEqual(2);
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
    const { proxy } = await behind(slowly(80, streamed(firstPlaceLover)), { REMAND_HEARTBEAT_MS: '20' });
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
      response.writeHead(429, { 'content-type': 'application/json' });
      response.end('{"error": {"message": "slow down"}}');
    };
    const { proxy } = await behind(slowly(100, fail), { REMAND_HEARTBEAT_MS: '30' });
    const answer = await exchange(proxy.url + PATH, {
      method: 'POST',
      headers,
      body: pairwise(WRONG, RIGHT, asked),
    });
    expect(answer.status).toBe(200);
    const text = answer.body.toString();
    expect(text).not.toContain('[DONE]');
    const event = /^data: (.*)\n\n$/m.exec(text)?.[1] ?? '';
    expect(JSON.parse(event).error).toMatchObject({ message: 'slow down', type: 'rate_limit_error' });
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
    ['before the answer, not streaming', {}, '5000'],
    ['before the first heartbeat', asked, '5000'],
    ['between heartbeats', asked, '30'],
  ])('%s: every call to the judge is cancelled within a second', async (_name, rest, heartbeat) => {
    const { proxy, upstream } = await behind(() => undefined, { REMAND_HEARTBEAT_MS: heartbeat });
    const gone = new AbortController();
    const leaving = fetch(proxy.url + PATH, {
      method: 'POST',
      headers,
      body: pairwise(WRONG, RIGHT, rest),
      signal: gone.signal,
    }).then((response) => response.text());
    await until(() => upstream.received.length === 2, 'both first calls reach the judge');
    if (heartbeat === '30') await new Promise((resolve) => setTimeout(resolve, 100));
    const left = performance.now();
    gone.abort();
    await expect(leaving).rejects.toThrow();
    await until(() => upstream.received.every((one) => one.abortedAt !== null), 'the calls are cancelled');
    for (const one of upstream.received) expect((one.abortedAt ?? 0) - left).toBeLessThan(1_000);
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
    const left = performance.now();
    incoming.destroy();
    await until(() => upstream.received[0]?.abortedAt, 'the call is cancelled');
    expect((upstream.received[0]?.abortedAt ?? 0) - left).toBeLessThan(1_000);
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
