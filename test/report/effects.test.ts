/** What a comparison is said to have shown, alone and among others. */
import { expect, test } from 'vitest';
import { renderEffects, renderEffectsTable } from '../../src/report/report-words.ts';

const WORDS = {
  helped: 'Better:',
  harmed: 'Worse:',
  open: '',
  noun: 'arm',
  heads: ['here', 'there'],
} as unknown as Parameters<typeof renderEffects>[1];

test('a difference that correction for the other comparisons takes away is told so in its row, too', () => {
  const effects = [
    { name: 'probe', gained: 0, lost: 7, p: 0.016 },
    ...['placebo', 'samples', 'panel'].map((name) => ({ name, gained: 3, lost: 3, p: 1 })),
  ].map((one) => ({ ...one, least: 0.01 }));
  const table = String(renderEffectsTable(effects, WORDS, 'a test'));
  expect(table).toContain('worse, not after correction');
  expect(String(renderEffectsTable(effects.slice(0, 1), WORDS, 'a test'))).not.toContain(
    'not after correction',
  );
  expect(renderEffects(effects, WORDS).map(String).join(' ')).toContain(
    'None of that stands after correction',
  );
});
