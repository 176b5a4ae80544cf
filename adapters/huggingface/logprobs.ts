/** TGI's log-probabilities: the tokens of a text, and beside each the likeliest ones at its place. */
import * as z from 'zod';
import type { SampledToken } from '../../src/case/index.ts';
import { createLikelyToken } from '../sampled-tokens.ts';

const token = z.looseObject({ text: z.string(), logprob: z.number(), special: z.boolean().nullish() });
const likeliest = z.array(token).catch([]);

/**
 * Without the special ones, which are no part of the text.
 * @param tops `top_tokens`: a list for each token, empty where none were asked for
 * @returns none where any token is not in that form, for the others would not be where they seem to be
 */
export function readHuggingFaceTokens(tokens: readonly unknown[], tops: readonly unknown[]): SampledToken[] {
  const { data } = z.array(token).safeParse(tokens);
  return (data ?? []).flatMap(({ text, logprob, special }, at) =>
    special
      ? []
      : [
          {
            ...createLikelyToken(text, logprob),
            likeliest: likeliest.parse(tops[at]).map((one) => createLikelyToken(one.text, one.logprob)),
          },
        ],
  );
}
