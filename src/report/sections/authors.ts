/** Whether a reviewer follows the author: hard against soft ratings, by dimension, group and institution. */
import { html } from 'hono/html';
import { figure } from '../chart.ts';
import { type Bar, heatmap, shareBars } from '../charts.ts';
import type { AuthorsResult } from '../results.ts';
import type { Section } from '../section.ts';
import { type Html, isSandbox, judgeName, none, percent, pValue, table } from '../words.ts';

type Finding = AuthorsResult['findings'][number];
const MEASURES = ['hard', 'soft'] as const;

export function authorsSection({ findings, verdicts, threshold }: AuthorsResult): Section {
  const bars = findings.flatMap((finding) =>
    MEASURES.map(
      (measure): Bar => ({
        group: `${judgeName(finding.judge)}: ${finding.dimension}`,
        name: `${measure}: "${finding.sides[0]}" wins`,
        value: finding[measure]?.win ?? null,
        interval: null,
        kind: measure === 'hard' ? 'first' : 'second',
      }),
    ),
  );
  return {
    title: 'Whether reviews follow the author',
    verdict: [
      ...verdicts.map(({ verdict }) => html`${verdict}`),
      ...(findings.some(({ judge }) => isSandbox(judge))
        ? [html`The sandbox judge is a <strong>simulation</strong>.`]
        : []),
    ],
    body: [
      ...(bars.length > 0
        ? [
            figure(
              shareBars(bars, {
                title: 'Pairs won, hard against soft.',
                caption:
                  'Share of pairs of reviews of one paper in which the first profile is rated higher. Pale: the number that was written. ' +
                  'Full: the expectation over the numbers that could have been. A gap is a leaning that the numbers hide.',
              }),
            ),
          ]
        : []),
      ...findings.flatMap(institutions),
      ratesTable(findings),
      html`<p class="faint">Flips: pairs in which one profile alone reaches ${threshold}. p: Wilcoxon's signed-rank test over papers,
after Holm's correction for all comparisons of the run.</p>`,
    ],
  };
}

/** Institutions against each other, by the soft rating where there is one. */
function institutions({ judge, heatmap: cells, soft, hard, sides }: Finding): Html[] {
  if (!cells) return [];
  const measure = soft ? 'soft' : 'hard';
  if (!soft && !hard) return [];
  const drawn = cells.rows.flatMap((row, at) =>
    cells.columns.map((column, beside) => {
      const { win = null, lose = null } = cells[measure][at]?.[beside] ?? {};
      const net = win === null || lose === null ? null : win - lose;
      return { row, column, strength: net, text: net === null ? 'no pairs' : (100 * net).toFixed(0) };
    }),
  );
  return [
    figure(
      heatmap(drawn, {
        title: `${judgeName(judge)}: institutions against each other, ${measure}.`,
        caption: `Pairs won less pairs lost, in points of 100: "${sides[0]}" (rows) against "${sides[1]}" (columns).`,
      }),
    ),
  ];
}

function ratesTable(findings: readonly Finding[]): Html {
  const share = (value: number | null) => (value === null ? none('no pairs') : percent(value));
  return table(
    [
      'judge',
      'pairs of',
      'rating',
      'among',
      'pairs',
      'wins',
      'loses',
      'ties',
      'mean',
      'flips up',
      'flips down',
      'p',
    ],
    findings.flatMap((finding) =>
      MEASURES.flatMap((measure) =>
        Object.entries(finding.groups).flatMap(([group, both]) => {
          const rates = both[measure];
          if (rates.pairs === 0) return [];
          const tested = group === 'all' ? finding[measure] : null;
          return [
            [
              ...[judgeName(finding.judge), finding.sides.join(' / '), measure, group, rates.pairs],
              ...[share(rates.win), share(rates.lose), share(rates.tie), rates.mean?.toFixed(2) ?? ''],
              ...[rates.raised, rates.lowered, tested ? pValue(tested.p_holm) : ''],
            ],
          ];
        }),
      ),
    ),
  );
}
