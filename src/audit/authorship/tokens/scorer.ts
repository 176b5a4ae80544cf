/** The statistics of one endpoint's token probabilities, or of two endpoints' together, as scores of a review. */
import { type AskTokens, settleAll } from '../../../models/index.ts';
import type { Scorer } from '../score-all.ts';
import { scoreBinoculars } from './binoculars.ts';
import { computeStatistics, STATISTICS, type TokenListing } from './statistics.ts';

/** An endpoint, by the name that reports call it. */
export interface TokenEndpoint {
  readonly name: string;
  readonly ask: AskTokens;
}

/** @param observer of Binoculars; null to leave it out. The endpoint is its performer. */
export function createTokenScorer(
  endpoint: TokenEndpoint,
  observer: TokenEndpoint | null,
  listed: TokenListing,
): Scorer {
  const own = STATISTICS.map((statistic) => `${statistic} ${endpoint.name}`);
  return {
    methods: observer ? [...own, `binoculars ${observer.name}/${endpoint.name}`] : own,
    async score({ text }, signal) {
      if (!observer) return computeStatistics(await endpoint.ask(text, signal), listed);
      const [tokens, others] = await settleAll([endpoint.ask(text, signal), observer.ask(text, signal)]);
      return [...computeStatistics(tokens, listed), scoreBinoculars(others, tokens, listed.vocabulary)];
    },
  };
}
