/**
 * Where a model says that the texts of one request begin and end. It is believed where every other request is cut by the
 * same literals: a text that only this request has cannot move a cut.
 */
import * as z from 'zod';
import type { Prompt } from '../../types.ts';
import { leastShared } from '../extend.ts';
import { withOwnRoles } from '../learned-template.ts';
import { matchTemplate } from '../match.ts';
import { type Pipeline, weightOf } from '../pipeline.ts';
import type { Template } from '../template.ts';
import { requestsToShow } from './reader-question.ts';

/** What a model says of one text. */
export const naming = {
  role: z.enum(['option', 'instruction', 'reference', 'rubric', 'context', '*']),
  label: z.string().max(80).default(''),
};

/** One text of the request that a model was shown: its message, counted from 1, its first characters and its last. */
export const TextCut = z.strictObject({
  message: z.int().min(1),
  begins: z.string().min(1).max(200),
  ends: z.string().min(1).max(200),
  ...naming,
});
type TextCut = z.infer<typeof TextCut>;

/** Requests in which the cuts must be certain. */
const LEAST_CERTAIN = 2;

interface CutTemplate {
  readonly template: Template;
  /** Those that are its slots, in their order. */
  readonly cuts: readonly TextCut[];
}

/**
 * Of a list of options that other requests lengthen, the first two are slots of the template.
 *
 * @returns the template with these texts as its slots, named by its own words; in words what is wrong with them
 */
export function withCuts(
  pipeline: Pipeline,
  { name }: Template,
  cuts: readonly TextCut[],
): CutTemplate | string {
  const template = cutTemplate(pipeline, name, cuts);
  if (typeof template !== 'string') return { template, cuts };
  const firstTwo = firstTwoOf(cuts);
  const list = firstTwo && cutTemplate(pipeline, name, firstTwo, true);
  return firstTwo && list && typeof list !== 'string'
    ? { template: withOneEncoding(list, firstTwo), cuts: firstTwo }
    : template;
}

/** The second option's text seems to go on to the end of the list: it is encoded as the first one's. */
function withOneEncoding(template: Template, cuts: readonly TextCut[]): Template {
  const encoding = template.parts.flatMap(({ slots }) => slots)[cuts.findIndex(isOption)]?.encoding;
  let number = 0;
  const parts = template.parts.map((part) => ({
    ...part,
    slots: part.slots.map((slot) => (isOption(cuts[number++]) && encoding ? { ...slot, encoding } : slot)),
  }));
  return { ...template, parts };
}

const isOption = (cut: TextCut | undefined) => cut?.role === 'option';

const UNFIT = 'its cuts do not fit all requests seen';

/** The cuts with two options of three or more, of which the second holds all that follow it; null where there are fewer. */
function firstTwoOf(cuts: readonly TextCut[]): readonly TextCut[] | null {
  const [, second, ...others] = cuts.filter(isOption);
  const last = others.at(-1);
  if (!second || !last) return null;
  return cuts.flatMap((cut) =>
    cut === second ? [{ ...cut, ends: last.ends }] : others.includes(cut) ? [] : [cut],
  );
}

/** @param more whether other requests have more options than the cuts */
function cutTemplate(
  pipeline: Pipeline,
  name: string,
  cuts: readonly TextCut[],
  more = false,
): Template | string {
  const literals = requestsToShow(pipeline)
    .map((request) => literalsOf(request, cuts))
    .find((found) => found !== null);
  if (!literals) return 'it cuts a text that stands in none of the requests seen';
  if (literals.some((own) => own.slice(1, -1).includes(''))) return 'it cuts one text into two';
  const { samples } = pipeline;
  const own = withOwnRoles(pipeline, {
    name,
    parts: (samples[0]?.prompt.parts ?? []).map(({ role }, part) => ({
      role,
      literals: literals[part] ?? [],
      slots: [],
    })),
    ...(more && { more }),
  });
  // A list goes on in the names of its options, which the template's own words may not tell.
  const template = more ? withNames(own, cuts) : own;
  const matches = samples.map(({ prompt }) => matchTemplate(template, prompt)?.kind);
  if (matches.includes(undefined)) return UNFIT;
  if (matches.filter((kind) => kind === 'slots').length < LEAST_CERTAIN) return 'its cuts are not certain';
  return weightOf(template) < leastShared(template) ? 'too little is left between its cuts' : template;
}

/** The template with its slots named as a model named what it cut. */
function withNames(template: Template, cuts: readonly TextCut[]): Template {
  let number = 0;
  const parts = template.parts.map((part) => ({
    ...part,
    slots: part.slots.map((slot) => {
      const cut = cuts[number++];
      return cut ? { ...slot, role: cut.role, label: isOption(cut) ? cut.label : '' } : slot;
    }),
  }));
  return { ...template, parts };
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
