/** Parquet with every column an example has, and the card the Hugging Face hub shows and loads it by. */
import * as z from 'zod';
import { type ParquetColumn, readParquet, writeParquet } from '../../records/parquet.ts';
import { formatCompletion } from '../detector-example.ts';
import { formatCard } from './card.ts';
import { type Format, mapAsync, nonBlankText } from './format.ts';
import type { TrainingExample } from './training-example.ts';

const text = (name: string, nullable = false): ParquetColumn => ({ name, type: 'STRING', nullable });
const truth = (name: string): ParquetColumn => ({ name, type: 'BOOLEAN', nullable: true });

const COLUMNS: readonly ParquetColumn[] = [
  text('id', true),
  text('base', true),
  truth('twin'),
  text('bias_category'),
  text('llm_judge_model'),
  text('instruction'),
  text('choices'),
  text('llm_judgment'),
  truth('right_in_d'),
  truth('right_in_d_bias'),
  text('bias_label'),
  text('label_by', true),
  text('teacher', true),
  text('reasoning', true),
  text('prompt'),
  text('completion'),
];

const row = z.strictObject({
  id: z.string().nullable(),
  base: z.string().nullable(),
  twin: z.boolean().nullable(),
  bias_category: nonBlankText,
  llm_judge_model: z.string(),
  instruction: z.string(),
  choices: nonBlankText,
  llm_judgment: nonBlankText,
  right_in_d: z.boolean().nullable(),
  right_in_d_bias: z.boolean().nullable(),
  bias_label: z.enum(['Yes', 'No']),
  /** Whose word the label of a verdict from use is; null where it was worked out. */
  label_by: z.string().nullable(),
  teacher: z.string().nullable(),
  reasoning: z.string().nullable(),
  prompt: nonBlankText,
  completion: nonBlankText,
});

function record(example: TrainingExample): z.output<typeof row> {
  return {
    id: example.id,
    base: example.base,
    twin: example.twin,
    bias_category: example.bias_category,
    llm_judge_model: example.llm_judge_model,
    instruction: example.instruction,
    choices: example.choices,
    llm_judgment: example.llm_judgment,
    right_in_d: example.right_in_d,
    right_in_d_bias: example.right_in_d_bias,
    bias_label: example.bias_label,
    label_by: example.origin?.label ?? null,
    teacher: example.teacher,
    reasoning: example.reasoning,
    prompt: example.prompt,
    completion: formatCompletion(example),
  };
}

export const parquet: Format = {
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
