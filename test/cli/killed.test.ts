/** Killed anywhere, nothing lost and nothing paid twice: the command is ended without warning and started again. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { draw } from '../../src/stats/seeded-draw.ts';
import { remand, start } from './command.ts';
import { buildRows } from './dataset-rows.ts';
import { judgeEndpoint } from './judge-endpoint.ts';

const ROWS = 500;
const CONCURRENCY = 16;
const KILLS = 5;
const folder = mkdtempSync(join(tmpdir(), 'remand-killed-'));
beforeAll(() => buildRows(folder, ROWS));
afterAll(() => rmSync(folder, { recursive: true }));

function copy(): string {
  const other = mkdtempSync(join(folder, 'run-'));
  for (const name of ['d.jsonl', 'd_bias.jsonl']) copyFileSync(join(folder, name), join(other, name));
  return other;
}
const judging = (where: string, url: string) => [
  ...['dataset', 'judge', '--in', where, '--judge', `m@${url}`, '--concurrency', `${CONCURRENCY}`, '--json'],
];

test('dataset judge, killed five times', async () => {
  await using calm = await judgeEndpoint();
  const undisturbed = copy();
  expect((await remand(judging(undisturbed, calm.url))).code).toBe(0);

  await using endpoint = await judgeEndpoint({ latencyMs: 10 });
  const where = copy();
  const verdicts = join(where, 'verdicts.jsonl');
  for (let kill = 0; kill < KILLS; kill++) {
    // After so many more calls, so that each kill falls into the work however slow the machine is.
    const until = endpoint.calls() + 1 + Math.floor(draw(7, `kill ${kill}`) * 190);
    const { child, ended } = start(judging(where, endpoint.url));
    while (endpoint.calls() < until) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill('SIGKILL');
    expect((await ended).code).toBeNull();
    expect(existsSync(verdicts)).toBe(false);
  }
  const last = await remand(judging(where, endpoint.url));
  expect(JSON.parse(last.out)).toMatchObject({ verdicts: ROWS, unread: 0, failed: 0 });
  expect(readFileSync(verdicts, 'utf8')).toBe(readFileSync(join(undisturbed, 'verdicts.jsonl'), 'utf8'));
  expect(readdirSync(where).filter((name) => name.endsWith('.partial'))).toEqual([]);

  // Each row asks twice; only what was under way at a kill was asked again.
  expect(endpoint.came.size).toBe(2 * ROWS);
  expect(endpoint.calls() - 2 * ROWS).toBeLessThanOrEqual(KILLS * 2 * CONCURRENCY);
  expect(Math.max(...endpoint.came.values())).toBeLessThanOrEqual(KILLS + 1);
  // And the last start paid for no more than what the endpoint saw of it.
  expect(JSON.parse(last.out).calls).toBeLessThan(2 * ROWS);

  const before = endpoint.calls();
  expect(JSON.parse((await remand(judging(where, endpoint.url))).out).calls).toBe(0);
  expect(endpoint.calls()).toBe(before);
});
