/** How far people agree with one another and with each judge, and what the labels so far settle. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { VerdictValue } from '../../case/index.ts';
import { cohensKappa, type Figure, type Kappa, noFigure } from '../../stats/index.ts';
import type { CallerEnv } from '../access/pages.ts';
import { decideLabel, groupLabels, type Label, listLabels } from '../labels/label.ts';
import { type RulingCount, readRulings } from '../labels/label-routes.ts';
import type { Ports } from '../proxy-ports.ts';
import { takeFormat } from '../query.ts';
import { type PageHtml, prefersHtml, renderPage } from './page.ts';

export function createAgreementRoutes({ labels }: Ports): Hono<CallerEnv> {
  return new Hono<CallerEnv>().get('/', takeFormat, async (c) => {
    const agreement = labels
      ? await measureAgreement(listLabels(labels))
      : { people: [], judges: [], open: 0 };
    const rulings = labels ? (await readRulings(labels)).list() : [];
    return prefersHtml(c)
      ? renderPage(c, 'Agreement', renderAgreement(agreement, rulings))
      : c.json({ ...agreement, rulings });
  });
}

function renderAgreement({ people, judges, open }: Agreement, rulings: readonly RulingCount[]): PageHtml {
  if (people.length + judges.length + open === 0)
    return html`<h1>No labels yet</h1><p>Label cases in the <a href="/remand/queue">queue</a>.</p>`;
  return html`<h1>Agreement</h1>
<p>Cohen's kappa: 1 is full agreement, 0 is what chance alone gives. Two scores agree only where they are equal.</p>
<h2>Judges and people</h2>
<table class="list"><thead><tr><th>judge</th><th class="number">labels</th><th>kappa, 95%</th><th class="number">drawn by chance</th><th>kappa of those, 95%</th></tr></thead>
<tbody>${judges.map(
    ({ judge, n, kappa, drawn }) =>
      html`<tr><td>${judge}</td><td class="number" data-label="labels">${n}</td><td data-label="kappa, 95%">${formatKappa(kappa)}</td><td class="number" data-label="drawn by chance">${drawn.n}</td><td data-label="kappa of those">${formatKappa(drawn.kappa)}</td></tr>`,
  )}</tbody></table>
<p class="faint">The verdicts are those that went out: what Remand changed counts as changed. <a href="/remand/numbers">Numbers</a> has the judges' first verdicts, too.</p>
<p class="faint">Only cases drawn by chance stand for all cases. The others were shown because the judge was unsure of them.</p>
${open === 0 ? '' : html`<p class="faint">Labels that leave open what is right: ${open}. They are not counted, so that kappa may be too high.</p>`}
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

// How far people agree with one another and with each judge, beyond what chance would give.

interface Agreement {
  /** Each two people who labelled the same cases. */
  readonly people: readonly {
    readonly first: string;
    readonly second: string;
    readonly n: number;
    readonly kappa: Figure<Kappa>;
  }[];
  /** Each judge with what most people say; `drawn` counts only cases that chance chose, which stand for all. */
  readonly judges: readonly {
    readonly judge: string;
    readonly n: number;
    readonly kappa: Figure<Kappa>;
    readonly drawn: { readonly n: number; readonly kappa: Figure<Kappa> };
  }[];
  /** Labels that are not in it: they say that a verdict is wrong, and leave open what is right. */
  readonly open: number;
}

/** Labels below which agreement says nothing. */
const LEAST = 10;

interface Pair {
  readonly first: VerdictValue;
  readonly second: VerdictValue;
  readonly random: boolean;
}

/** @param labels on each case side by side, as the store lists them */
async function measureAgreement(labels: AsyncIterable<Label>): Promise<Agreement> {
  const people = new Map<string, Pair[]>();
  const judges = new Map<string, Pair[]>();
  let open = 0;
  for await (const same of groupLabels(labels)) {
    open += same.filter(({ decision }) => decision === null).length;
    for (const [n, one] of same.entries())
      for (const other of same.slice(n + 1)) addPair(people, [one.who, other.who], one, other);
    const label = decideLabel(same);
    if (label) addPair(judges, [label.judge], label, { ...label, decision: label.judged });
  }
  return {
    people: [...people].map(([key, pairs]) => {
      const [first = '', second = ''] = JSON.parse(key);
      return { first, second, ...kappaOf(pairs) };
    }),
    judges: [...judges].map(([key, pairs]) => {
      const [judge = ''] = JSON.parse(key);
      return { judge, ...kappaOf(pairs), drawn: kappaOf(pairs.filter(({ random }) => random)) };
    }),
    open,
  };
}

function addPair(
  all: Map<string, Pair[]>,
  names: readonly string[],
  { decision: first, random }: Label,
  { decision: second }: Label,
): void {
  if (first === null || second === null) return;
  const key = JSON.stringify(names);
  const pairs = all.get(key) ?? [];
  all.set(key, pairs);
  pairs.push({ first, second, random });
}

const kappaOf = (pairs: readonly Pair[]) => ({
  n: pairs.length,
  kappa:
    pairs.length < LEAST
      ? noFigure(`too few: at least ${LEAST} are needed`)
      : cohensKappa(
          pairs.map(({ first }) => first),
          pairs.map(({ second }) => second),
        ),
});
