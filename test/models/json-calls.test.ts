/** Calls that are no conversation: kept, shared, tried again; and embeddings that are none. */
import { describe, expect, test } from 'vitest';
import { createMemoryCalls } from '../../src/models/call-store.ts';
import { createJsonCalls, requestEmbedding } from '../../src/models/json-calls.ts';
import { createSpend } from '../../src/models/ledger.ts';
import { systemClock } from '../../src/ports.ts';
import { bodyOf, serve } from './server.ts';

const signal = new AbortController().signal;

function callsTo(url: string, limits: { calls: number | null } = { calls: null }) {
  const spend = createSpend({ ...limits, tokens: null });
  const calls = createJsonCalls({
    ...{ name: 'e', model: 'embedder', url, key: 'secret', retries: 2, maxWaitMs: 5, clock: systemClock },
    ...{ store: createMemoryCalls(), spend, credential: (key) => ['authorization', `Bearer ${key}`] },
    fetch: (to, init) =>
      fetch(to, { method: init.method, headers: init.headers, body: init.body as BodyInit }),
  });
  return { calls, spend };
}
const reply = (vector: unknown) =>
  JSON.stringify({ data: [{ index: 0, embedding: vector }], usage: { prompt_tokens: 7, total_tokens: 7 } });

describe('an embedding', () => {
  test('is asked for once, whoever asks and however often, under the key of the endpoint', async () => {
    const seen: string[] = [];
    await using server = await serve(async (request, response) => {
      seen.push(`${request.url} ${request.headers.authorization} ${await bodyOf(request)}`);
      response.end(reply([0.5, -2]));
    });
    const { calls, spend } = callsTo(`${server.url}/v1`);
    const [one, two] = await Promise.all([
      requestEmbedding(calls, 'a text', signal),
      requestEmbedding(calls, 'a text', signal),
    ]);
    const again = await requestEmbedding(calls, 'a text', signal);
    expect([[...one], [...two], [...again]]).toEqual(Array(3).fill([0.5, -2]));
    expect(seen).toEqual([
      '/v1/embeddings Bearer secret {"model":"embedder","input":"a text","encoding_format":"float"}',
    ]);
    expect(spend).toMatchObject({ calls: 1, tokens: { input: 7, output: 0 } });
  });

  test('that failed in passing is asked for again', async () => {
    let asked = 0;
    await using server = await serve((_, response) => {
      asked++;
      if (asked < 3) response.writeHead(503).end('{}');
      else response.end(reply([1]));
    });
    expect([...(await requestEmbedding(callsTo(server.url).calls, 'a', signal))]).toEqual([1]);
    expect(asked).toBe(3);
  });

  test.each([
    ['no vector', '{"data": []}', /answered with no embedding/],
    ['a vector that holds a word', reply(['NaN']), /answered with no embedding/],
    ['a vector that is empty', reply([]), /answered with no embedding/],
    ['NaN as Python writes it', '{"data":[{"index":0,"embedding":[NaN]}]}', /not valid JSON/],
  ])('%s is no embedding, and not kept', async (_, body, message) => {
    let asked = 0;
    await using server = await serve((_request, response) => {
      asked++;
      response.end(body);
    });
    const { calls } = callsTo(server.url);
    await expect(requestEmbedding(calls, 'a', signal)).rejects.toThrow(message);
    await expect(requestEmbedding(calls, 'a', signal)).rejects.toThrow(message);
    expect(asked).toBe(2);
  });

  test('beyond the budget is not asked for', async () => {
    await using server = await serve((_, response) => void response.end(reply([1])));
    const { calls } = callsTo(server.url, { calls: 1 });
    await requestEmbedding(calls, 'a', signal);
    await expect(requestEmbedding(calls, 'b', signal)).rejects.toThrow(
      'all 1 calls of the budget are used up',
    );
  });
});
