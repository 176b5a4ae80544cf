/**
 * Statistics of a text's token probabilities that tell models' texts from people's, each turned so that it is higher
 * for what is likelier a model's: bounds where an endpoint's list is cut off, and refused where nothing bounds them.
 */
import { type AskTokens, type PromptToken, settleAll } from '../../../models/index.ts';
import type { ScoreResult } from '../anchors.ts';
import type { ScoreRange } from '../review.ts';
import type { Scorer } from '../score-all.ts';

export const STATISTICS = [
  'log-likelihood',
  'rank',
  'log-rank',
  'entropy',
  'gltr',
  'lrr',
  'fast-detectgpt',
] as const;
type Statistic = (typeof STATISTICS)[number];

interface TokenListing {
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
function explainUnusableTokens(tokens: readonly PromptToken[]): string | null {
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
  rank: (places) => negateRange(mean(places, ({ rank }) => rank)),
  /** Mean natural logarithm of the rank, with the sign turned. */
  'log-rank': (places) => negateRange(mean(places, logRank)),
  /** Mean entropy of the distributions, with the sign turned. */
  entropy: (places) => negateRange(mean(places, ({ entropy }) => entropy)),
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

function negateRange(score: ScoreRange | null): ScoreRange | null {
  return score && { low: -score.high, high: -score.low };
}

function exact(value: number): ScoreRange {
  return { low: value, high: value };
}

function total(places: readonly TokenStatistics[], of: (place: TokenStatistics) => number): number {
  return places.reduce((sum, place) => sum + of(place), 0);
}

// What a list of the likeliest tokens says of the whole distribution at one place: exactly where it is the whole,
// between bounds where it is cut off. What is cut off is at most as likely as the least of the list, but where an
// endpoint lost some of the list: that is at most as likely as all that is missing.

/** Of the distribution p at one place, given what was listed. Natural logarithms. */
interface TokenStatistics {
  /** Log-probability of the token that stands there. */
  readonly logprob: number;
  /** From 1. */
  readonly rank: ScoreRange;
  /** -Σ p·ln p; null where nothing bounds it from above. */
  readonly entropy: ScoreRange | null;
  /** Σ p·ln² p; null likewise. */
  readonly squares: ScoreRange | null;
  /** Whether the whole vocabulary was listed. */
  readonly whole: boolean;
}

/**
 * @param alternatives asked for at each place; the token itself may be listed beside them
 * @param vocabulary how many tokens the model has; null where that is not known: then a list is never the whole
 */
function measureToken(
  { logprob, rank, listed }: PromptToken,
  alternatives: number,
  vocabulary: number | null,
): TokenStatistics {
  const logs = [...listed.values()].sort((a, b) => b - a);
  const whole = vocabulary !== null && logs.length >= vocabulary;
  const sums = { mass: 0, entropy: 0, squares: 0 };
  for (const log of logs) {
    const p = Math.exp(log);
    if (p === 0) continue;
    sums.mass += p;
    sums.entropy -= p * log;
    sums.squares += p * log * log;
  }
  const exact = (value: number): ScoreRange => ({ low: value, high: value });
  const mass = Math.max(0, 1 - sums.mass);
  const lost = isBlurred(listed) && !isComplete(logs, logprob, alternatives);
  const cut = lost ? Math.log(mass) : (logs[Math.min(alternatives, logs.length) - 1] ?? 0);
  const tail = { mass, cut, count: whole ? 0 : (vocabulary ?? 0) - logs.length };
  return {
    logprob,
    whole,
    rank: rank === null ? rankOf(logprob, logs, whole, tail, vocabulary) : exact(rank),
    entropy: whole ? exact(sums.entropy) : vocabulary === null ? null : plus(sums.entropy, tailEntropy(tail)),
    squares: whole ? exact(sums.squares) : vocabulary === null ? null : plus(sums.squares, tailSquares(tail)),
  };
}

/**
 * Whether several tokens may stand in one entry: parts of letters are listed by a text that is none, and of those with
 * one text an endpoint keeps one. The others may be likelier than all that is listed.
 */
function isBlurred(listed: PromptToken['listed']): boolean {
  return [...listed.keys()].some((text) => text === '' || text.includes('\uFFFD'));
}

/** Whether nothing that was asked for is missing: as many as that, the token itself counted only where it is of them. */
function isComplete(logs: readonly number[], logprob: number, alternatives: number): boolean {
  return logs.length > alternatives || (logs.length === alternatives && logprob > (logs.at(-1) ?? 0));
}

/** What the list leaves out: its probability, the log-probability that none of it exceeds, how many tokens it is. */
interface Tail {
  readonly mass: number;
  readonly cut: number;
  readonly count: number;
}

/** One more than the tokens that are likelier. Of those cut off, no more can be than have room in what is missing. */
function rankOf(
  logprob: number,
  logs: readonly number[],
  whole: boolean,
  tail: Tail,
  vocabulary: number | null,
): ScoreRange {
  const likelier = logs.filter((log) => log > logprob).length;
  if (whole || logprob >= tail.cut) return { low: likelier + 1, high: likelier + 1 };
  const room = Math.floor(tail.mass / Math.exp(logprob));
  return { low: likelier + 1, high: Math.min(likelier + 1 + room, vocabulary ?? Number.POSITIVE_INFINITY) };
}

/** Least where what is missing stands on as few tokens as the cut allows, most where it is spread evenly. */
function tailEntropy({ mass, cut, count }: Tail): ScoreRange {
  if (mass === 0 || count <= 0) return { low: 0, high: 0 };
  const low = -mass * cut;
  return { low, high: Math.max(low, -mass * Math.log(mass / count)) };
}

/** p·ln² p rises up to e^-2 and is concave below 1/e: spread evenly is most, and no token has more than 4·e^-2. */
function tailSquares({ mass, cut, count }: Tail): ScoreRange {
  if (mass === 0 || count <= 0) return { low: 0, high: 0 };
  const low = mass * cut * cut;
  const each = Math.min(mass / count, Math.exp(-2));
  return { low, high: Math.max(low, count * each * Math.log(each) ** 2) };
}

function plus(seen: number, { low, high }: ScoreRange): ScoreRange {
  return { low: seen + low, high: seen + high };
}

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
