/**
 * The frame of every page. What a page shows was written by models and by whoever they judged: it is hostile,
 * so everything goes through hono/html's escaping, the policy allows our own style sheet and script alone, and a sign that
 * turns the direction of a line can be seen.
 */
import type { Context, MiddlewareHandler } from 'hono';
import { html, raw } from 'hono/html';
import * as z from 'zod';
import { readText } from '../../http/index.ts';
import { escapeInPage } from '../../records/index.ts';
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
  return c.html(raw(relink(escapeInPage(String(page)), c)));
}

/** Our own links alone begin so: in texts that are shown a quotation mark is escaped. */
const relink = (page: string, c: Context): string =>
  page.replaceAll('="/remand', `="${linkTo(c, '/remand')}`);

// What a page cannot show, as a page: a browser that asks for one gets the same words as an API client, set to be read.

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
  if (status < 400 || !prefersHtml(c)) return;
  if (!headers.get('content-type')?.startsWith('application/json')) return;
  const message = await messageIn(c);
  const title =
    c.req.method === 'POST' ? 'This was not taken' : (TITLES[status] ?? 'This could not be shown');
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

/** The style sheet of all pages: light and dark, down to the width of a phone. */
export const PAGE_STYLE = `
:root { --ink: #1d2129; --faint: #667085; --line: #e2e5ea; --ground: #fff; --raised: #f6f7f9; --accent: #7a3e9d; --slot: #efe3f6; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ec; --faint: #98a2b3; --line: #333a45; --ground: #14171c; --raised: #1c2129; --accent: #c79be0; --slot: #3c2b49; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--ground); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
header, main { max-width: 58rem; margin: 0 auto; padding: 1rem; }
header { display: flex; gap: 1.5rem; align-items: baseline; }
header a { color: var(--accent); font-weight: 650; text-decoration: none; } header nav a { font-weight: 400; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
a { color: var(--accent); }
.faint { color: var(--faint); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .45rem 1.25rem .45rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--faint); font-weight: 500; }
table.list td:first-child { white-space: nowrap; } td[data-label=judge], td[data-label=model], td[data-label=verdict] { overflow-wrap: anywhere; min-width: 8rem; }
code span { white-space: nowrap; } .range { display: block; white-space: nowrap; font-size: .92em; } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--raised); border-radius: .4rem;
  padding: .6rem .8rem; margin: .3rem 0; max-height: 22rem; overflow: auto; font-size: .92rem; }
.status { display: inline-block; padding: 0 .5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .8rem; white-space: nowrap; }
.revised { color: #1a7f4b; } .insisted, .unresolved { color: #b25e09; } .failed-open { color: #c0362c; }
@media (prefers-color-scheme: dark) { .revised { color: #5ec98f; } .insisted, .unresolved { color: #e8a75a; } .failed-open { color: #f08a80; } }
nav a { margin-right: .75rem; } main > nav { margin-bottom: .5rem; } nav a[aria-current] { color: var(--ink); font-weight: 650; text-decoration: none; }
a:focus-visible, button:focus-visible, select:focus-visible, textarea:focus-visible, summary:focus-visible, input:focus-visible, tr.here td:first-child { outline: 2px solid var(--accent); outline-offset: 2px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(12rem, 44%), 1fr)); gap: .75rem; margin: 1rem 0; }
.tiles div { background: var(--raised); border-radius: .5rem; padding: .7rem .9rem; }
.tiles dt { color: var(--faint); font-size: .85rem; } .tiles dd { margin: 0; font-size: 1.6rem; font-variant-numeric: tabular-nums; }
.tiles dd.told { margin: .1rem 0 0; font-size: .78rem; line-height: 1.35; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 0 2.5rem; }
.shares { list-style: none; margin: 0; padding: 0; } .shares li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .5rem; padding: .3rem 0; }
.shares .bar, .shares .faint { grid-column: 1 / -1; } .shares .faint { font-size: .8rem; }
svg { display: block; fill: var(--accent); } svg.bar { width: 100%; height: .4rem; border-radius: .2rem; } svg .whole { fill: var(--line); }
svg.days { width: 100%; height: 5.5rem; } svg .ground { fill: transparent; } svg.days a:hover .ground { fill: var(--raised); }
.ends { display: flex; justify-content: space-between; margin: .2rem 0 0; font-size: .8rem; }
form.filter > *, form.label > * { min-height: 2.1rem; box-sizing: border-box; display: inline-flex; align-items: center; } form.label label { gap: .5rem; } form input[type=hidden] { display: none; }
form.filter, form.label { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .5rem 0 1rem; }
select, input, button { max-width: 100%; font: inherit; font-size: .9rem; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: .4rem; padding: .3rem .6rem; }
button { cursor: pointer; } kbd { font: .75rem ui-monospace, monospace; border: 1px solid var(--line); border-radius: .25rem; padding: 0 .3rem; margin-left: .3rem; } button[aria-pressed=true] { border-color: var(--accent); color: var(--accent); font-weight: 650; }
article.template { border-top: 1px solid var(--line); margin-top: 1.5rem; } article.template h2 { margin: 1rem 0 .3rem; }
mark { background: var(--slot); color: inherit; border-radius: .25rem; padding: 0 .2rem; } mark b { color: var(--accent); font-size: .75rem; font-weight: 650; margin-right: .3rem; }
textarea { font: .85rem/1.45 ui-monospace, monospace; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: .4rem; padding: .6rem; width: 100%; min-height: 14rem; }
.confirmed, .approved { color: #1a7f4b; } .rejected, .wrong { color: #c0362c; } .learning { color: #b25e09; }
@media (prefers-color-scheme: dark) { .confirmed, .approved { color: #5ec98f; } .rejected, .wrong { color: #f08a80; } .learning { color: #e8a75a; } }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 0 1.5rem; }
.decided { font-size: 1.25rem; font-weight: 650; margin: 0; } .said { color: var(--accent); }
ol.story { list-style: none; padding: 0; margin: 0; border-left: 2px solid var(--line); }
ol.story > li { padding: .1rem 0 1rem 1.1rem; }
@media (max-width: 40rem) {
  table.list, table.list tbody, table.list tr, table.list td { display: block; width: 100%; }
  table.list thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.list tr { padding: .6rem 0; border-bottom: 1px solid var(--line); }
  table.list td, table.list td.number { border: 0; padding: .1rem 0; text-align: left; } table.list td:empty { display: none; }
  table.list td[data-label], table.list td.number[data-label] { position: relative; padding-left: 9.5rem; }
  table.list td[data-label]::before { content: attr(data-label); color: var(--faint); position: absolute; left: 0; }
}
@media print { nav:not([aria-label="Period"]), nav a:not([aria-current]), form.filter, form.label, button, details:not([open]) { display: none; } .text { max-height: none; } a { color: inherit; } }
`;

