/** `remand drift`: a judge that grew stricter, one that stayed, what is told of each, and what is refused. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createSeededDraw } from '../../src/stats/seeded-draw.ts';
import { startUpstream } from '../proxy/servers.ts';
import { remand } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-drift-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function write(records: readonly object[]): string {
  const path = join(folder, `${files++}.jsonl`);
  writeFileSync(path, records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return path;
}

const drift = (before: readonly object[], after: readonly object[], ...more: string[]) =>
  remand(['drift', '--before', write(before), '--after', write(after), ...more]);

/** Two replies on each of so many items, from 1 to 10. */
function scores(judge: string, lower: number, seed: number) {
  const items = createSeededDraw(5);
  const noise = createSeededDraw(seed);
  return Array.from({ length: 200 }, (_, n) => {
    const worth = 3 + items(8);
    return [0, 1].map((sample) => ({
      ...{ item: `q${n}`, judge, sample, subgroup: n % 2 === 0 ? 'en' : 'fi' },
      score: Math.max(1, worth - lower - (noise(4) === 0 ? 1 : 0)),
      label: worth,
    }));
  }).flat();
}

test('a judge that grew stricter by one point', async () => {
  const { code, out } = await drift(scores('may', 0, 1), scores('june', 1, 2), '--json', '--marks', '7');
  expect(code).toBe(0);
  const report = JSON.parse(out);
  expect(report).toMatchObject({ n: 200, alarm: true, judges: { before: 'may', after: 'june' } });
  expect(report.shift.low).toBeGreaterThan(-1.1);
  expect(report.shift.high).toBeLessThan(-0.9);
  expect(report.flips).toBeGreaterThan(report.flips_of_repeats + 0.3);
  expect(report.tests.map(({ name }: { name: string }) => name)).toEqual(['shift', 'spread', 'flips', 'fit']);
  expect(report.groups.map(({ name, n }: { name: string; n: number }) => [name, n])).toEqual([
    ['en', 100],
    ['fi', 100],
  ]);
  const [mark] = report.marks;
  expect(mark.before).toBe(7);
  expect(mark.interval.low).toBeLessThan(6);
  expect(mark.interval.high).toBeGreaterThan(6);
  expect(report.fit).toMatchObject({ measure: 'mean absolute error', n: 200 });
  expect(report.fit.change.low).toBeGreaterThan(0.5);

  const told = await drift(scores('may', 0, 1), scores('june', 1, 2), '--fail-on-alarm');
  expect(told.code).toBe(1);
  expect(told.out).toMatch(
    /^It is another judge \((?:shift|flips): p < 0\.0001\)\.\nThe mean score moved by .* on 200 items\./,
  );
  expect(told.out).toMatch(/\njudge +may +june\n/);
  expect(told.out).toMatch(/\n +7\.0 +6\.0 +\d\.\d to \d\.\d\n/);
  expect(told.out).toMatch(/\nflips +flips against .* +p < 0\.0001 +p < 0\.0001\n/);
});

