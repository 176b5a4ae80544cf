/**
 * A submission is perturbed, then judged as it is and with each perturbation, by every judge in every role and way of
 * prompting (arXiv 2502.12510).
 */
import * as z from 'zod';
import {
  REVIEW_DECISIONS,
  REVIEW_MODES,
  REVIEW_ROLES,
  type ReviewMode,
  type ReviewRole,
  readPeerReview,
  renderPeerReview,
} from '../../../prompts/index.ts';
import {
  applyChanges,
  findProtected,
  type Perturbation,
  type PerturbTools,
  type Submission,
} from '../../bias/index.ts';
import { JudgeError } from '../../http/index.ts';
import { type Model, settleAll } from '../../models/index.ts';
import { isForeign } from '../english.ts';

/** What became of one perturbation of one submission; a line of `perturbations.jsonl`. */
export const perturbationRecord = z.object({
  submission: z.string(),
  perturbation: z.string(),
  /** Why it was not made, in words that can be counted; null where it was. */
  dropped: z.string().nullable(),
  /** Edits that were refused on the way, by reason. */
  refused: z.array(z.string()),
  changes: z.array(
    z.object({
      part: z.enum(['paper', 'review', 'rebuttal']),
      item: z.int(),
      start: z.int(),
      before: z.string(),
      after: z.string(),
    }),
  ),
});
export type PerturbationRecord = z.output<typeof perturbationRecord>;

/** What became of a submission before any judge saw it. */
export const submissionRecord = z.object({
  submission: z.string(),
  title: z.string(),
  perturbations: z.array(perturbationRecord),
  /** Roles that cannot judge it, and why. */
  unfit: z.array(z.object({ role: z.enum(REVIEW_ROLES), reason: z.string() })),
});
export type SubmissionRecord = z.output<typeof submissionRecord>;

const toFour = z.int().min(1).max(4).nullable();
/** One judgment; a line of `judgments.jsonl`. */
export const judgmentRecord = z.object({
  submission: z.string(),
  judge: z.string(),
  role: z.enum(REVIEW_ROLES),
  mode: z.enum(REVIEW_MODES),
  /** Null for the submission as it is. */
  perturbation: z.string().nullable(),
  /** The reply, as it came; null where there is none. */
  text: z.string().nullable(),
  scores: z
    .object({
      contribution: toFour,
      soundness: toFour,
      presentation: toFour,
      overall: z.int().min(1).max(10),
      decision: z.enum(REVIEW_DECISIONS).nullable(),
    })
    .nullable(),
  /** Why no verdict could be read; null where one was, or none came. */
  unread: z.string().nullable(),
  /** What went wrong, in words; null where nothing did. */
  error: z.string().nullable(),
});
export type JudgmentRecord = z.output<typeof judgmentRecord>;

/** Rejects where an editor does, unless it is one of its calls that failed. */
export function perturbSubmission(
  submission: Submission,
  perturbations: readonly Perturbation[],
  tools: PerturbTools,
): Promise<PerturbationRecord[]> {
  return settleAll(perturbations.map((one) => perturbOnce(submission, one, tools)));
}

async function perturbOnce(
  submission: Submission,
  { name, part, perturb }: Perturbation,
  tools: PerturbTools,
): Promise<PerturbationRecord> {
  const head = { submission: submission.id, perturbation: name };
  // What no role can judge need not be edited.
  const reason = explainUnfit(submission, part === 'paper' ? 'reviewer' : 'meta-reviewer');
  if (reason !== null) return { ...head, dropped: reason, refused: [], changes: [] };
  try {
    const result = await perturb(submission, tools);
    if ('dropped' in result)
      return { ...head, dropped: result.dropped, refused: [...(result.refused ?? [])], changes: [] };
    return { ...head, dropped: null, refused: [...result.refused], changes: [...result.changes] };
  } catch (cause) {
    if (!(cause instanceof JudgeError)) throw cause;
    return { ...head, dropped: `the editor failed: ${cause.message}`, refused: [], changes: [] };
  }
}

