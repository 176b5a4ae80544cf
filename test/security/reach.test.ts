/** Where a request can get to: never out of an upstream's base path, and with a key for judgments not everywhere. */

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/proxy/config.ts';
import { fair, pairwise, RIGHT, WRONG, whole } from '../proxy/judges.ts';
import { exchange, keyOf, type RunningProxy, startProxy, startUpstream } from '../proxy/servers.ts';

const CHAT = '/v1/chat/completions';
const OPERATOR = 'sk-operator-0001';

describe("an upstream's base path", () => {
  test.each([
    '/..',
    '/../admin',
    '/v1/../../admin',
    '/v1/..?x=1',
    '/v1/%2e%2e/%2e%2e/admin',
    '/v1/.%2E/admin',
    '/v1/%252e%252e/admin',
    '/v1/%25252e./admin',
    '/v1/..%2fadmin',
    '/v1/..%5cadmin',
    '/v1/..\\admin',
    '/v1\\..\\..\\admin',
    '/v1/..;a=b/admin',
    '/v1/..%00/admin',
    '/v1/./chat/completions',
    '//../admin',
    '/a/../v1/models',
    '/a/%2e%2e/%2e%2e/v1/models',
  ])('is not left by %s', async (path) => {
    const upstream = await startUpstream((_received, response) => void response.end('{}'));
    const rules = JSON.stringify([{ path: '/a', url: `${upstream.url}/other/base` }]);
    const proxy = await startProxy({ JUDGE_BASE_URL: `${upstream.url}/judge/base`, REMAND_UPSTREAMS: rules });
    for (const method of ['GET', 'POST']) {
      const answer = await exchange(proxy.url + path, { method });
      expect(answer.status).toBe(400);
    }
    expect(upstream.received).toEqual([]);
  });

  test.each([
    ['//elsewhere.test/x', '/judge/base//elsewhere.test/x'],
    ['/@elsewhere.test/', '/judge/base/@elsewhere.test/'],
    ['/v1/files/a..b/.hidden/...', '/judge/base/v1/files/a..b/.hidden/...'],
    ['/v1/models/org%2Fname?path=../..', '/judge/base/v1/models/org%2Fname?path=../..'],
    ['/a//elsewhere.test', '/other/base//elsewhere.test'],
  ])('is before %s', async (path, expected) => {
    const upstream = await startUpstream((_received, response) => void response.end('{}'));
    const rules = JSON.stringify([{ path: '/a', url: `${upstream.url}/other/base` }]);
    const proxy = await startProxy({ JUDGE_BASE_URL: `${upstream.url}/judge/base`, REMAND_UPSTREAMS: rules });
    expect((await exchange(proxy.url + path)).status).toBe(200);
    expect(upstream.received.map(({ url, headers }) => [url, headers.host])).toEqual([
      [expected, upstream.url.replace('http://', '')],
    ]);
  });
});

