/** Hugging Face's own client behind the proxy, before judges that answer as TGI does on a real socket. */
import { InferenceClient, InferenceClientProviderApiError } from '@huggingface/inference';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/ports.ts';
import { scriptedClock } from '../scripted-clock.ts';
import { fair, type Prompt, RIGHT, replyBody, streamChunks, stubborn, WRONG } from './judges.ts';
import { follower, question, STATEMENT, spoken } from './protocol-judges.ts';
import { afterHeartbeat, exchange, type Received, type Reply, startProxy, startUpstream } from './servers.ts';

const TOKEN = 'hf_notARealTokenAtAll0123456789';
const POSITION = { 'x-remand-biases': 'position' };
const QUIETLY = { retry_on_error: false };

const token = (text: string, id: number) =>
  `{"id":${id},"text":${JSON.stringify(text)},"logprob":-0.25,"special":false}`;
const pieces = (text: string) => text.split(/(?<= )/);
const details = (text: string) =>
  `{"finish_reason":"eos_token","generated_tokens":${pieces(text).length},"seed":null,"prefill":[],"tokens":[${pieces(text).map(token).join(',')}]}`;
const generation = (text: string, full: string, detailed: boolean) =>
  `{"generated_text":${JSON.stringify(full)}${detailed ? `,"details":${details(text)}` : ''}}`;
const events = (text: string, full = text) =>
  pieces(text).map((piece, i, all) => {
    const last = i === all.length - 1;
    const end = last
      ? `${JSON.stringify(full)},"details":{"finish_reason":"eos_token","generated_tokens":${all.length},"seed":null,"input_length":90}`
      : 'null,"details":null';
    return `data:{"index":${i + 1},"token":${token(piece, i)},"generated_text":${end}}\n\n`;
  });

interface Body {
  readonly inputs?: string;
  readonly prompt?: string;
  readonly messages?: { content: string }[];
  readonly stream?: boolean;
  readonly parameters?: { details?: boolean; return_full_text?: boolean };
}

/** A judge that answers in the form it is asked for; at its root it repeats the prompt unless told not to. */
function judge(say: (prompt: Prompt) => string): Reply {
  return (received, response) => {
    const body: Body = JSON.parse(received.body.toString());
    const asked = body.inputs ?? body.prompt ?? body.messages?.at(-1)?.content ?? '';
    const [system = '', ...rest] = asked.split('\n\n');
    const text = spoken(received, [system, rest.join('\n\n')], say);
    const root = received.url === '/';
    const stream = body.stream || received.url === '/generate_stream';
    response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json');
    if (received.url.includes('/chat/'))
      return void response.end(stream ? streamChunks(text).join('') : replyBody(text));
    if (received.url.includes('/completions'))
      return void response.end(stream ? completionEvents(text).join('') : completion(text, USAGE));
    const full = root && body.parameters?.return_full_text !== false ? `${asked}\n${text}` : text;
    if (stream) return void response.end(events(text, full).join(''));
    const one = generation(text, full, body.parameters?.details ?? false);
    response.end(root ? `[${one}]` : one);
  };
}

const USAGE = '{"prompt_tokens":90,"completion_tokens":3,"total_tokens":93}';

const completion = (text: string, usage: string, finish = '"stop"') =>
  `{"object":"text_completion","id":"","created":1,"model":"m","system_fingerprint":"3.0.0-native","choices":[{"index":0,"text":${JSON.stringify(text)},"logprobs":null,"finish_reason":${finish}}],"usage":${usage}}`;

const completionEvents = (text: string) =>
  [
    ...pieces(text).map((piece, i, all) =>
      i === all.length - 1 ? completion(piece, USAGE) : completion(piece, 'null', '""'),
    ),
  ]
    .map((chunk) => `data: ${chunk}\n\n`)
    .concat('data: [DONE]\n\n');

async function behind(reply: Reply, settings: Record<string, string> = {}, clock?: Clock) {
  const upstream = await startUpstream(reply);
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, ...settings }, clock);
  const client = new InferenceClient(TOKEN);
  const post = (target: string, body: unknown, headers: Record<string, string> = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const sent = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
    return exchange(proxy.url + target, { method: 'POST', headers: { ...sent, ...headers }, body: text });
  };
  return { upstream, proxy, client, post };
}

