/** A choice far from the line, by the judge's own log-probabilities, need not be judged in the other order. */
import { expect, it } from 'vitest';
import type { Verdict } from '../../src/case/types.ts';
import { debias } from '../../src/loop/debias.ts';
import { choice, only, options, scripted } from '../loop.ts';

const sure = (option: number, probability: number, missing = 0): Verdict => {
  const verdict = choice(option);
  return verdict.kind === 'choice' ? { ...verdict, probability, missing } : verdict;
};
const run = async (first: Verdict, confident?: number) => {
  const { ask, asked } = scripted({ judge: [first], swap: [choice(1)] });
  const outcome = await debias(options({ ask, biases: only('position'), confident }));
  return { asked, outcome };
};

it.each([
  ['a sure choice', sure(0, 0.995), 0.99, ['judge']],
  ['a choice near the line', sure(0, 0.98), 0.99, ['judge', 'swap']],
  ['the only label that is listed, of a token that was not sure', sure(0, 1, 0.4), 0.99, ['judge', 'swap']],
  ['a choice without log-probabilities', choice(0), 0.99, ['judge', 'swap']],
  ['a sure choice where nobody asked to save calls', sure(0, 0.995), undefined, ['judge', 'swap']],
])('%s', async (_, first, confident, calls) => {
  const { asked, outcome } = await run(first, confident);
  expect(asked).toEqual(calls);
  expect(outcome).toMatchObject({ status: 'unchanged', stop: 'clean', error: null });
});

it('the other order waits for the first verdict only where that may save it', async () => {
  for (const [confident, sideBySide] of [
    [0.99, false],
    [undefined, true],
  ] as const) {
    const events: string[] = [];
    await debias(
      options({
        confident,
        biases: only('position'),
        async ask({ kind }) {
          events.push(kind);
          await new Promise((resolve) => setTimeout(resolve, 5));
          events.push(`${kind} answered`);
          return { verdict: choice(kind === 'judge' ? 0 : 1), reply: '' };
        },
      }),
    );
    expect(events.indexOf('swap') < events.indexOf('judge answered')).toBe(sideBySide);
  }
});

it('an other order that was asked for late is sent back like one that was not', async () => {
  const { ask, asked } = scripted({
    judge: [sure(0, 0.6)],
    swap: [choice(0)],
    remand: [choice(1)],
    'remand-swapped': [choice(0)],
  });
  const outcome = await debias(options({ ask, biases: only('position'), rounds: 1, confident: 0.99 }));
  expect(outcome).toMatchObject({ status: 'revised', biases: ['position'] });
  expect(asked).toEqual(['judge', 'swap', 'remand', 'remand-swapped']);
});
