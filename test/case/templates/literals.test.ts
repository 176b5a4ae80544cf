/** Which of many literals stand in a text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLiteralSearch } from '../../../src/case/templates/literals.ts';

describe('createLiteralSearch', () => {
  it('finds what includes finds, whatever the literals and the text', () => {
    // Few letters, so that literals overlap, begin and end alike, and stand in each other.
    const letters = fc.constantFrom('a', 'b', '\n', 'é', '满');
    const literal = fc.string({ unit: letters, minLength: 1, maxLength: 24 });
    fc.assert(
      fc.property(
        fc.array(literal, { maxLength: 12 }),
        fc.array(fc.oneof(literal, fc.nat({ max: 11 })), { maxLength: 12 }),
        (literals, pieces) => {
          const text = pieces.map((one) => (typeof one === 'string' ? one : literals[one])).join('');
          const expected = literals.filter((one) => text.includes(one));
          expect([...createLiteralSearch(literals)(text)].toSorted()).toEqual(
            [...new Set(expected)].toSorted(),
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
