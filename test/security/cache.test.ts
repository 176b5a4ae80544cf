/** Two tenants and one verdict cache: a header that could be a credential, or change the answer, is part of an answer's identity. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { firstPlaceLover, pairwise, RIGHT, replyBody, WRONG, whole } from '../proxy/judges.ts';
import { exchange, type Reply, startProxy, startUpstream, until } from '../proxy/servers.ts';

const BODY = pairwise(WRONG, RIGHT, { temperature: 0 });

async function cached(reply: Reply = whole(firstPlaceLover), settings: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const upstream = await startUpstream(reply);
  const proxy = await startProxy({
    JUDGE_BASE_URL: upstream.url,
    REMAND_BIASES: 'position',
    REMAND_CACHE_S: '3600',
    REMAND_STATE: join(folder, 'state.sqlite'),
    ...settings,
  });
  const ask = (headers: Record<string, string> = {}) =>
    exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', headers, body: BODY });
  const kept = (headers: Record<string, string>) =>
    until(async () => (await ask(headers)).headers['x-remand-cache'] === 'hit', 'the answer is kept');
  return { upstream, ask, kept };
}

/** Credentials, names that no one has heard of, and what a judge or a gateway before it may go by. */
const COUNTED = [
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'x-foo-api-key',
  'x-unheard-of',
  'cookie',
  'openai-organization',
  'openai-project',
  'anthropic-version',
  'anthropic-beta',
  'x-goog-user-project',
  'helicone-auth',
  'cf-access-client-secret',
  'cf-access-jwt-assertion',
  'cf-access-token',
  'cf-aig-authorization',
  'sec-api-key',
  'sec-websocket-protocol',
  'x-forwarded-access-token',
  'x-forwarded-user',
  'x-forwarded-email',
  'x-forwarded-host',
  'x-stainless-api-key',
  'x-amz-security-token',
  'x-ms-client-principal',
  'forwarded',
  'origin',
  'referer',
  'accept',
  'accept-language',
  'content-type',
  'baggage',
];

/** What differs between equal requests of one tenant. */
const LEFT_OUT = [
  'user-agent',
  'accept-encoding',
  'cache-control',
  'date',
  'idempotency-key',
  'x-request-id',
  'x-client-request-id',
  'traceparent',
  'tracestate',
  'via',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-proto',
  'cf-ray',
  'cf-connecting-ip',
  'sec-fetch-mode',
  'x-stainless-retry-count',
  'x-stainless-runtime-version',
  'x-stainless-timeout',
];

test('another value of any header is another answer, unless the header is known to change nothing', async () => {
  // Origins, so that `origin` can have these values, too.
  const [one, two] = ['http://one.example', 'http://two.example'];
  // Headers of a reverse proxy name other machines.
  const settings = { REMAND_ACCESS: 'open', REMAND_CORS_ORIGINS: `${one},${two}` };
  const { ask, kept } = await cached(whole(firstPlaceLover), settings);
  const all = [...COUNTED, ...LEFT_OUT];
  const base = Object.fromEntries(all.map((name) => [name, one]));
  await kept(base);
  const hits: string[] = [];
  for (const name of all) {
    // Without the header first: an answer of a client that sends none is not that of one who does.
    const without = Object.fromEntries(Object.entries(base).filter(([other]) => other !== name));
    const answers = [await ask(without), await ask({ ...base, [name]: two })];
    const found = answers.filter(({ headers }) => headers['x-remand-cache'] === 'hit').length;
    if (found > 0) hits.push(name);
    if (found === 1) hits.push(`${name}: one of two`);
  }
  expect(hits).toEqual(LEFT_OUT);
});

test('a hostile tenant who knows every byte of another’s request but the secret gets no answer of theirs', async () => {
  const secrets = ['x-foo-api-key', 'cf-access-client-secret'];
  const reply: Reply = ({ headers }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(replyBody('Output (a)').replace('chatcmpl-1', secrets.map((name) => headers[name]).join()));
  };
  const { ask, kept } = await cached(reply, {
    REMAND_ROUNDS: '0',
    JUDGE_API_KEY: 'sk-of-operator',
  });
  const victim = { 'x-foo-api-key': 'secret', 'cf-access-client-secret': 'other secret' };
  await kept(victim);
  const guesses = [
    {},
    { 'x-foo-api-key': '' },
    { 'x-foo-api-key': 'secret' },
    { 'cf-access-client-secret': 'other secret' },
    { 'x-foo-api-key': 'other secret', 'cf-access-client-secret': 'secret' },
    { 'x-foo-api-key': 'secret,other secret' },
    // Named in `connection`, a header goes no further than us.
    ...secrets.map((connection) => ({ ...victim, connection })),
  ];
  for (const headers of guesses) {
    const answer = await ask(headers);
    expect(JSON.parse(answer.body.toString()).id).not.toBe('secret,other secret');
  }
});
