/** The dataset commands as a user runs them, on the samples: build, judge, label; what they cost, and going on. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { type Ended, remand, remandEach } from './command.ts';

/** Words as after `remand dataset`. */
const datasets = (commands: readonly (readonly string[])[]) =>
  remandEach(commands.map((words) => ['dataset', ...words]));
const folder = mkdtempSync(join(tmpdir(), 'remand-dataset-'));
const sample = (name: string) =>
  fileURLToPath(new URL(`../../training-data/sample/${name}.jsonl`, import.meta.url));
afterAll(() => rmSync(folder, { recursive: true }));

/** A busy machine takes seconds to start a process. */
const SLOW = { timeout: 300_000 };

function documentOf(outcome: Ended | undefined) {
  expect(outcome?.code).toBe(0);
  return JSON.parse(outcome?.out ?? '');
}
const linesOf = (...path: string[]) =>
  readFileSync(join(folder, ...path), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const PATHS = [
  ['verbosity', 'arithmetic', 48],
  ['position', 'instructions', 32],
  ['bandwagon', 'instructions', 32],
  ['bandwagon', 'science', 32],
  ['verbosity,bandwagon,position', 'arithmetic', 48],
] as const;

test('build, judge and label each bias with its twins, and several at once', SLOW, async () => {
  const outcomes = await datasets(
    PATHS.flatMap(([bias, name]) => {
      const out = join(folder, `${bias}-${name}`);
      return [
        ['build', '--bias', bias, '--twins', '--from', sample(name), '--out', out, '--json'],
        ['judge', '--in', out, '--judge', 'sandbox', '--json'],
        ['label', '--in', out, '--json'],
      ];
    }),
  );
  for (const [index, [bias, name, rows]] of PATHS.entries()) {
    const [built, judged, labelled] = outcomes.slice(3 * index, 3 * index + 3).map(documentOf);
    expect(built).toMatchObject({ rows, base_items: rows / 2, dropped: {}, skipped: {}, calls: 0 });
    expect(judged).toMatchObject({ verdicts: rows, unread: 0, failed: 0 });
    // A question that two rows share is asked once.
    expect(judged.calls).toBeGreaterThanOrEqual(rows);
    expect(judged.calls).toBeLessThanOrEqual(2 * rows);
    expect(labelled).toMatchObject({ labelled: rows, unlabelled: {} });
    expect(labelled.rates.map(({ twin, n }: { twin: boolean; n: number }) => [twin, n])).toEqual([
      [false, rows / 2],
      [true, rows / 2],
    ]);
    // What is counted is what is there, and a label is what the two verdicts say.
    const labels = linesOf(`${bias}-${name}`, 'labels.jsonl');
    expect(labels.map(({ bias_category }) => bias_category)).toEqual(
      labels.map(() => bias.replaceAll(',', '+')),
    );
    expect(labels.filter(({ bias_label }) => bias_label === 'Yes')).toEqual(
      labels.filter((row) => row.right_in_d && !row.right_in_d_bias),
    );
    const biased = labelled.rates.reduce((sum: number, rate: { biased: number }) => sum + rate.biased, 0);
    expect(biased).toBe(labels.filter(({ bias_label }) => bias_label === 'Yes').length);
  }
});

test('a case that stands in the base data several times is one case, and that is told', SLOW, async () => {
  const from = join(folder, 'repeated.jsonl');
  const once = readFileSync(sample('arithmetic'), 'utf8');
  // In the other order, and without the id, it is no other case.
  const again = once
    .replace(/"id":\s*"([^"]*)"/g, '"id": "again-$1"')
    .replaceAll('"positive"}', '"negative"}');
  // Another answer to the same question, under its id, would be a second row of one id.
  const other = once.replace(/"negative":\s*"/g, '"negative": "Or ');
  writeFileSync(from, once + again + once + other);
  const build = ['build', '--bias', 'bandwagon', '--from', from, '--out', join(folder, 'repeated')];
  const [built] = await datasets([[...build, '--json']]);
  expect(documentOf(built)).toMatchObject({
    ...{ rows: 24, base_items: 24, dropped: {} },
    skipped: {
      'the same case stands before it': 48,
      'its id and its instruction stand before it, with other answers': 24,
    },
  });
  const ids = linesOf('repeated', 'd.jsonl').map(({ id }) => id);
  expect(new Set(ids).size).toBe(24);
});

test(
  'a dataset that is built anew is labelled by new verdicts, and not by those of other rows',
  SLOW,
  async () => {
    const out = join(folder, 'anew');
    const build = (place: string) => [
      ...['build', '--bias', 'bandwagon', '--positive', place, '--from', sample('arithmetic'), '--out', out],
      '--overwrite',
    ];
    const judge = ['judge', '--in', out, '--judge', 'sandbox'];
    const label = ['label', '--in', out];
    const ended = await datasets([build('first'), judge, label, build('second'), label, judge, label]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 2, 0, 0]);
    expect(ended[4]?.err).toContain(
      'is of another row than the dataset has now; run remand dataset judge again',
    );
  },
);

