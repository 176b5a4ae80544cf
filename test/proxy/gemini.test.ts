/** Google's own client behind the proxy, before a judge that speaks its protocol on a real socket. */
import { ApiError, FunctionCallingConfigMode, GoogleGenAI, Type } from '@google/genai';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/ports.ts';
import { scriptedClock } from '../scripted-clock.ts';
import { fair, type Prompt, RIGHT, WRONG } from './judges.ts';
import { follower, question, STATEMENT, spoken } from './protocol-judges.ts';
import {
  afterHeartbeat,
  exchange,
  type Received,
  type Reply,
  startProxy,
  startUpstream,
  until,
} from './servers.ts';

const KEY = 'AIzaSyNotARealKeyAtAll0123456789';
const MODEL = 'gemini-test-1';
const POSITION = { 'x-remand-biases': 'position' };

const USAGE =
  '{"promptTokenCount": 100,"candidatesTokenCount": 4,"totalTokenCount": 124,"cachedContentTokenCount": 40,"promptTokensDetails": [{"modality": "TEXT","tokenCount": 100}],"thoughtsTokenCount": 20}';

const content = (parts: string, finish = ',"finishReason": "STOP"') =>
  `{"candidates": [{"content": {"parts": [${parts}],"role": "model"}${finish},"index": 0}],"usageMetadata": ${USAGE},"modelVersion": "${MODEL}"}`;
const whole = (text: string) =>
  content(`{"text": "Output (a)?","thought": true},  {"text": ${JSON.stringify(text)}}`);
const chunks = (text: string) => [
  ...text.split(/(?<= )/).map((piece) => content(`{"text": ${JSON.stringify(piece)}}`, '')),
  content('{"text": ""}'),
];
const events = (text: string) => chunks(text).map((chunk) => `data: ${chunk}\r\n\r\n`);
const array = (text: string) => `[${chunks(text).join('\n,\r\n')}\n]`;

/** A judge that answers in the form it is asked for. */
function judge(say: (prompt: Prompt) => string): Reply {
  return (received, response) => {
    const body = JSON.parse(received.body.toString());
    const system: string = body.systemInstruction?.parts[0].text ?? '';
    const text = spoken(received, [system, body.contents[0].parts[0].text], say);
    const { pathname, searchParams } = new URL(received.url, 'http://judge');
    if (searchParams.get('alt') === 'sse') {
      response.setHeader('content-type', 'text/event-stream');
      for (const piece of events(text)) response.write(piece);
      return void response.end();
    }
    response.setHeader('content-type', 'application/json; charset=UTF-8');
    if (pathname.endsWith(':streamGenerateContent')) return void response.end(array(text));
    const call = `{"functionCall": {"name": "choose","args": {"winner":  ${JSON.stringify(text)}}}}`;
    response.end(body.tools ? content(call) : whole(text));
  };
}

async function behind(reply: Reply, settings: Record<string, string> = {}, clock?: Clock) {
  const upstream = await startUpstream(reply);
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, ...settings }, clock);
  const client = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: proxy.url } });
  const post = (target: string, body: unknown, headers: Record<string, string> = {}) =>
    exchange(proxy.url + target, { method: 'POST', headers, body: JSON.stringify(body) });
  return { upstream, proxy, client, post };
}

const raw = (first: string, second: string, statement = '') => ({
  systemInstruction: { parts: [{ text: 'You are a fair judge.' }] },
  contents: [{ role: 'user', parts: [{ text: question(first, second, statement) }] }],
});
const asked = (first: string, second: string, statement = '') => ({
  model: MODEL,
  contents: question(first, second, statement),
  config: { systemInstruction: 'You are a fair judge.', temperature: 1 },
});

const doubled = (body: string) =>
  body
    .replace('"promptTokenCount": 100', '"promptTokenCount": 200')
    .replace('"candidatesTokenCount": 4', '"candidatesTokenCount": 8')
    .replace('"totalTokenCount": 124', '"totalTokenCount": 248')
    .replace('"cachedContentTokenCount": 40', '"cachedContentTokenCount": 80')
    .replace('"tokenCount": 100', '"tokenCount": 200')
    .replace('"thoughtsTokenCount": 20', '"thoughtsTokenCount": 40');

