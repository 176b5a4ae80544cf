/** Gemini's log-probabilities: https://ai.google.dev/api/generate-content#LogprobsResult */
import * as z from 'zod';
import type { SampledToken } from '../../src/case/index.ts';
import { createLikelyToken } from '../sampled-tokens.ts';

const candidate = z.looseObject({ token: z.string(), logProbability: z.number() });
const result = z.looseObject({
  chosenCandidates: z.array(candidate),
  topCandidates: z
    .array(z.looseObject({ candidates: z.array(candidate).nullish().catch(null) }))
    .nullish()
    .catch(null),
});

/** @returns none where it is not in that form */
export function readGeminiTokens(logprobsResult: unknown): SampledToken[] {
  const { data } = result.safeParse(logprobsResult);
  if (!data) return [];
  return data.chosenCandidates.map(({ token, logProbability }, step) => ({
    ...createLikelyToken(token, logProbability),
    likeliest: (data.topCandidates?.[step]?.candidates ?? []).map((one) =>
      createLikelyToken(one.token, one.logProbability),
    ),
  }));
}
