/**
 * The labelling queue: case by case, the ones first that a label tells most of, without anything that the judge said. What a
 * person decides here becomes the same label as on a trace's own page.
 */
import { type Context, Hono } from 'hono';
import { csrf } from 'hono/csrf';
import { html } from 'hono/html';
import * as z from 'zod';
import { fromTracedFields, kindOf } from '../../case/index.ts';
import type { Trace, TraceStore, TraceSummary, TraceVerdict } from '../../trace/index.ts';
import type { CallerEnv } from '../access/pages.ts';
import { noteBefore } from '../error-handler.ts';
import type { Label, LabelStore } from '../labels/label.ts';
import { readPostedFields } from '../posted-fields.ts';
import type { Ports } from '../proxy-ports.ts';
import { renderPage } from './page.ts';

/** Verdicts of which a label tells most, the first first. The rest of what was judged comes behind them. */
const FIRST = ['unsure', 'insisted', 'unresolved', 'escalated', 'revised', 'unchanged', 'shadow'];
/** Latest judgments that are looked through, and those of them that are read for their confidence. */
const LOOKED_AT = 200;
const READ = 20;
/** Labels read at once. */
const MOST_LABELS = 1000;
/** Of an answer, in bytes; and cases that one visit may put off. */
const LARGEST = 4 << 10;
const MOST_SKIPPED = 50;

/** What a person may decide: an option as it was shown, neither, or whether it passes. */
const decided = z.object({ choice: z.enum(['1', '2', '3', '4', '5', '6', '7', '8', 'tie', 'pass', 'fail']) });

export function createQueueRoutes(ports: Ports): Hono<CallerEnv> {
  const { labels, traces, clock } = ports;
  const app = new Hono<CallerEnv>();

  app.get('/', async (c) => {
    if (!traces || !labels)
      return renderPage(
        c,
        'Queue',
        html`<h1>Nothing to label</h1><p>Traces are not kept here (REMAND_TRACES).</p>`,
      );
    const skipped = (c.req.query('skip') ?? '').split(',').filter(Boolean).slice(-MOST_SKIPPED);
    const trace = await findCase(traces, labels, skipped);
    return renderPage(c, 'Queue', trace ? await renderCase(trace, whoOf(c), skipped) : EMPTY);
  });

  app.post('/:id', csrf(), async (c) => {
    const trace = await traces?.get(c.req.param('id'));
    if (!trace || !labels || !isAsked(trace))
      return c.json({ error: { message: 'no such case; the oldest are dropped' } }, 404);
    const body = decided.safeParse(await readPostedFields(c, LARGEST));
    const order = await shownOrder(trace, whoOf(c));
    const picked = body.success ? pickedIn(body.data.choice, order, trace) : null;
    if (picked === null)
      return c.json({ error: { message: 'choice: must be one of those that the page shows' } }, 400);
    const { id } = c.get('caller');
    const [first] = trace.verdicts;
    const label: Label = {
      trace: trace.id,
      judge: trace.judge,
      biases: trace.rounds > 0 ? trace.biases : [],
      before: first !== undefined && decisionOf(trace, first) === picked,
      after: decisionOf(trace, trace.final) === picked,
      who: whoOf(c),
      time: new Date(clock.now()).toISOString(),
    };
    if (id !== null) await noteBefore(ports, id, 'labelled', trace.id);
    await labels.put(label);
    return c.redirect('/remand/queue', 303);
  });
  return app;
}

const whoOf = (c: Context<CallerEnv>) => c.get('caller').id ?? 'anyone';

const EMPTY = html`<h1>Nothing to label</h1>
<p>Every judgment that is kept and can be shown here has a label, or there is none yet. Send judgments through Remand, and they
appear here: unsure ones and those the judge insisted on first. What was labelled is at <a href="/remand/labels">/remand/labels</a>,
and with the verdicts at <a href="/remand/records">/remand/records</a> for <code>remand calibrate --records</code>.</p>`;

/** What the judge decided: an option, a tie, or whether it passes; null for what nobody is asked here. */
function decisionOf({ case: { options } }: Trace, told: TraceVerdict): number | 'tie' | boolean | null {
  const names = options.map(({ label }) => label);
  const decision = fromTracedFields(told, (label) => names.indexOf(label));
  if (!decision) return null;
  const { choice, pass, scores } = kindOf(decision).toDraw?.({ ...decision, text: '' }) ?? {};
  if (!scores) return choice ?? pass ?? null;
  const most = Math.max(...scores.map((score) => score ?? Number.NEGATIVE_INFINITY));
  const best = scores.flatMap((score, option) => (score === most ? [option] : []));
  return best.length === 1 ? (best[0] ?? null) : 'tie';
}

