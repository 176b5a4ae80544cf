/**
 * An endpoint of our own that speaks chat completions, for judges that are not there: the sandbox and the
 * recorded one. What it sends has the form of OpenAI's replies, whole or as a stream.
 */
import * as z from 'zod';
import { forcedFunction } from '../../adapters/openai-chat/request.ts';
import { openaiChat } from '../../adapters/openai-chat.ts';
import type { JudgeRequest } from '../../adapters/types.ts';
import { InputError } from '../case/errors.ts';
import { JudgeError } from './errors.ts';
import type { Fetch, FetchInit, Tokens } from './types.ts';

export interface ChatQuestion extends JudgeRequest {
  /** The parsed body, for what the adapter does not read. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface ChatAnswer {
  /** The message; the arguments where the request forces a function call. */
  readonly text: string;
  readonly model: string;
  readonly fingerprint: string;
  /** Null: the reply has no usage. */
  readonly tokens: Tokens | null;
}

export interface ChatEndpoint {
  readonly models: readonly string[];
  /** @throws InputError for a 400, JudgeError with a status for that status */
  answer(question: ChatQuestion, signal: AbortSignal | undefined): ChatAnswer | Promise<ChatAnswer>;
}

const optionsSchema = z.looseObject({
  n: z.int().min(1).nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});

export function createChatEndpoint(endpoint: ChatEndpoint): Fetch {
  return async (url, init) => {
    init.signal?.throwIfAborted();
    const path = URL.canParse(url) ? new URL(url).pathname : url;
    if (init.method === 'GET' && path.endsWith('/models')) return json(200, modelList(endpoint.models));
    try {
      if (!openaiChat.speaks(init.method, path)) {
        throw new JudgeError(`this judge answers POST …/chat/completions only, not ${init.method} ${path}`, {
          status: 404,
        });
      }
      return await converse(endpoint, init);
    } catch (error) {
      if (error instanceof InputError) return failure(400, error.message, error.field);
      if (error instanceof JudgeError && error.status !== null)
        return failure(error.status, error.message, null);
      throw error;
    }
  };
}

async function converse(endpoint: ChatEndpoint, init: FetchInit): Promise<Response> {
  const request = openaiChat.readRequest(await bodyText(init));
  const fields = z.record(z.string(), z.unknown()).parse(JSON.parse(request.body));
  const options = optionsSchema.safeParse(fields);
  if (!options.success) {
    const issue = options.error.issues[0];
    throw new InputError(issue?.path.join('.') ?? 'body', issue?.message ?? 'is not valid');
  }
  const answer = await endpoint.answer({ ...request, fields }, init.signal);
  const count = options.data.n ?? 1;
  const reply = { ...answer, id: `chatcmpl-${fingerprint(request.body)}`, count };
  if (!request.stream) return json(200, JSON.stringify(wholeReply(reply, fields)));
  const usage = options.data.stream_options?.include_usage ?? false;
  const events = streamedReply(reply, fields, usage).map((data) => `data: ${data}\n\n`);
  return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}

function bodyText({ body }: FetchInit): Promise<string> | string {
  return typeof body === 'string' ? body : new Response(body as BodyInit | null | undefined).text();
}

interface Reply extends ChatAnswer {
  readonly id: string;
  readonly count: number;
}

type Fields = Readonly<Record<string, unknown>>;

function wholeReply(reply: Reply, fields: Fields): unknown {
  return {
    ...head(reply, 'chat.completion'),
    choices: indices(reply).map((index) => ({
      index,
      message: { role: 'assistant', ...said(reply, fields), refusal: null },
      logprobs: null,
      // Also for a forced function call, which OpenAI does not end with `tool_calls`.
      finish_reason: 'stop',
    })),
    ...(reply.tokens ? { usage: usageOf(reply.tokens, reply.count) } : {}),
  };
}

function streamedReply(reply: Reply, fields: Fields, withUsage: boolean): string[] {
  const chunk = (choices: unknown, rest = {}) =>
    JSON.stringify({ ...head(reply, 'chat.completion.chunk'), choices, ...rest });
  const piece = (index: number, delta: unknown, finish_reason: string | null = null) =>
    chunk([{ index, delta, logprobs: null, finish_reason }], withUsage ? { usage: null } : {});
  const forced = forcedFunction(fields);
  const chunks = indices(reply).flatMap((index) => [
    ...(forced
      ? [piece(index, { role: 'assistant', ...said(reply, fields, true) })]
      : [
          piece(index, { role: 'assistant', content: '', refusal: null }),
          ...words(reply.text).map((content) => piece(index, { content })),
        ]),
    piece(index, {}, 'stop'),
  ]);
  const usage = withUsage && reply.tokens ? [chunk([], { usage: usageOf(reply.tokens, reply.count) })] : [];
  return [...chunks, ...usage, '[DONE]'];
}

function head({ id, model, fingerprint: system_fingerprint }: Reply, object: string) {
  // No clock: the same request gets the same bytes.
  return { id, object, created: 0, model, system_fingerprint };
}

function indices({ count }: Reply): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function said({ id, text }: Reply, fields: Fields, streamed = false): object {
  const forced = forcedFunction(fields);
  if (!forced) return { content: text };
  const called = { name: forced.name, arguments: text };
  if (fields.function_call !== undefined) return { content: null, function_call: called };
  const call = { id: id.replace('chatcmpl-', 'call_'), type: 'function', function: called };
  return { content: null, tool_calls: [streamed ? { index: 0, ...call } : call] };
}

function words(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

function usageOf({ input, output }: Tokens, count: number) {
  const completion_tokens = output * count;
  return { prompt_tokens: input, completion_tokens, total_tokens: input + completion_tokens };
}

function modelList(models: readonly string[]): string {
  const data = models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'remand' }));
  return JSON.stringify({ object: 'list', data });
}

function json(status: number, body: string): Response {
  return new Response(body, { status, headers: { 'content-type': 'application/json' } });
}

function failure(status: number, message: string, field: string | null): Response {
  return json(status, openaiChat.errorBody(status, message, field));
}

/** FNV-1a, 32 bits: an id that is the same for the same text; no secret and no proof of anything. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
