/** The pipelines that are known, by where they come from. It outlives the book that reads by it. */
import type { Prompt } from '../types.ts';
import { areEqual, literalsOf, originKey, type Pipeline, progressOf, sameLiterals } from './pipeline.ts';
import type { Template } from './template.ts';

/** Pipelines that are kept; of the tenant with the most of them those go that were used least recently. */
const MOST_PIPELINES = 1_000;
/** Of one origin: each is tried on every request, which takes about 1 ms for so many. */
const MOST_OF_ONE_ORIGIN = 100;
/** Characters of requests and replies that are held to learn from, of all pipelines together: at most 32 MiB of memory. */
export const MOST_HELD = 16 * 1024 * 1024;

export interface TemplateShelf {
  /** Of one origin, by `originKey`. */
  of(key: string): readonly Pipeline[];
  get(id: string): Pipeline | undefined;
  all(): readonly Pipeline[];
  /** Puts a pipeline in, new or changed, as the one that was used last. */
  put(pipeline: Pipeline): void;
  /** Puts a changed pipeline in its old place. */
  update(pipeline: Pipeline): void;
  /** Forgets a pipeline whose requests another one reads. */
  remove(id: string): void;
  /**
   * Takes in pipelines as they were kept, the one that was used least recently first. What a person decided last holds,
   * then what has come further by itself, then what is known here. Of two with the same template one stays.
   */
  restore(pipelines: readonly Pipeline[]): void;
}

export interface TemplateShelfOptions {
  /** Told of every pipeline that is new or changed, and has not been restored, and of what it was before. */
  readonly changed?: (pipeline: Pipeline, before: Pipeline | undefined) => void;
  /** Told of every pipeline that had to go. */
  readonly forgotten?: (id: string) => void;
}

/** @example createTemplateShelf({ changed: (pipeline) => console.log(pipeline.state) }) */
export function createTemplateShelf({ changed, forgotten }: TemplateShelfOptions = {}): TemplateShelf {
  /** By origin, in the order of their last use. */
  const byOrigin = new Map<string, Map<string, Pipeline>>();
  const originOf = new Map<string, string>();
  let held = 0;

  function remove(id: string): void {
    const key = originOf.get(id);
    if (key === undefined) return;
    const here = byOrigin.get(key);
    held -= heldBy(here?.get(id));
    here?.delete(id);
    if (here?.size === 0) byOrigin.delete(key);
    originOf.delete(id);
    forgotten?.(id);
  }

  function put(pipeline: Pipeline): void {
    const key = keyOf(pipeline);
    const here = byOrigin.get(key) ?? new Map<string, Pipeline>();
    byOrigin.delete(key);
    byOrigin.set(key, here);
    held += heldBy(pipeline) - heldBy(here.get(pipeline.id));
    here.delete(pipeline.id);
    here.set(pipeline.id, pipeline);
    originOf.set(pipeline.id, key);
    const others = (pipelines: readonly Pipeline[]) => pipelines.filter(({ id }) => id !== pipeline.id);
    if (here.size > MOST_OF_ONE_ORIGIN) removeOneOf(others([...here.values()]));
    if (originOf.size > MOST_PIPELINES) removeOneOf(others(ofGreatestTenant(() => 1)));
    if (held > MOST_HELD) dropSamples();
  }

  /**
   * Drops requests that are held to learn from until half as many remain, so that this is rarely done. Templates stay; a
   * pipeline without one goes.
   */
  function dropSamples(): void {
    while (held > MOST_HELD / 2) {
      const pipeline = ofGreatestTenant(heldBy).find((one) => heldBy(one) > 0);
      if (!pipeline) return;
      if (pipeline.template) update({ ...pipeline, samples: [], answers: [] });
      else remove(pipeline.id);
    }
  }

  /** Of pipelines in the order of their last use: ordinary chats, each of which comes once, go before anything that was learned. */
  function removeOneOf(pipelines: readonly Pipeline[]): void {
    const [one] = pipelines.toSorted((a, b) => worthOf(a) - worthOf(b));
    if (one) remove(one.id);
  }

  /** So that no tenant can push out what others have. */
  function ofGreatestTenant(sizeOf: (pipeline: Pipeline) => number): readonly Pipeline[] {
    const sizes = [...Map.groupBy(all(), ({ origin }) => origin.tenant).values()].map((pipelines) => ({
      pipelines,
      size: pipelines.reduce((sum, pipeline) => sum + sizeOf(pipeline), 0),
    }));
    return sizes.sort((a, b) => b.size - a.size)[0]?.pipelines ?? [];
  }

  const all = () => [...byOrigin.values()].flatMap((here) => [...here.values()]);
  const get = (id: string) => byOrigin.get(originOf.get(id) ?? '')?.get(id);
  const of = (key: string) => [...(byOrigin.get(key)?.values() ?? [])];

  function update(pipeline: Pipeline): void {
    const here = byOrigin.get(originOf.get(pipeline.id) ?? '');
    if (!here?.has(pipeline.id)) return;
    held += heldBy(pipeline) - heldBy(here.get(pipeline.id));
    here.set(pipeline.id, pipeline);
  }

  function change(changing: Pipeline, set: (pipeline: Pipeline) => void): void {
    const before = get(changing.id);
    const pipeline = withDoubt(changing, before);
    set(pipeline);
    changed?.(pipeline, before);
  }

  function restore(kept: Pipeline): void {
    const known = get(kept.id);
    if (known) {
      if (isAhead(kept, known)) update(withStateOf(known, kept));
      return;
    }
    const twins = of(keyOf(kept)).filter((one) => areTwins(one, kept));
    if (twins.some((twin) => !isAhead(kept, twin))) return;
    for (const { id } of twins) remove(id);
    const [twin] = twins;
    put(twin ? withStateOf(twin, kept) : kept);
  }

  return {
    of,
    get,
    all,
    put: (pipeline) => change(pipeline, put),
    update: (pipeline) => change(pipeline, update),
    remove,
    restore: (pipelines) => pipelines.forEach(restore),
  };
}

