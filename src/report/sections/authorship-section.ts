/** Whether a review was written by a model: what is found at which price, how far promises hold, and the drawings of it. */

import * as Plot from '@observablehq/plot';
import { html } from 'hono/html';
import { type Drawing, HALF, renderDrawing } from '../charts.ts';
import {
  formatCount,
  formatPercent,
  formatPValue,
  type Html,
  type ReportSection,
  renderColumns,
  renderNone,
  renderRangeCell,
  renderShareCell,
  renderTable,
  type Sentence,
} from '../report-words.ts';
import type { AuthorshipResult } from '../results.ts';

/** Lines that one drawing can bear. */
const MOST_LINES = 12;

export function renderAuthorshipSection(result: AuthorshipResult): ReportSection {
  const { methods, inflation } = result;
  const drawn = methods.filter(({ curve }) => curve.length > 0).slice(0, MOST_LINES);
  const targets = [...new Set(methods.flatMap((one) => one.targets.map(({ target }) => target)))];
  const letters = html`<p class="faint">${drawn.map(
    ({ method, auc, bounded }, at) =>
      html`<strong>${toLetter(at)}</strong> ${method}${auc.value === null ? '' : html` (AUC ${auc.value.toFixed(3)})`}${bounded ? ', worst case' : ''}. `,
  )}</p>`;
  const [whole, leftEnd] = drawn.length === 0 ? [null, null] : drawRocs(drawn, targets);
  return {
    title: "Whether reviews read like a model's",
    findings: summarise(result),
    chart: leftEnd ? html`${renderDrawing(leftEnd)}${letters}` : '',
    parts: [
      {
        heading: 'What is found, and what it costs',
        body: [whole ? renderDrawing(whole) : '', found(methods)],
      },
      {
        heading: 'Scores of people and of models',
        body: [
          html`<div class="pair">${drawn.flatMap((one) => {
            const drawing = drawSimilarities(one);
            return drawing ? [renderDrawing(drawing)] : [];
          })}</div>`,
        ],
      },
      { heading: `The vote of ${result.vote?.methods.length ?? 0} anchors`, body: voteTable(result) },
      { heading: 'Lines drawn on one venue, held against another', body: transferTable(result) },
      { heading: 'Between people and models', body: kindsTable(result) },
      { heading: 'Ratings of the same papers', body: inflation.length === 0 ? [] : ratings(inflation) },
      { heading: 'How to read the figures', body: [notes(result)] },
    ],
  };
}

/** The best method under the strictest promise, and which promises hold. */
function summarise({ methods, transfers }: AuthorshipResult): Sentence[] {
  const all = methods.flatMap(({ method, targets }) => targets.map((at) => ({ method, ...at })));
  const usable = all.filter(({ refused, tpr }) => refused === null && tpr.share !== null);
  const strictest = Math.min(...usable.map(({ target }) => target));
  const own = usable.filter(({ target }) => target === strictest);
  const [best] = own.toSorted((a, b) => (b.tpr.share ?? 0) - (a.tpr.share ?? 0));
  if (!best)
    return [html`No method could be calibrated on so few reviews of people: there is nothing to tell.`];
  const judged = own.filter(({ expected }) => expected !== null);
  const failed = judged.filter(({ fpr, expected }) => expected !== null && fpr.count > expected.high);
  const moved = transfers.filter(({ broken }) => broken !== null);
  const lost = moved.filter(({ broken }) => broken);
  return [
    html`With ${share(strictest)} false alarms promised, ${best.method} finds <strong>${formatPercent(best.tpr.share ?? 0)}</strong> of the models' reviews, the most of ${formatCount(own.length, 'method')}.`,
    judged.length > 0 &&
      (failed.length === 0
        ? html`The promise holds for every method: no more people are flagged than chance allows.`
        : html`<strong class="loss">The promise fails</strong> for ${failed.length} of ${formatCount(judged.length, 'method')}: more people are flagged than chance allows.`),
    lost.length > 0 &&
      html`In ${lost.length} of ${formatCount(moved.length, 'case')} a line that was drawn on one venue fails at another.`,
  ];
}

