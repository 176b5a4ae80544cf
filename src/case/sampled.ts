/**
 * A reply as its judge sampled it, token by token, with how probable each was: what endpoints call
 * log-probabilities, in one form for all protocols. It comes from outside, so nothing in it need add up.
 */

/** A token and how probable it was, from 0 to 1. */
export interface LikelyToken {
  readonly text: string;
  readonly probability: number;
}

/** A token of a reply, and the likeliest ones at its place; the sampled one may be among them. */
export interface SampledToken extends LikelyToken {
  readonly likeliest: readonly LikelyToken[];
}
