/** An audit of the command line's as this folder takes it apart. */
import * as z from 'zod';
import type { AuditJudge, AuditPlan } from '../../../audit/plan.ts';
import type { Judges, PreparedAudit } from './types.ts';

export function listAuditJudges({ specs, open }: Judges): AuditJudge[] {
  return specs.map((spec) => ({
    name: spec.name,
    protocol: spec.protocol,
    open: async (more) => open(spec, more),
  }));
}

export function fromPlan(plan: AuditPlan): PreparedAudit {
  const { signal } = new AbortController();
  return {
    row: plan.row,
    pieces: async (row) =>
      (await plan.tasks(row as { readonly id: string }, signal)).map((task) => ({
        calls: task.calls,
        ask: async (within) => plan.trim(await task.ask(within)),
        failed: (error) => task.fail(error),
      })),
    report(records) {
      const tally = plan.createTally();
      for (const record of z.array(plan.entry).parse(records)) tally.add(record);
      return tally.report();
    },
  };
}
