/**
 * How bright or gloomy a sentence is: VADER's scores (Hutto & Gilbert, ICWSM 2014), to the last digit, by the package's
 * own rules. Only the splitting into words is ours: the package's makes a table of every word with every mark before and
 * behind it, which was a quarter of all that a judgment costs.
 */
import vader from 'vader-sentiment';

const analyzer = vader.SentimentIntensityAnalyzer;

/** What VADER takes off a word, before it or behind it: one of these, not both ends. */
const MARK = String.raw`(?:[.,;:'"-]|!{1,3}|\?{1,3}|\?!\?!?|!\?!\??)`;
const WORD = String.raw`[^!-/:-@[-\x60{-~]{2,}`;
/** What such a mark begins and ends with, each a mark by itself. */
const ENDS = new Set(`.,;:'"-!?`);
const PUNCTUATION = /[!-/:-@[-\x60{-~]/;
const MARKED = new RegExp(`^(?:${MARK}(${WORD})|(${WORD})${MARK})$`);

/** No word beside it has a say in its valence. */
const ALONE = { words_and_emoticons: [], is_cap_diff: false };

/** @returns VADER's compound polarity, in [-1, 1]; its lexicon is English, other languages are neutral */
export function measurePolarity(sentence: string): number {
  const words = (sentence.match(/\S{2,}/g) ?? []).map(unmarked);
  const own: number[] = [];
  for (const word of words) analyzer.sentiment_valence(0, ALONE, word, 0, own);
  // Many a sentence has no word of the lexicon, which has none without a valence; nothing is made of nothing.
  if (own.every((valence) => valence === 0)) return 0;
  const shouted = words.filter(isShouted).length;
  const text = { words_and_emoticons: words, is_cap_diff: shouted > 0 && shouted < words.length };
  const valences: number[] = [];
  for (const [i, word] of words.entries()) {
    // "Kind of" is no praise. The other words that only strengthen or weaken are not in the lexicon.
    const weakens = () => word.toLowerCase() === 'kind' && words[i + 1]?.toLowerCase() === 'of';
    if (own[i] === 0 || weakens()) valences.push(0);
    else analyzer.sentiment_valence(0, text, word, i, valences);
  }
  // Marks make more of what is said, and nothing of nothing.
  if (valences.every((valence) => valence === 0)) return 0;
  return analyzer.score_valence(analyzer.but_check(words, valences), sentence).compound;
}

function unmarked(token: string): string {
  // Most words have no mark, and that is seen sooner.
  const closed = ENDS.has(token.charAt(token.length - 1));
  if (!closed && !ENDS.has(token.charAt(0))) return token;
  // And most of the others have one, behind them.
  const word = token.slice(0, -1);
  if (closed && word.length > 1 && !PUNCTUATION.test(word)) return word;
  const match = MARKED.exec(token);
  return match?.[1] ?? match?.[2] ?? token;
}

function isShouted(word: string): boolean {
  return !/[a-z]/.test(word) && /[A-Z]/.test(word);
}
