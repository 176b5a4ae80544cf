/** Anthropic's own client behind the proxy, before a judge that speaks its protocol on a real socket. */
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/ports.ts';
import { scriptedClock } from '../scripted-clock.ts';
import { fair, type Prompt, RIGHT, WRONG } from './judges.ts';
import { follower, promptText, question, STATEMENT, spoken } from './protocol-judges.ts';
import { afterHeartbeat, exchange, type Received, type Reply, startProxy, startUpstream } from './servers.ts';

const KEY = 'sk-ant-api03-not-a-real-key';
const POSITION = { 'x-remand-biases': 'position' };

const USAGE =
  '{"input_tokens": 100, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 40, "output_tokens": 4}';

function messageBody(content: string, stop = 'end_turn'): string {
  return `{"model": "claude-test-1",  "id": "msg_1", "type": "message", "role": "assistant", "content": [{"type":"thinking","thinking":"Output (a)?","signature":"c2ln"}, ${content}], "stop_reason": "${stop}", "stop_sequence": null, "usage": ${USAGE}}`;
}

const textBlock = (text: string) => `{"type": "text", "text": ${JSON.stringify(text)}}`;
const toolBlock = (text: string) =>
  `{"type": "tool_use", "id": "toolu_1", "name": "choose", "input": {"winner":  ${JSON.stringify(text)}}}`;

function events(text: string): string[] {
  const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const delta = (piece: unknown) =>
    event({ type: 'content_block_delta', index: 0, delta: piece } as { type: string });
  const start = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-test-1', content: [] };
  return [
    event({ type: 'message_start', message: { ...start, usage: JSON.parse(USAGE) } } as { type: string }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as {
      type: string;
    }),
    event({ type: 'ping' }),
    ...text.split(/(?<= )/).map((piece) => delta({ type: 'text_delta', text: piece })),
    event({ type: 'content_block_stop', index: 0 } as { type: string }),
    event({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 4 },
    } as { type: string }),
    event({ type: 'message_stop' }),
  ];
}

/** A judge that answers in the form it is asked for. */
function judge(say: (prompt: Prompt) => string): Reply {
  return (received, response) => {
    const body = JSON.parse(received.body.toString());
    const text = spoken(received, [body.system ?? '', body.messages[0].content], say);
    response.setHeader('request-id', 'req_011');
    if (body.stream) {
      response.setHeader('content-type', 'text/event-stream');
      for (const piece of events(text)) response.write(piece);
      return void response.end();
    }
    response.setHeader('content-type', 'application/json');
    response.end(body.tools ? messageBody(toolBlock(text), 'tool_use') : messageBody(textBlock(text)));
  };
}

async function behind(reply: Reply, settings: Record<string, string> = {}, clock?: Clock) {
  const upstream = await startUpstream(reply);
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, ...settings }, clock);
  const client = new Anthropic({ baseURL: proxy.url, apiKey: KEY, maxRetries: 0 });
  return { upstream, proxy, client };
}

const asked = (first: string, second: string, statement = '') => ({
  model: 'claude-test-1',
  max_tokens: 1024,
  system: 'You are a fair judge.',
  messages: [{ role: 'user' as const, content: question(first, second, statement) }],
});

const doubled = (body: string, by = 2) =>
  body
    .replace(/("input_tokens": ?)100/, `$1${100 * by}`)
    .replace(/("cache_read_input_tokens": ?)40/, `$1${40 * by}`)
    .replace(/("output_tokens": ?)4(?=\}+\n\nevent: message_stop|\}\}$)/, `$1${4 * by}`);

describe('an unbiased verdict comes through to the byte, but for the usage', () => {
  test('whole', async () => {
    const { client, upstream } = await behind(judge(fair));
    const response = await client.messages.create(asked(RIGHT, WRONG), { headers: POSITION }).asResponse();
    expect(await response.text()).toBe(doubled(messageBody(textBlock('Output (a)'))));
    expect(response.headers.get('x-remand-status')).toBe('unchanged');
    expect(response.headers.get('request-id')).toBe('req_011');
    expect(upstream.received).toHaveLength(2);
  });

  test('as a stream', async () => {
    const { client } = await behind(judge(fair));
    const params = { ...asked(RIGHT, WRONG), stream: true as const };
    const response = await client.messages.create(params, { headers: POSITION }).asResponse();
    expect(await response.text()).toBe(doubled(events('Output (a)').join('')));
  });
});