test('the simulated judge is turned by the bias and never by its twin', SLOW, async () => {
  const out = join(folder, 'turned');
  const from = sample('science');
  const [, , labelled] = await datasets([
    ['build', '--bias', 'bandwagon', '--twins', '--from', from, '--out', out],
    ['judge', '--in', out, '--judge', 'sandbox'],
    ['label', '--in', out, '--json'],
  ]);
  const [wrong, twin] = documentOf(labelled).rates;
  expect(wrong.biased).toBeGreaterThan(0);
  expect(wrong.share).toBe(wrong.biased / wrong.n);
  expect(wrong.interval.low).toBeLessThan(wrong.share);
  expect(wrong.interval.high).toBeGreaterThan(wrong.share);
  expect(twin.biased).toBe(0);
});

test(
  'sentiment comes from the tones that are written; its twin needs a model, and says so',
  SLOW,
  async () => {
    const [plain, twins] = ['sentiment', 'sentiment-twins'].map((name) => join(folder, name));
    const head = ['build', '--bias', 'sentiment', '--from', sample('science'), '--json', '--out'];
    const [built, judged, labelled, twinned] = await datasets([
      [...head, plain ?? ''],
      ['judge', '--in', plain ?? '', '--judge', 'sandbox', '--json'],
      ['label', '--in', plain ?? '', '--json'],
      [...head, twins ?? '', '--twins'],
    ]);
    expect(documentOf(built)).toMatchObject({ rows: 16, calls: 0, tones_rejected: 0, dropped: {} });
    expect(documentOf(judged)).toMatchObject({ verdicts: 16, unread: 0, failed: 0 });
    expect(documentOf(labelled)).toMatchObject({ labelled: 16, unlabelled: {} });
    const dropped = { 'no model to change the tone with': 16 };
    expect(documentOf(twinned)).toMatchObject({ rows: 16, dropped });
    expect(linesOf('sentiment-twins', 'dropped.jsonl')).toHaveLength(16);
  },
);

test(
  'a dry run asks nothing; a budget that is used up ends the run, and the next start asks only the rest',
  SLOW,
  async () => {
    const out = join(folder, 'budget');
    const judge = ['judge', '--in', out, '--judge', 'sandbox', '--json'];
    const [, dry] = await datasets([
      ['build', '--bias', 'bandwagon', '--from', sample('instructions'), '--out', out],
      [...judge, '--dry-run'],
    ]);
    expect(documentOf(dry)).toMatchObject({ dry_run: true, calls: 32 });
    const short = await remand(['dataset', ...judge, '--budget', '10']);
    expect([short.code, short.out]).toEqual([1, '']);
    expect(short.err).toBe(
      `remand: all 10 calls of the budget are used up; what was answered is kept in ${join(out, 'calls.sqlite')}: the same command goes on from there\n`,
    );
    expect(readdirSync(out).filter((name) => /verdicts\.jsonl|partial/.test(name))).toEqual([]);
    const rest = await remand(['dataset', ...judge]);
    expect([rest.code, rest.err]).toEqual([0, '']);
    expect(JSON.parse(rest.out)).toMatchObject({ verdicts: 16, unread: 0, failed: 0, calls: 22 });
  },
);

test('rows whose twin was dropped are told: they are not balanced', async () => {
  const from = join(folder, 'uneven.jsonl');
  const positive = 'It is Paris. The river Seine runs through it. Two million people live there.';
  writeFileSync(
    from,
    `${JSON.stringify({ instruction: 'Capital of France?', positive, negative: 'Lyon' })}\n`,
  );
  const build = ['dataset', 'build', '--bias', 'formatting', '--twins', '--from', from];
  const { out, code } = await remand([...build, '--out', join(folder, 'uneven')]);
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('1 base items have one of the two twins alone: the rows are not balanced'),
  ]);
});
