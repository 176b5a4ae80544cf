/** Traces in memory, the newest ones only: for a Worker without a database, and for tests. */
import {
  readTrace,
  summariseTrace,
  type TraceLimits,
  type TraceSpending,
  type TraceStore,
  type TraceSum,
  type TraceSummary,
} from '../../trace/index.ts';
import { encodeTrace } from './trace-rows.ts';

interface Kept {
  readonly summary: TraceSummary;
  /** The trace as JSON: what it takes is known, and nobody can change it. */
  readonly body: string;
  readonly bytes: number;
}

/** @example createProxy({}, { traces: createMemoryTraces({ keep: 100, bytes: 10e6, bytesEach: 1e6 }) }) */
export function createMemoryTraces({ keep, bytes: most, bytesEach }: TraceLimits): TraceStore {
  // A Map iterates in the order of insertion, so its first key is the oldest trace.
  const traces = new Map<string, Kept>();
  let total = 0;

  function drop(id: string): void {
    total -= traces.get(id)?.bytes ?? 0;
    traces.delete(id);
  }

  return {
    async put(trace) {
      const { id, body, bytes } = encodeTrace(trace, Math.min(most, bytesEach));
      drop(id);
      traces.set(id, { summary: summariseTrace(trace), body, bytes });
      total += bytes;
      for (const oldest of traces.keys()) {
        if (traces.size <= keep && total <= most) break;
        drop(oldest);
      }
    },
    async get(id) {
      const kept = traces.get(id);
      return kept ? readTrace(id, kept.body) : null;
    },
    async list({ limit, before, status, would, bias, judge, day }) {
      const newestFirst = [...traces.values()].map(({ summary }) => summary).reverse();
      const from = before === undefined ? 0 : newestFirst.findIndex((trace) => trace.id === before) + 1;
      if (before !== undefined && from === 0) return [];
      return newestFirst
        .slice(from)
        .filter((trace) => status === undefined || trace.status === status)
        .filter((trace) => would === undefined || trace.would_be === would)
        .filter((trace) => bias === undefined || trace.biases.includes(bias))
        .filter((trace) => judge === undefined || trace.judge === judge)
        .filter((trace) => day === undefined || trace.time.startsWith(day))
        .slice(0, limit);
    },
    async sums(from) {
      return [...traces.values()].filter(({ summary }) => summary.time >= from).map(sumOf);
    },
  };
}

/** Of one trace: whoever reads sums adds them up further. */
function sumOf({ summary: { time, judge, status, biases, moved, spent } }: Kept): TraceSum {
  const known = (of: NonNullable<TraceSummary['spent']>['own'] | undefined): TraceSpending => ({
    calls: of?.calls ?? 0,
    tokens: of?.tokens ?? 0,
    cost: of?.cost ?? 0,
    unpriced: typeof of?.cost === 'number' ? 0 : 1,
  });
  return {
    ...{ day: time.slice(0, 10), judge, status, biases, count: 1, moved: moved ? 1 : 0 },
    ...{ own: known(spent?.own), added: known(spent?.added) },
  };
}