test('the same judge again, with a margin', async () => {
  const { code, out } = await drift(
    scores('may', 0, 1),
    scores('may', 0, 9),
    '--margin',
    '0.25',
    '--fail-on-alarm',
  );
  expect(code).toBe(0);
  expect(out).toMatch(/^No change was shown \(the nearest: /);
  expect(out).toContain('Within the declared margin: yes.');
});

test('choices: how often the first option wins, and flips beyond repeats', async () => {
  const pick = (choice: (n: number) => number | 'tie') =>
    Array.from({ length: 120 }, (_, n) =>
      [0, 1].map((sample) => ({ item: `q${n}`, judge: 'j', sample, choice: choice(n), label: n % 2 })),
    ).flat();
  const other = pick((n) => (n % 3 === 0 ? 0 : n % 2));
  const report = JSON.parse(
    (
      await drift(
        pick((n) => n % 2),
        other,
        '--json',
      )
    ).out,
  );
  expect(report).toMatchObject({ of: 'wins of the first option', alarm: true, flips_of_repeats: 0 });
  expect(report.flips).toBeCloseTo(1 / 6, 9);
  expect(report.fit.change.value).toBeCloseTo(-1 / 6, 9);
  // What moves both ways leaves the mean where it was; flips tell.
  const turned = pick((n) => (n % 10 < 2 ? 1 - (n % 2) : n % 2));
  const both = JSON.parse(
    (
      await drift(
        pick((n) => n % 2),
        turned,
        '--json',
      )
    ).out,
  );
  expect(both.shift.value).toBeCloseTo(0, 9);
  expect(both.alarm).toBe(true);
});

test('wrong input is named', async () => {
  const some = scores('may', 0, 1);
  expect(await drift(some, [...some, ...scores('june', 0, 1)])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--after-judge: is needed: --after holds may, june'),
  });
  expect(await drift(some, some, '--before-judge', 'jane')).toMatchObject({
    code: 2,
    err: expect.stringContaining('"jane" is none of may'),
  });
  expect(await drift(some, [{ item: 'q1', judge: 'x', pass: true }])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--after: gives a pass where --before gives a score'),
  });
  expect(await drift(some, [{ item: 'q1', judge: 'x' }])).toMatchObject({
    code: 2,
    err: expect.stringContaining('fewer than two items'),
  });
  expect(await drift(some, some, '--confidence', '0.4')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--confidence: must be above .5'),
  });
  expect(await drift(some, some, '--margin', '0')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--margin'),
  });
});

/** Requests that ask for a score, with what another judge once replied. */
const LOG = Array.from({ length: 40 }, (_, n) => {
  const draw = createSeededDraw(n);
  const words = ['adze', 'froe', 'spokeshave', 'drawknife', 'mallet', 'chisel', 'saw', 'plane'];
  const text = () => Array.from({ length: 5 + draw(9) }, () => words[draw(words.length)]).join(' ');
  const prompt = `Rate the answer.\n\n[Question]\n${text()}?\n\n[Answer]\n${text()}\n\nReply with one whole number from 1 to 10 and nothing else.`;
  const choices = (score: number) => [
    { index: 0, message: { role: 'assistant', content: `${score}` }, finish_reason: 'stop' },
  ];
  const score = 4 + draw(6);
  const body = { model: 'old', temperature: 0, messages: [{ role: 'user', content: prompt }] };
  return { prompt, score, choices, line: { body, response: { choices: choices(score) } } };
});

test('a log put before another judge: each request once, resumed with nothing paid for twice', async () => {
  let calls = 0;
  const { url } = await startUpstream((received, response) => {
    calls++;
    const { model, messages } = JSON.parse(received.body.toString());
    const one = LOG.find(({ prompt }) => prompt === messages[0].content);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        ...{ id: 'x', object: 'chat.completion', created: 1, model },
        choices: one?.choices(one.score - 1),
        usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 },
      }),
    );
  });
  const log = write(LOG.map(({ line }) => line));
  const words = [
    'drift',
    '--before',
    log,
    '--judge',
    `new@${url}`,
    '--store',
    join(folder, 'calls.sqlite'),
    '--json',
  ];
  const dry = JSON.parse((await remand([...words, '--dry-run'])).out);
  expect(dry).toMatchObject({ calls: 40, tokens: { output: 40 * 300 }, cost: null });
  expect(calls).toBe(0);
  const part = JSON.parse((await remand([...words, '--budget', '15', '--concurrency', '1'])).out);
  expect(part).toMatchObject({ n: 15, only_before: 25, asked: { calls: 15, not_asked: 25 } });
  expect(calls).toBe(15);
  const whole = JSON.parse((await remand(words)).out);
  expect(whole).toMatchObject({ n: 40, alarm: true, judges: { before: 'old', after: 'new' } });
  expect(whole.shift.value).toBe(-1);
  expect(whole.asked).toMatchObject({ calls: 25, tokens: { input: 250, output: 25 }, failed: 0 });
  expect(calls).toBe(40);
});

