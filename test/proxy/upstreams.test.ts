/** Several judges behind one proxy: the operator names them, by path prefix or by model. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { readConfig } from '../../src/proxy/config.ts';
import { fair, pairwise, RIGHT, WRONG, whole } from './judges.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

async function house() {
  const [main, other, third] = await Promise.all([0, 1, 2].map(() => startUpstream(whole(fair))));
  if (!main || !other || !third) throw new Error('three judges');
  const proxy = await startProxy({
    JUDGE_BASE_URL: main.url,
    JUDGE_API_KEY: 'sk-main',
    REMAND_UPSTREAMS: JSON.stringify([
      { path: '/other', url: `${other.url}/v1`, key: 'sk-other' },
      { path: '/other/deep', url: third.url },
      { model: 'third-*', url: third.url, key: 'sk-third' },
    ]),
  });
  return {
    main,
    other,
    third,
    ask: (path: string, body: string | Buffer, headers = {}) =>
      exchange(`${proxy.url}${path}`, { method: 'POST', body, headers }),
  };
}

test('a path prefix decides, the longest first, and is taken off', async () => {
  const { main, other, third, ask } = await house();
  const answer = await ask('/other/v1/chat/completions?x=1', pairwise(WRONG, RIGHT));
  expect(answer.headers['x-remand-status']).toBe('unchanged');
  expect(other.received.map(({ url }) => url)).toEqual([
    '/v1/chat/completions?x=1',
    '/v1/chat/completions?x=1',
  ]);
  expect(other.received[0]?.headers.authorization).toBe('Bearer sk-other');
  await ask('/other/deep/v1/embeddings', pairwise(WRONG, RIGHT));
  expect(third.received[0]).toMatchObject({ url: '/v1/embeddings' });
  expect(third.received[0]?.headers.authorization).toBeUndefined();
  await ask('/otherwise', pairwise(WRONG, RIGHT));
  expect(main.received[0]).toMatchObject({ url: '/otherwise' });
});

test('a model decides where no prefix does, switched off as well', async () => {
  const { main, third, ask } = await house();
  const body = pairwise(WRONG, RIGHT, { model: 'third-large' });
  await ask('/v1/chat/completions', body);
  await ask('/v1/chat/completions', body, { 'x-remand-mode': 'off' });
  expect(third.received).toHaveLength(3);
  expect(third.received[2]?.headers.authorization).toBe('Bearer sk-third');
  await ask('/v1/chat/completions', pairwise(WRONG, RIGHT));
  expect(main.received).toHaveLength(2);
});

test.each([{}, { 'x-remand-mode': 'off' }])(
  'a packed request whose model would decide is refused, and goes to no judge: %o',
  async (headers) => {
    const { main, third, ask } = await house();
    const body = gzipSync(pairwise(WRONG, RIGHT, { model: 'third-large' }));
    const answer = await ask('/v1/chat/completions', body, { 'content-encoding': 'gzip', ...headers });
    expect(answer.status).toBe(415);
    expect(answer.headers['accept-encoding']).toBe('identity');
    expect(JSON.parse(answer.body.toString()).error).toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringContaining('send it unpacked'),
    });
    expect([...main.received, ...third.received]).toHaveLength(0);
  },
);

test('a packed request goes where its path says, though a model decides elsewhere', async () => {
  const judge = await startUpstream((_received, response) => void response.end('{}'));
  const upstreams = [
    { path: '/other', url: judge.url },
    { model: 'm-*', url: 'http://127.0.0.1:1' },
  ];
  const proxy = await startProxy({
    JUDGE_BASE_URL: 'http://127.0.0.1:1',
    REMAND_UPSTREAMS: JSON.stringify(upstreams),
  });
  const body = gzipSync(pairwise(WRONG, RIGHT, { model: 'm-1' }));
  const headers = { 'content-encoding': 'gzip' };
  await exchange(`${proxy.url}/other/v1/chat/completions`, { method: 'POST', headers, body });
  expect(judge.received.map((one) => one.body)).toEqual([body]);
});

test.each([
  ['[', 'REMAND_UPSTREAMS', 'JSON list'],
  ['[{"url": "http://a"}]', 'REMAND_UPSTREAMS.0', 'path or a model'],
  ['[{"model": "m", "url": "ftp://a"}]', 'REMAND_UPSTREAMS.0.url', 'http'],
  ['[{"path": "a", "url": "http://a"}]', 'REMAND_UPSTREAMS.0.path', 'path such as'],
])('%s is refused, and the field named', (text, field, message) => {
  try {
    readConfig({ REMAND_UPSTREAMS: text });
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    expect(error).toHaveProperty('field', field);
    expect(String(error)).toContain(message);
  }
});

test.each([
  ['/v1/messages/count_tokens', 'x-api-key', 'sk-main'],
  ['/v1beta/models/gemini-pro:countTokens', 'x-goog-api-key', 'sk-main'],
  ['/v1/models', 'authorization', 'Bearer sk-main'],
])('%s passes with the operator’s key as its protocol sends one', async (path, header, value) => {
  const judge = await startUpstream((_received, response) => void response.end('{}'));
  const proxy = await startProxy({ JUDGE_BASE_URL: judge.url, JUDGE_API_KEY: 'sk-main' });
  await exchange(proxy.url + path, { method: 'POST', body: '{}' });
  expect(judge.received[0]?.headers[header]).toBe(value);
  await exchange(proxy.url + path, {
    method: 'POST',
    body: '{}',
    headers: { 'x-api-key': 'the client’s own'.slice(0, 10) },
  });
  expect(judge.received[1]?.headers[header]).not.toBe(value);
});
