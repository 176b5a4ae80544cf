/** What reading by a template costs, whatever the text. */
import { expect, test } from 'vitest';
import { matchLiterals } from '../../src/case/templates/match.ts';
import { expectLinear } from '../cost.ts';

test('a text that nearly holds a long literal at every place takes time linear in its length', () => {
  // The literal grows with the text: a search that begins anew at every place would take time that grows with the square.
  expectLinear(
    (length) => ({
      text: `x${'ab'.repeat(length / 2)}`,
      literals: ['x', `${'ab'.repeat(length / 2_000)}c`, ''],
    }),
    ({ text, literals }) => expect(matchLiterals(text, literals)).toBeNull(),
    2_500_000,
  );
});
