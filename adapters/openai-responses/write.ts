/**
 * Responses, https://platform.openai.com/docs/api-reference/responses, and the events that one is streamed as:
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */

import type { Tokens } from '../../src/ports.ts';
import { formatNamedEvent, type RequestedAnswer, splitWords, type WireReply } from '../reply-writer.ts';
import { findForcedResponsesFunction } from './reply-schema.ts';

export function writeOpenAiResponsesReply(said: RequestedAnswer): WireReply {
  return said.stream ? { events: events(said) } : { json: JSON.stringify(response(said, [item(said)])) };
}

function response(said: RequestedAnswer, output: readonly object[], status = 'completed'): object {
  const { hash, model, fields, tokens } = said;
  return {
    id: `resp_${hash}`,
    object: 'response',
    created_at: 0,
    status,
    error: null,
    incomplete_details: null,
    instructions: fields.instructions ?? null,
    metadata: fields.metadata ?? {},
    model,
    output,
    parallel_tool_calls: fields.parallel_tool_calls ?? true,
    previous_response_id: null,
    store: false,
    temperature: fields.temperature ?? 1,
    text: fields.text ?? { format: { type: 'text' } },
    tool_choice: fields.tool_choice ?? 'auto',
    tools: fields.tools ?? [],
    top_p: fields.top_p ?? 1,
    truncation: 'disabled',
    usage: status === 'completed' && tokens ? usageOf(tokens) : null,
  };
}

function usageOf({ input, output }: Tokens): object {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}

const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });

/** The message, or the call; `begun` is how a stream announces it. */
function item({ hash, text, fields }: RequestedAnswer, begun = false) {
  const status = begun ? 'in_progress' : 'completed';
  const forced = findForcedResponsesFunction(fields);
  if (forced) {
    const called = { call_id: `call_${hash}`, name: forced.name, arguments: begun ? '' : text };
    return { type: 'function_call', id: `fc_${hash}`, status, ...called };
  }
  const content = begun ? [] : [textPart(text)];
  return { type: 'message', id: `msg_${hash}`, status, role: 'assistant', content };
}

function events(said: RequestedAnswer): string[] {
  const { text } = said;
  const { id: item_id, type } = item(said);
  const place = { item_id, output_index: 0 };
  const inside = { ...place, content_index: 0 };
  const pieces =
    type === 'function_call'
      ? [
          ...splitWords(text).map((delta) => ({
            type: 'response.function_call_arguments.delta',
            ...place,
            delta,
          })),
          { type: 'response.function_call_arguments.done', ...place, arguments: text },
        ]
      : [
          { type: 'response.content_part.added', ...inside, part: textPart('') },
          ...splitWords(text).map((delta) => ({
            type: 'response.output_text.delta',
            ...inside,
            delta,
            logprobs: [],
          })),
          { type: 'response.output_text.done', ...inside, text, logprobs: [] },
          { type: 'response.content_part.done', ...inside, part: textPart(text) },
        ];
  const begun = response(said, [], 'in_progress');
  const all = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    { type: 'response.output_item.added', output_index: 0, item: item(said, true) },
    ...pieces,
    { type: 'response.output_item.done', output_index: 0, item: item(said) },
    { type: 'response.completed', response: response(said, [item(said)]) },
  ];
  return all.map((event, sequence_number) => formatNamedEvent({ ...event, sequence_number }));
}
