/** Report cards of judges side by side: each check against its limit, and what to do about it. */
import { html } from 'hono/html';
import { type Cell, renderHeatmap } from '../charts.ts';
import {
  formatCount,
  formatPercent,
  isSandbox,
  nameJudge,
  nameSome,
  type ReportSection,
  renderColumns,
  renderDropped,
  renderNone,
  renderShareCell,
  renderTable,
} from '../report-words.ts';
import type { CardResult, CheckedFigure } from '../results.ts';

/** An effect may go either way. */
export function formatLimit({ kind, limit }: Pick<CheckedFigure, 'kind' | 'limit'>): string {
  return `${kind === 'least' ? 'at least ' : kind === 'effect' ? 'at most ±' : 'at most '}${formatPercent(limit)}`;
}

export function renderCardSection({ cards, dropped }: CardResult): ReportSection {
  const names = cards[0]?.checks ?? [];
  return {
    title: cards.length === 1 ? 'Report card' : 'Report cards',
    findings: cards.map(({ judge, checks, cases }) => {
      const beyond = checks.filter(({ state }) => state === 'beyond').map(({ name }) => name);
      const unclear = checks.filter(({ state }) => state === 'unclear').length;
      const open =
        unclear > 0 ? ` ${formatCount(unclear, 'check')} ${unclear === 1 ? 'is' : 'are'} unclear.` : '';
      return beyond.length === 0
        ? html`${nameJudge(judge)}: nothing is beyond its limit on ${formatCount(cases, 'case')}.${open}`
        : html`${nameJudge(judge)}: beyond its limit on ${formatCount(cases, 'case')}: <strong class="loss">${nameSome(beyond)}</strong>.${open}`;
    }),
    isSimulated: cards.some(({ judge }) => isSandbox(judge)),
    chart: drawChecks(cards),
    parts: [
      {
        heading: 'Check by check',
        body: [
          renderTable(
            ['check', 'limit', ...cards.map(({ judge }) => nameJudge(judge))],
            names.map(({ name, kind, limit }, n) => [
              name,
              formatLimit({ kind, limit }),
              ...cards.map(({ checks }) => {
                const check = checks[n];
                if (!check || check.value === null) return renderNone('not measured');
                const figure = renderShareCell(check.value, check.interval, '');
                if (check.state === 'beyond')
                  return html`${figure}<strong class="loss">beyond its limit</strong>`;
                return check.state === 'unclear'
                  ? html`${figure}${renderNone('unclear: more cases would tell')}`
                  : figure;
              }),
            ]),
          ),
          html`<p class="faint">Beyond its limit: with the whole 95% interval; of biases also with p ≤ 0.05 after Holm's correction.
Unclear: the interval holds the limit. An effect is 0 for a fair judge. It is 50% for one that always follows and is right of half the
clean cases.</p>`,
        ],
      },
      {
        heading: 'What each check measures',
        body: [
          renderTable(
            ['check', 'measures', 'not measured, because'],
            names.map(({ name, about }, n) => [
              name,
              about,
              [...new Set(cards.flatMap(({ checks }) => checks[n]?.reason ?? []))].join('; '),
            ]),
          ),
        ],
      },
      {
        heading: 'Agreement, cost and time',
        body: [
          renderColumns(cards, {
            judge: ({ judge }) => nameJudge(judge),
            cases: (one) => one.cases,
            'kappa with labels': ({ kappa, kappa_interval: between }) =>
              kappa === null
                ? renderNone('none')
                : `${kappa.toFixed(2)}${between ? ` [${between.low.toFixed(2)}, ${between.high.toFixed(2)}]` : ''}`,
            'tokens in': ({ tokens }) => (tokens ? Math.round(tokens.input) : renderNone('not counted')),
            'tokens out': ({ tokens }) => (tokens ? Math.round(tokens.output) : renderNone('not counted')),
            'price of 1,000 verdicts': (one) =>
              one.price_per_1000?.toFixed(2) ?? renderNone('no price is known'),
            'seconds a call': ({ seconds }) => seconds?.toFixed(1) ?? renderNone('not measured'),
          }),
        ],
      },
      ...cards.flatMap(({ judge, checks, settings }) => {
        const beyond = checks.filter(({ state }) => state === 'beyond');
        if (beyond.length === 0) return [];
        const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
        return [
          {
            heading: `What to do about ${nameJudge(judge)}`,
            body: [
              html`<ul>${beyond.map(({ name, advice }) => html`<li>${name}: ${advice ?? 'no setting helps'}.</li>`)}</ul>
${lines.length > 0 ? html`<p>In the settings of Remand:</p><div class="text" tabindex="0">${lines.join('\n')}</div>` : ''}`,
            ],
          },
        ];
      }),
      renderDropped('check', dropped),
    ],
  };
}

/** How strong a check's colour is, and which. */
const STRENGTHS = { beyond: -0.9, unclear: -0.25, within: 0.4 } as const;

function drawChecks(cards: CardResult['cards']) {
  const cells = cards.flatMap(({ judge, checks }) =>
    checks.map(
      ({ name, value, state }): Cell => ({
        row: name,
        column: nameJudge(judge),
        strength: value === null || state === 'not measured' ? null : STRENGTHS[state],
        text: value === null ? 'not measured' : `${formatPercent(value)}\n${state}`,
      }),
    ),
  );
  return renderHeatmap(cells, {
    title: 'Each check against its limit.',
    caption: 'The figure, and whether it is within or beyond its limit. Unclear: more cases would tell.',
  });
}
