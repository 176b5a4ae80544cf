/** Asking for log-probabilities, in each protocol's own words. */
import type { Adapter } from '../../adapters/types.ts';

/**
 * @param most alternatives at each place; OpenAI's chat and vLLM give 20 at most, OpenAI's old completions and TGI 5
 * @returns fields of the request; null for a protocol that has no log-probabilities
 */
export function requestLogProbabilities({ name }: Adapter, most: number): Record<string, unknown> | null {
  switch (name) {
    case 'openai-chat':
      return { logprobs: true, top_logprobs: most };
    case 'openai-completions':
      return { logprobs: most };
    case 'openai-responses':
      return { include: ['message.output_text.logprobs'], top_logprobs: most };
    case 'gemini':
      return { responseLogprobs: true, logprobs: most };
    case 'huggingface':
      return { top_n_tokens: most };
    default:
      return null;
  }
}
