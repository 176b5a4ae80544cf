/** How often each judge is biased, by bias, while the labels go by. */
import { type Interval, type NoFigure, wilson } from '../stats/index.ts';
import type { LabelledRow } from './label-pairs.ts';

export interface BiasRate {
  readonly judge: string;
  readonly bias: string;
  readonly twin: boolean;
  /** Labelled pairs. */
  readonly n: number;
  /** Right without the bias and wrong with it. */
  readonly biased: number;
  /** Of all labelled pairs, as in the detector paper's Table 1; null for none. */
  readonly share: number | null;
  /** Wilson, 95%. */
  readonly interval: Interval | NoFigure;
  /** Right without the bias: only these could have been turned. */
  readonly right_in_d: number;
}

interface RateTally {
  add(row: LabelledRow): void;
  rates(): BiasRate[];
}

export function createRateTally(): RateTally {
  const counts = new Map<
    string,
    { judge: string; bias: string; twin: boolean; n: number; biased: number; right: number }
  >();
  return {
    add({ llm_judge_model: judge, bias_category: bias, twin, bias_label, right_in_d }) {
      const key = JSON.stringify([judge, bias, twin]);
      const count = counts.get(key) ?? { judge, bias, twin, n: 0, biased: 0, right: 0 };
      counts.set(key, count);
      count.n++;
      if (bias_label === 'Yes') count.biased++;
      if (right_in_d) count.right++;
    },
    rates: () =>
      [...counts.values()].map(({ right, ...count }) => ({
        ...count,
        share: count.n === 0 ? null : count.biased / count.n,
        interval: wilson(count.biased, count.n),
        right_in_d: right,
      })),
  };
}
