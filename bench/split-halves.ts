/**
 * Whether calibrating keeps what it promises: on one random half of the items it is settled whether to send back, on
 * the other half it is seen what that does. Many seeded splits, for one alone can be luck.
 */

import { decideAction, type LabelledJudgment } from '../src/evaluate/decide-calibration.ts';
import { signFlipTest } from '../src/stats/index.ts';
import { draw } from '../src/stats/seeded-draw.ts';

export interface Splits {
  readonly splits: number;
  /** Splits in which biased verdicts were sent back on the other half. */
  readonly sent_back: number;
  /** Splits in which that was significantly worse than not sending back (exact sign-flip test over items, p < .05). */
  readonly significantly_worse: number;
  /** Wrong→right less right→wrong on the other half, mean over the splits: with everything sent back, and as settled. */
  readonly mean_gain_always: number;
  readonly mean_gain_calibrated: number;
}

/** p below which a loss counts as significant. */
const LEVEL = 0.05;

/** @param items the judgments of each item, both orders: an item's two stand on one side of a split */
export function splitHalves(
  items: readonly (readonly LabelledJudgment[])[],
  bias: string,
  splits: number,
): Splits {
  const sums = { sentBack: 0, worse: 0, always: 0, calibrated: 0 };
  for (let split = 1; split <= splits; split++) {
    const order = items.toSorted((a, b) => draw(split, a[0]?.item ?? '') - draw(split, b[0]?.item ?? ''));
    const half = Math.floor(order.length / 2);
    const balances = order
      .slice(half)
      .map((judged) => judged.reduce((sum, { before, after }) => sum + Number(after) - Number(before), 0));
    const gain = balances.reduce((sum, balance) => sum + balance, 0);
    sums.always += gain;
    if (decideAction(order.slice(0, half).flat(), bias).action !== 'remand') continue;
    sums.sentBack++;
    sums.calibrated += gain;
    if (gain < 0 && (signFlipTest(balances).value ?? 1) < LEVEL) sums.worse++;
  }
  return {
    splits,
    sent_back: sums.sentBack,
    significantly_worse: sums.worse,
    mean_gain_always: sums.always / splits,
    mean_gain_calibrated: sums.calibrated / splits,
  };
}
