/**
 * Training data in the layouts trainers read. Everything is written beside its place, read again by its consumer's
 * rules, and put in place when all of it is right: what fails leaves what was there before.
 */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { readRbdAnalysis } from '../detect/index.ts';
import { InputError, RemandError } from '../errors.ts';
import { UnreadableAnalysisError } from '../http/index.ts';
import { openWhole, PRIVATE_FOLDER } from '../records/node.ts';
import { type ParquetColumn, readParquet, writeParquet } from '../records/parquet.ts';
import { nonBlankText } from '../strict-fields.ts';
import {
  axolotl,
  type ConsumerRecord,
  chat,
  checkExamples,
  completion,
  createTokenReport,
  type Format,
  llamaFactory,
  mapAsync,
  openai,
  sharegpt,
  type TokenCount,
  type TokenReport,
} from './export/layouts.ts';
import { publishedCsv } from './export/open-examples.ts';
import {
  type ExampleSource,
  type ExampleSplit,
  type ExportSurvey,
  prepareExample,
  SPLITS,
  type TrainingExample,
} from './export/training-example.ts';
import { formatCompletion } from './label-pairs.ts';

// Parquet with every column an example has, and the card the Hugging Face hub shows and loads it by.

/** A column as Parquet has it, as it is read back, and what an example has in it. */
const column = <T>(
  schema: z.ZodType<T>,
  of: (example: TrainingExample) => T,
  type: ParquetColumn['type'] = 'STRING',
) => ({
  schema,
  of,
  type,
  nullable: schema.safeParse(null).success,
});
const words = z.string().nullable();
const truth = z.boolean().nullable();

const TABLE = {
  id: column(words, ({ id }) => id),
  base: column(words, ({ base }) => base),
  twin: column(truth, ({ twin }) => twin, 'BOOLEAN'),
  bias_category: column(nonBlankText, (example) => example.bias_category),
  llm_judge_model: column(z.string(), (example) => example.llm_judge_model),
  instruction: column(z.string(), ({ instruction }) => instruction),
  choices: column(nonBlankText, ({ choices }) => choices),
  llm_judgment: column(nonBlankText, (example) => example.llm_judgment),
  right_in_d: column(truth, (example) => example.right_in_d, 'BOOLEAN'),
  right_in_d_bias: column(truth, (example) => example.right_in_d_bias, 'BOOLEAN'),
  bias_label: column(z.enum(['Yes', 'No']), (example) => example.bias_label),
  // Whose word the label of a verdict from use is; null where it was worked out.
  label_by: column(words, ({ origin }) => origin?.label ?? null),
  teacher: column(words, ({ teacher }) => teacher),
  reasoning: column(words, ({ reasoning }) => reasoning),
  prompt: column(nonBlankText, ({ prompt }) => prompt),
  completion: column(nonBlankText, formatCompletion),
};

const COLUMNS: readonly ParquetColumn[] = Object.entries(TABLE).map(([name, { type, nullable }]) => ({
  name,
  type,
  nullable,
}));
const row = z
  .strictObject(Object.fromEntries(Object.entries(TABLE).map(([name, { schema }]) => [name, schema])))
  .and(z.object({ prompt: z.string(), completion: z.string() }));

const record = (example: TrainingExample): Record<string, unknown> =>
  Object.fromEntries(Object.entries(TABLE).map(([name, { of }]) => [name, of(example)]));

const parquet: Format = {
  file: (split) => `data/${split}.parquet`,
  record,
  write: (path, examples) => writeParquet(path, COLUMNS, mapAsync(examples, record)),
  async *read(path) {
    const needs = COLUMNS.map(({ name }) => name);
    for await (const one of readParquet(path, row, { needs }))
      yield { record: one, prompt: one.prompt, completion: one.completion };
  },
  beside: (survey) => ({ 'README.md': formatCard(survey, COLUMNS) }),
};

