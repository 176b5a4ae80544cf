/** Load with faults, in small: see bench/load.ts, which does the same at length and prints what it finds. */
import { expect, test } from 'vitest';
import { runLoad } from '../../bench/load/run.ts';
import { FAULTS } from '../../bench/load/upstream.ts';

test("60 clients before a judge of whose calls a quarter fails: each gets a verdict, the judge's own error or a 502 or 504 of ours; calls are accounted for; nothing is left open", async () => {
  // So short a run tells of memory only that it does not double.
  const load = { judgments: 400, clients: 60, seed: 7, timeoutMs: 10_000, growth: 1 };
  const { wrong, outcomes, faults, account } = await runLoad(load);
  expect(wrong).toEqual([]);
  // Nothing is proved about what did not happen.
  for (const fault of FAULTS) expect(faults[fault]).toBeGreaterThan(10);
  for (const outcome of [
    'unchanged',
    'revised',
    'insisted',
    'failed-open',
    "the judge's 500",
    'our 502',
    'our 504',
  ])
    expect(outcomes[outcome], outcome).toBeGreaterThan(0);
  expect(account.swap.failed).toBeGreaterThan(0);
  expect(account.remand.failed).toBeGreaterThan(0);
  expect(Object.values(outcomes).reduce((sum, count) => sum + count)).toBe(400);
});
