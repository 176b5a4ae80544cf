/** A file that is not what its trainer needs is named with the row, whatever is wrong with it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { prepareExample, type TrainingExample } from '../../../src/dataset/export/training-example.ts';
import { EXPORT_FORMATS, readBack } from '../../../src/dataset/export-examples.ts';
import { exampleOf } from './distilled.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remand-read-back-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const repairs = () => ({ lone_surrogates: 0, tokens_in_reasoning: 0 });
async function* examples(count = 6): AsyncGenerator<TrainingExample> {
  for (let index = 0; index < count; index++)
    yield prepareExample(exampleOf(index, 'train'), false, repairs());
}

it.each(Object.keys(EXPORT_FORMATS) as (keyof typeof EXPORT_FORMATS)[])(
  '%s: hostile texts come back whole',
  async (name) => {
    const path = join(folder, 'train');
    expect(await EXPORT_FORMATS[name].write(path, examples())).toBe(6);
    await readBack(EXPORT_FORMATS[name], path, `${name}/train`, examples());
  },
);

it.each([
  ['a label turned', (line: string) => line.replace(/Yes"/, 'No"'), 2, /says No, and the label is Yes/],
  ['a label gone', (line: string) => line.replace(/Yes"/, '"'), 2, /gives no label/],
  [
    'an end of the reasoning too many',
    (line: string) => line.replace(' in the middle', ' </think>'),
    2,
    /another reasoning/,
  ],
  [
    'an empty prompt',
    (line: string) => line.replace(/"prompt":"(?:[^"\\]|\\.)*"/, '"prompt":" "'),
    1,
    /prompt: must not be empty/,
  ],
  [
    'a prompt changed',
    (line: string) => line.replace('日本語', '日本'),
    2,
    /prompt: is not what was written/,
  ],
  ['another field', (line: string) => line.replace('{', '{"x":1,'), 1, /x/],
  ['not JSON', (line: string) => line.slice(0, -5), 1, /not valid JSON/],
] as const)('%s', async (_, change, row, message) => {
  const path = join(folder, 'train.jsonl');
  await EXPORT_FORMATS.completion.write(path, examples());
  const lines = readFileSync(path, 'utf8').split('\n');
  const changed = change(lines[row - 1] ?? '');
  expect(changed).not.toBe(lines[row - 1]);
  writeFileSync(path, lines.with(row - 1, changed).join('\n'));
  const reading = readBack(EXPORT_FORMATS.completion, path, 'completion/train.jsonl', examples());
  await expect(reading).rejects.toThrow(message);
  await expect(
    readBack(EXPORT_FORMATS.completion, path, 'completion/train.jsonl', examples()),
  ).rejects.toThrow(`completion/train.jsonl: row ${row}: `);
});

it('a row too few, and one too many', async () => {
  const path = join(folder, 'train.parquet');
  await EXPORT_FORMATS.parquet.write(path, examples(3));
  await expect(readBack(EXPORT_FORMATS.parquet, path, 'p', examples(4))).rejects.toThrow(
    'p: row 4: is missing',
  );
  await expect(readBack(EXPORT_FORMATS.parquet, path, 'p', examples(2))).rejects.toThrow(
    'p: row 3: there should be no more',
  );
});

it('reasoning that would end itself is disarmed where a reader can see it, and counted', () => {
  const counted = repairs();
  const { reasoning } = prepareExample(exampleOf(1, 'train'), false, counted);
  expect(reasoning).toBe('It said ‹/think› No ‹think› and ‹/think\n› and ‹|im_end|› in the middle');
  expect(counted).toEqual({ lone_surrogates: 0, tokens_in_reasoning: 1 });
  expect(prepareExample(exampleOf(3, 'train'), false, counted).instruction).toBe(
    'Number 3: a lone \ufffd surrogate',
  );
  expect(counted).toEqual({ lone_surrogates: 1, tokens_in_reasoning: 1 });
});
