/** The wire protocols that are spoken here. */
import { anthropicMessages } from '../../adapters/anthropic-messages.ts';
import { gemini } from '../../adapters/gemini.ts';
import { huggingface } from '../../adapters/huggingface.ts';
import { openaiChat } from '../../adapters/openai-chat.ts';
import { openaiCompletions } from '../../adapters/openai-completions.ts';
import { openaiResponses } from '../../adapters/openai-responses.ts';
import type { Adapter } from '../../adapters/types.ts';

/** Those whose judgments are debiased, and that models can be asked in; the first is also the form of our errors on other paths. */
export const ADAPTERS: readonly [Adapter, ...Adapter[]] = [
  openaiChat,
  openaiResponses,
  openaiCompletions,
  anthropicMessages,
  gemini,
  huggingface,
];
