/**
 * Base items that must stand on one side of a split: those that share an id, an instruction or nearly the same
 * case. A group's side is drawn from the least of its ids, so that no other row, and no order of rows, moves it.
 */

import { draw } from '../../stats/seeded-draw.ts';
import { SPLITS } from '../example.ts';
import { plainText } from './shingles.ts';

export type Split = (typeof SPLITS)[number];
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

export function createGroups(): Groups {
  const parents = new Map<string, string>();
  const byInstruction = new Map<string, string>();
  const rootOf = (base: string): string => {
    let root = base;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up;
    // The way there is shortened for the next time.
    for (let at = base; at !== root; ) {
      const up = parents.get(at) ?? root;
      parents.set(at, root);
      at = up;
    }
    return root;
  };
  const join = (one: string, other: string) => {
    const [low, high] = [rootOf(one), rootOf(other)].toSorted();
    if (low !== undefined && high !== undefined) parents.set(high, low);
  };
  return {
    add(base, instruction) {
      if (!parents.has(base)) parents.set(base, base);
      const plain = plainText(instruction);
      const first = byInstruction.get(plain);
      if (first === undefined) byInstruction.set(plain, base);
      else join(first, base);
    },
    join,
    rootOf,
    get size() {
      const bases = [...parents.keys()];
      return { bases: bases.length, groups: new Set(bases.map(rootOf)).size };
    },
  };
}

/** @param root id of the group */
export function splitOf(root: string, shares: Shares, seed: number): Split {
  // Named for what is drawn: the place of the right option is drawn from the bare id when a dataset is built.
  const at = draw(seed, `split ${root}`) * shares.reduce((sum, share) => sum + share, 0);
  let upTo = 0;
  for (const [i, split] of SPLITS.entries()) {
    upTo += shares[i] ?? 0;
    if (at < upTo) return split;
  }
  throw new RangeError(`${shares.join('/')} are no shares`);
}
