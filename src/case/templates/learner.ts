/**
 * Learning the templates of pipelines from the requests that they send. No model is asked.
 *
 * A request that no known template fits is aligned with what was seen before of the same sort. What is the same in all
 * becomes literal; a literal that turns out to vary becomes a slot. A template acts only once it is confirmed: see
 * `obstacleOf`.
 */
import { type Checkpoint, runSteps, unlimited } from '../checkpoint.ts';
import { applyEdits, asGiven, editsFor, labelKey, reversed } from '../counterfactual.ts';
import { caseOf } from '../read.ts';
import type { Case, Prompt, Span } from '../types.ts';
import { keysOf } from '../verdicts/choice/choice-in-words.ts';
import { isUnderstood } from '../verdicts/index.ts';
import type { FormSource } from '../verdicts/kind.ts';
import { beginsAnOrder, CJK, lowerCased } from '../vocabulary.ts';
import { literalSteps } from './align.ts';
import { optionsAlike } from './alike.ts';
import { holdsList, holdsOneAnswer, standApart } from './doubts.ts';
import { findingOf } from './finding.ts';
import { formByAlternatives, saysFormPlainly } from './form.ts';
import { withEvenLists } from './lists.ts';
import { matchLiterals, matchTemplate, type TemplateMatch } from './match.ts';
import { leadOf } from './openings.ts';
import { kindReplied, optionsInReplies } from './options-in-replies.ts';
import type { ReaderRecord } from './reader-record.ts';
import { LEAST_REPLIES, readsReplies, verdictsIn } from './replies/index.ts';
import { assignRoles, CERTAIN, certaintyOf, LIKELY, type SeenRole } from './roles.ts';
import { isInJson, type LearnedPart, labelled } from './slot-names.ts';
import type { Slot, Template } from './template.ts';

/** What requests must share to be of one pipeline: the path, the messages' roles, the reply's form. */
export interface Origin {
  /** Whose requests they are; requests of different tenants are never mixed. */
  readonly tenant: string;
  readonly path: string;
  /** The JSON schema of the reply that the requests demand; null for none. */
  readonly schema: unknown;
}

export const LEARNED_STATES = ['learning', 'confirmed', 'approved', 'rejected'] as const;
export type LearnedState = (typeof LEARNED_STATES)[number];

/** A request that a template is learned from. */
export interface Sample {
  readonly prompt: Prompt;
  /** What was read in it without a template. */
  readonly guess: Case | null;
  /** How its lines begin: requests of one pipeline know each other by it, even where labels lead their lines. */
  readonly beginnings: ReadonlySet<string>;
}

/** @param guess what was read in the prompt without a template */
export function sampleOf(prompt: Prompt, guess: Case | null): Sample {
  const lines = prompt.parts.flatMap(({ text }) => text.split('\n', 500));
  return { prompt, guess, beginnings: new Set(lines.map((line) => line.trimStart().slice(0, 8))) };
}

/** A pipeline: its template, as far as it is known, and what was seen of it. */
export interface Pipeline {
  readonly id: string;
  readonly origin: Origin;
  /** Null before the second request. */
  readonly template: Template | null;
  readonly state: LearnedState;
  /** Different requests from which it was learned, the latest last. */
  readonly samples: readonly Sample[];
  readonly requests: number;
  /** Requests in which what is judged was certain. */
  readonly read: number;
  readonly replies: number;
  readonly repliesRead: number;
  /** What the judge replied, the latest last. Held in memory like the requests, and written down nowhere. */
  readonly answers?: readonly string[];
  /** What came of asking a model about its template; absent where none was asked. */
  readonly reader?: ReaderRecord;
  /** When a person approved, rejected or edited it last, in milliseconds since the epoch; absent where nobody did. */
  readonly decided?: number;
}

/** Requests kept of each pipeline to learn from. */
export const MOST_SAMPLES = 5;
/** A pipeline is known by its template after so many different cases. */
export const CASES_TO_CONFIRM = 3;
/** Characters of a prompt that is learned from; longer prompts are only matched. */
export const LONGEST_LEARNED = 32 * 1024;
/** Pipelines that a request is aligned with: those that share most of its lines. */
const MOST_ALIGNED = 2;
/** Share of a template's literal text that must still be literal when a request is added to the pipeline. */
const LEAST_KEPT = 0.6;
/** The same for a request that is read at once, before others have borne it out. */
const LEAST_KEPT_AT_ONCE = 0.8;
/** Characters of a prompt that is aligned while its client waits. */
const LONGEST_EXTENDED = 16 * 1024;
/** Letters and digits that two requests must share to be of one pipeline; fewer where three labels or more are shared. */
const LEAST_SHARED = 20;
const LEAST_SHARED_LABELLED = 12;
/** Share of a pipeline's replies that must have been read. */
const LEAST_READ = 0.95;
/** Requests of a pipeline after each of which it is looked at anew. */
const LOOK_ALWAYS = 20;

/** Whether a pipeline is looked at anew: that takes longer than a judgment, and of many requests few tell anything new. */
export const isLookDue = ({ requests }: Pipeline) =>
  requests <= LOOK_ALWAYS || requests % 10 ** Math.floor(Math.log10(requests)) === 0;

interface PipelineMatch {
  readonly pipeline: Pipeline;
  readonly match: TemplateMatch;
}

export interface TemplateReading extends PipelineMatch {
  /** Null where the match is ambiguous, or the template holds nothing that is judged. */
  readonly subject: Case | null;
}

