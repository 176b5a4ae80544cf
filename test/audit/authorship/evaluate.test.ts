/** Figures and words on simulated scores: who wrote what is known, and how far the scores are apart. */
import { describe, expect, test } from 'vitest';
import { type EvaluateOptions, evaluateAuthorship } from '../../../src/audit/authorship/evaluate.ts';
import { TARGETS } from '../../../src/audit/authorship/measure-method.ts';
import { EDIT_EXTENTS, type ReviewScores, reviewRecord } from '../../../src/audit/authorship/review.ts';
import { normalCdf, normalQuantile } from '../../../src/stats/distributions.ts';
import { createSeededDraw } from '../../../src/stats/index.ts';

const draw = createSeededDraw(20_261_121);
const normals = (mean: number) => mean + normalQuantile((draw(2 ** 31) + 0.5) / 2 ** 31);

const { text: _, ...shape } = reviewRecord.parse({ id: 'x', paper: 'p', author: null, text: '' });
function scored(more: Partial<ReviewScores>, ...scores: readonly number[]): ReviewScores {
  const named = scores.map((score, at) => [`anchor ${'ab'[at]}`, { low: score, high: score }]);
  return { ...shape, id: `r${draw(2 ** 31)}`, ...more, scores: Object.fromEntries(named) };
}
const options: EvaluateOptions = {
  ...{ targets: TARGETS, seed: 1, half: (paper) => paper < 'p5' },
};
const anchors = ['anchor a', 'anchor b'];
const person = (subset: string, venue: string, mean = 0, rating = 5) =>
  scored({ author: 'human', subset, venue, paper: `p${draw(300)}`, rating }, normals(mean), normals(mean));
const model = (subset: string, venue: string, more: Partial<ReviewScores> = {}, mean = 3) =>
  scored(
    ...[
      {
        author: 'model',
        model: 'gpt-4o',
        subset,
        venue,
        paper: `p${draw(300)}`,
        rating: 6,
        ...more,
      } as const,
    ],
    ...[normals(mean), normals(mean)],
  );
const many = <T>(count: number, one: () => T) => Array.from({ length: count }, one);

const reviews = [
  ...many(2000, () => person('calibration', 'iclr2021')),
  ...many(1000, () => person('test', 'iclr2021')),
  // People of another venue write a little more like the anchors.
  ...many(1000, () => person('test', 'neurips2022', 1)),
  ...many(1000, () => model('test', 'iclr2021')),
];

describe('two anchors, two venues', () => {
  const { evaluation } = evaluateAuthorship(reviews, { anchors, tokens: [] }, options);
  const [first] = evaluation.methods;
  if (!first) throw new Error('no method');

  test('at each target: what is found, what was promised, and how far chance reaches', () => {
    const own = evaluateAuthorship(
      reviews.filter(({ venue }) => venue === 'iclr2021'),
      { anchors: ['anchor a'], tokens: [] },
      options,
    ).evaluation;
    const [alone] = own.methods;
    for (const { target, fpr, tpr, expected, deviation } of (alone?.targets ?? []).map((one) => ({
      ...one,
      deviation: one.tpr.deviation ?? 0,
    }))) {
      expect(fpr.n).toBe(1000);
      expect(fpr.count).toBeGreaterThanOrEqual(expected?.low ?? 1e9);
      expect(fpr.count).toBeLessThanOrEqual(expected?.high ?? -1);
      expect(Math.abs((tpr.share ?? 0) - (1 - normalCdf(normalQuantile(1 - target) - 3)))).toBeLessThan(0.13);
      // About √(.5·.5/1000) = .016: papers are drawn whole, and these are independent.
      expect(deviation).toBeGreaterThan(0.005);
      expect(deviation).toBeLessThan(0.03);
    }
    // Φ(3/√2) = .983.
    expect(alone?.auc.value).toBeCloseTo(0.983, 2);
    expect(alone?.auc.deviation).toBeGreaterThan(0.0005);
    expect(own.vote).toBeNull();
  });

  test('a promise made on one venue is seen to break on another', () => {
    const away = evaluation.transfers.filter(
      ({ tested_on, target, method }) =>
        tested_on === 'neurips2022' && target === 0.01 && method === 'anchor a',
    );
    expect(away).toMatchObject([{ calibrated_on: 'iclr2021', broken: true, fpr: { n: 1000 } }]);
    // P(N(1, 1) > 2.33) = .092.
    expect(away[0]?.fpr.share).toBeGreaterThan(0.06);
  });

  test('the vote flags more people than either, with the correction beside it', () => {
    const at = evaluation.vote?.plain.at(-1);
    const corrected = evaluation.vote?.corrected.at(-1);
    expect(at?.fpr.count).toBeGreaterThan(
      Math.max(...Object.values(at?.each ?? {}).map(({ count }) => count)),
    );
    expect(corrected?.fpr.count).toBeLessThan(at?.fpr.count ?? 0);
    for (const anchor of anchors)
      expect(corrected?.lines[anchor]).toBeGreaterThan(at?.lines[anchor] ?? Number.POSITIVE_INFINITY);
  });

  test('the curve begins and ends where a curve does, and keeps the steps of its left end', () => {
    expect(first.curve[0]).toEqual([0, 0]);
    expect(first.curve.at(-1)).toEqual([1, 1]);
    expect(first.curve.filter(([fpr]) => fpr <= 0.02).length).toBeGreaterThan(8);
    expect(first.curve.length).toBeLessThan(600);
    const { people = [], models = [] } = first.histogram ?? {};
    const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);
    expect([sum(people), sum(models)]).toEqual([2000, 1000]);
  });
});

