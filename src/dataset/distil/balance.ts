/** As many rows of each label, or of each bias and label, by leaving out rows that a seed draws. */

import { draw } from '../../stats/seeded-draw.ts';
import type { LabelledRow } from '../label.ts';

export const BALANCES = ['none', 'label', 'bias+label'] as const;
export type Balance = (typeof BALANCES)[number];

export interface Balancing {
  /** @param index the row's number, any that tells rows apart */
  add(index: number, row: LabelledRow): void;
  /** The numbers of the rows that are left out. */
  cut(): ReadonlySet<number>;
}

/**
 * `label` keeps as many Yes as No. `bias+label` does so within each bias, and keeps as many of each bias: a bias of
 * which there is one label only cannot be balanced, and is left out whole.
 */
export function createBalancing(balance: Balance, seed: number): Balancing {
  const cells = new Map<string, Record<'Yes' | 'No', { index: number; at: number; id: string }[]>>();
  return {
    add(index, row) {
      const bias = balance === 'bias+label' ? row.bias_category : '';
      const cell = cells.get(bias) ?? { Yes: [], No: [] };
      cells.set(bias, cell);
      const id = `balance ${row.id} ${row.llm_judge_model}`;
      cell[row.bias_label].push({ index, at: draw(seed, id), id });
    },
    cut() {
      if (balance === 'none') return new Set();
      const both = [...cells.values()].map(({ Yes, No }) => Math.min(Yes.length, No.length));
      const size = Math.min(...both.filter((least) => least > 0));
      const out = [...cells.values()].flatMap(({ Yes, No }, i) =>
        [Yes, No].flatMap((rows) =>
          rows
            .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : a.index - b.index))
            .slice(both[i] === 0 ? 0 : size),
        ),
      );
      return new Set(out.map(({ index }) => index));
    },
  };
}
