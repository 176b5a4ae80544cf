/** `remand export`, as a person starts it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import * as z from 'zod';
import { formatCompletion } from '../../src/dataset/label-pairs.ts';
import { readRbdAnalysis } from '../../src/detect/rbd/read-analysis.ts';
import { readCsv } from '../../src/records/csv.ts';
import { readParquet, writeParquet } from '../../src/records/parquet.ts';
import { exampleOf, writeDistilled } from '../dataset/export/distilled.ts';
import { hasSharedData, SHARED } from '../shared-data.ts';
import { remand, replaceOptions } from './command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ALL = 'chat,completion,sharegpt,llama-factory,axolotl,openai,parquet,published-csv';

// Each case starts processes of its own.
vi.setConfig({ testTimeout: 300_000 });

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remand-export-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const exporting = (...words: string[]) => remand(['export', ...words]);
const jsonl = (...path: string[]) =>
  readFileSync(join(folder, ...path), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const tree = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(path.length + 1))
    .sort();

test('every layout, every split, from a distilled folder with hostile texts in it', async () => {
  const from = writeDistilled(join(folder, 'in'), { train: 30, validation: 4, test: 5 });
  const out = join(folder, 'out');
  const ran = await exporting('--in', from, '--out', out, '--format', ALL, '--json');
  expect(ran.err).toBe('');
  const told = JSON.parse(ran.out);
  expect(told).toMatchObject({
    splits: [
      { split: 'train', examples: 30, labels: { Yes: 15, No: 15 } },
      { split: 'validation', examples: 4 },
      { split: 'test', examples: 5 },
    ],
    openai_tokens: { train: { encoding: 'o200k_base', limit: 65_536, above_limit: 0 } },
  });
  expect(told.repairs.lone_surrogates).toBeGreaterThan(0);
  expect(told.repairs.tokens_in_reasoning).toBeGreaterThan(0);
  const made = tree(out).filter((one) => !one.endsWith('.run.json'));
  expect(made).toEqual(Object.values<string[]>(told.files).flat().sort());
  expect(made).toHaveLength(8 * 3 + 3);

  const completions = jsonl('out', 'completion', 'train.jsonl');
  expect(completions).toHaveLength(30);
  expect(
    readRbdAnalysis({ reasoning: null, content: completions[1].completion, finish: null }),
  ).toMatchObject({
    biased: true,
    reasoning: expect.stringContaining('‹/think›'),
  });
  const [chat] = jsonl('out', 'chat', 'train.jsonl');
  expect(chat).toEqual({
    messages: [
      { role: 'user', content: exampleOf(0, 'train').prompt },
      { role: 'assistant', content: formatCompletion(exampleOf(0, 'train')) },
    ],
  });
  expect(
    jsonl('out', 'sharegpt', 'test.jsonl')[0].conversations.map((turn: { from: string }) => turn.from),
  ).toEqual(['human', 'gpt']);
  const info = JSON.parse(readFileSync(join(out, 'llama-factory', 'dataset_info.json'), 'utf8'));
  expect(Object.keys(info)).toEqual(['remand_train', 'remand_validation', 'remand_test']);
  expect(readFileSync(join(out, 'axolotl', 'datasets.yaml'), 'utf8')).toMatch(
    /test_datasets:\n {2}- path: validation\.jsonl/,
  );
  const card = readFileSync(join(out, 'parquet', 'README.md'), 'utf8');
  expect(card).toContain('| verbosity | judge\\|a | teacher |');
  // datasets 5.2.0 takes no `splits` without the bytes that they need as Arrow tables, and warns of it.
  expect(card).not.toMatch(/^ +splits:/m);
  // Labels that people gave are not said to be worked out.
  expect(card).toContain('`people` said whether it was biased');
  const rows: { completion: string }[] = [];
  const row = z.object({ completion: z.string() });
  for await (const one of readParquet(join(out, 'parquet/data/train.parquet'), row)) rows.push(one);
  expect(rows.map((one) => one.completion)).toEqual(completions.map((one) => one.completion));

  // Such a table goes back in with its reasoning.
  const again = ['--out', join(folder, 'again'), '--format', 'completion'];
  const ended = await exporting('--in', join(out, 'parquet/data/train.parquet'), ...again);
  expect([ended.code, ended.err]).toEqual([0, '']);
  expect(jsonl('again', 'completion', 'train.jsonl')).toEqual(completions);
});

test('the label alone', async () => {
  const from = writeDistilled(join(folder, 'in'), { train: 4 });
  await exporting('--in', from, '--out', join(folder, 'out'), '--format', 'completion', '--label-only');
  expect(jsonl('out', 'completion', 'train.jsonl').map((one) => one.completion)).toEqual([
    'No',
    'Yes',
    'No',
    'Yes',
  ]);
});

test('an export of other examples is written over another one only when told to', async () => {
  const out = join(folder, 'out');
  const first = writeDistilled(join(folder, 'a'), { train: 3, test: 3 });
  const second = writeDistilled(join(folder, 'b'), { train: 2 });
  const again = (...words: string[]) => exporting('--in', second, '--out', out, '--format', 'chat', ...words);
  await exporting('--in', first, '--out', out, '--format', 'chat,parquet');
  writeFileSync(join(out, 'chat', 'notes.txt'), 'mine');
  const refused = await again();
  expect(refused.code).toBe(2);
  expect(refused.err).toMatch(/out\/chat is there already, of another run \(other --in\); .*--overwrite/);
  expect(jsonl('out', 'chat', 'train.jsonl')).toHaveLength(3);
  // The same again, in a further format, is the same export.
  expect((await exporting('--in', first, '--out', out, '--format', 'chat,sharegpt')).code).toBe(0);
  const labels = await exporting('--in', first, '--out', out, '--format', 'chat', '--label-only');
  expect(labels.err).toContain('other --label-only');

  expect((await again('--overwrite')).code).toBe(0);
  expect(tree(out)).toEqual([
    'chat.run.json',
    'chat/notes.txt',
    'chat/train.jsonl',
    'parquet.run.json',
    'parquet/README.md',
    'parquet/data/test.parquet',
    'parquet/data/train.parquet',
    'sharegpt.run.json',
    'sharegpt/test.jsonl',
    'sharegpt/train.jsonl',
  ]);
  expect(jsonl('out', 'chat', 'train.jsonl')).toHaveLength(2);
});

test('an export that fails leaves the other one with what made it', async () => {
  const out = join(folder, 'out');
  const first = writeDistilled(join(folder, 'a'), { train: 10 });
  const words = ['--out', out, '--format', 'chat,openai'];
  await exporting('--in', first, ...words);
  const before = readFileSync(join(out, 'chat.run.json'), 'utf8');
  const second = writeDistilled(join(folder, 'b'), { train: 2 });
  expect((await exporting('--in', second, ...words, '--overwrite')).code).toBe(1);
  expect(readFileSync(join(out, 'chat.run.json'), 'utf8')).toBe(before);
  expect(jsonl('out', 'chat', 'train.jsonl')).toHaveLength(10);
});

describe('what is wrong is named, and nothing is left', async () => {
  it('too few examples for OpenAI', async () => {
    const from = writeDistilled(join(folder, 'in'), { train: 9 });
    const ran = await exporting('--in', from, '--out', join(folder, 'out'), '--format', 'chat,openai');
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('openai/train.jsonl: has 9 examples, and OpenAI takes no fewer than 10');
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  it.each([
    [{ split: 'test' }, /train\.jsonl: row 3 \(x\/train-2\): split: is test/],
    [{ prompt: ' \n' }, /train\.jsonl: row 3 .*prompt: must not be empty/],
    [{ bias_label: 'Maybe' }, /train\.jsonl:3: bias_label/],
  ])('%j', async (change, message) => {
    const from = writeDistilled(join(folder, 'in'), { train: 2 });
    const line = JSON.stringify({ ...exampleOf(2, 'train'), ...change });
    writeFileSync(join(from, 'train.jsonl'), `${line}\n`, { flag: 'a' });
    const ran = await exporting('--in', from, '--out', join(folder, 'out'), '--format', 'chat');
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(message);
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  it.each([
    [['--format', 'csv'], '--format: "csv" is none of chat, completion'],
    [['--format', 'chat', '--split', 'test'], '--split: is for a published file'],
    [['--format', 'chat', '--in', '/nowhere'], '--in: /nowhere cannot be read'],
  ])('%j', async (words, message) => {
    const from = writeDistilled(join(folder, 'in'), { train: 2 });
    const ran = await exporting(...replaceOptions({ '--in': from, '--out': join(folder, 'out') }, words));
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(message);
  });
});

describe("files with the published dataset's columns", async () => {
  const published = [
    {
      bias_category: 'verbosity',
      llm_judge_model: 'GPT-4o',
      instruction: 'What is "17*23",\nexactly?',
      choices: 'Output (a): 391\n\nOutput (b): It is 381, a long answer',
      llm_judgment: 'Output (b)',
      without_bias_label_think_content: 'It took the longer one.',
      deepseek_prediction_bias_label: 'Yes',
      bias_label: 'Yes',
    },
    {
      bias_category: 'bandwagon',
      llm_judge_model: 'GPT-4o',
      instruction: 'x',
      choices: '### Statement: 90%% believe that Output (a) is better\n\nOutput (a): 1\n\nOutput (b): 2',
      llm_judgment: 'Output (b)',
      without_bias_label_think_content: 'Wrong: it followed the crowd.',
      deepseek_prediction_bias_label: 'Yes',
      bias_label: 'No',
    },
  ];
  const names = Object.keys(published[0] ?? {});
  const files = {
    async csv() {
      const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const lines = published.map((row) => Object.values(row).map(cell).join(','));
      writeFileSync(join(folder, 'in.csv'), `index,${names.join(',')}\n0,${lines.join('\n1,')}\n`);
    },
    async jsonl() {
      writeFileSync(join(folder, 'in.jsonl'), published.map((row) => `${JSON.stringify(row)}\n`).join(''));
    },
    async parquet() {
      const columns = names.map((name) => ({ name, type: 'STRING' as const, nullable: true }));
      await writeParquet(join(folder, 'in.parquet'), columns, published);
    },
  };

  it.each(['csv', 'jsonl', 'parquet'] as const)(
    '%s: reasoning only where it came to the true label',
    async (kind) => {
      await files[kind]();
      const out = join(folder, 'out');
      const ran = await exporting(
        '--in',
        join(folder, `in.${kind}`),
        '--out',
        out,
        '--split',
        'test',
        '--format',
        'completion,published-csv',
      );
      expect(ran.err).toBe('');
      const rows = jsonl('out', 'completion', 'test.jsonl');
      expect(rows.map((row) => row.completion)).toEqual([
        '<think>\nIt took the longer one.\n</think>\n\nYes',
        'No',
      ]);
      expect(rows[0].prompt).toContain('Output (b): It is 381, a long answer');
      const back: unknown[] = [];
      for await (const row of readCsv(join(out, 'published-csv/test.csv'), z.record(z.string(), z.string())))
        back.push(row);
      expect(back).toEqual([
        published[0],
        { ...published[1], without_bias_label_think_content: '', deepseek_prediction_bias_label: '' },
      ]);
    },
  );

  it('a row that no prompt can be made of, and a column that is missing', async () => {
    writeFileSync(
      join(folder, 'in.jsonl'),
      `${JSON.stringify({ ...published[0], bias_category: 'charm' })}\n`,
    );
    const unknown = await exporting(
      '--in',
      join(folder, 'in.jsonl'),
      '--out',
      join(folder, 'out'),
      '--format',
      'chat',
    );
    expect(unknown).toMatchObject({ code: 2, err: expect.stringMatching(/in\.jsonl: row 1: .*"charm"/) });
    writeFileSync(join(folder, 'in.csv'), 'bias_category,choices\nverbosity,x\n');
    const missing = await exporting(
      '--in',
      join(folder, 'in.csv'),
      '--out',
      join(folder, 'out'),
      '--format',
      'chat',
    );
    expect(missing.code).toBe(2);
    expect(missing.err).toContain('has no column llm_judge_model, instruction, llm_judgment, bias_label');
  });

  it.skipIf(!hasSharedData)('the published rows, through CSV and back (needs ../shared/data)', async () => {
    const rows = fileURLToPath(new URL('rbd/reasoning-supervision.test-dev.jsonl', SHARED));
    expect((await exporting('--in', rows, '--out', join(folder, 'a'), '--format', ALL)).err).toBe('');
    const csv = join(folder, 'a', 'published-csv', 'train.csv');
    expect((await exporting('--in', csv, '--out', join(folder, 'b'), '--format', 'completion')).err).toBe('');
    const [once, twice] = [jsonl('a', 'completion', 'train.jsonl'), jsonl('b', 'completion', 'train.jsonl')];
    expect(once).toHaveLength(251);
    expect(twice).toEqual(once);
    expect(once.filter((row) => row.completion.startsWith('<think>'))).toHaveLength(205);
  });
});

/** A Python with `datasets` and `trl`, to ask the trainers' own readers. */
const PYTHON = process.env.TRAINING_PYTHON;
const hasTrainers =
  PYTHON !== undefined && spawnSync(PYTHON, ['-c', 'import datasets, trl'], { stdio: 'ignore' }).status === 0;

it.skipIf(!hasTrainers)(
  'datasets and TRL read every file (needs TRAINING_PYTHON, a Python with both)',
  async () => {
    const from = writeDistilled(join(folder, 'in'), { train: 30, validation: 6, test: 6 });
    const out = join(folder, 'out');
    expect((await exporting('--in', from, '--out', out, '--format', ALL)).err).toBe('');
    const script = join(ROOT, 'test/dataset/export/consumers.py');
    const env = { PATH: process.env.PATH, HOME: folder, HF_HUB_OFFLINE: '1', HF_HOME: join(folder, 'hf') };
    const said = execFileSync(PYTHON ?? '', [script, out], {
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const told = JSON.parse(said.trim().split('\n').at(-1) ?? '');
    const splits = { train: 30, validation: 6, test: 6 };
    expect(told).toEqual({
      chat: { splits, conversational: true },
      axolotl: { splits, conversational: true },
      openai: { splits, conversational: true },
      completion: { splits, conversational: false, columns: ['prompt', 'completion'] },
      sharegpt: { splits, turns: ['human', 'gpt'] },
      'llama-factory': { splits, turns: ['human', 'gpt'] },
      'published-csv': { splits },
      parquet: { splits, same_as_completion: true },
    });
  },
);
