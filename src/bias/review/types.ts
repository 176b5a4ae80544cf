/**
 * A perturbation changes one of the three texts of peer review, the paper, its reviews or the rebuttals, in one aspect
 * and leaves the rest as it is (arXiv 2502.12510). What was changed is kept, so that every change can be taken back.
 */
import type { DroppedDraft } from '../draft.ts';
import type { Expectation } from '../types.ts';

export interface PaperReview {
  /** Unique within its submission. */
  readonly id: string;
  /** As a judge sees it: headed sections, then the ratings, a line each (`Rating: 6: weak accept`). */
  readonly text: string;
}

export interface Rebuttal {
  /** The review that it answers; null for one to all of them. */
  readonly to: string | null;
  readonly text: string;
}

export interface Submission {
  readonly id: string;
  readonly title: string;
  /** The text without its title. */
  readonly paper: string;
  readonly reviews: readonly PaperReview[];
  readonly rebuttals: readonly Rebuttal[];
}

export const PARTS = ['paper', 'review', 'rebuttal'] as const;
export type Part = (typeof PARTS)[number];

/** Replaces `before`, which stands at `start` of one text as it was given, by `after`. */
export interface TextChange {
  readonly part: Part;
  /** Index of the review or the rebuttal; 0 for the paper. */
  readonly item: number;
  /** UTF-16 code units, in the text before any change. */
  readonly start: number;
  readonly before: string;
  readonly after: string;
}

/** A perturbation made: changes, and the edits that were asked for and refused, by their reasons. */
export interface PerturbationResult {
  readonly changes: readonly TextChange[];
  readonly refused: readonly string[];
}

/** A perturbation that could not be made, and the edits that were refused on the way. */
export interface PerturbationFailure extends DroppedDraft {
  readonly refused?: readonly string[];
}

export interface PerturbTools {
  /** Chance that is the same in every run, in [0, 1), by what it is drawn for. */
  readonly draw: (of: string) => number;
  /** A model that edits texts and says whether an edit did what it should; null where only rules are used. */
  readonly editor: Editor | null;
  readonly signal: AbortSignal;
}

export interface Editor {
  /** How often an edit is asked for until one can be taken, 1 or more. */
  readonly attempts: number;
  /** The reply's text, as it came. */
  ask(question: EditQuestion, signal: AbortSignal): Promise<string>;
  /** Asks a second model yes or no; null where there is none. A reply that is neither is no yes. */
  readonly check: ((question: EditQuestion, signal: AbortSignal) => Promise<boolean>) | null;
}

export interface EditQuestion {
  readonly system: string;
  readonly user: string;
  readonly attempt?: number;
}

export interface Perturbation {
  /** `paper-contribution`: what is changed, then in which respect. */
  readonly name: string;
  readonly part: Part;
  /** The aspect that it is aimed at; of a paper, the dimension of its rating. */
  readonly aspect:
    | 'contribution'
    | 'soundness'
    | 'presentation'
    | 'tone'
    | 'facts'
    | 'conclusion'
    | 'completeness';
  /** One sentence: what is done. */
  readonly definition: string;
  /** What a fair judge's rating of the paper does. */
  readonly expectation: Expectation;
  /** What the changed texts are called in a sentence: `hostile reviews`. */
  readonly called: string;
  readonly by: 'rule' | 'model';
  /** Rejects as the tools do. Why it cannot be made is said in words that can be counted. */
  perturb(submission: Submission, tools: PerturbTools): Promise<PerturbationResult | PerturbationFailure>;
}
