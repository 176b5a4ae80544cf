/**
 * Base items that must stand on one side of a split: those that share an id, an instruction or nearly the same
 * case. A group's side is drawn from the least of its ids, so that no other row, and no order of rows, moves it.
 */
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { draw } from '../../stats/seeded-draw.ts';
import { type LabelledRow, SPLITS } from '../label-pairs.ts';
import { hashText, normaliseText } from './similar.ts';

export type DatasetSplit = (typeof SPLITS)[number];
/** Relative sizes of train, validation and test. */
export type Shares = readonly [number, number, number];

export interface Groups {
  /** Notes a row's base item. */
  add(base: string, instruction: string): void;
  /** Two base items are one question. */
  join(one: string, other: string): void;
  /** The least id of the group that the base item belongs to. */
  rootOf(base: string): string;
  /** Base items, and the groups they form. */
  readonly size: { readonly bases: number; readonly groups: number };
}

const held = z.object({ base: z.string() });
const sizes = z.object({ bases: z.number(), groups: z.number() });

/** @param notes where the groups are kept: union-find, each base item with the one above it, a root with itself */
export function createGroups(notes: DatabaseSync): Groups {
  notes.exec(`
    CREATE TABLE above (id TEXT PRIMARY KEY, base TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE asked (instruction BLOB PRIMARY KEY, base TEXT NOT NULL) WITHOUT ROWID`);
  const above = notes.prepare('SELECT base FROM above WHERE id = ?');
  const begin = notes.prepare('INSERT OR IGNORE INTO above (id, base) VALUES (?, ?)');
  const put = notes.prepare('INSERT OR REPLACE INTO above (id, base) VALUES (?, ?)');
  const asked = notes.prepare('SELECT base FROM asked WHERE instruction = ?');
  const ask = notes.prepare('INSERT INTO asked (instruction, base) VALUES (?, ?)');
  const size = notes.prepare(
    'SELECT count(*) AS bases, count(CASE WHEN id = base THEN 1 END) AS groups FROM above',
  );
  const over = (base: string) => baseIn(above.get(base)) ?? base;
  const rootOf = (base: string): string => {
    let root = base;
    for (let up = over(root); up !== root; up = over(root)) root = up;
    // The way there is shortened for the next time.
    for (let at = base; at !== root; ) {
      const up = over(at);
      if (up !== root) put.run(at, root);
      at = up;
    }
    return root;
  };
  const join = (one: string, other: string) => {
    const [low, high] = [rootOf(one), rootOf(other)].toSorted();
    if (low !== undefined && high !== undefined && low !== high) put.run(high, low);
  };
  return {
    add(base, instruction) {
      begin.run(base, base);
      const key = hashText(normaliseText(instruction));
      const first = baseIn(asked.get(key));
      if (first === undefined) ask.run(key, base);
      else join(first, base);
    },
    join,
    rootOf,
    get size() {
      return sizes.parse(size.get());
    },
  };
}

function baseIn(row: unknown): string | undefined {
  return row === undefined ? undefined : held.parse(row).base;
}

/** @param root id of the group */
export function assignSplit(root: string, shares: Shares, seed: number): DatasetSplit {
  // Named for what is drawn: the place of the right option is drawn from the bare id when a dataset is built.
  const at = draw(seed, `split ${root}`) * shares.reduce((sum, share) => sum + share, 0);
  let upTo = 0;
  for (const [i, split] of SPLITS.entries()) {
    upTo += shares[i] ?? 0;
    if (at < upTo) return split;
  }
  throw new RangeError(`${shares.join('/')} are no shares`);
}

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