const inputs = (first: string, second: string, statement = '') =>
  `<s>[INST] ${question(first, second, statement)} [/INST]`;

describe('an unbiased verdict comes through to the byte', () => {
  const asked = inputs(RIGHT, WRONG);
  test.each([
    [
      '/generate',
      { inputs: asked, parameters: { details: true } },
      generation('Output (a)', 'Output (a)', true),
    ],
    ['/generate_stream', { inputs: asked }, events('Output (a)').join('')],
    ['/', { inputs: asked }, `[${generation('Output (a)', `${asked}\nOutput (a)`, false)}]`],
    ['/', { inputs: asked, stream: true }, events('Output (a)', `${asked}\nOutput (a)`).join('')],
    ['/models/org/judge', { inputs: asked }, generation('Output (a)', 'Output (a)', false)],
    ['/hf-inference/models/org/judge', { inputs: asked }, generation('Output (a)', 'Output (a)', false)],
  ])('%s', async (path, body, expected) => {
    const { post, upstream } = await behind(judge(fair));
    const answer = await post(path, body, POSITION);
    expect(answer.headers['x-remand-status']).toBe('unchanged');
    expect(answer.body.toString()).toBe(expected);
    expect(upstream.received.map(({ url }) => url)).toEqual([path, path]);
  });
});

