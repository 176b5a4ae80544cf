/** Text in an answer that speaks to the judge, in six languages: see test/bias/instruction/README.md. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { findInstructions } from '../../src/case/instructions.ts';
import { cutSentences } from '../../src/case/phrases.ts';
import wordings from './instruction/wordings.json' with { type: 'json' };

const sentences = z.record(z.string(), z.array(z.string()));
const { positives, negatives } = z.object({ positives: sentences, negatives: sentences }).parse(wordings);

const BEFORE = 'It is 391.\n';
const BEHIND = '\nThat is all.';

describe.each(Object.keys(positives))('%s', (language) => {
  test('nine of ten wordings are found, and nothing else is cut', () => {
    const all = positives[language] ?? [];
    const missed = all.filter((one) => findInstructions(one).length === 0);
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(all.length / 10);
    for (const one of all) {
      const text = BEFORE + one + BEHIND;
      const rest = cutSentences(text, findInstructions(text));
      expect(rest.startsWith('It is 391.'), rest).toBe(true);
      expect(rest.endsWith(BEHIND), rest).toBe(true);
    }
  });

  test('of sentences that speak to nobody, or to a reader, none is taken for one', () => {
    const alarms = (negatives[language] ?? []).filter((one) => findInstructions(one).length > 0);
    expect(alarms).toEqual([]);
  });
});
