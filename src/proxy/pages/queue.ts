/**
 * The labelling queue: case by case, the ones first that a label tells most of, without anything that the judge said. What a
 * person decides here becomes the same label as on a trace's own page.
 */

import { type Context, Hono } from 'hono';
import { csrf } from 'hono/csrf';
import { html } from 'hono/html';
import * as z from 'zod';
import type { VerdictValue } from '../../case/index.ts';
import { explainIssue } from '../../strict-fields.ts';
import type { Trace } from '../../trace/index.ts';
import { type CallerEnv, renderError } from '../access/pages.ts';
import { noteBefore } from '../error-handler.ts';
import { type ChosenCase, chooseCase, isAskable, LABEL_AIMS, type LabelAim } from '../labels/label-routes.ts';
import { labelTrace, readTraceDecision } from '../labels/trace-records.ts';
import type { Ports } from '../proxy-ports.ts';
import { linkTo, takeNoQuery, takeQuery } from '../query.ts';
import { describeIssue, readPostedFields } from '../request-body.ts';
import { type PageHtml, renderPage } from './page.ts';

/** Of an answer, in bytes; and cases that one visit may put off. */
const LARGEST = 4 << 10;
const MOST_SKIPPED = 50;

const name = z
  .string()
  .regex(/^[\p{L}\p{N}_.@-]{1,60}$/u, 'must be a name of letters, digits, _, ., @ and -');
const queueQuery = takeQuery({
  for: z.enum(LABEL_AIMS).default('unsure'),
  /** Who labels, where no key tells. */
  as: name.optional(),
  skip: z.string().default(''),
});
/** What a person decided: a text as it was shown, `tie`, `pass`, `fail`, a category or a score; and how the case was chosen. */
const decided = z.object({
  choice: z.union([z.string().min(1).max(200), z.number()]).transform(String),
  for: z.enum(LABEL_AIMS).default('unsure'),
  as: name.optional(),
  random: z.stringbool().or(z.boolean()).default(false),
});

export function createQueueRoutes(ports: Ports): Hono<CallerEnv> {
  const { labels, traces, clock } = ports;
  const app = new Hono<CallerEnv>();

  app.get('/', queueQuery, async (c) => {
    if (!traces || !labels)
      return renderPage(
        c,
        'Queue',
        html`<h1>Nothing to label</h1><p>Traces are not kept here (REMAND_TRACES).</p>`,
      );
    const { for: aim, as, skip } = c.req.valid('query');
    const visit: Visit = {
      aim,
      as,
      who: whoOf(c, as),
      skipped: skip.split(',').filter(Boolean).slice(-MOST_SKIPPED),
    };
    const chosen = await chooseCase(traces, labels, visit);
    return renderPage(
      c,
      'Queue',
      html`${chosen ? await renderCase(chosen, visit) : EMPTY}${renderAims(visit)}`,
    );
  });

  app.post('/:id', csrf(), takeNoQuery, async (c) => {
    const trace = await traces?.get(c.req.param('id'));
    if (!trace || !labels || !isAskable(trace))
      return renderError(c, 404, 'no such case; the oldest are dropped');
    const body = decided.safeParse(await readPostedFields(c, LARGEST), { error: explainIssue });
    if (!body.success) return renderError(c, 400, describeIssue(body.error));
    const { choice, for: aim, as, random } = body.data;
    const who = whoOf(c, as);
    const decision = readChoice(choice, await shownOrder(trace, who), trace);
    if (decision === null) return renderError(c, 400, 'choice: must be one of those that the page shows');
    const { id } = c.get('caller');
    const time = new Date(clock.now()).toISOString();
    if (id !== null) await noteBefore(ports, id, 'labelled', trace.id);
    await labels.put([labelTrace(trace, { decision, random, who, time })]);
    return c.redirect(linkTo(c, `/remand/queue${formatVisit({ aim, as, skipped: [] })}`), 303);
  });
  return app;
}

interface Visit {
  readonly aim: LabelAim;
  /** Name that the person gave. */
  readonly as: string | undefined;
  readonly who: string;
  readonly skipped: readonly string[];
}

const whoOf = (c: Context<CallerEnv>, as: string | undefined) => c.get('caller').id ?? as ?? 'anyone';

function formatVisit({ aim, as, skipped }: Omit<Visit, 'who'>): string {
  const fields = { ...(aim !== 'unsure' && { for: aim }), ...(as !== undefined && { as }) };
  const asked = new URLSearchParams({ ...fields, ...(skipped.length > 0 && { skip: skipped.join(',') }) });
  return asked.size === 0 ? '' : `?${asked}`;
}

const EMPTY = html`<h1>Nothing to label</h1>
<p>Every judgment that can be shown here has a label, or none is kept yet. Send judgments through Remand, and they
appear here. The labels are at <a href="/remand/labels">/remand/labels</a>, and with the verdicts at
<a href="/remand/records">/remand/records</a>, for <code>remand calibrate --records</code>.</p>`;

const AIMS: Readonly<Record<LabelAim, string>> = {
  unsure: 'least sure first',
  rulings: 'verdicts that moved',
  sample: 'drawn by chance',
};

