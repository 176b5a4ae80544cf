/** The package ships no types. */
declare module 'vader-sentiment' {
  const vader: {
    readonly SentimentIntensityAnalyzer: {
      /** @returns proportions in [0, 1] and a compound polarity in [-1, 1] */
      polarity_scores(text: string): { neg: number; neu: number; pos: number; compound: number };
    };
  };
  export default vader;
}
