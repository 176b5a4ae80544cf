/**
 * Where a model says that the texts of one request begin and end. It is believed where every other request is cut by the
 * same literals: a text that only this request has cannot move a cut.
 */
import * as z from 'zod';
import type { Prompt } from '../../types.ts';
import { withOwnRoles } from '../learned-template.ts';
import { leastShared } from '../learner.ts';
import { matchTemplate } from '../match.ts';
import { type Pipeline, weightOf } from '../pipeline.ts';
import type { Template } from '../template.ts';
import { requestsToShow } from './reader-question.ts';

/** One text of the request that a model was shown: its message, counted from 1, its first characters and its last. */
export const TextCut = z.strictObject({
  message: z.int().min(1),
  begins: z.string().min(1).max(200),
  ends: z.string().min(1).max(200),
});
type TextCut = z.infer<typeof TextCut>;

/** Requests in which the cuts must be certain. */
const LEAST_CERTAIN = 2;

/** @returns the template with these texts as its slots, named by its own words; in words what is wrong with them */
export function withCuts(
  pipeline: Pipeline,
  { name }: Template,
  cuts: readonly TextCut[],
): Template | string {
  const literals = requestsToShow(pipeline)
    .map((request) => literalsOf(request, cuts))
    .find((found) => found !== null);
  if (!literals) return 'it cuts a text that stands in none of the requests seen';
  if (literals.some((own) => own.slice(1, -1).includes(''))) return 'it cuts one text into two';
  const { samples } = pipeline;
  const template = withOwnRoles(pipeline, {
    name,
    parts: (samples[0]?.prompt.parts ?? []).map(({ role }, part) => ({
      role,
      literals: literals[part] ?? [],
      slots: [],
    })),
  });
  const matches = samples.map(({ prompt }) => matchTemplate(template, prompt)?.kind);
  if (matches.includes(undefined)) return 'its cuts do not fit all requests seen';
  if (matches.filter((kind) => kind === 'slots').length < LEAST_CERTAIN) return 'its cuts are not certain';
  return weightOf(template) < leastShared(template) ? 'too little is left between its cuts' : template;
}

/** For each message what stands between the texts; null where one of them does not stand there in this order. */
function literalsOf({ parts }: Prompt, cuts: readonly TextCut[]): string[][] | null {
  const literals: string[][] = [];
  for (const [part, { text }] of parts.entries()) {
    const own: string[] = [];
    let from = 0;
    for (const { begins, ends } of cuts.filter(({ message }) => message === part + 1)) {
      const start = text.indexOf(begins, from);
      const last = text.indexOf(ends, Math.max(start, start + begins.length - ends.length));
      if (start < 0 || last < 0) return null;
      own.push(text.slice(from, start));
      from = last + ends.length;
    }
    literals.push([...own, text.slice(from)]);
  }
  return cuts.every(({ message }) => message <= parts.length) ? literals : null;
}
