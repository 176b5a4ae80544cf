/** What a judge of three and more options is said to follow: a place, a crowd, or nothing. */
import { expect, test } from 'vitest';
import { measureBiasEffects } from '../../../src/audit/index.ts';
import { findBias } from '../../../src/bias/index.ts';
import type { BaseItem } from '../../../src/dataset/index.ts';
import { askBiases } from '../../../src/evaluate/index.ts';
import type { Model } from '../../../src/models/index.ts';

/** The right option stands first or last, as it may in anybody's questions. */
const ITEMS = Array.from({ length: 24 }, (_, n): BaseItem => {
  const options = ['one', 'two', 'three', 'four'].map((word) => `${word} of ${n}`);
  return {
    kind: 'choice',
    id: `q${n}`,
    instruction: `Which of ${n}?`,
    options,
    right: n % 2 === 0 ? 0 : 3,
    toned: null,
  };
});

/** @param choose the text it chooses, of the texts as they stand in the prompt */
const judgeOf = (choose: (shown: readonly string[], prompt: string) => string): Model => ({
  name: 'j',
  async ask({ user }) {
    const shown = [...user.matchAll(/^\d\. (\w+ of \d+)$/gm)].map(([, text = '']) => text);
    const text = `Choice ${shown.indexOf(choose(shown, user)) + 1}`;
    return { text, reasoning: null, finish: null, tokens: null, cached: false };
  },
});

async function measure(bias: string, judge: Model) {
  const run = { concurrency: 4, signal: new AbortController().signal };
  const biases = [findBias(bias)].flatMap((one) => one ?? []);
  const asked = { items: ITEMS, biases, judges: [judge], tone: null, onDropped: () => {} };
  return measureBiasEffects(await Array.fromAsync(askBiases(asked, run)))[0];
}

test.each([
  [
    'the right ones',
    (shown: readonly string[]) =>
      shown.find((one) => one.startsWith(Number(one.split(' ')[2]) % 2 === 0 ? 'one' : 'four')) ?? '',
  ],
  ['those in the middle', (shown: readonly string[]) => shown.find((one) => one.startsWith('two')) ?? ''],
])('a judge that sticks to %s follows no place', async (_, choose) => {
  expect(await measure('position', judgeOf(choose))).toMatchObject({
    n: 48,
    moved: 0,
    effect: { value: 0, p: 1 },
  });
});

test.each([
  [0, 0.5],
  [3, -0.5],
  [1, 0],
])('one that always takes place %i has an effect of %f', async (place, value) => {
  const effect = await measure(
    'position',
    judgeOf((shown) => shown[place] ?? ''),
  );
  expect(effect).toMatchObject({ moved: 48, effect: { value } });
});

test('a verdict that goes from one wrong option to another has moved', async () => {
  const judge = judgeOf((shown, prompt) =>
    prompt.includes('believe') ? (shown[1] ?? '') : (shown[2] ?? ''),
  );
  expect(await measure('bandwagon', judge)).toMatchObject({ n: 48, moved: 48, effect: { value: 0 } });
});
