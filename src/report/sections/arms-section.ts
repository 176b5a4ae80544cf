/** Live judges: one arm beside the other over the same first verdicts, what each costs, and the charts of both. */

import * as Plot from '@observablehq/plot';
import { html } from 'hono/html';
import { toInterval } from '../../stats/figure.ts';
import { type Interval, wilson } from '../../stats/index.ts';
import {
  type Bar,
  type Cell,
  computeMargin,
  type Drawing,
  drawChanges,
  HALF,
  renderDrawing,
  renderHeatmap,
  renderShareBars,
  WIDE,
} from '../charts.ts';
import {
  type Effect,
  type EffectWords,
  formatPercent,
  formatPoints,
  formatPValue,
  type Html,
  isSandbox,
  nameJudge,
  nameSome,
  type RenderCases,
  type ReportSection,
  renderColumns,
  renderEffects,
  renderEffectsTable,
  renderNone,
  renderPointsCell,
  renderRangeCell,
  renderShareCell,
  renderTable,
  tellPanel,
} from '../report-words.ts';
import type { ArmResult, ArmsResult, FigureResult } from '../results.ts';

/** Groups that are drawn; the others have their tables alone. Bounds the page. */
const DRAWN = 12;

/** @param cases by the group's name, see `nameArmGroup` */
export function renderArmsSection({ arms, calls }: ArmsResult, cases: RenderCases): ReportSection {
  const groups = [...Map.groupBy(arms, nameArmGroup)];
  const several = groups.length > 1;
  const judges = new Set(arms.map(({ judge }) => judge)).size;
  const compared = (to: 'against_none' | 'against_placebo', but: readonly string[]) =>
    arms.flatMap((one): Effect[] => {
      const paired = one[to];
      if (paired === null || but.includes(one.arm)) return [];
      return [{ name: nameArm(one, { judges, several }), ...paired }];
    });
  const alone = compared('against_none', ['none']);
  // The judge alone is no answer to asking again.
  const placebo = compared('against_placebo', ['none', 'placebo']);
  const [first] = groups;
  return {
    title: 'Live judges, arm by arm',
    findings: [
      arms.length === 0 && html`No arm was run: there is nothing to tell.`,
      // A page of several results begins with the first sentence of each.
      ...tellHarm(arms, (one) => nameArm(one, { judges, several })),
      ...renderEffects(alone, AGAINST_NONE),
      ...renderEffects(placebo, AGAINST_PLACEBO),
    ],
    isSimulated: arms.some(({ judge }) => isSandbox(judge)),
    chart: several ? gainMap(arms) : first ? accuracyBars(...first, WIDE) : '',
    parts: [
      { heading: 'Every arm against the judge alone', body: renderEffectsTable(alone, AGAINST_NONE, TEST) },
      { heading: 'Every arm against a placebo', body: renderEffectsTable(placebo, AGAINST_PLACEBO, TEST) },
      ...groups.map(([name, group], index) => ({
        heading: name,
        body: groupBody(name, group, { drawn: index < DRAWN, several }, cases(name)),
      })),
      {
        heading: 'How to read the figures',
        body: [
          html`<p>D: the cases as they are. D_bias: the same with the bias put in. A placebo is a contentless request to reconsider.
Intervals of shares: mid-p, 95%. A tie counts as half right; for the interval it is rounded down.</p>
<p>Against none, against placebo: verdicts on D_bias that are right here and wrong there : the other way round, where a tie beside a
right or a wrong one counts half. The difference is in percentage points, with Newcombe's interval for paired shares, 95%.</p>
<p>p: ${TEST}. Holm: corrected for all arms of the page, of every judge and bias, that are compared
with the same one. Each arm judges each pair once, so the test pairs what is paired.</p>
<p>Model calls since the run was last started: ${calls.toLocaleString('en')}. Answers that were stored before are not among them.</p>`,
        ],
      },
    ],
  };
}

