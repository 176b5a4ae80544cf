/** What the audit of cues found of one judge, as text for a terminal. */
import type { CuePairResult, JudgeCues } from '../../audit/index.ts';

export function formatCueTable(result: JudgeCues & { readonly verdict: string }): string {
  const head = ['cues', 'first', 'exchanged', 'shift', '95%', 'flips', 'p (Holm)', 'says so', 'n'];
  const rows = [head, ...result.cue_pairs.map(row)];
  const widths = head.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${result.verdict}\n\n${lines.join('\n')}`;
}

function row(one: CuePairResult): string[] {
  const { shift, acknowledged } = one;
  const points = (value: number) => `${value > 0 ? '+' : ''}${(100 * value).toFixed(0)}`;
  const percent = (value: number | null) => (value === null ? '-' : `${(100 * value).toFixed(0)}%`);
  return [
    one.cues.join('/'),
    percent(one.first_as_given.share),
    percent(one.first_exchanged.share),
    shift.value === null ? '-' : points(shift.value),
    shift.value === null ? '-' : `${points(shift.interval.low)} to ${points(shift.interval.high)}`,
    percent(one.flips.share),
    one.p_holm.toPrecision(2),
    acknowledged.n === 0 ? '-' : `${acknowledged.count} of ${acknowledged.n}`,
    String(one.flips.n),
  ];
}
