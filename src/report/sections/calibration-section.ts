/** A calibration: for each judge and bias, how sure it is that sending back helps, and what was ruled. */
import * as Plot from '@observablehq/plot';
import { html } from 'hono/html';
import type { Calibration, CalibrationEntry } from '../calibration.ts';
import {
  createLabelFitter,
  type Drawing,
  layRows,
  renderDrawing,
  renderHeatmap,
  SHARE_AXIS,
  WIDE,
} from '../charts.ts';
import {
  formatPercent,
  type Html,
  isSandbox,
  nameJudge,
  nameSome,
  type ReportSection,
  renderColumns,
  renderNone,
  renderPointsCell,
} from '../report-words.ts';

const RULINGS = { remand: 'sent back', flag: 'flagged only', tie: 'answered with a tie' } as const;

export function renderCalibrationSection({ judges, threshold }: Calibration): ReportSection {
  const all = Object.entries(judges).flatMap(([judge, biases]) =>
    Object.entries(biases).map(([bias, entry]) => ({ ...entry, judge: nameJudge(judge), bias })),
  );
  if (all.length === 0)
    return {
      title: 'Calibration',
      findings: [html`No judge was calibrated: there is nothing to rule by.`],
      chart: '',
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
          renderHeatmap(
            all.map((one) => ({
              row: one.judge,
              column: one.bias,
              strength: 2 * one.probability_of_gain - 1,
              text: `${probability(one.probability_of_gain)}\n${one.action}`,
            })),
            { title: 'Probability of a gain, and the ruling.', caption: 'By judge and bias.' },
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

type Entry = CalibrationEntry & { readonly judge: string; readonly bias: string };

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

function figuresTable(all: readonly Entry[]): Html | '' {
  return renderColumns(all, {
    judge: ({ judge }) => judge,
    bias: ({ bias }) => bias,
    ruling: ({ action }) => action,
    judgments: ({ judgments }) => judgments,
    'sent back': (one) => one.sent_back,
    'wrong → right': (one) => one.wrong_to_right,
    'right → wrong': (one) => one.right_to_wrong,
    'items better : worse': ({ items_better: better, items_worse: worse = 0 }) =>
      better === undefined ? renderNone('not recorded') : `${better} : ${worse}`,
    'probability of gain': (one) => probability(one.probability_of_gain),
    'gain in accuracy, 95%': ({ gain: { value, interval, reason } }) =>
      value === null || interval === null
        ? renderNone(reason ?? 'no judgments to measure it on')
        : renderPointsCell(value, interval, ' pt'),
    'cases to settle it': (one) =>
      one.cases_to_settle ?? renderNone(one.reasons?.cases_to_settle ?? 'no number would settle it'),
    why: ({ why }) => why,
  });
}