const TEST =
  "exact sign-flip test of right and wrong, a tie being half right, two-sided; McNemar's where there is no tie";
const HEADS = ['right only here', 'right only there'] as const;
const AGAINST_NONE: EffectWords = {
  helped: html`On D_bias, <strong class="gain">better</strong> than the judge alone:`,
  harmed: html`On D_bias, <strong class="loss">worse</strong> than the judge alone:`,
  open: 'Against the judge alone, on D_bias,',
  noun: 'arm',
  heads: HEADS,
};
const AGAINST_PLACEBO: EffectWords = {
  helped: html`On D_bias, <strong class="gain">better</strong> than a placebo:`,
  harmed: html`On D_bias, <strong class="loss">worse</strong> than a placebo:`,
  open: 'Against a placebo, on D_bias,',
  noun: 'arm',
  heads: HEADS,
};

/** The tests are of D_bias: what an arm does to cases without the bias, they do not see. */
function tellHarm(arms: readonly ArmResult[], nameOf: (arm: ArmResult) => string): Html[] {
  const changed = arms.map((one) => ({ one, ...changeOf(one) }));
  const harmful = changed.filter(({ gained, lost }) => lost > gained);
  if (harmful.length === 0) return [];
  const named = harmful.map(({ one, gained, lost }) => `${nameOf(one)} (${gained} against ${lost})`);
  const ties = harmful.some(({ one }) => one.by_half.better + one.by_half.worse > 0);
  return [
    html`On D and D_bias together, <strong class="loss">fewer</strong> verdicts turned from wrong to right than from right to wrong${ties ? ', a tie counting half' : ''}: ${nameSome(named)}.`,
  ];
}

/** Points from first to final verdict; a tie counts half. */
const changeOf = ({ wrong_to_right: right, right_to_wrong: wrong, by_half: half }: ArmResult) => ({
  gained: right + half.better / 2,
  lost: wrong + half.worse / 2,
});

/** An arm among others: `probe for gpt-4o on bandwagon`, without what they have in common. */
function nameArm(
  { judge, bias, twin, arm }: ArmResult,
  { judges, several }: { readonly judges: number; readonly several: boolean },
): string {
  const by = judges > 1 ? ` for ${nameJudge(judge)}` : '';
  return `${arm}${by}${several ? ` on ${bias}${twin ? ' (twin)' : ''}` : ''}`;
}

/** A judge on one bias. */
export function nameArmGroup({ judge, bias, twin }: Pick<ArmResult, 'judge' | 'bias' | 'twin'>): string {
  return `${nameJudge(judge)}, ${bias}${twin ? ' (twin: the bias speaks for the right answer)' : ''}`;
}

function groupBody(
  name: string,
  group: readonly ArmResult[],
  { drawn, several }: { readonly drawn: boolean; readonly several: boolean },
  cases: Html | '',
): (Html | '')[] {
  return [...(drawn ? [drawings(name, group, several)] : []), ...figuresTables(group), cases];
}

function accuracyBars(name: string, group: readonly ArmResult[], width: number): Html | '' {
  const bars = group.map((arm): Bar => {
    const { value, interval } = arm.accuracy.d_bias;
    return { group: name, name: arm.arm, value, interval, kind: arm.arm === 'none' ? 'first' : 'second' };
  });
  const caption = `n = ${group[0]?.n ?? 0} pairs; "none" is the judge alone; whiskers: 95%.`;
  return renderShareBars(bars, { title: 'Accuracy on D_bias.', caption }, width);
}