describe('too little to promise', () => {
  test('below 1,000 human reviews 0.1% is refused and the rest is not', () => {
    const few = [...many(640, () => person('calibration', 'v')), ...many(100, () => person('test', 'v'))];
    const { evaluation } = evaluateAuthorship(
      [...few, ...many(100, () => model('test', 'v'))],
      { anchors: ['anchor a'], tokens: [] },
      options,
    );
    const [at01, at05, at1] = evaluation.methods[0]?.targets ?? [];
    expect(at01).toMatchObject({
      line: null,
      refused: expect.stringMatching(/0\.1% cannot be calibrated on 640/),
    });
    expect(at01?.tpr).toMatchObject({ n: 0, share: null });
    expect(at05?.line).not.toBeNull();
    expect(at1?.tpr.share).toBeGreaterThan(0.4);
  });

  test('scores that are bounds count in the worst case', () => {
    const wide = reviews.slice(0, 3000).map((one) => ({
      ...one,
      scores: {
        anchor: {
          low: (one.scores['anchor a']?.low ?? 0) - 1,
          high: (one.scores['anchor a']?.high ?? 0) + 1,
        },
      },
    }));
    const [bounded] = evaluateAuthorship(wide, { anchors: ['anchor'], tokens: [] }, options).evaluation
      .methods;
    expect(bounded).toMatchObject({ bounded: true });
    const models = [
      ...wide,
      ...many(200, () => ({ ...model('test', 'iclr2021'), scores: { anchor: { low: 3, high: 5 } } })),
    ];
    const { evaluation } = evaluateAuthorship(models, { anchors: ['anchor'], tokens: [] }, options);
    // The line stands at 2.33 + 1, above every model's lower end.
    expect(evaluation.methods[0]?.targets.at(-1)?.tpr.share).toBe(0);
  });
});

describe('what is neither', () => {
  const edited = many(200, () => {
    const original = person('test', 'v');
    return [
      original,
      ...EDIT_EXTENTS.slice(1).map((edit, level) =>
        model(
          'test',
          'v',
          { author: 'human', model: 'gpt-4o', source: 'edit', edit, of: original.id, paper: original.paper },
          level + 1,
        ),
      ),
    ];
  }).flat();
  const all = [
    ...reviews.filter(({ subset }) => subset === 'calibration'),
    ...edited,
    ...many(300, () => model('test', 'v', { source: 'bullets', of: 'r1' }, 2)),
    ...many(300, () => model('test', 'v', { archetype: 'harsh' }, 1)),
    ...many(300, () => model('test', 'v', { archetype: 'friendly' }, 4)),
  ];
  const { evaluation } = evaluateAuthorship(all, { anchors: ['anchor a'], tokens: [] }, options);
  const [kinds] = evaluation.kinds;

  test('the more was edited, the more is flagged, and the order of edits has a figure beside chance', () => {
    expect(kinds?.edits.map(({ name }) => name)).toEqual(['minimum', 'moderate', 'extensive', 'maximum']);
    const shares = kinds?.edits.map(({ share }) => share ?? 0) ?? [];
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(kinds?.edit_order?.reviews).toBe(200);
    expect(kinds?.edit_order?.ndcg).toBeGreaterThan(0.93);
    expect(kinds?.edit_order?.chance).toBeLessThan(0.85);
  });

  test('edited reviews and those from bullet points are counted apart, never as a person or as a model', () => {
    expect(kinds?.bullets).toMatchObject({ name: 'bullets', n: 300 });
    const [at] = evaluation.methods[0]?.targets ?? [];
    expect([at?.fpr.n, at?.tpr.n]).toEqual([200, 600]);
    expect(kinds?.archetypes.map(({ name, n }) => [name, n])).toEqual([
      ['harsh', 300],
      ['friendly', 300],
    ]);
  });

  test('ratings of the same papers: a model that gives a point more is seen to', () => {
    const papers = many(80, () => draw(1000)).map(String);
    const rated = papers.flatMap((paper, at) => [
      { ...person('test', 'v'), paper, rating: 4 + (at % 3) },
      { ...model('test', 'v'), paper, rating: 5 + (at % 3) + (at % 5 === 0 ? -2 : 0) },
    ]);
    const { inflation } = evaluateAuthorship(rated, { anchors: [], tokens: [] }, options).evaluation;
    expect(inflation).toMatchObject([{ model: 'gpt-4o', papers: new Set(papers).size }]);
    expect(inflation[0]?.p_holm).toBeLessThan(1e-6);
    expect(inflation[0]?.mean).toBeGreaterThan(0);
  });
});

