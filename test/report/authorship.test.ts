/** The audit of authorship as a page: what its own command writes is known, drawn, and can do nothing. */
import { parseHTML } from 'linkedom';
import { expect, it } from 'vitest';
import { evaluateAuthorship } from '../../src/audit/authorship/evaluate.ts';
import { EDIT_EXTENTS, type ReviewScores, reviewRecord } from '../../src/audit/authorship/review.ts';
import { TARGETS } from '../../src/audit/authorship/threshold.ts';
import { renderReport } from '../../src/report/report-page.ts';
import { recogniseResult } from '../../src/report/results.ts';
import { draw } from '../../src/stats/seeded-draw.ts';

const HOSTILE = '<script>alert(1)</script>';
const { text: _, ...shape } = reviewRecord.parse({ id: 'x', paper: 'p', author: null, text: '' });

function simulated(people: number): ReviewScores[] {
  const one = (at: number, kind: string, mean: number, more: Partial<ReviewScores>): ReviewScores => {
    // Twelve draws sum to nearly a normal number.
    const near = (of: string) =>
      mean +
      (Array.from({ length: 12 }, (_, part) => draw(part, `${of} ${kind} ${at}`)).reduce((a, b) => a + b) -
        6) /
        12;
    const score = (of: string) => ({ low: near(of), high: near(of) });
    const scores = {
      'anchor gpt-4o': score('first'),
      [`anchor ${HOSTILE}`]: score('second'),
      'log-likelihood m': { low: near('third') - 1, high: near('third') },
    };
    return {
      ...shape,
      ...more,
      id: `${kind}${at}`,
      paper: `p${at % 60}`,
      subset: 'test',
      venue: 'iclr2021',
      scores,
    };
  };
  const many = (count: number, kind: string, mean: number, more: Partial<ReviewScores> = {}) =>
    Array.from({ length: count }, (_, at) => one(at, kind, mean, more));
  const model = { author: 'model', model: 'gpt-4o', rating: 7 } as const;
  return [
    ...many(people, 'c', 0.3, { author: 'human' }).map((row) => ({ ...row, subset: 'calibration' })),
    ...many(300, 'h', 0.3, { author: 'human', rating: 5 }),
    ...many(300, 'v', 0.42, { author: 'human' }).map((row) => ({ ...row, venue: 'neurips2022' })),
    ...many(300, 'm', 0.62, model),
    ...EDIT_EXTENTS.slice(1).flatMap((edit, level) =>
      many(60, edit, 0.35 + level / 12, { author: 'human', model: 'gpt-4o', source: 'edit', edit }).map(
        (row, at) => ({ ...row, of: `h${at}` }),
      ),
    ),
    ...many(60, 'b', 0.5, { ...model, source: 'bullets' }),
  ];
}

function resultOf(reviews: readonly ReviewScores[]) {
  const methods = { anchors: ['anchor gpt-4o', `anchor ${HOSTILE}`], tokens: ['log-likelihood m'] };
  const options = { targets: TARGETS, seed: 1, corrected: false, half: () => true };
  const { evaluation } = evaluateAuthorship(reviews, methods, options);
  const counts = {
    reviews: 2000,
    scored: 1990,
    failed: 0,
    passed: { 'the review is empty': 10 },
    unscored: {},
  };
  return JSON.parse(
    JSON.stringify({
      audit: 'authorship',
      embedding: 'wording',
      corrected: false,
      seed: 1,
      ...counts,
      ...evaluation,
    }),
  );
}

it('says the verdict first, draws the curve with its left end, and keeps what models wrote harmless', async () => {
  const result = recogniseResult(resultOf(simulated(1500)));
  if (result?.kind !== 'authorship') throw new Error(`recognised as ${result?.kind}`);
  const page = await renderReport('A report', [{ source: 'result.json', result, cases: new Map() }]);
  const { document } = parseHTML(page);
  const words = (document.querySelector('main')?.textContent ?? '').replace(/\s+/g, ' ');
  expect(words).toMatch(
    /With 0\.1% false alarms promised, anchor gpt-4o finds 7\d\.\d% of the models' reviews, the most of 3 methods\./,
  );
  expect(words).toContain('The promise fails for 3 of 3 methods');
  expect(words).toContain('By anchor gpt-4o, promising 0.1% false alarms, ');
  expect(words).toContain('Its left end, magnified.');
  expect(words).toContain('The vote of 2 anchors');
  expect(words).toContain('Lines drawn on one venue, held against another');
  expect(words).toContain('does not hold');
  expect(words).toContain("a person's, edited by a model: maximum");
  expect(words).toContain('gpt-4o less people.');
  expect(words).toContain('never scored, becausereviews the review is empty10');
  expect(words).toContain('A likeness is no evidence of who wrote a review.');
  expect(words).toContain(HOSTILE);
  expect(words).not.toMatch(/NaN|undefined|Infinity/);
  expect(document.querySelectorAll('script')).toHaveLength(0);
  // Two curves, three histograms, one difference of ratings.
  expect(document.querySelectorAll('figure svg').length).toBe(6);
});

it('stands where nothing could be calibrated or compared', async () => {
  const result = recogniseResult(resultOf(simulated(20).filter(({ author }) => author === 'human')));
  if (result?.kind !== 'authorship') throw new Error(`recognised as ${result?.kind}`);
  const page = await renderReport('A report', [{ source: 'result.json', result, cases: new Map() }]);
  expect(page).toContain('cannot be calibrated on 20 human reviews');
  expect(page).not.toMatch(/>NaN|undefined/);
});
