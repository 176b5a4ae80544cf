/** What changed papers, reviews and rebuttals do to a judge: arrows, acceptance, transitions, and the cases behind them. */
import { html } from 'hono/html';
import { type Bar, type Cell, HALF, renderHeatmap, renderShareBars } from '../charts.ts';
import {
  formatCount,
  formatPoints,
  formatPValue,
  type Html,
  isSandbox,
  nameJudge,
  type RenderCases,
  type ReportSection,
  renderColumns,
  renderNone,
  renderRangeCell,
  renderShareCell,
  renderTable,
  renderVerdicts,
  type Sentence,
} from '../report-words.ts';
import type { PerturbResult } from '../results.ts';

type Comparison = PerturbResult['comparisons'][number];
type Decided = PerturbResult['decided'][number];
type At = Pick<Comparison, 'judge' | 'role' | 'mode'>;

const SIGN = { raised: '↑', lowered: '↓', same: '=', undecided: '?' } as const;

export function renderPerturbSection(result: PerturbResult, casesOf: RenderCases): ReportSection {
  const { comparisons, decided, verdicts, threshold, margins } = result;
  const groups = Map.groupBy(decided, groupOf);
  return {
    title: 'What changed papers, reviews and rebuttals do to a judge',
    findings: summarise(comparisons),
    isSimulated: decided.some(({ judge }) => isSandbox(judge)),
    chart: overview(comparisons),
    parts: [
      renderVerdicts(verdicts),
      {
        heading: 'Every comparison',
        body:
          comparisons.length === 0
            ? []
            : [
                arrows(comparisons),
                html`<p class="faint">Arrows: Wilcoxon's signed-rank test over submissions, after Holm's correction for all comparisons of a judge.
Where it finds nothing: two one-sided t-tests, corrected likewise. They look within ±${margins.overall} points of the overall score, and
within ±${margins.dimension} of a dimension or a decision (reject 0, poster 1, spotlight 2, oral 3).</p>`,
              ],
      },
      ...[...groups].map(([group, own]) => ({
        heading: nameJudge(group),
        body: [
          acceptance(own),
          html`<h4>Transitions of decisions</h4><div class="pair">${own.filter(({ n }) => n > 0).map(transitions)}</div>`,
          kappas(own),
          casesOf(group, 'The cases behind them'),
        ],
      })),
      {
        heading: 'What was changed',
        body: [
          ...made(result),
          html`<p class="faint">A reviewer accepts from ${threshold}. Intervals: 95%.</p>`,
        ],
      },
    ],
  };
}

/** The scores of a whole submission: of both a fair judge's answer is known whatever was changed. */
const isWhole = ({ measure }: Comparison) => measure === 'overall' || measure === 'decision';

/** In how many comparisons the judge did as a fair judge would, and the worst of the others against its margin. */
function summarise(comparisons: readonly Comparison[]): Sentence[] {
  // Of an aspect alone only what is shown says that something was expected.
  const known = comparisons.filter((one) => isWhole(one) || one.fair !== null);
  if (known.length === 0) return [html`No pair of judgments could be read: there is nothing to tell.`];
  const [unfair, fair] = [known.filter((one) => one.fair === false), known.filter((one) => one.fair)];
  const open = known.length - unfair.length - fair.length;
  const extent = ({ difference, margin, observed }: Comparison) =>
    observed === 'same' ? 0 : Math.abs(difference) / margin;
  const [worst] = unfair.toSorted((a, b) => extent(b) - extent(a));
  return [
    unfair.length === 0
      ? html`Of ${formatCount(known.length, 'comparison')}, <strong>none was shown to be unfair</strong>.`
      : html`In <strong class="loss">${unfair.length} of ${formatCount(known.length, 'comparison')}</strong> the judge was unfair.`,
    worst &&
      html`The largest: ${nameJudge(worst.judge)} as ${worst.role}, ${worst.perturbation}, ${signed(worst.difference)} points of ${nameScore(worst)}.`,
    html`In ${fair.length} the judge did as a fair judge would, and in ${open} nothing was shown.`,
  ];
}

/** `the overall score`, `the decision`, `soundness` */
function nameScore({ measure }: Comparison): string {
  return measure === 'overall' ? 'the overall score' : measure === 'decision' ? 'the decision' : measure;
}

/** As the cases name it. */
function groupOf({ judge, role, mode }: At): string {
  return `${judge}, ${role}, ${mode}`;
}

/** Perturbations against roles, ways of prompting, and the overall score and the decision: the whole audit at a glance. */
function overview(comparisons: readonly Comparison[]): Html | '' {
  const ways = new Set(comparisons.map(({ mode }) => mode)).size;
  const judges = new Set(comparisons.map(({ judge }) => judge)).size;
  const cells = comparisons.filter(isWhole).map(
    (one): Cell => ({
      row: `${judges > 1 ? `${nameJudge(one.judge)}: ` : ''}${one.perturbation}`,
      column: `${one.role}${ways > 1 ? `, ${one.mode}` : ''}: ${one.measure}`,
      strength: one.fair === null ? null : one.fair ? 0.5 : -0.9,
      text: `${SIGN[one.observed]} ${signed(one.difference)}\n${one.fair === null ? 'not shown' : one.fair ? 'fair' : 'unfair'}`,
    }),
  );
  return renderHeatmap(cells, {
    title: 'The overall score and the decision, and whether a fair judge would have done so.',
    caption:
      'Mean difference in points: of 10, or of a decision from 0 (reject) to 3 (oral). ↑ raised, ↓ lowered, = the same within the margin, ? not shown either way.',
  });
}