/** The dataset card: what the hub needs to load the files, and how the examples came about. */
function formatCard(survey: ExportSurvey, columns: readonly ParquetColumn[]): string {
  const { splits, groups } = survey;
  const features = columns.map(
    ({ name, type }) => `  - name: ${name}\n    dtype: ${type === 'BOOLEAN' ? 'bool' : 'string'}`,
  );
  const files = splits.map(({ split }) => `  - split: ${split}\n    path: data/${split}.parquet`);
  const counts = splits.map(
    ({ split, examples, labels }) => `| ${split} | ${examples} | ${labels.Yes} | ${labels.No} |`,
  );
  const made = groups.map(
    ({ bias, judge, teacher, examples, biased }) =>
      `| ${cell(bias)} | ${cell(judge)} | ${teacher === null ? 'none: the label alone' : cell(teacher)} | ${examples} | ${biased} |`,
  );
  return `---
# license: yours to choose; the instructions and answers keep the terms of where they come from
task_categories:
- text-generation
- text-classification
tags:
- llm-as-a-judge
- bias-detection
configs:
- config_name: default
  data_files:
${files.join('\n')}
dataset_info:
  features:
${features.join('\n')}
---

# Examples for a detector of biased verdicts

Each row is a decision of an LLM judge, with the prompt a detector is asked with and the answer it should give:
reasoning between \`<think>\` and \`</think>\`, then \`Yes\` where the decision was biased and \`No\` where it was not.

| split | examples | Yes | No |
|---|---|---|---|
${counts.join('\n')}

## How it was made

Where \`label_by\` is empty, a judge decided the case without a bias and once more with the bias put in, and the label is \`Yes\`
if and only if it was right without the bias and wrong with it (arXiv 2505.17100, section 3.2). Elsewhere the verdict is one
from use: \`people\` said whether it was biased, or \`evidence\` did, that of asking the judge again. The reasoning is a teacher model's, kept only
where it came to that label. Written by \`remand export\`.

| bias | judge | teacher | examples | Yes |
|---|---|---|---|---|
${made.join('\n')}

Examples with the label alone: ${survey.without_reasoning}. A lone surrogate, which UTF-8 cannot hold, was replaced by
U+FFFD in ${survey.repairs.lone_surrogates} examples; brackets of tokens that would have ended the reasoning early became ‹ › in
${survey.repairs.tokens_in_reasoning}.

## To bear in mind

Some chat templates cut what stands before \`</think>\` out of the assistant's turns. Look at a rendered example before
training on \`messages\`; training on \`prompt\` and \`completion\` as they are avoids it.
`;
}

