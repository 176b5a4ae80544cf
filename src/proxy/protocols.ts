/** The wire protocols that are spoken here. */
import { anthropicMessages } from '../../adapters/anthropic-messages/index.ts';
import { gemini } from '../../adapters/gemini/index.ts';
import { huggingface } from '../../adapters/huggingface/index.ts';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { openaiCompletions } from '../../adapters/openai-completions/index.ts';
import { openaiResponses } from '../../adapters/openai-responses/index.ts';
import type { Adapter } from '../../adapters/types.ts';
import { InputError } from '../errors.ts';
import { isPlain, NOT_PLAIN } from '../records/control.ts';

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

/** A model as people name it for an offline run. */
export interface ModelName {
  /** As reports name it; the model's own name where none is given. */
  readonly name: string;
  readonly model: string;
  readonly protocol: Adapter;
}

/**
 * @param text `[name=][protocol:]model`
 * @param field named in errors
 * @throws InputError for a text that names no model, or holds control characters
 */
export function readModelName(text: string, field: string): ModelName {
  if (!isPlain(text)) throw new InputError(field, NOT_PLAIN);
  const [, name, before, rest] = /^(?:([^=@]+)=)?(?:([a-z-]+):)?(.+)$/.exec(text) ?? [];
  if (rest === undefined) throw new InputError(field, `"${text}" is no judge: [name=][protocol:]model`);
  const known = ADAPTERS.find((one) => one.name === before);
  // A model's own name may have a colon: `llama3:70b`.
  const model = known || before === undefined ? rest : `${before}:${rest}`;
  return { name: name ?? model, model, protocol: known ?? ADAPTERS[0] };
}
