/**
 * Counters in the Prometheus text format
 * (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format). An instance is handed to
 * the app; at the edge each isolate counts for itself.
 */
import type { CallKind } from '../judge/types.ts';

/** Upper bounds in seconds: from a cached reply to a slow reasoning judge. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

export interface Metrics {
  /** A request to a judging path. `outcome` is `x-remand-status`, or `error` where there was none. */
  judged(outcome: string, ms: number): void;
  passed(): void;
  called(kind: CallKind, ok: boolean): void;
  /** The exposition. */
  text(): string;
}

export function createMetrics(): Metrics {
  const requests = new Map<string, number>();
  const calls = new Map<string, number>();
  const buckets = BUCKETS.map(() => 0);
  let passed = 0;
  let count = 0;
  let seconds = 0;
  const add = (to: Map<string, number>, key: string) => to.set(key, (to.get(key) ?? 0) + 1);
  return {
    judged(outcome, ms) {
      add(requests, `status="${outcome}"`);
      count++;
      seconds += ms / 1000;
      // Buckets are cumulative: each counts everything up to its bound.
      for (const [i, bound] of BUCKETS.entries()) if (ms / 1000 <= bound) buckets[i] = (buckets[i] ?? 0) + 1;
    },
    passed() {
      passed++;
    },
    called(kind, ok) {
      add(calls, `kind="${kind}",ok="${ok}"`);
    },
    text() {
      return [
        '# HELP remand_requests_total Requests to judging paths, by what became of them.',
        '# TYPE remand_requests_total counter',
        ...[...requests].map(([labels, n]) => `remand_requests_total{${labels}} ${n}`),
        '# HELP remand_passed_total Requests passed through untouched.',
        '# TYPE remand_passed_total counter',
        `remand_passed_total ${passed}`,
        '# HELP remand_calls_total Model calls, by what they were for.',
        '# TYPE remand_calls_total counter',
        ...[...calls].map(([labels, n]) => `remand_calls_total{${labels}} ${n}`),
        '# HELP remand_request_seconds Time from request to answer on judging paths.',
        '# TYPE remand_request_seconds histogram',
        ...BUCKETS.map((bound, i) => `remand_request_seconds_bucket{le="${bound}"} ${buckets[i]}`),
        `remand_request_seconds_bucket{le="+Inf"} ${count}`,
        `remand_request_seconds_sum ${seconds}`,
        `remand_request_seconds_count ${count}`,
        '',
      ].join('\n');
    },
  };
}
