/** Live judges: one arm beside the other over the same first verdicts, what each costs, and the charts of both. */

import * as Plot from '@observablehq/plot';
import { html } from 'hono/html';
import { wilson } from '../../stats/index.ts';
import {
  type Bar,
  type Cell,
  computeMargin,
  type Drawing,
  drawChanges,
  drawHeatmap,
  drawShareBars,
  HALF,
  renderDrawing,
} from '../charts.ts';
import {
  type Effect,
  type EffectWords,
  formatPoints,
  formatPValue,
  type Html,
  isSandbox,
  nameJudge,
  type RenderCases,
  type ReportSection,
  renderEffects,
  renderNone,
  renderShareCell,
  renderTable,
  renderTestsNote,
  toInterval,
} from '../report-words.ts';
import type { ArmResult, FigureResult } from '../results.ts';

/** Groups that are drawn; the others have their tables alone. Bounds the page. */
const DRAWN = 12;

/** @param cases by the group's name, see `nameArmGroup` */
export function renderArmsSection(
  arms: readonly ArmResult[],
  calls: number,
  cases: RenderCases,
): ReportSection {
  const groups = [...Map.groupBy(arms, nameArmGroup)];
  const several = groups.length > 1;
  const compared = (to: 'against_none' | 'against_placebo', but: readonly string[]) =>
    arms.flatMap((one): Effect[] => {
      const paired = one[to];
      if (paired === null || but.includes(one.arm)) return [];
      return [{ name: several ? `${nameArmGroup(one)}: ${one.arm}` : one.arm, ...paired }];
    });
  const alone = compared('against_none', ['none']);
  // The judge alone is no answer to asking again.
  const placebo = compared('against_placebo', ['none', 'placebo']);
  const simulated = arms.some(({ judge }) => isSandbox(judge));
  return {
    title: 'Live judges, arm by arm',
    verdict: [
      ...(arms.length === 0 ? [html`No arm was run: there is nothing to tell.`] : []),
      ...renderEffects(alone, wordsAgainst('the judge alone')),
      ...renderEffects(placebo, wordsAgainst('a contentless request to reconsider (placebo)')),
      ...(simulated
        ? [
            html`The sandbox judge is a <strong>simulation</strong>: its figures say nothing about real judges.`,
          ]
        : []),
    ],
    body: [
      html`<p class="faint">D: the cases as they are. D_bias: the same with the bias put in.</p>`,
      ...groups.map(([name, group], index) => groupBody(name, group, index < DRAWN, cases(name))),
      ...(several ? [renderDrawing(gainMap(arms))] : []),
      html`<p class="faint">Model calls of the whole run: ${calls.toLocaleString('en')}. Intervals of shares: mid-p, 95%; a tie counts as half right, and is rounded down for the interval.
Against none, against placebo: verdicts on D_bias that are right here and wrong there : the other way round, and the difference in percentage
points with Newcombe's interval for paired shares, 95%. Each pair is judged once by each arm, so the test pairs what is paired.</p>`,
      ...(alone.length > 0 ? [renderTestsNote([...alone, ...placebo])] : []),
    ],
  };
}

function wordsAgainst(other: string): EffectWords {
  return {
    helped: html`On D_bias, <strong class="gain">better</strong> than ${other}:`,
    harmed: html`On D_bias, <strong class="loss">worse</strong> than ${other}:`,
    open: `from ${other}:`,
    counts: ({ gained, lost }) => `right where that was wrong ${gained} times, the reverse ${lost}`,
  };
}

/** A judge on one bias. */
export function nameArmGroup({ judge, bias, twin }: Pick<ArmResult, 'judge' | 'bias' | 'twin'>): string {
  return `${nameJudge(judge)}, ${bias}${twin ? ' (twin: the bias speaks for the right answer)' : ''}`;
}

function groupBody(name: string, group: readonly ArmResult[], drawn: boolean, cases: Html | ''): Html {
  return html`<h3>${name}</h3>
${drawn ? drawings(name, group) : ''}
${figuresTable(group)}
${cases}`;
}

