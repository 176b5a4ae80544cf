/** How often judges are biased, by bias. */
import { html } from 'hono/html';
import { type Bar, renderHeatmap, renderShareBars } from '../charts.ts';
import {
  formatCount,
  formatPercent,
  isSandbox,
  nameJudge,
  type ReportSection,
  renderColumns,
  renderShareCell,
  renderTable,
} from '../report-words.ts';
import type { RatesResult } from '../results.ts';

export function renderRatesSection({ labelled, unlabelled, rates }: RatesResult): ReportSection {
  const known = rates.filter((rate) => rate.share !== null && rate.interval !== null);
  const highest = known.toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0))[0];
  const gone = Object.entries(unlabelled);
  const name = (rate: RatesResult['rates'][number]) => `${rate.bias}${rate.twin ? ' twin' : ''}`;
  const bars = rates.map(
    (rate): Bar => ({
      group: nameJudge(rate.judge),
      name: `${name(rate)} (${rate.n})`,
      value: rate.share,
      interval: rate.interval,
      kind: rate.twin ? 'first' : 'second',
    }),
  );
  return {
    title: 'How often judges are biased',
    findings: [
      highest?.share === undefined || highest.share === null || highest.interval === null
        ? html`No pair could be labelled: how often judges are biased is not known.`
        : html`Most often biased: ${nameJudge(highest.judge)} by ${name(highest)}, in ${formatPercent(highest.share)} of ${formatCount(highest.n, 'pair')}
(95%: ${formatPercent(highest.interval.low)} to ${formatPercent(highest.interval.high)}).`,
    ],
    isSimulated: rates.some(({ judge }) => isSandbox(judge)),
    chart: renderShareBars(bars, {
      title: 'Share of biased verdicts.',
      caption:
        'Right without the bias and wrong with it. In brackets: labelled pairs. Pale: twins, where the bias speaks for the right answer. Whiskers: 95%.',
    }),
    parts: [
      {
        heading: 'By judge and bias',
        body: [
          renderHeatmap(
            rates.map((rate) => ({
              row: nameJudge(rate.judge),
              column: name(rate),
              strength: rate.share === null ? null : -2 * rate.share,
              text: rate.share === null ? 'no pairs' : `${formatPercent(rate.share)}\nn ${rate.n}`,
            })),
            { title: 'The same at a glance.', caption: 'Share of biased verdicts.' },
          ),
          renderColumns(rates, {
            judge: ({ judge }) => nameJudge(judge),
            bias: name,
            pairs: ({ n }) => n,
            biased: ({ biased }) => biased,
            share: ({ share, interval }) => renderShareCell(share, interval, 'no labelled pairs'),
            'right without the bias': (rate) => rate.right_in_d,
          }),
          html`<p class="faint">${formatCount(labelled, 'pair')} labelled. Intervals: Wilson, 95%. The denominator is all labelled pairs; only those
right without the bias could have been turned.</p>`,
        ],
      },
      {
        heading: 'What was not labelled',
        body: [renderTable(['because', 'pairs'], gone)],
      },
    ],
  };
}
