import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Silence } from '../../src/http/exchange.ts';
import { createPool } from '../../src/http/pool.ts';
import { bodyOf, serve } from '../models/server.ts';

const pool = createPool();
afterAll(() => pool.close());

/** How many pieces the judge below sends, 20 ms apart. */
const JUDGE_SAYS = 240;

/** A judge on a thread of its own, which goes on whatever this one does; silent at `/silent`. */
async function drippingElsewhere() {
  const judge = new Worker(
    `const { parentPort } = require('node:worker_threads');
    const server = require('node:http').createServer((request, response) => {
      if (request.url === '/silent') return;
      response.writeHead(200);
      let said = 0;
      const timer = setInterval(() => {
        response.write('x');
        if (++said < ${JUDGE_SAYS}) return;
        clearInterval(timer);
        response.end();
      }, 20);
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  const [port] = await once(judge, 'message');
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => void (await judge.terminate()),
  };
}

const init = (rest: object = {}) => ({ method: 'POST', headers: new Headers(), ...rest });

/** Raw header lines as `name: value`, in the order received. */
function lines({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.flatMap((name, i) =>
    i % 2 === 0 ? [`${name.toLowerCase()}: ${rawHeaders[i + 1]}`] : [],
  );
}

describe('the request', () => {
  test('goes out with its bytes, its path and its end-to-end headers, and nothing else', async () => {
    await using server = await serve(async (request, response) => {
      response.end(JSON.stringify({ url: request.url, lines: lines(request), body: await bodyOf(request) }));
    });
    const headers = new Headers({
      authorization: 'Bearer k',
      'content-type': 'application/json',
      'content-length': '999',
      connection: 'close, X-Hop',
      'x-hop': '1',
      te: 'trailers',
      'transfer-encoding': 'chunked',
      'proxy-authorization': 'Basic x',
      host: 'client.example',
      expect: '100-continue',
      'x-kept': 'é'.normalize('NFC'),
    });
    headers.append('x-kept', 'twice');
    const response = await pool.fetch(
      `${server.url}/v1/a%2Fb/../c?d=%20e#f`,
      init({ headers, body: '{"ü":1}' }),
    );
    const seen = await response.json();
    expect(seen.url).toBe('/v1/a%2Fb/../c?d=%20e');
    expect(seen.body).toBe('{"ü":1}');
    expect(seen.lines.toSorted()).toEqual([
      'authorization: Bearer k',
      'connection: keep-alive',
      'content-length: 8',
      'content-type: application/json',
      `host: ${new URL(server.url).host}`,
      'x-kept: é, twice',
    ]);
  });

  test.each([
    ['bytes', () => new TextEncoder().encode('abc'), undefined],
    ['a stream of unknown length', () => new Blob(['abc']).stream(), undefined],
    ['a stream of known length', () => new Blob(['abc']).stream(), '3'],
    ['nothing', () => null, undefined],
  ])('with %s', async (what, body, length) => {
    await using server = await serve(async (request, response) => {
      response.end(`${request.headers['content-length']} ${await bodyOf(request)}`);
    });
    const headers = new Headers(length ? { 'content-length': length } : {});
    const sent = await (await pool.fetch(server.url, init({ headers, body: body() }))).text();
    if (what === 'nothing') expect(sent).toBe('0 ');
    else expect(sent).toBe(what === 'a stream of unknown length' ? 'undefined abc' : '3 abc');
  });
});