function drawings(name: string, group: readonly ArmResult[]): Html {
  const n = group[0]?.n ?? 0;
  const bars = group.map((arm): Bar => {
    const { value, interval } = arm.accuracy.d_bias;
    return { group: name, name: arm.arm, value, interval, kind: arm.arm === 'none' ? 'first' : 'second' };
  });
  return html`<div class="pair">
${renderDrawing(drawShareBars(bars, { title: 'Accuracy on D_bias.', caption: `n = ${n} pairs; "none" is the judge alone; whiskers: 95%.` }, HALF))}
${renderDrawing(
  drawChanges(
    group.map((arm) => ({ name: arm.arm, gained: arm.wrong_to_right, lost: arm.right_to_wrong })),
    { title: 'From first to final verdict.', caption: `Of ${2 * n} judgments, on D and D_bias.` },
    HALF,
  ),
)}
${renderDrawing(drawCostScatter(group))}
${renderDrawing(drawRoundsCurve(group))}
</div>`;
}

function gainMap(arms: readonly ArmResult[]) {
  const cells = arms
    .filter(({ arm }) => arm !== 'none')
    .map((one): Cell => {
      const alone = arms.find((other) => other.arm === 'none' && nameArmGroup(other) === nameArmGroup(one));
      const [after, before] = [one.accuracy.d_bias.value, alone?.accuracy.d_bias.value ?? null];
      const gain = after === null || before === null ? null : after - before;
      return {
        ...{ row: `${nameJudge(one.judge)}: ${one.arm}`, column: `${one.bias}${one.twin ? ' twin' : ''}` },
        strength: gain === null ? null : gain * 4,
        text: gain === null ? 'no data' : `${formatPoints(gain)} pt\nn ${one.n}`,
      };
    });
  return drawHeatmap(cells, {
    title: 'Gain in accuracy on D_bias over the judge alone.',
    caption: 'In percentage points, by judge, arm and bias.',
  });
}

function figuresTable(group: readonly ArmResult[]): Html {
  const nothing = 'no pair was judged';
  const share = (of: ArmResult['consistency'], why: string) =>
    renderShareCell(of.value, of.interval, of.reason ?? why);
  const verdicts = renderTable(
    [
      ...['arm', 'pairs', 'failed', 'accuracy on D', 'accuracy on D_bias', 'consistent', 'wrong → right'],
      ...['right → wrong', 'false corrections', 'insisted', 'insisted and right', 'unread'],
    ],
    group.map((one) => [
      ...[one.arm, one.n, one.failed],
      ...[one.accuracy.d, one.accuracy.d_bias, one.consistency].map((of) => share(of, nothing)),
      ...[one.wrong_to_right, one.right_to_wrong, one.false_corrections],
      ...[share(one.insisted, 'none sent back'), share(one.insisted_rightly, 'none insisted'), one.unread],
    ]),
  );
  const compared = renderTable(
    [
      ...[
        'arm',
        'against none',
        'difference in points',
        'McNemar',
        'against placebo',
        'difference in points',
      ],
      ...['McNemar', 'calls per judgment', 'price of 1,000', 'seconds'],
    ],
    group.map((one) => [
      one.arm,
      ...against(one.against_none, one.reasons.against_none),
      ...against(one.against_placebo, one.reasons.against_placebo),
      one.calls === null ? renderNone(one.reasons.calls ?? nothing) : one.calls.toFixed(2),
      ...[knownCell(one.price_per_1000), knownCell(one.seconds)],
    ]),
  );
  return html`${verdicts}\n${compared}`;
}

function against(paired: ArmResult['against_none'], why = 'not compared'): (Html | string)[] {
  if (paired === null) return [renderNone(why), renderNone('–'), renderNone('–')];
  const { gained, lost, p, p_holm: corrected, difference } = paired;
  const range = difference?.interval;
  return [
    `${gained} : ${lost}`,
    difference && range
      ? html`${formatPoints(difference.value)}<span class="range">[${formatPoints(range.low)}, ${formatPoints(range.high)}]</span>`
      : renderNone('not recorded'),
    html`${formatPValue(p)}${corrected === undefined ? '' : html`<span class="range">Holm ${formatPValue(corrected)}</span>`}`,
  ];
}

function knownCell(known: FigureResult | undefined): Html | string {
  if (known === undefined) return renderNone('not recorded');
  return known.value === null ? renderNone(known.reason) : known.value.toFixed(2);
}

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

function drawCostScatter(group: readonly ArmResult[]): Drawing {
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

function drawRoundsCurve(group: readonly ArmResult[]): Drawing {
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
