/** What became of submissions, perturbations and judgments, counted as they come. */
import type { Perturbation } from '../../bias/index.ts';
import type { JudgmentRecord, PerturbationRecord } from './ask-judgments.ts';

interface Made {
  made: number;
  changes: number;
  readonly dropped: Record<string, number>;
  readonly refused: Record<string, number>;
}

export type PerturbCounts = ReturnType<typeof createPerturbCounts>;

export function createPerturbCounts(perturbations: readonly Perturbation[]) {
  const made = Object.fromEntries(
    perturbations.map(({ name }): [string, Made] => [
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
