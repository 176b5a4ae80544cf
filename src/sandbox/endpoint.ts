/**
 * An endpoint of our own that speaks every protocol Remand does, for judges that are not there: the sandbox and
 * the recorded one. What it sends has the form of the real endpoints' replies, whole or as a stream.
 */
import * as z from 'zod';
import {
  ADAPTERS,
  type Adapter,
  DEFAULT_ADAPTER,
  type EndpointAnswer,
  type Fields,
  type JudgeRequest,
} from '../../adapters/index.ts';
import { InputError } from '../errors.ts';
import { JudgeError, readStream } from '../http/index.ts';
import { dropByteOrderMark } from '../parse-json.ts';
import type { Fetch, FetchInit } from '../ports.ts';

export interface EndpointQuestion extends JudgeRequest {
  /** How many answers to it are asked for, and the field that says so. */
  readonly samples: { readonly field: string; readonly count: number };
}

interface Endpoint {
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
    const spoken = ADAPTERS.find((adapter) => adapter.speaks(init.method, path));
    const adapter = spoken ?? DEFAULT_ADAPTER;
    try {
      if (!spoken) {
        throw new JudgeError(`this judge answers requests for a judgment only, not ${init.method} ${path}`, {
          status: 404,
        });
      }
      return await converse(endpoint, spoken, path + search, init);
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
  adapter: Adapter,
  target: string,
  init: FetchInit,
): Promise<Response> {
  const request = adapter.readRequest(await bodyText(init), target);
  const fields = fieldsOf(request.body);
  const samples = samplesIn(adapter, fields);
  const answer = await endpoint.answer({ ...request, samples }, init.signal);
  const stream = request.stream || request.streamByPath;
  const hash = fingerprint(target + request.body);
  const written = adapter.write({ ...answer, hash, samples: samples.count, fields, target, stream });
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

const fieldsSchema = z.record(z.string(), z.unknown());
const countSchema = z.int().min(1).nullish();

/** Of a protocol that passes on what it cannot read, a body may be anything. */
function fieldsOf(body: string): Fields {
  try {
    return fieldsSchema.parse(JSON.parse(dropByteOrderMark(body)));
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof z.ZodError)) throw cause;
    throw new InputError('body', 'must be a JSON object');
  }
}

function samplesIn({ capabilities: { samples } }: Adapter, fields: Fields): EndpointQuestion['samples'] {
  if (!samples) return { field: 'body', count: 1 };
  const { success, data } = countSchema.safeParse(samples.read(fields));
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
