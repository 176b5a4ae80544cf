/**
 * The figure to report, three times side by side: from the judge's first verdicts, from those that went out, and corrected by
 * people's labels. As a page, JSON (`?format=json`) and CSV (`?format=csv`).
 */

import { Hono } from 'hono';
import { html } from 'hono/html';
import * as z from 'zod';
import type { JudgedItem } from '../../evaluate/confidence/past-judgment.ts';
import { ESTIMATE_COLUMNS, estimateRates, estimateRow } from '../../evaluate/estimate/estimate-rate.ts';
import type { Prices } from '../../models/index.ts';
import type { NumbersResult, RateEstimate, ResultOrigin } from '../../report/index.ts';
import { formatPercent, type Interval } from '../../stats/index.ts';
import type { Trace, TraceStore, UnreadableTrace } from '../../trace/index.ts';
import { VERSION } from '../../version.ts';
import type { CallerEnv } from '../access/pages.ts';
import { isSentRight, type Label, type LabelStore } from '../labels/label.ts';
import {
  FIRST_VERDICT,
  listKept,
  logUnreadable,
  recordBoth,
  WHAT_WENT_OUT,
} from '../labels/trace-records.ts';
import type { Log } from '../log.ts';
import type { Ports } from '../proxy-ports.ts';
import { takeQuery } from '../query.ts';
import { type PageHtml, prefersHtml, renderPage } from './page.ts';

/** Judgments looked at: each is read from the store. */
const USUAL = 400;
const MOST = 10_000;

/** What is one evaluation: requests of one judge with one form of verdict, or those that were read by one template. */
const NUMBERED_BY = ['form', 'template'] as const;
type NumberedBy = (typeof NUMBERED_BY)[number];

const numbersQuery = takeQuery({
  limit: z.coerce.number().pipe(z.int().min(1).max(MOST)).default(USUAL),
  by: z.enum(NUMBERED_BY).default('form'),
  format: z.enum(['json', 'csv']).optional(),
});

export function createNumbersRoutes({ traces, labels, clock, log }: Ports, prices: Prices): Hono<CallerEnv> {
  return new Hono<CallerEnv>().get('/', numbersQuery, async (c) => {
    const { by, limit, format } = c.req.valid('query');
    c.header('vary', 'accept');
    const numbers = traces
      ? await measureNumbers(traces, labels, { by, most: limit, log })
      : { judgments: 0, unreadable: 0, isPart: false, figures: [] };
    if (format === 'csv') {
      c.header('content-type', 'text/csv; charset=utf-8');
      c.header('content-disposition', 'attachment; filename="numbers.csv"');
      return c.body(await formatCsv(numbers));
    }
    return prefersHtml(c)
      ? renderPage(c, 'Numbers', renderNumbers(numbers))
      : c.json({
          ...numbers,
          origin: describeNumbers(numbers, `by=${by}&limit=${limit}`, prices, clock.now()),
        });
  });
}

function describeNumbers(
  { figures }: NumbersResult,
  query: string,
  prices: Prices,
  now: number,
): ResultOrigin {
  return {
    date: new Date(now).toISOString(),
    remand: VERSION,
    command: `GET /remand/numbers?${query}`,
    models: [...new Set(figures.map(({ judge }) => judge))],
    parameters: {},
    prices: Object.keys(prices).length > 0 ? prices : null,
  };
}

/** A line a figure and stage. Loaded when it is asked for: most servers never are. */
async function formatCsv({ figures }: NumbersResult): Promise<string> {
  const { stringify } = await import('csv-stringify/browser/esm/sync');
  const rows = figures.flatMap(({ requests, category, first, sent, turnedRight, turnedWrong }) =>
    [
      { stage: FIRST_VERDICT, estimate: first },
      { stage: WHAT_WENT_OUT, estimate: sent },
    ].map(({ stage, estimate }) => [
      ...[stage, requests, category, turnedRight, turnedWrong],
      ...estimateRow(estimate),
    ]),
  );
  const head = ['verdicts', 'requests', 'category', 'turned_right', 'turned_wrong', ...ESTIMATE_COLUMNS];
  // Model names are whatever clients sent: none may be a formula where the file is opened.
  return stringify([head, ...rows], { escape_formulas: true });
}

function renderNumbers({ figures, judgments, unreadable, isPart }: NumbersResult): PageHtml {
  const left =
    unreadable > 0 &&
    html`<p>${unreadable === 1 ? '1 judgment cannot be read and is' : `${unreadable} judgments cannot be read and are`} left out; the log names the latest.</p>`;
  if (figures.length === 0)
    return html`<h1>No numbers yet</h1><p>They come from judgments that are kept here, with a verdict in them. Send some through Remand.</p>${left}`;
  return html`<h1>Numbers</h1>
<p>The figure to report, three times: from the judge's first verdicts, from those that went out, and corrected by people's labels.
From ${isPart ? html`the latest ${judgments} judgments (<a href="/remand/numbers?limit=${MOST}">more</a>)` : html`${judgments} judgments`}.
Requests are grouped by the form of the verdict; group them <a href="/remand/numbers?by=template">by template</a>.
Download <a href="/remand/numbers?format=json">JSON</a> or <a href="/remand/numbers?format=csv">CSV</a>.</p>
${left}
${figures.map(renderFigure)}
<p class="faint">A win rate is that of the text that the client put first; a tie counts half. Below each figure stands its 95% interval. The interval of verdicts alone
covers the draw of cases, not the judge's own errors. Only labels on <a href="/remand/queue?for=sample">cases drawn by chance</a> correct a figure,
by prediction-powered inference. It takes at least 10.</p>`;
}

