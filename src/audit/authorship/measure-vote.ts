/** What the vote of several anchors finds, and how many more people it flags than each anchor alone. */

import { computeExactShare, type ExactShare } from './measure-method.ts';
import type { ReviewScores } from './review.ts';
import { isHuman, isWhole } from './split-reviews.ts';
import { type Ballot, computeVote, createElectorate, type Electorate, isFlagged } from './vote.ts';

export interface VoteAtTarget {
  readonly target: number;
  readonly refused: string | null;
  /** What scores above its method's line is flagged; empty where the target is refused. */
  readonly lines: Readonly<Record<string, number>>;
  /** Reviews by people that each anchor flags alone, by method. */
  readonly each: Readonly<Record<string, ExactShare>>;
  readonly fpr: ExactShare;
  readonly tpr: ExactShare;
}

export interface VoteFigures {
  readonly methods: readonly string[];
  /** Reviews by people that have a score by every anchor. */
  readonly calibrated_on: number;
  /** Any anchor above its own line. */
  readonly plain: readonly VoteAtTarget[];
  /** Lines moved up together until the vote keeps the target. */
  readonly corrected: readonly VoteAtTarget[];
}

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
  const at = (target: number, corrected: boolean): VoteAtTarget => {
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
    methods,
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
