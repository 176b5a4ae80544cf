/** The class of the binding AUDITS: a Workflow whose steps are batches of an audit. For workerd alone. */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { createAuditTools, type Env } from '../bindings.ts';
import { driveAudit, type Payload } from './edge-audits.ts';

/**
 * What fails here is the database: calls to judges are asked again by a further step. Some hours of patience, where the
 * platform's own is five attempts within minutes.
 */
const RETRIES = { limit: 12, delay: 5_000, backoff: 'exponential' } as const;
/**
 * A batch that takes longer is begun anew, without what it had. Seven rounds of six calls take as many times
 * JUDGE_TIMEOUT_MS in the worst case, 70 minutes unless it is raised; there is no limit of the platform's.
 */
const TIMEOUT_MS = 2 * 3_600_000;

export class AuditWorkflow extends WorkflowEntrypoint<Env, Payload> {
  override async run({ payload }: WorkflowEvent<Payload>, step: WorkflowStep): Promise<void> {
    const { DB, AUDITS } = this.env;
    if (!DB || !AUDITS) throw new RangeError('an audit needs the bindings DB and AUDITS');
    const steps = {
      do: <T>(name: string, work: () => Promise<T>) =>
        step.do(name, { retries: RETRIES, timeout: TIMEOUT_MS }, work),
      sleep: (name: string, ms: number) => step.sleep(name, ms),
    };
    await driveAudit(payload, steps, { tools: createAuditTools(this.env, DB), workflows: AUDITS });
  }
}
