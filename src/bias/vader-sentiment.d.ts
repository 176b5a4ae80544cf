/** The package ships no types. */
declare module 'vader-sentiment' {
  const vader: {
    readonly SentimentIntensityAnalyzer: {
      /** @returns proportions in [0, 1] and a compound polarity in [-1, 1] */
      polarity_scores(text: string): { neg: number; neu: number; pos: number; compound: number };
      /** Adds the valence of the word at `index` to `valences`, which it returns. */
      sentiment_valence(
        valence: number,
        text: { readonly words_and_emoticons: readonly string[]; readonly is_cap_diff: boolean },
        word: string,
        index: number,
        valences: number[],
      ): number[];
      /** What stands after a "but" counts more than what stands before it. */
      but_check(words: readonly string[], valences: number[]): number[];
      /** @param text for its exclamation and question marks */
      score_valence(valences: readonly number[], text: string): { compound: number };
    };
  };
  export default vader;
}
