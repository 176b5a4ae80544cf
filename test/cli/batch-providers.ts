/** Local servers that behave as the two batch interfaces do, and fail as told. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve, type TestServer } from '../models/server.ts';
import { chatReply, decision } from './dataset-rows.ts';

/** What becomes of one call: a verdict, or how it fails. */
export type Fate = 'answered' | 'refused' | 'overloaded' | 'expired' | 'missing' | 'garbled';

export interface Provider extends TestServer {
  /** How a command names a model there. */
  readonly spec: string;
  /** Method and path of every request, and the key it came with. */
  readonly seen: { readonly request: string; readonly key: string }[];
  /** Custom ids of the calls of each batch made. */
  readonly made: string[][];
  /** Ends the batches there are. `whole` ends a batch as a whole with that status. */
  finish(fate?: (id: string, batch: number) => Fate, whole?: 'expired' | 'failed'): void;
  /** From now on a creation is taken or not, and never answered. Resolves when one came. */
  silent(taken: boolean): Promise<void>;
  speak(): void;
}

interface Call {
  readonly id: string;
  readonly body: Record<string, unknown>;
}
interface Batch {
  readonly id: string;
  readonly file: string;
  readonly calls: readonly Call[];
  readonly created: number;
  status: string;
  lines: readonly string[];
  errors: readonly string[];
}

type Route = (request: IncomingMessage, body: Buffer, path: string) => Promise<unknown> | unknown;

/** Thrown by a route: an HTTP error of the interface. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function provider(
  spec: (url: string) => string,
  keyOf: (request: IncomingMessage) => string,
  creation: string,
  build: (batches: Batch[], own: { url: string }) => Route,
  lineOf: (call: Call, fate: Exclude<Fate, 'missing' | 'garbled'>) => { line: string; error: boolean },
): Promise<Provider> {
  const batches: Batch[] = [];
  const seen: { request: string; key: string }[] = [];
  const own = { url: '' };
  const route = build(batches, own);
  let silence: { taken: boolean; came: () => void } | null = null;
  const server = await serve(async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.from(await bytesOf(request));
    const path = request.url ?? '';
    seen.push({ request: `${request.method} ${path}`, key: keyOf(request) });
    const quiet = `${request.method} ${path}` === creation ? silence : null;
    try {
      if (quiet && !quiet.taken) return void quiet.came();
      const said = await route(request, body, path);
      if (quiet) return void quiet.came();
      const text = typeof said === 'string' ? said : JSON.stringify(said);
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause;
      const error = { type: 'invalid_request_error', message: cause.message };
      response.writeHead(cause.status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    }
  });
  own.url = server.url;
  return {
    url: server.url,
    spec: spec(server.url),
    seen,
    get made() {
      return batches.map(({ calls }) => calls.map(({ id }) => id));
    },
    finish(fate = () => 'answered', whole) {
      for (const [index, batch] of batches.entries()) {
        if (batch.status !== 'working') continue;
        batch.status = whole ?? 'completed';
        const lines: string[] = [];
        const errors: string[] = [];
        // Out of order: the last call's result comes first.
        for (const call of whole === 'failed' ? [] : batch.calls.toReversed()) {
          const told = fate(call.id, index);
          if (told === 'missing') continue;
          if (told === 'garbled') lines.push(`{"custom_id": "${call.id}", "resp`);
          else {
            const { line, error } = lineOf(call, told);
            (error ? errors : lines).push(line);
          }
        }
        // A line about a call that nobody made.
        lines.push(lineOf({ id: 'f'.repeat(64), body: {} }, 'answered').line);
        Object.assign(batch, { lines, errors });
      }
    },
    silent: (taken) => new Promise((resolve) => (silence = { taken, came: resolve })),
    speak() {
      silence = null;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function bytesOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const verdict = (body: unknown) => decision(JSON.stringify(body));

function check(right: boolean, what: string): void {
  if (!right) throw new Refused(400, what);
}

/**
 * https://platform.openai.com/docs/api-reference/batch
 *
 * @param answer the model: what it says to a request
 */
