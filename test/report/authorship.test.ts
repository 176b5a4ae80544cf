/** The audit of authorship as a page: what its own command writes is known, drawn, and can do nothing. */
import { parseHTML } from 'linkedom';
import { expect, it } from 'vitest';
import { renderReport } from '../../src/report/report-page.ts';
import { recogniseResult } from '../../src/report/results.ts';
import { drawReviews, evaluateReviews, HOSTILE_NAME } from './authorship-result.ts';

it('says the verdict first, draws the curve with its left end, and keeps what models wrote harmless', async () => {
  const result = recogniseResult(evaluateReviews(drawReviews(1500)));
  if (result?.kind !== 'authorship') throw new Error(`recognised as ${result?.kind}`);
  const page = await renderReport('A report', [{ source: 'result.json', result, cases: new Map() }]);
  const { document } = parseHTML(page);
  const words = (document.querySelector('main')?.textContent ?? '').replace(/\s+/g, ' ');
  expect(words).toMatch(
    /With 0\.1% false alarms promised, anchor gpt-4o finds 7\d\.\d% of the models' reviews, the most of 3 methods\./,
  );
  expect(words).toContain('The promise fails for 3 of 3 methods');
  expect(words).toContain('more than chance allows');
  expect(words).toContain('At worst: scores are bounds');
  expect(words).toContain('Where few people are flagged.');
  expect(words).toContain('The vote of 2 anchors');
  expect(words).toContain('Lines drawn on one venue, held against another');
  expect(words).toContain('does not hold');
  expect(words).toContain("a person's, edited by a model: maximum");
  expect(words).toContain('gpt-4o less people.');
  expect(words).toContain('never scored, becausereviews the review is empty10');
  expect(words).toContain('A likeness is no evidence of who wrote a review.');
  expect(words).toContain(HOSTILE_NAME);
  expect(words).not.toMatch(/NaN|undefined|Infinity/);
  expect(document.querySelectorAll('script')).toHaveLength(0);
  // Two curves, three histograms, one difference of ratings.
  expect(document.querySelectorAll('figure').length).toBe(6);
});

it('stands where nothing could be calibrated or compared', async () => {
  const result = recogniseResult(evaluateReviews(drawReviews(20).filter(({ author }) => author === 'human')));
  if (result?.kind !== 'authorship') throw new Error(`recognised as ${result?.kind}`);
  const page = await renderReport('A report', [{ source: 'result.json', result, cases: new Map() }]);
  expect(page).toContain('cannot be calibrated on 20 human reviews');
  expect(page).not.toMatch(/>NaN|undefined/);
});
