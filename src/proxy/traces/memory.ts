/** Traces in memory, the newest ones only: for a Worker without a database, and for tests. */
import type { Spent, Trace, TraceStore, TraceSum } from '../../trace.ts';

/** @param keep how many traces are kept */
export function memoryTraces(keep: number): TraceStore {
  // A Map iterates in the order of insertion, so its first key is the oldest trace.
  const traces = new Map<string, Awaited<ReturnType<TraceStore['get']>> & object>();
  return {
    async put(trace) {
      traces.set(trace.id, trace);
      const oldest = traces.keys().next();
      if (traces.size > keep && !oldest.done) traces.delete(oldest.value);
    },
    async get(id) {
      return traces.get(id) ?? null;
    },
    async list({ limit, before, status, bias, judge, day }) {
      const newestFirst = [...traces.values()].reverse();
      const from = before === undefined ? 0 : newestFirst.findIndex((trace) => trace.id === before) + 1;
      if (before !== undefined && from === 0) return [];
      return newestFirst
        .slice(from)
        .filter((trace) => status === undefined || trace.status === status)
        .filter((trace) => bias === undefined || trace.biases.includes(bias))
        .filter((trace) => judge === undefined || trace.judge === judge)
        .filter((trace) => day === undefined || trace.time.startsWith(day))
        .slice(0, limit);
    },
    async sums(from) {
      return [...traces.values()].filter(({ time }) => time >= from).map(sumOf);
    },
  };
}

/** Of one trace: whoever reads sums adds them up further. */
function sumOf({ time, judge, status, biases, moved, spent }: Trace): TraceSum {
  const known = (of: NonNullable<Trace['spent']>['own'] | undefined): Spent => ({
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
