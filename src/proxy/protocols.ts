/** The wire protocols that are spoken here. */
import { anthropicMessages } from '../../adapters/anthropic-messages/index.ts';
import { gemini } from '../../adapters/gemini/index.ts';
import { huggingface } from '../../adapters/huggingface/index.ts';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { openaiCompletions } from '../../adapters/openai-completions/index.ts';
import { openaiResponses } from '../../adapters/openai-responses/index.ts';
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

/**
 * The protocol of a request: by its path where that tells, else by its body.
 *
 * @param path null where it is not known
 * @returns null where the body is of none of them
 */
export function detectProtocol(body: Readonly<Record<string, unknown>>, path: string | null): Adapter | null {
  const spoken =
    path === null
      ? undefined
      : ADAPTERS.find((adapter) => !adapter.sharesPaths && adapter.speaks('POST', path));
  // Of bodies with `messages` most are in OpenAI's form: the others, which stand behind it, are asked first.
  return spoken ?? ADAPTERS.findLast((adapter) => adapter.fits(body)) ?? null;
}
