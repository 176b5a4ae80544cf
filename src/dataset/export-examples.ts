/**
 * Training data in the layouts trainers read. Everything is written beside its place, read again by its consumer's
 * rules, and put in place when all of it is right: what fails leaves what was there before.
 */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RemandError } from '../errors.ts';
import { openWhole, PRIVATE_FOLDER } from '../records/node.ts';
import { formatCompletion } from './detector-example.ts';
import type { Format } from './export/format.ts';
import { axolotl, chat, completion, llamaFactory, sharegpt } from './export/json-layouts.ts';
import {
  checkExamples,
  createTokenReport,
  openai,
  type TokenCount,
  type TokenReport,
} from './export/openai-format.ts';
import { parquet } from './export/parquet-format.ts';
import { publishedCsv } from './export/published-csv.ts';
import { readBack } from './export/read-back.ts';
import { type ExportSurvey, surveyExamples } from './export/survey-examples.ts';
import {
  type ExampleSource,
  type ExampleSplit,
  prepareExample,
  SPLITS,
  type TrainingExample,
} from './export/training-example.ts';

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
    for (const name of settings.formats) await putInPlace(name, files[name] ?? [], stage, folder);
    return { survey, files, openai_tokens: settings.formats.includes('openai') ? openaiTokens : null };
  } finally {
    await rm(stage, { recursive: true, force: true });
    if (fresh) await rmdirIfEmpty(folder);
  }
}

export { surveyExamples };

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
