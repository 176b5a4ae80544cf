/**
 * A detector model that answers with what zero-shot DeepSeek-R1 said about the published rows, in the form a
 * live one answers. So the whole path of `rbd` runs without a model: layout, prompt, reading; and the figures
 * must come out as recorded (.814 on the published test set).
 */

import { createRowBrief, type DetectorRow, describeRow } from '../dataset/index.ts';
import { type DetectorModel, renderBrief } from '../detect/index.ts';
import { JudgeError } from '../http/index.ts';

/**
 * @param rows those without a recording are left out
 * @param template the one the detector is given, if any: a row is found by the prompt it makes
 * @throws InputError as `createRowBrief`
 */
export function createRecordedDetectorModel(rows: readonly DetectorRow[], template?: string): DetectorModel {
  const never = new AbortController().signal;
  const wording = template === undefined ? {} : { template };
  // Two rows of the same content are two recordings, given out in turn.
  const answers = new Map<string, string[]>();
  for (const row of rows) {
    const label = row.deepseek_prediction_bias_label;
    if (!label) continue;
    const prompt = renderBrief(createRowBrief(row, never), wording);
    const answer = `<think>\n${row.without_bias_label_think_content ?? ''}\n</think>\n\n${label}`;
    answers.set(prompt, [...(answers.get(prompt) ?? []), answer]);
  }
  const given = new Map<string, number>();
  return {
    name: 'DeepSeek-R1 (recorded)',
    async complete(prompt, signal) {
      signal.throwIfAborted();
      const recorded = answers.get(prompt);
      if (!recorded) throw new JudgeError('no recording answers this prompt');
      const turn = given.get(prompt) ?? 0;
      given.set(prompt, turn + 1);
      const content = recorded[turn % recorded.length] ?? '';
      return { reasoning: null, content, finish: 'stop', tokens: null };
    },
  };
}

/** Rows that cannot be replayed, in words; empty where every row has a recording. */
export function listUnrecorded(rows: readonly DetectorRow[]): string[] {
  return rows.filter((row) => !row.deepseek_prediction_bias_label).map(describeRow);
}
