/**
 * What sending verdicts back does to a judge, counted with wrong→right and right→wrong beside the accuracy, for a
 * gain that hides losses is no gain.
 */
import { mcnemarExact } from '../stats/mcnemar.ts';
import { type Judged, judgeRecorded, type RecordedRun } from './recorded-run.ts';

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
  /** Exact two-sided McNemar test on the two counts above. */
  readonly mcnemar_p: number;
  /** Judgments that were sent back, of 2n. */
  readonly remanded: number;
  /** First verdicts that could not be read, of 2n; they count as wrong and are not sent back. */
  readonly unreadable: number;
}

/** @throws InputError where an item has no label, or the voice has no record of any item */
export async function evaluateJudge(run: RecordedRun): Promise<JudgeEvaluation> {
  return summarise(await judgeRecorded(run));
}

/** @param items the judgments of each item, both orders */
export function summarise(items: readonly (readonly Judged[])[]): JudgeEvaluation {
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
    remanded: all.filter(({ remanded }) => remanded).length,
    unreadable: all.filter(({ before }) => !before.readable).length,
  };
}
