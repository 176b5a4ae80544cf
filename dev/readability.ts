/** How hard a text is to read: the length of its sentences, and Flesch's reading ease. */
import MarkdownIt from 'markdown-it';
import { syllable } from 'syllable';

/** The most words that a sentence may have. */
export const MOST_WORDS = 35;
/** The least reading ease of a page: "fairly difficult" begins below 60, "difficult" below 50. */
export const LEAST_EASE = 50;
/** A heading or the cell of a table is seldom a sentence. With fewer words than this it does not count for the ease. */
const LEAST_CELL_WORDS = 6;

/** A name in code is read as one short word, whatever its letters are. */
const CODE = 'code';

export interface Sentence {
  readonly text: string;
  readonly words: readonly string[];
  /** False for a fragment in a table or a heading: it counts for the length, not for the ease. */
  readonly prose: boolean;
}

/**
 * The sentences of a page in Markdown, without its code. A paragraph, a list item, a heading and the cell of a table
 * each end the sentence they hold.
 */
export function readSentences(markdown: string): Sentence[] {
  const tokens = new MarkdownIt({ html: true }).parse(markdown, {});
  return tokens.flatMap((token, at) => {
    if (token.type !== 'inline') return [];
    const text = (token.children ?? [])
      .map(({ type, content }) =>
        type === 'text' ? content : type === 'code_inline' ? CODE : type.endsWith('break') ? ' ' : '',
      )
      .join('');
    return readWords(text, !/^(?:heading|th|td)_open$/.test(tokens[at - 1]?.type ?? ''));
  });
}

/**
 * The sentences of a text without markup, with their words; a number is a word.
 *
 * @param isProse false for a text that may be a fragment
 */
export function readWords(text: string, isProse = true): Sentence[] {
  return text
    .split(/(?<=[.!?]["”)]*)\s+(?=["“(*]*(?:\p{Lu}|\p{N}|code\b))/u)
    .filter((sentence) => /\p{L}/u.test(sentence))
    .map((sentence) => {
      const words = sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’.,_]*/gu) ?? [];
      return { text: sentence.trim(), words, prose: isProse || words.length >= LEAST_CELL_WORDS };
    });
}

/**
 * Flesch's reading ease (J. Appl. Psychol. 32, 1948): 206.835 − 1.015 words a sentence − 84.6 syllables a word.
 *
 * @returns about 100 for what is very easy, below 0 for what nobody can read; 100 where there is no sentence
 */
export function readingEase(sentences: readonly Sentence[]): number {
  const prose = sentences.filter((one) => one.prose);
  const words = prose.flatMap((one) => one.words);
  if (words.length === 0) return 100;
  const syllables = words.reduce((sum, word) => sum + Math.max(1, syllable(word)), 0);
  return 206.835 - (1.015 * words.length) / prose.length - (84.6 * syllables) / words.length;
}
