/**
 * What can be said of a single review: how often one by a person would look as much like a model's. Never that its
 * reviewer had it written, since no figure here knows who that is.
 */

import { isWhole, type ReviewScores } from './review.ts';
import { estimateHumanChance } from './threshold.ts';
import { collectBallot, estimateVoteChance, gatherElectorate } from './vote.ts';

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
export function answerReviews(
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
        ...{ ...head, ...none },
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
      words: said(people, wrong, all.ballots.length),
    };
  });
}

function said(people: number, wrong: AuthorshipAnswer['wrong'], calibrated: number): string {
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