function ratings(inflation: AuthorshipResult['inflation']): (Html | '')[] {
  return [
    html`<div class="pair">${inflation.map((one) => renderDrawing(drawRatingDifferences(one)))}</div>`,
    renderColumns(inflation, {
      model: ({ model }) => model,
      papers: ({ papers }) => papers,
      'mean difference in points': ({ mean, interval }) =>
        interval
          ? renderRangeCell(mean.toFixed(2), `[${interval.low.toFixed(2)}, ${interval.high.toFixed(2)}]`)
          : mean.toFixed(2),
      'rated higher, lower': ({ higher, lower }) => `${higher}, ${lower}`,
      'p (Holm)': (one) => formatPValue(one.p_holm),
    }),
    html`<p class="faint">p: Wilcoxon's signed-rank test over papers, after Holm's correction.</p>`,
  ];
}

interface TestedLine extends Pick<Method['targets'][number], 'refused'> {
  readonly fpr: LineShare;
  readonly tpr: LineShare;
}
type LineShare = Pick<Method['targets'][number]['fpr'], 'share' | 'interval'>;

const foundCell = ({ refused, tpr }: TestedLine) =>
  refused === null ? renderShareCell(tpr.share, tpr.interval, 'none tested') : renderNone(refused);
const flaggedCell = ({ refused, fpr }: TestedLine) =>
  refused === null ? renderShareCell(fpr.share, fpr.interval, 'none tested') : '';

function found(methods: AuthorshipResult['methods']): Html | '' {
  return renderColumns(
    methods.flatMap(({ targets, ...of }) => targets.map((at) => ({ ...of, ...at }))),
    {
      method: ({ method }) => method,
      AUC: ({ auc, bounded }) =>
        auc.value === null
          ? renderNone(auc.reason ?? 'none')
          : `${auc.value.toFixed(3)}${auc.deviation === null ? '' : ` ± ${auc.deviation.toFixed(3)}`}${bounded ? ', at worst' : ''}`,
      promised: ({ target }) => share(target),
      "models' reviews found": foundCell,
      "people's reviews flagged": flaggedCell,
      'of them to be expected': ({ fpr, expected }) =>
        expected
          ? html`${fpr.count} of ${fpr.n}; ${expected.low} to ${expected.high}${fpr.count > expected.high ? html` <strong class="loss">more than chance allows</strong>` : ''}`
          : '',
      'without a score': ({ unscored }) => unscored,
    },
  );
}

function voteTable({ vote, corrected }: AuthorshipResult): (Html | '')[] {
  const own = vote?.plain.map((at) => ({ ...at, lines: 'any anchor above its own line' })) ?? [];
  const lines = `lines corrected for the vote${corrected ? ' (used)' : ' (--correct-vote uses them)'}`;
  return [
    renderColumns([...own, ...(vote?.corrected.map((at) => ({ ...at, lines })) ?? [])], {
      lines: (at) => at.lines,
      promised: ({ target }) => share(target),
      "models' reviews found": foundCell,
      "people's reviews flagged": flaggedCell,
    }),
  ];
}

function transferTable({ transfers }: AuthorshipResult): (Html | '')[] {
  return [
    renderColumns(transfers, {
      method: ({ method }) => method,
      'drawn on': (one) => one.calibrated_on,
      'held against': (one) => one.tested_on,
      promised: ({ target }) => share(target),
      found: foundCell,
      'people flagged': flaggedCell,
      'the promise': ({ broken }) =>
        broken === null ? '' : broken ? html`<strong class="loss">does not hold</strong>` : 'holds',
    }),
  ];
}

function kindsTable({ kinds }: AuthorshipResult): (Html | '')[] {
  const rows = kinds.flatMap(({ method, target, edits, edit_order: order, bullets, archetypes }) => {
    const row = (
      what: string,
      one: { name: string; share: number | null; interval: { low: number; high: number } | null; n: number },
    ) => [
      ...[method, what, target === null ? '' : share(target)],
      ...[one.n, renderShareCell(one.share, one.interval, 'no line')],
    ];
    return [
      ...edits.map((one) => row(`a person's, edited by a model: ${one.name}`, one)),
      ...(bullets ? [row("a model's, from a person's bullet points", bullets)] : []),
      ...archetypes.map((one) => row(`a model's, asked to be: ${one.name}`, one)),
      ...(order
        ? [
            [
              method,
              'order of the edits',
              '',
              order.reviews,
              `NDCG ${order.ndcg.toFixed(3)}, chance ${order.chance.toFixed(3)}`,
            ],
          ]
        : []),
    ];
  });
  return [renderTable(['method', 'reviews', 'promised', 'n', 'flagged'], rows)];
}

