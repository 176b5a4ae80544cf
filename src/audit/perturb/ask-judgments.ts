/**
 * Every submission perturbed, then judged as it is and with each perturbation, by every judge in every role and way of
 * prompting (arXiv 2502.12510): a stream of records, in an order that never changes.
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
} from '../../../prompts/submission-review.ts';
import {
  applyChanges,
  type Perturbation,
  type PerturbTools,
  type Submission,
} from '../../bias/review/index.ts';
import { JudgeError } from '../../http/judge-errors.ts';
import type { Model } from '../../models/model.ts';
import { type RunOptions, runAll, settleAll } from '../../models/run.ts';
import { explainUnfit } from './unfit-submission.ts';

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
      ...{ contribution: toFour, soundness: toFour, presentation: toFour },
      ...{ overall: z.int().min(1).max(10), decision: z.enum(REVIEW_DECISIONS).nullable() },
    })
    .nullable(),
  /** Why no verdict could be read; null where one was, or none came. */
  unread: z.string().nullable(),
  /** What went wrong, in words; null where nothing did. */
  error: z.string().nullable(),
});
export type JudgmentRecord = z.output<typeof judgmentRecord>;

export interface PerturbSetup {
  readonly perturbations: readonly Perturbation[];
  readonly tools: Omit<PerturbTools, 'signal'>;
}

/** A submission with all its perturbations; those that could not be made are among the records alone. */
export interface PerturbedSubmission {
  readonly submission: Submission;
  readonly records: readonly PerturbationRecord[];
}

type Submissions = Iterable<Submission> | AsyncIterable<Submission>;

/** @returns one for each submission, in their order. Rejects where an editor does */
export async function* perturbAll(
  submissions: Submissions,
  { perturbations, tools }: PerturbSetup,
  run: RunOptions,
): AsyncGenerator<PerturbedSubmission> {
  const work = (submission: Submission, signal: AbortSignal) =>
    settleAll(perturbations.map((one) => perturbed(submission, one, { ...tools, signal })));
  for await (const result of runAll(submissions, work, run)) {
    if ('error' in result) throw result.error;
    yield { submission: result.item, records: result.value };
  }
}

async function perturbed(
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

export interface JudgeSetup {
  readonly judges: readonly Model[];
  readonly roles: readonly ReviewRole[];
  readonly modes: readonly ReviewMode[];
  /** Told of each submission that a role cannot judge, and why. */
  readonly onUnfit: (role: ReviewRole, reason: string) => void;
}

/**
 * @returns one record for each submission, judge, role, way of prompting and text, in that order, the submission as it
 *   is before its perturbations
 */
export async function* judgeAll(
  perturbedOnes: AsyncIterable<PerturbedSubmission>,
  judging: JudgeSetup,
  perturbations: readonly Perturbation[],
  run: RunOptions,
): AsyncGenerator<JudgmentRecord> {
  for await (const result of runAll(allTasks(perturbedOnes, judging, perturbations), askJudgment, run))
    yield 'error' in result ? createFailedJudgment(result.item, result.error) : result.value;
}

/** One text for one judge in one role, prompted in one way: one call. */
export interface JudgmentTask {
  readonly judge: Model;
  readonly role: ReviewRole;
  readonly mode: ReviewMode;
  readonly text: Submission;
  readonly perturbation: string | null;
}

/** Rejects as the model does. */
export async function askJudgment(task: JudgmentTask, signal: AbortSignal): Promise<JudgmentRecord> {
  const { judge, role, mode, text } = task;
  const { text: reply, finish } = await judge.ask(renderPeerReview(role, mode, text), signal);
  return { ...headOf(task), text: reply, ...readPeerReview(role, reply, finish), error: null };
}

export function createFailedJudgment(task: JudgmentTask, { message }: Error): JudgmentRecord {
  return { ...headOf(task), text: null, scores: null, unread: null, error: message };
}

function headOf({ judge, role, mode, text, perturbation }: JudgmentTask) {
  return { submission: text.id, judge: judge.name, role, mode, perturbation };
}

async function* allTasks(
  perturbedOnes: AsyncIterable<PerturbedSubmission>,
  judging: JudgeSetup,
  perturbations: readonly Perturbation[],
): AsyncGenerator<JudgmentTask> {
  for await (const one of perturbedOnes) yield* listJudgmentTasks(one, judging, perturbations);
}

/** Of one submission, in the order of their records. */
export function listJudgmentTasks(
  { submission, records }: PerturbedSubmission,
  { judges, roles, modes, onUnfit }: JudgeSetup,
  perturbations: readonly Perturbation[],
): JudgmentTask[] {
  const made = records.filter(({ dropped }) => dropped === null);
  const fit = roles.filter((role) => {
    const reason = explainUnfit(submission, role);
    if (reason !== null) onUnfit(role, reason);
    return reason === null;
  });
  return judges.flatMap((judge) =>
    fit.flatMap((role) => {
      const own = made.filter(({ perturbation }) => isShownTo(role, perturbation, perturbations));
      // A submission that nothing was done to has nothing to be compared with.
      if (own.length === 0) return [];
      const texts = [
        { text: submission, perturbation: null },
        ...own.map(({ perturbation, changes }) => ({
          text: applyChanges(submission, changes),
          perturbation,
        })),
      ];
      return modes.flatMap((mode) => texts.map((one) => ({ judge, role, mode, ...one })));
    }),
  );
}

/** A reviewer sees the paper alone. */
export function isShownTo(role: ReviewRole, name: string, perturbations: readonly Perturbation[]): boolean {
  return role === 'meta-reviewer' || perturbations.find((one) => one.name === name)?.part === 'paper';
}
