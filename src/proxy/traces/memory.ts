/** Traces in memory, the newest ones only: for a Worker without a database, and for tests. */
import type { TraceStore } from '../../trace.ts';

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
    async list({ limit, before, status, bias }) {
      const newestFirst = [...traces.values()].reverse();
      const from = before === undefined ? 0 : newestFirst.findIndex((trace) => trace.id === before) + 1;
      if (before !== undefined && from === 0) return [];
      return newestFirst
        .slice(from)
        .filter((trace) => status === undefined || trace.status === status)
        .filter((trace) => bias === undefined || trace.biases.includes(bias))
        .slice(0, limit);
    },
  };
}