const WHY_THESE: Readonly<Record<LabelAim, string>> = {
  unsure: 'The judge was least sure of these. A label tells most here.',
  rulings: 'Their labels settle whether sending back pays.',
  sample: 'These stand for all cases. Only their labels correct a figure or support a promise.',
};

function renderAims({ aim, as, who }: Visit): PageHtml {
  const links = LABEL_AIMS.map(
    (one) =>
      html`<a href="/remand/queue${formatVisit({ aim: one, as, skipped: [] })}"${one === aim ? html` aria-current="page"` : ''}>${AIMS[one]}</a>`,
  );
  return html`<nav aria-label="Which cases">Cases: ${links}</nav>
<p class="faint">${WHY_THESE[aim]}</p>
${
  who === 'anyone'
    ? html`<form class="label"><input type="hidden" name="for" value="${aim}"><label>Your name <input name="as" maxlength="60" required></label><button>Use this name</button></form>`
    : ''
}
<p class="faint">${who === 'anyone' ? 'Your labels carry no name.' : `Your labels carry the name ${who}.`} A tenth of the cases is shown to a second person. <a href="/remand/agreement">Agreement</a> says how far people and judges agree.</p>`;
}

/** Options in an order that case and person decide: nobody learns from it which one came first. */
async function shownOrder({ id, case: { options } }: Trace, who: string): Promise<number[]> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${id}\n${who}`));
  const bytes = new Uint8Array(digest);
  return options.map((_, option) => option).sort((a, b) => (bytes[a] ?? 0) - (bytes[b] ?? 0) || a - b);
}

/** A way to answer: what is sent, the key that sends it, and its words. */
type Answer = readonly [value: string, key: string, words: string];

/** Empty for a score, which is typed. */
function listChoices(trace: Trace): readonly Answer[] {
  const { options, answers } = trace.case;
  if (options.length > 1)
    return [
      ...options.map((_, n): Answer => [String(n + 1), String(n + 1), `Text ${n + 1} is better`]),
      ['tie', '0', 'Equally good'],
    ];
  const judged = readTraceDecision(trace, trace.final);
  if (typeof judged === 'boolean')
    return [
      ['pass', 'p', 'It passes'],
      ['fail', 'f', 'It does not'],
    ];
  if (typeof judged === 'number') return [];
  return (answers?.labels ?? []).map((label, n): Answer => [label, String((n + 1) % 10), label]);
}

/** @returns null for what the page does not offer */
function readChoice(said: string, order: readonly number[], trace: Trace): VerdictValue | null {
  const choices = listChoices(trace);
  if (choices.length === 0) return readScore(said, trace);
  if (!choices.some(([value]) => value === said)) return null;
  if (order.length > 1) return said === 'tie' ? said : (order[Number(said) - 1] ?? null);
  if (typeof readTraceDecision(trace, trace.final) === 'boolean') return said === 'pass';
  return said;
}

function readScore(said: string, { case: { answers } }: Trace): number | null {
  const score = Number(said);
  if (said.trim() === '' || !Number.isFinite(score)) return null;
  const { min = null, max = null } = answers ?? {};
  return score < (min ?? score) || score > (max ?? score) ? null : score;
}

async function renderCase({ trace, random }: ChosenCase, visit: Visit): Promise<PageHtml> {
  const { instruction, options, answers } = trace.case;
  const order = await shownOrder(trace, visit.who);
  const single = options.length < 2;
  const choices = listChoices(trace);
  const { min = null, max = null } = answers ?? {};
  const asked =
    choices.length > 0
      ? choices.map(
          ([value, key, words]) =>
            html`<button name="choice" value="${value}" data-key="${key}">${words} <kbd>${key}</kbd></button>`,
        )
      : html`<label>Score${min !== null && max !== null ? `, ${min} to ${max}` : ''}
<input name="choice" type="number" step="any" required autofocus${min === null ? '' : html` min="${min}"`}${max === null ? '' : html` max="${max}"`}></label>
<button>Save <kbd>Enter</kbd></button>`;
  const later = formatVisit({ ...visit, skipped: [...visit.skipped, trace.id].slice(-MOST_SKIPPED) });
  return html`<h1>${single ? 'How good is it?' : 'Which one is better?'}</h1>
<p class="faint">What the judge said is not shown, and the texts stand in a random order. Each button has a key.</p>
${instruction === null ? '' : html`<h2>What was asked</h2><div class="text" tabindex="0">${instruction}</div>`}
<div class="sides">${order.map(
    (option, n) => html`<section><h2>${single ? 'Text' : `Text ${n + 1}`}</h2>
<div class="text" tabindex="0">${options[option]?.text ?? ''}</div></section>`,
  )}</div>
<form class="label" method="post" action="/remand/queue/${encodeURIComponent(trace.id)}">
<input type="hidden" name="for" value="${visit.aim}"><input type="hidden" name="random" value="${String(random)}">
${visit.as === undefined ? '' : html`<input type="hidden" name="as" value="${visit.as}">`}
${asked}
<a href="/remand/queue${later}" data-key="s">Not now <kbd>s</kbd></a></form>`;
}
