/** Where a result comes from stands in every result that a command writes or prints. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { describeOrigin, formatResult, keepDate } from '../../src/cli/result-origin.ts';
import { recogniseResult } from '../../src/report/results.ts';
import { VERSION } from '../../src/version.ts';
import { remand } from './command.ts';
import { buildRows } from './dataset-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-origin-'));
const file = (name: string) => join(folder, name);
const lines = (name: string, all: readonly object[]) => {
  writeFileSync(file(name), all.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return file(name);
};
afterAll(() => rmSync(folder, { recursive: true }));

const clock = { now: () => Date.UTC(2026, 10, 25, 16, 22, 8) };

test('date, version, command, models, parameters and prices, without a secret', async () => {
  const prices = file('prices.json');
  writeFileSync(prices, '{"gpt-4o": {"input": 2.5, "output": 10}}');
  const judge = 'gpt=gpt-4o@https://user:hidden@judge.example/v1?key=hidden;sandbox:length=1';
  const args = { judge, out: 'my results', parameters: '{"temperature":0}', prices, tone: undefined };
  const rawArgs = ['--judge', judge, '--out', "Ann's results", '--prices', prices];
  expect(await describeOrigin('audit cues', { rawArgs, args }, clock)).toEqual({
    date: '2026-11-25T16:22:08.000Z',
    remand: VERSION,
    command: `remand audit cues --judge 'gpt=gpt-4o@https://judge.example/v1;sandbox:length=1' --out 'Ann'\\''s results' --prices ${prices}`,
    models: ['gpt=gpt-4o@https://judge.example/v1', 'sandbox:length=1'],
    parameters: { temperature: 0 },
    prices: { 'gpt-4o': { input: 2.5, output: 10 } },
  });
});

test('each of several models is named, and no key that has a comma', async () => {
  const detector =
    'rules,zero-shot=one@https://me:a,b@x.example/v1?key=c,https://y.example,four-shot=org/two@https://z.example,probe';
  const { models, command } = await describeOrigin(
    'eval detector',
    { rawArgs: ['--detector', detector], args: { detector, judge: 'sandbox:length=1,place=2' } },
    clock,
  );
  expect(models).toEqual([
    'zero-shot=one@https://x.example/v1,https://y.example',
    'four-shot=org/two@https://z.example',
    'sandbox:length=1,place=2',
  ]);
  expect(command).toBe(
    'remand eval detector --detector rules,zero-shot=one@https://x.example/v1,https://y.example,four-shot=org/two@https://z.example,probe',
  );
});

test('prices are those of REMAND_PRICES where a model is asked and no file is named', async () => {
  vi.stubEnv('REMAND_PRICES', '{"gpt-4o": {"input": 1, "output": 2}}');
  onTestFinished(() => void vi.unstubAllEnvs());
  const of = async (args: Record<string, string>) =>
    (await describeOrigin('card', { rawArgs: [], args }, clock)).prices;
  expect(await of({ judge: 'gpt-4o@https://judge.example' })).toEqual({ 'gpt-4o': { input: 1, output: 2 } });
  expect(await of({ judgments: 'verdicts.jsonl' })).toBeNull();
});

test('a run that is started again keeps the date of the result that it came to before, and no other', async () => {
  const path = file('result.json');
  const call = { rawArgs: ['--out', 'x'], args: { out: 'x' } };
  const first = await describeOrigin('card', call, clock);
  const later = await describeOrigin('card', call, { now: () => clock.now() + 60_000 });
  expect(keepDate(path, { n: 1 }, later)).toEqual(later);
  writeFileSync(path, formatResult({ n: 1 }, first));
  expect(keepDate(path, { n: 1 }, later)).toEqual(first);
  expect(keepDate(path, { n: 2 }, later)).toEqual(later);
  expect(keepDate(path, { n: 1 }, { ...later, command: 'remand card --out y' }).date).toBe(later.date);
  writeFileSync(path, 'no JSON');
  expect(keepDate(path, { n: 1 }, later)).toEqual(later);
});

describe('commands', { timeout: 300_000 }, () => {
  beforeAll(() => buildRows(folder, 12), 300_000);

  const judgments = (score: number) =>
    Array.from({ length: 30 }, (_, n) => ({
      item: `q${n}`,
      judge: 'm',
      score: score + (n % 4),
      label: n % 4,
    }));
  const pass = Array.from({ length: 40 }, (_, n) => ({
    item: `q${n}`,
    judge: 'm',
    pass: n % 3 > 0,
    label: n % 2 > 0,
  }));
  const cues = [
    '--cues',
    'new/old',
    '--judge',
    'sandbox',
    '--from',
    'training-data/sample/instructions.jsonl',
  ];
  const base = ['--from', 'training-data/sample/arithmetic.jsonl', '--judge', 'sandbox', '--limit', '4'];

  test.each([
    ['arms', ['eval', 'judge', '--in', folder, '--judge', 'sandbox', '--arms', 'none'], file('arms.json')],
    [
      'drift',
      ['drift', '--before', lines('may.jsonl', judgments(1)), '--after', lines('june.jsonl', judgments(2))],
      null,
    ],
    ['estimates', ['estimate', '--records', lines('pass.jsonl', pass)], null],
    [
      'look',
      ['look', lines('log.jsonl', [{ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] }])],
      null,
    ],
    ['cues', ['audit', 'cues', ...cues, '--limit', '4', '--out', file('cues')], file('cues/result.json')],
    [
      'bias-effects',
      ['audit', 'biases', ...base, '--biases', 'bandwagon', '--out', file('biases')],
      file('biases/result.json'),
    ],
    [
      'card',
      [
        'card',
        ...base.map((word) => (word === '--from' ? '--cases' : word)),
        '--biases',
        'none',
        '--out',
        file('card'),
      ],
      file('card/result.json'),
    ],
  ])('%s', async (kind, words, path) => {
    const { out, err, code } = await remand([...words, '--json']);
    expect({ err: code === 0 ? '' : err, code }).toEqual({ err: '', code: 0 });
    const told = recogniseResult(JSON.parse(out));
    expect(told).toMatchObject({ kind, origin: { remand: VERSION } });
    expect(told?.origin?.command).toMatch(/^remand (?:eval|drift|estimate|look|audit|card)\b.* --json$/);
    expect(told?.origin?.date).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const asks = words.includes('--judge');
    expect(told?.origin?.models).toEqual(asks ? ['sandbox'] : []);
    expect(told?.origin?.parameters).toEqual(asks ? { temperature: 0 } : {});
    if (path !== null)
      expect(recogniseResult(JSON.parse(readFileSync(path, 'utf8')))?.origin).toEqual(told?.origin);
  });

  test('results by name are names and results alone, and each has its origin', async () => {
    const row = {
      ...{ bias_category: 'verbosity', llm_judge_model: 'judge-1', instruction: 'How many?' },
      ...{
        choices: 'Output (a): Let me see. 9\n\nOutput (b): 9',
        llm_judgment: 'Output (a)',
        bias_label: 'Yes',
      },
    };
    const { out } = await remand([
      'eval',
      'detector',
      '--detector',
      'rules',
      '--rows',
      lines('rows.jsonl', [row]),
      '--json',
    ]);
    expect(Object.keys(JSON.parse(out))).toEqual(['rules']);
    expect(recogniseResult(JSON.parse(out))).toMatchObject({
      kind: 'detectors',
      origin: { command: expect.stringContaining('remand eval detector --detector rules') },
    });
  });
});
