/** Accuracy against cost, and round by round, of the arms of one judge on one bias. */
import * as Plot from '@observablehq/plot';
import { wilson } from '../../stats/index.ts';
import { computeMargin, type Drawing, HALF } from '../chart.ts';
import { toInterval } from '../report-words.ts';
import type { ArmResult } from '../results.ts';

const Y = { domain: [0, 1], ticks: 5, tickFormat: '.0%', grid: true, label: null } as const;

interface Labelled {
  readonly arm: string;
  readonly x: number;
  readonly y: number;
}

/** Marks that lie so near that their labels would cover each other share one. */
function sharedLabels(marks: readonly Labelled[], nearX: number): Labelled[] {
  const labels: Labelled[] = [];
  for (const mark of marks.toSorted((a, b) => a.y - b.y)) {
    const index = labels.findIndex(({ x, y }) => Math.abs(x - mark.x) < nearX && Math.abs(y - mark.y) < 0.06);
    const found = labels[index];
    if (found) labels[index] = { ...found, arm: `${found.arm}, ${mark.arm}` };
    else labels.push(mark);
  }
  return labels;
}

/** Whether a label goes beneath its mark, since one to its left takes the place above. */
function beneath(label: Labelled, all: readonly Labelled[], nearX: number): boolean {
  return all.some(({ x, y }) => x < label.x && label.x - x < nearX && Math.abs(y - label.y) < 0.08);
}

export function drawCostScatter(group: readonly ArmResult[]): Drawing {
  const placed = group.flatMap((one) =>
    one.calls === null || one.accuracy.d_bias.value === null
      ? []
      : [
          {
            arm: one.arm,
            calls: one.calls,
            value: one.accuracy.d_bias.value,
            interval: one.accuracy.d_bias.interval,
          },
        ],
  );
  const most = Math.max(2, ...placed.map(({ calls }) => calls));
  const at = { x: 'calls', y: 'value' };
  const labels = sharedLabels(
    placed.map(({ arm, calls, value }) => ({ arm, x: calls, y: value })),
    most / 40,
  );
  return {
    title: 'Accuracy against cost.',
    caption: 'Accuracy on D_bias by model calls per judgment; up and to the left is better.',
    options: {
      ...{ width: HALF, height: 320, marginLeft: 46, marginRight: 30, marginBottom: 44 },
      x: {
        domain: [0.8, most + 0.6],
        label: 'calls per judgment',
        labelArrow: 'none',
        labelAnchor: 'center',
        grid: true,
        ticks: 5,
      },
      y: Y,
      marks: [
        Plot.ruleX(placed, {
          x: 'calls',
          y1: (one) => one.interval?.low,
          y2: (one) => one.interval?.high,
          stroke: 'var(--faint)',
        }),
        Plot.dot(placed, {
          ...at,
          symbol: (one: { readonly arm: string }) => one.arm,
          fill: 'var(--bar)',
          stroke: 'var(--ground)',
          r: 6,
        }),
        ...[false, true].map((below) =>
          Plot.text(
            labels.filter((label) => beneath(label, labels, most / 3) === below),
            {
              ...{ x: 'x', y: 'y', text: 'arm', textAnchor: 'start', dx: 10, dy: below ? 12 : -9 },
              ...{ fill: 'var(--ink)', stroke: 'var(--ground)', strokeWidth: 4 },
            },
          ),
        ),
      ],
    },
  };
}

export function drawRoundsCurve(group: readonly ArmResult[]): Drawing {
  const lines = group.flatMap(({ arm, curve, n }) =>
    curve.map((value, round) => ({
      arm,
      round,
      value,
      interval: toInterval(wilson(Math.min(n, Math.floor(value * n + 1e-9)), n)),
    })),
  );
  const rounds = Math.max(1, ...lines.map(({ round }) => round));
  const at = { x: 'round', y: 'value', z: 'arm' };
  const ends = sharedLabels(
    lines.flatMap(({ arm, round, value }) => (round === rounds ? [{ arm, x: round, y: value }] : [])),
    1,
  ).map((end) => ({ ...end, arm: wrapped(end.arm) }));
  return {
    title: 'Round by round.',
    caption: 'Accuracy on D_bias after each remand; round 0 is the first verdict. Whiskers: 95%.',
    options: {
      ...{ width: HALF, height: 320, marginLeft: 46, marginBottom: 44 },
      marginRight: computeMargin(
        ends.flatMap(({ arm }) => arm.split('\n')),
        170,
      ),
      x: {
        domain: [0, rounds],
        ticks: rounds,
        tickFormat: 'd',
        label: 'rounds',
        labelArrow: 'none',
        labelAnchor: 'center',
      },
      y: Y,
      marks: [
        Plot.ruleX(lines, {
          x: 'round',
          y1: (one) => one.interval?.low,
          y2: (one) => one.interval?.high,
          stroke: 'var(--faint)',
        }),
        Plot.line(lines, { ...at, stroke: 'var(--bar)', strokeWidth: 1.6 }),
        Plot.dot(lines, {
          ...at,
          symbol: (one: { readonly arm: string }) => one.arm,
          fill: 'var(--bar)',
          stroke: 'var(--ground)',
          r: 5,
        }),
        Plot.text(ends, {
          x: 'x',
          y: 'y',
          text: 'arm',
          textAnchor: 'start',
          dx: 10,
          fill: 'var(--ink)',
        }),
        ...(lines.length === 0
          ? [Plot.text(['no pair was judged'], { frameAnchor: 'middle', fill: 'var(--faint)' })]
          : []),
      ],
    },
  };
}

/** Two names a line. */
function wrapped(names: string): string {
  return names.replaceAll(/, ([^,]+), /g, ', $1,\n');
}