const isAsked = (trace: Trace) => decisionOf(trace, trace.final) !== null && trace.case.options.length <= 8;

/** The next case without a label: of the most telling status the one that the judge is least sure of. */
async function findCase(
  traces: TraceStore,
  labels: LabelStore,
  skipped: readonly string[],
): Promise<Trace | null> {
  const listed = await traces.list({ limit: LOOKED_AT });
  const rankOf = ({ status }: TraceSummary) => FIRST.indexOf(status);
  const open = listed
    .flatMap((one) => ('unreadable' in one || rankOf(one) < 0 || skipped.includes(one.id) ? [] : [one]))
    .sort((a, b) => rankOf(a) - rankOf(b));
  const labelled = await listLabelled(
    labels,
    open.map(({ id }) => id),
  );
  const found: { trace: Trace; rank: number }[] = [];
  for (const one of open) {
    const [first] = found;
    if (found.length >= READ || (first && rankOf(one) > first.rank)) break;
    if (labelled.has(one.id)) continue;
    const trace = await traces.get(one.id);
    if (trace && isAsked(trace)) found.push({ trace, rank: rankOf(one) });
  }
  const sureness = ({ trace }: { trace: Trace }) => trace.confidence?.score ?? 1;
  return found.sort((a, b) => sureness(a) - sureness(b))[0]?.trace ?? null;
}

/** Which of these traces have a label, in two questions to the store however many they are. */
async function listLabelled(labels: LabelStore, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const [lowest] = [...ids].sort();
  if (lowest === undefined) return new Set();
  const all = [await labels.get(lowest), ...(await labels.after(lowest, MOST_LABELS))];
  return new Set(all.flatMap((label) => label?.trace ?? []));
}

/** Options in an order that case and person decide: nobody learns from it which one came first. */
async function shownOrder({ id, case: { options } }: Trace, who: string): Promise<number[]> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${id}\n${who}`));
  const bytes = new Uint8Array(digest);
  return options.map((_, option) => option).sort((a, b) => (bytes[a] ?? 0) - (bytes[b] ?? 0) || a - b);
}

/** @returns null for what this page does not offer */
function pickedIn(
  said: string,
  order: readonly number[],
  { case: { options } }: Trace,
): number | 'tie' | boolean | null {
  if (options.length < 2) return said === 'pass' ? true : said === 'fail' ? false : null;
  return said === 'tie' ? said : (order[Number(said) - 1] ?? null);
}

async function renderCase(trace: Trace, who: string, skipped: readonly string[]) {
  const { instruction, options } = trace.case;
  const order = await shownOrder(trace, who);
  const button = (value: string, key: string, words: string) =>
    html`<button name="choice" value="${value}" data-key="${key}">${words} <kbd>${key}</kbd></button>`;
  const choices =
    options.length < 2
      ? [button('pass', 'p', 'It passes'), button('fail', 'f', 'It does not')]
      : [
          ...order.map((_, n) => button(String(n + 1), String(n + 1), `Text ${n + 1} is better`)),
          button('tie', '0', 'Equally good'),
        ];
  const later = [...skipped, trace.id].slice(-MOST_SKIPPED).join(',');
  return html`<h1>${options.length < 2 ? 'Is it good enough?' : 'Which one is better?'}</h1>
<p class="faint">What the judge said is not shown, and the texts stand in an order of their own. The keys on the buttons work, too.</p>
${instruction === null ? '' : html`<h2>What was asked</h2><div class="text">${instruction}</div>`}
<div class="sides">${order.map(
    (option, n) => html`<section><h2>${options.length < 2 ? 'Text' : `Text ${n + 1}`}</h2>
<div class="text">${options[option]?.text ?? ''}</div></section>`,
  )}</div>
<form class="label" method="post" action="/remand/queue/${encodeURIComponent(trace.id)}">${choices}
<a href="/remand/queue?skip=${encodeURIComponent(later)}" data-key="s">Not now <kbd>s</kbd></a></form>`;
}
