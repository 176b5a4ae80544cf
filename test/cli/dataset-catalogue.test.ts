/**
 * Every entry of the catalogue that can be put into a case, on the way to a detector's data: injected, judged by the sandbox,
 * labelled, exported, and measured by entry. The registry says which; there is no list of them here.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CATALOGUE } from '../../src/bias/index.ts';
import { remand, remandEach } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-catalogue-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (...names: string[]) => join(folder, ...names);
const jsonl = (...names: string[]) =>
  readFileSync(file(...names), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const INJECTED = CATALOGUE.filter(({ inject }) => inject);
const names = INJECTED.map(({ name }) => name);

const TIDES =
  'The {} pulls at the sea. It pulls harder on the near side. The water there rises towards it. '.repeat(8);

/** Answers of three sentences and more with a number at the end, under a rubric; and options in two tones. */
const BASE = [
  ...[11, 12, 13, 14].map((count) => {
    const steps = (sum: number) =>
      `The boxes are counted one by one. Each of the ${count} boxes holds 6 rolls, and none of them is empty. Counting all of them gives the sum. The sum is written down at the end.\n#### ${sum}`;
    return {
      ...{ kind: 'pair', id: `rolls-${count}`, answer: String(6 * count), first: 'positive' },
      instruction: `How many rolls are in ${count} boxes of 6?\nScore 1: the sum is wrong\nScore 5: the sum is right`,
      ...{ positive: steps(6 * count), negative: steps(6 * count + 10) },
    };
  }),
  {
    ...{ kind: 'pair', id: 'tides', answer: null, first: 'negative', instruction: 'Why are there tides?' },
    positive: TIDES.replaceAll('{}', 'moon'),
    negative: TIDES.replaceAll('{}', 'wind'),
  },
  {
    ...{ kind: 'choice', id: 'mammal', instruction: 'Which of these is a mammal?', right: 1 },
    options: ['a trout', 'a bat', 'an eagle'],
    toned: ['How delightful: a trout!', 'Alas, it is only dismal a bat.', 'What a joy, it is an eagle!'],
  },
];

test('every entry is injected, judged, labelled, exported, and told apart when a detector is measured', {
  timeout: 300_000,
}, async () => {
  writeFileSync(file('base.jsonl'), BASE.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const outcomes = await remandEach(
    names.flatMap((name) => [
      ...[['dataset', 'build', '--bias', name, '--from', file('base.jsonl'), '--out', file(name), '--json']],
      ...[['dataset', 'judge', '--in', file(name), '--judge', 'sandbox', '--json']],
      ...[['dataset', 'label', '--in', file(name), '--json']],
      ...[
        [
          'export',
          '--in',
          file(name, 'labels.jsonl'),
          '--out',
          file(`${name}-out`),
          '--format',
          'chat',
          '--label-only',
          '--json',
        ],
      ],
    ]),
  );
  const failed = outcomes.filter(({ code }) => code !== 0).map(({ err }) => err);
  expect(failed).toEqual([]);
  const labels = names.flatMap((name) => jsonl(name, 'labels.jsonl'));
  expect([...new Set(labels.map(({ bias_category }) => bias_category))]).toEqual(names);
  for (const name of names) {
    const [exported] = jsonl(`${name}-out`, 'chat', 'train.jsonl');
    expect(exported.messages[0].content).toContain(CATALOGUE.find((one) => one.name === name)?.definition);
  }

  writeFileSync(file('rows.jsonl'), labels.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const measure = ['eval', 'detector', '--rows', file('rows.jsonl'), '--detector', 'rules'];
  const told = await remand([...measure, '--records', file('result.jsonl'), '--json']);
  expect([told.code, told.err]).toEqual([0, '']);
  expect(Object.keys(JSON.parse(told.out).rules.by_bias)).toEqual(names);
  writeFileSync(file('result.json'), told.out);
  const table = await remand(measure);
  for (const name of names) expect(table.out).toMatch(new RegExp(`^rules +${name} +\\d`, 'm'));
  const page = await remand(['report', '--in', file('result.json'), '--out', file('page.html')]);
  expect([page.code, page.err]).toEqual([0, '']);
  for (const name of names) expect(readFileSync(file('page.html'), 'utf8')).toContain(`>${name}<`);
});

test.each(CATALOGUE.filter(({ inject }) => !inject))(
  '$name cannot be injected, and whoever asks is told so',
  async ({ name }) => {
    const { code, err } = await remand([
      'dataset',
      'build',
      '--bias',
      name,
      '--from',
      'x',
      '--out',
      file('none'),
    ]);
    expect(code).toBe(2);
    expect(err).toContain(`${name} cannot be put into data`);
    expect(err).toContain(names.join(', '));
  },
);
