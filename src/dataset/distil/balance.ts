/** As many rows of each label, or of each bias and label, by leaving out rows that a seed draws. */
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { draw } from '../../stats/seeded-draw.ts';
import type { LabelledRow } from '../label-pairs.ts';

export const BALANCES = ['none', 'label', 'bias+label'] as const;
export type Balance = (typeof BALANCES)[number];

interface Balancer {
  /** @param index the row's number, any that tells rows apart */
  add(index: number, row: LabelledRow): void;
  /** The numbers of the rows that are left out. Asked for once, when all are added. */
  cut(): { has(index: number): boolean };
}

const cell = z.object({ bias: z.string(), least: z.number() });

/**
 * `label` keeps as many Yes as No. `bias+label` does so within each bias, and keeps as many of each: a bias of
 * which there is one label only cannot be balanced, and is left out whole.
 *
 * @param notes where the rows' numbers are kept
 */
export function createBalancer(notes: DatabaseSync, balance: Balance, seed: number): Balancer {
  if (balance === 'none') return { add() {}, cut: () => new Set() };
  notes.exec(`
    CREATE TABLE drawn (number INTEGER PRIMARY KEY, bias TEXT, label TEXT, at REAL, id TEXT);
    CREATE TABLE cut (number INTEGER PRIMARY KEY)`);
  const keep = notes.prepare('INSERT INTO drawn (number, bias, label, at, id) VALUES (?, ?, ?, ?, ?)');
  return {
    add(index, row) {
      const id = `balance ${row.id} ${row.llm_judge_model}`;
      const bias = balance === 'bias+label' ? row.bias_category : '';
      keep.run(index, bias, row.bias_label, draw(seed, id), id);
    },
    cut() {
      const cells = notes
        .prepare(
          `SELECT bias, min(count(CASE label WHEN 'Yes' THEN 1 END), count(CASE label WHEN 'No' THEN 1 END)) AS least
           FROM drawn GROUP BY bias`,
        )
        .all()
        .map((row) => cell.parse(row));
      const size = Math.min(...cells.map(({ least }) => least).filter((least) => least > 0));
      const leave = notes.prepare(
        `INSERT INTO cut SELECT number FROM (
           SELECT number, row_number() OVER (PARTITION BY label ORDER BY at, id, number) AS place
           FROM drawn WHERE bias = ?) WHERE place > ?`,
      );
      for (const { bias, least } of cells) leave.run(bias, least === 0 ? 0 : size);
      const find = notes.prepare('SELECT 1 FROM cut WHERE number = ?');
      return { has: (index) => find.get(index) !== undefined };
    },
  };
}
