/** Two detectors beside each other on the same rows: only there are their labels pairs. */
import { type ClusteredPairs, clusteredPairs, type Figure, mcnemarExact } from '../stats/index.ts';
import type { DetectorFinding } from './detector.ts';

export interface DetectorComparison {
  /** Rows that both answered; the others cannot be compared. */
  readonly n: number;
  readonly accuracy: number;
  readonly other_accuracy: number;
  /** Label right here and wrong there, and the other way round. */
  readonly gained: number;
  readonly lost: number;
  /** Exact, two-sided, as if no two rows were about one question; `by_item` is the one to trust. */
  readonly mcnemar_p: number;
  /** Accuracy here less there, with all rows about one question taken together. */
  readonly by_item: Figure<ClusteredPairs>;
}

/**
 * @param findings of one detector
 * @param others of another, on the same rows in the same order
 * @param seed of the bootstrap
 * @returns null where they answered no row in common
 * @throws RangeError where the rows are others
 */
export function compareDetectors(
  findings: readonly DetectorFinding[],
  others: readonly DetectorFinding[],
  seed: number,
): DetectorComparison | null {
  if (findings.length !== others.length || findings.some(({ row }, index) => row !== others[index]?.row))
    throw new RangeError('detectors can be compared on the same rows only');
  const pairs = findings.flatMap(({ row, biased }, index) => {
    const other = others[index]?.biased ?? null;
    if (biased === null || other === null) return [];
    const truth = row.bias_label === 'Yes';
    return [{ item: row.instruction, before: other === truth, after: biased === truth }];
  });
  if (pairs.length === 0) return null;
  const count = (of: (pair: (typeof pairs)[number]) => boolean) => pairs.filter(of).length;
  const gained = count(({ before, after }) => !before && after);
  const lost = count(({ before, after }) => before && !after);
  return {
    n: pairs.length,
    accuracy: count(({ after }) => after) / pairs.length,
    other_accuracy: count(({ before }) => before) / pairs.length,
    ...{ gained, lost, mcnemar_p: mcnemarExact(gained, lost) },
    by_item: clusteredPairs(pairs, seed),
  };
}