function arrows(comparisons: readonly Comparison[]): Html | '' {
  return renderColumns(comparisons, {
    judge: ({ judge }) => nameJudge(judge),
    role: ({ role }) => role,
    way: ({ mode }) => mode,
    'what was seen': ({ observed, arrow }) => `${SIGN[observed]} ${arrow}`,
    'against a fair judge': ({ fair, fairness }) =>
      fair === false ? html`<strong class="loss">${fairness}</strong>` : fairness,
    before: ({ before }) => before.toFixed(2),
    after: ({ after }) => after.toFixed(2),
    difference: ({ difference, interval }) =>
      renderRangeCell(
        signed(difference),
        interval ? `[${signed(interval.low)}, ${signed(interval.high)}]` : 'all alike',
      ),
    p: (one) => formatPValue(one.p_holm),
    pairs: ({ n }) => n,
  });
}

function acceptance(own: readonly Decided[]) {
  const bars = own.flatMap(({ perturbation: group, acceptance: of, n }): Bar[] => [
    { group, name: `as it was (${n})`, value: of.before, interval: of.before_interval, kind: 'first' },
    { group, name: `changed (${n})`, value: of.after, interval: of.after_interval, kind: 'second' },
  ]);
  return renderShareBars(bars, {
    title: 'Accepted papers.',
    caption:
      'In brackets: submissions judged both ways. Pale: as they were; full: with the change. Whiskers: 95%.',
  });
}

function transitions({ perturbation, transitions: { names, counts } }: Decided): Html | '' {
  const cells = names.flatMap((from, row) => {
    const of = (counts[row] ?? []).reduce((sum, one) => sum + one, 0);
    return names.map((to, column): Cell => {
      const count = counts[row]?.[column] ?? 0;
      const share = of === 0 ? null : count / of;
      const strength = share === null ? null : row === column ? share / 2 : column < row ? -share : share;
      return {
        row: from,
        column: to,
        strength,
        text: count === 0 ? '0' : `${count}\n${(100 * (share ?? 0)).toFixed(0)}%`,
      };
    });
  });
  return renderHeatmap(
    cells,
    {
      title: `${perturbation}.`,
      caption: 'Names beside the cells: as it was. Names above them: with the change.',
    },
    HALF,
  );
}

function kappas(own: readonly Decided[]): Html | '' {
  const why = ({ reason }: Decided['acceptance']) => reason ?? 'no pairs';
  return renderColumns(own, {
    perturbation: ({ perturbation }) => perturbation,
    pairs: ({ n }) => n,
    accepted: ({ acceptance: of }) => renderShareCell(of.before, of.before_interval, why(of)),
    'with the change': ({ acceptance: of }) => renderShareCell(of.after, of.after_interval, why(of)),
    change: ({ acceptance: { change } }) => rangeCell(change, formatPoints),
    "Cohen's kappa of decisions": ({ kappa }) => rangeCell(kappa, (value) => signed(value).replace('+', '')),
    'not read': ({ unread }) => unread,
    failed: ({ failed }) => failed,
  });
}

function rangeCell(of: Decided['kappa'], format: (value: number) => string): Html {
  if (of.value === null) return renderNone(of.reason);
  return renderRangeCell(format(of.value), `[${format(of.interval.low)}, ${format(of.interval.high)}]`);
}

/** What was made, what not and why, and what was never judged. */
function made({ perturbations, unfit, judgments, unread, failed }: PerturbResult): (Html | '')[] {
  const list = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .map(([reason, count]) => `${count}: ${reason}`)
      .join('; ');
  const left = [
    ...Object.entries(unfit).map(([role, of]) => [`not judged by the ${role}`, list(of)]),
    ...(Object.keys(unread).length > 0 ? [['not read', list(unread)]] : []),
    ...(failed > 0 ? [['failed', String(failed)]] : []),
  ];
  return [
    renderTable(
      ['perturbation', 'made', 'not made, and why', 'edits refused'],
      Object.entries(perturbations).map(([name, of]) => [name, of.made, list(of.dropped), list(of.refused)]),
    ),
    renderTable(['judgments without a figure', 'how many, and why'], left),
    html`<p class="faint">${formatCount(judgments, 'judgment')} in all.</p>`,
  ];
}

function signed(value: number): string {
  const text = Math.abs(value).toFixed(2);
  return Number(text) === 0 ? '0.00' : `${value < 0 ? '−' : '+'}${text}`;
}
