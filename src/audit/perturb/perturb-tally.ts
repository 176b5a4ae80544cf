/**
 * Judgments added up as they come: what a submission got with a perturbation against what it got as it is. Memory holds
 * some numbers for each submission and no text.
 */
import { type PeerReviewScores, REVIEW_DECISIONS, type ReviewRole } from '../../../prompts/index.ts';
import type { Perturbation } from '../../bias/index.ts';
import { createSideCount, type SideCount } from '../losses.ts';
import type { JudgmentRecord, PerturbationRecord } from './ask-judgments.ts';

export const PERTURB_MEASURES = ['overall', 'decision', 'contribution', 'soundness', 'presentation'] as const;
export type PerturbMeasure = (typeof PERTURB_MEASURES)[number];

/** A score before and after. */
export type ScoreChange = readonly [before: number, after: number];

export type PairTally = ReturnType<typeof emptyTally>;

function emptyTally({ judge, role, mode }: JudgmentRecord, perturbation: string) {
  const scores: Record<PerturbMeasure, ScoreChange[]> = {
    overall: [],
    decision: [],
    contribution: [],
    soundness: [],
    presentation: [],
  };
  return {
    judge,
    role,
    mode,
    perturbation,
    /** By measure; decisions count from 0 (reject) to 3 (oral). */
    scores,
    /** What was decided, in words, before and after; of a reviewer, accept or reject by the threshold. */
    decisions: [] as (readonly [before: string, after: string])[],
    accepted: { both: 0, gained: 0, lost: 0, neither: 0 },
    /** Pairs of which a reply could not be read, and of which a call failed. */
    unread: 0,
    failed: 0,
    /** Judgments as it was, and with the change. */
    sides: [createSideCount(), createSideCount()] as const,
    /** Pairs that lack the first of the two alone, and the second alone. */
    alone: [0, 0] as [number, number],
  };
}

interface PerturbTally {
  /** Records of one submission, judge, role and mode come one after the other, the one as it is first. */
  add(record: JudgmentRecord): void;
  finish(): PairTally[];
}

/** What decisions are called in a role, the worst first. */
export function listDecisions(role: ReviewRole): readonly string[] {
  return role === 'reviewer' ? ['reject', 'accept'] : REVIEW_DECISIONS;
}

/** @param threshold the least overall score with which a reviewer's paper is accepted */
export function createPerturbTally(threshold: number): PerturbTally {
  const all = new Map<string, PairTally>();
  let base: JudgmentRecord | null = null;
  return {
    add(record) {
      const { judge, role, mode, perturbation } = record;
      if (perturbation === null) {
        base = record;
        return;
      }
      if (!base || !sameCase(base, record))
        throw new RangeError('a perturbed judgment came before its own base');
      const key = JSON.stringify([judge, role, mode, perturbation]);
      const tally = all.get(key) ?? emptyTally(record, perturbation);
      all.set(key, tally);
      if (base.error !== null || record.error !== null) tally.failed++;
      else if (!base.scores || !record.scores) tally.unread++;
      else addPair(tally, base.scores, record.scores, threshold);
      const lost = [base, record].map((one, side) => countSide(tally.sides[side === 0 ? 0 : 1], one));
      if (lost[0] !== lost[1]) tally.alone[lost[0] ? 0 : 1]++;
    },
    finish: () => [...all.values()],
  };
}

/** @returns whether there are no scores */
function countSide(side: SideCount, { error, scores }: JudgmentRecord): boolean {
  side.asked++;
  if (error !== null) side.failed++;
  else if (!scores) side.unread++;
  return scores === null;
}

function sameCase(a: JudgmentRecord, b: JudgmentRecord): boolean {
  return a.submission === b.submission && a.judge === b.judge && a.role === b.role && a.mode === b.mode;
}

function addPair(
  tally: PairTally,
  before: PeerReviewScores,
  after: PeerReviewScores,
  threshold: number,
): void {
  for (const measure of PERTURB_MEASURES) {
    const moved = [scoreIn(before, measure), scoreIn(after, measure)] as const;
    if (moved[0] !== null && moved[1] !== null) tally.scores[measure].push([moved[0], moved[1]]);
  }
  const decided = [before, after].map((scores) => readDecision(scores, threshold));
  const [was = '', is = ''] = decided;
  tally.decisions.push([was, is]);
  const accepted = decided.map((one) => one !== 'reject');
  const outcome = accepted[0] ? (accepted[1] ? 'both' : 'lost') : accepted[1] ? 'gained' : 'neither';
  tally.accepted[outcome]++;
}

/** Null where the role gives no such score. */
function scoreIn(scores: PeerReviewScores, measure: PerturbMeasure): number | null {
  if (measure !== 'decision') return scores[measure];
  return scores.decision === null ? null : REVIEW_DECISIONS.indexOf(scores.decision);
}

export function readDecision({ decision, overall }: PeerReviewScores, threshold: number): string {
  return decision ?? (overall >= threshold ? 'accept' : 'reject');
}

/** What became of submissions, perturbations and judgments, counted as they come. */
interface PerturbTotals {
  made: number;
  changes: number;
  readonly dropped: Record<string, number>;
  readonly refused: Record<string, number>;
}

export type PerturbCounts = ReturnType<typeof createPerturbCounts>;

export function createPerturbCounts(perturbations: readonly Perturbation[]) {
  const made = Object.fromEntries(
    perturbations.map(({ name }): [string, PerturbTotals] => [
      name,
      { made: 0, changes: 0, dropped: {}, refused: {} },
    ]),
  );
  const unfit: Record<string, Record<string, number>> = {};
  const unread: Record<string, number> = {};
  let judgments = 0;
  let failed = 0;
  return {
    addPerturbation({ perturbation, dropped, refused, changes }: PerturbationRecord): void {
      const own = made[perturbation];
      if (!own) return;
      if (dropped === null) own.made++;
      else count(own.dropped, dropped);
      own.changes += changes.length;
      for (const reason of refused) count(own.refused, reason);
    },
    /** A submission that a role cannot judge, and why. */
    addUnfit(role: string, reason: string): void {
      const own = unfit[role] ?? {};
      unfit[role] = own;
      count(own, reason);
    },
    addJudgment({ error, unread: why }: JudgmentRecord): void {
      judgments++;
      if (error !== null) failed++;
      else if (why !== null) count(unread, why);
    },
    judgments: () => judgments,
    failed: () => failed,
    result: () => ({ perturbations: made, unfit, judgments, unread, failed }),
  };
}

function count(of: Record<string, number>, reason: string): void {
  of[reason] = (of[reason] ?? 0) + 1;
}
