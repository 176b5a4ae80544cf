/** Figures and effects of biases in the report: what `estimate`, `/remand/numbers` and `audit biases` give is drawn and told. */
import { expect, test } from 'vitest';
import { measureBiasEffects } from '../../src/audit/bias-effects.ts';
import { estimateRates, groupJudgments } from '../../src/evaluate/index.ts';
import { formatPercent } from '../../src/report/report-words.ts';
import { BIASED_VERDICTS } from './all-kinds.ts';
import { readPage } from './read-page.ts';

const items = Array.from({ length: 200 }, (_, n) => ({
  item: `q${n}`,
  pass: n % 3 !== 0,
  truth: n % 2 === 0,
}));
const estimatesOf = (labels: number) =>
  estimateRates(
    groupJudgments(
      items.map(({ item, pass }) => ({ item, judge: 'gpt', pass })),
      items.slice(0, labels).map(({ item, truth }) => ({ item, label: truth })),
    ),
    [],
  );

test('estimates: the judge alone beside the corrected figure, drawn and in words', async () => {
  const { kind, document, told } = await readPage({ estimates: estimatesOf(60) });
  expect(kind).toBe('estimates');
  expect(told).toMatch(
    /^gpt: by 200 verdicts alone the pass rate is 66\.5%; corrected by 60 labels \d\d\.\d% \(\d\d\.\d% to \d\d\.\d%\)\. Report /,
  );
  expect(document.querySelectorAll('figure').length).toBe(1);
  expect(document.querySelector('table')?.textContent).toContain('pass rate');
});

test('without labels the reason stands in place of the figure', async () => {
  const { told } = await readPage({ estimates: estimatesOf(0) });
  expect(told).toContain('not corrected: 0 labels are too few');
});

test('scores have points in place of bars, on their own scale', async () => {
  const scores = items.map(({ item }, n) => ({ item, judge: 'gpt', score: n % 10 }));
  const { document, told } = await readPage({ estimates: estimateRates(groupJudgments(scores), []) });
  expect(told).toContain('alone the mean score is 4.50');
  expect(document.querySelector('figcaption')?.textContent).toContain('The mean score.');
});

test('numbers: before Remand, after it, corrected, and what it turned', async () => {
  const [first, sent] = [estimatesOf(0)[0], estimatesOf(60)[0]];
  const figure = { judge: 'gpt', requests: 'pass, 1 option', category: null, first, sent };
  const { kind, told, document } = await readPage({
    ...{ judgments: 200, isPart: false },
    figures: [{ ...figure, turnedRight: 7, turnedWrong: 2 }],
  });
  expect(kind).toBe('numbers');
  expect(told).toMatch(
    /66\.5% from first verdicts, 66\.5% from what went out; corrected .* 7 turned right and 2 wrong\.$/,
  );
  expect(document.querySelectorAll('tbody tr').length).toBe(2);
});

test('biases: which the judge follows, by how much, and what could not be tested', async () => {
  const { kind, told, document } = await readPage({
    effects: measureBiasEffects(BIASED_VERDICTS),
    dropped: { formatting: { 'the option has too few sentences': 4 } },
    skipped: {},
  });
  expect(kind).toBe('bias-effects');
  expect(told).toBe('gpt is swayed by bandwagon (+75.0 points), of 2 biases tested.');
  expect(document.body.textContent).toContain('formatting4the option has too few sentences');
  expect(document.querySelectorAll('figure').length).toBe(1);
});

test('100% is said of all alone, and 0% of none', async () => {
  const told = async (passed: number) => {
    const records = Array.from({ length: 4000 }, (_, n) => ({
      ...{ item: `q${n}`, judge: 'gpt', pass: n < passed },
    }));
    return (await readPage({ estimates: estimateRates(groupJudgments(records), []) })).told;
  };
  expect(await told(4000)).toContain('100.0%');
  expect(await told(3999)).toContain('>99.9%');
  expect(await told(3999)).not.toContain('100.0%');
  expect(await told(1)).toContain('<0.1%');
  expect(await told(0)).toContain('0.0%');
  // A sum of tenths that is one but for its rounding is all.
  expect(
    [1 - 2 ** -53, 2 ** -60, -(2 ** -60), -0.0003, -0.5, 0.00001, 0.99951, 0.9994].map(formatPercent),
  ).toEqual([...['100.0%', '0.0%', '0.0%', '>−0.1%', '−50.0%'], ...['<0.1%', '>99.9%', '99.9%']]);
});