/** A scale: without an icon of ours a browser asks the judge for one. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#7a3e9d" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"><path d="M16 4v24M9 28h14M5 9h22M5 9l-3 9h8zM27 9l-5 9h8z"/></svg>`;

/** The pages' one script: lists and choices with the keyboard. Everything works without it. */
export const KEYBOARD_SCRIPT = `
'use strict';
const rows = [...document.querySelectorAll('table.list tbody tr:has(a)')];
let at = -1;
// A page takes one answer: further keys, and those that are held down, are for a page that nobody has read.
let answered = false;
addEventListener('pageshow', () => { answered = false; });
document.addEventListener('keydown', (event) => {
  if (answered || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return;
  const step = { j: 1, k: -1 }[event.key];
  if (step !== undefined && rows.length > 0) {
    rows[at]?.classList.remove('here');
    at = Math.min(rows.length - 1, Math.max(0, at + step));
    rows[at].classList.add('here');
    rows[at].querySelector('a').focus();
    event.preventDefault();
  }
  const named = document.querySelector('[data-key="' + CSS.escape(event.key) + '"]');
  if (named) {
    event.preventDefault();
    if (event.repeat) return;
    answered = true;
    named.click();
  }
  if (event.key === 'u') location.href = document.querySelector('header a').href;
});
`;
