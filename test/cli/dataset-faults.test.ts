/** The faults of real providers, before `dataset judge`: a whole dataset or rows listed as failed, never a wrong row. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { remand } from './command.ts';
import { buildRows, chatReply } from './dataset-rows.ts';
import { judgeEndpoint, type Said } from './judge-endpoint.ts';

const ROWS = 40;
const folder = mkdtempSync(join(tmpdir(), 'remand-faults-'));
let calm = '';

beforeAll(async () => {
  await buildRows(folder, ROWS);
  await using endpoint = await judgeEndpoint();
  await judge(folder, endpoint.url);
  calm = verdicts(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

function copy(): string {
  const other = mkdtempSync(join(folder, 'run-'));
  for (const name of ['d.jsonl', 'd_bias.jsonl']) copyFileSync(join(folder, name), join(other, name));
  return other;
}
const verdicts = (where: string) => readFileSync(join(where, 'verdicts.jsonl'), 'utf8');
const linesOf = (text: string) => text.trim().split('\n');

async function judge(where: string, place: string) {
  const { code, out, err } = await remand([
    ...['dataset', 'judge', '--in', where, '--judge', `m@${place}`, '--json'],
    ...['--retries', '2', '--timeout', '10', '--concurrency', '8'],
  ]);
  return { code, err, said: out === '' ? null : JSON.parse(out) };
}

/** Lines of a run with faults: failed, or the very line of the undisturbed run. */
function compared(where: string) {
  const lines = linesOf(verdicts(where));
  const whole = linesOf(calm);
  const wrong = lines.filter((line, index) => JSON.parse(line).error === null && line !== whole[index]);
  const failed = lines.map((line) => JSON.parse(line)).filter(({ error }) => error !== null);
  return { lines: lines.length, wrong, failed };
}

test('faults in passing cost time, and nothing else', async () => {
  const faults: readonly Said[] = [
    { status: 429, headers: { 'retry-after': '1' }, body: '{"error": {"message": "slow down"}}' },
    { status: 500, body: '{}' },
    { status: 529, body: '{}' },
    { fault: 'hang' },
    { fault: 'cut' },
    { fault: 'break' },
    { body: '{"choices": [' },
    { body: '<html>Bad gateway</html>' },
    { body: '{"error": {"message": "overloaded"}}' },
    { body: '{"choices": []}' },
  ];
  await using endpoint = await judgeEndpoint({
    // Each of the first calls meets a fault, once.
    say: (nth, again) => (again === 1 ? (faults[nth - 1] ?? null) : null),
  });
  const where = copy();
  const { code, said, err } = await judge(where, endpoint.url);
  expect([code, err, said.failed, said.unread]).toEqual([0, '', 0, 0]);
  expect(verdicts(where)).toBe(calm);
  // Once more for each fault, and a busy machine may be late once or twice.
  expect(endpoint.calls()).toBeGreaterThanOrEqual(2 * ROWS + faults.length);
  expect(endpoint.calls()).toBeLessThan(2 * ROWS + 2 * faults.length);
});

test('an endpoint that dies half-way: what it said is kept, and only the rest is asked again', async () => {
  let dead = true;
  await using endpoint = await judgeEndpoint({
    say: (nth) => (dead && nth > ROWS ? { fault: 'break' } : null),
  });
  const where = copy();
  const first = await judge(where, endpoint.url);
  const { lines, wrong, failed } = compared(where);
  expect([first.code, lines, wrong]).toEqual([0, ROWS, []]);
  expect(first.said.failed).toBe(failed.length);
  expect(failed.length).toBeGreaterThan(0);
  expect(failed.length).toBeLessThan(ROWS);
  for (const { error, d, d_bias } of failed)
    expect([error, d, d_bias]).toEqual([expect.stringContaining('gave no reply'), null, null]);

  const label = await remand(['dataset', 'label', '--in', where, '--json']);
  expect(JSON.parse(label.out).labelled).toBe(ROWS - failed.length);

  dead = false;
  const [before, answered] = [endpoint.calls(), endpoint.answered.size];
  const second = await judge(where, endpoint.url);
  expect([second.code, second.said.failed]).toEqual([0, 0]);
  expect(endpoint.calls() - before).toBe(2 * ROWS - answered);
  expect(Math.max(...endpoint.answered.values())).toBe(1);
  expect(verdicts(where)).toBe(calm);
});

