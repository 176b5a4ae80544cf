/** Anthropic's batch interface: the requests go in the creation itself. https://docs.anthropic.com/en/api/creating-message-batches */
import * as z from 'zod';
import { parseJson } from '../../src/parse-json.ts';
import { type BatchApi, type BatchConnection, type BatchOrder, parseBatchReply } from '../batch-api.ts';

const batch = z.looseObject({
  id: z.string(),
  processing_status: z.string(),
  created_at: z.string().nullish(),
  request_counts: z.record(z.string(), z.number()),
});
const listed = z.looseObject({
  data: z.array(batch),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
});
const line = z.looseObject({
  custom_id: z.string(),
  result: z.looseObject({
    type: z.string(),
    message: z.unknown().optional(),
    error: z
      .looseObject({
        error: z.looseObject({ type: z.string().nullish(), message: z.string().nullish() }).nullish(),
      })
      .nullish(),
  }),
});

/** Kinds of error that the same request meets again. https://docs.anthropic.com/en/api/errors */
const LASTING = new Set([
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'request_too_large',
]);
/** Clocks differ: a batch may seem created before we asked for it. */
const SKEW_MS = 5 * 60_000;
const PAGES = 10;

export function createAnthropicBatches(connection: BatchConnection): BatchApi {
  const at = (id: string) => `/v1/messages/batches/${encodeURIComponent(id)}`;
  return {
    // The interface takes 256 MB; the requests are held in memory while they are sent.
    most: { requests: 100_000, bytes: 64 << 20 },
    line: ({ key, request }) => `{"custom_id":"${key}","params":${request}}`,
    upload: async () => null,
    async create({ calls, path }, signal) {
      const requests = calls().map((call) => this.line(call, path));
      const body = { type: 'application/json', bytes: `{"requests":[${requests.join(',')}]}` };
      const made = await connection.post('/v1/messages/batches', body, false, signal);
      return parseBatchReply(z.looseObject({ id: z.string() }), made).id;
    },
    async find(order, signal) {
      let after = '';
      for (let page = 0; page < PAGES; page++) {
        const path = `/v1/messages/batches?limit=100${after}`;
        const { data, has_more, last_id } = parseBatchReply(listed, await connection.get(path, signal));
        const found = data.find((one) => isOf(order, one));
        if (found) return found.id;
        if (!has_more || !last_id) return null;
        after = `&after_id=${encodeURIComponent(last_id)}`;
      }
      return null;
    },
    async look(id, signal) {
      const found = parseBatchReply(batch, await connection.get(at(id), signal));
      const { processing_status: status, request_counts } = found;
      const ended = status === 'ended';
      const done = Object.entries(request_counts).reduce(
        (sum, [name, n]) => sum + (name === 'processing' ? 0 : n),
        0,
      );
      // Not its own `results_url`: the key goes to the endpoint that was named, and nowhere else.
      return { id, ended, status, done, failure: null, results: ended ? [`${at(id)}/results`] : [] };
    },
    lines: (results, signal) => connection.lines(results, signal),
    read(text) {
      const parsed = line.safeParse(parseJson(text)).data;
      if (!parsed) return null;
      const { custom_id: key, result } = parsed;
      if (result.type === 'succeeded') return { key, reply: JSON.stringify(result.message ?? null) };
      const said = result.error?.error;
      const words = [result.type, said?.type, said?.message].filter(Boolean).join(': ');
      return { key, error: words, passing: !LASTING.has(said?.type ?? '') };
    },
  };
}

/**
 * A list tells neither names nor requests, so that time and size must do. Where another batch is taken for this one,
 * its results are none of ours, and the calls are handed over again.
 */
function isOf({ since, size, taken }: BatchOrder, one: z.output<typeof batch>): boolean {
  const count = Object.values(one.request_counts).reduce((sum, n) => sum + n, 0);
  const created = Date.parse(one.created_at ?? '');
  return count === size && created >= since - SKEW_MS && !taken(one.id);
}
