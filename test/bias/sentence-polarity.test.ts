import fc from 'fast-check';
import vader from 'vader-sentiment';
import { describe, expect, it } from 'vitest';
import { measurePolarity } from '../../src/bias/sentiment.ts';

const whole = (text: string) => vader.SentimentIntensityAnalyzer.polarity_scores(text).compound;

/** Words and marks that VADER has rules for, and some that it has none for. */
const PIECES = (
  'good GOOD bad horrible love hate kind of sort very VERY hardly not never so this least at most but BUT ' +
  "isn't don't without the shit yeah right bad ass cut mustard kiss death hand to mouth :) :( :D <3 lol a I " +
  'constructor __proto__ hasOwnProperty Vier Ä gut 好 17*23 391 uh-uh kind-of well-made re-good ok'
).split(' ');
const MARKS = [
  '', '', '', '', '.', '!', '?', ',', ';', ':', '-', "'", '"', '!!', '!!!', '!!!!', '??', '???', '????', '?!', '?!?',
  '!?!', '?!?!', '!?!?', '!?!?!', '...', '(', ')', '*', '_', '`', '[', '~', '/', '\\', '@', '^',
]; // biome-ignore format: a list of marks
const GAPS = [' ', ' ', ' ', '  ', '\n', '\t', '\u00a0', '\u2028'];

const token = fc
  .tuple(
    fc.constantFrom(...MARKS),
    fc.constantFrom(...PIECES),
    fc.constantFrom(...MARKS),
    fc.constantFrom(...GAPS),
  )
  .map((parts) => parts.join(''));

describe('polarity', () => {
  it("is VADER's own compound score, whatever the words and the marks around them", () => {
    const sentence = fc.array(token, { maxLength: 14 }).map((tokens) => tokens.join(''));
    fc.assert(
      fc.property(sentence, (text) => measurePolarity(text) === whole(text)),
      { numRuns: 2_000 },
    );
  });

  it('is of any text whatever', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        (text) => measurePolarity(text) === whole(text),
      ),
      { numRuns: 500 },
    );
  });

  it('tells praise from blame', () => {
    expect(measurePolarity('What a wonderful day!')).toBeGreaterThan(0.5);
    expect(measurePolarity('A horrible, terrible mistake.')).toBeLessThan(-0.5);
  });
});
