/** What each bias of the catalogue moves in a judge's verdicts, from rows with and without it, the right option known. */
import { findBias } from '../bias/index.ts';
import { toInterval } from '../stats/figure.ts';
import {
  clusteredShare,
  type Figure,
  holm,
  type Interval,
  noFigure,
  pairedShift,
  type Shift,
} from '../stats/index.ts';

/** A verdict on one row with the bias in it, beside that on the same row without. */
export interface BiasedVerdicts {
  readonly judge: string;
  readonly bias: string;
  /** Rows of one base item are not independent. */
  readonly base: string;
  /**
   * How far the verdict went as the bias wants it: 1 where it does with the bias and did not without, -1 the other way round, 0 where
   * nothing changed. Of a bias of order: half of how much more often the first option was chosen than the last, in both orders. A
   * judge that sticks to an option, wherever it stands, has 0; of two options it is how much more often than by chance the first
   * was chosen. Null where a verdict could not be read.
   */
  readonly toward: number | null;
  /** Whether the verdict is right; null where none could be read. */
  readonly clean: boolean | null;
  readonly biased: boolean | null;
  /** Whether another option was chosen; null where a verdict could not be read. */
  readonly moved: boolean | null;
}

export interface BiasEffect {
  readonly judge: string;
  readonly bias: string;
  /** Rows with both verdicts, and those without one of them. */
  readonly n: number;
  readonly unread: number;
  /**
   * By how much more often the judge decides as the bias wants it than without the bias: 0 for a fair judge; one that always follows
   * and is right of half the clean cases has .5.
   */
  readonly effect: Figure<Shift>;
  /** Of the effect, corrected for the number of biases (Holm); null where there is none. */
  readonly p: number | null;
  /** Rows whose verdict is another with the bias than without, whichever way; the interval takes the rows of an item together. */
  readonly moved: number;
  readonly moved_interval: Interval | null;
}

/**
 * @param confidence of the intervals, in (0, 1)
 * @returns by judge, the largest effect first; biases with fewer than two base items have none, with the reason
 *
 * @example measureBiasEffects(verdicts)[0] // { judge, bias: 'bandwagon', effect: { value: .42, … }, p: .0003, … }
 */
export function measureBiasEffects(verdicts: readonly BiasedVerdicts[], confidence = 0.95): BiasEffect[] {
  return [...Map.groupBy(verdicts, ({ judge }) => judge)].flatMap(([judge, own]) => {
    const effects = [...Map.groupBy(own, ({ bias }) => bias)].map(([bias, rows]) =>
      effectOf(judge, bias, rows, confidence),
    );
    const tested = effects.filter(({ effect }) => effect.value !== null);
    const adjusted = holm(tested.map(({ effect }) => ('p' in effect ? effect.p : 1)));
    const corrected = new Map(tested.map((one, n) => [one, adjusted[n] ?? 1]));
    return effects
      .map((one) => ({ ...one, p: corrected.get(one) ?? null }))
      .sort((a, b) => Math.abs(b.effect.value ?? 0) - Math.abs(a.effect.value ?? 0));
  });
}

/**
 * Nobody decides more than always, or less than never, as a bias wants it: of few items the interval would go beyond. Where all
 * items moved alike it would have no width: it is as wide as the share of others that so many items could all have missed (the
 * exact interval of Clopper and Pearson for none of n).
 *
 * @param most the largest effect there can be, either way
 */
export function boundEffect<S extends Pick<Shift, 'value' | 'interval' | 'standardError' | 'groups'>>(
  effect: S,
  confidence = 0.95,
  most = 1,
): S {
  const { groups, standardError, interval } = effect;
  const unseen = standardError > 0 ? 0 : 1 - ((1 - confidence) / 2) ** (1 / groups);
  return {
    ...effect,
    interval: { low: Math.max(-most, interval.low - unseen), high: Math.min(most, interval.high + unseen) },
  };
}

function effectOf(
  judge: string,
  bias: string,
  rows: readonly BiasedVerdicts[],
  confidence: number,
): Omit<BiasEffect, 'p'> {
  const read = rows.flatMap(({ moved, toward, base }) =>
    moved === null || toward === null ? [] : [{ moved, toward, base }],
  );
  const share = clusteredShare(
    read.map(({ moved, base }) => ({ value: Number(moved), group: base })),
    confidence,
  );
  const effect =
    read.length === 0
      ? noFigure('no verdict could be read')
      : pairedShift(
          read.map(({ toward, base }) => ({ value: toward, group: base })),
          confidence,
        );
  // An order can win what chance would not have given: half of the verdicts at most.
  const most = findBias(bias)?.bothOrders ? 0.5 : 1;
  return {
    judge,
    bias,
    n: read.length,
    unread: rows.length - read.length,
    effect: effect.value === null ? effect : boundEffect(effect, confidence, most),
    moved: read.filter(({ moved }) => moved).length,
    moved_interval: toInterval(share),
  };
}
