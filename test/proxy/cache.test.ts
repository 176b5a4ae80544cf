/** Answers given again: the very same request of the same tenant only, and nothing of it to be read in the store. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, onTestFinished, test } from 'vitest';
import { findCase } from '../../src/case/index.ts';
import { isDeterministic, lookUp } from '../../src/proxy/cache/cache.ts';
import { readConfig } from '../../src/proxy/config.ts';
import { createOptionReader } from '../../src/proxy/options.ts';
import { createOutboundFilter } from '../../src/proxy/outbound-filter.ts';
import { SETTINGS } from '../../src/proxy/settings.ts';
import { helpDesk } from './help-desk.ts';
import { firstPlaceLover, pairwise, RIGHT, WRONG, whole } from './judges.ts';
import { exchange, keyOf, type Reply, startProxy, startUpstream, until } from './servers.ts';

const PATH = '/v1/chat/completions';
const body = pairwise(WRONG, RIGHT, { temperature: 0 });

async function cached(settings: Record<string, string> = {}, reply: Reply = whole(firstPlaceLover)) {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'state.sqlite');
  const upstream = await startUpstream(reply);
  const proxy = await startProxy({
    JUDGE_BASE_URL: upstream.url,
    REMAND_BIASES: 'position',
    REMAND_CACHE_S: '3600',
    REMAND_STATE: file,
    ...settings,
  });
  const ask = (headers: Record<string, string> = {}, sent = body) =>
    exchange(proxy.url + PATH, { method: 'POST', headers, body: sent });
  const counted = async (result: string) => {
    const text = (await exchange(`${proxy.url}/remand/metrics`)).body.toString();
    return Number(new RegExp(`remand_cache_total\\{result="${result}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  };
  return { upstream, proxy, ask, counted, file };
}

test('the same answer, byte for byte, without a call', async () => {
  const { upstream, proxy, ask, counted, file } = await cached();
  const headers = { authorization: 'Bearer sk-client' };
  const first = await ask(headers);
  const calls = upstream.received.length;
  const again = await until(async () => {
    const answer = await ask({ ...headers, 'user-agent': 'another', 'x-request-id': crypto.randomUUID() });
    return answer.headers['x-remand-cache'] === 'hit' ? answer : null;
  }, 'it is kept');
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
  expect(again.headers).toMatchObject({
    'content-type': first.headers['content-type'],
    'x-remand-status': 'revised',
    'x-remand-biases': 'position',
    'x-remand-trace': first.headers['x-remand-trace'],
    'x-remand-calls': '0',
  });
  expect(upstream.received.length % calls).toBe(0);
  expect(await counted('hit')).toBe(1);
  // One more request, and no more examinations.
  const { body: metrics } = await exchange(`${proxy.url}/remand/metrics`);
  const examined = Number(
    /^remand_verdict_biases_total\{bias="position",status="revised"\} (\d+)$/m.exec(String(metrics))?.[1],
  );
  expect(examined).toBe(upstream.received.length / calls);
  const stored = readFileSync(file).toString('latin1') + readFileSync(`${file}-wal`).toString('latin1');
  for (const text of ['Output (b)', 'chat.completion', 'sk-client', '17*23'])
    expect(stored).not.toContain(text);
});

test.each<[string, Record<string, string>, string]>([
  ['another key of the judge', { authorization: 'Bearer sk-other' }, body],
  ['another option', { 'x-remand-rounds': '1' }, body],
  ['another header that the judge reads', { 'openai-organization': 'org-2' }, body],
  ['one space more', {}, `${body} `],
  [
    'another declared case',
    {},
    body.replace(
      '{',
      '{"remand": {"case": {"instruction": "q", "options": [{"label": "Output (a)", "text": "x"}, {"label": "Output (b)", "text": "y"}]}}, ',
    ),
  ],
  ['a wish for a new one', { 'cache-control': 'no-cache' }, body],
  ['any temperature', {}, pairwise(WRONG, RIGHT, { temperature: 0.7 })],
  ['no temperature', {}, pairwise(WRONG, RIGHT)],
])('%s is no hit', async (_name, headers, sent) => {
  const { ask, counted } = await cached();
  const base = { authorization: 'Bearer sk-client' };
  await ask(base);
  await until(async () => (await ask(base)).headers['x-remand-cache'] === 'hit', 'it is kept');
  const hits = await counted('hit');
  const answer = await ask({ ...base, ...headers }, sent);
  expect(answer.headers['x-remand-cache']).toBeUndefined();
  expect(await counted('hit')).toBe(hits);
});

test('a template that cuts the options elsewhere is no hit', async () => {
  const admin = await keyOf('admin', ['admin']);
  const { proxy, ask } = await cached(
    { REMAND_KEYS: JSON.stringify([admin.record]) },
    whole(() => 'A'),
  );
  const request = (n: number) => JSON.stringify({ ...JSON.parse(helpDesk(n)), temperature: 0 });
  for (let n = 0; n < 4; n++) await ask({}, request(n));
  await until(async () => (await ask({}, request(4))).headers['x-remand-cache'] === 'hit', 'it is kept');
  const headers = { 'x-remand-key': admin.key, 'content-type': 'application/json' };
  const listed = await exchange(`${proxy.url}/remand/templates`, { headers });
  const [{ id, template }] = JSON.parse(listed.body.toString()).templates;
  const parts = template.parts.map((part: { text: string }) => ({
    ...part,
    text: part.text.replace('\n--- end ---', ''),
  }));
  const decision = JSON.stringify({ action: 'edit', template: { ...template, parts } });
  const edited = await exchange(`${proxy.url}/remand/templates/${id}`, {
    method: 'POST',
    headers,
    body: decision,
  });
  expect(JSON.parse(edited.body.toString())).toMatchObject({ state: 'approved', template: { parts } });
  const answer = await ask({}, request(4));
  expect(answer.headers['x-remand-status']).toBe('insisted');
  expect(answer.headers['x-remand-cache']).toBeUndefined();
});

/** Where a cached answer lies under these settings. */
async function placeOf(settings: object): Promise<string> {
  const standard = readConfig({});
  const config = { ...standard, ...settings };
  const options = createOptionReader(standard)(new Headers());
  const places: string[] = [];
  const store = {
    get: async (place: string) => {
      places.push(place);
      return null;
    },
    put: async () => {},
  };
  const [headers, forwarded] = [new Headers(), new Headers()];
  const request = JSON.parse(body);
  const subject = findCase({ parts: [{ role: 'user', text: request.messages[0].content }] });
  if (!subject) throw new Error('no case');
  const asked = { who: null, headers, sent: PATH, url: 'https://judge.test', forwarded, options, body };
  await lookUp(store, { ...asked, request, subject }, config, createOutboundFilter(standard));
  return places.join();
}

