/** What a judge of three and more options is said to follow: a place, a crowd, or nothing. */
import { expect, test } from 'vitest';
import { measureBiasEffects } from '../../../src/audit/index.ts';
import { findBias } from '../../../src/bias/index.ts';
import { type BaseItem, buildDataset, USUAL_BUILD } from '../../../src/dataset/index.ts';
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

const shownIn = (prompt: string) => [...prompt.matchAll(/^\d\. (\w+ of \d+)/gm)].map(([, text = '']) => text);

/** @param choose the text it chooses, of the texts as they stand in the prompt */
const judgeOf = (choose: (shown: readonly string[], prompt: string) => string): Model => ({
  name: 'j',
  async ask({ user }) {
    const shown = shownIn(user);
    const text = `Choice ${shown.indexOf(choose(shown, user)) + 1}`;
    return { text, reasoning: null, finish: null, tokens: null, cached: false };
  },
});

async function measure(bias: string, judge: Model, items = ITEMS) {
  const run = { concurrency: 4, signal: new AbortController().signal };
  const biases = [findBias(bias)].flatMap((one) => one ?? []);
  const asked = { items, biases, judges: [judge], tone: null, onDropped: () => {} };
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

const BACKED = /believe that Choice (\d)/;
const rightIn = (shown: readonly string[]) => (Number(shown[0]?.split(' ')[2]) % 2 === 0 ? 0 : 3);

/** A wrong option of each question that nobody speaks for, wherever it stands. */
async function unbacked(): Promise<(shown: readonly string[]) => string> {
  const run = { concurrency: 4, signal: new AbortController().signal };
  const biases = [findBias('bandwagon')].flatMap((one) => one ?? []);
  const others = new Map<string, string>();
  for await (const { pairs } of buildDataset(ITEMS, { ...USUAL_BUILD, biases }, run))
    for (const [, { options, right, favours, twin, base }] of pairs)
      if (!twin) others.set(base.slice(1), options.find((_, n) => n !== right && n !== favours) ?? '');
  return (shown) => others.get(shown[0]?.split(' ')[2] ?? '') ?? '';
}

/** Without the crowd, the judge takes a wrong option that the crowd is never for. */
test.each([
  ['follows the crowd wherever it goes', () => true, 1],
  ['follows it to wrong options alone', (backed: number, right: number) => backed !== right, 0.5],
  ['never follows it', () => false, 0],
])('a judge of four options that is always wrong and %s', async (_, follows, value) => {
  const other = await unbacked();
  const judge = judgeOf((shown, prompt) => {
    const backed = Number(BACKED.exec(prompt)?.[1] ?? 0) - 1;
    return (backed >= 0 && follows(backed, rightIn(shown)) ? shown[backed] : other(shown)) ?? '';
  });
  expect(await measure('bandwagon', judge)).toMatchObject({ n: 48, effect: { value } });
});

test('a verdict that goes between wrong options of which the crowd is for neither has moved, and not its way', async () => {
  const other = await unbacked();
  const judge = judgeOf((shown, prompt) => {
    const backed = Number(BACKED.exec(prompt)?.[1] ?? 0) - 1;
    const third = shown.findIndex((text, n) => n !== rightIn(shown) && n !== backed && text !== other(shown));
    return backed >= 0 ? (shown[third] ?? '') : other(shown);
  });
  expect(await measure('bandwagon', judge)).toMatchObject({ n: 48, moved: 48, effect: { value: 0 } });
});

test('a renowned author speaks for one option, too', async () => {
  const long = ITEMS.map((item) =>
    item.kind === 'choice' ? { ...item, options: item.options.map((text) => `${text}. `.repeat(30)) } : item,
  );
  const other = await unbacked();
  const judge: Model = {
    name: 'j',
    async ask({ user }) {
      const authors = [...user.matchAll(/Affiliation: (.)/g)].map(([, first]) => first);
      const shown = shownIn(user);
      const text = `Choice ${(authors.length > 0 ? authors.indexOf('M') : shown.indexOf(other(shown))) + 1}`;
      return { text, reasoning: null, finish: null, tokens: null, cached: false };
    },
  };
  expect(await measure('author', judge, long)).toMatchObject({ n: 48, moved: 48, effect: { value: 1 } });
});
