/**
 * The frame of every page. What a page shows was written by models and by whoever they judged: it is hostile,
 * so everything goes through hono/html's escaping, and the policy allows our own style sheet and script alone.
 */
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import { linkTo } from '../page-link.ts';

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
