/** Everything but judgments passes through byte for byte. */
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { begin, exchange, startProxy, startUpstream } from './servers.ts';

async function echoing() {
  const upstream = await startUpstream((received, response) => {
    response.setHeader('content-type', 'application/octet-stream');
    response.end(received.body);
  });
  return { upstream, proxy: await startProxy({ JUDGE_BASE_URL: upstream.url }) };
}

test.each([
  ['small', 1_000],
  ['larger than is taken in one piece', 300_000],
])('a binary body arrives, and returns, as it was sent: %s', async (_name, size) => {
  const { upstream, proxy } = await echoing();
  const body = randomBytes(size);
  const answer = await exchange(`${proxy.url}/v1/files`, { method: 'POST', body });
  expect(upstream.received[0]?.body.equals(body)).toBe(true);
  expect(answer.body.equals(body)).toBe(true);
});

test('a body without a length is streamed on', async () => {
  const { upstream, proxy } = await echoing();
  const body = randomBytes(50_000);
  const headers = { 'transfer-encoding': 'chunked' };
  const answer = await exchange(`${proxy.url}/v1/audio/transcriptions`, { method: 'POST', headers, body });
  expect(upstream.received[0]?.body.equals(body)).toBe(true);
  expect(answer.body.equals(body)).toBe(true);
});

test.each([
  '/v1/models?limit=2&after=a%20b+c',
  "/v1/files/a%2Fb/content?name='x'&empty=&flag",
  '/v1/fine_tuning/jobs?metadata[k]=%C3%BC&x=(1,2)',
  '/',
])('path and query arrive as they were written: %s', async (target) => {
  const { upstream, proxy } = await echoing();
  await exchange(proxy.url + target);
  expect(upstream.received[0]?.url).toBe(target);
});

test.each([
  ['GET', 200],
  ['GET', 404],
  ['GET', 500],
  ['POST', 201],
  ['PUT', 202],
  ['PATCH', 200],
  ['DELETE', 204],
  ['GET', 304],
  ['OPTIONS', 200],
])('%s answered %i passes with its method, status and headers', async (method, status) => {
  const upstream = await startUpstream((_received, response) => {
    response.writeHead(status, {
      etag: '"a"',
      'x-ratelimit-remaining': '7',
    });
    response.end(status === 204 || status === 304 ? undefined : 'body');
  });
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const answer = await exchange(`${proxy.url}/v1/things/1`, { method });
  expect(upstream.received.map((one) => one.method)).toEqual([method]);
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    etag: '"a"',
    'x-ratelimit-remaining': '7',
  });
  expect(answer.body.toString()).toBe(status === 204 || status === 304 ? '' : 'body');
});

test('HEAD keeps the length of what it does not send', async () => {
  const upstream = await startUpstream((_received, response) => {
    response.writeHead(200, { 'content-length': '1234' });
    response.end();
  });
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const answer = await exchange(`${proxy.url}/v1/files/1/content`, { method: 'HEAD' });
  expect(upstream.received[0]?.method).toBe('HEAD');
  expect(answer.headers['content-length']).toBe('1234');
  expect(answer.body).toHaveLength(0);
});

test('a packed reply stays packed', async () => {
  const packed = gzipSync('{"data": []}');
  const upstream = await startUpstream((_received, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' });
    response.end(packed);
  });
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const answer = await exchange(`${proxy.url}/v1/models`, { headers: { 'accept-encoding': 'gzip' } });
  expect(upstream.received[0]?.headers['accept-encoding']).toBe('gzip');
  expect(answer.headers['content-encoding']).toBe('gzip');
  expect(answer.body.equals(packed)).toBe(true);
});

test('a stream of events arrives event by event', async () => {
  const gate = Promise.withResolvers<void>();
  const upstream = await startUpstream(async (_received, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: a\ndata: {"n": 1}\n\n');
    await gate.promise;
    response.end('data: [DONE]\n\n');
  });
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const incoming = await begin(`${proxy.url}/v1/responses`, { method: 'POST', body: '{}' });
  const pieces: string[] = [];
  for await (const piece of incoming) {
    pieces.push(String(piece));
    gate.resolve();
  }
  expect(incoming.headers['content-type']).toBe('text/event-stream');
  expect(pieces).toEqual(['event: a\ndata: {"n": 1}\n\n', 'data: [DONE]\n\n']);
});

test.each([
  ['/v1/responses', '{}'],
  [
    '/v1/chat/completions',
    '{"model": "m", "stream": true, "messages": [{"role": "user", "content": "Hi!"}]}',
  ],
])('%s: the headers arrive while the judge still thinks about its first word', async (path, body) => {
  const gate = Promise.withResolvers<void>();
  const upstream = await startUpstream(async (_received, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    await gate.promise;
    response.end('data: [DONE]\n\n');
  });
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const incoming = await begin(proxy.url + path, { method: 'POST', body });
  expect(incoming.statusCode).toBe(200);
  gate.resolve();
  const pieces: string[] = [];
  for await (const piece of incoming) pieces.push(String(piece));
  expect(pieces.join('')).toBe('data: [DONE]\n\n');
});

