/**
 * What sending verdicts back does to a judge, counted with wrong→right and right→wrong beside the accuracy, for a
 * gain that hides losses is no gain.
 */
import { type ClusteredPairs, clusteredPairs, type Figure, mcnemarExact, noFigure } from '../stats/index.ts';
import type { RecordedJudgment } from './recorded-run.ts';

export interface JudgeEvaluation {
  /** Items. Accuracy counts both orders of each, so its denominator is 2n. */
  readonly n: number;
  readonly accuracy_before: number;
  readonly accuracy_after: number;
  /** Share of the items whose two orders are decided alike; an unreadable verdict agrees with nothing. */
  readonly agreement_before: number;
  readonly agreement_after: number;
  readonly wrong_to_right: number;
  readonly right_to_wrong: number;
  /**
   * Exact two-sided McNemar test on the two counts above, which takes every judgment for itself. The two orders of an
   * item are no independent judgments: `by_item` is the one to trust.
   */
  readonly mcnemar_p: number;
  /** Gain in accuracy with both orders of an item taken together; none where the judge was never asked again. */
  readonly by_item: Figure<ClusteredPairs>;
  /** Judgments that were sent back, of 2n. */
  readonly remanded: number;
  /** First verdicts that could not be read, of 2n; they count as wrong and are not sent back. */
  readonly unreadable: number;
}

/** Sending back under one strategy beside another strategy's first verdicts, on the judgments that both have. */
export interface BaselineComparison {
  /** Judgments: items in both orders. */
  readonly n: number;
  readonly accuracy: number;
  readonly baseline_accuracy: number;
  /** Wrong there and right here, and the other way round. */
  readonly gained: number;
  readonly lost: number;
  /** As if the judgments were independent; `by_item` is the one to trust. */
  readonly mcnemar_p: number;
  /** Accuracy here less there, with both orders of an item taken together. */
  readonly by_item: Figure<ClusteredPairs>;
}

/**
 * @param items judgments of each item in both orders, after sending back
 * @param baseline the same of another strategy
 * @param seed of the bootstrap
 * @returns null where they have no item in common
 */
export function compareBaseline(
  items: readonly (readonly RecordedJudgment[])[],
  baseline: readonly (readonly RecordedJudgment[])[],
  seed: number,
): BaselineComparison | null {
  const others = new Map(baseline.map((judged) => [judged[0]?.item, judged]));
  const pairs = items.flatMap((judged) =>
    judged.flatMap(({ item, after }, order) => {
      const other = others.get(item)?.[order];
      return other ? [{ item, here: after.right, there: other.after.right }] : [];
    }),
  );
  if (pairs.length === 0) return null;
  const gained = pairs.filter(({ here, there }) => here && !there).length;
  const lost = pairs.filter(({ here, there }) => !here && there).length;
  return {
    n: pairs.length,
    accuracy: pairs.filter(({ here }) => here).length / pairs.length,
    baseline_accuracy: pairs.filter(({ there }) => there).length / pairs.length,
    ...{ gained, lost, mcnemar_p: mcnemarExact(gained, lost) },
    by_item: clusteredPairs(
      pairs.map(({ item, here, there }) => ({ item, before: there, after: here })),
      seed,
    ),
  };
}

/**
 * @param items the judgments of each item, both orders
 * @param again whether the judge was ever asked again: else there is no before and after to compare
 * @param seed of the bootstrap
 */
export function summariseJudgments(
  items: readonly (readonly RecordedJudgment[])[],
  again: boolean,
  seed: number,
): JudgeEvaluation {
  const all = items.flat();
  const share = (count: number, of: number) => count / of;
  const agree = (when: 'before' | 'after') =>
    items.filter(([a, b]) => a && b && a[when].winner !== null && a[when].winner === b[when].winner).length;
  const gained = all.filter(({ before, after }) => !before.right && after.right).length;
  const lost = all.filter(({ before, after }) => before.right && !after.right).length;
  return {
    n: items.length,
    accuracy_before: share(all.filter(({ before }) => before.right).length, all.length),
    accuracy_after: share(all.filter(({ after }) => after.right).length, all.length),
    agreement_before: share(agree('before'), items.length),
    agreement_after: share(agree('after'), items.length),
    wrong_to_right: gained,
    right_to_wrong: lost,
    mcnemar_p: mcnemarExact(gained, lost),
    by_item: again
      ? clusteredPairs(
          all.map(({ item, before, after }) => ({ item, before: before.right, after: after.right })),
          seed,
        )
      : noFigure('the judge was never asked again, so there is no before and after'),
    remanded: all.filter(({ remanded }) => remanded).length,
    unreadable: all.filter(({ before }) => !before.readable).length,
  };
}
