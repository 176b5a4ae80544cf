/** The figures of `remand eval detector` for reading: one line for each detector and group of rows. */
import type {
  DetectorComparison,
  DetectorScores,
  FigureIntervals,
  IntervalFigures,
  TwinScores,
} from '../../evaluate/index.ts';
import { alignRows } from '../terminal.ts';

export interface TwinResult extends TwinScores {
  /** Bias of its rows: that of the published rows it is the other side of. */
  readonly bias: string;
  readonly intervals: FigureIntervals;
}
export type ContestantScores = DetectorScores<IntervalFigures> & {
  readonly twins?: Readonly<Record<string, TwinResult>>;
  /** On the rows, beside each other detector of the same run. */
  readonly against?: Readonly<Record<string, DetectorComparison>>;
};

export function formatScoreTable(results: Readonly<Record<string, ContestantScores>>): string {
  const lines = [
    ['detector', 'rows', 'n', 'accuracy', 'precision', 'recall', 'F1', 'unreadable', 'balanced'],
  ];
  for (const [detector, scores] of Object.entries(results)) {
    for (const [name, figures] of Object.entries(groupsOf(scores))) {
      const { n, unreadable, intervals } = figures;
      const balanced = scores.twins?.[name] ? decimals(scores.twins[name].balanced) : '';
      const rates = (['accuracy', 'precision', 'recall', 'f1'] as const).map(
        (rate) => decimals(figures[rate]) + range(intervals[rate]),
      );
      lines.push([detector, name, `${n}`, ...rates, `${unreadable}`, balanced]);
    }
  }
  const said = [...missing(results), ...findShortcuts(results), ...comparisons(results)];
  return alignRows(lines) + (said.length === 0 ? '' : `\n${said.join('\n')}\n`);
}

/** What a dash in the table stands for: a sentence for each reason, with the rows it holds for. */
function missing(results: Readonly<Record<string, ContestantScores>>): string[] {
  const all = Object.entries(results).flatMap(([detector, scores]) =>
    Object.entries(groupsOf(scores)).flatMap(([rows, { reasons }]) =>
      [...Map.groupBy(Object.entries(reasons), ([, reason]) => reason)].map(([reason, rates]) => ({
        reason: `no ${rates.map(([rate]) => (rate === 'f1' ? 'F1' : rate)).join(', ')}: ${reason}`,
        where: `${detector} on ${rows}`,
      })),
    ),
  );
  return [...Map.groupBy(all, ({ reason }) => reason)].map(
    ([reason, places]) => `${places.map(({ where }) => where).join(', ')}: ${reason}.`,
  );
}

function groupsOf(scores: ContestantScores): Readonly<Record<string, IntervalFigures | TwinResult>> {
  return { overall: scores.overall, ...scores.by_bias, ...scores.by_judge, ...scores.twins };
}

/**
 * Detectors that are right on the published rows of a bias more often than by chance, and wrong on their twin more
 * often than by chance, both by the whole of the interval. A sentence each.
 */
function findShortcuts(results: Readonly<Record<string, ContestantScores>>): string[] {
  return Object.entries(results).flatMap(([detector, { by_bias: byBias, twins = {} }]) =>
    Object.entries(twins).flatMap(([name, twin]) => {
      const rows = byBias[twin.bias];
      const [here, there] = [rows?.intervals.accuracy, twin.intervals.accuracy];
      if (!rows || !here || !('low' in here) || !('low' in there)) return [];
      if (here.low <= 0.5 || there.high >= 0.5) return [];
      return [
        `${detector} follows a shortcut: it is right on ${decimals(rows.accuracy)} of the ${twin.bias} rows, where the ` +
          `truth is always on one side, and on ${decimals(twin.accuracy)} of their twin ${name}, where it is on the other.`,
      ];
    }),
  );
}

/** Each pair of detectors once, and whether they can be told apart on these rows. */
function comparisons(results: Readonly<Record<string, ContestantScores>>): string[] {
  const names = Object.keys(results);
  return names.flatMap((name, index) =>
    names.slice(index + 1).flatMap((other) => {
      const pair = results[name]?.against?.[other];
      return pair ? [`${name} against ${other} on the ${pair.n} rows both answered: ${inWords(pair)}`] : [];
    }),
  );
}

function inWords({
  gained,
  lost,
  accuracy,
  other_accuracy: other,
  by_item: found,
}: DetectorComparison): string {
  const counts = `${decimals(accuracy)} and ${decimals(other)}, ${gained} right where the other is wrong, ${lost} the reverse`;
  if (found.value === null || found.test.value === null) return `${counts}; they are right on the same rows.`;
  const { value: p, moved, least } = found.test;
  const told =
    p < 0.05
      ? 'they differ'
      : least >= 0.05
        ? `n is too small to tell: with ${moved} questions no p is below ${least.toPrecision(2)}`
        : 'n is too small to tell them apart';
  return `${counts}; ${told} (exact sign-flip test over questions, p ${p.toPrecision(2)}).`;
}

function range(interval: FigureIntervals['f1']): string {
  return 'low' in interval ? ` [${decimals(interval.low)}, ${decimals(interval.high)}]` : '';
}

function decimals(figure: number | null): string {
  return figure === null ? '-' : figure.toFixed(3);
}
