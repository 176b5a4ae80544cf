/** Anthropic's messages, https://docs.anthropic.com/en/api/messages, and their stream. */

import { isJsonObject } from '../json-object.ts';
import { formatNamedEvent, type RequestedAnswer, splitWords, type WireReply } from '../reply-writer.ts';
import { findForcedTool } from './request.ts';

export function writeAnthropicReply(said: RequestedAnswer): WireReply {
  return said.stream ? { events: events(said) } : { json: JSON.stringify(whole(said)) };
}

function whole(said: RequestedAnswer): object {
  const tool = calledTool(said);
  const block = tool ? call(said, tool, JSON.parse(said.text)) : { type: 'text', text: said.text };
  return message(said, [block], ending(tool), said.tokens?.output ?? 0);
}

function events(said: RequestedAnswer): string[] {
  const tool = calledTool(said);
  const block = tool ? call(said, tool, {}) : { type: 'text', text: '' };
  const piece = (text: string) =>
    tool ? { type: 'input_json_delta', partial_json: text } : { type: 'text_delta', text };
  const open = { stop_reason: null, stop_sequence: null };
  return [
    { type: 'message_start', message: message(said, [], open, 0) },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'ping' },
    ...splitWords(said.text).map((text) => ({ type: 'content_block_delta', index: 0, delta: piece(text) })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: ending(tool), usage: { output_tokens: said.tokens?.output ?? 0 } },
    { type: 'message_stop' },
  ].map(formatNamedEvent);
}

function message(
  said: RequestedAnswer,
  content: readonly object[],
  ended: object,
  output_tokens: number,
): object {
  const { hash, model, tokens } = said;
  // Clients rely on the counts; where nobody counted they are 0.
  const usage = { input_tokens: tokens?.input ?? 0, output_tokens };
  return { id: `msg_${hash}`, type: 'message', role: 'assistant', model, content, ...ended, usage };
}

function ending(tool: string | null): object {
  return { stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null };
}

/** A tool's input is an object; what is none is said in words, as a model does that cannot fill the tool in. */
function calledTool({ fields, text }: RequestedAnswer): string | null {
  const forced = findForcedTool(fields);
  return forced && isJsonObject(text) ? forced.name : null;
}

function call({ hash }: RequestedAnswer, name: string, input: unknown): object {
  return { type: 'tool_use', id: `toolu_${hash}`, name, input };
}
