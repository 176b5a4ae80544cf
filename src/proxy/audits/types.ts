/** Audits that go on by themselves once they are asked for, wherever that is. */

import type { AuditStore } from './audit-store.ts';
import type { JudgeUpstreams } from './judges.ts';

export interface Audits {
  readonly store: AuditStore;
  /** For the judges; whoever runs an audit has the same. */
  readonly upstreams: JudgeUpstreams;
  /** Has an audit whose rows are there go on in the background. */
  start(id: string): Promise<void>;
  /** Has one that stands still go on where it is; who still works on it and does so too costs calls, and nothing else. */
  resume(id: string): Promise<void>;
}
