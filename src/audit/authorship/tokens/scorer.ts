/** The statistics of one endpoint's token probabilities, or of two endpoints' together, as scores of a review. */
import { type AskTokens, type PromptToken, settleAll } from '../../../models/index.ts';
import type { ScoreResult } from '../anchors.ts';
import type { Scorer } from '../score-all.ts';
import { computeStatistics, explainUnusableTokens, STATISTICS, type TokenListing } from './statistics.ts';

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

// Binoculars (arXiv 2401.12070): how surprising a text is to one model, over how surprising another's guesses are to it.

/**
 * The log-perplexity by the performer over the cross-entropy of the performer's distributions under the observer's,
 * as the authors' own code has it; with the sign turned, since it is lower for models' texts.
 *
 * A cross-entropy has no upper bound where either list is cut off: any token that is missing could be all but
 * impossible to the other model. So both must list the whole vocabulary.
 */
export function scoreBinoculars(
  observer: readonly PromptToken[],
  performer: readonly PromptToken[],
  vocabulary: number | null,
): ScoreResult {
  const wrong = explainUnusableTokens(observer) ?? explainUnusableTokens(performer);
  if (wrong !== null) return { why: wrong };
  const differs = ({ text, key }: PromptToken, at: number) =>
    text !== performer[at]?.text || key !== performer[at].key;
  if (observer.length !== performer.length || observer.some(differs))
    return { why: 'the two endpoints split the text into other tokens: Binoculars needs one tokenizer' };
  let [surprise, crossed] = [0, 0];
  for (const [at, { listed }] of observer.entries()) {
    const other = performer[at];
    if (!other || vocabulary === null || listed.size < vocabulary || other.listed.size < vocabulary)
      return {
        why: `Binoculars needs the whole distribution of both endpoints (as many alternatives as --vocabulary), and they list ${listed.size} and ${other?.listed.size ?? 0}`,
      };
    surprise -= other.logprob;
    for (const [token, log] of listed) {
      const p = Math.exp(log);
      if (p > 0) crossed -= p * (other.listed.get(token) ?? Number.NEGATIVE_INFINITY);
    }
  }
  if (!Number.isFinite(crossed) || crossed <= 0)
    return { why: 'a token that one endpoint lists is impossible to the other' };
  const score = -surprise / crossed;
  return { low: score, high: score };
}
