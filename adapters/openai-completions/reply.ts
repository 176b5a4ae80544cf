/** Reading a completions reply, whole or as server-sent events; the chunks have the form of the whole. */
import * as z from 'zod';
import { JudgeError } from '../../src/http/index.ts';
import { readColumnTokens, toSampledPart } from '../openai-api.ts';
import { few, NO_REPLY, servedFields, toServedPart } from '../reply-json.ts';
import { isEventStream, parseReply, readEvents } from '../sse.ts';
import { readTokenCounts } from '../token-usage.ts';
import type { JudgeReply, Usage } from '../types.ts';

const choice = z.looseObject({
  index: z.number().optional(),
  text: z.string().nullish(),
  logprobs: z.unknown().optional(),
  finish_reason: z.string().nullish(),
});
type Choice = z.infer<typeof choice>;
const reply = z.looseObject({
  ...servedFields,
  choices: few(choice),
  usage: z.record(z.string(), z.unknown()).nullish(),
});
/** Some servers end a stream with a chunk that has usage and no choices at all. */
const chunk = reply.extend({ choices: few(choice).nullish() });

/** @throws JudgeError where it is cut off, or no JSON */
export function readOpenAiCompletionReply(body: string, stream: boolean): JudgeReply {
  return isEventStream(body, stream) ? readStream(body) : readWhole(body);
}

function readWhole(body: string): JudgeReply {
  const parsed = reply.safeParse(parseReply(body)).data;
  // A chat completion, say, has choices without a text.
  if (!parsed || 'error' in parsed || parsed.choices.some(({ text }) => typeof text !== 'string'))
    return NO_REPLY;
  return {
    ...replyOf(
      parsed.choices.map((one, position) => ({ index: position, ...one })),
      parsed.usage ?? null,
    ),
    ...toServedPart(parsed.model, parsed.system_fingerprint),
  };
}

function readStream(body: string): JudgeReply {
  const pieces: Choice[] = [];
  let usage: Usage | null = null;
  let served: Pick<JudgeReply, 'served'> = {};
  let done = false;
  for (const { data } of readEvents(body)) {
    done = data === '[DONE]';
    if (done) break;
    const parsed = chunk.safeParse(parseReply(data, 'an event of the stream')).data;
    if (!parsed || 'error' in parsed) return NO_REPLY;
    pieces.push(...(parsed.choices ?? []));
    usage = parsed.usage ?? usage;
    if (served.served === undefined) served = toServedPart(parsed.model, parsed.system_fingerprint);
  }
  const ended = [...byIndex(pieces).values()].map((one) => one.some(({ finish_reason: why }) => why));
  if (!done && !(ended.length > 0 && ended.every(Boolean))) {
    throw new JudgeError('the stream was cut off: it ends with neither a finish_reason nor [DONE]');
  }
  return { ...replyOf(pieces, usage), ...served };
}

function byIndex(pieces: readonly Choice[]): Map<number, Choice[]> {
  return Map.groupBy(pieces, ({ index }) => index ?? 0);
}

function replyOf(pieces: readonly Choice[], usage: Usage | null): JudgeReply {
  const choices = [...byIndex(pieces)].toSorted(([a], [b]) => a - b).map(([, one]) => one);
  const logprobs = pieces.some((one) => (one.logprobs ?? null) !== null);
  const sampled = choices.map((one) => one.flatMap((piece) => readColumnTokens(piece.logprobs)));
  const finishes = choices.map((one) => one.findLast(({ finish_reason: why }) => why)?.finish_reason ?? null);
  return {
    texts: choices.map((one) => one.map(({ text }) => text ?? '').join('')),
    ...toSampledPart(sampled),
    finish: finishes[0] ?? null,
    ...(finishes.length > 1 && { finishes }),
    shape: JSON.stringify({ choices: choices.length, logprobs }),
    usage,
    tokens: readTokenCounts(usage, 'prompt_tokens', 'completion_tokens'),
  };
}
