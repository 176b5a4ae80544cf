/** Where words stand in a text, in scripts that set them apart and in those that do not. */

/** Scripts that put no space between words. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Where a text in marks stands, or a word by itself. */
export const occurrencesOf = (text: string, frame: string): number[] =>
  /^[\p{L}\p{N}].*[\p{L}\p{N}]$|^[\p{L}\p{N}]$/u.test(frame)
    ? occurrences(text, frame)
    : Array.from(text.matchAll(new RegExp(RegExp.escape(frame), 'gu')), ({ index }) => index);

const HANGUL = /\p{Script=Hangul}/u;

/**
 * Whether a sign beside a word makes it a part of a longer one. No space stands between the words of Chinese or Japanese, and none in front
 * of a Korean particle: `A가`.
 */
const isJoined = (sign: string, edge = '') =>
  /[\p{L}\p{N}_]/u.test(sign) && !UNSPACED.test(sign) && !(HANGUL.test(sign) && !HANGUL.test(edge));

/** Where a word stands with no letter or digit of its own script beside it. */
export function occurrences(line: string, word: string): number[] {
  const found: number[] = [];
  if (word === '') return found;
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + word.length)) {
    const [before, after] = [line.charAt(at - 1), line.charAt(at + word.length)];
    const isNegative = before === '-' && /^\p{N}/u.test(word) && !/[\p{L}\p{N}]/u.test(line.charAt(at - 2));
    if (!isNegative && !isJoined(after, word.at(-1)) && !isJoined(before, word.at(0))) found.push(at);
  }
  return found;
}
