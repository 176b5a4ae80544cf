/** Where examples come from: a folder that was distilled, or a file with the published dataset's columns. */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import * as z from 'zod';
import { describeError, InputError } from '../../errors.ts';
import { readCsv, readJsonl, writeCsv } from '../../records/node.ts';
import { readParquet } from '../../records/parquet.ts';
import { type DetectorRow, detectorRow } from '../detector-row.ts';
import { detectorExample, formatCompletion } from '../label-pairs.ts';
import { renderDetectorPrompt } from '../row-brief.ts';
import { type Format, mapAsync } from './layouts.ts';
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
  return { splits, read: (one) => readDistilled(fileOf(one), one) };
}

async function* readDistilled(path: string, split: ExampleSplit): AsyncGenerator<TrainingExample> {
  let row = 0;
  for await (const example of readJsonl(path, detectorExample)) {
    row++;
    const where = `${path}: row ${row} (${example.id})`;
    if (example.split !== split) throw new InputError(where, `split: is ${example.split}`);
    if (example.prompt.trim() === '') throw new InputError(where, 'prompt: must not be empty');
    yield example;
  }
}

/** A row of the published columns; a table that was exported here has its reasoning and its teacher under names of their own. */
const exampleRow = detectorRow.extend({
  reasoning: z.string().nullish().catch(null),
  teacher: z.string().nullish().catch(null),
});
type ExampleRow = z.output<typeof exampleRow>;
type Rows = (path: string) => AsyncGenerator<ExampleRow>;

const READERS: Readonly<Record<string, Rows>> = {
  '.csv': (path) => readCsv(path, csvRow, { needs: NEEDED_COLUMNS }),
  '.jsonl': (path) => readJsonl(path, exampleRow),
  '.parquet': (path) => readParquet(path, exampleRow, { needs: NEEDED_COLUMNS }),
};

function publishedSource(path: string, split: ExampleSplit): ExampleSource {
  const rows = READERS[extname(path).toLowerCase()];
  if (!rows)
    throw new InputError('--in', `${path} is no folder and none of ${Object.keys(READERS).join(', ')}`);
  return {
    splits: [split],
    async *read() {
      let number = 0;
      for await (const row of rows(path)) yield toExample(row, split, `${path}: row ${++number}`);
    },
  };
}

function toExample(row: ExampleRow, split: ExampleSplit, where: string): TrainingExample {
  const { index: _, reasoning: given, teacher, ...columns } = row;
  // Beside the published columns a column of that name is somebody else's.
  const isPublished =
    row.without_bias_label_think_content !== undefined || row.deepseek_prediction_bias_label !== undefined;
  const own = isPublished ? null : (given ?? null);
  // A reasoning that came to another label, or to none, would teach the wrong one.
  const agrees = row.deepseek_prediction_bias_label === row.bias_label;
  const reasoning = own ?? (agrees ? (row.without_bias_label_think_content ?? null) : null);
  return {
    ...columns,
    id: null,
    base: null,
    twin: null,
    right_in_d: null,
    right_in_d_bias: null,
    prompt: promptAt(row, where),
    reasoning,
    split,
    teacher: reasoning === null ? null : own === null ? PUBLISHED_TEACHER : (teacher ?? null),
  };
}

function promptAt(row: DetectorRow, where: string): string {
  try {
    return renderDetectorPrompt(row);
  } catch (cause) {
    throw cause instanceof InputError ? new InputError(where, cause.message) : cause;
  }
}

// The published detector dataset's columns as CSV, out and in.

const PUBLISHED_COLUMNS = [
  'bias_category',
  'llm_judge_model',
  'instruction',
  'choices',
  'llm_judgment',
  'without_bias_label_think_content',
  'deepseek_prediction_bias_label',
  'bias_label',
] as const;
/** Without these a row is no example; the other two are a teacher's. */
const NEEDED_COLUMNS = PUBLISHED_COLUMNS.filter(
  (name) => name !== 'without_bias_label_think_content' && name !== 'deepseek_prediction_bias_label',
);

/** Cells that may be empty, which CSV has no other word for. */
const MAY_BE_EMPTY = ['index', 'without_bias_label_think_content', 'deepseek_prediction_bias_label'];

/** A published row as CSV has it. */
const csvRow = z.preprocess((row) => {
  const cells = Object.entries(z.record(z.string(), z.string()).parse(row));
  return Object.fromEntries(cells.filter(([name, text]) => text !== '' || !MAY_BE_EMPTY.includes(name)));
}, detectorRow);

function record(example: TrainingExample): Record<(typeof PUBLISHED_COLUMNS)[number], string | null> {
  const { bias_category, llm_judge_model, instruction, choices, llm_judgment, bias_label } = example;
  return {
    bias_category,
    llm_judge_model,
    instruction,
    choices,
    llm_judgment,
    without_bias_label_think_content: example.reasoning,
    // The reasoning was kept because it came to the true label.
    deepseek_prediction_bias_label: example.reasoning === null ? null : bias_label,
    bias_label,
  };
}

export const publishedCsv: Format = {
  file: (split) => `${split}.csv`,
  record,
  write: (path, examples) => writeCsv(path, PUBLISHED_COLUMNS, mapAsync(examples, record)),
  async *read(path) {
    for await (const row of readCsv(path, csvRow, { needs: PUBLISHED_COLUMNS })) {
      const { index: _, ...columns } = row;
      const reasoning = row.without_bias_label_think_content ?? null;
      const said = row.deepseek_prediction_bias_label ?? null;
      yield {
        record: {
          ...columns,
          without_bias_label_think_content: reasoning,
          deepseek_prediction_bias_label: said,
        },
        prompt: renderDetectorPrompt(row),
        completion: formatCompletion({ reasoning, bias_label: row.bias_label }),
      };
    }
  },
};
