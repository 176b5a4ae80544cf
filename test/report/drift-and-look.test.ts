/** Two runs of a judge, and what logs hold, as pages. */
import { expect, test } from 'vitest';
import { compareRuns, groupJudgments } from '../../src/evaluate/index.ts';
import { readPage } from './read-page.ts';

/** Scores from 4 to 9 on 120 items of two parts; the second judge gives `less`. */
function runOf(judge: string, less: number) {
  const records = Array.from({ length: 120 }, (_, n) => ({
    ...{ item: `q${n}`, judge, score: 4 + (n % 6) - less, sample: 0 },
    subgroup: n % 2 === 0 ? 'en' : 'fi',
  }));
  return groupJudgments(records).get(judge) ?? [];
}

test('a judge that gives less: it is another one, by how much, and what a mark means now', async () => {
  const { kind, told, document } = await readPage(compareRuns(runOf('old', 0), runOf('new', 1)));
  expect(kind).toBe('drift');
  expect(document.querySelector('h2')?.textContent).toBe('Is new still the judge that old was?');
  expect(told).toMatch(
    /^It is another judge .* The mean score moved by −1\.000 \(.*\) on 120 items\. 100\.0% of the items/,
  );
  const text = document.body.textContent ?? '';
  expect(text).toContain('What marks mean now');
  expect(text).toMatch(/en\s*60/);
  expect(document.querySelectorAll('figure').length).toBe(1);
});

test('a judge that stays what it is', async () => {
  const { told } = await readPage(compareRuns(runOf('old', 0), runOf('new', 0)));
  expect(told).toMatch(/^No change was shown/);
});

const log = {
  ...{ calls: 100, judgments: 80, examinable: 70, verdicts: 66, left_alone: { 'no-case': 10 } },
  pipelines: [
    {
      ...{ name: 'pairs', calls: 70, examinable: 70, verdicts: 66 },
      first_wins: { n: 66, share: 0.75, interval: { low: 0.63, high: 0.84 } },
    },
  ],
  missing: [],
};

test('logs: how many verdicts rest on what should not matter', async () => {
  const sample = {
    ...{ asked: 40, affected: 12, changed: 5, unread: 1, failed: 0, not_asked: 2, errors: [] },
    ...{ biases: { position: 9, bandwagon: 3 }, calls: 130, tokens: { input: 1, output: 1 }, cost: 0.84 },
  };
  const { kind, told, document } = await readPage({ ...log, sample });
  expect(kind).toBe('look');
  expect(told).toBe(
    'Of 40 verdicts 12 rest on what should not matter, 5 would change. 100 model calls, 80 of them judgments, of which 70 can be examined. Verdicts read in the log: 66.',
  );
  expect(document.body.textContent).toContain('0.84');
  expect(document.querySelectorAll('figure').length).toBe(1);
});

test("logs: what a judge's own noise can explain is said of the verdicts that differ", async () => {
  const sample = {
    ...{ asked: 40, affected: 12, changed: 5, unread: 0, failed: 0, not_asked: 0, errors: [] },
    ...{ biases: { position: 12 }, calls: 130, cost: null },
    orders: { compared: 40, first: 7, last: 4, p: 0.5488, by_noise: 9.4 },
  };
  const { told } = await readPage({ ...log, sample });
  expect(told).toMatch(
    /^Of 40 verdicts 12 differ with what should not matter, about 9 of which the judge's own noise can explain, 5 would change\. Of 40 verdicts in both orders, the verdict moved towards the first place in 7 and towards the last in 4 \(p = 0\.55\)\./,
  );
  const oneWay = { ...sample, orders: { compared: 40, first: 12, last: 0, p: 0.0005, by_noise: 0 } };
  expect((await readPage({ ...log, sample: oneWay })).told).toMatch(/^Of 40 verdicts 12 rest on/);
});

test('logs: what could not be tested is named once, however many reasons there are', async () => {
  const why = ['The rewrite failed.', 'The budget was used up.'];
  const sample = {
    ...{ asked: 40, affected: 12, changed: 5, unread: 0, failed: 0, not_asked: 0, errors: [] },
    ...{ biases: { position: 12 }, calls: 130, tokens: { input: 1, output: 1 }, cost: null },
    untested: why.map((one) => ({ bias: 'verbosity', why: one, count: 2 })),
  };
  const { told, document } = await readPage({ ...log, sample });
  expect(told).toContain('could be tested: verbosity (below: in how many, and why).');
  for (const one of why)
    expect(document.body.textContent).toContain(`Not tested: verbosity in 2 verdicts. ${one}`);
});

test('logs of which nothing was asked again', async () => {
  expect((await readPage({ ...log, sample: null })).told).toContain('is not known');
});
