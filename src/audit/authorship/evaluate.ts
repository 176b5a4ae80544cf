/** All that the scores of a run come to. Pure: the same scores and seed give the same figures. */
import type { AuthorshipResult } from '../../report/index.ts';
import { measureInflation, measureKinds } from './kinds.ts';
import {
  estimateHumanChance,
  type MeasureOptions,
  measureMethod,
  measureTransfers,
} from './measure-method.ts';
import { isWhole, type ReviewScores, splitReviews } from './review.ts';
import { collectBallot, estimateVoteChance, gatherElectorate, measureVote } from './vote.ts';

export interface ScoringMethods {
  /** Names of the anchors, which vote together. */
  readonly anchors: readonly string[];
  /** Names of what token probabilities are made into. */
  readonly tokens: readonly string[];
}

export interface EvaluateOptions extends MeasureOptions {
  readonly half: (paper: string) => boolean;
}

/** `answers`: one for each review whose author is the question. */
export function evaluateAuthorship(
  reviews: readonly ReviewScores[],
  { anchors, tokens }: ScoringMethods,
  { targets, seed, half }: EvaluateOptions,
) {
  const known = reviews.filter(({ author }) => author !== null);
  const { calibration, test, split } = splitReviews(known, half);
  const methods = [...anchors, ...tokens];
  const evaluation: AuthorshipFigures = {
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
    evaluation,
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

/** The figures of a run, by what they tell. */
type AuthorshipFigures = Pick<
  AuthorshipResult,
  'split' | 'methods' | 'vote' | 'transfers' | 'kinds' | 'inflation'
>;

// What can be said of a single review: how often one by a person would look as much like a model's. Never that its
// reviewer had it written, since no figure here knows who that is.

/** Shares of reviews by models among all, for which the chance of being wrong is worked out. */
const PREVALENCES = [0.01, 0.1, 0.5] as const;
/** With fewer reviews by people nothing is said of a single one. */
const FEWEST_FOR_ANSWER = 100;
/** From so many on a rate of one in a thousand means something. */
const MANY = 1000;

export interface AuthorshipAnswer {
  readonly id: string;
  readonly paper: string;
  readonly scores: ReviewScores['scores'];
  /** Methods that the figures below are of: all anchors together, or one token statistic. */
  readonly methods: readonly string[];
  readonly calibrated_on: number;
  /** Of reviews by people, at most this share looks as much like a model's; null where nothing can be said. */
  readonly share_of_people: number | null;
  /** Of the models' reviews tested, the share that does. */
  readonly share_of_models: number | null;
  /** If such a share of all reviews were by models: of those that look like this, the share that people wrote. */
  readonly wrong: readonly { readonly by_models: number; readonly share: number }[];
  readonly words: string;
}

/**
 * @param methods anchors, which are asked together, or one token statistic; none says nothing of any review
 */
function answerReviews(
  asked: readonly ReviewScores[],
  methods: readonly string[],
  calibration: readonly ReviewScores[],
  tested: readonly ReviewScores[],
): AuthorshipAnswer[] {
  if (asked.length === 0) return [];
  const all = gatherElectorate(methods, methods.length > 0 ? calibration : []);
  const models = tested.filter(isWhole).flatMap((one) => collectBallot(methods, one, 'low'));
  const [alone] = all.sorted;
  // One anchor needs no allowance for the others.
  const chance = (ballot: readonly number[]) =>
    methods.length === 1 && alone
      ? estimateHumanChance(alone, ballot[0] ?? 0)
      : estimateVoteChance(all, ballot);
  const chances = models.map(chance).sort((a, b) => a - b);
  return asked.map((one): AuthorshipAnswer => {
    const head = {
      id: one.id,
      paper: one.paper,
      scores: one.scores,
      methods,
      calibrated_on: all.ballots.length,
    };
    const none = { share_of_people: null, share_of_models: null, wrong: [] };
    const [ballot] = collectBallot(methods, one, 'low');
    if (!ballot || methods.length === 0)
      return { ...head, ...none, words: 'Nothing can be said of this review: it has no score.' };
    if (all.ballots.length < FEWEST_FOR_ANSWER)
      return {
        ...head,
        ...none,
        words: `Nothing can be said of this review: the scores are calibrated on ${all.ballots.length} reviews by people, and a single answer needs ${FEWEST_FOR_ANSWER} at least.`,
      };
    const people = chance(ballot);
    const share =
      chances.length === 0 ? null : chances.filter((other) => other <= people).length / chances.length;
    const wrong =
      share === null
        ? []
        : PREVALENCES.map((by_models) => {
            const [person, model] = [(1 - by_models) * people, by_models * share];
            return { by_models, share: person / (person + model) };
          });
    return {
      ...head,
      share_of_people: people,
      share_of_models: share,
      wrong,
      words: describeAnswer(people, wrong, all.ballots.length),
    };
  });
}

function describeAnswer(people: number, wrong: AuthorshipAnswer['wrong'], calibrated: number): string {
  const often =
    people > 0.2
      ? 'It looks like many reviews that people write'
      : `Of 1,000 reviews by people, up to ${Math.ceil(1000 * people).toLocaleString('en')} look as much like a model's as this one`;
  const tenth = wrong.find(({ by_models }) => by_models === 0.1);
  const odds = tenth
    ? ` If one review in ten were by a model, about ${Math.round(100 * tenth.share)} of 100 that look like this would still be by people.`
    : '';
  const few =
    calibrated < MANY
      ? ` The scores are calibrated on ${calibrated} reviews by people: nothing rarer than 1 in ${calibrated + 1} can be told.`
      : '';
  return `${often}.${odds}${few} That is a likeness of wording, not evidence of who wrote it: people write so, too, and have their own text edited.`;
}
