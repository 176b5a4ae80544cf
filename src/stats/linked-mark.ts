/** Which score of a new judge means what a score of the old one meant: equipercentile linking. */
import { type Figure, noFigure } from './figure.ts';

/**
 * The mark that as large a share of the new scores reaches as of the old ones reaches the old mark (Kolen and Brennan, Test
 * Equating, 2014, ch. 2). A score stands for all values nearer to it than to the next, so that marks may lie between two scores.
 *
 * @param before scores by the old judge
 * @param after scores by the new judge on the same items, or on items like them
 * @param step between two scores, above 0
 * @returns no figure where all or none of the old scores reach the mark: then no share tells
 *
 * @example linkedMark([5, 6, 7, 8], [4, 5, 6, 7], 7, 1) // { value: 6 }
 */
export function linkedMark(
  before: readonly number[],
  after: readonly number[],
  mark: number,
  step: number,
): Figure {
  if (before.length === 0 || after.length === 0) return noFigure('no scores');
  const half = step / 2;
  const below = shareBelow(before, mark - half, step);
  if (below <= 0 || below >= 1)
    return noFigure(`${below <= 0 ? 'all' : 'none'} of the scores before reach ${mark}`);
  const counts = new Map<number, number>();
  for (const score of after) counts.set(score, (counts.get(score) ?? 0) + 1);
  let passed = 0;
  for (const [score, count] of [...counts].sort(([a], [b]) => a - b)) {
    const own = count / after.length;
    if (passed + own >= below - 1e-12) return { value: score + step * ((below - passed) / own - 0.5) + half };
    passed += own;
  }
  return noFigure('no score after reaches as far');
}

/** The share of scores below a value, each spread evenly over the step around it. */
function shareBelow(scores: readonly number[], value: number, step: number): number {
  const sum = scores.reduce(
    (all, score) => all + Math.min(1, Math.max(0, (value - (score - step / 2)) / step)),
    0,
  );
  return sum / scores.length;
}
