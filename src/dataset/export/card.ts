/** The dataset card: what the hub needs to load the files, and how the examples came about. */
import type { ParquetColumn } from '../../records/parquet.ts';
import type { ExportSurvey } from './survey-examples.ts';

export function formatCard(survey: ExportSurvey, columns: readonly ParquetColumn[]): string {
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
