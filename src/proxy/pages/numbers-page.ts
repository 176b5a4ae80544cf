/**
 * The figure to report, three times side by side: from the judge's first verdicts, from those that went out, and corrected by
 * people's labels. As a page, JSON (`?format=json`) and CSV (`?format=csv`).
 */
import { Hono } from 'hono';
import { html } from 'hono/html';
import * as z from 'zod';
import { ESTIMATE_COLUMNS, estimateRow, type RateEstimate } from '../../evaluate/estimate/estimate-rate.ts';
import type { Prices } from '../../models/index.ts';
import type { ResultOrigin } from '../../report/index.ts';
import type { Interval } from '../../stats/index.ts';
import { VERSION } from '../../version.ts';
import type { CallerEnv } from '../access/pages.ts';
import {
  measureNumbers,
  NUMBERED_BY,
  type ReportedFigure,
  type ReportedNumbers,
} from '../labels/measure-numbers.ts';
import { FIRST_VERDICT, WHAT_WENT_OUT } from '../labels/trace-records.ts';
import type { Ports } from '../proxy-ports.ts';
import { takeQuery } from '../query.ts';
import { type PageHtml, prefersHtml, renderPage } from './page.ts';

/** Judgments looked at: each is read from the store. */
const USUAL = 400;
const MOST = 10_000;

const numbersQuery = takeQuery({
  limit: z.coerce.number().pipe(z.int().min(1).max(MOST)).default(USUAL),
  by: z.enum(NUMBERED_BY).default('form'),
  format: z.enum(['json', 'csv']).optional(),
});

export function createNumbersRoutes({ traces, labels, clock }: Ports, prices: Prices): Hono<CallerEnv> {
  return new Hono<CallerEnv>().get('/', numbersQuery, async (c) => {
    const { by, limit, format } = c.req.valid('query');
    c.header('vary', 'accept');
    const numbers = traces
      ? await measureNumbers(traces, labels, { by, most: limit })
      : { judgments: 0, isPart: false, figures: [] };
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
  { figures }: ReportedNumbers,
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
async function formatCsv({ figures }: ReportedNumbers): Promise<string> {
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

function renderNumbers({ figures, judgments, isPart }: ReportedNumbers): PageHtml {
  if (figures.length === 0)
    return html`<h1>No numbers yet</h1><p>They come from judgments that are kept here, with a verdict in them. Send some through Remand.</p>`;
  return html`<h1>Numbers</h1>
<p>The figure to report, three times: from the judge's first verdicts, from those that went out, and corrected by people's labels.
From ${isPart ? html`the latest ${judgments} judgments (<a href="/remand/numbers?limit=${MOST}">more</a>)` : html`${judgments} judgments`}.
Requests are grouped by the form of the verdict; group them <a href="/remand/numbers?by=template">by template</a>.
Download <a href="/remand/numbers?format=json">JSON</a> or <a href="/remand/numbers?format=csv">CSV</a>.</p>
${figures.map(renderFigure)}
<p class="faint">A win rate is that of the text that the client put first; a tie counts half. Below each figure stands its 95% interval. The interval of the judge alone
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
<table class="list"><thead><tr><th>verdicts</th><th class="number">judged</th><th>the judge alone</th><th>corrected${labelled === 0 ? '' : ` by ${labelled} ${labelled === 1 ? 'label' : 'labels'}`}</th><th class="number">agrees with people</th></tr></thead>
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
  const say = (value: number) => (isScore ? value.toFixed(2) : `${(100 * value).toFixed(1)}%`);
  const range = (value: number, { low, high }: Interval) =>
    html`${say(value)} <span class="faint range">${say(low)} to ${say(high)}</span>`;
  return html`<tr><td>${name}</td><td class="number" data-label="judged">${judged}</td><td data-label="the judge alone">${range(raw, rawInterval)}</td>
<td data-label="corrected">${corrected.value === null ? corrected.reason : range(corrected.value, corrected.interval)}</td>
<td class="number" data-label="agrees with people">${agreement === null ? '–' : `${(100 * agreement).toFixed(1)}%`}</td></tr>`;
}
