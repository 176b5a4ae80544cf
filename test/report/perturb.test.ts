/** The audit of perturbations as a page: arrows and their fairness, matrices, bars, the cases behind, and nothing that runs. */
import { parseHTML } from 'linkedom';
import { expect, it } from 'vitest';
import { renderReport } from '../../src/report/report-page.ts';
import { recogniseResult } from '../../src/report/results.ts';
import { audited, HOSTILE } from './perturb-result.ts';

async function pageOf(value: unknown): Promise<string> {
  const result = recogniseResult(value);
  if (result?.kind !== 'perturb') throw new Error(`recognised as ${result?.kind}`);
  const shown = {
    ...{
      behind: 'review-tone',
      outcome: 'reject → poster',
      id: 's1',
      instruction: HOSTILE,
      context: [HOSTILE],
    },
    ...{ options: [], steps: [{ what: 'As it was: overall 5, reject.', text: HOSTILE }] },
  };
  const cases = new Map([
    [
      `${HOSTILE}, meta-reviewer, none`,
      [{ behind: 'review-tone', outcome: 'reject → poster', count: 20, shown: [shown] }],
    ],
  ]);
  return renderReport('A report', [{ source: 'result.json', result, cases }]);
}

it('says the verdict, the arrow and what a fair judge would have done, and shows matrix, bars and cases', async () => {
  const { document } = parseHTML(await pageOf(audited(40, 1)));
  const words = (document.querySelector('main')?.textContent ?? '').replace(/\s+/g, ' ');
  expect(words).toContain('hostile reviews raise the overall score by 0.50');
  expect(words).toContain('unlike a fair judge, who leaves it');
  expect(words).toContain('↑ +0.50');
  expect(words).toContain('2050%');
  expect(words).toContain('2: there are no reviews');
  expect(words).toContain('3: too long');
  expect(words).toContain('1: a review is in another language');
  expect(words).toContain('reject → poster (20 cases)');
  expect(words).toContain(HOSTILE);
  expect(document.querySelectorAll('script')).toHaveLength(0);
  expect(document.querySelectorAll('figure')).toHaveLength(3);
});

it('counts a swayed decision in its headline, its chart and its worst line', async () => {
  const { document } = parseHTML(await pageOf(audited(40, 1)));
  const words = (document.querySelector('main')?.textContent ?? '').replace(/\s+/g, ' ');
  expect(words).toContain('In 2 of 2 comparisons the judge was unfair.');
  expect(words).toMatch(/The largest: .*, review-tone, \+0\.50 points of the decision\./);
  expect(document.querySelector('figure')?.textContent).toContain('meta-reviewer: decision');
});

it('stands where nothing was shown, and where nothing was judged', async () => {
  expect(await pageOf(audited(3, 1))).toContain('not shown either way');
  const none = await pageOf({ ...audited(1, 0), comparisons: [], decided: [], verdicts: [] });
  expect(none).not.toContain('NaN');
  expect(none).toContain('review-tone');
});