function renderFigure({
  judge,
  requests,
  category,
  first,
  sent,
  turnedRight,
  turnedWrong,
}: ReportedFigure): PageHtml {
  const { labelled } = sent;
  return html`<h2>${judge}, ${first.figure}${category === null ? '' : ` of “${category}”`}</h2>
<p class="faint">Requests: ${requests}</p>
<table class="list"><thead><tr><th>verdicts</th><th class="number">judged</th><th>verdicts alone</th><th>corrected${labelled === 0 ? '' : ` by ${labelled} ${labelled === 1 ? 'label' : 'labels'}`}</th><th class="number">agrees with people</th></tr></thead>
<tbody>${renderStage('first verdicts', first)}${renderStage('what went out', sent)}</tbody></table>
${
  labelled === 0
    ? html`<p>No label yet says which figure is nearer to the truth: <a href="/remand/queue?for=sample">label some cases</a>.</p>`
    : html`<p>Of ${labelled} labelled cases Remand turned ${turnedRight} right and ${turnedWrong} wrong.</p>`
}`;
}

function renderStage(name: string, estimate: RateEstimate): PageHtml {
  const { judged, raw, rawInterval, corrected, agreement, figure } = estimate;
  const isScore = figure === 'mean score';
  const say = (value: number) => (isScore ? value.toFixed(2) : formatPercent(value));
  const range = (value: number, { low, high }: Interval) =>
    html`${say(value)} <span class="faint range">${low === high ? 'no interval: all alike' : html`${say(low)} to ${say(high)}`}</span>`;
  return html`<tr><td>${name}</td><td class="number" data-label="judged">${judged}</td><td data-label="verdicts alone">${range(raw, rawInterval)}</td>
<td data-label="corrected">${corrected.value === null ? corrected.reason : range(corrected.value, corrected.interval)}</td>
<td class="number" data-label="agrees with people">${agreement === null ? '–' : formatPercent(agreement)}</td></tr>`;
}

/** One figure of one evaluation. */
type ReportedFigure = NumbersResult['figures'][number];

interface Evaluation {
  readonly judge: string;
  readonly requests: string;
  readonly first: JudgedItem[];
  readonly sent: JudgedItem[];
  turnedRight: number;
  turnedWrong: number;
}

/**
 * @param options.by a template is learned from some requests on: by form, those before it count with those after it
 * @param options.most judgments to look at
 */
async function measureNumbers(
  traces: TraceStore,
  labels: LabelStore | null,
  { by, most, log }: { readonly by: NumberedBy; readonly most: number; readonly log: Log },
): Promise<NumbersResult> {
  const all = new Map<string, Evaluation>();
  const unreadable: UnreadableTrace[] = [];
  let judgments = 0;
  let isPart = false;
  for await (const { trace, label } of listKept(traces, labels)) {
    if ('unreadable' in trace) {
      unreadable.push(trace);
      continue;
    }
    if (judgments === most) {
      isPart = true;
      break;
    }
    judgments++;
    add(all, trace, label, by);
  }
  logUnreadable(log, '/remand/numbers', unreadable);
  return { judgments, unreadable: unreadable.length, isPart, figures: [...all.values()].flatMap(figuresOf) };
}

function add(all: Map<string, Evaluation>, trace: Trace, label: Label | null, by: NumberedBy): void {
  const [before, after] = recordBoth(trace, label);
  if (!before || !after) return;
  const { judge, fingerprint } = trace;
  const form = fingerprint?.form ?? `on ${trace.case.options.length}`;
  const requests = by === 'form' ? form : (fingerprint?.template ?? `no template, ${form}`);
  const key = JSON.stringify([judge, requests, Object.keys(before).filter((name) => KINDS.has(name))]);
  const one = all.get(key) ?? { judge, requests, first: [], sent: [], turnedRight: 0, turnedWrong: 0 };
  all.set(key, one);
  const common = {
    item: trace.id,
    judge,
    group: trace.id,
    subgroup: null,
    label: before.label ?? null,
    random: before.random ?? true,
  };
  one.first.push({ ...common, draws: [before] });
  one.sent.push({ ...common, draws: [after] });
  if (!label?.random) return;
  one.turnedRight += Number(!label.before && isSentRight(label));
  one.turnedWrong += Number(label.before && !isSentRight(label));
}

/** Fields of a record that say what kind of verdict it is: a judge that gives two kinds gives two figures. */
const KINDS: ReadonlySet<string> = new Set(['choice', 'score', 'scores', 'pass', 'category']);

function figuresOf({ judge, requests, first, sent, ...turned }: Evaluation): ReportedFigure[] {
  const categories = new Set([...first, ...sent].flatMap(({ draws }) => draws[0]?.category ?? []));
  const counted = categories.size === 0 ? [null] : [...categories].sort();
  return counted.flatMap((category) => {
    const estimate = (items: JudgedItem[]) =>
      estimateRates(new Map([[judge, items]]), [], category === null ? {} : { category })[0];
    const [before, after] = [estimate(first), estimate(sent)];
    return before && after ? [{ judge, requests, category, first: before, sent: after, ...turned }] : [];
  });
}
