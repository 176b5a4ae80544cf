/** The figures of `remand eval detector` for reading: one line for each detector and group of rows. */
import type { DetectorScores } from '../../evaluate/detector.ts';
import type { TwinScores } from '../../evaluate/twins.ts';
import { aligned } from '../aligned.ts';

export type Scores = DetectorScores & { readonly twins?: Readonly<Record<string, TwinScores>> };

export function table(results: Readonly<Record<string, Scores>>): string {
  const lines = [
    ['detector', 'rows', 'n', 'accuracy', 'precision', 'recall', 'F1', 'unreadable', 'balanced'],
  ];
  for (const [detector, scores] of Object.entries(results)) {
    const groups = { overall: scores.overall, ...scores.by_bias, ...scores.by_judge, ...scores.twins };
    const balances = new Map(Object.entries(scores.twins ?? {}).map(([name, twin]) => [name, twin.balanced]));
    for (const [name, figures] of Object.entries(groups)) {
      const { n, accuracy, precision, recall, f1, unreadable } = figures;
      const balanced = balances.has(name) ? decimals(balances.get(name) ?? null) : '';
      const rates = [accuracy, precision, recall, f1].map(decimals);
      lines.push([detector, name, `${n}`, ...rates, `${unreadable}`, balanced]);
    }
  }
  return aligned(lines);
}

function decimals(figure: number | null): string {
  return figure === null ? '-' : figure.toFixed(3);
}
