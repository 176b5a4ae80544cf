/** Which of the requests that pipelines hold are written with one prompt, where several prompts judge one item or have one frame. */

import type { Checkpoint } from '../checkpoint.ts';
import { rolesOfLabel } from '../words/vocabulary.ts';
import { isCut, settle } from './confirmation.ts';
import { extend, MOST_SAMPLES, pipelineOf, relearn } from './extend.ts';
import { learnedParts } from './learned-template.ts';
import { matchTemplate, textIn } from './match.ts';
import { LEAST_TELLING, type Pieces, piecesOf, sharedBy, sharesPrompt } from './one-prompt.ts';
import {
  CASES_TO_CONFIRM,
  lengthOf,
  lettersIn,
  type Origin,
  optionCount,
  type Pipeline,
  type Sample,
} from './pipeline.ts';
import { labelled } from './roles/slot-names.ts';
import type { Template } from './template.ts';

/** Pipelines in which requests of the same prompt are looked for. */
export const MOST_SEARCHED = 6;
/** Of what a request shares with another one of its prompt it shares so much with each. */
const SAME_PROMPT = 0.9;
/** Characters of a prompt that is aligned with two others at once: of longer ones two share enough. */
const LONGEST_ALONE = 4 * 1024;

export interface Learned {
  /** The pipeline of the request, as it is now. */
  readonly pipeline: Pipeline;
  /** Pipelines that requests were taken from, because they are of this one; one without requests is gone. */
  readonly left?: readonly Pipeline[];
}

/** A request that is learned from. */
export interface Arrival {
  readonly origin: Origin;
  readonly sample: Sample;
  /** Gives the id of a new pipeline. */
  readonly id: () => string;
  /** Called between the parts of a step; what it throws ends the learning. */
  readonly checkpoint: Checkpoint;
}

/**
 * A pipeline of one request or two with the latest that stand alone, three in all: of a short prompt on one line three tell
 * what two leave open.
 */
export function* withThoseAlone(
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

/** A pipeline of a request and those of the same prompt that others hold. */
export function* ofOnePrompt(
  pipelines: readonly Pipeline[],
  arrival: Arrival,
): Generator<void, Learned | null> {
  const { origin, sample, id, checkpoint } = arrival;
  const held = yield* holdNear(pipelines, arrival);
  const taken = yield* takeOfOnePrompt(held, arrival);
  if (!taken) return yield* ofOneAmongItems(held, arrival);
  const { samples, left } = taken;
  const extended = yield* extend(pipelineOf({ id: id(), origin, samples }), sample, checkpoint);
  return extended && { pipeline: extended.pipeline, left };
}

/**
 * A pipeline of the requests that say word for word what this one does in a slot of a template that cannot be confirmed: several
 * prompts have one frame, such as a criterion each. They came between others, as those of one item do not.
 */
export function* ofOneWording(
  pipeline: Pipeline,
  { sample, id, checkpoint }: Arrival,
): Generator<void, Learned | null> {
  const { template, state, samples, origin } = pipeline;
  if (!template || state !== 'learning' || samples.length <= MOST_SAMPLES || !samples.includes(sample))
    return null;
  const textsOf = ({ prompt }: Sample) =>
    matchTemplate(template, prompt)?.slots.map((slot) => textIn(prompt, slot)) ?? [];
  const held = samples.map(textsOf);
  const groups = textsOf(sample)
    .map((text, slot) =>
      text && lettersIn(text) >= LEAST_TELLING ? samples.filter((_, n) => held[n]?.[slot] === text) : [],
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
    const others = samples.filter((one) => !group.includes(one));
    const found = yield* learnedApart(pipelineOf({ id: own, origin, samples: group }), others, checkpoint);
    const { template: learned } = found ?? {};
    if (found && learned && group.every(({ prompt }) => matchTemplate(learned, prompt)))
      return { pipeline: found, left: [withoutSamples(pipeline, group)] };
  }
  return null;
}

/** The pipeline with what its requests share, where that is a template that names what is judged and fits none of the others. */
function* learnedApart(
  pipeline: Pipeline,
  others: readonly Sample[],
  checkpoint: Checkpoint,
): Generator<void, Pipeline | null> {
  const template = yield* relearn(pipeline, pipeline.samples.slice(-MOST_SAMPLES), checkpoint);
  yield;
  const isApart = !others.some(({ prompt }) => matchTemplate(template, prompt));
  const found = { ...pipeline, template };
  return isApart && isCut(found, checkpoint) && namesAnswer(found) ? settle(found, checkpoint) : null;
}

/** Whether several texts are judged, or a name says of the one that it is: it may be the one prompt's criterion otherwise. */
function namesAnswer({ template, samples }: Pipeline & { readonly template: Template }): boolean {
  if (optionCount(template.parts) > 1) return true;
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
  textsOf: (sample: Sample) => readonly (string | null)[],
): boolean {
  const held = samples.map(textsOf);
  const own = group.map(textsOf);
  return (own[0] ?? []).every((first, slot) => {
    if (own.every((texts) => texts[slot] === first)) return true;
    return own.every((texts) => {
      const text = texts[slot] ?? '';
      return lettersIn(text) < LEAST_TELLING || held.filter((one) => one[slot] === text).length === 1;
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
  { sample: { beginnings }, checkpoint }: Arrival,
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
  { origin, sample, id, checkpoint }: Arrival,
): Generator<void, Learned | null> {
  const own = piecesOf(sample.prompt);
  const open = held.filter(({ pipeline }) => pipeline.state === 'learning' && pipeline.decided === undefined);
  const outstanding = Map.groupBy(open, ({ pipeline }) => pipeline)
    .values()
    .flatMap((all) => {
      const [first, second] = all
        .map((one) => ({ one, shared: sharedBy(own, one.pieces) }))
        .sort((a, b) => b.shared - a.shared);
      return first && second && first.shared - second.shared >= LEAST_TELLING ? [first] : [];
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
  const others = open.filter((one) => !nearest.includes(one)).map((one) => one.sample);
  const pipeline = yield* learnedApart(pipelineOf({ id: id(), origin, samples }), others, checkpoint);
  const left = nearest.map((one) => withoutSamples(one.pipeline, [one.sample]));
  return pipeline && { pipeline, left };
}

/** Requests of the same prompt as this one, taken out of pipelines that hold other prompts on the same item. */
function* takeOfOnePrompt(
  held: readonly Held[],
  { sample: { prompt }, checkpoint }: Arrival,
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
