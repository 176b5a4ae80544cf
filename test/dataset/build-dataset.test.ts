/** From base data to D and D_bias: what each bias does, where the right option stands, what is dropped and why. */
import { describe, expect, it, test } from 'vitest';
import type { InjectTools } from '../../src/bias/draft.ts';
import { findBias } from '../../src/bias/index.ts';
import type { BaseChoice, BasePair, RightPlace } from '../../src/dataset/base.ts';
import { type BuildSettings, type BuiltItem, buildDataset } from '../../src/dataset/build-dataset.ts';

const SUM: BasePair = {
  kind: 'pair',
  id: 'sum-1',
  instruction: 'What is 17*23?',
  positive: '17*20 is 340, and 17*3 is 51.\n#### 391',
  negative: '17*20 is 340, and 17*3 is 41. So it is 381.',
  answer: '391',
  first: 'positive',
};
const PLANTS: BaseChoice = {
  kind: 'choice',
  id: 'plants-1',
  instruction: 'Which of these is a plant?',
  options: ['a fox', 'a fern', 'a fly'],
  right: 1,
  toned: null,
};

function settings(names: readonly string[], rest: Partial<BuildSettings> = {}): BuildSettings {
  return {
    biases: names.flatMap((name) => findBias(name) ?? []),
    twins: false,
    place: 'as-is',
    seed: 1,
    published: false,
    tools: { share: 90, wording: '{share}% believe that {option} is better', retone: null },
    checkNegatives: true,
    negative: null,
    ...rest,
  };
}

async function built(base: BasePair | BaseChoice, of: BuildSettings): Promise<BuiltItem> {
  for await (const one of buildDataset([base], of, { concurrency: 1, signal: new AbortController().signal }))
    return one;
  throw new Error('nothing was built');
}

const retone: InjectTools['retone'] = async (texts) => texts.map(({ text, tone }) => `${tone}: ${text}`);

