/** The pages below a path of somebody else's app: every link, form, style sheet and script leads to where they are. */
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { fair, pairwise, RIGHT, WRONG, whole } from '../judges.ts';
import { exchange, startProxy, startUpstream, until } from '../servers.ts';

const PREFIX = '/judge';

test('links of pages under a prefix stay under it, and lead somewhere', async () => {
  const judge = await startUpstream(whole(fair));
  const proxy = await startProxy({ JUDGE_BASE_URL: judge.url, REMAND_BIASES: 'position' });
  const { headers } = await exchange(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    body: pairwise(RIGHT, WRONG),
  });
  const outer = new Hono().mount(PREFIX, (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(proxy.url + pathname + search, { headers: request.headers, redirect: 'manual' });
  });
  const get = (url: URL) => outer.request(url, { headers: { accept: 'text/html' } });
  const trace = String(headers['x-remand-trace']);
  const begin = (path: string) => new URL(`http://app.example${PREFIX}${path}`);
  await until(async () => (await get(begin(`/remand/traces/${trace}`))).status === 200, 'the trace is kept');
  for (const typed of ['/', '/remand/']) {
    const { status, headers: sent } = await get(begin(typed));
    const to = new URL(sent.get('location') ?? '', begin(typed));
    expect({ typed, status, to: to.pathname }).toEqual({ typed, status: 302, to: `${PREFIX}/remand` });
  }
  // A client that wants no page has the judge's own answer.
  expect((await exchange(`${proxy.url}/`, { method: 'GET' })).status).not.toBe(302);
  for (const path of [
    '/remand',
    '/remand/queue',
    '/remand/agreement',
    '/remand/templates',
    `/remand/traces/${trace}`,
  ]) {
    const page = begin(path);
    const response = await get(page);
    expect(response.status, path).toBe(200);
    const text = await response.text();
    const links = [...text.matchAll(/(?:href|src|action)="([^"#]+)"/g)].map(
      ([, to = '']) => new URL(to.replaceAll('&amp;', '&'), page),
    );
    expect(links.length, path).toBeGreaterThan(4);
    for (const link of links) {
      expect(link.pathname, `${path}: ${link}`).toMatch(/^\/judge\/remand\b/);
      if (!/\/(?:label|queue\/[^/?]+)$/.test(link.pathname))
        expect((await get(link)).status, `${path}: ${link}`).toBe(200);
    }
  }
});
