/** One hostile request of each kind, with small ones beside it: none keeps the proxy's only thread to itself. */
import { expect, test } from 'vitest';
import { fair, pairwise, RIGHT, WRONG, whole } from '../proxy/judges.ts';
import { exchange, startProxy, startUpstream } from '../proxy/servers.ts';

/** Milliseconds of CPU after which a reading is given up and says so: sixty times the default. */
const MOST = 3_000;
/** Characters, as many as fit into what is read. */
const LENGTH = 200_000;
const filled = (filler: string) => pairwise(RIGHT, filler.repeat(Math.ceil(LENGTH / filler.length)));

const described = (description: string) =>
  pairwise(RIGHT, WRONG, {
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'v',
        schema: { type: 'object', properties: { score: { type: 'integer', description } } },
      },
    },
  });

test.each([
  ['a list of values in a schema', described(`(0/000${',or\t\t000'.repeat(30)}`)],
  ['line breaks', filled('\n')],
  ['headings', filled('# \n')],
  ['open brackets', filled('< ')],
  ['tabs behind a heading', filled(`pros${'\t'.repeat(5_000)}x\n`)],
  ['open quotes', filled('"')],
  ['open objects', filled('{"a":')],
  ['lines that name an option', filled('Output (a) is better.\n')],
])('%s', { timeout: 120_000 }, async (_name, body) => {
  const upstream = await startUpstream(whole(fair));
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_READ_MS: String(MOST) });
  const ask = (sent: string) =>
    exchange(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-remand-biases': 'position' },
      body: sent,
    });
  const small = pairwise(RIGHT, WRONG);
  const [hostile, ...beside] = await Promise.all([ask(body), ask(small), ask(small), ask(small)]);
  expect(hostile.status).toBe(200);
  expect(hostile.headers['x-remand-reason']).not.toBe('over-time');
  expect(beside.map(({ headers }) => headers['x-remand-status'])).toEqual(Array(3).fill('unchanged'));
});
