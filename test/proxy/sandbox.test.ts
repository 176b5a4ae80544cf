/** Nothing configured: the sandbox judge stands behind the proxy, and every protocol's own client sees the loop work. */
import Anthropic from '@anthropic-ai/sdk';
import { FunctionCallingConfigMode, GoogleGenAI, Type } from '@google/genai';
import { InferenceClient } from '@huggingface/inference';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { SANDBOX_DEMO } from '../../src/judge/sandbox/demo.ts';
import { exchange, startProxy } from './servers.ts';

const PROMPT = SANDBOX_DEMO.messages[0]?.content ?? '';
const MODEL = 'remand-sandbox';
const messages = [{ role: 'user' as const, content: PROMPT }];
const SCHEMA = {
  type: 'object',
  properties: { reason: { type: 'string' }, winner: { type: 'string', enum: ['Output (a)', 'Output (b)'] } },
  required: ['reason', 'winner'],
  additionalProperties: false,
} as const;
const REVISED = { 'x-remand-status': 'revised', 'x-remand-biases': 'bandwagon' };
const RIGHT = 'Output (b)';

const facts = (headers: Headers) => ({
  'x-remand-status': headers.get('x-remand-status'),
  'x-remand-biases': headers.get('x-remand-biases'),
});
const winner = (json: string) => JSON.parse(json).winner as string;

async function gathered<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of stream) all.push(one);
  return all;
}

describe('openai', () => {
  const connect = async () => {
    const { url } = await startProxy({});
    return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-none', maxRetries: 0 });
  };

  test('chat completions', async () => {
    const { chat } = await connect();
    const asked = { model: MODEL, messages };
    const { data, response } = await chat.completions.create(asked).withResponse();
    expect([data.choices[0]?.message.content, facts(response.headers)]).toEqual([RIGHT, REVISED]);
    const streamed = await chat.completions.create({ ...asked, stream: true }).withResponse();
    const chunks = await gathered(streamed.data);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(RIGHT);
    expect(facts(streamed.response.headers)).toEqual(REVISED);
  });

  test('responses', async () => {
    const { responses } = await connect();
    const asked = { model: MODEL, input: PROMPT };
    const { data, response } = await responses.create(asked).withResponse();
    expect([data.output_text, facts(response.headers)]).toEqual([RIGHT, REVISED]);
    expect(data.usage?.total_tokens).toBeGreaterThan(200);
    expect((await responses.stream(asked).finalResponse()).output_text).toBe(RIGHT);
  });

  test('responses, in a forced function and by a schema', async () => {
    const { responses } = await connect();
    const tools = [{ type: 'function' as const, name: 'choose', parameters: SCHEMA, strict: true }];
    const forced = {
      model: MODEL,
      input: PROMPT,
      tools,
      tool_choice: { type: 'function' as const, name: 'choose' },
    };
    const { data, response } = await responses.create(forced).withResponse();
    expect(facts(response.headers)).toEqual(REVISED);
    for (const { output } of [data, await responses.stream(forced).finalResponse()]) {
      const [call] = output;
      expect(call).toMatchObject({ type: 'function_call', name: 'choose' });
      expect(call?.type === 'function_call' && winner(call.arguments)).toBe(RIGHT);
    }
    const format = { type: 'json_schema' as const, name: 'verdict', schema: SCHEMA, strict: true };
    const asked = { model: MODEL, input: PROMPT, text: { format } };
    expect(winner((await responses.create(asked)).output_text)).toBe(RIGHT);
  });

  test('completions', async () => {
    const { completions } = await connect();
    const asked = { model: MODEL, prompt: `<s>[INST] ${PROMPT} [/INST]` };
    const { data, response } = await completions.create(asked).withResponse();
    expect([data.choices[0]?.text, facts(response.headers)]).toEqual([RIGHT, REVISED]);
    const streamed = await completions.create({ ...asked, stream: true }).withResponse();
    const chunks = await gathered(streamed.data);
    expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe(RIGHT);
    expect(facts(streamed.response.headers)).toEqual(REVISED);
  });
});

describe('@anthropic-ai/sdk', () => {
  const connect = async () => {
    const { url } = await startProxy({});
    return new Anthropic({ baseURL: url, apiKey: 'sk-ant-none', maxRetries: 0 }).messages;
  };
  const asked = { model: MODEL, max_tokens: 50, messages };

  test('a message', async () => {
    const client = await connect();
    const { data, response } = await client.create(asked).withResponse();
    expect(data.content).toEqual([{ type: 'text', text: RIGHT }]);
    expect(facts(response.headers)).toEqual(REVISED);
    const stream = client.stream(asked);
    const final = await stream.finalMessage();
    expect([final.content, final.stop_reason]).toEqual([[{ type: 'text', text: RIGHT }], 'end_turn']);
    expect(facts(stream.response?.headers ?? new Headers())).toEqual(REVISED);
    expect(final.usage.output_tokens).toBeGreaterThan(2);
  });

  test('a forced tool', async () => {
    const client = await connect();
    const forced = {
      ...asked,
      tools: [{ name: 'choose', input_schema: { ...SCHEMA, required: [...SCHEMA.required] } }],
      tool_choice: { type: 'tool' as const, name: 'choose' },
    };
    const { data, response } = await client.create(forced).withResponse();
    expect(facts(response.headers)).toEqual(REVISED);
    for (const { content } of [data, await client.stream(forced).finalMessage()])
      expect(content).toMatchObject([{ type: 'tool_use', name: 'choose', input: { winner: RIGHT } }]);
  });
});