describe('a key of scope judge', () => {
  async function reached(settings: Record<string, string> = {}) {
    const [judge, admin] = [await keyOf('team'), await keyOf('boss', ['admin'])];
    const upstream = await startUpstream((received, response) =>
      received.url === CHAT ? whole(fair)(received, response) : void response.end('{}'),
    );
    const proxy: RunningProxy = await startProxy({
      JUDGE_BASE_URL: upstream.url,
      JUDGE_API_KEY: OPERATOR,
      REMAND_KEYS: JSON.stringify([judge.record, admin.record]),
      REMAND_ACCESS: 'keys',
      ...settings,
    });
    const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
      const body = path === CHAT ? pairwise(RIGHT, WRONG) : '{}';
      const sent = { 'x-remand-key': judge.key, ...headers };
      return exchange(proxy.url + path, { method, headers: sent, ...(method === 'POST' && { body }) });
    };
    return { ask, upstream, proxy, judge, admin };
  }

  test.each([
    ['GET', '/v1/files'],
    ['GET', '/v1/files/file-1/content'],
    ['DELETE', '/v1/models/ft-1'],
    ['POST', '/v1/fine_tuning/jobs'],
    ['POST', '/v1/embeddings'],
    ['GET', '/v1/organization/admin_api_keys'],
    ['GET', CHAT],
    ['GET', '/v1/modelsx'],
  ])("does not reach %s %s with the operator's key", async (method, path) => {
    const { ask, upstream } = await reached();
    const answer = await ask(method, path);
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body.toString()).error.message).toContain('REMAND_PASS_PATHS');
    expect(upstream.received).toEqual([]);
  });

  test('in the place of the key of the judge reaches no more', async () => {
    const { ask, upstream, judge } = await reached();
    const headers = { 'x-remand-key': '', authorization: `Bearer ${judge.key}` };
    expect((await ask('GET', '/v1/files', headers)).status).not.toBe(200);
    expect((await exchange(`${upstream.url}/ready`)).status).toBe(200);
    expect(upstream.received).toHaveLength(1);
  });

  test('reaches judgments and the models', async () => {
    const { ask, upstream } = await reached();
    for (const [method, path] of [
      ['POST', CHAT],
      ['GET', '/v1/models?limit=2'],
      ['HEAD', '/v1/models'],
      ['GET', '/v1/models/gpt-4.1'],
      ['GET', '/v1beta/models'],
    ] as const)
      expect([path, (await ask(method, path)).status]).toEqual([path, 200]);
    for (const { headers } of upstream.received)
      expect(headers.authorization ?? headers['x-goog-api-key']).toMatch(OPERATOR);
  });

  test('reaches what the operator lists, and no more of it than that', async () => {
    const { ask } = await reached({ REMAND_PASS_PATHS: 'POST /v1/embeddings, GET /v1/files/*' });
    const statuses = async (...asked: [string, string][]) =>
      Promise.all(asked.map(async ([method, path]) => (await ask(method, path)).status));
    expect(await statuses(['POST', '/v1/embeddings'], ['GET', '/v1/files/1'])).toEqual([200, 200]);
    expect(await statuses(['GET', '/v1/models'], ['DELETE', '/v1/files/1'])).toEqual([403, 403]);
    expect(await statuses(['GET', '/v1/files/../models'], ['GET', '/v1/files/%2e%2e/x'])).toEqual([400, 400]);
  });

  test('goes anywhere with a key of the judge that is its own, as a key of scope admin does without', async () => {
    const { ask, upstream, admin } = await reached();
    expect((await ask('GET', '/v1/files', { authorization: 'Bearer sk-client' })).status).toBe(200);
    expect((await ask('GET', '/v1/files', { 'x-remand-key': admin.key })).status).toBe(200);
    expect(upstream.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer sk-client',
      `Bearer ${OPERATOR}`,
    ]);
  });

  test('is in no query that goes on, however often and under whatever name it is there', async () => {
    const { ask, upstream, judge } = await reached();
    const encoded = judge.key.replace('r', '%72');
    const path = `/v1/models?key=${judge.key}&alt=sse&key=${judge.key}&api_key=${judge.key}&x=${encoded}`;
    expect((await ask('GET', path)).status).toBe(200);
    expect(upstream.received[0]?.url).toBe('/v1/models?alt=sse');
  });
});

test.each(['v1/embeddings', 'POST', 'post /v1/x', 'POST v1/x', 'POST /v1/a b'])(
  'no path to be listed: %s',
  (listed) => {
    expect(() => readConfig({ REMAND_PASS_PATHS: listed })).toThrow('REMAND_PASS_PATHS');
  },
);

test.each([600, 700, 999, 100])(
  'a reply with the status %i, which no client knows, is a 502',
  async (status) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.on('data', () => {
        socket.end(`HTTP/1.1 ${status} Odd\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const proxy = await startProxy({ JUDGE_BASE_URL: `http://127.0.0.1:${port}` });
    for (const [path, body] of [
      [CHAT, pairwise(RIGHT, WRONG)],
      ['/v1/embeddings', '{}'],
    ] as const) {
      const answer = await exchange(proxy.url + path, { method: 'POST', body });
      expect([path, answer.status]).toEqual([path, 502]);
    }
  },
);
