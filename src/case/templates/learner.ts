/**
 * Learning the templates of pipelines from the requests that they send. No model is asked.
 *
 * A request that no known template fits is aligned with what was seen before of the same sort. What is the same in all
 * becomes literal; a literal that turns out to vary becomes a slot. A template acts only once it is confirmed: see
 * `confirmation.ts`.
 */

import { type Checkpoint, ReadingTooLongError, runSteps, unlimited } from '../checkpoint.ts';
import { caseOf } from '../read.ts';
import type { Case, Prompt } from '../types.ts';
import { nameOfLine, namesText } from './align/shared-lines.ts';
import { hasWord } from './align/tokens.ts';
import { optionsAlike } from './alike.ts';
import { isConfirmed, repliesAreRead, settle } from './confirmation.ts';
import { type Extended, extend, MOST_SAMPLES, pipelineOf, relearn, samplesOf, toldBefore } from './extend.ts';
import { findingOf } from './finding.ts';
import { withOwnRoles } from './learned-template.ts';
import { matchTemplate, type TemplateMatch, textIn } from './match.ts';
import { piecesOf, sharedBy, sharesPrompt } from './one-prompt.ts';
import {
  CASES_TO_CONFIRM,
  isSameCase,
  lengthOf,
  optionCount,
  type Pipeline,
  type Sample,
  weightOf,
  wordsOf,
} from './pipeline.ts';
import {
  type Arrival,
  type Learned,
  MOST_SEARCHED,
  ofOnePrompt,
  ofOneWording,
  withThoseAlone,
} from './several-prompts.ts';
import type { Template } from './template.ts';

/** Requests kept of one whose template fits, but is not confirmed by the first: they may all have by chance what raises a doubt. */
const MOST_IN_DOUBT = 12;
/** Characters of a prompt that is learned from; longer prompts are only matched. */
export const LONGEST_LEARNED = 32 * 1024;
/** Pipelines that a request is aligned with: those that share most of its lines. */
const MOST_ALIGNED = 2;
/** The same for a request that is read at once, before others have borne it out. */
const LEAST_KEPT_AT_ONCE = 0.8;
/** Characters of a prompt that is aligned while its client waits. */
const LONGEST_EXTENDED = 16 * 1024;
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
    const { template, state, decided } = pipeline;
    // What is cut within the answers that it saw says less than any other, however many of their sentences it has.
    const isCutAstray = state === 'learning' && template !== null && !optionsAlike(template);
    const said = template ? (isCutAstray ? -1 / weightOf(template) : weightOf(template)) : 0;
    // Of two that say as much the one that a person decided holds.
    const isMore =
      !best || said > most || (said === most && decided !== undefined && !best?.pipeline.decided);
    if (!template || state === 'rejected' || !isMore) continue;
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

/**
 * Adds a request to the pipeline that it belongs to, in steps.
 *
 * @param pipelines of the same origin as the request
 */
export function* learnFromSteps(
  pipelines: readonly Pipeline[],
  arrival: Arrival,
): Generator<void, Learned | null> {
  const { origin, sample, id, checkpoint } = arrival;
  const { prompt } = sample;
  if (lengthOf(prompt) > LONGEST_LEARNED) return null;
  const known = matchPipelines(pipelines, prompt, checkpoint);
  if (known) {
    const pipeline = yield* withSample(known, sample, checkpoint);
    return (yield* ofOneWording(pipeline, arrival)) ?? { pipeline };
  }
  const rejected = pipelines.find(
    ({ state, template }) => state === 'rejected' && template && matchTemplate(template, prompt),
  );
  // A template that a person rejected is not learned anew from the next requests.
  if (rejected) return { pipeline: { ...rejected, requests: rejected.requests + 1 } };
  // Both orders of one case share all of their texts, which are no template.
  const before = pipelines.find(({ samples }) => samples.some((one) => isSameCase(one.prompt, prompt)));
  if (before) return { pipeline: { ...before, requests: before.requests + 1 } };
  const apart = yield* ofOnePrompt(pipelines, arrival);
  if (apart) return apart;
  const own = piecesOf(prompt);
  const lastOf = ({ samples }: Pipeline) => piecesOf(samples.at(-1)?.prompt ?? prompt);
  let best: { readonly pipeline: Pipeline; readonly extended: Extended } | null = null;
  for (const pipeline of likeliest(pipelines, sample)) {
    const extended = yield* extend(pipeline, sample, checkpoint);
    if (!extended) continue;
    const isNearer =
      !best ||
      sharesPrompt(own, lastOf(pipeline), lastOf(best.pipeline)) ||
      (extended.kept > best.extended.kept && !sharesPrompt(own, lastOf(best.pipeline), lastOf(pipeline)));
    if (isNearer) best = { pipeline, extended };
  }
  const pipeline = best?.extended.pipeline ?? pipelineOf({ id: id(), origin, samples: [sample] });
  return (yield* withThoseAlone(pipelines, pipeline, checkpoint)) ?? { pipeline };
}

