/**
 * Judgments added up as they come: what a submission got with a perturbation against what it got as it is. Memory holds
 * some numbers for each submission and no text.
 */
import {
  type PeerReviewScores,
  REVIEW_DECISIONS,
  type ReviewMode,
  type ReviewRole,
} from '../../../prompts/index.ts';
import type { JudgmentRecord } from './ask-judgments.ts';

export const PERTURB_MEASURES = ['overall', 'decision', 'contribution', 'soundness', 'presentation'] as const;
export type PerturbMeasure = (typeof PERTURB_MEASURES)[number];

/** A score before and after. */
export type ScoreChange = readonly [before: number, after: number];

export interface PairTally {
  readonly judge: string;
  readonly role: ReviewRole;
  readonly mode: ReviewMode;
  readonly perturbation: string;
  /** By measure; decisions count from 0 (reject) to 3 (oral). */
  readonly scores: Record<PerturbMeasure, ScoreChange[]>;
  /** What was decided, in words, before and after; of a reviewer, accept or reject by the threshold. */
  readonly decisions: (readonly [before: string, after: string])[];
  readonly accepted: { both: number; gained: number; lost: number; neither: number };
  /** Pairs of which a reply could not be read, and of which a call failed. */
  unread: number;
  failed: number;
}

export interface PerturbTally {
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
      const tally = all.get(key) ?? begun(judge, role, mode, perturbation);
      all.set(key, tally);
      if (base.error !== null || record.error !== null) tally.failed++;
      else if (!base.scores || !record.scores) tally.unread++;
      else addPair(tally, base.scores, record.scores, threshold);
    },
    finish: () => [...all.values()],
  };
}

function sameCase(a: JudgmentRecord, b: JudgmentRecord): boolean {
  return a.submission === b.submission && a.judge === b.judge && a.role === b.role && a.mode === b.mode;
}

function begun(judge: string, role: ReviewRole, mode: ReviewMode, perturbation: string): PairTally {
  return {
    ...{ judge, role, mode, perturbation, decisions: [], unread: 0, failed: 0 },
    scores: { overall: [], decision: [], contribution: [], soundness: [], presentation: [] },
    accepted: { both: 0, gained: 0, lost: 0, neither: 0 },
  };
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