function notes({ embedding, split, scored, reviews, failed, passed, unscored }: AuthorshipResult): Html {
  const gone = [...Object.entries(passed), ...Object.entries(unscored)];
  const by =
    embedding === 'wording'
      ? 'Anchors are compared by wording, which sees words and no meaning.'
      : `Anchors are compared by the embeddings of ${embedding.split('@')[0]}.`;
  return html`<p>Calibrated and tested ${split}. ${by} ${formatCount(scored, 'review')} of ${reviews} scored, ${failed} failed.
At worst: scores are bounds; people count with the upper end, models with the lower. Intervals: 95%, exact. ± is the bootstrap's standard deviation, with papers drawn whole. A likeness is no evidence of who wrote a review.</p>
${renderTable(['never scored, because', 'reviews'], gone)}`;
}

function share(target: number): string {
  return target < 0.01 ? `${Number((100 * target).toPrecision(3))}%` : formatPercent(target);
}

type Method = AuthorshipResult['methods'][number];

/** Colours repeat after four, dashes after three: every one of twelve lines differs in one of the two. */
const COLOURS = ['var(--bar)', 'var(--loss)', 'var(--ink)', 'var(--gain)'];
const DASHES = ['none', '7 4', '2 3'];
/** How far the magnified panel reaches: twice the most lenient target of the paper. */
const LEFT_END = 0.02;

function toLetter(at: number): string {
  return String.fromCharCode(65 + at);
}

/** The whole curve, and its left end, where a method is used. Lines bear letters; a legend says whose. */
function drawRocs(methods: readonly Method[], targets: readonly number[]): [Drawing, Drawing] {
  const lines = methods.flatMap(({ curve }, at) => curve.map(([fpr, tpr]) => ({ at, fpr, tpr })));
  const marks = (most: number) => [
    ...methods.map((_, at) =>
      Plot.line(
        lines.filter((one) => one.at === at && one.fpr <= most),
        {
          x: 'fpr',
          y: 'tpr',
          strokeWidth: 1.8,
          curve: 'step-after' as const,
          stroke: COLOURS[at % COLOURS.length] ?? 'var(--ink)',
          strokeDasharray: DASHES[Math.floor(at / COLOURS.length) % DASHES.length] ?? 'none',
        },
      ),
    ),
    Plot.text(labels(methods, most), {
      x: 'x',
      y: 'y',
      text: 'text',
      dx: 10,
      fontWeight: 600,
      fill: 'var(--ink)',
    }),
  ];
  const axes = {
    width: HALF,
    height: 360,
    marginRight: 34,
    marginLeft: 46,
    marginBottom: 44,
    y: { domain: [0, 1], label: "models' reviews found", tickFormat: '.0%', grid: true },
  };
  return [
    {
      title: 'What is found, and what it costs.',
      caption: "Share of models' reviews found against share of people's flagged. Dotted: chance.",
      options: {
        ...axes,
        x: { domain: [0, 1], label: "people's reviews flagged", tickFormat: '.0%' },
        marks: [
          Plot.line(
            [
              [0, 0],
              [1, 1],
            ],
            { stroke: 'var(--faint)', strokeDasharray: '1 4' },
          ),
          ...marks(1),
        ],
      },
    },
    {
      title: 'Where few people are flagged.',
      caption: `Up to ${100 * LEFT_END}% of people flagged; beyond that no one would use it. Upright lines: the targets.`,
      options: {
        ...axes,
        x: { domain: [0, LEFT_END], label: "people's reviews flagged", tickFormat: '.1%', ticks: 5 },
        marks: [Plot.ruleX(targets, { stroke: 'var(--faint)', strokeDasharray: '3 3' }), ...marks(LEFT_END)],
      },
    },
  ];
}

