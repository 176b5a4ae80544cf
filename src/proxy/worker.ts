/** What is deployed: the proxy, and the classes of its bindings. For workerd alone, whose own module a Workflow is made of. */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { advanceAudit, beginInstance, checkAuditKey, type Payload } from './audits/audit-job.ts';
import { createAuditTools, type Env } from './edge.ts';

export { createWorker, default, KeyAccount } from './edge.ts';

/**
 * What fails in a step is the database: calls to judges are asked again by a further step. Some hours of patience, where
 * the platform's own is five attempts within minutes.
 */
const RETRIES = { limit: 12, delay: 5_000, backoff: 'exponential' } as const;
/**
 * A batch that takes longer is begun anew, without what it had. Seven rounds of six calls take as many times
 * JUDGE_TIMEOUT_MS in the worst case, 70 minutes unless it is raised; there is no limit of the platform's.
 */
const PATIENCE = { retries: RETRIES, timeout: 2 * 3_600_000 };
/**
 * Calls after which the next instance takes over. The subrequests of one are bounded: by 50 on the free plan, by 1,000
 * at least on the paid one (https://developers.cloudflare.com/workflows/reference/limits/), and so are its steps (1,024).
 */
const INSTANCE_CALLS = 800;
/** Between two looks at the key of an audit that waits, at most a day. */
const HOUR_MS = 3_600_000;

/**
 * The class of the binding AUDITS: a Workflow whose steps are batches of an audit. A step returns counts, never what the
 * judge said: its result is bounded by 1 MiB.
 */
export class AuditWorkflow extends WorkflowEntrypoint<Env, Payload> {
  override async run({ payload }: WorkflowEvent<Payload>, step: WorkflowStep): Promise<void> {
    const { DB, AUDITS } = this.env;
    if (!DB || !AUDITS) throw new RangeError('an audit needs the bindings DB and AUDITS');
    const tools = createAuditTools(this.env, DB);
    const { signal } = new AbortController();
    for (let number = 1, calls = 0; ; number++) {
      const advance = () => advanceAudit(payload.audit, tools, signal);
      const done = await step.do(`batch, step ${number}`, PATIENCE, advance);
      if (!done) return;
      const { waitMs, calls: made } = done;
      calls += made;
      for (let left = waitMs, hour = 1; left > 0; left -= HOUR_MS, hour++) {
        await step.sleep(`wait after step ${number}, hour ${hour}`, Math.min(left, HOUR_MS));
        const check = () => checkAuditKey(payload.audit, tools);
        if (left > HOUR_MS && !(await step.do(`key after hour ${hour}`, PATIENCE, check))) return;
      }
      // Also where something failed: it may have been the subrequests that ran out, and a new instance has its own.
      if (waitMs > 0 || calls >= INSTANCE_CALLS) break;
    }
    const next = { ...payload, part: payload.part + 1 };
    await step.do('hand over', PATIENCE, () => beginInstance(AUDITS, next));
  }
}
