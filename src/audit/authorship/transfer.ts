/** Lines drawn on one venue and held against another: whether a promise made for one holds for the next. */

import { computeExactShare, type ExactShare } from './measure-method.ts';
import type { ReviewScores } from './review.ts';
import { isHuman, isWhole, listHumanScores } from './split-reviews.ts';
import { computeThreshold, predictAlarms } from './threshold.ts';

export interface Transfer {
  readonly method: string;
  readonly calibrated_on: string;
  readonly tested_on: string;
  readonly target: number;
  readonly refused: string | null;
  readonly fpr: ExactShare;
  readonly tpr: ExactShare;
  /**
   * Whether more people are flagged than the line's target allows for by chance: the promise does not hold there. Null
   * where there is nothing to tell.
   */
  readonly broken: boolean | null;
}

/** @returns for each method, pair of venues and target; nothing where there is only one venue */
export function measureTransfers(
  methods: readonly string[],
  calibration: readonly ReviewScores[],
  tested: readonly ReviewScores[],
  targets: readonly number[],
): Transfer[] {
  const [from, to] = [byVenue(calibration), byVenue(tested)];
  if (new Set([...from.keys(), ...to.keys()]).size < 2) return [];
  return methods.flatMap((method) =>
    [...from].flatMap(([calibrated_on, humans]) => {
      const scores = listHumanScores(humans, method);
      return [...to].flatMap(([tested_on, reviews]) =>
        targets.map((target): Transfer => {
          const line = computeThreshold(scores, target);
          const head = { method, calibrated_on, tested_on, target };
          if (line.value === null)
            return {
              ...head,
              refused: line.reason,
              fpr: computeExactShare(0, 0),
              tpr: computeExactShare(0, 0),
              broken: null,
            };
          const { value } = line;
          const above = (some: readonly ReviewScores[], end: 'low' | 'high') => {
            const own = some.flatMap(({ scores: all }) => all[method]?.[end] ?? []);
            return computeExactShare(own.filter((score) => score > value).length, own.length);
          };
          const fpr = above(reviews.filter(isHuman), 'high');
          return {
            ...{ ...head, refused: null, fpr, tpr: above(reviews.filter(isWhole), 'low') },
            broken: fpr.n === 0 ? null : fpr.count > predictAlarms(line, fpr.n).high,
          };
        }),
      );
    }),
  );
}

function byVenue(reviews: readonly ReviewScores[]): Map<string, ReviewScores[]> {
  return Map.groupBy(reviews, ({ venue }) => venue ?? 'unnamed');
}
