/** Anchors: what models write of the same paper, and how near a review comes to each. */
import { renderAnchor } from '../../../prompts/index.ts';
import { type Model, type RunOptions, runAll } from '../../models/index.ts';
import type { Paper } from '../authors/paper.ts';
import type { Anchor, AnchorShelf } from './anchor-shelf.ts';
import type { ScoreRange } from './review.ts';
import { computeCosine } from './wording.ts';

/** @returns one anchor for each paper and model, in that order; one that failed says why */
export async function* makeAnchors(
  papers: Iterable<Paper> | AsyncIterable<Paper>,
  models: readonly Model[],
  run: RunOptions,
): AsyncGenerator<Anchor> {
  const work = async ({ paper, model }: Task, signal: AbortSignal) =>
    (await model.ask(renderAnchor(paper), signal)).text;
  for await (const result of runAll(tasks(papers, models), work, run)) {
    const { paper, model } = result.item;
    const head = { paper: paper.id, model: model.name };
    if ('error' in result) yield { ...head, text: null, error: result.error.message };
    else if (result.value.trim() === '') yield { ...head, text: null, error: 'the model wrote nothing' };
    else yield { ...head, text: result.value, error: null };
  }
}

interface Task {
  readonly paper: Paper;
  readonly model: Model;
}

async function* tasks(
  papers: Iterable<Paper> | AsyncIterable<Paper>,
  models: readonly Model[],
): AsyncGenerator<Task> {
  for await (const paper of papers) for (const model of models) yield { paper, model };
}

/** A text as a vector. Vectors of one embedding are of one length. */
export type Embed = (text: string, signal: AbortSignal) => Promise<Float32Array>;

/** A score, or why there is none, in words. */
export type ScoreResult = ScoreRange | { readonly why: string };

interface AnchorScorer {
  /** In the order of the models; rejects as the embedding does. */
  score(
    review: { readonly paper: string; readonly text: string },
    signal: AbortSignal,
  ): Promise<ScoreResult[]>;
}

/** Vectors of anchors held at a time: reviews of a paper mostly stand together. */
const HELD = 128;

/** @param models in whose anchors' order the scores are */
export function createAnchorScorer(
  shelf: AnchorShelf,
  models: readonly string[],
  embed: Embed,
): AnchorScorer {
  const held = new Map<string, Promise<Float32Array>>();
  const vectorOf = (key: string, text: string, signal: AbortSignal) => {
    const known = held.get(key);
    if (known) return known;
    const made = embed(text, signal);
    held.set(key, made);
    // A failed one is asked for again by whoever comes next.
    made.catch(() => held.delete(key));
    const [oldest] = held.keys();
    if (held.size > HELD && oldest !== undefined) held.delete(oldest);
    return made;
  };
  return {
    async score({ paper, text }, signal) {
      const own = await embed(text, signal);
      const all: ScoreResult[] = [];
      for (const model of models) {
        const anchor = shelf.get(paper, model);
        if (!anchor) all.push({ why: `there is no anchor by ${model} for its paper` });
        else if (anchor.text === null) all.push({ why: `the anchor by ${model} failed: ${anchor.error}` });
        else if (anchor.text.trim() === text.trim()) all.push({ why: `it is the anchor by ${model} itself` });
        else {
          const near = computeCosine(
            own,
            await vectorOf(JSON.stringify([paper, model]), anchor.text, signal),
          );
          all.push(near === null ? { why: 'its text has nothing to compare' } : { low: near, high: near });
        }
      }
      return all;
    },
  };
}
