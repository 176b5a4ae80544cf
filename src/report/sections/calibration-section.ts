/** A calibration: for each judge and bias, how sure it is that sending back helps, and what was ruled. */
import * as Plot from '@observablehq/plot';
import { html } from 'hono/html';
import {
  createLabelFitter,
  type Drawing,
  drawHeatmap,
  layRows,
  renderDrawing,
  SHARE_AXIS,
  WIDE,
} from '../charts.ts';
import {
  formatPercent,
  formatPoints,
  type Html,
  isSandbox,
  nameJudge,
  nameSome,
  type ReportSection,
  renderNone,
  renderTable,
} from '../report-words.ts';
import type { CalibrationResult } from '../results.ts';

const RULINGS = { remand: 'sent back', flag: 'flagged only', tie: 'answered with a tie' } as const;

export function renderCalibrationSection({ judges, threshold }: CalibrationResult): ReportSection {
  const all = Object.entries(judges).flatMap(([judge, biases]) =>
    Object.entries(biases).map(([bias, entry]) => ({ ...entry, judge: nameJudge(judge), bias })),
  );
  if (all.length === 0)
    return {
      title: 'Calibration',
      findings: [html`No judge was calibrated: there is nothing to rule by.`],
      isSimulated: false,
      chart: null,
      parts: [],
    };
  return {
    title: 'Calibration: what is done with a biased verdict',
    findings: (['remand', 'flag', 'tie'] as const).flatMap((action) => {
      const those = all.filter((one) => one.action === action);
      if (those.length === 0) return [];
      const named = those
        .toSorted((a, b) => b.probability_of_gain - a.probability_of_gain)
        .map(
          (one) => `${one.judge} on ${one.bias} (gain probable at ${probability(one.probability_of_gain)})`,
        );
      return [html`Biased verdicts are <strong>${RULINGS[action]}</strong> for ${nameSome(named)}.`];
    }),
    isSimulated: all.some(({ judge }) => isSandbox(judge)),
    chart: renderDrawing(probabilities(all, threshold)),
    parts: [
      {
        heading: 'By judge and bias',
        body: [
          renderDrawing(
            drawHeatmap(
              all.map((one) => ({
                ...{ row: one.judge, column: one.bias, strength: 2 * one.probability_of_gain - 1 },
                text: `${probability(one.probability_of_gain)}\n${one.action}`,
              })),
              { title: 'Probability of a gain, and the ruling.', caption: 'By judge and bias.' },
            ),
          ),
        ],
      },
      { heading: 'All figures', body: [figuresTable(all)] },
    ],
  };
}

/** No count makes certain. */
function probability(p: number): string {
  if (p >= 0.9995) return 'over 99.9%';
  return p < 0.0005 ? 'under 0.1%' : formatPercent(p);
}

type Entry = CalibrationResult['judges'][string][string] & { readonly judge: string; readonly bias: string };

function probabilities(all: readonly Entry[], threshold: number): Drawing {
  const whole = (one: Entry) => `${one.judge}, ${one.bias}`;
  const named = createLabelFitter(all.map(whole));
  const name = (one: Entry) => named(whole(one));
  const at = { x: 'probability_of_gain', y: name };
  return {
    title: 'How sure it is that sending back helps more than it harms.',
    caption: `The line: ${formatPercent(threshold)}, from which on verdicts are sent back. The mark: the ruling.`,
    ...layRows(
      all.map((one) => ({ key: name(one), name: name(one) })),
      { width: WIDE, marginRight: 150, x: { ...SHARE_AXIS, label: null } },
      [
        Plot.ruleY(all, { y: name, x1: 0, x2: 'probability_of_gain', stroke: 'var(--line)' }),
        Plot.ruleX([threshold], { stroke: 'var(--ink)', strokeDasharray: '4 3' }),
        Plot.dot(all, { ...at, symbol: 'action', fill: 'var(--bar)', r: 6 }),
        Plot.text(all, {
          ...at,
          text: (one: Entry) => `${one.action}, n ${one.judgments}`,
          textAnchor: 'start',
          dx: 11,
          fill: 'var(--ink)',
          stroke: 'var(--ground)',
          strokeWidth: 4,
        }),
      ],
    ),
  };
}

function figuresTable(all: readonly Entry[]): Html {
  return renderTable(
    [
      'judge',
      'bias',
      'ruling',
      'judgments',
      'sent back',
      'wrong → right',
      'right → wrong',
      'items better : worse',
      'probability of gain',
      'gain in accuracy, 95%',
      'cases to settle it',
      'why',
    ],
    all.map((one) => [
      ...[
        one.judge,
        one.bias,
        one.action,
        one.judgments,
        one.sent_back,
        one.wrong_to_right,
        one.right_to_wrong,
      ],
      one.items_better === undefined
        ? renderNone('not recorded')
        : `${one.items_better} : ${one.items_worse ?? 0}`,
      probability(one.probability_of_gain),
      one.gain.value === null || one.gain.interval === null
        ? renderNone(one.gain.reason ?? 'no judgments to measure it on')
        : html`${formatPoints(one.gain.value)} pt<span class="range">[${formatPoints(one.gain.interval.low)}, ${formatPoints(one.gain.interval.high)}]</span>`,
      one.cases_to_settle === null
        ? renderNone(one.reasons?.cases_to_settle ?? 'no number would settle it')
        : one.cases_to_settle,
      one.why,
    ]),
  );
}
