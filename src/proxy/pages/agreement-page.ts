/** How far people agree with one another and with each judge, and what the labels so far settle. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Figure, Kappa } from '../../stats/index.ts';
import type { CallerEnv } from '../access/pages.ts';
import { type RulingCount, readRulings } from '../labels/choose-case.ts';
import { listLabels } from '../labels/label.ts';
import { type Agreement, measureAgreement } from '../labels/measure-agreement.ts';
import type { Ports } from '../proxy-ports.ts';
import { takeFormat } from '../query.ts';
import { type PageHtml, prefersHtml, renderPage } from './page.ts';

export function createAgreementRoutes({ labels }: Ports): Hono<CallerEnv> {
  return new Hono<CallerEnv>().get('/', takeFormat, async (c) => {
    const agreement = labels ? await measureAgreement(listLabels(labels)) : { people: [], judges: [] };
    const rulings = labels ? (await readRulings(labels)).list() : [];
    return prefersHtml(c)
      ? renderPage(c, 'Agreement', renderAgreement(agreement, rulings))
      : c.json({ ...agreement, rulings });
  });
}

function renderAgreement({ people, judges }: Agreement, rulings: readonly RulingCount[]): PageHtml {
  if (people.length + judges.length === 0)
    return html`<h1>No labels yet</h1><p>Label cases in the <a href="/remand/queue">queue</a>.</p>`;
  return html`<h1>Agreement</h1>
<p>Cohen's kappa: 1 is full agreement, 0 is what chance alone gives. Two scores agree only where they are equal.</p>
<h2>Judges and people</h2>
<table class="list"><thead><tr><th>judge</th><th class="number">labels</th><th>kappa, 95%</th><th class="number">drawn by chance</th><th>kappa of those, 95%</th></tr></thead>
<tbody>${judges.map(
    ({ judge, n, kappa, drawn }) =>
      html`<tr><td>${judge}</td><td class="number" data-label="labels">${n}</td><td data-label="kappa, 95%">${formatKappa(kappa)}</td><td class="number" data-label="drawn by chance">${drawn.n}</td><td data-label="kappa of those">${formatKappa(drawn.kappa)}</td></tr>`,
  )}</tbody></table>
<p class="faint">Only cases drawn by chance stand for all cases. The others were shown because the judge was unsure of them.</p>
<h2>People</h2>
${
  people.length === 0
    ? html`<p>No case has labels of two people yet. A tenth of the cases is shown to a second person. Where no keys are in use, people give their names in the queue.</p>`
    : html`<table class="list"><thead><tr><th>first</th><th>second</th><th class="number">cases</th><th>kappa, 95%</th></tr></thead>
<tbody>${people.map(
        ({ first, second, n, kappa }) =>
          html`<tr><td>${first}</td><td data-label="second">${second}</td><td class="number" data-label="cases">${n}</td><td data-label="kappa, 95%">${formatKappa(kappa)}</td></tr>`,
      )}</tbody></table>`
}
<h2>Does sending back pay?</h2>
${
  rulings.length === 0
    ? html`<p>No verdict that was sent back has a label yet.</p>`
    : html`<table class="list"><thead><tr><th>judge</th><th>bias</th><th class="number">turned right</th><th class="number">turned wrong</th><th>state</th></tr></thead>
<tbody>${rulings.map(
        ({ judge, bias, better, worse, isOpen }) =>
          html`<tr><td>${judge}</td><td data-label="bias">${bias}</td><td class="number" data-label="turned right">${better}</td><td class="number" data-label="turned wrong">${worse}</td><td data-label="state">${isOpen ? html`<a href="/remand/queue?for=rulings">open: label more</a>` : 'settled'}</td></tr>`,
      )}</tbody></table>`
}`;
}

function formatKappa(kappa: Figure<Kappa>): string {
  if (kappa.value === null) return kappa.reason;
  const { low, high } = kappa.interval;
  return `${kappa.value.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}