export function openaiProvider(answer: (body: unknown) => string = verdict): Promise<Provider> {
  const files = new Map<string, string>();
  return provider(
    (url) => `m@${url}/v1#BATCH_KEY`,
    ({ headers }) => String(headers.authorization),
    'POST /v1/batches',
    (batches) => async (request, body, path) => {
      const at = `${request.method} ${path.replace(/\?.*/, '')}`;
      if (at === 'POST /v1/files') {
        const headers = { 'content-type': String(request.headers['content-type']) };
        const form = await new Response(new Uint8Array(body), { headers }).formData();
        check(form.get('purpose') === 'batch', 'purpose');
        const id = `file-${files.size}`;
        files.set(id, await (form.get('file') as File).text());
        return { id, object: 'file', purpose: 'batch' };
      }
      if (at === 'POST /v1/batches') {
        const asked = JSON.parse(body.toString());
        const lines = files
          .get(asked.input_file_id)
          ?.trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        check(lines !== undefined && asked.completion_window === '24h', 'no such file, or window');
        for (const { method, url } of lines ?? []) check(method === 'POST' && url === asked.endpoint, 'url');
        check(new Set(lines?.map((one) => one.custom_id)).size === lines?.length, 'custom_id twice');
        check(new Set(lines?.map((one) => one.body.model)).size === 1, 'one model a batch');
        const calls = (lines ?? []).map((one) => ({ id: one.custom_id, body: one.body }));
        const batch = {
          id: `batch_${batches.length}`,
          file: asked.input_file_id,
          calls,
          created: Date.now(),
        };
        batches.push({ ...batch, status: 'working', lines: [], errors: [] });
        return openaiBatch(batches.at(-1) as Batch);
      }
      if (at === 'GET /v1/batches')
        return { object: 'list', data: batches.toReversed().map(openaiBatch), has_more: false };
      if (at === 'POST /v1/chat/completions') return chatReply(answer(JSON.parse(body.toString())));
      const found = batches.find(({ id }) => at === `GET /v1/batches/${id}`);
      if (found) return openaiBatch(found);
      for (const { id, lines, errors } of batches) {
        if (at === `GET /v1/files/out-${id}/content`) return lines.join('\n');
        if (at === `GET /v1/files/err-${id}/content`) return `${errors.join('\n')}\n`;
      }
      throw new Refused(404, `no ${at}`);
    },
    ({ id, body }, fate) => {
      const response = (status_code: number, said: unknown) => ({ status_code, request_id: 'r', body: said });
      const line = (fields: object) =>
        JSON.stringify({ id: `l-${id}`, custom_id: id, error: null, ...fields });
      if (fate === 'answered')
        return { line: line({ response: response(200, chatReply(answer(body))) }), error: false };
      const why = fate === 'expired' ? { code: 'batch_expired', message: 'not in time' } : null;
      const status = fate === 'refused' ? 400 : 500;
      const said = { error: { message: fate } };
      return {
        line: line(why ? { response: null, error: why } : { response: response(status, said) }),
        error: true,
      };
    },
  );
}

function openaiBatch({ id, file, calls, status, lines, errors }: Batch): object {
  const ended = status !== 'working';
  return {
    ...{ id, object: 'batch', input_file_id: file, status: ended ? status : 'in_progress' },
    output_file_id: ended && status !== 'failed' && lines.length > 0 ? `out-${id}` : null,
    error_file_id: ended && errors.length > 0 ? `err-${id}` : null,
    errors:
      status === 'failed' ? { object: 'list', data: [{ code: 'x', message: 'the file is wrong' }] } : null,
    request_counts: { total: calls.length, completed: ended ? lines.length : 0, failed: errors.length },
  };
}

/** https://docs.anthropic.com/en/api/creating-message-batches */
export function anthropicProvider(): Promise<Provider> {
  return provider(
    (url) => `anthropic-messages:m@${url}#BATCH_KEY`,
    ({ headers }) => String(headers['x-api-key']),
    'POST /v1/messages/batches',
    (batches, own) => (request, body, path) => {
      check(request.headers['anthropic-version'] === '2023-06-01', 'anthropic-version');
      const at = `${request.method} ${path.replace(/\?.*/, '')}`;
      if (at === 'POST /v1/messages/batches') {
        const { requests } = JSON.parse(body.toString());
        for (const { custom_id, params } of requests) {
          check(/^[a-zA-Z0-9_-]{1,64}$/.test(custom_id), 'custom_id');
          check(Boolean(params.model && params.max_tokens && params.messages) && !params.stream, 'params');
        }
        const calls = requests.map((one: { custom_id: string; params: Record<string, unknown> }) => ({
          id: one.custom_id,
          body: one.params,
        }));
        check(new Set(calls.map(({ id }: Call) => id)).size === calls.length, 'custom_id twice');
        const batch = { id: `msgbatch_${batches.length}`, file: '', calls, created: Date.now() };
        batches.push({ ...batch, status: 'working', lines: [], errors: [] });
        return anthropicBatch(batches.at(-1) as Batch, own.url);
      }
      if (at === 'GET /v1/messages/batches') {
        const data = batches.toReversed().map((one) => anthropicBatch(one, own.url));
        return { data, has_more: false, first_id: null, last_id: null };
      }
      for (const batch of batches) {
        if (at === `GET /v1/messages/batches/${batch.id}`) return anthropicBatch(batch, own.url);
        if (at === `GET /v1/messages/batches/${batch.id}/results`)
          return `${[...batch.lines, ...batch.errors].join('\n')}\n`;
      }
      throw new Refused(404, `no ${at}`);
    },
    ({ id, body }, fate) => {
      const content = [{ type: 'text', text: verdict(body) }];
      const usage = { input_tokens: 7, output_tokens: 2 };
      const message = { type: 'message', role: 'assistant', content, stop_reason: 'end_turn', usage };
      const kind = fate === 'refused' ? 'invalid_request_error' : 'api_error';
      const result =
        fate === 'answered'
          ? { type: 'succeeded', message }
          : fate === 'expired'
            ? { type: 'expired' }
            : { type: 'errored', error: { type: 'error', error: { type: kind, message: fate } } };
      return { line: JSON.stringify({ custom_id: id, result }), error: fate !== 'answered' };
    },
  );
}

function anthropicBatch({ id, calls, status, lines, errors, created }: Batch, url: string): object {
  const ended = status !== 'working';
  const counts = {
    canceled: 0,
    expired: calls.length - Math.min(calls.length, lines.length + errors.length),
  };
  const done = { succeeded: calls.length - counts.expired, errored: 0, ...counts };
  const none = { succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  return {
    ...{ id, type: 'message_batch', processing_status: ended ? 'ended' : 'in_progress' },
    request_counts: { processing: ended ? 0 : calls.length, ...(ended ? done : none) },
    created_at: new Date(created).toISOString(),
    results_url: ended ? `${url}/v1/messages/batches/${id}/results` : null,
  };
}
