/** What anybody would write first: Hono, and undici's pool behind it. The pass-through to measure ours against. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { Pool } from 'undici';

const pool = new Pool(process.argv[2] ?? '');
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
    body: raw.body ? Readable.fromWeb(raw.body as ReadableStream) : null,
    signal: raw.signal,
  });
  const { connection: _connection, 'keep-alive': _keepAlive, ...returned } = reply.headers;
  return new Response(Readable.toWeb(reply.body) as BodyInit, {
    status: reply.statusCode,
    headers: returned as Record<string, string>,
  });
});

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}`),
);
