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
import { rolesOfLabel } from '../vocabulary.ts';
import { nameOfLine, namesText } from './align/shared-lines.ts';
import { hasWord } from './align/tokens.ts';
import { optionsAlike } from './alike.ts';
import { isConfirmed, isCut, repliesAreRead, settle } from './confirmation.ts';
import { findingOf } from './finding.ts';
import { learnedParts, templateSteps, withOwnRoles } from './learned-template.ts';
import { matchTemplate, type TemplateMatch } from './match.ts';
import { type Pieces, piecesOf, sharedBy, sharesPrompt } from './one-prompt.ts';
import {
  CASES_TO_CONFIRM,
  lettersIn,
  type Origin,
  optionCount,
  type Pipeline,
  type Sample,
  sameLiterals,
  sameTexts,
  sampleOf,
  shapeOf,
  weightOf,
  wordsOf,
} from './pipeline.ts';
import { labelled } from './roles/slot-names.ts';
import type { Slot, Template } from './template.ts';

/** Requests kept of each pipeline to learn from. */
export const MOST_SAMPLES = 5;
/** Requests kept of one whose template fits, but is not confirmed by the first: they may all have by chance what raises a doubt. */
const MOST_IN_DOUBT = 12;
/** Characters of a prompt that is learned from; longer prompts are only matched. */
export const LONGEST_LEARNED = 32 * 1024;
/** Pipelines that a request is aligned with: those that share most of its lines. */
const MOST_ALIGNED = 2;
/** Pipelines in which requests of the same prompt are looked for. */
const MOST_SEARCHED = 6;
/** Of what a request shares with another one of its prompt it shares so much with each. */
const SAME_PROMPT = 0.9;
/** Share of a template's literal text that must still be literal when a request is added to the pipeline. */
const LEAST_KEPT = 0.6;
/** The same for a request that is read at once, before others have borne it out. */
const LEAST_KEPT_AT_ONCE = 0.8;
/** Characters of a prompt that is aligned while its client waits. */
const LONGEST_EXTENDED = 16 * 1024;
/** Characters of a prompt that is aligned with two others at once: of longer ones two share enough. */
const LONGEST_ALONE = 4 * 1024;
/** Letters and digits that two requests must share to be of one pipeline; fewer where three labels or more are shared. */
const LEAST_SHARED = 20;
const LEAST_SHARED_LABELLED = 12;
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

/** Adds a request to the pipeline that it belongs to, at one go: see `learnFromSteps`. */
export const learnFrom = (
  pipelines: readonly Pipeline[],
  origin: Origin,
  sample: Sample,
  id: () => string,
): Pipeline | null => runSteps(learnFromSteps(pipelines, origin, sample, id, unlimited))?.pipeline ?? null;

export interface Learned {
  /** The pipeline of the request, as it is now. */
  readonly pipeline: Pipeline;
  /** Pipelines that requests were taken from, because they are of this one; one without requests is gone. */
  readonly left?: readonly Pipeline[];
}

/**
 * Adds a request to the pipeline that it belongs to, in steps.
 *
 * @param pipelines of the same origin as the request
 * @param id gives the id of a new pipeline, where it belongs to none
 * @param checkpoint called between the parts of a step; what it throws ends the learning
 */
