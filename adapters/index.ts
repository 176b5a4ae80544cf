/** The wire protocols, one folder each. Adding a protocol is adding a folder and a line here. */
import { anthropicMessages } from './anthropic-messages/index.ts';
import { gemini } from './gemini/index.ts';
import { huggingface } from './huggingface/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiCompletions } from './openai-completions/index.ts';
import { openaiResponses } from './openai-responses/index.ts';
import type { Adapter } from './types.ts';

/** The first is meant where nothing names a protocol: for models without one, and for errors on other paths. */
export const ADAPTERS: readonly [Adapter, ...Adapter[]] = [
  openaiChat,
  openaiResponses,
  openaiCompletions,
  anthropicMessages,
  gemini,
  huggingface,
];

export const [DEFAULT_ADAPTER] = ADAPTERS;

/** Headers in which clients of any protocol send their key. */
export const KEY_HEADERS: readonly string[] = [
  ...new Set(ADAPTERS.flatMap(({ capabilities }) => capabilities.keyHeaders)),
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
export type { BatchApi, BatchConnection, BatchedCall, BatchLook, BatchOrder } from './batch-api.ts';
export type { EndpointAnswer, Fields } from './reply-writer.ts';
export type { Adapter, ComposedRequest, JudgeReply, JudgeRequest, Usage } from './types.ts';
