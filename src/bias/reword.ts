/** Undoing by rewording: shared by the biases whose cue is in the wording of the options themselves. */
import { type RewriteTask, renderRewrite } from '../../prompts/index.ts';
import { asGiven, type Case, type Counterfactual, finalAnswers } from '../case/index.ts';
import { asksFor } from './asked.ts';
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
 * Every option by its explicit final answer alone: no length, no tone, no model call. Null where these cannot be compared,
 * where no option says more than that, and where reasons are asked for.
 */
export function reduceToFinalAnswers(subject: Case): Counterfactual | null {
  if (asksFor(subject, 'reasons')) return null;
  const answers = finalAnswers(subject.options.map(({ text }) => text));
  return (
    answers &&
    rewriteEach(subject, (text, option) =>
      answers[option] === text.trim() ? text : (answers[option] ?? text),
    )
  );
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
