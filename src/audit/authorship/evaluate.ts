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
  /** Whether single answers and the verdict use the vote whose lines were moved up. */
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
    answers: answersOf(asked, anchors.length > 0 ? anchors : tokens, calibration, test),
  };
}