/** Where requests of one sort belong together. */
export function originKey({ tenant, path, schema }: Origin, prompt: Prompt): string {
  return JSON.stringify([tenant, path, prompt.parts.map(({ role }) => role), schema ?? null]);
}

/**
 * @param pipelines of the same origin as the request
 * @returns null where none of their templates fits; of several that fit the one that says most
 */
export function readByTemplates(
  pipelines: readonly Pipeline[],
  prompt: Prompt,
  schema: unknown,
  checkpoint: Checkpoint = unlimited,
): TemplateReading | null {
  const best = matchPipelines(pipelines, prompt, checkpoint);
  if (!best) return null;
  const { pipeline, match } = best;
  const finding = pipeline.template && match.kind === 'slots' ? findingOf(pipeline.template, match) : null;
  return { ...best, subject: finding && caseOf(prompt, finding, schema, checkpoint) };
}

function matchPipelines(
  pipelines: readonly Pipeline[],
  prompt: Prompt,
  checkpoint: Checkpoint,
): PipelineMatch | null {
  let best: PipelineMatch | null = null;
  let most = 0;
  for (const pipeline of pipelines) {
    const { template, state } = pipeline;
    const said = template ? weightOf(template) : 0;
    if (!template || state === 'rejected' || said <= most) continue;
    checkpoint();
    const match = matchTemplate(template, prompt);
    if (!match || breaksElsewhere(template, match)) continue;
    best = { pipeline, match };
    most = said;
  }
  return best;
}

/** Whether line breaks that alone set off a slot stand within a text of this request: then they set off nothing. */
const breaksElsewhere = ({ parts }: Template, { slots }: TemplateMatch) =>
  parts.some(({ literals }, part) => {
    const own = slots.filter((slot) => slot.part === part);
    return literals
      .slice(1, -1)
      .some((literal, n) => literal.trim() === '' && (own[n]?.at === null || own[n + 1]?.at === null));
  });

/**
 * What the pipeline of a request becomes with it where no template fits the request: a literal that it is the first to
 * vary is a slot then. So it is read at once, and not only from the next on. Null for a pipeline that was not confirmed
 * before, and where more than a little of its template would give way.
 *
 * @param pipelines of the same origin as the request
 * @param checkpoint called between the parts of a step; what it throws ends the work
 */
export function extendToRead(
  pipelines: readonly Pipeline[],
  sample: Sample,
  checkpoint: Checkpoint = unlimited,
): Pipeline | null {
  const known = pipelines.filter(
    ({ state, samples }) => state === 'confirmed' && samples.length >= CASES_TO_CONFIRM,
  );
  if (lengthOf(sample.prompt) > LONGEST_EXTENDED || known.length === 0) return null;
  const [nearest] = likeliest(known, sample);
  const extended = nearest && runSteps(extend(nearest, sample, checkpoint));
  if (extended?.pipeline.state !== 'confirmed') return null;
  const before = nearest?.template ? weightOf(nearest.template) : 0;
  return extended.kept >= LEAST_KEPT_AT_ONCE * before ? extended.pipeline : null;
}

/**
 * A pipeline that is confirmed with the request that is to be read: enough requests came before, but of some of them it is not
 * certain where their texts begin and end, and this is the case that was missing.
 *
 * @param sample the request, which the pipeline's template fits
 * @returns null where more than this case is missing
 */
export function confirmToRead(pipeline: Pipeline, sample: Sample, checkpoint: Checkpoint): Pipeline | null {
  const { template, state, samples } = pipeline;
  if (!template || state !== 'learning' || samples.length < CASES_TO_CONFIRM) return null;
  if (lengthOf(sample.prompt) > LONGEST_LEARNED) return null;
  const certain = samples.filter(({ prompt }) => matchTemplate(template, prompt)?.kind === 'slots').length;
  if (certain !== CASES_TO_CONFIRM - 1) return null;
  checkpoint();
  const withIt = { ...pipeline, samples: [...samples, sample] };
  return isConfirmed(withIt, checkpoint) ? { ...pipeline, state: 'confirmed' } : null;
}

/** Adds a request to the pipeline that it belongs to, at one go: see `learnFromSteps`. */
export const learnFrom = (
  pipelines: readonly Pipeline[],
  origin: Origin,
  sample: Sample,
  id: () => string,
): Pipeline | null => runSteps(learnFromSteps(pipelines, origin, sample, id, unlimited));

/**
 * Adds a request to the pipeline that it belongs to, in steps.
 *
 * @param pipelines of the same origin as the request
 * @param id gives the id of a new pipeline, where it belongs to none
 * @param checkpoint called between the parts of a step; what it throws ends the learning
 * @returns the pipeline as it is now
 */
export function* learnFromSteps(
  pipelines: readonly Pipeline[],
  origin: Origin,
  sample: Sample,
  id: () => string,
  checkpoint: Checkpoint,
): Generator<void, Pipeline | null> {
  const { prompt } = sample;
  if (lengthOf(prompt) > LONGEST_LEARNED) return null;
  const known = matchPipelines(pipelines, prompt, checkpoint);
  if (known) return yield* withSample(known, sample, checkpoint);
  const rejected = pipelines.find(
    ({ state, template }) => state === 'rejected' && template && matchTemplate(template, prompt),
  );
  // A template that a person rejected is not learned anew from the next requests.
  if (rejected) return { ...rejected, requests: rejected.requests + 1 };
  // Both orders of one case share all of their texts, which are no template.
  const before = pipelines.find(({ samples }) => samples.some((one) => isSameCase(one.prompt, prompt)));
  if (before) return { ...before, requests: before.requests + 1 };
  let best: Extended | null = null;
  for (const pipeline of likeliest(pipelines, sample)) {
    const extended = yield* extend(pipeline, sample, checkpoint);
    if (extended && (!best || extended.kept > best.kept)) best = extended;
  }
  if (best) return best.pipeline;
  return {
    id: id(),
    origin,
    template: null,
    state: 'learning',
    samples: [sample],
    requests: 1,
    read: 0,
    replies: 0,
    repliesRead: 0,
  };
}

