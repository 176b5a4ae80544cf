/** Second thoughts, certainty and authority in six languages: their wordings were committed before the rules, by their author. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { findAuthorities } from '../../src/bias/authority.ts';
import { findReflections } from '../../src/bias/reflection.ts';
import { cutPhrases } from '../../src/case/phrases.ts';
import authorities from './authority/wordings.json' with { type: 'json' };
import reflections from './reflection/wordings.json' with { type: 'json' };

const wordings = z.object({
  positives: z.record(z.string(), z.array(z.tuple([z.string(), z.string()]))),
  negatives: z.record(z.string(), z.array(z.string())),
});

describe.each([
  ['reflection', wordings.parse(reflections), findReflections],
  ['authority', wordings.parse(authorities), findAuthorities],
] as const)('%s', (_, { positives, negatives }, find) => {
  test.each(Object.keys(positives))('%s: nine of ten wordings are found, and the claim stays', (language) => {
    const all = positives[language] ?? [];
    const missed = all.flatMap(([text, rest]) => {
      const cut = cutPhrases(text, find(text));
      return cut.trim() === rest.trim() ? [] : [`${text} -> ${cut}`];
    });
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(all.length / 10);
  });

  test.each(Object.keys(negatives))('%s: of sentences without, none is taken for one', (language) => {
    expect((negatives[language] ?? []).filter((text) => find(text).length > 0)).toEqual([]);
  });
});
