/** Anchors: what models write of the same paper, and how near a review comes to each. */
import { renderAnchor } from '../../../prompts/index.ts';
import { type Model, pairUp, type RunOptions, runAll } from '../../models/index.ts';
import { mixBits } from '../../stats/seeded-draw.ts';
import type { Paper } from '../authors/paper.ts';
import type { Anchor, AnchorShelf } from './anchor-shelf.ts';
import type { ScoreRange } from './review.ts';

/** @returns one anchor for each paper and model, in that order; one that failed says why */
export async function* makeAnchors(
  papers: Iterable<Paper> | AsyncIterable<Paper>,
  models: readonly Model[],
  run: RunOptions,
): AsyncGenerator<Anchor> {
  const work = async ([paper, model]: readonly [Paper, Model], signal: AbortSignal) =>
    (await model.ask(renderAnchor(paper), signal)).text;
  for await (const result of runAll(pairUp(papers, models), work, run)) {
    const [paper, model] = result.item;
    const head = { paper: paper.id, model: model.name };
    if ('error' in result) yield { ...head, text: null, error: result.error.message };
    else if (result.value.trim() === '') yield { ...head, text: null, error: 'the model wrote nothing' };
    else yield { ...head, text: result.value, error: null };
  }
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

// An embedding that needs no model and no network: the wording of a text, hashed into a vector of fixed length.
//
// What it can do: tell how far two texts share words, pairs of words and word parts. A language model asked twice about
// the same paper writes much the same phrases, and that is what an anchor is compared for. What it cannot do: see that
// two sentences mean the same in other words. A paraphrase, an edit by another model or a translation lowers the
// similarity, whoever wrote the text; so do very short texts. An embedding model behind an endpoint sees more.

/** Length of a vector. Hashing blurs a cosine by about 1/√length: less than .01. */
export const WORDING_LENGTH = 16_384;
/** Letters of a word part. */
const PART = 4;

/**
 * Three families of features (words, pairs of neighbouring words, word parts), each counted as 1 + ln of how often it
 * occurs and brought to the same length, so that a cosine is the mean of the three. Hashed with a sign, so that
 * collisions cancel on average (Weinberger et al., ICML 2009, arXiv 0902.2206).
 *
 * @returns of unit length; all zeros where the text has no word
 */
export function embedWording(text: string): Float32Array {
  const words = text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  const vector = new Float32Array(WORDING_LENGTH);
  for (const [family, features] of [words, pairs(words), parts(words)].entries())
    addFamily(vector, countFeatures(features), family);
  return toUnitLength(vector);
}

const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;

function pairs(words: readonly string[]): string[] {
  return words.slice(1).map((word, at) => `${words[at]} ${word}`);
}

/** Of each word with a blank on either side, so that a word's beginning and end are parts of their own. */
function parts(words: readonly string[]): string[] {
  const all: string[] = [];
  for (const word of words) {
    const edged = ` ${word} `;
    for (let at = 0; at + PART <= edged.length; at++) all.push(edged.slice(at, at + PART));
  }
  return all;
}

function countFeatures(features: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  return counts;
}

function addFamily(vector: Float32Array, counts: ReadonlyMap<string, number>, family: number): void {
  let squares = 0;
  for (const count of counts.values()) squares += (1 + Math.log(count)) ** 2;
  if (squares === 0) return;
  const unit = 1 / Math.sqrt(squares);
  for (const [feature, count] of counts) {
    const hash = hashText(feature, family);
    const place = hash % WORDING_LENGTH;
    const sign = hash & 0x80000000 ? -1 : 1;
    vector[place] = (vector[place] ?? 0) + sign * unit * (1 + Math.log(count));
  }
}

/** FNV-1a, mixed: 32 bits, each of which depends on every letter. */
function hashText(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ (seed * 0x9e3779b1);
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mixBits(hash);
}

function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, one) => sum + one * one, 0));
  return length === 0 ? vector : vector.map((one) => one / length);
}

/**
 * @returns in [-1, 1]; null where either vector has no length, which is like nothing
 * @throws RangeError for vectors of two lengths: they come from two models
 */
export function computeCosine(first: ArrayLike<number>, second: ArrayLike<number>): number | null {
  if (first.length !== second.length)
    throw new RangeError(`vectors of ${first.length} and ${second.length} numbers cannot be compared`);
  let [product, squares, others] = [0, 0, 0];
  for (let at = 0; at < first.length; at++) {
    const [one, other] = [first[at] ?? 0, second[at] ?? 0];
    product += one * other;
    squares += one * one;
    others += other * other;
  }
  if (squares === 0 || others === 0) return null;
  return Math.max(-1, Math.min(1, product / Math.sqrt(squares * others)));
}