/** The pipelines that share most of a request's lines. */
function likeliest(pipelines: readonly Pipeline[], { beginnings }: Sample): Pipeline[] {
  return pipelines
    .map((pipeline) => {
      const [sample] = samplesOf(pipeline);
      return {
        pipeline,
        alike: [...(sample?.beginnings ?? [])].filter((line) => beginnings.has(line)).length,
      };
    })
    .sort((a, b) => b.alike - a.alike)
    .slice(0, MOST_ALIGNED)
    .map(({ pipeline }) => pipeline);
}

function* withSample(
  { pipeline, match }: PipelineMatch,
  sample: Sample,
  checkpoint: Checkpoint,
): Generator<void, Pipeline> {
  const counted = {
    ...pipeline,
    requests: pipeline.requests + 1,
    read: pipeline.read + (match.kind === 'slots' ? 1 : 0),
  };
  if (pipeline.state !== 'learning' && !mayHaveMore(pipeline, match)) return counted;
  if (pipeline.samples.length >= MOST_SAMPLES) {
    const beside = pipeline.state === 'learning' ? besideItsLike(pipeline, match, sample) : null;
    if (beside) return settle(withRolesOf({ ...counted, samples: beside }), checkpoint);
    return isLookDue(counted) ? settle(counted, checkpoint) : counted;
  }
  if (pipeline.samples.some(({ prompt }) => isSameCase(prompt, sample.prompt))) return counted;
  const samples = [...samplesOf(pipeline), sample];
  const template = yield* relearn(pipeline, samples, checkpoint);
  yield;
  if (pipeline.state === 'learning') return settle({ ...counted, samples, template }, checkpoint);
  return template.more
    ? settle({ ...counted, samples, template, state: 'learning' }, checkpoint)
    : { ...counted, samples };
}

/** Names the slots anew by what the samples tell. */
function withRolesOf(pipeline: Pipeline): Pipeline {
  const { template } = pipeline;
  return template
    ? { ...pipeline, template: toldBefore(pipeline, withOwnRoles(pipeline, template)) }
    : pipeline;
}

/**
 * The samples with a request that is like one of them but for one text, or but for the options: what varies alone tells what is
 * judged (`variesAlone`). Samples of three different cases stay, so that what all cases share does not become literal.
 *
 * @returns null where no sample is like it, or one is whose like is held already
 */
function besideItsLike(
  { template, samples }: Pipeline,
  { kind, slots }: TemplateMatch,
  sample: Sample,
): readonly Sample[] | null {
  if (!template || kind !== 'slots') return null;
  const textsOf = ({ prompt }: Sample) => {
    const match = matchTemplate(template, prompt);
    return match?.kind === 'slots'
      ? match.slots.map(({ part, at }) => at && prompt.parts[part]?.text.slice(at.start, at.end))
      : null;
  };
  const told = slots.flatMap(({ role }, n) => (role === '*' ? [] : [n]));
  const areLike = (a: ReturnType<typeof textsOf>, b: ReturnType<typeof textsOf>) => {
    const differing = told.filter((n) => a?.[n] !== b?.[n]);
    return (
      a !== null &&
      b !== null &&
      differing.length > 0 &&
      differing.length < told.length &&
      (differing.length === 1 || differing.every((n) => slots[n]?.role === 'option'))
    );
  };
  const own = textsOf(sample);
  const held = samples.map((one) => ({ one, texts: textsOf(one) }));
  const hasLike = held.map(({ texts }, n) =>
    held.some((other, at) => at !== n && areLike(texts, other.texts)),
  );
  const like = held.findIndex(({ texts }) => areLike(texts, own));
  const oldest = hasLike.findIndex((has, n) => !has && n !== like);
  if (like < 0 || hasLike[like] || hasLike.filter((has) => !has).length < CASES_TO_CONFIRM) return null;
  return [...samples.filter((_, n) => n !== oldest), sample];
}

/** Whether a request of a template that was just confirmed may tell that others have more options. */
const mayHaveMore = ({ state, samples, template }: Pipeline, { kind }: TemplateMatch) =>
  state === 'confirmed' && kind === 'ambiguous' && !template?.more && samples.length < MOST_SAMPLES;

interface Extended {
  readonly pipeline: Pipeline;
  /** Weight of its template. */
  readonly kept: number;
}

function* extend(
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
  if (kept < leastShared(learned) || (template && kept < LEAST_KEPT * weightOf(template))) return null;
  // A template that had to give way begins anew: what confirmed the old one does not speak for this one.
  const requests = pipeline.requests + 1;
  return {
    pipeline: settle(
      { ...pipeline, template: learned, state: 'learning', samples: all, requests },
      checkpoint,
    ),
    kept,
  };
}

