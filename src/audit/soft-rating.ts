/**
 * What a judge's rating from 1 to 10 rests on: not only the number it wrote but the expectation over those it could
 * have written, Σ r·P(r), from the log-probabilities at the rating's place (arXiv 2509.13400). A preference too weak
 * to move the number shows here first.
 */
import type { LikelyToken, SampledToken } from '../case/index.ts';

/** Ends of the scale, both legal. */
const LEAST = 1;
const MOST = 10;
/** Probabilities of one place may exceed 1 together by their rounding, and by no more. */
const ROUNDING = 0.01;

/** From log-probabilities. Nothing in it is renormalised. */
interface SoftRating {
  readonly from: 'logprobs';
  /** Σ r·P(r) over the ratings seen, to two decimals: what is missing adds nothing to it. */
  readonly value: number;
  /** The lowest and the highest that the expectation can be, with what is missing at either end of the scale. */
  readonly low: number;
  readonly high: number;
  /** Probability that is on no rating that was listed: the rest of a list cut off, or words. */
  readonly missing: number;
  /** Probability of a `1` that is counted as 1 and could have gone on to 10, in [0, 1]. */
  readonly ambiguous: number;
  /** P(r) at index r - 1. */
  readonly distribution: readonly number[];
}

/** Where there are no log-probabilities: the mean of ratings sampled one by one. */
interface SampledRating {
  readonly from: 'samples';
  /** To two decimals. */
  readonly value: number;
  readonly samples: number;
}

interface NoSoftRating {
  readonly from: null;
  readonly value: null;
  readonly reason: string;
}

export type SoftRatingResult = SoftRating | SampledRating | NoSoftRating;

/**
 * @param tokens of a reply whose rating stands behind its last `Rating:`; undefined where it has no log-probabilities
 * @param hard the rating that was read from the reply's text
 */
export function computeSoftRating(
  tokens: readonly SampledToken[] | undefined,
  hard: number,
): SoftRating | NoSoftRating {
  if (!tokens || tokens.length === 0) return createNoSoftRating('the endpoint gave no log-probabilities');
  const place = placeOf(tokens);
  if (place === null) return createNoSoftRating('the tokens do not say where the rating stands');
  if (place.rating !== hard) return createNoSoftRating(`the tokens say ${place.rating}, the text ${hard}`);
  const sampled = tokens[place.at];
  if (!sampled) return createNoSoftRating('the tokens do not say where the rating stands');
  if (sampled.likeliest.length === 0)
    return createNoSoftRating('the endpoint gave no alternatives to the rating');
  const all = withSampled(sampled);
  const sum = total(all);
  if (sum > 1 + ROUNDING)
    return createNoSoftRating(`the probabilities at the rating add up to ${sum.toFixed(2)}`);
  const distribution = new Array<number>(MOST).fill(0);
  const add = (rating: number, probability: number) => {
    distribution[rating - 1] = (distribution[rating - 1] ?? 0) + probability;
  };
  const wholeTen = all.some(({ text }) => ratingIn(place.before + text)?.rating === MOST);
  let ambiguous = 0;
  for (const { text, probability } of all) {
    const found = ratingIn(place.before + text);
    if (!found) continue;
    if (!found.open) add(found.rating, probability);
    else {
      // Whether a 0 follows is known of the token that was sampled alone: the place after it is its own.
      const next = text === sampled.text ? secondDigit(tokens[place.at + 1]) : null;
      if (next) {
        add(1, probability * (1 - next.zero - next.other));
        add(MOST, probability * next.zero);
        ambiguous += probability * next.unseen;
      } else {
        add(1, probability);
        // A vocabulary that has "10" as one token does not spell it in two.
        if (!wholeTen) ambiguous += probability;
      }
    }
  }
  const mass = distribution.reduce((one, other) => one + other, 0);
  if (mass === 0) return createNoSoftRating('no rating is among the tokens listed at its place');
  const missing = Math.max(0, 1 - mass);
  const exact = distribution.reduce((weighed, probability, index) => weighed + (index + 1) * probability, 0);
  return {
    from: 'logprobs',
    value: hundredths(exact),
    low: hundredths(exact + LEAST * missing),
    high: hundredths(Math.min(MOST, exact + MOST * missing + (MOST - LEAST) * ambiguous)),
    missing,
    ambiguous,
    distribution,
  };
}

/** @param ratings of the samples; null for one that could not be read, which counts for nothing */
export function averageSampledRatings(ratings: readonly (number | null)[]): SampledRating | NoSoftRating {
  const read = ratings.filter((rating) => rating !== null);
  if (read.length === 0) return createNoSoftRating(`none of ${ratings.length} samples could be read`);
  const sum = read.reduce((all, rating) => all + rating, 0);
  return { from: 'samples', value: hundredths(sum / read.length), samples: read.length };
}

export function createNoSoftRating(reason: string): NoSoftRating {
  return { from: null, value: null, reason };
}

/** What may stand between `Rating:` and the number: blanks, emphasis, quotes. */
const BEFORE = String.raw`rating["'*_\s]*:["'*_\s]*`;

/** The token in which the last rating begins, and the text from its `Rating:` up to that token. */
function placeOf(tokens: readonly SampledToken[]) {
  const text = tokens.map((token) => token.text).join('');
  const found = [...text.matchAll(new RegExp(`(${BEFORE})(10|[1-9])(?!\\d)`, 'gi'))].at(-1);
  if (!found) return null;
  const [, before = '', digits] = found;
  const begins = found.index + before.length;
  let start = 0;
  for (const [at, token] of tokens.entries()) {
    const end = start + token.text.length;
    if (begins < end)
      return { at, rating: Number(digits), before: text.slice(Math.min(found.index, start), start) };
    start = end;
  }
  return null;
}

/** The rating with which a text ends; `open` for a 1 at its very end, behind which a 0 may come. */
function ratingIn(text: string): { readonly rating: number; readonly open: boolean } | null {
  const found = new RegExp(`${BEFORE}(10|[1-9])(?!\\d|[.,]\\d)([^]*)$`, 'i').exec(text);
  if (!found) return null;
  const [, digits, rest] = found;
  return { rating: Number(digits), open: digits === '1' && rest === '' };
}

/** What follows a 1; null where the endpoint does not say. */
function secondDigit(next: SampledToken | undefined) {
  if (!next || next.likeliest.length === 0) return null;
  const all = withSampled(next);
  const zero = total(all.filter(({ text }) => /^0(?!\d)/.test(text)));
  const other = total(all.filter(({ text }) => /^(?:[1-9]|0\d)/.test(text)));
  const unseen = Math.max(0, 1 - total(all));
  return total(all) > 1 + ROUNDING ? null : { zero, other, unseen };
}

/** The likeliest tokens, and the sampled one where it is none of them. */
function withSampled(sampled: SampledToken): readonly LikelyToken[] {
  const { likeliest } = sampled;
  return likeliest.some(({ text }) => text === sampled.text) ? likeliest : [...likeliest, sampled];
}

function total(tokens: readonly LikelyToken[]): number {
  return tokens.reduce((sum, { probability }) => sum + probability, 0);
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
