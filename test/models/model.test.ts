/** A model as an offline run asks it, against a real local endpoint that misbehaves as real ones do. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { anthropicMessages } from '../../adapters/anthropic-messages/index.ts';
import { gemini } from '../../adapters/gemini/index.ts';
import { huggingface } from '../../adapters/huggingface/index.ts';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { openaiCompletions } from '../../adapters/openai-completions/index.ts';
import { openaiResponses } from '../../adapters/openai-responses/index.ts';
import type { Adapter } from '../../adapters/types.ts';
import { BudgetError } from '../../src/http/send.ts';
import { createMemoryCalls } from '../../src/models/call-store.ts';
import { createSpend } from '../../src/models/ledger.ts';
import { createModel, type ModelOptions } from '../../src/models/model.ts';
import { systemClock } from '../../src/ports.ts';
import { scriptedClock } from '../scripted-clock.ts';

const never = new AbortController().signal;
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Seen {
  readonly path: string;
  readonly headers: Record<string, unknown>;
  readonly body: Record<string, unknown>;
}
type Said = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
  readonly hang?: boolean;
};

async function endpoint(say: (nth: number) => Said): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(body) });
    const said = say(seen.length);
    if (said.hang) return;
    response.writeHead(said.status ?? 200, { 'content-type': 'application/json', ...said.headers });
    response.end(said.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const reply = (text: string) =>
  JSON.stringify({
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
  });

function modelAt(url: string, rest: Partial<ModelOptions> = {}) {
  return createModel({
    name: 'judge',
    model: 'm-1',
    protocol: openaiChat,
    url,
    key: 'sk-1',
    parameters: { temperature: 0 },
    fetch: (to, init) => fetch(to, init as RequestInit),
    store: createMemoryCalls(),
    spend: createSpend({ calls: null, tokens: null }),
    clock: systemClock,
    maxWaitMs: 50,
    ...rest,
  });
}

describe('in every protocol', () => {
  const protocols: readonly (readonly [Adapter, string, string, string])[] = [
    [openaiChat, '/v1/chat/completions', 'authorization', reply('Output (b)')],
    [
      openaiCompletions,
      '/v1/completions',
      'authorization',
      JSON.stringify({ choices: [{ index: 0, text: 'Output (b)', finish_reason: 'stop' }] }),
    ],
    [
      openaiResponses,
      '/v1/responses',
      'authorization',
      JSON.stringify({
        object: 'response',
        status: 'completed',
        output: [
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Output (b)' }] },
        ],
      }),
    ],
    [
      anthropicMessages,
      '/v1/messages',
      'x-api-key',
      JSON.stringify({
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'Output (b)' }],
        stop_reason: 'end_turn',
      }),
    ],
    [
      gemini,
      '/v1beta/models/m-1:generateContent',
      'x-goog-api-key',
      JSON.stringify({
        candidates: [{ content: { role: 'model', parts: [{ text: 'Output (b)' }] }, finishReason: 'STOP' }],
      }),
    ],
    [huggingface, '/generate', 'authorization', JSON.stringify({ generated_text: 'Output (b)' })],
  ];
  it.each(protocols)('asks and reads ($name)', async (protocol, path, header, body) => {
    const { url, seen } = await endpoint(() => ({ body }));
    const asked = { system: 'Judge.', user: 'Which?' };
    const { text, cached } = await modelAt(`${url}/v1`, { protocol }).ask(asked, never);
    expect([text, cached]).toEqual(['Output (b)', false]);
    expect(seen.map((one) => one.path)).toEqual([path]);
    expect(String(seen[0]?.headers[header])).toContain('sk-1');
    // What it sends is read back as what was asked, by the same adapter that reads clients' requests.
    const read = protocol.readRequest(JSON.stringify(seen[0]?.body), path);
    expect(read.model).toBe('m-1');
    expect(read.prompt.parts.map((part) => part.text).join('\n\n')).toBe('Judge.\n\nWhich?');
    expect(read.stream).toBe(false);
  });
});

describe('an endpoint with faults', () => {
  it('is asked again after a 429, a 500, half a reply and an error inside a 200; only the good reply is kept', async () => {
    const said: Said[] = [
      { status: 429, headers: { 'retry-after-ms': '20' }, body: '{}' },
      { status: 500, body: '{}' },
      { body: reply('Output (b)').slice(0, 40) },
      { body: '{"error": {"message": "overloaded"}}' },
      { body: reply('Output (b)') },
    ];
    const { url, seen } = await endpoint((nth) => said[nth - 1] ?? { body: reply('again') });
    const store = createMemoryCalls();
    const spend = createSpend({ calls: null, tokens: null });
    const model = modelAt(url, { store, spend });
    expect((await model.ask({ system: null, user: 'Which?' }, never)).text).toBe('Output (b)');
    expect(seen).toHaveLength(5);
    // The second time from the store: no call, nothing spent.
    expect(await model.ask({ system: null, user: 'Which?' }, never)).toMatchObject({
      text: 'Output (b)',
      cached: true,
    });
    expect(seen).toHaveLength(5);
    expect([spend.calls, spend.tokens]).toEqual([5, { input: 7, output: 2 }]);
  });

  it('is not asked again after a 401', async () => {
    const { url, seen } = await endpoint(() => ({ status: 401, body: '{}' }));
    await expect(modelAt(url).ask({ system: null, user: 'Which?' }, never)).rejects.toThrow('401');
    expect(seen).toHaveLength(1);
  });

  it('is asked again where it hangs', async () => {
    const clock = scriptedClock(0);
    const { url, seen } = await endpoint((nth) => {
      if (nth > 1) return { body: reply('here') };
      clock.pass(100);
      return { body: '', hang: true };
    });
    const model = modelAt(url, { timeoutMs: 100, clock });
    expect((await model.ask({ system: null, user: 'Which?' }, never)).text).toBe('here');
    expect(seen).toHaveLength(2);
  });
});

it('stops at the budget, counting what is really asked', async () => {
  const { url, seen } = await endpoint(() => ({ body: reply('here') }));
  const model = modelAt(url, { spend: createSpend({ calls: 2, tokens: null }) });
  for (const user of ['a', 'a', 'b']) await model.ask({ system: null, user }, never);
  await expect(model.ask({ system: null, user: 'c' }, never)).rejects.toThrow(
    // Not the endpoint's failure, which would be tried again and listed as the item's.
    new BudgetError('all 2 calls of the budget are used up'),
  );
  expect(seen).toHaveLength(2);
});

it('asks anew for another attempt, and for another model', async () => {
  const { url, seen } = await endpoint((nth) => ({ body: reply(`${nth}`) }));
  const store = createMemoryCalls();
  const asked = { system: null, user: 'Which?' };
  const [one, two] = [modelAt(url, { store }), modelAt(url, { store, model: 'm-2' })];
  expect((await one.ask(asked, never)).text).toBe('1');
  expect((await one.ask({ ...asked, attempt: 1 }, never)).text).toBe('2');
  expect((await two.ask(asked, never)).text).toBe('3');
  expect((await one.ask({ ...asked, attempt: 1 }, never)).text).toBe('2');
  expect(seen).toHaveLength(3);
});

it('asks once for what two ask at the same time', async () => {
  const { url, seen } = await endpoint(() => ({ body: reply('here') }));
  const model = modelAt(url);
  const asked = { system: null, user: 'Which?' };
  const answers = await Promise.all([model.ask(asked, never), model.ask(asked, never)]);
  expect(answers.map(({ text }) => text)).toEqual(['here', 'here']);
  expect(seen).toHaveLength(1);
});

it('tries each call once where an endpoint is dead, and as often as before when it is back', async () => {
  let dead = true;
  const { url, seen } = await endpoint(() => (dead ? { status: 503, body: '{}' } : { body: reply('here') }));
  const model = modelAt(url, { retries: 1, maxWaitMs: 1 });
  const ask = (user: string) => model.ask({ system: null, user }, never);
  for (let nth = 0; nth < 20; nth++) await expect(ask(`${nth}`)).rejects.toThrow('503');
  expect(seen).toHaveLength(16 * 2 + 4);
  dead = false;
  await ask('back');
  dead = true;
  await expect(ask('gone')).rejects.toThrow('503');
  expect(seen).toHaveLength(16 * 2 + 4 + 1 + 2);
});