/** One text for one judge in one role, prompted in one way: one call. */
interface JudgmentTask {
  readonly judge: Model;
  readonly role: ReviewRole;
  readonly mode: ReviewMode;
  readonly submission: Submission;
  /** Null for the submission as it is. */
  readonly perturbation: PerturbationRecord | null;
  /** The least overall score at which a paper is accepted; the judge is told. */
  readonly threshold: number;
}

/** Rejects as the model does. */
export async function askJudgment(task: JudgmentTask, signal: AbortSignal): Promise<JudgmentRecord> {
  const { judge, role, mode, submission, perturbation, threshold } = task;
  // Made when it is asked: the texts of all tasks together are large.
  const text = perturbation ? applyChanges(submission, perturbation.changes) : submission;
  const { text: reply, finish } = await judge.ask(renderPeerReview(role, mode, text, threshold), signal);
  return { ...headOf(task), text: reply, ...readPeerReview(role, reply, finish), error: null };
}

export function createFailedJudgment(task: JudgmentTask, { message }: Error): JudgmentRecord {
  return { ...headOf(task), text: null, scores: null, unread: null, error: message };
}

function headOf({ judge, role, mode, submission, perturbation }: JudgmentTask) {
  const name = perturbation?.perturbation ?? null;
  return { submission: submission.id, judge: judge.name, role, mode, perturbation: name };
}

/** Whom a submission is shown to. */
interface JudgmentSetup {
  readonly judges: readonly Model[];
  readonly roles: readonly ReviewRole[];
  readonly modes: readonly ReviewMode[];
  readonly perturbations: readonly Perturbation[];
  readonly threshold: number;
}

export function findUnfitRoles(
  submission: Submission,
  roles: readonly ReviewRole[],
): SubmissionRecord['unfit'] {
  return roles.flatMap((role) => {
    const reason = explainUnfit(submission, role);
    return reason === null ? [] : [{ role, reason }];
  });
}

/** In the order of their records: judge, role, way of prompting, and text, the submission as it is before the others. */
export function listJudgmentTasks(
  submission: Submission,
  { perturbations: records, unfit }: SubmissionRecord,
  { judges, roles, modes, perturbations, threshold }: JudgmentSetup,
): JudgmentTask[] {
  const made = records.filter(({ dropped }) => dropped === null);
  const fit = roles.filter((role) => !unfit.some((one) => one.role === role));
  return judges.flatMap((judge) =>
    fit.flatMap((role) => {
      const shown = made.filter(({ perturbation }) => isShownTo(role, perturbation, perturbations));
      // A submission that nothing was done to has nothing to be compared with.
      if (shown.length === 0) return [];
      return modes.flatMap((mode) =>
        [null, ...shown].map((perturbation) => ({ judge, role, mode, submission, perturbation, threshold })),
      );
    }),
  );
}

/** A reviewer sees the paper alone. */
export function isShownTo(role: ReviewRole, name: string, perturbations: readonly Perturbation[]): boolean {
  return role === 'meta-reviewer' || perturbations.find((one) => one.name === name)?.part === 'paper';
}

// What of a submission can be judged: a text in another language, or one that is not there, is named and counted and
// never scored. That a paper has no sections, or that there is no rebuttal to change, is said by the perturbations.

/** @returns why this role cannot judge the submission, in words that can be counted; null where it can */
export function explainUnfit(submission: Submission, role: ReviewRole): string | null {
  const { paper, reviews, rebuttals } = submission;
  if (paper.trim() === '') return 'the paper is empty';
  if (isInAnother(paper)) return 'the paper is in another language';
  if (role === 'reviewer') return null;
  if (reviews.length === 0) return 'there are no reviews';
  if (reviews.some(({ text }) => text.trim() === '')) return 'a review is empty';
  if (reviews.some(({ text }) => isInAnother(text))) return 'a review is in another language';
  return rebuttals.some(({ text }) => isInAnother(text)) ? 'a rebuttal is in another language' : null;
}

/** Formulas, code and references are no language. */
function isInAnother(text: string): boolean {
  let prose = '';
  let from = 0;
  for (const { start, end } of findProtected(text)) {
    prose += `${text.slice(from, start)} `;
    from = end;
  }
  return isForeign(prose + text.slice(from));
}
