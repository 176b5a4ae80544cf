/** Where examples come from: a folder that was distilled, or a file with the published dataset's columns. */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { describeError, InputError } from '../../errors.ts';
import { readCsv, readJsonl } from '../../records/node.ts';
import { readParquet } from '../../records/parquet.ts';
import { detectorExample } from '../detector-example.ts';
import { type DetectorRow, detectorRow } from '../detector-row.ts';
import { csvRow, NEEDED_COLUMNS, renderDetectorPrompt } from './published-csv.ts';
import { type ExampleSource, type ExampleSplit, SPLITS, type TrainingExample } from './training-example.ts';

/** Who gave the reasoning in the published dataset. */
const PUBLISHED_TEACHER = 'DeepSeek-R1';

/**
 * @param split what the rows of a published file are for; a folder says so itself
 * @throws InputError naming the option or the file
 */
export async function openExamples(path: string, split: ExampleSplit | null): Promise<ExampleSource> {
  const found = await stat(path).catch((cause: unknown) => {
    const why = describeError(cause);
    throw new InputError('--in', `${path} cannot be read: ${why}`);
  });
  if (!found.isDirectory()) return publishedSource(path, split ?? 'train');
  if (split !== null) throw new InputError('--split', 'is for a published file; a folder has its splits');
  const fileOf = (one: ExampleSplit) => join(path, `${one}.jsonl`);
  const splits = SPLITS.filter((one) => existsSync(fileOf(one)));
  if (splits.length === 0)
    throw new InputError('--in', `${path} has none of ${SPLITS.map((one) => `${one}.jsonl`).join(', ')}`);
  return { splits, read: (one) => distilled(fileOf(one), one) };
}

async function* distilled(path: string, split: ExampleSplit): AsyncGenerator<TrainingExample> {
  let row = 0;
  for await (const example of readJsonl(path, detectorExample)) {
    row++;
    const where = `${path}: row ${row} (${example.id})`;
    if (example.split !== split) throw new InputError(where, `split: is ${example.split}`);
    if (example.prompt.trim() === '') throw new InputError(where, 'prompt: must not be empty');
    yield example;
  }
}

type Rows = (path: string) => AsyncGenerator<DetectorRow>;

const READERS: Readonly<Record<string, Rows>> = {
  '.csv': (path) => readCsv(path, csvRow, { needs: NEEDED_COLUMNS }),
  '.jsonl': (path) => readJsonl(path, detectorRow),
  '.parquet': (path) => readParquet(path, detectorRow, { needs: NEEDED_COLUMNS }),
};

function publishedSource(path: string, split: ExampleSplit): ExampleSource {
  const rows = READERS[extname(path).toLowerCase()];
  if (!rows)
    throw new InputError('--in', `${path} is no folder and none of ${Object.keys(READERS).join(', ')}`);
  return {
    splits: [split],
    async *read() {
      let number = 0;
      for await (const row of rows(path)) yield published(row, split, `${path}: row ${++number}`);
    },
  };
}

function published(row: DetectorRow, split: ExampleSplit, where: string): TrainingExample {
  const { index: _, ...columns } = row;
  // A reasoning that came to another label, or to none, would teach the wrong one.
  const agrees = row.deepseek_prediction_bias_label === row.bias_label;
  const reasoning = agrees ? (row.without_bias_label_think_content ?? null) : null;
  return {
    ...columns,
    ...{ id: null, base: null, twin: null, right_in_d: null, right_in_d_bias: null },
    ...{ prompt: promptAt(row, where), reasoning, split },
    teacher: reasoning === null ? null : PUBLISHED_TEACHER,
  };
}

function promptAt(row: DetectorRow, where: string): string {
  try {
    return renderDetectorPrompt(row);
  } catch (cause) {
    throw cause instanceof InputError ? new InputError(where, cause.message) : cause;
  }
}
