/** Token counts as chat completions and completions have them, and whether a stream is to end with them. */
import * as z from 'zod';
import type { RequestedAnswer } from './reply-writer.ts';

/** `{ usage }`, or nothing where nobody counted. */
export function createUsageField({ tokens, samples }: RequestedAnswer): object {
  if (!tokens) return {};
  const completion_tokens = tokens.output * samples;
  const total_tokens = tokens.input + completion_tokens;
  return { usage: { prompt_tokens: tokens.input, completion_tokens, total_tokens } };
}

const asked = z.looseObject({ stream_options: z.looseObject({ include_usage: z.literal(true) }) });

/** Then every chunk but the last has `usage: null`. */
export function wantsUsage({ fields }: RequestedAnswer): boolean {
  return asked.safeParse(fields).success;
}
