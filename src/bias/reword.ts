/** Undoing by rewording: shared by the biases whose cue is in the wording of the options themselves. */
import { type RewriteTask, renderRewrite } from '../../prompts/index.ts';
import { asGiven, type Case, type Counterfactual, finalAnswer } from '../case/index.ts';
import type { UndoTools } from './types.ts';

/** The case with other texts for its options; null where none changes. */
export function rewriteEach(
  subject: Case,
  rewrite: (text: string, option: number) => string,
): Counterfactual | null {
  const options = subject.options.flatMap(({ text }, option) => {
    const after = rewrite(text, option);
    return after === text ? [] : [[option, after] as const];
  });
  return options.length > 0 ? { ...asGiven(subject), options: new Map(options) } : null;
}

/**
 * Every option by its explicit final answer alone: no length, no tone, no model call. Null unless each
 * option has one, one of them says more than that, and they differ (two equal answers leave nothing to judge).
 */
export function reduceToFinalAnswers(subject: Case): Counterfactual | null {
  const answers = subject.options.map((option) => finalAnswer(option.text));
  if (answers.some((answer) => answer === null)) return null;
  if (new Set(answers).size < answers.length) return null;
  const reworded = answers.flatMap((answer, index) =>
    answer !== null && answer !== subject.options[index]?.text.trim() ? [[index, answer] as const] : [],
  );
  return reworded.length > 0 ? { ...asGiven(subject), options: new Map(reworded) } : null;
}

/** The named options reworded by a model in one call; null where there is no rewriter or it gave no usable texts. */
export async function rewriteOptions(
  subject: Case,
  task: RewriteTask,
  indices: readonly number[],
  tools: UndoTools,
): Promise<Counterfactual | null> {
  const texts = indices.flatMap((index) => subject.options[index]?.text ?? []);
  if (!tools.rewrite || texts.length === 0) return null;
  const { read, ...prompt } = renderRewrite(task, texts);
  const reworded = read(await tools.rewrite(prompt, tools.signal));
  if (!reworded) return null;
  return { ...asGiven(subject), options: new Map(indices.map((index, i) => [index, reworded[i] ?? ''])) };
}
