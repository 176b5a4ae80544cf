/**
 * The frame of every page. What a page shows was written by models and by whoever they judged: it is hostile,
 * so everything goes through hono/html's escaping, and the policy forbids scripts altogether.
 */
import type { Context } from 'hono';
import { html } from 'hono/html';

type Html = ReturnType<typeof html>;

/** Nothing but our own style sheet (CSP Level 3). */
const POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export function page(c: Context, title: string, body: Html): Response | Promise<Response> {
  c.header('content-security-policy', POLICY);
  c.header('x-content-type-options', 'nosniff');
  c.header('referrer-policy', 'no-referrer');
  c.header('cache-control', 'no-store');
  return c.html(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Remand</title>
<link rel="stylesheet" href="/remand/style.css">
</head>
<body>
<header><a href="/remand">Remand</a></header>
<main>${body}</main>
</body>
</html>`);
}

export const STYLE = `
:root { --ink: #1d2129; --faint: #667085; --line: #e2e5ea; --ground: #fff; --raised: #f6f7f9; --accent: #7a3e9d; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ec; --faint: #98a2b3; --line: #333a45; --ground: #14171c; --raised: #1c2129; --accent: #c79be0; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--ground); font: 16px/1.55 system-ui, sans-serif; }
header, main { max-width: 58rem; margin: 0 auto; padding: 1rem; }
header a { color: var(--accent); font-weight: 650; text-decoration: none; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
a { color: var(--accent); }
.faint { color: var(--faint); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--faint); font-weight: 500; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--raised); border-radius: .4rem;
  padding: .6rem .8rem; margin: .3rem 0; max-height: 22rem; overflow: auto; font-size: .92rem; }
.status { display: inline-block; padding: 0 .5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .8rem; white-space: nowrap; }
.revised { color: #1a7f4b; } .insisted, .unresolved { color: #b25e09; } .failed-open { color: #c0362c; }
@media (prefers-color-scheme: dark) { .revised { color: #5ec98f; } .insisted, .unresolved { color: #e8a75a; } .failed-open { color: #f08a80; } }
ol.story { list-style: none; padding: 0; margin: 0; border-left: 2px solid var(--line); }
ol.story > li { padding: .1rem 0 1rem 1.1rem; }
`;
