import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitSentences } from '../../src/bias/sentences.ts';

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });
const segmented = (text: string) =>
  Array.from(SEGMENTER.segment(text), ({ segment }) => segment).filter((segment) => segment.trim() !== '');

/** What the rules of UAX #29 turn on, and some words. */
const PIECES = [
  '.', '.', '!', '?', '"', "'", '(', ')', '[', '{', '}', ' ', ' ', '\t', '\v', '\f', '\r', '\n', ',', '-', ':', ';',
  '*', '_', '#', '`', '\0', '\x7f', '‘', '’', '“', '”', '–', '—', 'a', 'b', 'A', 'B', '1', '2', 'e.g. ', 'U.S.', '3.14',
  'Hello ', '. The', '...', '?!',
]; // biome-ignore format: a list of pieces
const textOf = (pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((some) => some.join(''));

describe('sentences', () => {
  it('end where Intl.Segmenter ends them, whatever the marks', () => {
    fc.assert(
      fc.property(textOf(PIECES), (text) => {
        expect(splitSentences(text)).toEqual(segmented(text));
      }),
      { numRuns: 10_000 },
    );
  });

  it('end there around letters and marks of other scripts, too', () => {
    const pieces = [
      ...PIECES,
      'é',
      'É',
      'ß',
      '…',
      '。',
      '！',
      '好',
      '\u00ad',
      '\u00a0',
      '\u2028',
      '\u0085',
      '😀',
    ];
    fc.assert(
      fc.property(textOf(pieces), (text) => {
        expect(splitSentences(text)).toEqual(segmented(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it('are not ended by what stands within a number, a name or an abbreviation', () => {
    expect(
      splitSentences('It is 3.14, e.g. in the U.S.A. for all. "Is it?" she asked (Yes!) Then: no.'),
    ).toEqual(['It is 3.14, e.g. in the U.S.A. for all. ', '"Is it?" ', 'she asked (Yes!) ', 'Then: no.']);
  });
});
