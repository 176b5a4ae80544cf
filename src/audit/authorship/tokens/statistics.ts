/**
 * Statistics of a text's token probabilities that tell models' texts from people's, each turned so that it is higher
 * for what is likelier a model's: bounds where an endpoint's list is cut off, and refused where nothing bounds them.
 */
import type { PromptToken } from '../../../models/index.ts';
import type { ScoreResult } from '../anchors.ts';
import type { ScoreRange } from '../review.ts';
import { measureToken, type TokenStatistics } from './token-statistics.ts';

export const STATISTICS = [
  'log-likelihood',
  'rank',
  'log-rank',
  'entropy',
  'gltr',
  'lrr',
  'fast-detectgpt',
] as const;
export type Statistic = (typeof STATISTICS)[number];

export interface TokenListing {
  /** Alternatives asked for at each token. */
  readonly alternatives: number;
  /** Tokens of the model's vocabulary; null where it is not known. */
  readonly vocabulary: number | null;
}

/** @returns one for each statistic, in their order */
export function computeStatistics(
  tokens: readonly PromptToken[],
  { alternatives, vocabulary }: TokenListing,
): ScoreResult[] {
  const wrong = explainUnusableTokens(tokens);
  if (wrong !== null) return STATISTICS.map(() => ({ why: wrong }));
  const places = tokens.map((token) => measureToken(token, alternatives, vocabulary));
  return STATISTICS.map((name) => BY[name](places) ?? { why: REFUSED });
}

const REFUSED =
  "the endpoint's list of alternatives is cut off, and without the size of the vocabulary (--vocabulary) nothing bounds what is missing";

/** @returns why a text's tokens give no figure at all, in words; null where they do */
export function explainUnusableTokens(tokens: readonly PromptToken[]): string | null {
  if (tokens.length < 2) return 'the text has fewer than three tokens';
  const broken = tokens.filter(
    ({ logprob, listed }) => !isLog(logprob) || [...listed.values()].some((log) => !isListed(log)),
  );
  if (broken.length === 0) return null;
  return 'log-probabilities that are no numbers (NaN)';
}

/** Some servers write an infinity as -9999: no token that was written is that unlikely. */
function isLog(value: number): boolean {
  return Number.isFinite(value) && value <= 0.001 && value > -9999;
}

/** Of an alternative: none at all is -∞. */
function isListed(value: number): boolean {
  return !Number.isNaN(value) && value <= 0.001;
}

type Figure = (places: readonly TokenStatistics[]) => ScoreRange | null | { readonly why: string };

const BY: Readonly<Record<Statistic, Figure>> = {
  /** Mean log-probability. */
  'log-likelihood': (places) => exact(total(places, ({ logprob }) => logprob) / places.length),
  /** Mean rank, with the sign turned. */
  rank: (places) => turned(mean(places, ({ rank }) => rank)),
  /** Mean natural logarithm of the rank, with the sign turned. */
  'log-rank': (places) => turned(mean(places, logRank)),
  /** Mean entropy of the distributions, with the sign turned. */
  entropy: (places) => turned(mean(places, ({ entropy }) => entropy)),
  /** Share of tokens among the ten likeliest of their place (GLTR, arXiv 1906.04043). */
  gltr: (places) =>
    mean(places, ({ rank }) => ({ low: Number(rank.high <= 10), high: Number(rank.low <= 10) })),
  /** Log-likelihood over log-rank, both summed (LRR of DetectLLM, arXiv 2306.05540). */
  lrr: (places) => {
    const likelihood = -total(places, ({ logprob }) => logprob);
    const ranks = mean(places, logRank);
    if (!ranks || ranks.low === 0)
      return { why: 'every token is, or may be, the likeliest of its place: log-ranks sum to 0' };
    return { low: likelihood / (ranks.high * places.length), high: likelihood / (ranks.low * places.length) };
  },
  /**
   * How far the text's log-likelihood lies above that of texts drawn from the same distributions, in their standard
   * deviations, without drawing any (Fast-DetectGPT, arXiv 2310.05130, analytic, one model for both roles).
   */
  'fast-detectgpt': (places) => {
    const likelihood = total(places, ({ logprob }) => logprob);
    const [above, spread] = [
      { low: likelihood, high: likelihood },
      { low: 0, high: 0 },
    ];
    for (const { entropy, squares } of places) {
      if (!entropy || !squares) return null;
      above.low += entropy.low;
      above.high += entropy.high;
      spread.low += Math.max(0, squares.low - entropy.high ** 2);
      spread.high += Math.max(0, squares.high - entropy.low ** 2);
    }
    if (spread.low <= 0)
      return {
        why: 'what the list leaves out could be all there is to the spread: Fast-DetectGPT has no bounds',
      };
    const over = (value: number, end: 'low' | 'high') => value / Math.sqrt(spread[end]);
    return {
      low: over(above.low, above.low < 0 ? 'low' : 'high'),
      high: over(above.high, above.high < 0 ? 'high' : 'low'),
    };
  },
};

function logRank({ rank }: TokenStatistics): ScoreRange {
  return { low: Math.log(rank.low), high: Math.log(rank.high) };
}

/** Null where it is null anywhere, or reaches no end. */
function mean(
  places: readonly TokenStatistics[],
  of: (place: TokenStatistics) => ScoreRange | null,
): ScoreRange | null {
  let [low, high] = [0, 0];
  for (const place of places) {
    const one = of(place);
    if (!one) return null;
    low += one.low;
    high += one.high;
  }
  return Number.isFinite(high) ? { low: low / places.length, high: high / places.length } : null;
}

function turned(score: ScoreRange | null): ScoreRange | null {
  return score && { low: -score.high, high: -score.low };
}

function exact(value: number): ScoreRange {
  return { low: value, high: value };
}

function total(places: readonly TokenStatistics[], of: (place: TokenStatistics) => number): number {
  return places.reduce((sum, place) => sum + of(place), 0);
}