/** Letters and digits that must be literal. Short lines with labels (`Q:`, `A:`, `B:`) are a template as well. */
export function leastShared({ parts }: Template): number {
  const labels = parts
    .flatMap(({ literals }) => literals.slice(0, -1))
    .filter((one) => /[:：>】]\s?$/.test(one));
  return labels.length >= 3 ? LEAST_SHARED_LABELLED : LEAST_SHARED;
}

function* relearn(
  pipeline: Pipeline,
  samples: readonly Sample[],
  checkpoint: Checkpoint,
): Generator<void, Template> {
  const { template, reader } = pipeline;
  // What a model cut stays so as long as it fits.
  if (template && reader?.cut && samples.every(({ prompt }) => matchTemplate(template, prompt)))
    return template;
  const learned = yield* templateSteps(
    pipeline.id,
    samples.map(({ prompt }) => prompt),
    samples.map(({ guess }) => guess),
    pipeline.answers ?? [],
    checkpoint,
  );
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
  const named = reader?.outcome === 'named' && reader.of === shapeOf(template);
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

/** Tells one state of a template from the next: of a literal that varied there are two, or a shorter one. */
export const shapeOf = ({ parts }: Template): string =>
  parts.map(({ literals }) => literals.map(({ length }) => length).join(' ')).join('|');

/** Whether two templates cut a request in the same places. */
export const sameLiterals = (a: Template, b: Template) =>
  a.parts.length === b.parts.length &&
  a.parts.every(
    ({ literals }, n) =>
      literals.length === b.parts[n]?.literals.length &&
      literals.every((literal, at) => literal === b.parts[n]?.literals[at]),
  );

/** Of a template whose requests were not kept one is made up, with something in each slot that stands nowhere else. */
function samplesOf({ samples, template }: Pipeline): readonly Sample[] {
  if (samples.length > 0 || !template) return samples;
  const parts = template.parts.map(({ role, literals }) => ({
    role,
    text: literals
      .map((literal, n) => literal + (n + 1 < literals.length ? String.fromCodePoint(0xf0000 + n) : ''))
      .join(''),
  }));
  return [sampleOf({ parts }, null)];
}

const settle = (pipeline: Pipeline, checkpoint: Checkpoint): Pipeline =>
  isConfirmed(pipeline, checkpoint) ? { ...pipeline, state: 'confirmed' } : pipeline;

const lengthOf = ({ parts }: Prompt) => parts.reduce((sum, { text }) => sum + text.length, 0);

const sameTexts = (a: Prompt, b: Prompt) => a.parts.every(({ text }, n) => text === b.parts[n]?.text);

/** Whether two prompts say the same words, in whatever order: a case asked once more, or with its options exchanged. */
function isSameCase(a: Prompt, b: Prompt): boolean {
  if (lengthOf(a) !== lengthOf(b)) return false;
  const sortedWords = ({ parts }: Prompt) =>
    parts
      .flatMap(({ text }) => text.match(/[\p{L}\p{N}]+/gu) ?? [])
      .sort()
      .join(' ');
  return sameTexts(a, b) || sortedWords(a) === sortedWords(b);
}

/** The template's own words. */
export const wordsOf = ({ parts }: { readonly parts: readonly Pick<LearnedPart, 'literals'>[] }): string =>
  parts.map(({ literals }) => literals.join('\n')).join('\n');

/** Letters and digits in a template's literals; a sign that is a syllable or a word counts as two. */
export function weightOf(template: Template): number {
  const said = wordsOf(template);
  return (said.match(/[\p{L}\p{N}]/gu)?.length ?? 0) + (said.match(new RegExp(CJK, 'gu'))?.length ?? 0);
}

/**
 * The template of several prompts of one pipeline.
 *
 * @param prompts two or more, with the same roles
 * @param guesses what was read in each of them without a template, in the same order
 */
export const learnTemplate = (
  name: string,
  prompts: readonly Prompt[],
  guesses: readonly (Case | null)[] = [],
): Template => runSteps(templateSteps(name, prompts, guesses, [], unlimited));

function* templateSteps(
  name: string,
  prompts: readonly Prompt[],
  guesses: readonly (Case | null)[],
  replies: readonly string[],
  checkpoint: Checkpoint,
): Generator<void, Template> {
  const [first] = prompts;
  const learned: LearnedPart[] = [];
  const learnedFrom: (readonly string[])[] = [];
  for (const [part, { role }] of (first?.parts ?? []).entries()) {
    const given = prompts.map(({ parts }) => parts[part]?.text ?? '');
    let texts = withEvenLists(given);
    let literals = yield* literalSteps(texts, checkpoint);
    // A list whose second entry is empty leaves no slot in which the others could stand.
    if (given.some((text) => !matchLiterals(text, literals))) {
      texts = given;
      literals = yield* literalSteps(texts, checkpoint);
    }
    learnedFrom.push(texts);
    yield;
    learned.push({ role, literals, values: valuesIn(literals, texts) });
    yield;
  }
  const slots = rolesOf(learned, seenRoles(learned, prompts, guesses), replies);
  const parts = learned.map(({ role, literals }, n) => {
    const own = slots[n] ?? [];
    return { role, literals: withoutOpenings(literals, own, learnedFrom[n] ?? []), slots: own };
  });
  return { name, parts, ...(hasMore({ name, parts, more: true }, prompts) && { more: true }) };
}

/** Longer lists of options that are seen before they are believed: one may be an answer that names the next option. */
const LEAST_LONGER = 2;

/** Whether the template's options are the first two of a list whose length differs from request to request. */
function hasMore(template: Template, prompts: readonly Prompt[]): boolean {
  if (countLabels(template.parts.map(({ slots }) => slots)) !== 2) return false;
  const counts = prompts.map((prompt) => {
    const match = matchTemplate(template, prompt);
    return match?.kind === 'slots' ? countLabels([match.slots]) : 0;
  });
  return !counts.includes(0) && counts.filter((count) => count > 2).length >= LEAST_LONGER;
}

/** By the names in the literals; where the judge chose between more texts in its replies than these tell of, by what it said. */
function rolesOf(
  parts: readonly LearnedPart[],
  seen: readonly SeenRole[],
  replies: readonly string[],
): Slot[][] {
  const replied = kindReplied(replies, wordsOf({ parts }));
  const slots = assignRoles(parts, seen, replied);
  const chosen = optionsInReplies(parts, replies);
  const asides = seen.filter(
    ({ role, part, slot }) =>
      role !== 'option' && !chosen.some((one) => one.part === part && one.slot === slot),
  );
  const named =
    chosen.length > countLabels(slots) ? assignRoles(parts, [...asides, ...chosen], replied) : slots;
  return named.map((own, part) =>
    own.map((slot, n) => {
      const { literals = [], values = [] } = parts[part] ?? {};
      const isQuote = slot.encoding === 'json' && !isInJson(literals[n] ?? '', values[n] ?? []);
      return isQuote ? { ...slot, encoding: 'plain' } : slot;
    }),
  );
}

/** How many options there are. */
const countLabels = (slots: readonly (readonly Slot[])[]) =>
  new Set(slots.flat().flatMap(({ role, label }) => (role === 'option' ? [label] : []))).size;

/** The template with the options that the replies name, where its own words name none. */
export function withOptionsReplied(pipeline: Pipeline): Template | null {
  const { template } = pipeline;
  if (!template || template.verdict) return template;
  const named = withOwnRoles(pipeline, template);
  const count = ({ parts }: Template) => countLabels(parts.map(({ slots }) => slots));
  return count(named) > count(template) ? named : template;
}

/** A template of the pipeline with its slots named by its own words, the guesses and the replies. */
export function withOwnRoles({ samples, answers = [] }: Pipeline, template: Template): Template {
  const parts = learnedParts(template, samples);
  const seen = seenRoles(
    parts,
    samples.map(({ prompt }) => prompt),
    samples.map(({ guess }) => guess),
  );
  const slots = rolesOf(parts, seen, answers);
  return { ...template, parts: template.parts.map((part, n) => ({ ...part, slots: slots[n] ?? [] })) };
}

/** The literals less the openings of answers at their ends, where all requests are still read for certain. */
function withoutOpenings(
  literals: readonly string[],
  slots: readonly Slot[],
  texts: readonly string[],
): readonly string[] {
  const certain = (all: readonly string[]) =>
    texts.flatMap((text) => matchLiterals(text, all) ?? []).filter((at) => at !== null).length;
  const better = (changed: readonly string[], than: readonly string[]) =>
    changed.some((literal, n) => literal !== than[n]) && certain(changed) >= certain(than) ? changed : than;
  const isOption = (slot: number) => slots[slot]?.role === 'option';
  const shorter = literals.map((literal, n) =>
    isOption(n) ? literal.slice(0, literal.length - leadOf(literal, slots[n]?.label ?? '').opening) : literal,
  );
  return better(shorter, literals);
}

/** For each slot the values that it has in the texts, less those whose edges are not certain. */
function valuesIn(literals: readonly string[], texts: readonly string[]): string[][] {
  const matches = texts.map(
    (text) => matchLiterals(text, literals)?.map((at) => at && text.slice(at.start, at.end)) ?? [],
  );
  return literals.slice(1).map((_, slot) => matches.flatMap((match) => match[slot] ?? []));
}

/**
 * Options and instruction as most of the guesses have them, where these fit the slots to the character.
 *
 * @returns for each part and slot what it is; nothing where the guesses do not fit or do not agree
 */
export function seenRoles(
  parts: readonly LearnedPart[],
  prompts: readonly Prompt[],
  guesses: readonly (Case | null)[],
): SeenRole[] {
  const votes = new Map<string, { roles: SeenRole[]; count: number }>();
  for (const [n, prompt] of prompts.entries()) {
    const guess = guesses[n];
    const roles = guess && rolesIn(parts, prompt, guess);
    if (!roles) continue;
    const key = JSON.stringify(roles);
    votes.set(key, { roles, count: (votes.get(key)?.count ?? 0) + 1 });
  }
  const [best] = [...votes.values()].sort((a, b) => b.count - a.count);
  return best && best.count * 2 > prompts.length ? best.roles : [];
}

function rolesIn(parts: readonly LearnedPart[], prompt: Prompt, guess: Case): SeenRole[] | null {
  const places = parts.flatMap(({ literals }, part) =>
    (matchLiterals(prompt.parts[part]?.text ?? '', literals) ?? []).map((at, slot) => ({ part, slot, at })),
  );
  const slotAt = (span: Span) =>
    places.find(({ part, at }) => part === span.part && at?.start === span.start && at.end === span.end);
  const roles: SeenRole[] = [];
  for (const { label, at, moves } of guess.options) {
    if (moves) return null;
    const place = slotAt(at);
    if (!place) return null;
    const { part, slot } = place;
    roles.push({ part, slot, role: 'option', label: guess.options.length > 1 ? label : '' });
    if (guess.options.length === 1) roles.push(...otherTurns(parts, place));
  }
  const asked = guess.instruction && slotAt(guess.instruction.at);
  if (asked) roles.push({ part: asked.part, slot: asked.slot, role: 'instruction', label: '' });
  return roles;
}

/** Where a turn of the model is judged, its others are, too. */
function otherTurns(
  parts: readonly LearnedPart[],
  { part, slot }: { part: number; slot: number },
): SeenRole[] {
  const learned = parts[part];
  const isModels = (at: number) => learned !== undefined && labelled(learned, part, at).speaker === 'model';
  if (!isModels(slot)) return [];
  return (learned?.values ?? []).flatMap((_, other): SeenRole[] =>
    other !== slot && isModels(other) ? [{ part, slot: other, role: 'option', label: '' }] : [],
  );
}

/** What can keep a template from acting, in the order in which it is looked for. */
type Obstacle = 'disputed' | 'replies' | 'cases' | 'labels' | 'exchange' | 'judged' | 'form';

/**
 * What keeps a template from acting. A template acts where no model said that something else is judged (`disputed`) and the
 * replies that came could be read (`replies`). It reads three different cases (`cases`), each to a case with certain slots. The
 * literals beside its options are alike (`labels`). Options that are exchanged are read as exchanged, and exchanged again
 * give the same prompt (`exchange`). Nothing leaves a doubt about what is judged (`judged`) or how the verdict is given (`form`).
 *
 * @returns null where nothing does
 */
function obstacleOf(pipeline: Pipeline, checkpoint: Checkpoint = unlimited): Obstacle | null {
  const { template, samples, origin, reader } = pipeline;
  if (!template) return 'cases';
  if (reader?.outcome === 'disputed' && reader.of === shapeOf(template)) return 'disputed';
  if (!repliesAreRead(pipeline)) return 'replies';
  if (!optionsAlike(template)) return 'labels';
  const cases = casesIn(template, samples, origin.schema, checkpoint);
  const isClear = () =>
    wasNamed(pipeline, template)
      ? hasOneOption(template) || isSetApart(pipeline, template, true)
      : isUnmistakable(pipeline, template);
  // No verdict fits a text that is not what is judged: then the form is not what is open.
  if (cases.length > 0 && cases.every((subject) => subject === null)) return isClear() ? 'form' : 'judged';
  if (!differ(cases)) return 'cases';
  if (!readsCleanly(template, samples, origin.schema, checkpoint)) return 'exchange';
  if (!isClear()) return 'judged';
  return isFormEvident(pipeline, template) ? null : 'form';
}

/** What keeps a template from acting, and what helps. */
const WHY: Readonly<Record<Obstacle, string>> = {
  disputed: 'its own words and the model that was asked do not agree on what is judged',
  replies: 'fewer than 95 % of the replies that came could be read as a verdict in the form that it asks for',
  cases: `not ${CASES_TO_CONFIRM} different cases were found with slots whose edges are certain`,
  labels: 'what stands in front of its options, or behind them, is not the same for all of them',
  exchange:
    'no verdict is asked for that fits its options, or the options could not be exchanged for certain',
  judged:
    'it is not certain which of its slots is judged: no name says so. REMAND_READER_MODEL=judge has the proxy ask the judge once',
  form: 'the prompt does not say plainly how the verdict is written; in front of a judge its replies tell after the first few',
};

/** @returns why a learned template does not act, as a clause; null where it is confirmed, or a person decided */
export function explainOpen(pipeline: Pipeline): string | null {
  const { state, reader, samples, template } = pipeline;
  if (state !== 'learning') return null;
  const judges = template?.parts.some(({ slots }) => slots.some(({ role }) => role === 'option'));
  const why =
    samples.length < CASES_TO_CONFIRM
      ? `it takes ${CASES_TO_CONFIRM} different requests to confirm it, and ${samples.length} were given`
      : judges
        ? WHY[obstacleOf(pipeline) ?? 'cases']
        : 'none of its slots is known to hold what is judged';
  return reader?.reason ? `${why}; asked about it, ${reader.model} was no help: ${reader.reason}` : why;
}

/** Whether a template may act. */
export const isConfirmed = (pipeline: Pipeline, checkpoint: Checkpoint = unlimited): boolean =>
  obstacleOf(pipeline, checkpoint) === null;

/**
 * Whether it is evident how the verdict is given, so that a prompt that asks for none is left alone: the request says it
 * plainly, or the replies that came are read by it, which do not all say the same where one answer is judged.
 */
function isFormEvident({ samples, origin, answers = [] }: Pipeline, template: Template): boolean {
  if (template.verdict) return true;
  const prompt = template.more ? longestCase(template, samples) : samples[0]?.prompt;
  const { source, subject } = (prompt && formSourceOf(template, prompt, origin.schema)) ?? {};
  if (!source || !subject) return false;
  const labels = subject.options.map(({ label }) => label);
  const all = verdictsIn(subject.form, answers, labels);
  const read = all.filter(isUnderstood).length;
  // Whatever the request seems to ask for: what is never replied is not asked for.
  if (answers.length >= LEAST_REPLIES && read * 2 < answers.length) return false;
  if (saysFormPlainly(source)) return true;
  const verdicts = new Set(all.map((verdict) => JSON.stringify(verdict)));
  // A judge that always chooses what stands first is one; of one answer, what is always said may be no verdict.
  const tells = verdicts.size > 1 || labels.length > 1;
  return answers.length >= LEAST_REPLIES && tells && readsReplies(subject.form, answers, labels);
}

/** The prompt with the most options, as replies may name each of them. */
export function longestCase(template: Template, samples: readonly Sample[]): Prompt | undefined {
  const count = (prompt: Prompt) => matchTemplate(template, prompt)?.slots.length ?? 0;
  return samples.map(({ prompt }) => prompt).toSorted((a, b) => count(b) - count(a))[0];
}

/** What the form of a template's verdicts is read from, and the case with it; null where the prompt is not certain. */
export function formSourceOf(
  template: Template,
  prompt: Prompt,
  schema: unknown,
): { readonly source: FormSource; readonly subject: Case | null } | null {
  const match = matchTemplate(template, prompt);
  const finding = match?.kind === 'slots' ? findingOf(template, match) : null;
  if (!finding) return null;
  const sources: FormSource[] = [];
  const formOf = (source: FormSource) => {
    sources.push(source);
    return formByAlternatives(source);
  };
  const subject = caseOf(prompt, { ...finding, formOf }, schema);
  const [source] = sources;
  return source ? { source, subject } : null;
}

/** Whether one answer is judged, of which a conversation may have several turns: nothing is exchanged then. */
const hasOneOption = ({ parts }: Template) => countLabels(parts.map(({ slots }) => slots)) === 1;

/** Whether a model named the slots of this very state of the template. */
const wasNamed = ({ reader }: Pipeline, template: Template) =>
  reader?.outcome === 'named' && reader.of === shapeOf(template);

/** What a template reads in those requests in which every slot is certain; null where it reads no case in one. */
export const casesIn = (
  template: Template,
  samples: readonly Sample[],
  schema: unknown,
  checkpoint: Checkpoint = unlimited,
): (Case | null)[] =>
  samples.flatMap(({ prompt }) => {
    checkpoint();
    const match = matchTemplate(template, prompt);
    const finding = match?.kind === 'slots' ? findingOf(template, match) : null;
    return finding ? [caseOf(prompt, finding, schema, checkpoint)] : [];
  });

/** Whether three of the requests are different cases. */
function differ(cases: readonly (Case | null)[]): boolean {
  const texts = new Set(cases.map((subject) => JSON.stringify(subject?.options.map(({ text }) => text))));
  return texts.size >= CASES_TO_CONFIRM;
}

/** Whether a template reads a case in every request in which its slots are certain, and exchanged options as exchanged. */
export function readsCleanly(
  template: Template,
  samples: readonly Sample[],
  schema: unknown,
  checkpoint: Checkpoint = unlimited,
): boolean {
  const cases = casesIn(template, samples, schema, checkpoint);
  return (
    cases.length > 0 &&
    cases.every(
      (subject) =>
        subject !== null &&
        suitsForm(subject, template) &&
        exchangesCleanly(subject, template, schema, checkpoint),
    )
  );
}

/**
 * Whether the verdict that is asked for is one on these options: nobody chooses one of one, and what is chosen is named.
 * Of a form that the template tells somebody has said which label is which option.
 */
function suitsForm({ options, form }: Case, { verdict }: Template): boolean {
  const among = ['choice', 'ranking', 'scores', 'list'].includes(form.kind);
  if (options.length < 2) {
    // `first` or `second` is said of two texts, whatever they are called.
    const counts = form.kind === 'category' && countsOptions(form.write.labels);
    return form.kind !== 'choice' && form.kind !== 'ranking' && !counts;
  }
  // Labels that say by how much an option is better have its name in them.
  const isTold =
    form.kind !== 'choice' || !form.write || form.write.strong !== undefined || verdict !== undefined;
  return among && (isTold || namesOptions(keysOf(form.write) ?? form.write.labels, options));
}

/** Whether labels name one of several by its place: `first` and `second`, `row 1`, `row 2` and `row both`. */
function countsOptions(labels: readonly string[]): boolean {
  const [first = [], ...others] = labels.map((label) => label.trim().split(/\s+/));
  const noun = first.length > 1 ? first[0] : undefined;
  if (noun === undefined) return spellsOut(labels) && beginsAnOrder(labels);
  return others.every((words) => words[0] === noun) && beginsAnOrder(labels.slice(0, 2).map(lastWord));
}

const lastWord = (label: string) => label.trim().split(/\s+/).at(-1) ?? '';

/** Whether labels of a verdict are the options' names, in their order, or count the options. */
function namesOptions(labels: readonly string[], options: Case['options']): boolean {
  const keys = (texts: readonly string[]) => texts.map((text) => lowerCased(labelKey(text)));
  const [written, names] = [keys(labels), keys(options.map(({ label }) => label))];
  const alike = written.every((key, n) => {
    const name = names[n] ?? '';
    return key === name || (Math.min(key.length, name.length) > 2 && haveOneStem(key, name));
  });
  // `first` may be called 1; the turns of a conversation are numbered, too, and their speakers called A and B.
  return (
    alike ||
    // Whether the first is better than the second.
    written.join() === 'yes,no' ||
    (beginsAnOrder(written) && (!beginsAnOrder(names) || (areLetters(written) && areLetters(names)))) ||
    (spellsOut(written) !== spellsOut(names) && beginsAnOrder(written))
  );
}

/** A judge may write A and B for А and Б. */
const areLetters = (keys: readonly string[]) => keys.every((key) => /^\p{L}$/u.test(key));

/** `left` of `left draft`, `links` of `linkes`. */
function haveOneStem(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  const stem = shorter > 4 ? shorter - 1 : shorter;
  return a.slice(0, stem) === b.slice(0, stem);
}

const spellsOut = (keys: readonly string[]) => keys.every((key) => key.length > 2);

/** Whether it is known what is judged, by whatever witness. */
export const isUnmistakable = (
  pipeline: Pick<Pipeline, 'samples' | 'origin' | 'answers'>,
  template: Template,
): boolean => witnessOf(pipeline, template) !== null;

/**
 * How well it is known which texts are judged: by their names and places, and by what the general readers found in most of
 * the requests.
 *
 * @returns `likely` for options whose names leave a doubt; null where it is not known
 */
export function witnessOf(
  pipeline: Pick<Pipeline, 'samples' | 'origin' | 'answers'>,
  template: Template,
): 'certain' | 'likely' | null {
  if (!isSetApart(pipeline, template)) return null;
  const { samples, origin, answers = [] } = pipeline;
  const prompts = samples.map(({ prompt }) => prompt);
  const parts = learnedParts(template, samples);
  const slots = template.parts.map(({ slots: some }) => some);
  if (samples.some((sample) => isFoundElsewhere(sample, template))) return null;
  const certainty = certaintyOf(parts, slots, kindReplied(answers, wordsOf(template)));
  const told = seenRoles(
    parts,
    prompts,
    samples.map(({ guess }) => guess),
  );
  const found = told.filter(({ role }) => role === 'option');
  if (countLabels(slots) > 1) {
    if (certainty >= CERTAIN) return 'certain';
    // Of each of several criteria there is a verdict, too: then they are no options.
    if (casesIn(template, samples, origin.schema)[0]?.form.kind === 'list') return null;
    const named = [found, optionsInReplies(parts, answers)];
    return certainty >= LIKELY || named.some((some) => areOptions(slots, some)) ? 'likely' : null;
  }
  // A verdict on each of several things is one on each claim of a text, or on each text of a list.
  const form = casesIn(template, samples, origin.schema)[0]?.form;
  const ofEach =
    form?.kind === 'list' && form.fields === null && (form.template ?? '{}').split('{}').length === 2;
  if (!holdsOneAnswer(parts, slots) && !(ofEach && holdsList(parts, slots))) return null;
  return (found.length > 0 && !ofEach) || certainty >= CERTAIN ? 'certain' : null;
}

/** Whether the options are those that another witness has found, and no others. */
function areOptions(
  slots: readonly (readonly Slot[])[],
  found: readonly { readonly part: number; readonly slot: number }[],
): boolean {
  const isFound = (part: number, slot: number) => found.some((one) => one.part === part && one.slot === slot);
  return (
    found.length > 0 &&
    slots.every((own, part) => own.every(({ role }, slot) => (role === 'option') === isFound(part, slot)))
  );
}

/** Whether the first guess found what is judged in another text than the template does: then one of the two is wrong. */
function isFoundElsewhere({ prompt, guess }: Sample, template: Template): boolean {
  const slots = matchTemplate(template, prompt)?.slots ?? [];
  return (guess?.options ?? []).some(({ at }) =>
    slots.some(
      ({ role, part, at: slot }) =>
        role !== 'option' && part === at.part && slot && slot.start <= at.start && at.end <= slot.end,
    ),
  );
}

/** Whether what is judged is set apart from all else that varies, whoever named it. */
const isSetApart = ({ samples }: Pick<Pipeline, 'samples'>, template: Template, isNamed = false): boolean =>
  standApart(
    learnedParts(template, samples),
    template.parts.map(({ slots }) => slots),
    isNamed,
  );

/** Messages of a template with what stood in their slots. */
export const learnedParts = (
  { parts, more }: Pick<Template, 'parts' | 'more'>,
  samples: readonly Sample[],
): LearnedPart[] =>
  parts.map(({ role, literals }, part) => {
    const texts = samples.map(({ prompt }) => prompt.parts[part]?.text ?? '');
    return { role, literals, values: valuesIn(literals, more ? withEvenLists(texts) : texts) };
  });

/** Whether a verdict was read in nearly all replies so far. */
export const repliesAreRead = ({ replies, repliesRead }: Pick<Pipeline, 'replies' | 'repliesRead'>) =>
  repliesRead >= LEAST_READ * replies;

function exchangesCleanly(
  subject: Case,
  template: Template,
  schema: unknown,
  checkpoint: Checkpoint,
): boolean {
  checkpoint();
  if (subject.options.length < 2)
    return applyEdits(subject.prompt, editsFor(subject, asGiven(subject))) !== null;
  const exchanged = applyEdits(subject.prompt, editsFor(subject, reversed(subject)));
  const match = matchTemplate(template, exchanged);
  const finding = match?.kind === 'slots' ? findingOf(template, match) : null;
  const again = finding && caseOf(exchanged, finding, schema, checkpoint);
  if (!again) return false;
  const back = applyEdits(exchanged, editsFor(again, reversed(again)));
  return (
    piecesOf(again).join('\0') === piecesOf(subject).toReversed().join('\0') &&
    sameTexts(back, subject.prompt)
  );
}

/** What is exchanged of each option. */
const piecesOf = ({ options, prompt }: Case) =>
  options.map(({ at, moves = [at] }) =>
    moves.map(({ part, start, end }) => prompt.parts[part]?.text.slice(start, end)).join('\0'),
  );
