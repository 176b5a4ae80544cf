/** How the time of a regular expression grows with a hostile text, told by recheck and kept in a list. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './extract.ts';

/**
 * - `linear`: recheck finds no text on which the expression takes more than linear time.
 * - `bounded`: recheck finds one, but nothing in the expression repeats without an end: from each place in the text it
 *   looks at no more than a constant number of characters, so the whole is linear.
 * - `polynomial`, `exponential`: recheck finds a text on which it takes that long.
 * - `unknown`: recheck ran out of time.
 */
export type Growth = 'linear' | 'bounded' | 'polynomial' | 'exponential' | 'unknown';

export interface Checked {
  readonly source: string;
  readonly flags: string;
  readonly growth: Growth;
}

const LIST = join(ROOT, 'test/security/expressions/checked.jsonl');

/** Milliseconds recheck may take for one expression. */
const PATIENCE = 10_000;

export const keyOf = ({ source, flags }: { readonly source: string; readonly flags: string }) =>
  `/${source}/${flags}`;

/** @returns what was checked before, by source and flags */
export function loadChecked(): Map<string, Checked> {
  const lines = readFileSync(LIST, 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line): [string, Checked] => [keyOf(JSON.parse(line)), JSON.parse(line)]));
}

export function saveChecked(all: readonly Checked[]): void {
  const lines = all.map(({ source, flags, growth }) => JSON.stringify({ source, flags, growth }));
  writeFileSync(LIST, `${lines.toSorted().join('\n')}\n`);
}

/** Asks recheck; in JavaScript unless the environment names another of its engines, which all say the same. */
export async function checkExpression(source: string, flags: string): Promise<Checked> {
  process.env.RECHECK_BACKEND ??= 'pure';
  const { check } = await import('recheck');
  // `d` only adds places to what is found; recheck does not know it.
  const found = await check(source, flags.replace('d', ''), { timeout: PATIENCE });
  const type = found.status === 'unknown' ? undefined : found.complexity.type;
  return { source, flags, growth: growthOf(source, found.status, type) };
}

function growthOf(source: string, status: string, type: string | undefined): Growth {
  if (status === 'safe') return 'linear';
  if (type === 'exponential') return 'exponential';
  if (!repeatsWithoutEnd(source)) return 'bounded';
  return status === 'unknown' ? 'unknown' : 'polynomial';
}

/** Whether a part of the expression may repeat without an end, or repeats what another part has found. */
export function repeatsWithoutEnd(source: string): boolean {
  if (/\\(?:[1-9]|k<)/.test(source)) return true;
  const bare = source.replace(/\\[\s\S]/g, '.').replace(/\[[^\]]*\]/g, '.');
  return /[*+]|\{\d+,\}/.test(bare);
}