/** A letter at the right end of each line, apart from each other. */
function labels(methods: readonly Method[], most: number) {
  const ends = methods
    .map(({ curve }, at) => ({
      at,
      y: curve.filter(([fpr]) => fpr <= most).reduce((high, [, tpr]) => Math.max(high, tpr), 0),
    }))
    .sort((a, b) => b.y - a.y);
  let above = 1.05;
  return ends.map(({ at, y }) => {
    above = Math.min(y, above - 0.05);
    return { x: most, y: above, text: toLetter(at) };
  });
}

/** People upwards, models downwards: told apart by their place. Each kind adds up to its own whole. */
function drawSimilarities({ method, histogram, targets }: Method): Drawing | null {
  if (!histogram) return null;
  const { from, to, people, models } = histogram;
  const width = (to - from) / people.length;
  const total = (counts: readonly number[]) =>
    Math.max(
      1,
      counts.reduce((sum, one) => sum + one, 0),
    );
  const bars = people.map((count, at) => ({
    x1: from + at * width,
    x2: from + (at + 1) * width,
    people: count / total(people),
    models: -(models[at] ?? 0) / total(models),
  }));
  const most = Math.max(...bars.flatMap((bar) => [bar.people, -bar.models]));
  const lines = targets.flatMap(({ line }) => (line === null ? [] : [line]));
  return {
    title: `${method}.`,
    caption: "Scores of people's reviews (up) and models' (down). Dashed: the lines drawn at the targets.",
    options: {
      width: HALF,
      height: 270,
      marginLeft: 46,
      marginBottom: 44,
      x: { label: 'score', domain: [Math.min(from, ...lines), Math.max(to, ...lines)] },
      y: {
        domain: [-most * 1.1, most * 1.1],
        label: null,
        tickFormat: (value: number) => `${Math.round(100 * Math.abs(value))}%`,
      },
      marks: [
        Plot.rectY(bars, { x1: 'x1', x2: 'x2', y: 'people', fill: 'var(--bar)', inset: 0.5 }),
        Plot.rectY(bars, { x1: 'x1', x2: 'x2', y: 'models', fill: 'var(--loss)', inset: 0.5 }),
        Plot.ruleX(lines, { stroke: 'var(--ink)', strokeDasharray: '4 3' }),
        Plot.ruleY([0], { stroke: 'var(--ink)' }),
        Plot.text(['people'], { frameAnchor: 'top-left', dx: 4, dy: 2, fontWeight: 600 }),
        Plot.text(['models'], { frameAnchor: 'bottom-left', dx: 4, dy: -2, fontWeight: 600 }),
      ],
    },
  };
}

/** How many papers a model rates so many points above or below the mean of the people. */
function drawRatingDifferences({ model, papers, spread }: AuthorshipResult['inflation'][number]): Drawing {
  const counts = new Map(spread);
  const most = Math.max(3, ...spread.map(([points]) => Math.abs(points)));
  // Both sides alike, so that a shift is seen as one.
  const bars = Array.from({ length: 2 * most + 1 }, (_, at) => at - most).map((points) => ({
    points,
    count: counts.get(points) ?? 0,
  }));
  return {
    title: `${model} less people.`,
    caption: `${papers} papers by how far the model's rating lies above the mean of people's, in points.`,
    options: {
      width: HALF,
      height: 250,
      marginLeft: 46,
      marginTop: 34,
      marginBottom: 44,
      x: { label: 'points above people', tickFormat: 'd' },
      y: { label: 'papers', grid: true },
      marks: [
        Plot.barY(bars, {
          x: 'points',
          y: 'count',
          fill: ({ points }: { points: number }) => (points < 0 ? 'var(--loss)' : 'var(--gain)'),
        }),
        Plot.text(
          bars.filter(({ count }) => count > 0),
          { x: 'points', y: 'count', text: 'count', dy: -8, fill: 'var(--ink)' },
        ),
        Plot.ruleY([0], { stroke: 'var(--ink)' }),
      ],
    },
  };
}