/** @param several whether the bars of accuracy are not at the top already */
function drawings(name: string, group: readonly ArmResult[], several: boolean): Html {
  const changes = drawChanges(
    group.map((arm) => ({ name: arm.arm, ...changeOf(arm) })),
    {
      title: 'From first to final verdict.',
      caption: `Of ${2 * (group[0]?.n ?? 0)} judgments, on D and D_bias; a tie counts half.`,
    },
    HALF,
  );
  return html`<div class="pair">
${several ? accuracyBars(name, group, HALF) : ''}
${[changes, drawCostScatter(group), drawRoundsCurve(group)].map(renderDrawing)}
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
        row: `${nameJudge(one.judge)}: ${one.arm}`,
        column: `${one.bias}${one.twin ? ' twin' : ''}`,
        strength: gain === null ? null : gain * 4,
        text: gain === null ? 'no data' : `${formatPoints(gain)} pt\nn ${one.n}`,
      };
    });
  return renderHeatmap(cells, {
    title: 'Gain in accuracy on D_bias over the judge alone.',
    caption: 'In percentage points, by judge, arm and bias.',
  });
}

function figuresTables(group: readonly ArmResult[]): (Html | '')[] {
  const nothing = 'no pair was judged';
  const share = (of: ArmResult['consistency'], why: string) =>
    renderShareCell(of.value, of.interval, of.reason ?? why);
  const verdicts = renderColumns(group, {
    arm: ({ arm }) => arm,
    pairs: ({ n }) => n,
    failed: ({ failed }) => failed,
    'accuracy on D': ({ accuracy }) => share(accuracy.d, nothing),
    'accuracy on D_bias': ({ accuracy }) => share(accuracy.d_bias, nothing),
    consistent: ({ consistency }) => share(consistency, nothing),
    'wrong → right': (one) => one.wrong_to_right,
    'right → wrong': (one) => one.right_to_wrong,
    'by a tie, better : worse': ({ by_half: half }) => `${half.better} : ${half.worse}`,
    'false corrections': (one) => one.false_corrections,
    insisted: ({ insisted }) => share(insisted, 'none sent back'),
    'insisted and right': (one) => share(one.insisted_rightly, 'none insisted'),
    unread: ({ unread }) => unread,
  });
  const compared = renderTable(
    [
      ...['arm', 'against none', 'difference in points', 'p', 'against placebo'],
      ...['difference in points', 'p', 'calls per judgment', 'price of 1,000', 'seconds'],
      ...['risk of surest 60%', 'area under risk'],
    ],
    group.map((one) => [
      one.arm,
      ...against(one.against_none, one.reasons.against_none),
      ...against(one.against_placebo, one.reasons.against_placebo),
      one.calls === null ? renderNone(one.reasons.calls ?? nothing) : one.calls.toFixed(2),
      ...[knownCell(one.price_per_1000), knownCell(one.seconds)],
      knownCell(
        one.risk['0.6'] === undefined ? one.area_under_risk : { value: one.risk['0.6'] },
        formatPercent,
      ),
      knownCell(one.area_under_risk),
    ]),
  );
  return [verdicts, compared, ...group.flatMap(describeVote)];
}

/** What a vote is worth beside the best of its judges, and how far their errors are the same ones. */
function describeVote({ panel }: ArmResult): Html[] {
  if (!panel) return [];
  const { judges, n } = panel;
  return [html`<p>A vote of ${judges.join(', ')} on ${n} judgments: ${tellPanel(panel)}</p>`];
}

function against(paired: ArmResult['against_none'], why = 'not compared'): (Html | string)[] {
  if (paired === null) return [renderNone(why), renderNone('–'), renderNone('–')];
  const { gained, lost, p, p_holm: corrected, difference } = paired;
  return [
    `${gained} : ${lost}`,
    renderPointsCell(difference.value, difference.interval),
    renderRangeCell(formatPValue(p), `Holm ${formatPValue(corrected)}`),
  ];
}

function knownCell(known: FigureResult, format = (value: number) => value.toFixed(2)): Html | string {
  return known.value === null ? renderNone(known.reason) : format(known.value);
}

const Y = { domain: [0, 1], ticks: 5, tickFormat: '.0%', grid: true, label: null } as const;

const X = { labelArrow: 'none', labelAnchor: 'center' } as const;

interface Labelled {
  readonly arm: string;
  readonly x: number;
  readonly y: number;
}

interface ArmPoint extends Labelled {
  readonly interval: Interval | null;
}

const drawWhiskers = (points: readonly ArmPoint[]) =>
  Plot.ruleX(points, {
    x: 'x',
    y1: ({ interval }: ArmPoint) => interval?.low,
    y2: ({ interval }: ArmPoint) => interval?.high,
    stroke: 'var(--faint)',
  });

/** A symbol for each arm. */
const drawPoints = (points: readonly ArmPoint[], r: number) =>
  Plot.dot(points, { x: 'x', y: 'y', symbol: 'arm', fill: 'var(--bar)', stroke: 'var(--ground)', r });

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

/** Labels at its height that begin further to the left: it stands above them. */
function countToTheLeft(label: Labelled, all: readonly Labelled[]): number {
  return all.filter(({ x, y }) => x < label.x && Math.abs(y - label.y) < 0.12).length;
}

function drawCostScatter(group: readonly ArmResult[]): Drawing {
  const placed = group.flatMap(
    ({
      arm,
      calls,
      accuracy: {
        d_bias: { value, interval },
      },
    }): ArmPoint[] => (calls === null || value === null ? [] : [{ arm, x: calls, y: value, interval }]),
  );
  const most = Math.max(2, ...placed.map(({ x }) => x));
  const labels = sharedLabels(placed, most / 40);
  return {
    title: 'Accuracy against cost.',
    caption: 'Accuracy on D_bias by model calls per judgment; up and to the left is better.',
    options: {
      width: HALF,
      height: 360,
      marginTop: 70,
      marginLeft: 46,
      marginRight: 30,
      marginBottom: 44,
      x: {
        domain: [0.8, most + 0.6],
        ...X,
        label: 'calls per judgment',
        grid: true,
        ticks: 5,
      },
      y: Y,
      marks: [
        drawWhiskers(placed),
        drawPoints(placed, 6),
        ...labels.map((label) =>
          Plot.text([label], {
            x: 'x',
            y: 'y',
            text: ({ arm }: Labelled) => wrapped(arm),
            textAnchor: label.x > most * 0.8 ? 'end' : 'start',
            lineAnchor: 'bottom',
            dx: 10,
            dy: -5 - 28 * countToTheLeft(label, labels),
            fill: 'var(--ink)',
            stroke: 'var(--ground)',
            strokeWidth: 4,
          }),
        ),
      ],
    },
  };
}

function drawRoundsCurve(group: readonly ArmResult[]): Drawing {
  const lines = group.flatMap(({ arm, curve, n }) =>
    curve.map(
      (y, x): ArmPoint => ({
        arm,
        x,
        y,
        interval: toInterval(wilson(Math.min(n, Math.floor(y * n + 1e-9)), n)),
      }),
    ),
  );
  const rounds = Math.max(1, ...lines.map(({ x }) => x));
  const ends = sharedLabels(
    lines.filter(({ x }) => x === rounds),
    1,
  ).map((end) => ({ ...end, arm: wrapped(end.arm) }));
  return {
    title: 'Round by round.',
    caption: 'Accuracy on D_bias after each remand; round 0 is the first verdict. Whiskers: 95%.',
    options: {
      width: HALF,
      height: 320,
      marginLeft: 46,
      marginBottom: 44,
      marginRight: computeMargin(ends.flatMap(({ arm }) => arm.split('\n'))),
      x: {
        domain: [0, rounds],
        ticks: rounds,
        tickFormat: 'd',
        ...X,
        label: 'rounds',
      },
      y: Y,
      marks: [
        drawWhiskers(lines),
        Plot.line(lines, { x: 'x', y: 'y', z: 'arm', stroke: 'var(--bar)', strokeWidth: 1.6 }),
        drawPoints(lines, 5),
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
