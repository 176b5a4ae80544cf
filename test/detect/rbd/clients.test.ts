/** The clients against a real server that answers as vLLM, DeepSeek and Hugging Face do. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { DetectorModel } from '../../../src/detect/rbd/detector-model.ts';
import {
  createHuggingFaceDetectorModel,
  createOpenAiDetectorModel,
} from '../../../src/detect/rbd/detector-model.ts';
import { readRbdAnalysis } from '../../../src/detect/rbd/read-analysis.ts';
import { InputError } from '../../../src/errors.ts';
import { JudgeError, UnreadableAnalysisError } from '../../../src/http/send.ts';
import type { Fetch } from '../../../src/ports.ts';

interface Seen {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

const fetch: Fetch = (url, init) => globalThis.fetch(url, init as RequestInit);
const never = new AbortController().signal;
const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** A server that gives the answers in turn, the last one again and again. */
async function serving(...answers: ((response: ServerResponse) => void)[]) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      seen.push({ url: request.url ?? '', headers: request.headers, body: JSON.parse(text || '{}') });
      answers[Math.min(seen.length, answers.length) - 1]?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  return (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
};

/** As vLLM 0.11 writes it. */
const completion = (message: Record<string, unknown>, finish = 'stop') =>
  json(200, {
    id: 'chatcmpl-6b6f',
    object: 'chat.completion',
    created: 1763683200,
    model: 'rbd-8b',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', refusal: null, annotations: null, tool_calls: [], ...message },
        logprobs: null,
        finish_reason: finish,
        stop_reason: null,
        token_ids: null,
      },
    ],
    service_tier: null,
    usage: { prompt_tokens: 812, total_tokens: 1112, completion_tokens: 300, prompt_tokens_details: null },
    prompt_logprobs: null,
  });

const inline = completion({ content: '<think>\n9 is right.\n</think>\n\nYes' });
const overloaded = json(500, {
  error: { message: 'EngineCore died', type: 'InternalServerError', code: 500 },
});

const clients: [name: string, make: (url: string, retries?: number) => DetectorModel][] = [
  [
    'openai',
    (url, retries = 2) =>
      createOpenAiDetectorModel({
        baseURL: url,
        model: 'rbd-8b',
        apiKey: 'k-1',
        fetch,
        retries,
        maxWaitMs: 20,
      }),
  ],
  [
    'huggingface',
    (url, retries = 2) =>
      createHuggingFaceDetectorModel({
        endpointUrl: `${url}/v1`,
        model: 'owner/rbd-8b',
        token: 'hf_k1',
        fetch,
        retries,
        maxWaitMs: 20,
      }),
  ],
];

describe.each(clients)('%s', (_, make) => {
  test('sends one user message and reads reasoning inline', async () => {
    const { url, seen } = await serving(inline);
    const reply = await make(url).complete('the prompt', never);
    expect(reply).toEqual({
      reasoning: null,
      content: '<think>\n9 is right.\n</think>\n\nYes',
      finish: 'stop',
      tokens: { input: 812, output: 300 },
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.url).toBe('/v1/chat/completions');
    expect(seen[0]?.body.messages).toEqual([{ role: 'user', content: 'the prompt' }]);
    expect(seen[0]?.body.temperature).toBe(0);
    expect(seen[0]?.headers.authorization).toMatch(/^Bearer (k-1|hf_k1)$/);
  });

  test.each(['reasoning_content', 'reasoning'])('reads reasoning from %s', async (field) => {
    const { url } = await serving(completion({ content: '\n\nNo', [field]: '9 is right, and chosen.' }));
    const read = readRbdAnalysis(await make(url).complete('p', never));
    expect(read).toMatchObject({ biased: false, reasoning: '9 is right, and chosen.' });
  });

  test('an answer cut off at the limit is unreadable', async () => {
    const { url } = await serving(completion({ content: null, reasoning_content: 'Now if' }, 'length'));
    const reply = await make(url).complete('p', never);
    expect(() => readRbdAnalysis(reply)).toThrow(UnreadableAnalysisError);
  });

  test('tries again after a 500, once', async () => {
    const { url, seen } = await serving(overloaded, inline);
    expect((await make(url).complete('p', never)).content).toContain('Yes');
    expect(seen).toHaveLength(2);
  });

  test.each([0, 2])('gives up after %i retries, and nobody else retries', async (retries) => {
    const { url, seen } = await serving(json(503, { error: 'loading' }));
    const failed = make(url, retries).complete('p', never);
    await expect(failed).rejects.toMatchObject({ name: 'JudgeError', status: 503, retryable: true });
    expect(seen).toHaveLength(retries + 1);
  });

  test('does not repeat a request that is wrong, and says where it failed without the key', async () => {
    const { url, seen } = await serving(json(404, { error: { message: 'no such model', code: 404 } }));
    const error = await make(url)
      .complete('p', never)
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(JudgeError);
    expect(String(error)).toContain('/v1/chat/completions answered 404');
    expect(JSON.stringify(error) + String(error)).not.toMatch(/k-1|hf_k1/);
    expect(seen).toHaveLength(1);
  });

  test('does not wait for longer than it may, even where the endpoint asks to', async () => {
    const { url, seen } = await serving(json(429, { error: 'slow down' }, { 'retry-after': '30' }));
    await expect(make(url).complete('p', never)).rejects.toMatchObject({ status: 429 });
    expect(seen).toHaveLength(1);
  });

  test('a reply that is no completion is an error, not an empty answer', async () => {
    const { url } = await serving(json(200, { object: 'error', message: 'maximum context length exceeded' }));
    await expect(make(url).complete('p', never)).rejects.toBeInstanceOf(JudgeError);
  });

  test('an endpoint that hangs is left when the signal says so, and the connection is closed', async () => {
    const closed = Promise.withResolvers<void>();
    const { url, seen } = await serving((response) => response.on('close', () => closed.resolve()));
    const stop = new AbortController();
    const waiting = make(url).complete('p', stop.signal);
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const reason = new DOMException('too late', 'TimeoutError');
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await closed.promise;
    expect(seen).toHaveLength(1);
  });
});

test.each([
  ['', 'must be an http(s) URL without query or fragment'],
  [undefined, 'is missing'],
  ['localhost:1', 'must be an http(s) URL without query or fragment'],
  [
    'http://localhost:1/v1/chat/completions',
    'is the address of a request; give its base, http://localhost:1/v1',
  ],
])('a base that is none is refused before anything is asked: %j', (baseURL, message) => {
  const options = { baseURL: baseURL as string, model: 'm', apiKey: null, fetch };
  expect(() => createOpenAiDetectorModel(options)).toThrow(new InputError('baseURL', message));
});

test('without a key, none is sent; a base with a path of its own is kept', async () => {
  const { url, seen } = await serving(inline);
  const at = (baseURL: string) =>
    createOpenAiDetectorModel({ baseURL, model: 'm', apiKey: null, fetch, parameters: { max_tokens: 9 } });
  await at(`${url}/`).complete('p', never);
  await at(`${url}/v1/`).complete('p', never);
  await at(`${url}/openai`).complete('p', never);
  expect(seen.map((request) => request.url)).toEqual([
    '/v1/chat/completions',
    '/v1/chat/completions',
    '/openai/chat/completions',
  ]);
  expect(seen[0]?.headers.authorization).toBeUndefined();
  expect(seen[0]?.body).toMatchObject({ model: 'm', max_tokens: 9 });
  expect(seen[0]?.body).not.toHaveProperty('temperature');
});
