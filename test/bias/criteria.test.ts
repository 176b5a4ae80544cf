/** Whether what a judge is told asks for what a bias goes by, over prompts as people write them. */
import { expect, test } from 'vitest';
import { asksFor } from '../../src/bias/asked.ts';
import { caseOfPrompt, HALVES, WITH_TRAIT } from './criteria/prompts.ts';

const KINDS = ['asked', 'ignored', 'mentioned'] as const;

/** How many pairs of a prompt and a bias there are of each kind, and how many of them are read wrongly. */
function count(half: keyof typeof HALVES) {
  const pairs = HALVES[half].flatMap((prompt) =>
    WITH_TRAIT.filter(({ name }) => !prompt.unclear?.includes(name)).map(({ name, trait }) => {
      const kind = KINDS.find((one) => prompt[one]?.includes(name)) ?? 'unnamed';
      return { kind, isRight: asksFor(caseOfPrompt(prompt), trait) === (kind === 'asked') };
    }),
  );
  return Object.fromEntries(
    [...KINDS, 'unnamed'].map((kind) => {
      const all = pairs.filter((one) => one.kind === kind);
      return [kind, `${all.filter(({ isRight }) => !isRight).length} of ${all.length}`];
    }),
  );
}

test('of the open prompts none is read wrongly', () => {
  expect(count('open')).toEqual({
    asked: '0 of 78',
    ignored: '0 of 53',
    mentioned: '0 of 42',
    unnamed: '0 of 1273',
  });
});

test('of the closed prompts few are', () => {
  expect(count('closed')).toEqual({
    asked: '3 of 80',
    ignored: '2 of 59',
    mentioned: '0 of 35',
    unnamed: '0 of 1271',
  });
});

test('they are in many languages, and each bias is asked for, ignored and mentioned', () => {
  const all = Object.values(HALVES).flat();
  expect(all.length).toBeGreaterThan(200);
  expect(new Set(all.map(({ language }) => language)).size).toBeGreaterThan(12);
  for (const { name } of WITH_TRAIT)
    for (const kind of KINDS)
      expect(
        all.some((prompt) => prompt[kind]?.includes(name)),
        `${name} ${kind}`,
      ).toBe(true);
});
