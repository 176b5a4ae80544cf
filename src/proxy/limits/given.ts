/** The limits of a configuration, whoever keeps the accounts. */
import type { Config } from '../config.ts';
import { withProcessGate } from './all.ts';
import type { Limits } from './lease.ts';
import type { UnderWay } from './under-way.ts';

/** With the gate of the whole process before it, where the operator set one. */
export function inProcess(limits: Limits, config: Config, underWay: UnderWay): Limits {
  const { REMAND_CONCURRENCY: concurrency, REMAND_QUEUE: queue, REMAND_QUEUE_MS: waitMs } = config;
  return concurrency === undefined
    ? limits
    : withProcessGate(limits, { concurrency, queue, waitMs }, underWay);
}
