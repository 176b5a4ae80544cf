/**
 * What anybody would write first: Hono, and undici's pool behind it. The pass-through to measure ours against,
 * as a proxy must be (streaming) and as it is fastest for small bodies (`buffering`: each body whole, first).
 */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { Pool } from 'undici';

const [, , upstream = '', how = 'streaming'] = process.argv;
const buffering = how === 'buffering';
const pool = new Pool(upstream);
const app = new Hono();

app.all('*', async (c) => {
  const { method, raw, url } = c.req;
  const headers = Object.fromEntries(raw.headers);
  delete headers.host;
  delete headers.connection;
  const reply = await pool.request({
    method: method as 'POST',
    path: url.slice(url.indexOf('/', 8)),
    headers,
    body: buffering
      ? new Uint8Array(await raw.arrayBuffer())
      : raw.body && Readable.fromWeb(raw.body as ReadableStream),
    signal: raw.signal,
  });
  const { connection: _connection, 'keep-alive': _keepAlive, ...returned } = reply.headers;
  const body = buffering ? await reply.body.arrayBuffer() : (Readable.toWeb(reply.body) as BodyInit);
  return new Response(body, {
    status: reply.statusCode,
    headers: returned as Record<string, string>,
  });
});

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}`),
);