describe('a verdict that rests on what the majority thinks is sent back and revised', () => {
  test('whole, in text', async () => {
    const { client } = await behind(judge(follower));
    const { data, response } = await client.messages.create(asked(RIGHT, WRONG, STATEMENT)).withResponse();
    expect(data.content.at(-1)).toEqual({ type: 'text', text: 'Output (a)' });
    expect(response.headers.get('x-remand-status')).toBe('revised');
    expect(response.headers.get('x-remand-biases')).toBe('bandwagon');
  });

  test('as a stream, put together by the client’s own helper, heartbeats in front', async () => {
    const clock = scriptedClock(0);
    const slow = afterHeartbeat(clock, 20, judge(follower));
    const { client } = await behind(slow, { REMAND_HEARTBEAT_MS: '20' }, clock);
    const message = await client.messages.stream(asked(RIGHT, WRONG, STATEMENT)).finalMessage();
    expect(message.content).toMatchObject([{ type: 'text', text: 'Output (a)' }]);
    expect(message.usage.output_tokens).toBeGreaterThan(4);
  });

  test('in the input of a forced tool', async () => {
    const { client, upstream } = await behind(judge(follower));
    const input_schema = {
      type: 'object' as const,
      properties: { winner: { type: 'string', enum: ['Output (a)', 'Output (b)'] } },
    };
    const { data, response } = await client.messages
      .create({
        ...asked(RIGHT, WRONG, STATEMENT),
        tools: [{ name: 'choose', input_schema }],
        tool_choice: { type: 'tool', name: 'choose' },
      })
      .withResponse();
    expect(response.headers.get('x-remand-status')).toBe('revised');
    expect(data.stop_reason).toBe('tool_use');
    expect(data.content.at(-1)).toMatchObject({ name: 'choose', input: { winner: 'Output (a)' } });
    const judged = upstream.received.filter((one) => promptText(one).includes('# Output (a)'));
    for (const one of judged) expect(one.body.toString()).toContain('"tool_choice"');
  });
});

describe('headers', () => {
  const sent = (received: readonly Received[], name: string) => received.map(({ headers }) => headers[name]);
  test('the version, the betas and the key reach the judge with every call', async () => {
    const { client, upstream } = await behind(judge(fair));
    const headers = { 'anthropic-version': '2023-06-01' };
    const betas = ['context-1m-2025-08-07'];
    await client.beta.messages.create({ ...asked(RIGHT, WRONG), betas }, { headers });
    expect(upstream.received.length).toBeGreaterThan(1);
    expect(new Set(sent(upstream.received, 'anthropic-version'))).toEqual(new Set(['2023-06-01']));
    expect(new Set(sent(upstream.received, 'anthropic-beta'))).toEqual(new Set(['context-1m-2025-08-07']));
    // Where version 1 of the client puts it; earlier ones send `x-api-key`.
    expect(new Set(sent(upstream.received, 'authorization'))).toEqual(new Set([`Bearer ${KEY}`]));
    expect(new Set(sent(upstream.received, 'x-api-key'))).toEqual(new Set([undefined]));
  });

  test("the operator's key is sent the way the protocol sends keys", async () => {
    const { proxy, upstream } = await behind(judge(fair), { JUDGE_API_KEY: 'operators-own-key' });
    const body = JSON.stringify(asked(RIGHT, WRONG));
    await exchange(`${proxy.url}/v1/messages`, { method: 'POST', headers: POSITION, body });
    expect(sent(upstream.received, 'x-api-key')).toEqual(['operators-own-key', 'operators-own-key']);
    expect(sent(upstream.received, 'authorization')).toEqual([undefined, undefined]);
  });
});

test('counting tokens and batches pass through', async () => {
  const { client, upstream } = await behind((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"id": "msgbatch_1", "input_tokens": 7}');
  });
  expect(await client.messages.countTokens(asked(RIGHT, WRONG))).toMatchObject({ input_tokens: 7 });
  await client.messages.batches.create({ requests: [{ custom_id: 'a', params: asked(RIGHT, WRONG) }] });
  expect(upstream.received.map(({ url }) => url)).toEqual([
    '/v1/messages/count_tokens',
    '/v1/messages/batches',
  ]);
});

describe('errors are told as the client knows them', () => {
  test('of ours, naming the field', async () => {
    const { client, upstream } = await behind(judge(fair));
    const wrong = {
      ...asked(RIGHT, WRONG),
      system: [{ type: 'text' as const, text: 5 as unknown as string }],
    };
    const error = await client.messages.create(wrong).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Anthropic.BadRequestError);
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error' });
    expect(String(error)).toContain('system[0].text');
    expect(upstream.received).toEqual([]);
  });

  test('of the judge: its own, to the byte', async () => {
    const body =
      '{"type":"error",  "error":{"type":"rate_limit_error","message":"slow down"},"request_id":"req_1"}';
    const { client } = await behind((_, response) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '7' });
      response.end(body);
    });
    const error = await client.messages.create(asked(RIGHT, WRONG)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Anthropic.RateLimitError);
    expect(error).toMatchObject({ error: JSON.parse(body) });
  });

  test('of a stream that was cut off, within one that has begun', async () => {
    const clock = scriptedClock(0);
    const cut = afterHeartbeat(clock, 20, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(events('Output (a)').slice(0, 5).join(''));
    });
    const { client } = await behind(cut, { REMAND_HEARTBEAT_MS: '20' }, clock);
    const error = await client.messages
      .stream(asked(RIGHT, WRONG))
      .finalMessage()
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect(error).toMatchObject({ type: 'api_error' });
    expect(String(error)).toContain('message_stop');
  });
});
