/** A text's sentences, in two ways. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * As `Intl.Segmenter` has them (UAX #29), which ends none before a digit or a small letter: for what people wrote.
 * @returns sentences in order with the space behind each, without those that are blank
 */
export function splitSentences(text: string): string[] {
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment).filter(
    (sentence) => sentence.trim() !== '',
  );
}

/**
 * At every stop with space behind it, every full-width one and every line break, whatever follows: for what is searched sentence by
 * sentence, where one that is cut too short does no harm and one that is not cut does.
 */
export const splitAtStops = (text: string): string[] =>
  text
    .split(/(?<=[.!?؟।]["')\]]{0,3})\s+|(?<=[。！？][”’」』）】]?)(?![”’」』）】。！？])|\n+/u)
    .filter((sentence) => sentence.trim() !== '');
