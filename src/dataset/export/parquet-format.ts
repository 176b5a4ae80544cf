/** Parquet with every column an example has, and the card the Hugging Face hub shows and loads it by. */
import * as z from 'zod';
import { type ParquetColumn, readParquet, writeParquet } from '../../records/parquet.ts';
import { formatCompletion } from '../label-pairs.ts';
import { type Format, mapAsync, nonBlankText } from './layouts.ts';
import type { ExportSurvey, TrainingExample } from './training-example.ts';

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

/** The dataset card: what the hub needs to load the files, and how the examples came about. */
function formatCard(survey: ExportSurvey, columns: readonly ParquetColumn[]): string {
  const { splits, groups } = survey;
  const features = columns.map(({ name, type }) => `  - name: ${name}\n    dtype: ${dtype(type)}`);
  const files = splits.map(({ split }) => `  - split: ${split}\n    path: data/${split}.parquet`);
  const sizes = splits.map(({ split, examples }) => `  - name: ${split}\n    num_examples: ${examples}`);
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
  splits:
${sizes.join('\n')}
---

# Examples for a detector of biased verdicts

Each row is a decision of an LLM judge, with the prompt a detector is asked with and the answer it should give:
reasoning between \`<think>\` and \`</think>\`, then \`Yes\` where the decision was biased and \`No\` where it was not.

| split | examples | Yes | No |
|---|---|---|---|
${counts.join('\n')}

## How it was made

A judge decided each case without a bias and once more with the bias put in. The label is \`Yes\` if and only if it was
right without the bias and wrong with it (arXiv 2505.17100, section 3.2). The reasoning is a teacher model's, kept only
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

function dtype(type: ParquetColumn['type']): string {
  return type === 'BOOLEAN' ? 'bool' : 'string';
}

/** A name from outside as a table's cell. */
function cell(name: string): string {
  return name.replace(/[\s\p{Cc}]+/gu, ' ').replace(/[\\|`<>[\]*_]/g, '\\$&');
}