/** What a person decided is worth most, then what acts, then what has a template. */
function worthOf({ decided, state, template }: Pipeline): number {
  if (decided !== undefined) return 3;
  if (state === 'confirmed') return 2;
  return template ? 1 : 0;
}

function heldBy(pipeline: Pipeline | undefined): number {
  let characters = 0;
  for (const { prompt } of pipeline?.samples ?? [])
    for (const { text } of prompt.parts) characters += text.length;
  for (const text of pipeline?.answers ?? []) characters += text.length;
  return characters;
}

function keyOf({ origin, template, samples }: Pipeline): string {
  const parts: Prompt['parts'] =
    template?.parts.map(({ role }) => ({ role, text: '' })) ?? samples[0]?.prompt.parts ?? [];
  return originKey(origin, { parts });
}

/** Whether what was kept of a pipeline holds, and not what is known of it here. */
function isAhead(kept: Pipeline, known: Pipeline): boolean {
  const { decided = 0 } = known;
  const { decided: keptDecided = 0 } = kept;
  if (keptDecided !== decided) return keptDecided > decided;
  return decided === 0 && !known.doubted && progressOf(kept) > progressOf(known);
}

/** What was seen here stays, and the greater counts. */
function withStateOf(known: Pipeline, kept: Pipeline): Pipeline {
  const { samples, answers, reader } = known;
  const { requests, read, replies, repliesRead } = kept.requests > known.requests ? kept : known;
  const counts = { requests, read, replies, repliesRead };
  return { ...(reader && { reader }), ...kept, ...counts, samples, ...(answers && { answers }) };
}

function withDoubt({ doubted, ...pipeline }: Pipeline, before: Pipeline | undefined): Pipeline {
  const progress = progressOf(pipeline);
  const isLess = before !== undefined && progressOf(before) > progress;
  return progress < 2 && (doubted || isLess) ? { ...pipeline, doubted: true } : pipeline;
}

/** Whether two pipelines have learned the same texts between their slots, whatever a person made of them. */
const areTwins = (a: Pipeline, b: Pipeline): boolean =>
  a.template !== null &&
  b.template !== null &&
  (sameLiterals(a.template, b.template) || areEqual(learnedBy(a.template, a), learnedBy(b.template, b)));

const learnedBy = (template: Template, { learnedAs }: Pipeline) => learnedAs ?? literalsOf(template);
