/** Anchors on their shelf, and reviews held against them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AnchorShelf, openAnchorShelf } from '../../../src/audit/authorship/anchor-shelf.ts';
import { createAnchorScorer, embedWording, makeAnchors } from '../../../src/audit/authorship/anchors.ts';
import type { Model } from '../../../src/models/model.ts';

const signal = new AbortController().signal;
let shelf: AnchorShelf;
beforeEach(() => {
  shelf = openAnchorShelf(':memory:');
});
afterEach(() => shelf.close());
const put = (paper: string, model: string, text: string | null, error: string | null = null) =>
  shelf.put({ paper, model, text, error });

test('the shelf names models in the order in which they came, and holds the last anchor of each', () => {
  put('p1', 'zeta', 'one');
  put('p1', 'alpha', 'two');
  put('p2', 'zeta', 'three');
  put('p1', 'zeta', 'four');
  expect(shelf.models()).toEqual(['zeta', 'alpha']);
  expect(shelf.get('p1', 'zeta')).toEqual({ paper: 'p1', model: 'zeta', text: 'four', error: null });
  expect(shelf.get('p3', 'zeta')).toBeNull();
});

describe('a review', () => {
  const embed = async (text: string) => embedWording(text);

  test('that is itself an anchor has no score: it would be found by having been there', async () => {
    put('p', 'a', 'The paper presents a novel approach. ');
    const scorer = createAnchorScorer(shelf, ['a'], embed);
    expect(await scorer.score({ paper: 'p', text: ' The paper presents a novel approach.' }, signal)).toEqual(
      [{ why: 'it is the anchor by a itself' }],
    );
    const [near] = await scorer.score({ paper: 'p', text: 'The paper presents an approach.' }, signal);
    expect(near).toMatchObject({ low: expect.any(Number) });
  });

  test('of a paper whose anchor is missing, failed or empty of words has none, and says which', async () => {
    put('p', 'a', null, 'the budget is used up');
    put('p', 'b', '…');
    const scorer = createAnchorScorer(shelf, ['a', 'b', 'c'], embed);
    expect(await scorer.score({ paper: 'p', text: 'Some words.' }, signal)).toEqual([
      { why: 'the anchor by a failed: the budget is used up' },
      { why: 'its text has nothing to compare' },
      { why: 'there is no anchor by c for its paper' },
    ]);
  });

  test('asks for an anchor’s vector once, and again where that failed', async () => {
    const asked: string[] = [];
    const failing = async (text: string) => {
      asked.push(text);
      if (text === 'anchor' && asked.filter((one) => one === 'anchor').length === 1) throw new Error('down');
      return embedWording(text);
    };
    put('p', 'a', 'anchor');
    const scorer = createAnchorScorer(shelf, ['a'], failing);
    await expect(scorer.score({ paper: 'p', text: 'one' }, signal)).rejects.toThrow('down');
    for (const text of ['two', 'three', 'four']) await scorer.score({ paper: 'p', text }, signal);
    expect(asked.filter((text) => text === 'anchor')).toHaveLength(2);
  });
});

test('a model that fails or writes nothing costs its own anchors, and the rest is written', async () => {
  const model = (name: string, text: string | Error): Model => ({
    name,
    async ask() {
      if (text instanceof Error) throw text;
      return { text, reasoning: null, finish: 'stop', tokens: null, cached: false };
    },
  });
  const papers = [
    { id: 'p', title: 'A Title', text: 'An abstract.', ownAuthors: false, accepted: null, field: null },
  ];
  const models = [model('good', 'A review.'), model('empty', ' \n'), model('down', new Error('HTTP 500'))];
  const anchors = [];
  for await (const one of makeAnchors(papers, models, { concurrency: 2, signal })) anchors.push(one);
  expect(anchors).toEqual([
    { paper: 'p', model: 'good', text: 'A review.', error: null },
    { paper: 'p', model: 'empty', text: null, error: 'the model wrote nothing' },
    { paper: 'p', model: 'down', text: null, error: 'HTTP 500' },
  ]);
});
