/** Asking for the same draws each time, in each protocol's own words. */
import type { Adapter } from '../../adapters/types.ts';

/** Those whose requests have a `seed` among the fields that `parameters` go to; others refuse one they do not know. */
const SEEDED = ['openai-chat', 'openai-completions', 'gemini', 'huggingface'];

/** @returns fields of the request (Gemini's `generationConfig`, TGI's `parameters`); none where there is no seed */
export function createSeedFields({ name }: Adapter, seed: number): Record<string, unknown> {
  return SEEDED.includes(name) ? { seed } : {};
}
