/** Aligning a request with those that a pipeline holds: what they share is literal then. */

import type { Checkpoint } from '../checkpoint.ts';
import { settle } from './confirmation.ts';
import { templateSteps } from './learned-template.ts';
import { matchTemplate } from './match.ts';
import { type Pipeline, type Sample, sameLiterals, sampleOf, shapeOf, weightOf } from './pipeline.ts';
import type { Slot, Template } from './template.ts';

/** Requests kept of each pipeline to learn from. */
export const MOST_SAMPLES = 5;
/** Share of a template's literal text that must still be literal when a request is added to the pipeline. */
const LEAST_KEPT = 0.6;
/** Letters and digits that two requests must share to be of one pipeline; fewer where three labels or more are shared. */
const LEAST_SHARED = 20;
const LEAST_SHARED_LABELLED = 12;

/** A pipeline of which nothing is known but its requests. */
export const pipelineOf = (of: Pick<Pipeline, 'id' | 'origin' | 'samples'>): Pipeline => ({
  ...of,
  template: null,
  state: 'learning',
  requests: of.samples.length,
  read: 0,
  replies: 0,
  repliesRead: 0,
});

export interface Extended {
  readonly pipeline: Pipeline;
  /** Weight of its template. */
  readonly kept: number;
}

export function* extend(
  pipeline: Pipeline,
  sample: Sample,
  checkpoint: Checkpoint,
): Generator<void, Extended | null> {
  const { template, state } = pipeline;
  if (state === 'approved' || state === 'rejected') return null;
  const all = [...samplesOf(pipeline).slice(1 - MOST_SAMPLES), sample];
  const learned = yield* relearn(pipeline, all, checkpoint);
  yield;
  const kept = weightOf(learned);
  if (kept < leastShared(learned) || (template && kept < LEAST_KEPT * weightBesideOptions(template)))
    return null;
  // A template that had to give way begins anew: what confirmed the old one does not speak for this one.
  const requests = pipeline.requests + 1;
  const extended = settle(
    { ...pipeline, template: learned, state: 'learning', samples: all, requests },
    checkpoint,
  );
  // One odd request takes nothing from those that are read: it begins a pipeline of its own.
  const holds =
    state !== 'confirmed' ||
    (extended.state === 'confirmed' && template !== null && judgesTheSame(template, learned, all));
  return holds ? { pipeline: extended, kept } : null;
}

/** Whether a template takes the same texts to be judged as the one before it, in all requests that both read. */
function judgesTheSame(before: Template, now: Template, samples: readonly Sample[]): boolean {
  const judgedBy = (template: Template, { prompt }: Sample) => {
    const match = matchTemplate(template, prompt);
    const options = match?.slots.filter(({ role }) => role === 'option') ?? [];
    return match?.kind === 'slots' ? JSON.stringify(options.map(({ part, at }) => [part, at])) : null;
  };
  return samples.every((sample) => {
    const [old, own] = [judgedBy(before, sample), judgedBy(now, sample)];
    return old === null || own === null || old === own;
  });
}

/** Weight of a template less what stands behind an option on its line: sentences that the answers so far had in common. */
function weightBesideOptions(template: Template): number {
  const parts = template.parts.map((part) => {
    let isOnLine = false;
    const literals = part.literals.map((literal, n) => {
      isOnLine ||= part.slots[n - 1]?.role === 'option';
      const rest = isOnLine ? literal.replace(/^[^\n<:：]*/u, '') : literal;
      isOnLine &&= rest === '';
      return rest;
    });
    return { ...part, literals };
  });
  return weightOf({ ...template, parts });
}

/** Letters and digits that must be literal. Short lines with labels (`Q:`, `A:`, `B:`) are a template as well. */
export function leastShared({ parts }: Template): number {
  const labels = parts
    .flatMap(({ literals }) => literals.slice(0, -1))
    .filter((one) => /[:：>】]\s?$/.test(one));
  return labels.length >= 3 ? LEAST_SHARED_LABELLED : LEAST_SHARED;
}

export function* relearn(
  pipeline: Pipeline,
  samples: readonly Sample[],
  checkpoint: Checkpoint,
): Generator<void, Template> {
  const { template, reader } = pipeline;
  // What a model cut stays so as long as it fits.
  if (template && reader?.cut && samples.every(({ prompt }) => matchTemplate(template, prompt)))
    return template;
  const learned = yield* templateSteps(pipeline.id, samples, pipeline.answers ?? [], checkpoint);
  return toldBefore(pipeline, learned);
}

/**
 * The learned template with what replies and a model told of the one before it: how the verdict is given where both have the
 * same options, and what slots hold where both cut requests in the same places.
 */
export function toldBefore({ template, reader }: Pipeline, learned: Template): Template {
  if (!template) return learned;
  if (!sameLiterals(template, learned))
    return template.verdict && optionNames(template) === optionNames(learned)
      ? { ...learned, verdict: template.verdict }
      : learned;
  const isNamed = reader?.outcome === 'named' || reader?.outcome === 'doubted';
  const named = isNamed && reader.of === shapeOf(template);
  const parts = learned.parts.map((part, n) => ({
    ...part,
    slots: part.slots.map((slot, at): Slot => {
      const known = named ? template.parts[n]?.slots[at] : undefined;
      return known ? { ...slot, role: known.role, label: known.label } : slot;
    }),
  }));
  return { ...learned, parts, ...(template.verdict && { verdict: template.verdict }) };
}

const optionNames = ({ parts }: Template) =>
  JSON.stringify(
    parts.flatMap(({ slots }) => slots.flatMap(({ role, label }) => (role === 'option' ? [label] : []))),
  );

/** Of a template whose requests were not kept one is made up, with something in each slot that stands nowhere else. */
export function samplesOf({ samples, template }: Pipeline): readonly Sample[] {
  if (samples.length > 0 || !template) return samples;
  const parts = template.parts.map(({ role, literals }) => ({
    role,
    text: literals
      .map((literal, n) => literal + (n + 1 < literals.length ? String.fromCodePoint(0xf0000 + n) : ''))
      .join(''),
  }));
  return [sampleOf({ parts }, null)];
}