describe('the bias in D_bias, and its twin', () => {
  it('verbosity leaves the right one with its answer alone; the twin, the wrong one', async () => {
    const { pairs } = await built(SUM, settings(['verbosity'], { twins: true }));
    expect(pairs.map(([d, dBias]) => [d.options, dBias.options, dBias.twin])).toEqual([
      [[SUM.positive, SUM.negative], ['391', SUM.negative], false],
      [[SUM.positive, SUM.negative], [SUM.positive, '381'], true],
    ]);
  });

  it.each([
    ['$12.50', '$381'],
    ['1,391 jars', '1,234,381 jars'],
    ['-3 °C', '381 °C'],
    ['3/4', undefined],
  ])('verbosity spells both short answers alike: %s', async (answer, wrong) => {
    const negative = wrong?.startsWith('1') ? 'It is 1234381.' : SUM.negative;
    const { pairs } = await built(
      { ...SUM, answer, negative, positive: `Counted up that is ${answer}` },
      settings(['verbosity'], { twins: true }),
    );
    expect(pairs.map(([, dBias]) => dBias.options[dBias.twin ? 1 : 0])).toEqual(
      wrong === undefined ? [answer] : [answer, wrong],
    );
  });

  it('bandwagon has the crowd for the wrong one; the twin, for the right one', async () => {
    const { pairs } = await built(SUM, settings(['bandwagon'], { twins: true, place: 'second' }));
    expect(pairs.map(([d, dBias]) => [d.statements, dBias.statements, dBias.right])).toEqual([
      [[], ['90% believe that Output (a) is better'], 1],
      [[], ['90% believe that Output (b) is better'], 1],
    ]);
  });

  it.each<RightPlace>(['first', 'second', 'as-is', 'random'])(
    'position turns the options round; the twin starts from the other order (%s)',
    async (place) => {
      for (const base of [SUM, PLANTS]) {
        const { pairs } = await built(base, settings(['position'], { twins: true, place }));
        const [own, twin] = pairs.map(([d, dBias]) =>
          [d, dBias].map(({ options, right }) => [options, right]),
        );
        expect(own?.[1]?.[0]).not.toEqual(own?.[0]?.[0]);
        expect(twin).toEqual(own?.toReversed());
      }
    },
  );

  it('position with the right one first has it second in the twin', async () => {
    const { pairs } = await built(SUM, settings(['position'], { twins: true, place: 'first' }));
    expect(pairs.map(([d, dBias]) => [d.right, dBias.right])).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it('sentiment makes the right one gloomy and the rest cheerful; the twin, the other way round', async () => {
    const tools = { ...settings([]).tools, retone };
    const { pairs } = await built(PLANTS, settings(['sentiment'], { twins: true, tools }));
    expect(pairs.map(([, dBias]) => dBias.options)).toEqual([
      ['cheerful: a fox', 'gloomy: a fern', 'cheerful: a fly'],
      ['gloomy: a fox', 'cheerful: a fern', 'gloomy: a fly'],
    ]);
    expect(pairs[0]?.[0].labels).toEqual(['Choice 1', 'Choice 2', 'Choice 3']);
  });

  it('several at once: the crowd is for the longer, wrong one, and its name goes along when the order turns', async () => {
    const { pairs } = await built(SUM, settings(['position', 'verbosity', 'bandwagon']));
    const [, dBias] = pairs[0] ?? [];
    expect(dBias?.options).toEqual([SUM.negative, '391']);
    expect(dBias?.statements).toEqual(['90% believe that Output (a) is better']);
    expect(dBias?.id).toBe('sum-1/position+verbosity+bandwagon');
  });
});

test.each<[RightPlace, number]>([
  ['first', 0],
  ['second', 1],
  ['as-is', 0],
])('the right one stands %s', async (place, right) => {
  const { pairs } = await built(SUM, settings(['bandwagon'], { place }));
  expect(pairs[0]?.[0].right).toBe(right);
  expect(pairs[0]?.[0].options[right]).toBe(SUM.positive);
});

test('of several wrong options the crowd is for each now and then, and for one with every bias', async () => {
  const named = async (n: number, biases: readonly string[]) => {
    const base = { ...PLANTS, id: `plants-${n}`, options: ['a fox', 'a fern', 'a fly', 'a flea'] };
    const { pairs } = await built(base, settings(biases));
    return pairs[0]?.[1].statements.flatMap((text) => /\((\w)\)|Choice (\d)/.exec(text)?.[0] ?? []) ?? [];
  };
  const crowds = await Promise.all(Array.from({ length: 60 }, (_, n) => named(n, ['bandwagon'])));
  const counts = Object.values(Object.groupBy(crowds.flat(), (one) => one)).map((all) => all?.length ?? 0);
  expect(counts).toHaveLength(3);
  expect(Math.min(...counts)).toBeGreaterThan(8);
  const both = await named(3, ['bandwagon', 'authority']);
  expect(new Set(both).size).toBe(1);
});

test('random places are about even, and the same in every run', async () => {
  const places = async (seed: number) => {
    const bases = Array.from({ length: 400 }, (_, n) => ({ ...SUM, id: `sum-${n}` }));
    const found: number[] = [];
    for await (const { pairs } of buildDataset(bases, settings(['bandwagon'], { place: 'random', seed }), {
      concurrency: 8,
      signal: new AbortController().signal,
    }))
      found.push(pairs[0]?.[0].right ?? -1);
    return found;
  };
  const [one, again, other] = await Promise.all([places(1), places(1), places(2)]);
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
  const first = one.filter((right) => right === 0).length;
  expect(first).toBeGreaterThan(160);
  expect(first).toBeLessThan(240);
});

describe('what cannot be used is dropped, and why is said', () => {
  it.each([
    ['a negative answer that is right', { ...SUM, negative: 'It is 391.' }, 'the negative answer is right'],
    [
      'one that comes to nothing',
      { ...SUM, negative: 'I cannot say.' },
      'the negative answer comes to no number',
    ],
    ['the right answer', { ...SUM, answer: 'Lima', negative: 'lima.' }, 'the negative answer is right'],
    ['none at all', { ...SUM, negative: null }, 'no negative answer, and no weak model to give one'],
    ['two that are the same', { ...SUM, negative: SUM.positive, answer: null }, 'two options are the same'],
  ])('%s', async (_, base, reason) => {
    expect(await built(base, settings(['verbosity']))).toMatchObject({ pairs: [], dropped: [reason] });
  });

  it('a tone that changed the meaning', async () => {
    const tools = { ...settings([]).tools, retone: async () => ['x', null, 'y'] };
    const { dropped } = await built(PLANTS, settings(['sentiment'], { tools }));
    expect(dropped).toEqual(['the meaning did not stay in another tone']);
  });

  it("a weak model that fails is that item's reason, and the run goes on", async () => {
    const bases = [{ ...SUM, id: 'a', negative: null }, SUM];
    const of = settings(['verbosity'], {
      negative: () => Promise.reject(new Error('the endpoint answered 500')),
    });
    const all: BuiltItem[] = [];
    for await (const one of buildDataset(bases, of, { concurrency: 1, signal: new AbortController().signal }))
      all.push(one);
    expect(all.map(({ base, pairs, dropped }) => [base, pairs.length, dropped])).toEqual([
      ['a', 0, ['the endpoint answered 500']],
      ['sum-1', 1, []],
    ]);
  });
});