test('an endpoint that refuses every text is a failure: exit 1, every row with its reason', async () => {
  await using endpoint = await judgeEndpoint({ say: () => ({ status: 400, body: '{}' }) });
  const where = copy();
  const { code, said } = await judge(where, endpoint.url);
  expect([code, said.verdicts, said.failed]).toEqual([1, ROWS, ROWS]);
  expect(linesOf(verdicts(where)).every((line) => JSON.parse(line).error.includes('400'))).toBe(true);
  // What it refuses once is not asked again.
  expect(endpoint.calls()).toBe(2 * ROWS);
});

test('a key that is withdrawn on the way ends the run; with a new one only the rest is asked', async () => {
  let valid = 20;
  await using endpoint = await judgeEndpoint({
    say: (nth) => (nth > valid ? { status: 401, body: '{}' } : null),
  });
  const where = copy();
  const { code, err } = await judge(where, endpoint.url);
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(
      /remand: http:\S+ refuses calls without a key \(401, 3 times in a row\); no further call/,
    ),
  ]);
  // Two rows' calls a place, of eight at a time, can be under way when the third refusal comes.
  expect(endpoint.calls()).toBeLessThanOrEqual(valid + 3 + 2 * 8);
  valid = Number.POSITIVE_INFINITY;
  const before = endpoint.calls();
  expect((await judge(where, endpoint.url)).code).toBe(0);
  expect(endpoint.calls() - before).toBe(2 * ROWS - 20);
  expect(verdicts(where)).toBe(calm);
});

test('403 to some texts, of a key that is accepted, fails those alone', async () => {
  await using endpoint = await judgeEndpoint({
    say: (nth) => (nth > 20 && nth <= 40 ? { status: 403, body: '{}' } : null),
  });
  const { said } = await judge(copy(), endpoint.url);
  expect([said.verdicts, endpoint.calls()]).toEqual([ROWS, 2 * ROWS]);
});

test('refusals and cut-off verdicts are no verdicts', async () => {
  const odd = [
    { choices: [{ index: 0, message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }] },
    chatReply("I'm sorry, but I can't help with that."),
    chatReply('I would say that Output (a) and Output (b) are both'),
    { choices: [{ index: 0, message: { content: '' }, finish_reason: 'length' }] },
    { choices: [{ index: 0, message: { content: '' }, finish_reason: 'content_filter' }] },
  ];
  await using endpoint = await judgeEndpoint({
    say: (nth) => (odd[nth - 1] ? { body: JSON.stringify(odd[nth - 1]) } : null),
  });
  const where = copy();
  const { code, said } = await judge(where, endpoint.url);
  expect([code, said.verdicts]).toEqual([0, ROWS]);
  const whole = linesOf(calm);
  const other = linesOf(verdicts(where)).filter((line, index) => line !== whole[index]);
  expect(other).toHaveLength(said.unread + said.failed);
  expect(other.length).toBeGreaterThan(0);
  for (const line of other) {
    const { d, d_bias, error } = JSON.parse(line);
    expect(error !== null || d.option === null || d_bias.option === null).toBe(true);
  }
});

test('of two endpoints by weight one dies: the other one does its work', async () => {
  await using strong = await judgeEndpoint({
    latencyMs: 5,
    say: (nth) => (nth > ROWS ? { fault: 'break' } : null),
  });
  await using weak = await judgeEndpoint({ latencyMs: 5 });
  const where = copy();
  const place = `${strong.url}*3,${weak.url}*1`;
  const { code, said } = await judge(where, place);
  expect([code, said.failed]).toEqual([0, 0]);
  expect(verdicts(where)).toBe(calm);
  // Three to one while both lived, and all of the rest.
  expect(strong.answered.size).toBe(ROWS);
  expect(weak.answered.size).toBe(ROWS);
  const early = [...weak.came.keys()].filter((body) => !strong.came.has(body));
  expect(early.length).toBeGreaterThan(ROWS / 8);
  expect(early.length).toBeLessThan(ROWS * 0.75);
  // What one said counts as said by the fleet: nothing is asked again.
  const calls = strong.calls() + weak.calls();
  expect((await judge(where, place)).said.calls).toBe(0);
  expect(strong.calls() + weak.calls()).toBe(calls);
});