describe('the answer for a single review', () => {
  const asked = (score: number) => scored({ author: null, id: `s${score}` }, score, score);
  const answer = (all: readonly ReviewScores[], score: number) =>
    evaluateAuthorship([...all, asked(score)], { anchors, tokens: [] }, options).answers[0];

  test('is a probability of being wrong, and what that comes to where few reviews are by models', () => {
    const one = answer(reviews, 2.6);
    // P(N > 2.6) = .0047 for one anchor, twice that for either of two.
    expect(one?.share_of_people).toBeGreaterThan(0.005);
    expect(one?.share_of_people).toBeLessThan(0.016);
    expect(one?.share_of_models).toBeGreaterThan(0.7);
    const tenth = one?.wrong.find(({ by_models }) => by_models === 0.1);
    expect(tenth?.share).toBeCloseTo(
      (0.9 * (one?.share_of_people ?? 0)) /
        (0.9 * (one?.share_of_people ?? 0) + 0.1 * (one?.share_of_models ?? 0)),
      12,
    );
    expect(one?.words).toMatch(
      /^Of 1,000 reviews by people, up to \d+ look as much like a model's as this one\./,
    );
    expect(one?.words).toMatch(
      /If one review in ten were by a model, about \d+ of 100 .* would still be by people/,
    );
  });

  test('never says who did what', () => {
    for (const score of [-3, 0, 1, 2.6, 9])
      expect(answer(reviews, score)?.words).not.toMatch(
        /cheat|fraud|guilty|dishonest|reviewer used|was written by a/i,
      );
    expect(answer(reviews, 0)?.words).toMatch(/^It looks like many reviews that people write/);
    // No score, however high, is rarer than the people it was held against can tell.
    expect(answer(reviews, 9)?.share_of_people).toBeGreaterThanOrEqual(1 / 2001);
  });

  test('rests on one token statistic where there is no anchor, chosen beforehand', () => {
    const names = { 'anchor a': 'entropy m', 'anchor b': 'log-likelihood m' } as Readonly<
      Record<string, string>
    >;
    const renamed = [...reviews, asked(2.6)].map((one) => ({
      ...one,
      scores: Object.fromEntries(Object.entries(one.scores).map(([name, score]) => [names[name], score])),
    }));
    const tokens = ['log-likelihood m', 'entropy m', 'binoculars o/m'];
    const [one] = evaluateAuthorship(renamed, { anchors: [], tokens }, options).answers;
    expect(one).toMatchObject({ methods: ['log-likelihood m'], calibrated_on: 2000 });
    expect(one?.share_of_people).toBeLessThan(0.01);
    const bare = evaluateAuthorship(
      [...renamed.map((row) => ({ ...row, scores: {} }))],
      { anchors: [], tokens },
      options,
    );
    expect(bare.answers[0]?.words).toMatch(/^Nothing can be said/);
  });

  test('is refused on a handful of people, and modest on some hundred', () => {
    const people = reviews.filter(({ subset }) => subset === 'calibration');
    expect(answer(people.slice(0, 60), 3)).toMatchObject({
      share_of_people: null,
      words: expect.stringMatching(/^Nothing can be said .* calibrated on 60 reviews/),
    });
    expect(answer(people.slice(0, 400), 3)?.words).toMatch(/nothing rarer than 1 in 401 can be told/);
    const { answers } = evaluateAuthorship(
      [...people, scored({ author: null })],
      { anchors, tokens: [] },
      options,
    );
    expect(answers[0]?.words).toBe('Nothing can be said of this review: it has no score.');
  });
});
