/** What the overview shows, counted from sums of traces. Free of markup, so that it can be checked by itself. */
import type { TraceSpending, TraceSum } from '../../trace/index.ts';

export interface JudgmentTally {
  readonly judgments: number;
  /** In which a bias was found. */
  readonly biased: number;
  /** Whose verdict that went out decides otherwise than their first. */
  readonly moved: number;
  /** In shadow: whose verdict would have. */
  readonly wouldMove: number;
  readonly insisted: number;
  /** That were examined after their first verdict went out. */
  readonly shadowed: number;
  /** Whose own verdict went out unexamined: none could be read, or the examination failed. */
  readonly unexamined: number;
  readonly own: TraceSpending;
  readonly added: TraceSpending;
}

export function tallyJudgments(sums: readonly TraceSum[]): JudgmentTally {
  const total = (of: (sum: TraceSum) => number) => sums.reduce((all, sum) => all + of(sum), 0);
  const where = (holds: (sum: TraceSum) => boolean) => total((sum) => (holds(sum) ? sum.count : 0));
  const spent = (of: (sum: TraceSum) => TraceSpending): TraceSpending => ({
    calls: total((sum) => of(sum).calls),
    tokens: total((sum) => of(sum).tokens),
    cost: total((sum) => of(sum).cost),
    unpriced: total((sum) => of(sum).unpriced),
  });
  return {
    judgments: total(({ count }) => count),
    biased: where(({ biases }) => biases.length > 0),
    moved: total(({ moved, status }) => (status === 'shadow' ? 0 : moved)),
    wouldMove: total(({ moved, status }) => (status === 'shadow' ? moved : 0)),
    insisted: where(({ status }) => status === 'insisted'),
    shadowed: where(({ status }) => status === 'shadow'),
    unexamined: where(({ status }) => status === 'failed-open' || status === 'no-verdict'),
    own: spent(({ own }) => own),
    added: spent(({ added }) => added),
  };
}

/** One tally for each name, most judgments first. A sum with several names counts under each. */
export function groupTallies(
  sums: readonly TraceSum[],
  names: (sum: TraceSum) => readonly string[],
): [name: string, tally: JudgmentTally][] {
  const groups = Map.groupBy(
    sums.flatMap((sum) => names(sum).map((name) => ({ name, sum }))),
    ({ name }) => name,
  );
  return [...groups]
    .map(([name, members]): [string, JudgmentTally] => [name, tallyJudgments(members.map(({ sum }) => sum))])
    .sort(([a, one], [b, other]) => other.judgments - one.judgments || a.localeCompare(b));
}

/** The days of a period, the last of them `today`, each `2026-11-21`. */
export function listDays(today: number, days: number): string[] {
  const DAY = 86_400_000;
  return Array.from({ length: days }, (_, i) =>
    new Date(today - (days - 1 - i) * DAY).toISOString().slice(0, 10),
  );
}