describe('a verdict that rests on what the majority thinks is sent back and revised', () => {
  const asked = inputs(RIGHT, WRONG, STATEMENT);

  test.each(['/generate', '/models/org/judge'])('%s', async (path) => {
    const { client, proxy, upstream } = await behind(judge(follower));
    const args = { endpointUrl: proxy.url + path, inputs: asked, parameters: { details: true } };
    const reply = await client.request<{ generated_text: string }>(args, QUIETLY);
    expect(reply.generated_text).toBe('Output (a)');
    const all = upstream.received.map(({ body }) => JSON.parse(body.toString()).inputs as string);
    expect(all.every((text) => text.startsWith('<s>[INST] ') && text.endsWith(' [/INST]'))).toBe(true);
    expect(new Set(upstream.received.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Bearer ${TOKEN}`]),
    );
  });

  test('as a stream', async () => {
    const { client, proxy } = await behind(judge(follower), { REMAND_HEARTBEAT_MS: '20' });
    const args = { endpointUrl: `${proxy.url}/generate_stream`, inputs: asked };
    const said: { token: { text: string }; generated_text: string | null }[] = [];
    for await (const event of client.streamingRequest<(typeof said)[number]>(args, QUIETLY)) said.push(event);
    expect(said.map((event) => event.token.text).join('')).toBe('Output (a)');
    expect(said.at(-1)?.generated_text).toBe('Output (a)');
  });

  test('where the reply repeats the prompt, it repeats the client’s own', async () => {
    const { post } = await behind(judge(follower));
    const answer = await post('/', { inputs: asked });
    expect(answer.headers['x-remand-status']).toBe('revised');
    expect(JSON.parse(answer.body.toString())).toEqual([{ generated_text: `${asked}\nOutput (a)` }]);
  });
});

describe('the client’s own ways to ask', () => {
  const text = question(RIGHT, WRONG, STATEMENT);
  const messages = [{ role: 'user', content: text }];

  test('chatCompletion', async () => {
    const { client, proxy } = await behind(judge(follower));
    const reply = await client.chatCompletion({ endpointUrl: proxy.url, model: 'm', messages }, QUIETLY);
    expect(reply.choices[0]?.message.content).toBe('Output (a)');
    expect(reply.usage.prompt_tokens).toBeGreaterThan(100);
  });

  test('chatCompletionStream', async () => {
    const { client, proxy } = await behind(judge(follower));
    const endpointUrl = `${proxy.url}/v1`;
    const said: string[] = [];
    for await (const { choices } of client.chatCompletionStream(
      { endpointUrl, model: 'm', messages },
      QUIETLY,
    ))
      said.push(choices[0]?.delta.content ?? '');
    expect(said.join('')).toBe('Output (a)');
  });

  test('textGeneration', async () => {
    const { client, proxy, upstream } = await behind(judge(follower));
    const args = { endpointUrl: proxy.url, model: 'm', inputs: inputs(RIGHT, WRONG, STATEMENT) };
    const reply = await client.textGeneration({ ...args, parameters: { max_new_tokens: 5 } }, QUIETLY);
    expect(reply.generated_text).toBe('Output (a)');
    expect(new Set(upstream.received.map(({ url }) => url))).toEqual(new Set(['/v1/completions']));
  });

  test('textGenerationStream, which hands on what comes', async () => {
    const { client, proxy } = await behind(judge(follower));
    const args = { endpointUrl: proxy.url, model: 'm', inputs: inputs(RIGHT, WRONG, STATEMENT) };
    const all: unknown[] = [];
    for await (const chunk of client.textGenerationStream(args, QUIETLY)) all.push(chunk);
    expect(all).toMatchObject([{ choices: [{ text: 'Output ' }] }, { choices: [{ text: '(a)' }] }]);
  });
});

test('a judge that cannot be moved into its form keeps its first verdict', async () => {
  const babbling = (prompt: Prompt) => (prompt.sentBack ? 'I would rather not say.' : follower(prompt));
  const { post } = await behind(judge(babbling));
  const answer = await post('/generate', { inputs: inputs(RIGHT, WRONG, STATEMENT) });
  expect(answer.headers['x-remand-status']).toBe('failed-open');
  expect(JSON.parse(answer.body.toString())).toEqual({ generated_text: 'Output (b)' });
});

test('a judge that is out of order for the re-judgment leaves the first verdict standing', async () => {
  const { post } = await behind((received, response) => {
    if (!received.body.toString().includes('earlier')) return judge(follower)(received, response);
    response.writeHead(424, { 'content-type': 'application/json' });
    return void response.end('{"error":"Request failed during generation","error_type":"generation"}');
  });
  const answer = await post('/generate', { inputs: inputs(RIGHT, WRONG, STATEMENT) });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body.toString())).toEqual({ generated_text: 'Output (b)' });
  expect(answer.headers['x-remand-status']).toBe('failed-open');
});

test('a base URL that ends in /v1 reaches the routes beside it', async () => {
  const upstream = await startUpstream(judge(fair));
  const proxy = await startProxy({ JUDGE_BASE_URL: `${upstream.url}/v1/` });
  const body = JSON.stringify({ inputs: inputs(RIGHT, WRONG) });
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  const answer = await exchange(`${proxy.url}/generate`, { method: 'POST', headers, body });
  expect(JSON.parse(answer.body.toString())).toEqual({ generated_text: 'Output (a)' });
  expect(new Set(upstream.received.map(({ url }) => url))).toEqual(new Set(['/generate']));
});

test('a classifier that is shown a comparison answers as it would have: its reply holds no verdict', async () => {
  const scores = '[[{"label": "LABEL_0", "score": 0.9e0}]]';
  const { post } = await behind((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(scores);
  });
  const answer = await post('/', { inputs: inputs(RIGHT, WRONG) });
  expect([answer.headers['x-remand-status'], answer.body.toString()]).toEqual(['no-verdict', scores]);
});

describe('what is no judgment passes through as it came', () => {
  const echo: Reply = ({ body }, response) => void response.end(body);
  test.each([
    ['another task', '/', '{"inputs": {"question": "q", "context": "c"}}', 'application/json'],
    ['no JSON', '/', '{"inputs": ', 'application/json'],
    ['an image', '/models/org/vit', '\u0001\u0002{"inputs":"x"}', 'image/png'],
    ["another server's request", '/generate', '{"prompt": "x"}', 'application/json'],
    ['a text that is no judgment', '/generate', '{"inputs":  "Hello", "parameters": {}}', 'application/json'],
  ])('%s', async (_, path, body, type) => {
    const { post, upstream } = await behind(echo);
    const answer = await post(path, body, { 'content-type': type });
    expect([answer.status, answer.body.toString()]).toEqual([200, body]);
    expect(upstream.received.map((one) => [one.url, one.body.toString()])).toEqual([[path, body]]);
  });

  test('of a length that nobody knows', async () => {
    const { proxy, upstream } = await behind(echo);
    const body = JSON.stringify({ inputs: inputs(RIGHT, WRONG, STATEMENT) });
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const answer = await exchange(`${proxy.url}/`, { method: 'POST', headers, body });
    expect(answer.body.toString()).toBe(body);
    expect(upstream.received).toHaveLength(1);
  });
});

test('the operator’s key is sent as the protocol’s clients send one', async () => {
  const { post, upstream } = await behind(judge(stubborn), { JUDGE_API_KEY: 'hf_operators' });
  await post('/generate', { inputs: inputs(RIGHT, WRONG) }, POSITION);
  expect(new Set(upstream.received.map(({ headers }) => headers.authorization))).toEqual(
    new Set(['Bearer hf_operators']),
  );
});

describe('errors are told as the client knows them', () => {
  const failure = (asking: Promise<unknown>) =>
    asking.then(
      () => null,
      (reason: unknown) => reason,
    );

  test('of the judge: its own', async () => {
    const body = '{"error":"Model is overloaded","error_type":"overloaded"}';
    const { client, proxy } = await behind((_: Received, response) => {
      response.writeHead(429, { 'content-type': 'application/json' });
      response.end(body);
    });
    const args = { endpointUrl: `${proxy.url}/generate`, inputs: inputs(RIGHT, WRONG) };
    const error = await failure(client.request(args, QUIETLY));
    expect(error).toBeInstanceOf(InferenceClientProviderApiError);
    expect(error).toMatchObject({ httpResponse: { status: 429, body: JSON.parse(body) } });
    expect(String(error)).toContain('Model is overloaded');
  });

  test('of ours, naming the field', async () => {
    const { client, proxy, upstream } = await behind(judge(fair));
    const args = { endpointUrl: `${proxy.url}/generate`, inputs: inputs(RIGHT, WRONG), remand: 5 };
    const error = await failure(client.request(args, QUIETLY));
    expect(error).toMatchObject({ httpResponse: { status: 400, body: { error_type: 'validation' } } });
    expect(String(error)).toContain('remand');
    expect(upstream.received).toEqual([]);
  });

  test('of a stream that was cut off, after the first heartbeat: an event', async () => {
    const clock = scriptedClock(0);
    const cut = afterHeartbeat(clock, 20, (_, response) => {
      response.setHeader('content-type', 'text/event-stream');
      response.end(events('Output (a)').slice(0, 1).join(''));
    });
    const { client, proxy } = await behind(cut, { REMAND_HEARTBEAT_MS: '20' }, clock);
    const args = { endpointUrl: `${proxy.url}/generate_stream`, inputs: inputs(RIGHT, WRONG) };
    const reading = async () => {
      for await (const event of client.streamingRequest(args, QUIETLY)) expect(event).toBeNull();
    };
    expect(String(await failure(reading()))).toContain('generated_text');
  });
});

describe('paths that name the judge', () => {
  const body = JSON.parse(
    `{"messages":[{"role":"user","content":${JSON.stringify(question(RIGHT, WRONG))}}]}`,
  );
  test.each([
    ['/openai/deployments/judge-4/chat/completions?api-version=2024-10-21', 'judge-4', 'api-key'],
    ['/v1/engines/judge-3/chat/completions', 'judge-3', 'authorization'],
    ['/hf-inference/models/org/judge/v1/chat/completions', 'org/judge', 'authorization'],
    ['/openai/v1/chat/completions', '', 'authorization'],
    ['/together/v1/chat/completions', '', 'authorization'],
  ])('%s', async (path, model, header) => {
    const { post, proxy, upstream } = await behind(judge(fair), { JUDGE_API_KEY: 'the-operators' });
    const answer = await post(path, body, POSITION);
    expect(answer.headers['x-remand-status']).toBe('unchanged');
    expect(upstream.received.map(({ headers }) => headers[header])).toEqual(
      upstream.received.map(() => (header === 'api-key' ? 'the-operators' : 'Bearer the-operators')),
    );
    const trace = await exchange(`${proxy.url}/remand/traces/${answer.headers['x-remand-trace']}`);
    expect(JSON.parse(trace.body.toString()).judge).toBe(model);
  });
});
