/** Embeddings of texts by a model: https://platform.openai.com/docs/api-reference/embeddings, as most servers speak it. */
import * as z from 'zod';
import { JudgeError } from '../http/index.ts';
import type { JsonCalls, JsonReply } from './json-calls.ts';

const reply = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })).min(1),
  usage: z.object({ prompt_tokens: z.int().min(0) }).nullish(),
});

/**
 * @returns the text's vector
 * @throws as the calls do; a reply without a vector, or with a number that is none, is no reply
 */
export function requestEmbedding(calls: JsonCalls, text: string, signal: AbortSignal): Promise<Float32Array> {
  // One text a call, so that what is stored is asked for again under the same key, whatever else a run holds.
  const body = { model: calls.model, input: text, encoding_format: 'float' };
  return calls.ask('/v1/embeddings', body, readEmbedding, signal);
}

function readEmbedding(body: string): JsonReply<Float32Array> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (cause) {
    throw new JudgeError(`the embedding is not valid JSON: ${body.slice(0, 120)}`, { cause });
  }
  const read = reply.safeParse(value);
  const [first] = read.data?.data ?? [];
  if (!first) throw new JudgeError(`the endpoint answered with no embedding: ${body.slice(0, 120)}`);
  const counted = read.data?.usage?.prompt_tokens;
  return {
    value: Float32Array.from(first.embedding),
    tokens: counted === undefined ? null : { input: counted, output: 0 },
  };
}
