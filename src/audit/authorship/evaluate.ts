/** All that the scores of a run come to. Pure: the same scores and seed give the same figures. */
import { type AuthorshipAnswer, answerReviews } from './answer-reviews.ts';
import { describeAuthorship } from './describe-authorship.ts';
import type { AuthorshipFigures } from './figures.ts';
import { measureInflation, measureKinds } from './kinds.ts';
import { type MeasureOptions, measureMethod } from './measure-method.ts';
import { measureVote } from './measure-vote.ts';
import type { ReviewScores } from './review.ts';
import { splitReviews } from './split-reviews.ts';
import { measureTransfers } from './transfer.ts';

export interface ScoringMethods {
  /** Names of the anchors, which vote together. */
  readonly anchors: readonly string[];
  /** Names of what token probabilities are made into. */
  readonly tokens: readonly string[];
}

export interface Evaluation extends AuthorshipFigures {
  readonly verdicts: readonly string[];
}

export interface EvaluateOptions extends MeasureOptions {
  /** Whether the vote with raised lines is the one to use. The figures of both are given. */
  readonly corrected: boolean;
  readonly half: (paper: string) => boolean;
}

export interface EvaluationResult {
  readonly evaluation: Evaluation;
  /** One for each review whose author is the question. */
  readonly answers: readonly AuthorshipAnswer[];
}

export function evaluateAuthorship(
  reviews: readonly ReviewScores[],
  { anchors, tokens }: ScoringMethods,
  { targets, seed, corrected, half }: EvaluateOptions,
): EvaluationResult {
  const known = reviews.filter(({ author }) => author !== null);
  const { calibration, test, split } = splitReviews(known, half);
  const methods = [...anchors, ...tokens];
  const evaluation = {
    split,
    methods: methods.map((method) => measureMethod(method, calibration, test, { targets, seed })),
    vote: measureVote(anchors, calibration, test, targets),
    transfers: measureTransfers(methods, calibration, test, targets),
    kinds: methods
      .map((method) => measureKinds(method, calibration, test, targets.toReversed()))
      .filter((one) => one.edits.length + one.archetypes.length > 0 || one.bullets !== null),
    inflation: measureInflation(known),
  };
  const asked = reviews.filter(({ author }) => author === null);
  return {
    evaluation: { ...evaluation, verdicts: describeAuthorship(evaluation, corrected) },
    answers: answerReviews(
      asked,
      anchors.length > 0 ? anchors : speaking(tokens, calibration),
      calibration,
      test,
    ),
  };
}

/** Statistics that speak for all of one endpoint's, the best of the published comparisons first. */
const SPEAKERS = ['fast-detectgpt ', 'log-likelihood '];

/**
 * Of the token statistics one, chosen before anything is measured: all of them would ask the same tokens again, and the
 * best on these very reviews would look better than it is.
 */
function speaking(tokens: readonly string[], calibration: readonly ReviewScores[]): string[] {
  const scored = tokens.filter((method) => calibration.some(({ scores }) => scores[method]));
  const [first] = SPEAKERS.flatMap((name) => scored.filter((method) => method.startsWith(name)));
  return first === undefined ? scored.slice(0, 1) : [first];
}
