/**
 * A text's sentences, as `Intl.Segmenter` has them. Most English needs no more than a few of the rules for that, which
 * take a fraction of the time by themselves: a segmenter is copied for every text that it is put to.
 */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });

const SPACE = String.raw`[ \t\v\f]`;
const CLOSE = String.raw`["'()[\]{}‘’“”]`;
/** What follows a mark that ends no sentence: another mark, or what goes on with it. */
const ON = '.!?,:;–—-';
/** UAX #29, SB8a to SB11: all that closes a sentence belongs to it, the space behind it and the end of its line, too. */
const END = String.raw`${CLOSE}*(?:${SPACE}+(?!${SPACE}|[${ON}])|(?!${CLOSE}|${SPACE}|[${ON}]))(?:\r\n?|\n)?`;
/** SB6 to SB8: a point within a number or an abbreviation, or before a small letter, ends none. */
const POINT = String.raw`\.(?!\d|(?<=[A-Za-z]\.)[A-Z]|[^A-Za-z.!?\r\n]*[a-z])`;
const SENTENCE = new RegExp(
  String.raw`[^.!?\r\n]*(?:[.!?][^.!?\r\n]*)*?(?:(?:[!?]|${POINT})${END}|\r\n?|\n|$)`,
  'g',
);
/** Of these characters the rules above know all there is to know. */
const PLAIN = /^[\0-\x7f‘’“”–—]*$/;

/** In order, without those that are blank. */
export function splitSentences(text: string): string[] {
  const all = PLAIN.test(text)
    ? (text.match(SENTENCE) ?? [])
    : Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
  return all.filter((sentence) => sentence.trim() !== '');
}
