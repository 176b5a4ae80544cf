/** All that the scores of a run come to. Pure: the same scores and seed give the same figures. */
import { type Answer, answersOf } from './answer.ts';
import type { Figures } from './figures.ts';
import { partsOf } from './groups.ts';
import { inflationOf, kindsOf } from './kinds.ts';
import { type Look, measure } from './measure.ts';
import { measureVote } from './measure-vote.ts';
import type { Scored } from './review.ts';
import { transfers } from './transfer.ts';
import { verdictsOf } from './words.ts';

export interface Methods {
  /** Names of the anchors, which vote together. */
  readonly anchors: readonly string[];
  /** Names of what token probabilities are made into. */
  readonly tokens: readonly string[];
}

export interface Evaluation extends Figures {
  readonly verdicts: readonly string[];
}

export interface EvaluateOptions extends Look {
  /** Whether the vote with raised lines is the one to use. The figures of both are given. */
  readonly corrected: boolean;
  readonly half: (paper: string) => boolean;
}

export interface Evaluated {
  readonly evaluation: Evaluation;
  /** One for each review whose author is the question. */
  readonly answers: readonly Answer[];
}

export function evaluate(
  reviews: readonly Scored[],
  { anchors, tokens }: Methods,
  { targets, seed, corrected, half }: EvaluateOptions,
): Evaluated {
  const known = reviews.filter(({ author }) => author !== null);
  const { calibration, test, split } = partsOf(known, half);
  const methods = [...anchors, ...tokens];
  const evaluation = {
    split,
    methods: methods.map((method) => measure(method, calibration, test, { targets, seed })),
    vote: measureVote(anchors, calibration, test, targets),
    transfers: transfers(methods, calibration, test, targets),
    kinds: methods
      .map((method) => kindsOf(method, calibration, test, targets.toReversed()))
      .filter((one) => one.edits.length + one.archetypes.length > 0 || one.bullets !== null),
    inflation: inflationOf(known),
  };
  const asked = reviews.filter(({ author }) => author === null);
  return {
    evaluation: { ...evaluation, verdicts: verdictsOf(evaluation, corrected) },
    answers: answersOf(
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
function speaking(tokens: readonly string[], calibration: readonly Scored[]): string[] {
  const scored = tokens.filter((method) => calibration.some(({ scores }) => scores[method]));
  const [first] = SPEAKERS.flatMap((name) => scored.filter((method) => method.startsWith(name)));
  return first === undefined ? scored.slice(0, 1) : [first];
}
