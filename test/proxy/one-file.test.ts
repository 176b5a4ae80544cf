/** Two processes on one file, under load at once: one budget, and every trace of both. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { startChild } from './child.ts';
import { firstPlaceLover, pairwise, RIGHT, WRONG, whole } from './judges.ts';
import { exchange, startUpstream } from './servers.ts';

const CALLS = 601;
const REQUESTS = 300;
const CLIENTS = 10;

test('two processes on one file have one budget, and lose nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const upstream = await startUpstream(whole(firstPlaceLover));
  const file = join(folder, 'traces.sqlite');
  const settings = {
    JUDGE_BASE_URL: upstream.url,
    REMAND_BIASES: 'position',
    REMAND_TRACES: file,
    REMAND_LIMITS: JSON.stringify({ callsPerDay: CALLS }),
  };
  // At the same moment: both may be the one that makes the tables.
  const both = await Promise.all([startChild(folder, settings), startChild(folder, settings)]);
  const told = new Map<string, number>();
  const traced: string[] = [];
  let asked = 0;
  const client = async (_: unknown, number: number) => {
    while (asked++ < REQUESTS) {
      const url = `${both[number % 2]?.url}/v1/chat/completions`;
      const said = await exchange(url, { method: 'POST', body: pairwise(WRONG, RIGHT) });
      const became = said.status === 200 ? String(said.headers['x-remand-status']) : String(said.status);
      told.set(became, (told.get(became) ?? 0) + 1);
      if (said.headers['x-remand-trace']) traced.push(String(said.headers['x-remand-trace']));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  for (const { child } of both) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  expect(database.prepare('SELECT who, calls FROM spent').all()).toEqual([{ who: 'anyone', calls: CALLS }]);
  // A call can be given up before it arrives, where the budget of its judgment ends.
  expect(upstream.received.length).toBeLessThanOrEqual(CALLS);
  expect(upstream.received.length).toBeGreaterThan(CALLS - CLIENTS);
  // 601 calls are 150 judgments of four and one more; those that the end comes upon keep the judge's own verdict.
  expect([...told.keys()].filter((one) => !['revised', 'failed-open', '429'].includes(one))).toEqual([]);
  expect(told.get('revised')).toBeGreaterThan(0);
  expect(told.get('429')).toBeGreaterThan(0);
  const kept = database.prepare('SELECT id FROM traces').all();
  expect(new Set(kept.map(({ id }) => id))).toEqual(new Set(traced));
});
