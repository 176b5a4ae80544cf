/**
 * The base data that came with the detector paper (the bias4-eval files of arXiv 2505.17100), as base items. It
 * has the weak model's answers and the rewritten tones in it, so nothing has to be asked of a model.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { BaseChoice, BasePair } from '../base.ts';

/** GSM8K questions with a worked solution and Gemma's answer, which may be right: that is for the builder to check. */
export const publishedGsm8k = z
  .object({
    question: z.string(),
    answer: z.string(),
    single_correct_answer: z.string(),
    gemma_answer: z.string(),
  })
  .transform(
    (row): BasePair => ({
      kind: 'pair',
      id: hashContent('gsm8k', row.question),
      instruction: row.question,
      positive: row.answer,
      negative: row.gemma_answer,
      answer: row.single_correct_answer,
      first: 'positive',
    }),
  );

/** Chatbot Arena pairs with the better answer known. Ground truth 1: `response_a` is the better; 2: `response_b`. */
export const publishedArena = z
  .object({
    id: z.union([z.string(), z.number()]).optional(),
    prompt: z.string(),
    original: z.object({ response_a: z.string(), response_b: z.string() }),
    ground_truth_original: z.union([z.literal(1), z.literal(2)]),
  })
  .transform(({ id, prompt, original, ground_truth_original }): BasePair => {
    const { response_a, response_b } = original;
    const better = ground_truth_original === 1;
    return {
      kind: 'pair',
      id: id === undefined ? hashContent('arena', prompt, response_a, response_b) : `arena-${id}`,
      instruction: prompt,
      positive: better ? response_a : response_b,
      negative: better ? response_b : response_a,
      answer: null,
      first: better ? 'positive' : 'negative',
    };
  });

/** ScienceQA questions whose options were rewritten: the right one gloomy, the rest cheerful. */
export const publishedScienceQa = z
  .object({
    question: z.string(),
    choices: z.array(z.string()),
    answer: z.int().min(0),
    sentiment_choices: z.array(z.string()).optional(),
  })
  .transform(
    (row): BaseChoice => ({
      kind: 'choice',
      id: hashContent('scienceqa', row.question, ...row.choices),
      instruction: row.question,
      options: row.choices,
      right: row.answer,
      toned: row.sentiment_choices ?? null,
    }),
  );

/** A name for a row that has none: the same content has the same in every run. */
export function hashContent(source: string, ...texts: readonly string[]): string {
  return `${source}-${createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 12)}`;
}