describe('an unbiased verdict comes through to the byte, but for the usage', () => {
  const target = `/v1beta/models/${MODEL}`;
  test.each([
    ['whole', `${target}:generateContent`, doubled(whole('Output (a)'))],
    [
      'as events',
      `${target}:streamGenerateContent?alt=sse`,
      [...events('Output (a)').slice(0, -1), doubled(events('Output (a)').at(-1) ?? '')].join(''),
    ],
    [
      'as an array',
      `${target}:streamGenerateContent`,
      `[${[...chunks('Output (a)').slice(0, -1), doubled(chunks('Output (a)').at(-1) ?? '')].join('\n,\r\n')}\n]`,
    ],
  ])('%s', async (_, path, expected) => {
    const { post, upstream } = await behind(judge(fair));
    const answer = await post(path, raw(RIGHT, WRONG), POSITION);
    expect(answer.headers['x-remand-status']).toBe('unchanged');
    expect(answer.body.toString()).toBe(expected);
    expect(upstream.received.map(({ url }) => url)).toEqual([path, path]);
  });
});

describe('a verdict that rests on what the majority thinks is sent back and revised', () => {
  test('whole', async () => {
    const { client, upstream } = await behind(judge(follower));
    const reply = await client.models.generateContent(asked(RIGHT, WRONG, STATEMENT));
    expect(reply.text).toBe('Output (a)');
    expect(reply.sdkHttpResponse?.headers).toMatchObject({
      'x-remand-status': 'revised',
      'x-remand-biases': 'bandwagon',
    });
    expect(new Set(upstream.received.map(({ headers }) => headers['x-goog-api-key']))).toEqual(
      new Set([KEY]),
    );
  });

  test('as a stream that the judge takes its time for', async () => {
    const clock = scriptedClock(0);
    const slow = afterHeartbeat(clock, 20, judge(follower));
    const { client } = await behind(slow, { REMAND_HEARTBEAT_MS: '20' }, clock);
    const pieces: string[] = [];
    for await (const chunk of await client.models.generateContentStream(asked(RIGHT, WRONG, STATEMENT)))
      pieces.push(chunk.text ?? '');
    expect(pieces).toEqual(['Output ', '(a)', '']);
  });

  // Google's clients for Python and Go take any other line for a chunk, and fail (google-genai 3.6.1, `_iter_response_stream`).
  test.each([
    ['an answer', judge(follower), /"text": "Output "/],
    ['an error', ((_, response) => void response.writeHead(429).end('{}')) satisfies Reply, /"code":429/],
  ])('a stream that the judge takes its time for has no line but data: %s', async (_, reply, expected) => {
    const clock = scriptedClock(0);
    const slow = afterHeartbeat(clock, 20, reply);
    const { post } = await behind(slow, { REMAND_HEARTBEAT_MS: '20' }, clock);
    const path = `/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`;
    const answer = await post(path, raw(RIGHT, WRONG, STATEMENT));
    const lines = answer.body.toString().split(/\r?\n/);
    expect(lines[0]).toBe('');
    expect(lines.filter((line) => line !== '' && !line.startsWith('data: {'))).toEqual([]);
    expect(answer.body.toString()).toMatch(expected);
  });

  test('as an array', async () => {
    const { post } = await behind(judge(follower));
    const answer = await post(`/v1beta/models/${MODEL}:streamGenerateContent`, raw(RIGHT, WRONG, STATEMENT));
    expect(answer.headers['x-remand-status']).toBe('revised');
    const texts = JSON.parse(answer.body.toString()).map(
      (chunk: { candidates: { content: { parts: { text: string }[] } }[] }) =>
        chunk.candidates[0]?.content.parts[0]?.text,
    );
    expect(texts.join('')).toBe('Output (a)');
  });

  test('in the arguments of a forced function', async () => {
    const { client } = await behind(judge(follower));
    const parameters = {
      type: Type.OBJECT,
      properties: { winner: { type: Type.STRING, enum: ['Output (a)', 'Output (b)'] } },
    };
    const { config, ...rest } = asked(RIGHT, WRONG, STATEMENT);
    const reply = await client.models.generateContent({
      ...rest,
      config: {
        ...config,
        tools: [{ functionDeclarations: [{ name: 'choose', parameters }] }],
        toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } },
      },
    });
    expect(reply.sdkHttpResponse?.headers).toMatchObject({ 'x-remand-status': 'revised' });
    expect(reply.functionCalls).toEqual([{ name: 'choose', args: { winner: 'Output (a)' } }]);
  });
});

