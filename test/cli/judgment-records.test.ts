/** `remand eval judge --records` and `remand calibrate --records`: past judgments, of which no call is made. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { PastJudgment } from '../../src/evaluate/confidence/past-judgment.ts';
import { createSeededDraw } from '../../src/stats/index.ts';
import { remand } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-records-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, lines: readonly unknown[]) => {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
};

/** Two judges on 400 items: the small one is right with the probability that it tells, the large one in 95 of 100. */
const draw = createSeededDraw(3);
const records = Array.from({ length: 400 }, (_, item): PastJudgment[] => {
  const probability = 0.5 + draw(500) / 1000;
  const right = draw(1000) / 1000 < probability ? 0 : 1;
  return [
    { item: `${item}`, judge: 'small', choice: right, probability },
    { item: `${item}`, judge: 'large', choice: draw(100) < 95 ? 0 : 1 },
  ];
}).flat();
const labels = Array.from({ length: 400 }, (_, item) => ({ item, label: 0 }));
const paths = { records: file('records.jsonl', records), labels: file('labels.jsonl', labels) };

test('the judges alone, one after the other and together', async () => {
  const args = ['eval', 'judge', '--records', paths.records, '--labels', paths.labels];
  const { out, code } = await remand([...args, '--json']);
  expect(code).toBe(0);
  const told = JSON.parse(out);
  expect(told.judges.small).toMatchObject({
    n: 400,
    coverage: { '1': expect.any(Number) },
    samples: { '1': expect.any(Number) },
  });
  expect(told.judges.small.coverage['0.4']).toBeLessThan(told.judges.small.coverage['1']);
  expect(told.judges.small.coverage['1']).toBeCloseTo(1 - told.judges.small.accuracy, 12);
  const cascade = told.cascades['small>large'];
  expect(cascade.map(({ share }: { share: number }) => share)).toEqual([0, 0.2, 0.3, 0.4, 0.5, 1]);
  expect(cascade[2]).toMatchObject({ calls: 1.3 });
  expect(cascade[2].accuracy).toBeGreaterThan(told.judges.small.accuracy);
  const words = await remand(args);
  expect(words.out).toContain('small>large');
  expect(words.out).toMatch(/A vote of all 2 on 400 items/);
});

test('a threshold with a promise, and a probability', async () => {
  const out = join(folder, 'confidence.json');
  const args = ['calibrate', '--records', paths.records, '--labels', paths.labels, '--out', out];
  const told = await remand([...args, '--risk', '0.2', '--confidence', '0.9', '--json']);
  expect(told.code).toBe(0);
  const { judges } = JSON.parse(told.out);
  expect(judges.small.promise).toMatchObject({ risk: 0.2, confidence: 0.9, refused: null });
  expect(judges.small.promise.kept.threshold).toBeGreaterThan(0.5);
  expect(judges.small.calibration.ece).toBeLessThan(0.1);
  expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(JSON.parse(told.out));
  const other = [...args, '--risk', '0.01', '--confidence', '0.99'];
  // What another run wrote is not lost, and what is read least of all.
  expect((await remand(other)).err).toContain('--overwrite');
  const onto = await remand([...args.slice(0, -1), paths.records, '--overwrite']);
  expect(onto).toMatchObject({ code: 2, err: expect.stringContaining('is what --records reads') });
  const words = await remand([...other, '--overwrite']);
  expect(words.out).toMatch(/no promise: /);
  // Two confidences, which a curve for each fifth tells as ten probabilities: what reads alike is one line, and why several are left is told.
  const two = Array.from({ length: 120 }, (_, item) => ({
    ...{ item: `${item}`, judge: 'two', confidence: item % 2 === 0 ? 1 : 0.5, choice: 0 },
    label: item % 7 === 1 ? 1 : 0,
  }));
  const told2 = await remand([
    'calibrate',
    '--records',
    file('two.jsonl', two),
    ...args.slice(-2),
    '--risk',
    '0.3',
    '--overwrite',
  ]);
  const said = [...told2.out.matchAll(/ {2}said (\S+)/g)].map(([, share]) => share);
  expect(said.length).toBeGreaterThan(1);
  expect(new Set(said).size).toBe(said.length);
  expect(told2.out).toContain('Each fifth of the labels was told by a curve of the others');
});

test.each([
  [['eval', 'judge', '--records']],
  [['calibrate', '--records']],
  [['estimate', '--records']],
  [['rank', '--records']],
  [['drift', '--after', paths.records, '--before']],
])('%j: a file that is empty, missing or of other records is named, with what is wrong', async (words) => {
  const option = words.at(-1) ?? '';
  const empty = await remand([...words, file('empty.jsonl', [])]);
  expect(empty).toMatchObject({ code: 2, out: '', err: expect.stringContaining(`${option}: `) });
  expect(empty.err).toContain('empty.jsonl: is empty');
  const missing = await remand([...words, join(folder, 'none.jsonl')]);
  expect(missing.err).toMatch(/none\.jsonl: cannot be read: there is no such file/);
  const other = await remand([...words, file('other.jsonl', [{ a: 1 }])]);
  expect(other.err).toMatch(/other\.jsonl:1: item: is missing; judge: is missing/);
});

test('what is wrong is named', async () => {
  const broken = file('broken.jsonl', [{ item: 'a', judge: 'j', choice: 0, score: 3 }]);
  const both = await remand(['eval', 'judge', '--records', broken]);
  expect(both).toMatchObject({
    code: 2,
    err: expect.stringMatching(/broken\.jsonl:1: .*one of choice, score/),
  });
  const unlabelled = await remand(['eval', 'judge', '--records', paths.records]);
  expect(unlabelled).toMatchObject({ code: 2, err: expect.stringContaining('--labels') });
  const risk = await remand(['calibrate', '--records', paths.records, '--risk', '2']);
  expect(risk).toMatchObject({ code: 2, err: expect.stringContaining('--risk') });
  const alone = await remand(['calibrate', '--risk', '0.1']);
  expect(alone).toMatchObject({ code: 2, err: expect.stringContaining('--records') });
});

test.each([
  ['a pass', { pass: true }, 1, 'must be true or false, as the verdict is, not 1'],
  ['a choice', { choice: 0 }, 'Draft 1', 'must be the place of an option, from 0, or "tie", not "Draft 1"'],
  ['a choice of two', { choice: 0, contestants: ['a', 'b'] }, 2, 'from 0 to 1, or "tie", not 2'],
  ['a score', { score: 7 }, '7', 'must be a number, as the verdict is, not "7"'],
])('a label of another kind than the verdict is refused: %s', async (_, verdict, label, why) => {
  const records = file('verdicts.jsonl', [{ item: 'c0', judge: 'j', ...verdict }]);
  const labels = file('other-labels.jsonl', [{ item: 'c0', label }]);
  for (const command of [['eval', 'judge'], ['estimate'], ['calibrate']]) {
    const told = await remand([...command, '--records', records, '--labels', labels]);
    expect(told.code).toBe(2);
    expect(told.err).toContain(why);
  }
});

test('a file in another encoding is refused, with the line', async () => {
  const path = join(folder, 'latin1.jsonl');
  writeFileSync(
    path,
    Buffer.from('{"item":"a","judge":"J","choice":0}\n{"item":"b","judge":"J\xf6rg","choice":0}\n', 'latin1'),
  );
  expect((await remand(['eval', 'judge', '--records', path])).err).toMatch(/latin1\.jsonl: is not UTF-8/);
});
