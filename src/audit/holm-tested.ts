import { holm } from '../stats/index.ts';

/** Holm's correction over the comparisons that were tested; null stays where there was no test. */
export function correctTested(ps: readonly (number | null)[]): (number | null)[] {
  const adjusted = holm(ps.filter((p) => p !== null));
  let at = 0;
  return ps.map((p) => (p === null ? null : (adjusted[at++] ?? 1)));
}
