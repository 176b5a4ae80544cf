/**
 * The frame of every page. What a page shows was written by models and by whoever they judged: it is hostile,
 * so everything goes through hono/html's escaping, and the policy allows our own style sheet and script alone.
 */
import type { Context, MiddlewareHandler } from 'hono';
import { html, raw } from 'hono/html';
import * as z from 'zod';
import { readText } from '../../http/index.ts';
import { linkTo } from '../query.ts';

export type PageHtml = ReturnType<typeof html>;

/** CSP Level 3. */
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** A browser names text/html before anything else; curl and SDKs say `*∕*` or application/json. */
export function prefersHtml(c: Context): boolean {
  const accept = c.req.header('accept');
  return accept !== undefined && /^[^,]*text\/html/.test(accept) && c.req.query('format') !== 'json';
}

export async function renderPage(c: Context, title: string, body: PageHtml): Promise<Response> {
  c.header('content-security-policy', POLICY);
  c.header('x-content-type-options', 'nosniff');
  // With none at all a browser sends our own forms with `Origin: null`, as it does those of strangers.
  c.header('referrer-policy', 'same-origin');
  c.header('cache-control', 'no-store');
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Remand</title>
<link rel="icon" href="/remand/icon.svg">
<link rel="stylesheet" href="/remand/style.css">
<script src="/remand/keys.js" defer></script>
</head>
<body>
<header><a href="/remand">Remand</a> <nav aria-label="Pages"><a href="/remand/templates">Templates</a> <a href="/remand/queue">Queue</a> <a href="/remand/numbers">Numbers</a> <a href="/remand/agreement">Agreement</a></nav></header>
<main>${body}</main>
</body>
</html>`;
  return c.html(raw(relink(String(page), c)));
}

/** Our own links alone begin so: in texts that are shown a quotation mark is escaped. */
const relink = (page: string, c: Context): string =>
  page.replaceAll('="/remand', `="${linkTo(c, '/remand')}`);

/** What a page cannot show, as a page: a browser that asks for one gets the same words as an API client, set to be read. */
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
