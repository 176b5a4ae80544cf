/** Writing chat completions of our own, whole or as a stream. */
import type { LikelyToken } from '../../src/case/index.ts';
import { createUsageField, wantsUsage } from '../openai-api.ts';
import {
  formatEvent,
  mapSamples,
  type RequestedAnswer,
  splitWords,
  type WireReply,
} from '../reply-writer.ts';
import { findForcedChatFunction } from './request.ts';

export function writeOpenAiChatReply(said: RequestedAnswer): WireReply {
  return said.stream ? { events: events(said) } : { json: JSON.stringify(whole(said)) };
}

function whole(said: RequestedAnswer): unknown {
  return {
    ...head(said, 'chat.completion'),
    choices: mapSamples(said, (index) => ({
      index,
      message: { role: 'assistant', ...message(said), refusal: null },
      logprobs: logprobsOf(said),
      // Also for a forced function call, which OpenAI does not end with `tool_calls`.
      finish_reason: 'stop',
    })),
    ...createUsageField(said),
  };
}

function events(said: RequestedAnswer): string[] {
  const counted = wantsUsage(said);
  const chunk = (choices: unknown, rest = {}) =>
    formatEvent({ ...head(said, 'chat.completion.chunk'), choices, ...rest });
  const piece = (index: number, delta: unknown, finish_reason: string | null = null) =>
    chunk([{ index, delta, logprobs: null, finish_reason }], counted ? { usage: null } : {});
  const forced = findForcedChatFunction(said.fields);
  const chunks = mapSamples(said, (index) => [
    ...(forced
      ? [piece(index, { role: 'assistant', ...message(said) })]
      : [
          piece(index, { role: 'assistant', content: '', refusal: null }),
          ...splitWords(said.text).map((content) => piece(index, { content })),
        ]),
    piece(index, {}, 'stop'),
  ]).flat();
  return [
    ...chunks,
    ...(counted && said.tokens ? [chunk([], createUsageField(said))] : []),
    'data: [DONE]\n\n',
  ];
}

function head({ hash, model, fingerprint: system_fingerprint }: RequestedAnswer, object: string) {
  // No clock: the same request gets the same bytes.
  return { id: `chatcmpl-${hash}`, object, created: 0, model, system_fingerprint };
}

/** Of whole replies: a stream of ours has none. */
function logprobsOf({ fields, sampled }: RequestedAnswer): object | null {
  if (fields.logprobs !== true || !sampled) return null;
  const most = typeof fields.top_logprobs === 'number' ? fields.top_logprobs : 0;
  const entry = ({ text: token, probability }: LikelyToken) => ({
    token,
    logprob: Math.log(probability),
    bytes: [...new TextEncoder().encode(token)],
  });
  const content = sampled.map((one) => ({
    ...entry(one),
    top_logprobs: one.likeliest.slice(0, most).map(entry),
  }));
  return { content, refusal: null };
}

function message({ hash, text, fields, stream }: RequestedAnswer): object {
  const forced = findForcedChatFunction(fields);
  if (!forced) return { content: text };
  const called = { name: forced.name, arguments: text };
  if (fields.function_call !== undefined) return { content: null, function_call: called };
  const call = { id: `call_${hash}`, type: 'function', function: called };
  return { content: null, tool_calls: [stream ? { index: 0, ...call } : call] };
}