describe('the key', () => {
  const target = `/v1beta/models/${MODEL}:generateContent?key=${KEY}`;

  test('in the query reaches the judge, and no log, trace or error', async () => {
    const { post, proxy, upstream } = await behind(judge(follower), { JUDGE_API_KEY: 'operators-own-key' });
    const answer = await post(target, raw(RIGHT, WRONG, STATEMENT));
    expect(new Set(upstream.received.map(({ url }) => url))).toEqual(new Set([target]));
    expect(upstream.received.map(({ headers }) => headers['x-goog-api-key'])).not.toContain(
      'operators-own-key',
    );
    const id = answer.headers['x-remand-trace'];
    const trace = await until(async () => {
      const found = await exchange(`${proxy.url}/remand/traces/${id}`);
      return found.status === 200 && found.body.toString();
    }, 'the trace');
    const wrong = await post(target, { contents: 'x' });
    expect(wrong.status).toBe(400);
    const gone = await startProxy({ JUDGE_BASE_URL: 'http://127.0.0.1:9' });
    const body = JSON.stringify(raw(RIGHT, WRONG));
    const unreached = await exchange(gone.url + target, { method: 'POST', body });
    expect(unreached.status).toBe(502);
    const pages = await exchange(`${proxy.url}/remand/traces`);
    const written = [trace, JSON.stringify([proxy.log, gone.log]), pages.body.toString()];
    for (const text of [...written, wrong.body.toString(), unreached.body.toString()])
      expect(text).not.toContain(KEY);
    expect(proxy.log.length).toBeGreaterThan(1);
  });

  test("of the operator is sent the way the protocol sends keys, to clients' requests without one", async () => {
    const { post, upstream } = await behind(judge(fair), { JUDGE_API_KEY: 'operators-own-key' });
    await post(target.split('?')[0] ?? '', raw(RIGHT, WRONG), POSITION);
    expect(upstream.received.map(({ headers }) => headers['x-goog-api-key'])).toEqual([
      'operators-own-key',
      'operators-own-key',
    ]);
  });
});

test('counting tokens passes through', async () => {
  const { client, upstream } = await behind((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"totalTokens": 7}');
  });
  expect(await client.models.countTokens({ model: MODEL, contents: 'x' })).toMatchObject({ totalTokens: 7 });
  expect(upstream.received.map(({ url }) => url)).toEqual([expect.stringMatching(/:countTokens$/)]);
});

describe('errors are told as the client knows them', () => {
  const failure = async (asking: Promise<unknown>) =>
    asking.then(
      () => null,
      (reason: unknown) => reason,
    );
  const failing = (status: number, body: string): Reply => {
    return (_: Received, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body);
    };
  };

  test('of ours, naming the field', async () => {
    const { client, upstream } = await behind(judge(fair));
    const contents = [{ role: 'user', parts: [{ text: 5 as unknown as string }] }];
    const error = await failure(client.models.generateContent({ model: MODEL, contents }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400 });
    expect(String(error)).toContain('contents[0].parts[0].text');
    expect(upstream.received).toEqual([]);
  });

  test('of the judge: its own', async () => {
    const body = '{"error": {"code": 429,"message": "Quota exceeded","status": "RESOURCE_EXHAUSTED"}}';
    const { client } = await behind(failing(429, body));
    const error = await failure(client.models.generateContent(asked(RIGHT, WRONG)));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 429, message: JSON.stringify(JSON.parse(body)) });
  });

  test('of a stream that was cut off: an error, not half a verdict', async () => {
    const { client } = await behind((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(events('Output (a)').slice(0, 2).join(''));
    });
    const error = await failure(client.models.generateContentStream(asked(RIGHT, WRONG)));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 502 });
    expect(String(error)).toContain('finishReason');
  });
});
