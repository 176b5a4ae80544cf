/**
 * Sentiment: the verdict follows the mood of an answer's wording. Undone by comparing final answers where
 * every option states one, otherwise by restating the options in a neutral tone.
 */

import vader from 'vader-sentiment';
import { type Case, splitSentences } from '../case/index.ts';
import { classify } from './classifier.ts';
import { reduceToFinalAnswers, rewriteOptions } from './reword.ts';
import type { Bias } from './types.ts';

/**
 * How bright or gloomy a sentence is: VADER's scores (Hutto & Gilbert, ICWSM 2014), to the last digit, by the package's
 * own rules. Only the splitting into words is ours, because the package's `polarity_scores` makes a table of every word
 * with every mark before and behind it. With it a judgment of 32 KB costs 2.3 ms of CPU instead of 1.4
 * (`npm run bench:performance -- --cpu`).
 */
const analyzer = vader.SentimentIntensityAnalyzer;

/** The marks that VADER takes off a word: in front of it or behind it, never both. */
const MARK = String.raw`(?:[.,;:'"-]|!{1,3}|\?{1,3}|\?!\?!?|!\?!\??)`;
const WORD = String.raw`[^!-/:-@[-\x60{-~]{2,}`;
/** The first and the last characters of those marks. */
const ENDS = new Set(`.,;:'"-!?`);
const PUNCTUATION = /[!-/:-@[-\x60{-~]/;
const MARKED = new RegExp(`^(?:${MARK}(${WORD})|(${WORD})${MARK})$`);

/** A word without neighbours, for its valence in the lexicon. */
const ALONE = { words_and_emoticons: [], is_cap_diff: false };

/** @returns VADER's compound polarity, in [-1, 1]; its lexicon is English, other languages are neutral */
export function measurePolarity(sentence: string): number {
  const words = (sentence.match(/\S{2,}/g) ?? []).map(withoutMark);
  const own: number[] = [];
  for (const word of words) analyzer.sentiment_valence(0, ALONE, word, 0, own);
  // Most sentences contain no lexicon word; skip them.
  if (own.every((valence) => valence === 0)) return 0;
  const shouted = words.filter((word) => !/[a-z]/.test(word) && /[A-Z]/.test(word)).length;
  const text = { words_and_emoticons: words, is_cap_diff: shouted > 0 && shouted < words.length };
  const valences: number[] = [];
  for (const [i, word] of words.entries()) {
    // "Kind of" only weakens the next word. The lexicon holds no other word that strengthens or weakens.
    const weakens = () => word.toLowerCase() === 'kind' && words[i + 1]?.toLowerCase() === 'of';
    if (own[i] === 0 || weakens()) valences.push(0);
    else analyzer.sentiment_valence(0, text, word, i, valences);
  }
  // Exclamation marks change a score only where there is one.
  if (valences.every((valence) => valence === 0)) return 0;
  return analyzer.score_valence(analyzer.but_check(words, valences), sentence).compound;
}

function withoutMark(token: string): string {
  // Most words have no mark.
  const closed = ENDS.has(token.charAt(token.length - 1));
  if (!closed && !ENDS.has(token.charAt(0))) return token;
  // Most marks are one character behind the word.
  const word = token.slice(0, -1);
  if (closed && word.length > 1 && !PUNCTUATION.test(word)) return word;
  const match = MARKED.exec(token);
  return match?.[1] ?? match?.[2] ?? token;
}

/** Difference of mean sentence polarity (each in [-1, 1]) from which moods differ noticeably. */
const MARGIN = 0.5;
/** Valence of a word, of 4 at most, that colours its sentence. Weaker words are mostly of the subject: lower, pressure, share. */
const STRONG = 1.8;
/** Words that English texts are full of, and such words of other languages. */
const ENGLISH =
  /\b(?:the|of|and|is|to|that|for|it|with|are|this|by|not|be|you|your|from|have|has|will|they|we|or|but|can|if|my|what|how)\b/gi;
const FOREIGN =
  /\b(?:der|die|das|und|ist|nicht|ein|eine|den|dem|zu|mit|auf|sich|wird|le|la|les|des|une|est|et|que|qui|dans|pour|pas|sur|el|los|las|una|por|en|del|con|para|su|es|y|un|du|de)\b/gi;
/** Letters that English has none of. */
const OUTLANDISH = /(?!\p{Script=Latin})\p{L}/gu;

/** Polarity from which a text counts as coloured at all: VADER's own threshold for "not neutral". */
const COLOURED = 0.05;
/** Characters. Mood shows in the opening. */
const READ = 240;

export const sentiment: Bias = {
  name: 'sentiment',
  definition:
    'The choice follows the emotional tone of the wording (cheerful over gloomy, or the reverse) rather than ' +
    'what the answer claims.',
  expectation: 'invariant',
  trait: 'tone',

  spot(subject) {
    if (subject.options.length < 2) return [];
    const moods = subject.options.map((option) => measureMood(option.text, STRONG));
    const gloomiest = Math.min(...moods);
    return moods.flatMap((value, favours) =>
      value - gloomiest < MARGIN
        ? []
        : [
            {
              bias: 'sentiment',
              favours,
              strength: (value - gloomiest) / 2,
              seen: `its tone is brighter than that of another (polarity ${value.toFixed(2)} against ${gloomiest.toFixed(2)})`,
            },
          ],
    );
  },

  async undo(subject, _cue, tools) {
    return reduceToFinalAnswers(subject) ?? rewriteOptions(subject, 'neutral', findColoured(subject), tools);
  },

  /** The wrong options are made to sound cheerful and the right one gloomy; in the twin, the other way round. */
  async inject(draft, { side, retone, signal }) {
    if (draft.toned && side === 'wrong') return { ...draft, options: draft.toned };
    if (!retone) return { dropped: 'no model to change the tone with' };
    const tasks = draft.options.map((text, index) => {
      const cheerful = (index === draft.right) === (side === 'right');
      return { text, tone: cheerful ? ('cheerful' as const) : ('gloomy' as const) };
    });
    const options = await retone(tasks, signal);
    if (options.some((text) => text === null)) return { dropped: 'the meaning did not stay in another tone' };
    return { ...draft, options: options.map((text) => text ?? '') };
  },
};

function findColoured(subject: Case): number[] {
  return subject.options.flatMap((option, index) =>
    Math.abs(measureMood(option.text)) >= COLOURED ? [index] : [],
  );
}

/**
 * Mean VADER polarity of the sentences at the head of a text, in [-1, 1] (Hutto & Gilbert, ICWSM 2014).
 * The mean keeps long texts from saturating. In other languages, it is the share of cheerful sentences less that of gloomy
 * ones, as the classifier takes them.
 * @param strong valence of the strongest word that a sentence must have; others are neutral
 */
export function measureMood(text: string, strong = 0): number {
  const head = text.slice(0, READ);
  if (!isEnglish(head)) {
    const kinds = classify(head, ['cheerful', 'gloomy']).map(({ kind }) => kind);
    const count = (mood: 'cheerful' | 'gloomy') => kinds.filter((kind) => kind === mood).length;
    return (count('cheerful') - count('gloomy')) / Math.max(1, splitSentences(head).length);
  }
  const strongWords = valencesOf(head).filter((valence) => Math.abs(valence) >= strong);
  const marks = head.includes('!') ? 1 : 0;
  // One strong word may be of the subject (a win, a murderer); a mood has two of the same colour. Most texts have fewer.
  if (strong > 0 && strongWords.length + marks < 2) return 0;
  const isMood = (score: number) =>
    strong === 0 || strongWords.filter((valence) => valence * score > 0).length + marks > 1;
  const scores = splitSentences(head)
    .map((sentence) => (hasValence(sentence, strong) ? measurePolarity(sentence) : 0))
    .map((score) => (isMood(score) ? score : 0))
    .filter(Number.isFinite);
  return scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/** The lexicon is English, and "die" is another word in German. */
function isEnglish(text: string): boolean {
  const count = (words: RegExp) => text.match(words)?.length ?? 0;
  return count(FOREIGN) <= count(ENGLISH) && count(OUTLANDISH) < text.length / 10;
}

const hasValence = (sentence: string, least: number): boolean =>
  valencesOf(sentence).some((valence) => Math.abs(valence) >= least);

function valencesOf(text: string): number[] {
  const own: number[] = [];
  for (const word of (text.match(/\S{2,}/g) ?? []).map(withoutMark))
    analyzer.sentiment_valence(0, ALONE, word, 0, own);
  return own;
}
