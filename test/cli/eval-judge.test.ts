/** `remand eval judge --in`: the same run gives the same bytes, killed or not, and nothing is paid for twice. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ArmResult } from '../../src/report/index.ts';
import { remand, start } from './command.ts';
import { buildRows } from './dataset-rows.ts';
import { judgeEndpoint } from './judge-endpoint.ts';

const ROWS = 40;
const CONCURRENCY = 4;
const ARMS = ['none', 'placebo', 'probe', 'swap-and-tie', 'samples-3', 'step-by-step'];
const folder = mkdtempSync(join(tmpdir(), 'remand-eval-judge-'));
beforeAll(() => buildRows(folder, ROWS));
afterAll(() => rmSync(folder, { recursive: true }));

function copy(): string {
  const other = mkdtempSync(join(folder, 'run-'));
  for (const name of ['d.jsonl', 'd_bias.jsonl']) copyFileSync(join(folder, name), join(other, name));
  return other;
}
const comparing = (where: string, url: string, ...more: string[]) => [
  ...['eval', 'judge', '--in', where, '--judge', `m@${url}`, '--arms', ARMS.join(',')],
  ...['--second', `better=m2@${url}`, '--panel', `other=m3@${url}`],
  ...['--concurrency', `${CONCURRENCY}`, '--json', ...more],
];
const records = (where: string) => readFileSync(join(where, 'judgments.jsonl'), 'utf8');
interface Result {
  readonly arms: readonly ArmResult[];
  readonly calls: number;
}
const read = (out: string): Result => JSON.parse(out);
/** Time is another in every run. */
const figures = (out: string) => read(out).arms.map(({ seconds: _, ...one }) => one);

test('twice, and killed half-way: the same records and figures, each call made once', async () => {
  await using calm = await judgeEndpoint();
  const undisturbed = copy();
  const whole = await remand(comparing(undisturbed, calm.url));
  expect([whole.code, whole.err]).toEqual([0, '']);
  expect(read(whole.out).arms.map(({ arm, n, failed }) => [arm, n, failed])).toEqual(
    ARMS.map((arm) => [arm, ROWS, 0]),
  );
  expect(read(whole.out).calls).toBe(calm.calls());
  // What it found is a file as well, which `remand report` reads.
  expect(JSON.parse(readFileSync(join(undisturbed, 'arms.json'), 'utf8'))).toEqual(JSON.parse(whole.out));
  expect(records(undisturbed).trimEnd().split('\n')).toHaveLength(ARMS.length * ROWS);

  const again = await remand(comparing(undisturbed, calm.url));
  expect(read(again.out).calls).toBe(0);
  expect(figures(again.out)).toEqual(figures(whole.out));
  expect(read(again.out).arms[0]?.seconds.value).toBeNull();

  await using endpoint = await judgeEndpoint({ latencyMs: 5 });
  const where = copy();
  const half = Math.floor(calm.calls() / 2);
  const { child, ended } = start(comparing(where, endpoint.url));
  while (endpoint.calls() < half) await new Promise((resolve) => setTimeout(resolve, 1));
  child.kill('SIGKILL');
  expect((await ended).code).toBeNull();
  expect(existsSync(join(where, 'judgments.jsonl'))).toBe(false);
  const resumed = await remand(comparing(where, endpoint.url));
  expect(resumed.code).toBe(0);
  expect(records(where)).toBe(records(undisturbed));
  expect(figures(resumed.out)).toEqual(figures(whole.out));
  // What was under way at the kill is asked again: of each pair at a time, a few calls of each arm.
  expect(endpoint.calls() - calm.calls()).toBeLessThanOrEqual(CONCURRENCY * 2 * 2 * ARMS.length);
  expect(read(resumed.out).calls).toBeLessThan(calm.calls() - half + CONCURRENCY * 4 * ARMS.length);
});

describe('options', () => {
  test('--prices gives a price, and a model without one a reason', async () => {
    await using endpoint = await judgeEndpoint();
    const where = copy();
    const prices = join(where, 'prices.json');
    writeFileSync(prices, '{"cheap": {"input": 1, "output": 4}}');
    const judges = `cheap=m@${endpoint.url};other=m@${endpoint.url}`;
    const { code, out } = await remand([
      ...['eval', 'judge', '--in', where, '--judge', judges, '--arms', 'none', '--limit', '3'],
      ...['--prices', prices, '--json'],
    ]);
    expect(code).toBe(0);
    const [cheap, other] = read(out).arms;
    // 7 tokens in and 2 out a call, as the endpoint counts.
    expect(cheap?.price_per_1000.value).toBeCloseTo((7 * 1 + 2 * 4) / 1000, 12);
    expect(other?.price_per_1000).toEqual({ value: null, reason: 'no price is known of other' });
  });

  test('a budget that does not suffice is a failure, and what was paid for is kept', async () => {
    await using endpoint = await judgeEndpoint();
    const where = copy();
    const { code, out, err } = await remand(comparing(where, endpoint.url, '--budget', '25'));
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('25 calls of the budget are used up');
    expect(endpoint.calls()).toBe(25);
    expect(existsSync(join(where, 'judgments.jsonl'))).toBe(false);
  });

  test.each([
    [['--arms', 'oracle'], '--arms'],
    [['--arms', 'rbd'], '--detector-model'],
    [['--prices', join(folder, 'none.json')], '--prices'],
    [['--prices', join(folder, 'd.jsonl')], '--prices'],
    [['--rounds', '11'], '--rounds'],
    [['--judge', 'sandbox;sandbox'], '--judge'],
  ])(
    '%j is bad input',
    async (more, option) => {
      const { code, out, err } = await remand([
        ...['eval', 'judge', '--in', folder, '--judge', 'sandbox', ...more],
      ]);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(option);
    },
    30_000,
  );
});

test('a folder without a dataset is told with what makes one', async () => {
  expect(await remand(['eval', 'judge', '--in', 'no-cases', '--judge', 'sandbox'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /no-cases\/d\.jsonl: cannot be read: .*; remand dataset build --out no-cases makes it\n$/,
    ),
  });
  expect(existsSync('no-cases')).toBe(false);
});
