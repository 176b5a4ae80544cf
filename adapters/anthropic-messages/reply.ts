/**
 * Reading a message, whole or as server-sent events:
 * https://docs.anthropic.com/en/api/messages, https://docs.anthropic.com/en/docs/build-with-claude/streaming
 */
import * as z from 'zod';
import { JudgeError } from '../../src/http/index.ts';
import type { Tokens } from '../../src/ports.ts';
import { few, NO_REPLY, readRawJson, servedFields, toReasoningPart, toServedPart } from '../reply-json.ts';
import { isEventStream, parseReply, readEvents } from '../sse.ts';
import { sumTokenCounts } from '../token-usage.ts';
import type { JudgeReply, Usage } from '../types.ts';

const usage = z.record(z.string(), z.unknown()).nullish();
const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional().catch(undefined),
  name: z.string().optional(),
});
const message = z.looseObject({
  model: servedFields.model,
  content: few(block),
  stop_reason: z.string().nullish(),
  usage,
});
const event = z.looseObject({ type: z.string() });
const messageStart = z.looseObject({ message: z.looseObject({ model: servedFields.model, usage }) });
const blockStart = z.looseObject({ index: z.number(), content_block: block });
const blockDelta = z.looseObject({
  index: z.number(),
  delta: z.looseObject({
    type: z.string(),
    text: z.string().optional(),
    thinking: z.string().optional().catch(undefined),
    partial_json: z.string().optional(),
  }),
});
const messageDelta = z.looseObject({ delta: z.looseObject({ stop_reason: z.string().nullish() }), usage });

/** @throws JudgeError where it is cut off, or no JSON */
export function readAnthropicReply(body: string, stream: boolean): JudgeReply {
  return isEventStream(body, stream) ? readStream(body) : readWhole(body);
}

interface Block {
  readonly type: string;
  readonly name: string;
  text: string;
  thinking: string;
  /** A tool's input as the JSON text that was received. */
  input: string;
}

function readWhole(body: string): JudgeReply {
  const parsed = message.safeParse(parseReply(body)).data;
  if (!parsed || parsed.type === 'error' || 'error' in parsed) return NO_REPLY;
  const blocks = parsed.content.map(({ type, text = '', thinking = '', name = '' }, i) => ({
    type,
    name,
    text,
    thinking,
    input: type === 'tool_use' ? readRawJson(body, ['content', i, 'input']) : '',
  }));
  return {
    ...replyOf(blocks, parsed.stop_reason ?? null, parsed.usage ?? null),
    ...toServedPart(parsed.model),
  };
}

/** What is there of a streamed message. */
interface StreamState {
  readonly blocks: Map<number, Block>;
  finish: string | null;
  usage: Usage | null;
  model: string | null;
  ended: boolean;
  failed: boolean;
}

function readStream(body: string): JudgeReply {
  const so: StreamState = {
    blocks: new Map(),
    finish: null,
    usage: null,
    model: null,
    ended: false,
    failed: false,
  };
  for (const { data } of readEvents(body)) {
    if (so.ended || so.failed) break;
    gather(parseReply(data, 'an event of the stream'), so);
  }
  if (so.failed) return NO_REPLY;
  if (!so.ended) throw new JudgeError('the stream was cut off: it ends without a message_stop');
  const blocks = [...so.blocks].toSorted(([a], [b]) => a - b).map(([, one]) => one);
  return { ...replyOf(blocks, so.finish, so.usage), ...toServedPart(so.model) };
}

/** Kinds of events that are not known here are to be skipped: the API promises new ones. */
function gather(said: unknown, so: StreamState): void {
  switch (event.safeParse(said).data?.type) {
    case 'message_start': {
      const start = messageStart.safeParse(said).data?.message;
      so.usage = start?.usage ?? null;
      so.model = start?.model ?? null;
      break;
    }
    case 'content_block_start': {
      const start = blockStart.safeParse(said).data;
      if (!start) break;
      const { type, name = '', text = '', thinking = '' } = start.content_block;
      so.blocks.set(start.index, { type, name, text, thinking, input: '' });
      break;
    }
    case 'content_block_delta': {
      const piece = blockDelta.safeParse(said).data;
      const found = piece && so.blocks.get(piece.index);
      if (!found) break;
      if (piece.delta.type === 'text_delta') found.text += piece.delta.text ?? '';
      if (piece.delta.type === 'thinking_delta') found.thinking += piece.delta.thinking ?? '';
      if (piece.delta.type === 'input_json_delta') found.input += piece.delta.partial_json ?? '';
      break;
    }
    case 'message_delta': {
      const end = messageDelta.safeParse(said).data;
      so.finish = end?.delta.stop_reason ?? so.finish;
      so.usage = end?.usage ? { ...so.usage, ...withoutNulls(end.usage) } : so.usage;
      break;
    }
    case 'message_stop':
      so.ended = true;
      break;
    case 'error':
      so.failed = true;
      break;
  }
}

/** The last event's counts are cumulative; those it does not know are null. */
function withoutNulls(said: Usage): Usage {
  return Object.fromEntries(Object.entries(said).filter(([, count]) => count !== null));
}

function replyOf(blocks: readonly Block[], stop: string | null, counts: Usage | null): JudgeReply {
  const called = blocks.filter(({ type }) => type === 'tool_use');
  return {
    texts: [textOf(blocks, stop)],
    ...toReasoningPart(blocks.map(({ thinking }) => thinking).join('')),
    finish: stop === null ? null : finishOf(stop),
    shape: called.map(({ name }) => name).join(','),
    usage: counts,
    tokens: counts && tokensOf(counts),
  };
}

/** Thinking is no part of the answer. With several tool calls the first counts, as in chat completions. */
function textOf(blocks: readonly Block[], stop: string | null): string {
  // "Treat partial output as incomplete" is what the API says of a refusal: no verdict is read from it.
  if (stop === 'refusal') return '';
  const text = blocks.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('');
  if (text.trim() !== '') return text;
  return blocks.find(({ type }) => type === 'tool_use')?.input || text;
}

/** The proxy knows a reply that ran out of tokens by OpenAI's word for it; the other reasons stay Anthropic's. */
function finishOf(stop: string): string {
  return stop === 'max_tokens' || stop === 'model_context_window_exceeded' ? 'length' : stop;
}

/** `input_tokens` leaves out what was read from the cache, or written to it: the sum of the three is the input. */
function tokensOf(counts: Usage): Tokens | null {
  const { input_tokens: input, output_tokens: output } = counts;
  const cached = [counts.cache_creation_input_tokens, counts.cache_read_input_tokens];
  return sumTokenCounts([input, ...cached.filter((count) => typeof count === 'number')], [output]);
}
