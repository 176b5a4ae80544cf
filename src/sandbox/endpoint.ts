/**
 * An endpoint of our own that speaks every protocol Remand does, for judges that are not there: the sandbox and
 * the recorded one. What it sends has the form of the real endpoints' replies, whole or as a stream.
 */
import * as z from 'zod';
import type { JudgeRequest } from '../../adapters/types.ts';
import { InputError } from '../errors.ts';
import { readStream } from '../http/body.ts';
import { JudgeError } from '../http/judge-errors.ts';
import type { Fetch, FetchInit } from '../ports.ts';
import { anthropicMessagesWriter } from './endpoint/anthropic-messages.ts';
import { geminiWriter } from './endpoint/gemini.ts';
import { huggingfaceWriter } from './endpoint/huggingface.ts';
import { openaiChatWriter } from './endpoint/openai-chat.ts';
import { openaiCompletionsWriter } from './endpoint/openai-completions.ts';
import { openaiResponsesWriter } from './endpoint/openai-responses.ts';
import type { EndpointAnswer, Fields, ReplyWriter } from './endpoint/types.ts';

/** The first is also the form of errors on paths that are none of them. */
const PROTOCOLS: readonly [ReplyWriter, ...ReplyWriter[]] = [
  openaiChatWriter,
  openaiResponsesWriter,
  openaiCompletionsWriter,
  anthropicMessagesWriter,
  geminiWriter,
  huggingfaceWriter,
];

export interface EndpointQuestion extends JudgeRequest {
  /** How many answers to it are asked for, and the field that says so. */
  readonly samples: { readonly field: string; readonly count: number };
}

export interface Endpoint {
  readonly models: readonly string[];
  /** @throws InputError for a 400, JudgeError with a status for that status */
  answer(
    question: EndpointQuestion,
    signal: AbortSignal | undefined,
  ): EndpointAnswer | Promise<EndpointAnswer>;
}

export function createEndpoint(endpoint: Endpoint): Fetch {
  return async (url, init) => {
    init.signal?.throwIfAborted();
    const { pathname: path, search } = new URL(url, 'http://endpoint.invalid');
    if (init.method === 'GET' && path.endsWith('/models')) return json(200, modelList(endpoint.models));
    const protocol = PROTOCOLS.find(({ adapter }) => adapter.speaks(init.method, path));
    const { adapter } = protocol ?? PROTOCOLS[0];
    try {
      if (!protocol) {
        throw new JudgeError(`this judge answers requests for a judgment only, not ${init.method} ${path}`, {
          status: 404,
        });
      }
      return await converse(endpoint, protocol, path + search, init);
    } catch (error) {
      if (error instanceof InputError) return json(400, adapter.errorBody(400, error.message, error.field));
      if (error instanceof JudgeError && error.status !== null)
        return json(error.status, adapter.errorBody(error.status, error.message, null));
      throw error;
    }
  };
}

async function converse(
  endpoint: Endpoint,
  protocol: ReplyWriter,
  target: string,
  init: FetchInit,
): Promise<Response> {
  const request = protocol.adapter.readRequest(await bodyText(init), target);
  const fields = fieldsOf(request.body);
  const samples = samplesIn(protocol, fields);
  const answer = await endpoint.answer({ ...request, samples }, init.signal);
  const stream = request.stream || request.streamByPath;
  const hash = fingerprint(target + request.body);
  const written = protocol.write({ ...answer, hash, samples: samples.count, fields, target, stream });
  if ('json' in written) return json(200, written.json);
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
  return new Response(written.events.join(''), { headers });
}

/** Largest request taken, in bytes. */
const LARGEST = 1 << 30;

async function bodyText({ body }: FetchInit): Promise<string> {
  if (typeof body === 'string') return body;
  const bytes = body instanceof ReadableStream ? await readStream(body, LARGEST) : body;
  return new TextDecoder().decode(bytes ?? new Uint8Array());
}

/** Of a protocol that passes on what it cannot read, a body may be anything. */
function fieldsOf(body: string): Fields {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(body));
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof z.ZodError)) throw cause;
    throw new InputError('body', 'must be a JSON object');
  }
}

function samplesIn({ samples }: ReplyWriter, fields: Fields): EndpointQuestion['samples'] {
  if (!samples) return { field: 'body', count: 1 };
  const { success, data } = z.int().min(1).nullish().safeParse(samples.in(fields));
  if (!success) throw new InputError(samples.field, 'must be a whole number of 1 or more');
  return { field: samples.field, count: data ?? 1 };
}

function modelList(models: readonly string[]): string {
  const data = models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'remand' }));
  return JSON.stringify({ object: 'list', data });
}

function json(status: number, body: string): Response {
  return new Response(body, { status, headers: { 'content-type': 'application/json' } });
}

/** FNV-1a, 32 bits: an id that is the same for the same text; no secret and no proof of anything. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
