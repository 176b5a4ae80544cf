/** A text's sentences, as `Intl.Segmenter` has them (UAX #29). */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });

/** @returns sentences in order with the space behind each, without those that are blank */
export function splitSentences(text: string): string[] {
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment).filter(
    (sentence) => sentence.trim() !== '',
  );
}
