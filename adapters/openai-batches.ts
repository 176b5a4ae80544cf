/**
 * The batch interface of OpenAI, which compatible providers and gateways offer, too: a file of requests is uploaded,
 * a batch is made of it, and its results are files again. https://platform.openai.com/docs/guides/batch
 */
import * as z from 'zod';
import { isTransientStatus, readStream } from '../src/http/index.ts';
import { parseJson } from '../src/parse-json.ts';
import { type BatchApi, type BatchConnection, type BatchLook, parseBatchReply } from './batch-api.ts';

const batch = z.looseObject({
  id: z.string(),
  status: z.string(),
  input_file_id: z.string().nullish(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
  errors: z
    .looseObject({ data: z.array(z.looseObject({ message: z.string().nullish() })).nullish() })
    .nullish(),
  request_counts: z.looseObject({ completed: z.number().nullish(), failed: z.number().nullish() }).nullish(),
});
const created = z.looseObject({ id: z.string() });
const listed = z.looseObject({ data: z.array(batch), has_more: z.boolean().nullish() });
const line = z.looseObject({
  custom_id: z.string(),
  response: z.looseObject({ status_code: z.number(), body: z.unknown().optional() }).nullish(),
  error: z.looseObject({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
});

const ENDED = new Set(['completed', 'failed', 'expired', 'cancelled']);
/** The interface takes 200 MB. */
const LARGEST_FILE = 200 << 20;
/** Pages of a hundred batches looked through for one that was created before a kill. */
const PAGES = 10;

export function createOpenAiBatches(connection: BatchConnection): BatchApi {
  return {
    // Above the calls' own bytes, since the file is held in memory while it is sent; the interface takes 200 MB.
    most: { requests: 50_000, bytes: 64 << 20 },
    line: ({ key, request }, path) =>
      `{"custom_id":"${key}","method":"POST","url":${JSON.stringify(path)},"body":${request}}\n`,
    async upload({ calls, path }, signal) {
      const form = new FormData();
      form.set('purpose', 'batch');
      const lines = calls().map((call) => this.line(call, path));
      form.set('file', new Blob(lines, { type: 'application/jsonl' }), 'remand.jsonl');
      const encoded = new Response(form);
      const type = encoded.headers.get('content-type') ?? '';
      // A file nobody makes a batch of costs nothing, so that uploading twice does no harm.
      const bytes = await readStream(encoded.body, LARGEST_FILE);
      return parseBatchReply(created, await connection.post('/v1/files', { type, bytes }, true, signal)).id;
    },
    async create({ file, path }, signal) {
      const body = JSON.stringify({ input_file_id: file, endpoint: path, completion_window: '24h' });
      const type = 'application/json';
      return parseBatchReply(
        created,
        await connection.post('/v1/batches', { type, bytes: body }, false, signal),
      ).id;
    },
    async find({ file }, signal) {
      let after = '';
      for (let page = 0; page < PAGES; page++) {
        const { data, has_more } = parseBatchReply(
          listed,
          await connection.get(`/v1/batches?limit=100${after}`, signal),
        );
        const found = data.find(({ input_file_id }) => input_file_id === file);
        if (found) return found.id;
        const last = data.at(-1);
        if (!has_more || !last) return null;
        after = `&after=${encodeURIComponent(last.id)}`;
      }
      return null;
    },
    async look(id, signal) {
      return lookOf(
        parseBatchReply(batch, await connection.get(`/v1/batches/${encodeURIComponent(id)}`, signal)),
      );
    },
    lines: (results, signal) => connection.lines(results, signal),
    read(text) {
      const parsed = line.safeParse(parseJson(text)).data;
      if (!parsed) return null;
      const { custom_id: key, response, error } = parsed;
      if (!response) return { key, error: wordsOf(error) ?? 'no response', passing: true };
      if (response.status_code >= 200 && response.status_code < 300)
        return { key, reply: JSON.stringify(response.body) };
      const said = JSON.stringify(response.body ?? null).slice(0, 300);
      return {
        key,
        error: `answered ${response.status_code}: ${said}`,
        passing: isTransientStatus(response.status_code),
      };
    },
  };
}

function lookOf(found: z.output<typeof batch>): BatchLook {
  const { id, status, output_file_id, error_file_id, request_counts } = found;
  const files = [output_file_id, error_file_id].filter((file) => typeof file === 'string' && file !== '');
  const failures = found.errors?.data?.flatMap(({ message }) => (message ? [message] : [])) ?? [];
  return {
    id,
    ended: ENDED.has(status),
    status,
    done: (request_counts?.completed ?? 0) + (request_counts?.failed ?? 0),
    failure: failures.length > 0 ? failures.join('; ').slice(0, 300) : null,
    results: files.map((file) => `/v1/files/${encodeURIComponent(file ?? '')}/content`),
  };
}

function wordsOf(error: z.output<typeof line>['error']): string | null {
  const words = [error?.code, error?.message].filter(Boolean).join(': ');
  return words === '' ? null : words;
}