describe('headers', () => {
  test('end-to-end fields pass, those of the connection do not (RFC 9110 §7.6.1)', async () => {
    const { upstream, proxy } = await echoing();
    const headers = {
      authorization: 'Bearer sk-client',
      'openai-beta': 'assistants=v2',
      'x-anything': 'at all',
      'accept-encoding': 'br',
      connection: 'keep-alive, x-private',
      'x-private': 'hop',
      te: 'trailers',
    };
    await exchange(`${proxy.url}/v1/models`, { headers });
    const got = upstream.received[0]?.headers;
    expect(got).toMatchObject({
      authorization: 'Bearer sk-client',
      'openai-beta': 'assistants=v2',
      'x-anything': 'at all',
      'accept-encoding': 'br',
      host: upstream.url.replace('http://', ''),
    });
    expect(got).not.toHaveProperty('x-private');
    expect(got).not.toHaveProperty('te');
  });

  test('fields of the connection of a reply stay here, too', async () => {
    const upstream = await startUpstream((_received, response) => {
      response.writeHead(200, { allow: 'GET', connection: 'x-request-id', 'x-request-id': '1' });
      response.end('x');
    });
    const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url });
    const { headers } = await exchange(`${proxy.url}/v1/models`);
    expect(headers.allow).toBe('GET');
    expect(headers).not.toHaveProperty('x-request-id');
  });
});

test('a connection is kept for longer than a load balancer keeps it, which would meet its end with a request', async () => {
  const { proxy } = await echoing();
  const response = await fetch(`${proxy.url}/v1/models`);
  await response.arrayBuffer();
  const [, seconds] = /timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThan(60);
});

describe("the operator's key", () => {
  const own = { JUDGE_API_KEY: 'sk-operator-0001' };

  test.each([
    ['nothing', {}, 'Bearer sk-operator-0001'],
    ['a bearer token', { authorization: 'Bearer sk-client' }, 'Bearer sk-client'],
    ['x-api-key', { 'x-api-key': 'sk-client' }, undefined],
    ['api-key', { 'api-key': 'sk-client' }, undefined],
  ])('goes along only where the client sends no key; it sends %s', async (_name, headers, expected) => {
    const upstream = await startUpstream((_received, response) => void response.end());
    const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, ...own });
    await exchange(`${proxy.url}/v1/models`, { headers });
    expect(upstream.received[0]?.headers.authorization).toBe(expected);
  });
});

test.each([
  ['', '/v1/models', '/v1/models'],
  ['/v1', '/v1/models?x=/v1/', '/v1/models?x=/v1/'],
  ['/v1/', '/v1/models', '/v1/models'],
  ['/api/v1', '/v1/models', '/api/v1/models'],
  ['/v1', '/v10/models', '/v1/v10/models'],
  ['/v1', '/models', '/v1/models'],
])('a base URL ending in "%s" and %s make %s', async (suffix, target, expected) => {
  const upstream = await startUpstream((_received, response) => void response.end());
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url + suffix });
  await exchange(proxy.url + target);
  expect(upstream.received[0]?.url).toBe(expected);
});

test('our own pages never reach the judge', async () => {
  const { upstream, proxy } = await echoing();
  for (const path of ['/remand', '/remand/health', '/remand/no-such-page']) await exchange(proxy.url + path);
  expect(upstream.received).toHaveLength(0);
});

describe('a reply that breaks off at once breaks the connection: no words of ours are put in its place', () => {
  const chat = { method: 'POST', body: '{"model": "m", "messages": [{"role": "user", "content": "Hi!"}]}' };
  const pages = { REMAND_CORS_ORIGINS: 'https://page.example' };
  const page = { headers: { origin: 'https://page.example' } };
  test.each([
    ['/v1/chat/completions', chat, 200, {}, {}],
    ['/v1/chat/completions', chat, 200, { 'content-length': '5000' }, {}],
    ['/v1/chat/completions', chat, 429, {}, {}],
    ['/v1/chat/completions', { ...chat, ...page }, 200, {}, pages],
    ['/v1/models', {}, 200, {}, {}],
    ['/v1/models', {}, 500, { 'content-length': '5000' }, {}],
    ['/v1/models', page, 200, { 'content-length': '5000' }, pages],
  ])('%s %j, %i %j, %j', async (path, ask, status, headers, settings) => {
    const upstream = await startUpstream((_received, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.flushHeaders();
      if (upstream.received.length % 2 === 0) response.write('{"choices":[');
      setImmediate(() => response.socket?.resetAndDestroy());
    });
    const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, ...settings });
    // The break may come with the headers, or after them.
    for (let i = 0; i < 30; i++) {
      const incoming = await begin(proxy.url + path, ask);
      expect(incoming.statusCode).toBe(status);
      const received: Buffer[] = [];
      const reading = async () => {
        for await (const chunk of incoming) received.push(chunk as Buffer);
      };
      await expect(reading()).rejects.toThrow();
      expect(Buffer.concat(received).toString()).toBe(i % 2 === 0 ? '' : '{"choices":[');
    }
  });
});
