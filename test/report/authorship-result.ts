/** An audit of authorship as its command writes it, of reviews whose scores are drawn. */
import { evaluateAuthorship } from '../../src/audit/authorship/evaluate.ts';
import { TARGETS } from '../../src/audit/authorship/measure-method.ts';
import { EDIT_EXTENTS, type ReviewScores, reviewRecord } from '../../src/audit/authorship/review.ts';
import { draw } from '../../src/stats/seeded-draw.ts';

export const HOSTILE_NAME = '<script>alert(1)</script>';
const { text: _, ...shape } = reviewRecord.parse({ id: 'x', paper: 'p', author: null, text: '' });

export function drawReviews(people: number): ReviewScores[] {
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
      [`anchor ${HOSTILE_NAME}`]: score('second'),
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

export function evaluateReviews(reviews: readonly ReviewScores[]) {
  const methods = { anchors: ['anchor gpt-4o', `anchor ${HOSTILE_NAME}`], tokens: ['log-likelihood m'] };
  const options = { targets: TARGETS, seed: 1, half: () => true };
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