test.each(Object.entries(SETTINGS))(
  'another %s is another place where a verdict depends on it, only there',
  async (name, { verdicts }) => {
    expect((await placeOf({ [name]: 'another' })) !== (await placeOf({}))).toBe(verdicts);
  },
);

test('what could not be examined, or was only shadowed, is not kept', async () => {
  const { ask } = await cached({ REMAND_EXTRA_CALLS: '0' });
  for (let i = 0; i < 3; i++) {
    expect((await ask()).headers['x-remand-status']).toBe('failed-open');
    expect((await ask({ 'x-remand-mode': 'shadow' })).headers['x-remand-cache']).toBeUndefined();
  }
});

test('two tenants, one cache, 100 random requests each: nobody gets the other’s', async () => {
  const digest = (text: string) => createHash('sha256').update(text).digest('hex');
  // Each reply says whose request it was, and which.
  const { proxy, upstream, counted } = await cached(
    { REMAND_ROUNDS: '0', REMAND_TRACES: 'off' },
    ({ headers, body: sent }, response) => {
      const id = `${headers.authorization} ${digest(sent.toString())}`;
      const message = { role: 'assistant', content: 'Output (a)' };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id, choices: [{ message }] }));
    },
  );
  const random = xoroshiro128plus(17);
  const drawn = (below: number) => uniformInt(random, 0, below - 1);
  const tenants = ['sk-tenant-one', 'sk-tenant-two'];
  const asks = Array.from({ length: 200 }, (_, i) => ({
    tenant: tenants[i % 2] ?? '',
    // Few enough that most have been asked before, by one of the two or by both.
    sent: pairwise(`It is 39${drawn(4)}.`, `It makes ${drawn(4)}91.`, { temperature: 0, seed: drawn(2) }),
  }));
  const distinct = new Set(asks.map(({ tenant, sent }) => tenant + sent)).size;
  let next = 0;
  const client = async () => {
    for (let one = asks[next++]; one; one = asks[next++]) {
      const { tenant, sent } = one;
      const headers = { authorization: `Bearer ${tenant}` };
      const answer = await exchange(proxy.url + PATH, { method: 'POST', headers, body: sent });
      expect(JSON.parse(answer.body.toString()).id).toBe(`Bearer ${tenant} ${digest(sent)}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  // A request that comes while the first of its kind is under way asks the judge, too.
  expect(upstream.received.length).toBeGreaterThanOrEqual(distinct);
  expect(await counted('hit')).toBe(200 - upstream.received.length);
  expect(await counted('hit')).toBeGreaterThan(100);
});

test('keys of our own are tenants, even where the operator’s key pays for both', async () => {
  const keys = [await keyOf('a'), await keyOf('b')];
  const { ask } = await cached({
    JUDGE_API_KEY: 'sk-of-the-operator',
    REMAND_KEYS: JSON.stringify(keys.map(({ record }) => record)),
  });
  const [one = '', other = ''] = keys.map(({ key }) => key);
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  await until(async () => (await ask(bearer(one))).headers['x-remand-cache'] === 'hit', 'one has it');
  expect((await ask(bearer(other))).headers['x-remand-cache']).toBeUndefined();
});

test.each<[boolean, object]>([
  [true, { temperature: 0 }],
  [true, { temperature: 1, seed: 7 }],
  [true, { generationConfig: { temperature: 0 } }],
  [true, { parameters: { do_sample: false } }],
  [true, { temperature: 0, tools: [{ type: 'function', function: {} }] }],
  [true, { temperature: 0, tools: [{ name: 'verdict', input_schema: {} }] }],
  [false, {}],
  [false, { temperature: 0.1 }],
  [false, { seed: null }],
  [false, { temperature: 0, tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
  [false, { temperature: 0, tools: [{ googleSearch: {} }] }],
  [false, { temperature: 0, previous_response_id: 'resp_1' }],
  [false, { temperature: 0, web_search_options: {} }],
])('may be given again: %s for %j', (may, request) => {
  expect(isDeterministic(request)).toBe(may);
});
