/** The nine perturbations of peer review (arXiv 2502.12510). */
import type { EditTask } from '../../../prompts/index.ts';
import type { DroppedDraft } from '../draft.ts';
import { type Keep, runEditPlan } from './edit.ts';
import { rebuttalCompleteness } from './rebuttal-completeness.ts';
import { reviewFacts } from './review-facts.ts';
import {
  findPaperStretches,
  findProse,
  findRating,
  findRebuttalStretches,
  locateInReviews,
  type Stretch,
} from './submission-parts.ts';
import type { Perturbation, Submission, TextChange } from './types.ts';
import { spoilText } from './write-badly.ts';

export { applyChanges } from './edit.ts';
export { findPaperSections, findReviewSections } from './submission-parts.ts';
export type * from './types.ts';

type Told = Omit<Perturbation, 'name' | 'by' | 'perturb'>;
type FindStretches = (submission: Submission) => readonly Stretch[] | DroppedDraft;

/** A model edits each stretch. */
const editByModel = (told: Told, task: EditTask, keep: Keep, find: FindStretches): Perturbation => ({
  name: `${told.part}-${told.aspect}`,
  ...told,
  by: 'model',
  async perturb(submission, tools) {
    const stretches = find(submission);
    return 'dropped' in stretches
      ? stretches
      : runEditPlan({ task, part: told.part, keep, stretches }, tools);
  },
});

/** Each stretch gets typing errors, run-on sentences and disorder by rule, so that what it says stays. */
const spoiled = (told: Told, find: FindStretches): Perturbation => ({
  name: `${told.part}-${told.aspect}`,
  ...told,
  by: 'rule',
  async perturb(submission, { draw }) {
    const stretches = find(submission);
    if ('dropped' in stretches) return stretches;
    const { part } = told;
    const changes = stretches.flatMap(({ item, start, text }): TextChange[] => {
      const place = part === 'paper' ? start : `${part} ${item}`;
      const after = spoilText(text, (of) => draw(`${submission.id} ${place} ${of}`));
      return after === text ? [] : [{ part, item, start, before: text, after }];
    });
    return changes.length > 0 ? { changes, refused: [] } : { dropped: 'no prose to write badly' };
  },
});

/** What an edit of tone keeps. */
const TONE: Keep = { size: [0.6, 2], citations: 'all', numbers: 'all' };

/** Overclaims in, citations of close work out. */
const paperContribution = editByModel(
  {
    part: 'paper',
    aspect: 'contribution',
    definition: 'The paper claims novelty that it does not have, and no longer cites the work closest to it.',
    expectation: 'decrease',
    called: 'overclaiming papers',
  },
  'contribution',
  { size: [0.5, 1.7], citations: 'some', numbers: 'some' },
  (submission) => findPaperStretches(submission, 'contribution'),
);

const paperSoundness = editByModel(
  {
    part: 'paper',
    aspect: 'soundness',
    definition: 'The paper no longer says how its method works in detail and how its results were validated.',
    expectation: 'decrease',
    called: 'papers without details of method and validation',
  },
  'soundness',
  { size: [0.15, 1.1], citations: 'some', numbers: 'some' },
  (submission) => findPaperStretches(submission, 'soundness'),
);

const paperPresentation = spoiled(
  {
    part: 'paper',
    aspect: 'presentation',
    definition: 'The paper is badly written: typing errors, run-on sentences, sentences out of order.',
    expectation: 'decrease',
    called: 'badly written papers',
  },
  (submission) => findPaperStretches(submission, 'presentation'),
);

const reviewTone = editByModel(
  {
    part: 'review',
    aspect: 'tone',
    definition: 'The reviews make the same points in a hostile tone.',
    expectation: 'invariant',
    called: 'hostile reviews',
  },
  'hostile',
  TONE,
  ({ reviews }) => {
    if (reviews.length === 0) return { dropped: 'there are no reviews' };
    return reviews.map(({ text }, item) => {
      const { start, end } = findProse(text);
      return { item, start, text: text.slice(start, end) };
    });
  },
);

/** On the scale from 1 to 10 that conferences use, 6 is marginally above the threshold. */
const LEANS_TO_ACCEPT = 6;

/** Ratings that lean to accept become strong reject, and every reason stays. */
const reviewConclusion: Perturbation = {
  name: 'review-conclusion',
  part: 'review',
  aspect: 'conclusion',
  definition: 'Reviews that rate the paper for acceptance say strong reject, with the same reasons above it.',
  expectation: 'invariant',
  called: 'reviews turned to strong reject',
  by: 'rule',

  async perturb(submission) {
    const rated = locateInReviews(submission, findRating);
    if (rated.length === 0) return { dropped: 'no review has an overall rating' };
    const changes = rated.flatMap(({ item, at: { start, text, value } }) => {
      const scale = /^\d+\s*\/\s*(\d+)/.exec(text);
      if (value < LEANS_TO_ACCEPT || (scale && scale[1] !== '10')) return [];
      const after = `1${scale ? text.slice(String(value).length, scale[0].length) : ''}: strong reject`;
      return [{ part: 'review' as const, item, start, before: text, after }];
    });
    return changes.length > 0 ? { changes, refused: [] } : { dropped: 'no review leans to accept' };
  },
};

const rebuttalTone = editByModel(
  {
    part: 'rebuttal',
    aspect: 'tone',
    definition: 'The rebuttals make the same arguments in a dismissive tone.',
    expectation: 'invariant',
    called: 'dismissive rebuttals',
  },
  'dismissive',
  TONE,
  findRebuttalStretches,
);

const rebuttalPresentation = spoiled(
  {
    part: 'rebuttal',
    aspect: 'presentation',
    definition: 'The rebuttals are badly written: typing errors, run-on sentences, sentences out of order.',
    expectation: 'invariant',
    called: 'badly written rebuttals',
  },
  findRebuttalStretches,
);

export const PERTURBATIONS: readonly Perturbation[] = [
  paperContribution,
  paperSoundness,
  paperPresentation,
  reviewTone,
  reviewFacts,
  reviewConclusion,
  rebuttalTone,
  rebuttalPresentation,
  rebuttalCompleteness,
];