/** A name from outside as a table's cell. */
function cell(name: string): string {
  return name.replace(/[\s\p{Cc}]+/gu, ' ').replace(/[\\|`<>[\]*_]/g, '\\$&');
}

export const EXPORT_FORMATS = {
  chat,
  completion,
  sharegpt,
  'llama-factory': llamaFactory,
  axolotl,
  openai,
  parquet,
  'published-csv': publishedCsv,
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof EXPORT_FORMATS;

interface ExportSettings {
  readonly formats: readonly FormatName[];
  readonly labelOnly: boolean;
  /** Counts what OpenAI limits. */
  readonly tokens: TokenCount;
  readonly signal: AbortSignal;
  /** Called for each example written. */
  readonly onWritten: () => void;
  /** Called when all is written and read back, before the first file appears. */
  readonly onChecked?: () => Promise<void>;
}

export interface ExportResult {
  readonly survey: ExportSurvey;
  /** Paths under the folder, by format. */
  readonly files: Readonly<Partial<Record<FormatName, readonly string[]>>>;
  /** By split; null where the format was not asked for. */
  readonly openai_tokens: Readonly<Partial<Record<ExampleSplit, TokenReport>>> | null;
}

/**
 * Each format in a folder of its own name, a file for each split that has examples.
 *
 * @param survey of the same source and settings
 * @throws InputError where the source is wrong, ReadBackError where what was written is not what it should be;
 *   nothing is left then
 */
export async function exportExamples(
  source: ExampleSource,
  survey: ExportSurvey,
  folder: string,
  settings: ExportSettings,
): Promise<ExportResult> {
  const fresh = !existsSync(folder);
  const stage = join(folder, '.export.partial');
  await rm(stage, { recursive: true, force: true });
  await mkdir(stage, { recursive: true, mode: PRIVATE_FOLDER });
  try {
    const files: Partial<Record<FormatName, readonly string[]>> = {};
    const openaiTokens: Partial<Record<ExampleSplit, TokenReport>> = {};
    for (const name of settings.formats) {
      if (name === 'openai')
        for (const { split } of survey.splits) openaiTokens[split] = await tokensOf(source, split, settings);
      files[name] = await writeFormat(name, source, survey, stage, settings);
    }
    await settings.onChecked?.();
    for (const name of settings.formats) await putInPlace(name, files[name] ?? [], stage, folder);
    return { survey, files, openai_tokens: settings.formats.includes('openai') ? openaiTokens : null };
  } finally {
    await rm(stage, { recursive: true, force: true });
    if (fresh) await rmdirIfEmpty(folder);
  }
}

/** @returns paths under the stage */
async function writeFormat(
  name: FormatName,
  source: ExampleSource,
  survey: ExportSurvey,
  stage: string,
  settings: ExportSettings,
): Promise<string[]> {
  const format: Format = EXPORT_FORMATS[name];
  const written: string[] = [];
  for (const { split, examples } of survey.splits) {
    if (name === 'openai') checkExamples(split, examples);
    const file = join(name, format.file(split));
    const path = join(stage, file);
    const count = await format.write(path, examplesOf(source, split, settings, settings.onWritten));
    if (count !== examples)
      throw new RemandError(`${file}: ${count} examples, and ${examples} a moment ago: the source changed`);
    await readBack(format, path, file, examplesOf(source, split, settings));
    written.push(file);
  }
  for (const [beside, text] of Object.entries(format.beside?.(survey) ?? {})) {
    const file = await openWhole(join(stage, name, beside));
    await file.write(text);
    await file.commit();
    written.push(join(name, beside));
  }
  return written;
}

async function* examplesOf(
  source: ExampleSource,
  split: ExampleSplit,
  { labelOnly, signal }: ExportSettings,
  onEach?: () => void,
): AsyncGenerator<TrainingExample> {
  const uncounted = { lone_surrogates: 0, tokens_in_reasoning: 0 };
  for await (const example of source.read(split)) {
    signal.throwIfAborted();
    yield prepareExample(example, labelOnly, uncounted);
    onEach?.();
  }
}

async function tokensOf(
  source: ExampleSource,
  split: ExampleSplit,
  settings: ExportSettings,
): Promise<TokenReport> {
  const tally = createTokenReport(settings.tokens);
  for await (const example of examplesOf(source, split, settings))
    tally.add(example.prompt, formatCompletion(example));
  return tally.report();
}

/** The new files, and no split of an earlier export that this one does not have. */
async function putInPlace(
  name: FormatName,
  files: readonly string[],
  stage: string,
  folder: string,
): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true, mode: PRIVATE_FOLDER });
    await rename(join(stage, file), join(folder, file));
  }
  const stale = SPLITS.map((split) => join(name, EXPORT_FORMATS[name].file(split))).filter(
    (file) => !files.includes(file),
  );
  for (const file of stale) await rm(join(folder, file), { force: true });
}

async function rmdirIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOTEMPTY')) throw cause;
  }
}

/** A written file is not what its consumer needs; says which, and in which row (from 1). */
class ReadBackError extends RemandError {
  override name = 'ReadBackError';
}

/**
 * @param name of the file, for errors: it is still under another
 * @throws ReadBackError naming file and row
 */
export async function readBack(
  format: Pick<Format, 'read' | 'record'>,
  path: string,
  name: string,
  examples: AsyncIterable<TrainingExample>,
): Promise<void> {
  const expected = examples[Symbol.asyncIterator]();
  let row = 0;
  try {
    for await (const told of format.read(path)) {
      row++;
      const next = await expected.next();
      if (next.done) throw new ReadBackError(`${name}: row ${row}: there should be no more rows`);
      const wrong = faultOf(told, format.record(next.value), next.value);
      if (wrong !== null) throw new ReadBackError(`${name}: row ${row}: ${wrong}`);
    }
    if (!(await expected.next()).done)
      throw new ReadBackError(`${name}: row ${row + 1}: is missing, the file ends before it`);
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    throw new ReadBackError(`${name}: row ${row + 1}: ${cause.message.replaceAll(path, name)}`, { cause });
  } finally {
    await expected.return?.();
  }
}

function faultOf(told: ConsumerRecord, written: object, example: TrainingExample): string | null {
  if (told.prompt.trim() === '') return 'the prompt is empty';
  const analysis = analysisOf(told.completion);
  if (typeof analysis === 'string') return analysis;
  const label = analysis.biased ? 'Yes' : 'No';
  if (label !== example.bias_label)
    return `the completion says ${label}, and the label is ${example.bias_label}`;
  // Without reasoning the reader gives the label itself in its place.
  if (analysis.reasoning !== (example.reasoning ?? label)) return 'the completion gives another reasoning';
  const names = Object.entries(written).filter(
    ([name, value]) => !isDeepStrictEqual(value, told.record[name as keyof object]),
  );
  if (names.length > 0) return `${names.map(([name]) => name).join(', ')}: is not what was written`;
  return isDeepStrictEqual(told.record, written) ? null : 'has more than was written';
}

/** What the detector's reader makes of a completion, or why it can make nothing of it. */
function analysisOf(completion: string): ReturnType<typeof readRbdAnalysis> | string {
  try {
    return readRbdAnalysis({ reasoning: null, content: completion, finish: null });
  } catch (cause) {
    if (cause instanceof UnreadableAnalysisError) return `completion: ${cause.message}`;
    throw cause;
  }
}
