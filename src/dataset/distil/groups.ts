/**
 * Base items that must stand on one side of a split: those that share an id, an instruction or nearly the same
 * case. A group's side is drawn from the least of its ids, so that no other row, and no order of rows, moves it.
 */

import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { draw } from '../../stats/seeded-draw.ts';
import { SPLITS } from '../detector-example.ts';
import { hashText } from './notes.ts';
import { normaliseText } from './similar.ts';

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