describe('@google/genai', () => {
  const connect = async () => {
    const { url } = await startProxy({});
    const { models } = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } });
    return { url, models };
  };
  const asked = { model: MODEL, contents: PROMPT };

  test('content', async () => {
    const { url, models } = await connect();
    const reply = await models.generateContent(asked);
    expect(reply.text).toBe(RIGHT);
    expect(reply.sdkHttpResponse?.headers).toMatchObject(REVISED);
    const chunks = await gathered(await models.generateContentStream(asked));
    expect(chunks.map(({ text }) => text).join('')).toBe(RIGHT);
    const body = JSON.stringify({ contents: [{ parts: [{ text: PROMPT }] }] });
    const path = `/v1beta/models/${MODEL}:streamGenerateContent`;
    const array = await exchange(url + path, { method: 'POST', body });
    expect(array.headers).toMatchObject(REVISED);
    const parts = JSON.parse(array.body.toString()).map(
      (chunk: { candidates: { content: { parts: { text: string }[] } }[] }) =>
        chunk.candidates[0]?.content.parts[0]?.text,
    );
    expect(parts.join('')).toBe(RIGHT);
  });

  test('by a schema and in a forced function', async () => {
    const { models } = await connect();
    const json = { responseMimeType: 'application/json', responseJsonSchema: SCHEMA };
    expect(winner((await models.generateContent({ ...asked, config: json })).text ?? '')).toBe(RIGHT);
    const parameters = {
      type: Type.OBJECT,
      properties: { winner: { type: Type.STRING, enum: ['Output (a)', RIGHT] } },
    };
    const tools = [{ functionDeclarations: [{ name: 'choose', parameters }] }];
    const toolConfig = { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } };
    const reply = await models.generateContent({ ...asked, config: { tools, toolConfig } });
    expect(reply.functionCalls).toEqual([{ name: 'choose', args: { winner: RIGHT } }]);
    expect(reply.sdkHttpResponse?.headers).toMatchObject(REVISED);
  });
});

describe('@huggingface/inference', () => {
  const client = new InferenceClient();
  const QUIETLY = { retry_on_error: false };
  const connect = async () => (await startProxy({})).url;

  test('chat and text generation', async () => {
    const endpointUrl = await connect();
    const chat = { endpointUrl, model: MODEL, messages };
    expect((await client.chatCompletion(chat, QUIETLY)).choices[0]?.message.content).toBe(RIGHT);
    const chunks = await gathered(client.chatCompletionStream(chat, QUIETLY));
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(RIGHT);
    const text = { endpointUrl, model: MODEL, inputs: PROMPT };
    expect((await client.textGeneration(text, QUIETLY)).generated_text).toBe(RIGHT);
  });

  test('the paths of TGI', async () => {
    const url = await connect();
    const args = { endpointUrl: `${url}/generate`, inputs: PROMPT, parameters: { details: true } };
    expect(await client.request(args, QUIETLY)).toMatchObject({
      generated_text: RIGHT,
      details: { finish_reason: 'eos_token', tokens: [{ text: 'Output' }, { text: ' (b)' }] },
    });
    const streamed = await gathered(
      client.streamingRequest<{ token: { text: string } }>(
        { endpointUrl: `${url}/generate_stream`, inputs: PROMPT },
        QUIETLY,
      ),
    );
    expect(streamed.map(({ token }) => token.text).join('')).toBe(RIGHT);
    const body = JSON.stringify({ inputs: PROMPT, parameters: { return_full_text: true } });
    const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    const full = await exchange(`${url}/`, { method: 'POST', headers, body });
    expect(full.headers).toMatchObject(REVISED);
    expect(JSON.parse(full.body.toString())).toEqual([{ generated_text: PROMPT + RIGHT }]);
  });
});

describe('what the sandbox cannot do is an error in the protocol’s own form', () => {
  test.each([
    ['/v1/messages', { messages: [] }, { type: 'error', error: { type: 'invalid_request_error' } }],
    [
      `/v1beta/models/${MODEL}:generateContent`,
      { contents: [{ parts: [{ text: 'x' }] }], generationConfig: { candidateCount: 0 } },
      { error: { code: 400, status: 'INVALID_ARGUMENT' } },
    ],
    ['/v1/completions', { prompt: 'x', n: -1 }, { error: { param: 'n' } }],
  ])('%s', async (path, body, expected) => {
    const { url } = await startProxy({});
    const answer = await exchange(url + path, { method: 'POST', body: JSON.stringify(body) });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body.toString())).toMatchObject(expected);
  });
});
