/** What a page cannot show, as a page: a browser that asks for one gets the same words as an API client, set to be read. */
import type { Context, MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import * as z from 'zod';
import { readText } from '../../http/index.ts';
import { prefersHtml, renderPage } from './page.ts';

const Told = z.object({ error: z.object({ message: z.string() }) });
/** Of an error's words, in bytes. */
const LONGEST = 64 << 10;

const TITLES: Readonly<Record<number, string>> = {
  400: 'This cannot be asked',
  401: 'A key is needed',
  403: 'This key may not see it',
  404: 'There is no such page',
};

/** Turns errors in JSON into pages, for browsers alone. Status and headers stay. */
export const errorPages: MiddlewareHandler = async (c, next) => {
  await next();
  const { status, headers } = c.res;
  if (status < 400 || c.req.method !== 'GET' || !prefersHtml(c)) return;
  if (!headers.get('content-type')?.startsWith('application/json')) return;
  const message = await messageIn(c);
  const title = TITLES[status] ?? 'This could not be shown';
  const page = await renderPage(
    c,
    title,
    html`<h1>${title}</h1>
<p>${message}</p>
<p class="faint">Status ${status}. <a href="/remand">All judgments</a></p>`,
  );
  c.res = new Response(page.body, { status, headers: page.headers });
};

async function messageIn({ res, req }: Context): Promise<string> {
  const text = await readText(res, { maxBytes: LONGEST, again: false, signal: req.raw.signal });
  const told = Told.safeParse(JSON.parse(text));
  return told.success ? told.data.error.message : text;
}
