/** Audits at the edge: each is driven by a Cloudflare Workflow, which goes on where it was whatever becomes of an isolate. */
import type { Audits, AuditTools } from './audit-job.ts';

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

/** @param id a new one each time, hard to guess */
export function createEdgeAudits(tools: AuditTools, workflows: Workflows, id: () => string): Audits {
  return {
    tools,
    start: (audit) => beginInstance(workflows, { audit, line: audit, part: 0 }),
    resume: (audit) => beginInstance(workflows, { audit, line: id(), part: 0 }),
  };
}

/** Once, however often it is tried: an id is taken once. */
export async function beginInstance(workflows: Workflows, params: Payload): Promise<void> {
  const id = `${params.line}-${params.part}`;
  try {
    await workflows.create({ id, params });
  } catch (error) {
    const known = await workflows.get(id).catch(() => null);
    if (known === null) throw error;
  }
}
