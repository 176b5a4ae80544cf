/** The limits of a configuration, whoever keeps the accounts. */
import type { Config } from '../config.ts';
import type { Admission } from './admission.ts';
import type { Limits } from './lease.ts';
import { withProcessGate } from './process-gate.ts';

/** With the gate of the whole process before it, where the operator set one. */
export function withConfiguredGate(limits: Limits, config: Config, underWay: Admission): Limits {
  const { REMAND_CONCURRENCY: concurrency, REMAND_QUEUE: queue, REMAND_QUEUE_MS: waitMs } = config;
  return concurrency === undefined
    ? limits
    : withProcessGate(limits, { concurrency, queue, waitMs }, underWay);
}