/** The pipelines that share most of a request's lines. */
function likeliest(pipelines: readonly Pipeline[], { prompt, beginnings }: Sample): Pipeline[] {
  const all = pipelines
    .map((pipeline) => {
      const [sample] = samplesOf(pipeline);
      return {
        pipeline,
        sample,
        alike: [...(sample?.beginnings ?? [])].filter((line) => beginnings.has(line)).length,
      };
    })
    .sort((a, b) => b.alike - a.alike);
  const [first, second] = all;
  const isSettled = ({ pipeline }: (typeof all)[number]) => pipeline.state !== 'learning';
  if (!first || !second || !isSettled(first) || !isSettled(second))
    return all.slice(0, MOST_ALIGNED).map(({ pipeline }) => pipeline);
  // Templates that are known did not fit. Of others whose lines begin as theirs do the one that shares most of its words.
  const open = all.filter((one) => one.alike === second.alike && !isSettled(one)).slice(-MOST_SEARCHED);
  if (open.length === 0) return [first.pipeline, second.pipeline];
  const own = piecesOf(prompt);
  const [nearest] = open
    .map(({ pipeline, sample }) => ({
      pipeline,
      shared: sample ? sharedBy(own, piecesOf(sample.prompt)) : 0,
    }))
    .sort((a, b) => b.shared - a.shared);
  return [first.pipeline, nearest?.pipeline ?? second.pipeline];
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
  const isKnownCase = pipeline.samples.some(({ prompt }) => isSameCase(prompt, sample.prompt));
  if (pipeline.samples.length >= MOST_SAMPLES) {
    const beside = pipeline.state === 'learning' ? besideItsLike(pipeline, match, sample) : null;
    if (beside) return settle(withRolesOf({ ...counted, samples: beside }), checkpoint);
    if (!isLookDue(counted)) return counted;
    if (pipeline.samples.length >= MOST_IN_DOUBT || isKnownCase) return settle(counted, checkpoint);
    const more = withRolesOf({ ...counted, samples: [...pipeline.samples, sample] });
    yield;
    return yield* withoutOdd(settle(more, checkpoint), checkpoint);
  }
  if (isKnownCase) return counted;
  const samples = [...samplesOf(pipeline), sample];
  const template = yield* relearn(pipeline, samples, checkpoint);
  yield;
  if (pipeline.state === 'learning')
    return yield* withoutOdd(settle({ ...counted, samples, template }, checkpoint), checkpoint);
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
    return match?.kind === 'slots' ? match.slots.map((slot) => textIn(prompt, slot)) : null;
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

/**
 * The pipeline without the requests that keep it from being confirmed: a section is missing in them, say. They are left out where
 * the others alone confirm a template that fits none of them.
 */
function* withoutOdd(pipeline: Pipeline, checkpoint: Checkpoint): Generator<void, Pipeline> {
  const { samples, state } = pipeline;
  if (state !== 'learning' || samples.length <= CASES_TO_CONFIRM) return pipeline;
  try {
    for (const group of groupsAmong(samples)) {
      const template = yield* relearn(pipeline, group.slice(-MOST_SAMPLES), checkpoint);
      yield;
      // Of single answers those that are set out alike share names, too.
      const areAlone = optionCount(template.parts) < 2;
      if (areAlone && (samples.length > MOST_SAMPLES || group.length < samples.length - 1)) continue;
      const isApart = samples.every(
        (one) => group.includes(one) === (matchTemplate(template, one.prompt) !== null),
      );
      const settled = isApart && settle({ ...pipeline, samples: group, template }, checkpoint);
      if (settled && settled.state === 'confirmed') return settled;
    }
  } catch (error) {
    // What was learned before the time was up holds.
    if (!(error instanceof ReadingTooLongError)) throw error;
  }
  return pipeline;
}

/** Groups of requests that are tried: each costs an alignment. */
const MOST_GROUPS = 8;

/** Of few requests all but one, and those that have a line with the same name in common, the largest groups first. */
function groupsAmong(samples: readonly Sample[]): readonly (readonly Sample[])[] {
  const named = Map.groupBy(
    samples.flatMap((sample) => [...namesIn(sample)].map((name) => ({ sample, name }))),
    ({ name }) => name,
  );
  const groups = [
    ...(samples.length > MOST_SAMPLES ? [] : samples.map((odd) => samples.filter((one) => one !== odd))),
    ...named.values().map((some) => some.map(({ sample }) => sample)),
  ].filter(({ length }) => length >= CASES_TO_CONFIRM && length < samples.length);
  const apart = new Map(groups.map((group) => [group.map((one) => samples.indexOf(one)).join(), group]));
  return [...apart.values()].sort((a, b) => b.length - a.length).slice(0, MOST_GROUPS);
}

/** What names the lines of a request. */
const namesIn = ({ prompt }: Sample): ReadonlySet<string> =>
  new Set(
    prompt.parts.flatMap(({ text }) => text.split('\n', 500).flatMap((line) => nameOfLine(line) ?? [])),
  );

/**
 * Two pipelines made one: the template of one, the whole, reads all requests of the other, the part, and their requests together
 * confirm it. Each had the requests whose answers share a sentence, say. What names a text of the part is no such sentence, unless
 * several of the answers have it; of a part that was confirmed that holds for all of its words.
 *
 * @param pipelines of the same origin
 * @param learned the one that a request was added to
 */
export function joinTwo(
  pipelines: readonly Pipeline[],
  learned: Pipeline,
  checkpoint: Checkpoint,
): { readonly whole: Pipeline; readonly part: Pipeline } | null {
  if (!isLookDue(learned)) return null;
  const others = pipelines.filter(({ id }) => id !== learned.id);
  for (const [whole, part] of others.flatMap((one) => [[one, learned] as const, [learned, one] as const])) {
    const samples = [...whole.samples, ...part.samples];
    if (!mayBePart(part) || !readsAll(whole, part, samples)) continue;
    if (!isConfirmed({ ...whole, samples }, checkpoint)) continue;
    const half = MOST_IN_DOUBT / 2;
    const joined = {
      ...whole,
      state: whole.state === 'learning' ? ('confirmed' as const) : whole.state,
      samples: [...whole.samples.slice(-half), ...part.samples.slice(-half)],
      requests: whole.requests + part.requests,
      read: whole.read + part.read,
    };
    return { whole: joined, part };
  }
  return null;
}

const mayBePart = (part: Pipeline) =>
  (part.state === 'learning' || part.state === 'confirmed') &&
  part.samples.length >= CASES_TO_CONFIRM &&
  part.decided === undefined &&
  part.reader?.outcome !== 'disputed' &&
  repliesAreRead(part);

/** Whether a template of several options reads all requests of another pipeline, whose own words beside it are the answers'. */
function readsAll(whole: Pipeline, part: Pipeline, samples: readonly Sample[]): boolean {
  const { template, state } = whole;
  if (!template || !part.template || state === 'rejected') return false;
  if (optionCount(template.parts) < 2) return false;
  const matches = samples.map(({ prompt }) => matchTemplate(template, prompt));
  if (!matches.slice(whole.samples.length).every((match) => match !== null)) return false;
  const own = linesOf(template);
  const more = [...linesOf(part.template)].filter(
    (line) => !own.has(line) && (part.state === 'confirmed' || namesText(line)),
  );
  const options = samples.flatMap(({ prompt }, n) =>
    (matches[n]?.slots ?? []).flatMap(({ role, label, part: at, at: span }) =>
      role === 'option' && span ? [{ label, text: prompt.parts[at]?.text.slice(span.start, span.end) }] : [],
    ),
  );
  return more.every(
    (line) => new Set(options.flatMap(({ label, text }) => (text?.includes(line) ? label : []))).size > 1,
  );
}

/** The lines of a template's own words. */
const linesOf = (template: Template): ReadonlySet<string> =>
  new Set(
    wordsOf(template)
      .split('\n')
      .filter(hasWord)
      .map((line) => line.trim()),
  );
