/** Texts in another tone, by a model, with a second look at whether each still claims the same. */
import { readSameMeaning, renderSameMeaningCheck, renderTone } from '../../prompts/index.ts';
import type { InjectTools, ToneTask } from '../bias/index.ts';
import { type Model, settleAll } from '../models/index.ts';

interface RetoneOptions {
  readonly model: Model;
  /** Who says whether the meaning stayed; it may be the same model. */
  readonly checker: Model;
  /** How often a text is reworded until its meaning stays, 1 or more. */
  readonly attempts: number;
  /** Told of every rewording that was thrown away. */
  readonly onRejected?: () => void;
}

export function createRetone(options: RetoneOptions): NonNullable<InjectTools['retone']> {
  return (texts, signal) => settleAll(texts.map((task) => retoned(task, options, signal)));
}

/** @returns null where no attempt kept the meaning */
async function retoned(task: ToneTask, options: RetoneOptions, signal: AbortSignal): Promise<string | null> {
  for (let attempt = 0; attempt < options.attempts; attempt++) {
    const { text } = await options.model.ask({ ...renderTone(task), attempt }, signal);
    const reworded = text.trim();
    if (reworded !== '' && (await sameMeaning(task.text, reworded, options.checker, signal))) return reworded;
    options.onRejected?.();
  }
  return null;
}

/** A reply that is neither word is no yes. */
async function sameMeaning(
  before: string,
  after: string,
  checker: Model,
  signal: AbortSignal,
): Promise<boolean> {
  const { text } = await checker.ask(renderSameMeaningCheck(before, after), signal);
  return readSameMeaning(text) === true;
}
