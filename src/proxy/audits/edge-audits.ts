/** Audits at the edge: each is driven by a Cloudflare Workflow, which goes on where it was whatever becomes of an isolate. */

import { type AdvanceResult, type AuditTools, advanceAudit } from './advance.ts';
import type { Audits } from './types.ts';

/** What is used of a binding to a Workflow (https://developers.cloudflare.com/workflows/build/workers-api/). */
export interface Workflows {
  create(options: { readonly id: string; readonly params: Payload }): Promise<unknown>;
  /** Rejects where there is none. */
  get(id: string): Promise<unknown>;
}

/** What an instance is begun with: the rows are in the database, for an event holds 1 MiB. */
export interface Payload {
  readonly audit: string;
  /** What the ids of its instances begin with: the audit's own, or that of a line that was begun to go on with it. */
  readonly line: string;
  /** Instances of one line follow each other, from 0. */
  readonly part: number;
}

/** The steps of an instance, as the runtime keeps them. */
export interface Steps {
  do<T>(name: string, work: () => Promise<T>): Promise<T>;
  sleep(name: string, ms: number): Promise<void>;
}

/**
 * Calls after which the next instance takes over. The subrequests of one are bounded: by 50 on the free plan, by 1,000
 * at least on the paid one (https://developers.cloudflare.com/workflows/reference/limits/), and so are its steps (1,024).
 */
const INSTANCE_CALLS = 800;

/** @param id a new one each time, hard to guess */
export function createEdgeAudits(tools: AuditTools, workflows: Workflows, id: () => string): Audits {
  return {
    store: tools.store,
    upstreams: tools,
    start: (audit) => begin(workflows, { audit, line: audit, part: 0 }),
    resume: (audit) => begin(workflows, { audit, line: id(), part: 0 }),
  };
}

/**
 * The whole of an instance. Each step asks the pieces of one batch that have no record yet and returns what that came to,
 * never what the judge said: its result is bounded by 1 MiB.
 */
export async function driveAudit(
  { audit, line, part }: Payload,
  steps: Steps,
  { tools, workflows }: { readonly tools: AuditTools; readonly workflows: Workflows },
): Promise<void> {
  const { signal } = new AbortController();
  let calls = 0;
  for (let number = 1; ; number++) {
    const step: AdvanceResult = await steps.do(`batch, step ${number}`, () =>
      advanceAudit(audit, tools, signal),
    );
    if (step.state === 'over') return;
    calls += step.calls;
    if (step.state === 'again') await steps.sleep(`wait after step ${number}`, step.ms);
    // Also where something failed: it may have been the subrequests that ran out, and a new instance has its own.
    if (step.state === 'more' && calls < INSTANCE_CALLS) continue;
    await steps.do('hand over', () => begin(workflows, { audit, line, part: part + 1 }));
    return;
  }
}

/** Once, however often it is tried: an id is taken once. */
async function begin(workflows: Workflows, params: Payload): Promise<void> {
  const id = `${params.line}-${params.part}`;
  try {
    await workflows.create({ id, params });
  } catch (error) {
    const known = await workflows.get(id).catch(() => null);
    if (known === null) throw error;
  }
}