describe('the reply', () => {
  test('comes back with its end-to-end headers, duplicates kept apart', async () => {
    await using server = await serve((_, response) => {
      response.writeHead(429, 'Slow Down', [
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT'],
        ['Retry-After', '7'],
        ['Connection', 'keep-alive, X-Trace'],
        ['X-Trace', 'hop'],
        ['Keep-Alive', 'timeout=5'],
        ['Content-Length', '4'],
      ]);
      response.end('busy');
    });
    const response = await pool.fetch(server.url, init());
    expect([response.status, response.statusText, await response.text()]).toEqual([429, 'Slow Down', 'busy']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT']);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.headers.get('content-length')).toBe('4');
    for (const name of ['connection', 'keep-alive', 'x-trace', 'transfer-encoding']) {
      expect(response.headers.has(name)).toBe(false);
    }
  });

  test('keeps its content encoding: the bytes are the ones sent', async () => {
    const packed = brotliCompressSync('{"a":1}');
    await using server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'br', 'content-length': packed.length }).end(packed);
    });
    const response = await pool.fetch(server.url, init());
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('content-length')).toBe(String(packed.length));
    expect(Buffer.from(await response.arrayBuffer())).toEqual(packed);
  });

  test('redirects are not followed', async () => {
    await using server = await serve((_, response) =>
      response.writeHead(307, { location: '/elsewhere' }).end(),
    );
    const response = await pool.fetch(server.url, init());
    expect([response.status, response.headers.get('location')]).toEqual([307, '/elsewhere']);
  });

  test.each([
    ['POST', 204],
    ['GET', 304],
    ['HEAD', 200],
  ])('%s %i has no body', async (method, status) => {
    await using server = await serve((_, response) => response.writeHead(status, { 'x-a': 'b' }).end());
    const response = await pool.fetch(server.url, { method, headers: new Headers() });
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([status, 'b', '']);
  });

  test('an early hint is not the reply', async () => {
    await using server = await serve((_, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.end('x');
    });
    expect((await pool.fetch(server.url, init())).status).toBe(200);
  });

  test('is handed on piece by piece, as it comes', async () => {
    const gate = Promise.withResolvers<void>();
    await using server = await serve(async (_, response) => {
      response.write('data: 1\n\n');
      await gate.promise;
      response.end('data: 2\n\n');
    });
    const reader = (await pool.fetch(server.url, init())).body
      ?.pipeThrough(new TextDecoderStream())
      .getReader();
    expect((await reader?.read())?.value).toBe('data: 1\n\n');
    gate.resolve();
    expect((await reader?.read())?.value).toBe('data: 2\n\n');
    expect((await reader?.read())?.done).toBe(true);
  });

  test.each(['Four.', ''])('that came in one read is whole when it is handed out: %j', async (text) => {
    await using server = await serve((_, response) => response.end(text));
    const reply = await pool.fetch(server.url, init());
    expect(reply.whole && new TextDecoder().decode(reply.whole)).toBe(text);
    expect(await reply.text()).toBe(text);
  });

  test('of which more is to come is not whole, and loses nothing of what came first', async () => {
    await using server = await serve(async (_, response) => {
      response.write('First. ');
      await wait(50);
      response.end('Last.');
    });
    const reply = await pool.fetch(server.url, init());
    expect(reply).not.toHaveProperty('whole');
    expect(await reply.text()).toBe('First. Last.');
  });

  test('is not read faster than it is taken', async () => {
    let sent = 0;
    await using server = await serve((_, response) => {
      const chunk = Buffer.alloc(64 * 1024);
      const more = () => {
        while (sent < 64 * 1024 * 1024) {
          sent += chunk.length;
          if (!response.write(chunk)) return response.once('drain', more);
        }
        return response.end();
      };
      more();
    });
    const response = await pool.fetch(server.url, init());
    await new Promise((resolve) => setTimeout(resolve, 300));
    // Socket buffers of both ends and our own queue; far below the 64 MB there are.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    let taken = 0;
    for await (const chunk of response.body ?? []) taken += chunk.byteLength;
    expect(taken).toBe(64 * 1024 * 1024);
  });
});

describe('an abort ends the request at the other end, too', () => {
  test('before the reply', async () => {
    const arrived = Promise.withResolvers<IncomingMessage>();
    await using server = await serve((request) => arrived.resolve(request));
    const controller = new AbortController();
    const response = pool.fetch(server.url, init({ signal: controller.signal }));
    const closed = once((await arrived.promise).socket, 'close');
    controller.abort('left');
    await expect(response).rejects.toBe('left');
    await closed;
  });

  test.each(['abort', 'cancel'])('in the middle of the reply, by %s', async (how) => {
    const arrived = Promise.withResolvers<IncomingMessage>();
    await using server = await serve((request, response) => {
      response.write('x');
      arrived.resolve(request);
    });
    const controller = new AbortController();
    const response = await pool.fetch(server.url, init({ signal: controller.signal }));
    const closed = once((await arrived.promise).socket, 'close');
    if (how === 'cancel') await response.body?.cancel('left');
    else {
      const text = response.text();
      controller.abort('left');
      await expect(text).rejects.toBe('left');
    }
    await closed;
  });

  test('while waiting for a free connection', async () => {
    await using server = await serve(() => {});
    const narrow = createPool({ connections: 1 });
    const first = new AbortController();
    const running = narrow.fetch(server.url, init({ signal: first.signal }));
    const second = new AbortController();
    const waiting = narrow.fetch(server.url, init({ signal: second.signal }));
    second.abort('second left');
    await expect(waiting).rejects.toBe('second left');
    first.abort('first left');
    await expect(running).rejects.toBe('first left');
    await narrow.close();
  });

  test('an aborted signal makes no request', async () => {
    await expect(pool.fetch('http://127.0.0.1:1', init({ signal: AbortSignal.abort('no') }))).rejects.toBe(
      'no',
    );
  });
});