test('a judge that answers nothing says why; of several judges in a log one is named before any is asked', async () => {
  const words = (log: string, url: string) => [
    ...['drift', '--before', log, '--judge', `new@${url}`, '--retries', '0'],
    // One at a time: of several, more would be on their way when the third is refused.
    ...['--store', join(folder, 'refused.sqlite'), '--concurrency', '1'],
  ];
  let calls = 0;
  const { url } = await startUpstream((_, response) => {
    calls++;
    response.statusCode = 401;
    response.end('{"error":{"message":"no"}}');
  });
  const log = write(LOG.slice(0, 5).map(({ line }) => line));
  expect(await remand(words(log, url))).toMatchObject({
    code: 1,
    err: expect.stringContaining('refuses calls without a key (401, 3 times in a row)'),
  });
  expect(calls).toBe(3);
  const several = write(
    LOG.slice(0, 6).map(({ line }, n) => ({ ...line, body: { ...line.body, model: `m${n % 2}` } })),
  );
  expect(await remand(words(several, url))).toMatchObject({
    code: 2,
    err: expect.stringContaining('--before-judge: is needed: --before holds m0, m1'),
  });
  expect(calls).toBe(3);
});

test('a log without verdicts, and both or none of --after and --judge', async () => {
  const none = write([{ body: { model: 'm', messages: [{ role: 'user', content: 'Hello' }] } }]);
  const words = ['drift', '--before', none, '--store', join(folder, 'none.sqlite')];
  expect(await remand([...words, '--judge', 'new@http://127.0.0.1:1'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('holds no judgment with a verdict in its reply'),
  });
  const either = { code: 2, err: expect.stringContaining('give either --after, the other run, or --judge') };
  expect(await remand(['drift', '--before', none])).toMatchObject(either);
  expect(await remand([...words, '--judge', 'new@http://127.0.0.1:1', '--after', none])).toMatchObject(
    either,
  );
});

test('runs with several kinds of verdict: one is named, the others are left out', async () => {
  const mixed = (judge: string, lower: number) => [
    ...scores(judge, lower, 1),
    ...Array.from({ length: 30 }, (_, n) => ({ item: `p${n}`, judge, pass: n % 2 === 0 })),
  ];
  const unnamed = await drift(mixed('may', 0), mixed('june', 1));
  expect([unnamed.code, unnamed.err]).toEqual([2, expect.stringContaining('name one kind with --of')]);
  const { out } = await drift(mixed('may', 0), mixed('june', 1), '--of', 'score', '--json');
  expect(JSON.parse(out)).toMatchObject({ n: 200, of: 'score', alarm: true });
  const passes = await drift(mixed('may', 0), mixed('june', 1), '--of', 'pass', '--json');
  expect(JSON.parse(passes.out)).toMatchObject({ n: 30, of: 'pass', alarm: false });
});

test('items that all moved alike rule out no more than so few can', async () => {
  const run = (judge: string, all: readonly number[]) =>
    all.map((score, n) => ({ item: `q${n}`, judge, score }));
  const three = [4, 5, 7];
  const few = JSON.parse((await drift(run('a', three), run('b', three), '--margin', '0.25', '--json')).out);
  // Clopper and Pearson for none of 3: 1 - .025 ** (1 / 3) = .7076, each of them moved by the 3 points of the scores' range.
  expect(few.shift).toEqual({ value: 0, low: expect.closeTo(-2.1228, 3), high: expect.closeTo(2.1228, 3) });
  expect(few.equivalent).toBe(false);
  const many = Array.from({ length: 200 }, (_, n) => 4 + (n % 3));
  expect(
    JSON.parse((await drift(run('a', many), run('b', many), '--margin', '0.25', '--json')).out).equivalent,
  ).toBe(true);
  const same = many.map(() => 8);
  const { out } = await drift(run('a', same), run('b', same));
  expect(out).toContain('moved by ±0.000 (no interval: all alike) on 200 items');
  expect(out).not.toContain('ruled out');
});
