/**
 * Several anchors, one vote: a review that any of them flags is flagged (arXiv 2502.19614). Each anchor brings its
 * own false alarms, so the vote has more of them than each alone; on request the lines are moved up together until
 * the vote itself keeps the target.
 */
import type { AuthorshipResult } from '../../report/index.ts';
import { type Figure, noFigure } from '../../stats/index.ts';
import {
  computeExactShare,
  computeThresholdRank,
  countFirst,
  explainTooFew,
  formatShare,
} from './measure-method.ts';
import { isHuman, isWhole, type ReviewScores } from './review.ts';

/** Of one review its score by each anchor, in one order. */
type Ballot = readonly number[];

interface Vote {
  /** Lines, one for each anchor. A review above any of them is flagged. */
  readonly value: number;
  readonly lines: readonly number[];
  /** Each line is the score of the human review with this rank from the top, by that anchor. */
  readonly rank: number;
}

/** The reviews by people that a vote is calibrated on. */
interface Electorate {
  readonly ballots: readonly Ballot[];
  /** For each anchor the scores, highest first. */
  readonly sorted: readonly (readonly number[])[];
  /** For each review the best rank (from 1) that any anchor gives it; ascending. */
  readonly best: readonly number[];
}

export function createElectorate(ballots: readonly Ballot[]): Electorate {
  const anchors = ballots[0]?.length ?? 0;
  const sorted = Array.from({ length: anchors }, (_, anchor) =>
    ballots.map((ballot) => ballot[anchor] ?? 0).sort((a, b) => b - a),
  );
  const best = ballots.map((ballot) => bestRank(ballot, sorted)).sort((a, b) => a - b);
  return { ballots, sorted, best };
}

/** Of scores highest first, how many lie at or above each anchor's score of the review; the fewest. */
function bestRank(ballot: Ballot, sorted: Electorate['sorted']): number {
  return Math.min(
    ...ballot.map((score, anchor) => Math.max(1, countAtLeast(sorted[anchor] ?? [], score))),
    Number.POSITIVE_INFINITY,
  );
}

/**
 * @param corrected lines at the highest common rank at which the vote keeps the target. A new review is among the best
 *   r of any anchor's with a probability of at most (1 + those by people that are) / (n + 1).
 * @returns no figure where the target cannot be calibrated on so few
 */
export function computeVote(all: Electorate, target: number, corrected: boolean): Figure<Vote> {
  const humans = all.ballots.length;
  const refused = explainTooFew(humans, target);
  if (refused !== null) return noFigure(refused);
  const alone = computeThresholdRank(humans, target);
  const rank = corrected && all.sorted.length > 1 ? commonRank(all, alone) : alone;
  if (rank === 0)
    return noFigure(
      `${humans.toLocaleString('en')} human reviews are too few to hold the vote of ${all.sorted.length} anchors to ${formatShare(target)}: ` +
        'the highest by each of them alone are more',
    );
  const lines = all.sorted.map((scores) => scores[rank - 1] ?? Number.POSITIVE_INFINITY);
  return { value: lines[0] ?? Number.POSITIVE_INFINITY, lines, rank };
}

/** @returns 0 where already the first rank has too many */
function commonRank({ best }: Electorate, alone: number): number {
  const most = best.filter((rank) => rank <= alone);
  for (let rank = alone; rank > 0; rank--) if (most.filter((one) => one <= rank).length < alone) return rank;
  return 0;
}

export function isFlagged(ballot: Ballot, lines: readonly number[]): boolean {
  return ballot.some((score, anchor) => score > (lines[anchor] ?? Number.POSITIVE_INFINITY));
}

/**
 * How often any anchor gives a review by a person at least the rank that the best one gives this review. Unlike the
 * least of the anchors' own figures it is not made smaller by asking more anchors.
 *
 * @returns in [1/(n + 1), 1]
 */
export function estimateVoteChance({ sorted, best }: Electorate, ballot: Ballot): number {
  // Among n human reviews and this one: it stands behind those that score at least as high.
  const own = Math.min(...ballot.map((score, anchor) => countAtLeast(sorted[anchor] ?? [], score) + 1));
  return (1 + countFirst(best, (rank) => rank <= own)) / (best.length + 1);
}

/** @param scores highest first */
const countAtLeast = (scores: readonly number[], least: number): number =>
  countFirst(scores, (one) => one >= least);

type VoteFigures = NonNullable<AuthorshipResult['vote']>;

/** @returns null for a single anchor, whose vote is its own */
export function measureVote(
  methods: readonly string[],
  calibration: readonly ReviewScores[],
  tested: readonly ReviewScores[],
  targets: readonly number[],
): VoteFigures | null {
  if (methods.length < 2) return null;
  const all = gatherElectorate(methods, calibration);
  const people = tested.filter(isHuman).flatMap((one) => collectBallot(methods, one, 'high'));
  const models = tested.filter(isWhole).flatMap((one) => collectBallot(methods, one, 'low'));
  const at = (target: number, corrected: boolean): VoteFigures['plain'][number] => {
    const vote = computeVote(all, target, corrected);
    if (vote.value === null) {
      const none = computeExactShare(0, 0);
      return { target, refused: vote.reason, lines: {}, each: {}, fpr: none, tpr: none };
    }
    const flagged = (ballots: readonly Ballot[]) =>
      computeExactShare(ballots.filter((ballot) => isFlagged(ballot, vote.lines)).length, ballots.length);
    const alone = (anchor: number) =>
      computeExactShare(
        people.filter((ballot) => (ballot[anchor] ?? 0) > (vote.lines[anchor] ?? Number.POSITIVE_INFINITY))
          .length,
        people.length,
      );
    const each = Object.fromEntries(methods.map((method, anchor) => [method, alone(anchor)]));
    const lines = Object.fromEntries(methods.map((method, anchor) => [method, vote.lines[anchor] ?? 0]));
    return { target, refused: null, lines, each, fpr: flagged(people), tpr: flagged(models) };
  };
  return {
    methods: [...methods],
    calibrated_on: all.ballots.length,
    plain: targets.map((target) => at(target, false)),
    corrected: targets.map((target) => at(target, true)),
  };
}

export function gatherElectorate(
  methods: readonly string[],
  calibration: readonly ReviewScores[],
): Electorate {
  return createElectorate(calibration.flatMap((one) => collectBallot(methods, one, 'high')));
}

/** Nothing where any anchor has no score of it: with fewer voices it has fewer chances to be flagged. */
export function collectBallot(
  methods: readonly string[],
  { scores }: ReviewScores,
  end: 'low' | 'high',
): Ballot[] {
  const ballot = methods.map((method) => scores[method]?.[end]);
  return ballot.every((score) => score !== undefined) ? [ballot] : [];
}
