/** Drawings of the audit of authorship: ROC with its left end magnified, similarities, differences of ratings. */
import * as Plot from '@observablehq/plot';
import { type Drawing, HALF } from '../chart.ts';
import type { AuthorshipResult } from '../results.ts';

type Method = AuthorshipResult['methods'][number];

/** Colours repeat after four, dashes after three: every one of twelve lines differs in one of the two. */
const COLOURS = ['var(--bar)', 'var(--loss)', 'var(--ink)', 'var(--gain)'];
const DASHES = ['none', '7 4', '2 3'];
/** How far the magnified panel reaches: twice the most lenient target of the paper. */
const LEFT_END = 0.02;

export function toLetter(at: number): string {
  return String.fromCharCode(65 + at);
}

/** The whole curve, and its left end, where a method is used. Lines bear letters; a legend says whose. */
export function drawRocs(methods: readonly Method[], targets: readonly number[]): [Drawing, Drawing] {
  const lines = methods.flatMap(({ curve }, at) => curve.map(([fpr, tpr]) => ({ at, fpr, tpr })));
  const marks = (most: number) => [
    ...methods.map((_, at) =>
      Plot.line(
        lines.filter((one) => one.at === at && one.fpr <= most),
        {
          ...{ x: 'fpr', y: 'tpr', strokeWidth: 1.8, curve: 'step-after' as const },
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
      title: 'Its left end, magnified.',
      caption: `Up to ${100 * LEFT_END}% of people flagged: elsewhere no one would use it. Upright lines: the targets.`,
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
export function drawSimilarities({ method, histogram, targets }: Method): Drawing | null {
  if (!histogram) return null;
  const { from, to, people, models } = histogram;
  const width = (to - from) / people.length;
  const total = (counts: readonly number[]) =>
    Math.max(
      1,
      counts.reduce((sum, one) => sum + one, 0),
    );
  const bars = people.map((count, at) => ({
    ...{ x1: from + at * width, x2: from + (at + 1) * width },
    people: count / total(people),
    models: -(models[at] ?? 0) / total(models),
  }));
  const most = Math.max(...bars.flatMap((bar) => [bar.people, -bar.models]));
  const lines = targets.flatMap(({ line }) => (line === null ? [] : [line]));
  return {
    title: `${method}.`,
    caption: "Scores of people's reviews (up) and models' (down). Dashed: the lines drawn at the targets.",
    options: {
      ...{ width: HALF, height: 270, marginLeft: 46, marginBottom: 44 },
      x: { label: 'score', domain: [Math.min(from, ...lines), Math.max(to, ...lines)] },
      y: {
        ...{ domain: [-most * 1.1, most * 1.1], label: null },
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
export function drawRatingDifferences({
  model,
  papers,
  spread,
}: AuthorshipResult['inflation'][number]): Drawing {
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
      ...{ width: HALF, height: 250, marginLeft: 46, marginBottom: 44 },
      x: { label: 'points above people', tickFormat: 'd' },
      y: { label: 'papers', grid: true },
      marks: [
        Plot.barY(bars, {
          ...{ x: 'points', y: 'count' },
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