export function* learnFromSteps(
  pipelines: readonly Pipeline[],
  origin: Origin,
  sample: Sample,
  id: () => string,
  checkpoint: Checkpoint,
): Generator<void, Learned | null> {
  const { prompt } = sample;
  if (lengthOf(prompt) > LONGEST_LEARNED) return null;
  const known = matchPipelines(pipelines, prompt, checkpoint);
  if (known) {
    const pipeline = yield* withSample(known, sample, checkpoint);
    return (yield* ofOneWording(pipeline, sample, id, checkpoint)) ?? { pipeline };
  }
  const rejected = pipelines.find(
    ({ state, template }) => state === 'rejected' && template && matchTemplate(template, prompt),
  );
  // A template that a person rejected is not learned anew from the next requests.
  if (rejected) return { pipeline: { ...rejected, requests: rejected.requests + 1 } };
  // Both orders of one case share all of their texts, which are no template.
  const before = pipelines.find(({ samples }) => samples.some((one) => isSameCase(one.prompt, prompt)));
  if (before) return { pipeline: { ...before, requests: before.requests + 1 } };
  const apart = yield* ofOnePrompt(pipelines, origin, sample, id, checkpoint);
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

/**
 * A pipeline of one request or two with the latest that stand alone, three in all: of a short prompt on one line three tell
 * what two leave open.
 */
function* withThoseAlone(
  pipelines: readonly Pipeline[],
  own: Pipeline,
  checkpoint: Checkpoint,
): Generator<void, Learned | null> {
  const missing = CASES_TO_CONFIRM - own.samples.length;
  if (missing < 1) return null;
  const alone = pipelines.filter((one) => one.samples.length === 1 && !one.template && one.id !== own.id);
  const taken = alone.slice(-missing);
  const samples = [...own.samples, ...taken.flatMap((one) => one.samples)];
  const areShort = samples.every(({ prompt }) => lengthOf(prompt) <= LONGEST_ALONE);
  if (taken.length < missing || !areShort) return null;
  const answers = [...taken, own].flatMap((one) => one.answers ?? []);
  const [last] = samples.slice(-1);
  const whole = { ...own, samples: samples.slice(0, -1), requests: own.requests + taken.length - 1, answers };
  const extended = last && (yield* extend(whole, last, checkpoint));
  const { template } = extended?.pipeline ?? {};
  return extended && template && namesAnswer({ ...extended.pipeline, template })
    ? { pipeline: extended.pipeline, left: taken.map((one) => ({ ...one, samples: [] })) }
    : null;
}

/** A pipeline of which nothing is known but its requests. */
const pipelineOf = (of: Pick<Pipeline, 'id' | 'origin' | 'samples'>): Pipeline => ({
  ...of,
  template: null,
  state: 'learning',
  requests: of.samples.length,
  read: 0,
  replies: 0,
  repliesRead: 0,
});

/** A pipeline of a request and those of the same prompt that others hold. */
function* ofOnePrompt(
  pipelines: readonly Pipeline[],
  origin: Origin,
  sample: Sample,
  id: () => string,
  checkpoint: Checkpoint,
): Generator<void, Learned | null> {
  const held = yield* holdNear(pipelines, sample, checkpoint);
  const taken = yield* takeOfOnePrompt(held, sample, checkpoint);
  if (!taken) return yield* ofOneAmongItems(held, origin, sample, id, checkpoint);
  const { samples, left } = taken;
  const extended = yield* extend(pipelineOf({ id: id(), origin, samples }), sample, checkpoint);
  return extended && { pipeline: extended.pipeline, left };
}

/**
 * A pipeline of the requests that say word for word what this one does in a slot of a template that cannot be confirmed: several
 * prompts have one frame, such as a criterion each. They came between others, as those of one item do not.
 */
function* ofOneWording(
  pipeline: Pipeline,
  sample: Sample,
  id: () => string,
  checkpoint: Checkpoint,
): Generator<void, Learned | null> {
  const { template, state, samples, origin } = pipeline;
  if (!template || state !== 'learning' || samples.length <= MOST_SAMPLES || !samples.includes(sample))
    return null;
  const textsOf = ({ prompt }: Sample) =>
    matchTemplate(template, prompt)?.slots.map(
      ({ part, at }) => at && prompt.parts[part]?.text.slice(at.start, at.end),
    ) ?? [];
  const held = samples.map(textsOf);
  const groups = textsOf(sample)
    .map((text, slot) =>
      text && lettersIn(text) >= LEAST_SHARED ? samples.filter((_, n) => held[n]?.[slot] === text) : [],
    )
    .filter(
      (group) =>
        group.length >= CASES_TO_CONFIRM &&
        isAmongOthers(group, samples) &&
        areOnNewItems(group, samples, textsOf),
    );
  if (groups.length === 0) return null;
  const own = id();
  for (const group of groups) {
    const apart = pipelineOf({ id: own, origin, samples: group });
    const learned = yield* relearn(apart, group.slice(-MOST_SAMPLES), checkpoint);
    yield;
    const isApart = samples.every(
      (one) => group.includes(one) === (matchTemplate(learned, one.prompt) !== null),
    );
    const found = { ...apart, template: learned };
    if (isApart && isCut(found, checkpoint) && namesAnswer(found))
      return { pipeline: settle(found, checkpoint), left: [withoutSamples(pipeline, group)] };
  }
  return null;
}

/** Whether several texts are judged, or a name says of the one that it is: it may be the one prompt's criterion otherwise. */
function namesAnswer({ template, samples }: Pipeline & { readonly template: Template }): boolean {
  if (optionCount(template.parts.map(({ slots }) => slots)) > 1) return true;
  return learnedParts(template, samples).every((part, n) =>
    (template.parts[n]?.slots ?? []).every(
      ({ role }, slot) =>
        role !== 'option' ||
        rolesOfLabel(labelled(part, n, slot).name)
          .flat()
          .includes('answer'),
    ),
  );
}

/** Whether what differs among the requests is said in no other: of an item that comes back nothing tells that it is no prompt. */
function areOnNewItems(
  group: readonly Sample[],
  samples: readonly Sample[],
  textsOf: (sample: Sample) => readonly (string | null | undefined)[],
): boolean {
  const held = samples.map(textsOf);
  const own = group.map(textsOf);
  return (own[0] ?? []).every((first, slot) => {
    if (own.every((texts) => texts[slot] === first)) return true;
    return own.every((texts) => {
      const text = texts[slot] ?? '';
      return lettersIn(text) < LEAST_SHARED || held.filter((one) => one[slot] === text).length === 1;
    });
  });
}

const isAmongOthers = (group: readonly Sample[], samples: readonly Sample[]) =>
  samples
    .slice(
      samples.findIndex((one) => group.includes(one)),
      samples.findLastIndex((one) => group.includes(one)),
    )
    .some((one) => !group.includes(one));

interface Held {
  readonly pipeline: Pipeline;
  readonly sample: Sample;
  readonly pieces: Pieces;
}

/** The requests of the pipelines that share most with this one. */
function* holdNear(
  pipelines: readonly Pipeline[],
  { beginnings }: Sample,
  checkpoint: Checkpoint,
): Generator<void, readonly Held[]> {
  const alike = ({ samples }: Pipeline) =>
    Math.max(0, ...samples.map((one) => one.beginnings.intersection(beginnings).size));
  const near = pipelines
    .filter(({ state }) => state === 'learning' || state === 'confirmed')
    .toSorted((a, b) => alike(b) - alike(a))
    .slice(0, MOST_SEARCHED);
  const held: Held[] = [];
  for (const pipeline of near)
    for (const sample of pipeline.samples) {
      checkpoint();
      held.push({ pipeline, sample, pieces: piecesOf(sample.prompt) });
      yield;
    }
  return held;
}

/**
 * A pipeline of the one request in each of several pipelines that shares more with this one than the others there do: what they
 * share came with several items, so it is their prompt's. What was a pipeline of each item had a template that is not confirmed.
 */
function* ofOneAmongItems(
  held: readonly Held[],
  origin: Origin,
  sample: Sample,
  id: () => string,
  checkpoint: Checkpoint,
): Generator<void, Learned | null> {
  const own = piecesOf(sample.prompt);
  const open = held.filter(({ pipeline }) => pipeline.state === 'learning' && pipeline.decided === undefined);
  const outstanding = Map.groupBy(open, ({ pipeline }) => pipeline)
    .values()
    .flatMap((all) => {
      const [first, second] = all
        .map((one) => ({ one, shared: sharedBy(own, one.pieces) }))
        .sort((a, b) => b.shared - a.shared);
      return first && second && first.shared - second.shared >= LEAST_SHARED ? [first] : [];
    })
    .toArray();
  // One that shares the item with this request shares other words.
  const nearest = outstanding
    .map(({ one, shared }) =>
      outstanding.flatMap((other) =>
        sharedBy(one.pieces, other.one.pieces) >= SAME_PROMPT * shared ? [other.one] : [],
      ),
    )
    .reduce((most, some) => (some.length > most.length ? some : most), []);
  const samples = [...nearest.map((one) => one.sample), sample];
  if (samples.length < CASES_TO_CONFIRM) return null;
  const pipeline = pipelineOf({ id: id(), origin, samples });
  const template = yield* relearn(pipeline, samples.slice(-MOST_SAMPLES), checkpoint);
  yield;
  const isApart = open.every((one) => nearest.includes(one) || !matchTemplate(template, one.sample.prompt));
  const found = { ...pipeline, template };
  if (!isApart || !isCut(found, checkpoint) || !namesAnswer(found)) return null;
  const left = nearest.map((one) => withoutSamples(one.pipeline, [one.sample]));
  return { pipeline: settle(found, checkpoint), left };
}

/** Requests of the same prompt as this one, taken out of pipelines that hold other prompts on the same item. */
function* takeOfOnePrompt(
  held: readonly Held[],
  { prompt }: Sample,
  checkpoint: Checkpoint,
): Generator<void, { readonly samples: readonly Sample[]; readonly left: readonly Pipeline[] } | null> {
  const own = piecesOf(prompt);
  const mixed: Held[] = [];
  for (const all of Map.groupBy(held, ({ pipeline }) => pipeline).values())
    for (const one of all) {
      if (one.pipeline.decided !== undefined) continue;
      checkpoint();
      if (all.some(({ pieces }) => sharesPrompt(one.pieces, own, pieces))) mixed.push(one);
      yield;
    }
  if (mixed.length === 0) return null;
  const most = Math.max(...mixed.map(({ pieces }) => sharedBy(own, pieces)));
  const nearest = mixed.filter(({ pieces }) => sharedBy(own, pieces) >= SAME_PROMPT * most);
  const others = held.filter((one) => !nearest.includes(one));
  for (const { pieces } of nearest) {
    checkpoint();
    if (others.some((other) => sharesPrompt(own, other.pieces, pieces))) return null;
    yield;
  }
  const taken = nearest.map(({ sample }) => sample);
  const left = [...new Set(nearest.map(({ pipeline }) => pipeline))].map((one) => withoutSamples(one, taken));
  return left.some(({ samples }) => samples.length === 0)
    ? null
    : { samples: taken.slice(1 - MOST_SAMPLES), left };
}

/** What is known of the pipeline's replies was told of other prompts, too. */
function withoutSamples({ id, origin, template, samples }: Pipeline, taken: readonly Sample[]): Pipeline {
  const rest = pipelineOf({ id, origin, samples: samples.filter((one) => !taken.includes(one)) });
  return rest.samples.length > 1 ? { ...rest, template } : rest;
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
      const areAlone = optionCount(template.parts.map(({ slots }) => slots)) < 2;
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
  if (optionCount(template.parts.map(({ slots }) => slots)) < 2) return false;
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

const lengthOf = ({ parts }: Prompt) => parts.reduce((sum, { text }) => sum + text.length, 0);

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