test('a reply that does not begin in time is given up', async () => {
  await using server = await serve(() => {});
  const hasty = createPool({ headersTimeoutMs: 50 });
  await expect(hasty.fetch(server.url, init())).rejects.toHaveProperty('code', 'UND_ERR_HEADERS_TIMEOUT');
  await hasty.close();
});

describe('silence within a reply', () => {
  test('is borne for as long as was said', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const tooLong = vi.fn();
    const silence = new Silence(200, tooLong);
    const pass = async (ms: number) => {
      vi.advanceTimersByTime(ms);
      await new Promise((resolve) => setImmediate(resolve));
    };
    await pass(199);
    silence.broken();
    await pass(199);
    expect(tooLong).not.toHaveBeenCalled();
    await pass(1);
    expect(tooLong).toHaveBeenCalledOnce();
  });

  test('that was borne for long enough ends the reply, here and there', async () => {
    const gone = Promise.withResolvers<void>();
    await using server = await serve((_, response) => {
      response.write('x');
      response.on('close', () => gone.resolve());
    });
    const hasty = createPool({ bodyTimeoutMs: 200 });
    const reply = await hasty.fetch(server.url, init());
    await expect(reply.text()).rejects.toHaveProperty('code', 'UND_ERR_BODY_TIMEOUT');
    await gone.promise;
    await hasty.close();
  });

  test('is not what a busy process did not hear', async () => {
    await using judge = await drippingElsewhere();
    const hasty = createPool({ bodyTimeoutMs: 900, headersTimeoutMs: 500 });
    const reply = (await hasty.fetch(judge.url, init())).text();
    // Where undici counts the time, the moment to be busy at is right after it looked: it gives others up then.
    for (let i = 0; i < 2; i++) {
      await hasty.fetch(`${judge.url}/silent`, init()).catch(() => undefined);
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100));
    }
    expect(await reply).toBe('x'.repeat(JUDGE_SAYS));
    await hasty.close();
  });

  test('is not what a slow reader brings about', async () => {
    const size = 4 * 1024 * 1024;
    await using server = await serve((_, response) => response.end(Buffer.alloc(size)));
    const hasty = createPool({ bodyTimeoutMs: 100 });
    const reply = await hasty.fetch(server.url, init());
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect((await reply.arrayBuffer()).byteLength).toBe(size);
    await hasty.close();
  });
});

test('of a reply that breaks off everything that came is handed out, and then the break', async () => {
  const arrived = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<void>();
  await using server = await serve(async (_, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    // With the headers in one piece, so that both have arrived.
    response.write('x'.repeat(400));
    await arrived.promise;
    response.on('close', () => broken.resolve());
    response.socket?.resetAndDestroy();
  });
  const reader = (await pool.fetch(server.url, init())).body?.getReader();
  arrived.resolve();
  await broken.promise;
  // For our end to hear of it before anything is read; nothing fails where it does not.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await reader?.read())?.value?.byteLength).toBe(400);
  await expect(reader?.read()).rejects.toThrow();
});

test('what is no URL is said so', async () => {
  await expect(pool.fetch('not a url', init())).rejects.toHaveProperty('code', 'ERR_INVALID_URL');
  await expect(pool.fetch('recorded:x', init())).rejects.toThrow();
});

describe('a proxy of the environment', () => {
  async function proxied(environment: Record<string, string>) {
    const asked: string[] = [];
    const server = await serve(async (request, response) => {
      asked.push(`${request.method} ${request.url}: ${await bodyOf(request)}`);
      response.end('by the proxy');
    });
    for (const [name, value] of Object.entries({ HTTP_PROXY: server.url, ...environment }))
      vi.stubEnv(name, value);
    // Undici takes the names in lower case first.
    for (const name of ['http_proxy', 'https_proxy', 'no_proxy']) vi.stubEnv(name, undefined);
    const through = createPool();
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await through.close();
      await server[Symbol.asyncDispose]();
    });
    return { asked, fetch: through.fetch };
  }

  test('is asked in the place of the judge', async () => {
    const { asked, fetch } = await proxied({ NODE_USE_ENV_PROXY: '1' });
    const reply = await fetch('http://judge.test/v1/messages', {
      ...init(),
      method: 'POST',
      body: '{"a":1}',
    });
    expect(await reply.text()).toBe('by the proxy');
    expect(asked).toEqual(['POST http://judge.test/v1/messages: {"a":1}']);
  });

  test.each([
    ['NO_PROXY', { NODE_USE_ENV_PROXY: '1', NO_PROXY: 'localhost,127.0.0.1' }],
    ['nobody asking for it', {}],
  ])('is left alone by %s', async (_, environment) => {
    await using judge = await serve((_request, response) => response.end('by the judge'));
    const { asked, fetch } = await proxied(environment);
    expect(await (await fetch(judge.url, init())).text()).toBe('by the judge');
    expect(asked).toEqual([]);
  });
});
