/** The published detector dataset's columns as CSV, out and in. */
import * as z from 'zod';
import { renderBrief } from '../../detect/index.ts';
import { readCsv, writeCsv } from '../../records/node.ts';
import { formatCompletion } from '../detector-example.ts';
import { type DetectorRow, detectorRow } from '../detector-row.ts';
import { createRowBrief } from '../row-brief.ts';
import { type Format, mapAsync } from './layouts.ts';
import type { TrainingExample } from './training-example.ts';

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
export const NEEDED_COLUMNS = PUBLISHED_COLUMNS.filter(
  (name) => name !== 'without_bias_label_think_content' && name !== 'deepseek_prediction_bias_label',
);

/** Cells that may be empty, which CSV has no other word for. */
const MAY_BE_EMPTY = ['index', 'without_bias_label_think_content', 'deepseek_prediction_bias_label'];

/** A published row as CSV has it. */
export const csvRow = z.preprocess((row) => {
  const cells = Object.entries(z.record(z.string(), z.string()).parse(row));
  return Object.fromEntries(cells.filter(([name, text]) => text !== '' || !MAY_BE_EMPTY.includes(name)));
}, detectorRow);

function record(example: TrainingExample): Record<(typeof PUBLISHED_COLUMNS)[number], string | null> {
  const { bias_category, llm_judge_model, instruction, choices, llm_judgment, bias_label } = example;
  return {
    ...{ bias_category, llm_judge_model, instruction, choices, llm_judgment },
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

// The detector's prompt for a row that has none of its own.

/** @throws InputError for a bias that is unknown, options that are not laid out as published, or no decision */
export function renderDetectorPrompt(row: DetectorRow): string {
  // Nothing is asked of anybody, so nothing can be stopped.
  return renderBrief(createRowBrief(row, new AbortController().signal));
}
