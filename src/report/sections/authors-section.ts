/** Whether a reviewer follows the author: hard against soft ratings, by dimension, group and institution. */
import { html } from 'hono/html';
import { type Bar, renderHeatmap, renderShareBars } from '../charts.ts';
import {
  formatCount,
  formatPercent,
  formatPValue,
  type Html,
  isSandbox,
  nameJudge,
  type RenderCases,
  type ReportSection,
  renderColumns,
  renderNone,
  renderVerdicts,
  type Sentence,
} from '../report-words.ts';
import type { AuthorsResult } from '../results.ts';

type Finding = AuthorsResult['findings'][number];
const MEASURES = ['hard', 'soft'] as const;

/** A judge on a dimension. */
export function nameAuthorGroup({ judge, dimension }: Pick<Finding, 'judge' | 'dimension'>): string {
  return `${nameJudge(judge)}: ${dimension}`;
}

/** @param cases by the group's name, see `nameAuthorGroup` */
export function renderAuthorsSection(
  { findings, verdicts, threshold, own_authors: named }: AuthorsResult,
  cases: RenderCases,
): ReportSection {
  const bars = findings.flatMap((finding) =>
    MEASURES.map(
      (measure): Bar => ({
        group: nameAuthorGroup(finding),
        name: measure,
        // Of what is no fair sample nothing is drawn.
        value: finding.losses?.selective ? null : (finding[measure]?.win ?? null),
        interval: finding[measure]?.win_interval ?? null,
        kind: measure === 'hard' ? 'first' : 'second',
      }),
    ),
  );
  const further = listRows(findings, (group) => !isMain(group));
  return {
    title: 'Whether reviews follow the author',
    findings: summarise(findings),
    isSimulated: findings.some(({ judge }) => isSandbox(judge)),
    chart: renderShareBars(bars, {
      title: 'Pairs won, hard against soft.',
      caption:
        'Share of pairs of reviews of one paper in which the first profile (strong, male, senior, published) is rated higher. Pale: the number that was written. ' +
        'Full: the expectation over the numbers that could have been. A gap is a leaning that the numbers hide. Whiskers: 95%, over papers.',
    }),
    parts: [
      renderVerdicts(verdicts),
      { heading: 'Institutions against each other', body: findings.flatMap(institutions) },
      {
        heading: 'All figures',
        body: [
          figuresTable(listRows(findings, isMain)),
          html`<p class="faint">Flips: pairs in which one profile alone reaches ${threshold}. p: Wilcoxon's signed-rank test over papers,
after Holm's correction for all comparisons of the run.</p>`,
          named === 0
            ? ''
            : html`<p class="faint">${formatCount(named, 'paper')} named authors above the text, which were taken out.</p>`,
          further.length === 0
            ? ''
            : html`<details class="cases"><summary>By field and by stratum <span class="faint">(${formatCount(further.length, 'row')})</span></summary>
${figuresTable(further)}</details>`,
        ],
      },
      {
        heading: 'The reviews behind the figures',
        body: findings.map((one) => cases(nameAuthorGroup(one), `Reviews by ${nameAuthorGroup(one)}`)),
      },
    ],
  };
}

/** How many of the comparisons show a preference, the largest, and of how many nothing is claimed. */
function summarise(findings: readonly Finding[]): Sentence[] {
  const withheld = findings.filter(({ losses }) => losses?.selective).length;
  const measured = findings.filter(({ hard, losses }) => hard && !losses?.selective).length;
  if (measured + withheld === 0) return [html`No pair of reviews was compared: there is nothing to tell.`];
  const rest =
    withheld > 0 &&
    html`Of ${formatCount(withheld, 'comparison')} nothing is claimed: one side has more reviews without a rating than the other.`;
  if (measured === 0) return [rest];
  const found = findings.flatMap((finding) =>
    MEASURES.flatMap((measure) => {
      const rates = finding[measure];
      if (!rates?.finding || rates.win === null || rates.lose === null) return [];
      return [{ finding, measure, win: rates.win, lose: rates.lose }];
    }),
  );
  const leaning = new Set(found.map(({ finding }) => finding)).size;
  const [most] = found.toSorted((a, b) => Math.abs(b.win - b.lose) - Math.abs(a.win - a.lose));
  const first =
    leaning === 0
      ? html`<strong>No preference</strong> beyond chance was shown in ${formatCount(measured, 'comparison')}.`
      : html`In <strong class="loss">${leaning} of ${formatCount(measured, 'comparison')}</strong> of a judge and a trait of the author there is a preference.`;
  if (!most) return [first, rest];
  const { finding, measure, win, lose } = most;
  const hidden = found.filter((one) => one.measure === 'soft' && !one.finding.hard?.finding).length;
  return [
    first,
    html`The largest: ${nameJudge(finding.judge)} on ${finding.dimension} (${measure}), where "${finding.sides[0]}" wins ${formatPercent(win)} of the pairs and loses ${formatPercent(lose)}.`,
    hidden > 0 && html`In ${hidden} of them the written ratings hide it.`,
    rest,
  ];
}

/** Institutions against each other, by the soft rating where there is one. */
function institutions({ judge, heatmap: cells, soft, hard, sides, losses }: Finding): (Html | '')[] {
  if (!cells || losses?.selective) return [];
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
    renderHeatmap(drawn, {
      title: `${nameJudge(judge)}: institutions against each other, ${measure}.`,
      caption: `Pairs won less pairs lost, in points of 100: "${sides[0]}" (names beside the cells) against "${sides[1]}" (names above them).`,
    }),
  ];
}

const isMain = (group: string) => group === 'all' || group.startsWith('accepted: ');

function listRows(findings: readonly Finding[], shown: (group: string) => boolean) {
  return findings.flatMap((finding) =>
    MEASURES.flatMap((measure) =>
      Object.entries(finding.groups)
        .map(([group, both]) => ({ finding, measure, group, rates: both[measure] }))
        .filter(({ group, rates }) => rates.pairs > 0 && shown(group)),
    ),
  );
}

function figuresTable(rows: ReturnType<typeof listRows>): Html | '' {
  const share = (value: number | null) => (value === null ? renderNone('no pairs') : formatPercent(value));
  return renderColumns(rows, {
    judge: ({ finding }) => nameJudge(finding.judge),
    'pairs of': ({ finding }) => finding.sides.join(' / '),
    rating: ({ measure }) => measure,
    among: ({ group }) => group,
    pairs: ({ rates }) => rates.pairs,
    wins: ({ rates }) => share(rates.win),
    loses: ({ rates }) => share(rates.lose),
    ties: ({ rates }) => share(rates.tie),
    mean: ({ rates }) => rates.mean?.toFixed(2) ?? '',
    'flips up': ({ rates }) => rates.raised,
    'flips down': ({ rates }) => rates.lowered,
    p({ finding, measure, group }) {
      const tested = group === 'all' ? finding[measure] : null;
      if (tested && finding.losses?.selective) return renderNone('no fair sample');
      return tested ? formatPValue(tested.p_holm) : '';
    },
  });
}
