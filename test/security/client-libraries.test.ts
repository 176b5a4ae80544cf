/** Libraries that read replies without a limit are given one: whoever answers cannot fill the memory through them. */
import type { ServerResponse } from 'node:http';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';
import { expect, test } from 'vitest';
import { createLangfusePages } from '../../src/dataset/langfuse/langfuse-pages.ts';
import { limited, remandMiddleware } from '../../src/embed/ai-sdk.ts';
import { runtimeFetch, systemClock } from '../../src/ports.ts';
import { pairwise, RIGHT, replyBody, WRONG } from '../proxy/judges.ts';
import { startUpstream } from '../proxy/servers.ts';

const MB = 1 << 20;
/** Far more than any limit here. */
const MOST = 256 * MB;

/** Goes on sending for as long as somebody takes it, up to 256 MB. */
async function flood(response: ServerResponse, sent: { bytes: number }, piece: Buffer): Promise<void> {
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  while (sent.bytes < MOST && !response.destroyed) {
    sent.bytes += piece.length;
    if (response.write(piece)) continue;
    await Promise.race([closed, new Promise<void>((resolve) => response.once('drain', resolve))]);
  }
  response.end();
}

async function flooding(type: string, begin: string, piece: string) {
  const sent = { bytes: 0 };
  const { url } = await startUpstream(async (_received, response) => {
    response.writeHead(200, { 'content-type': type });
    response.write(begin);
    await flood(response, sent, Buffer.from(piece));
  });
  return { url, sent };
}

test.each(['judgments', 'opinions'] as const)('a page of %s of Langfuse is read to 64 MiB', async (name) => {
  const { url, sent } = await flooding('application/json', '{"data":["', 'x'.repeat(MB));
  const pages = createLangfusePages(
    { url, publicKey: 'pk', secretKey: 'sk', environment: null },
    { fetch: runtimeFetch, clock: systemClock, signal: new AbortController().signal },
  );
  const window = { since: null, until: '2026-01-01T00:00:00Z' };
  await expect(pages[name](window, null)).rejects.toThrow('longer than');
  expect(sent.bytes).toBeLessThan(96 * MB);
});

const prompt: string = JSON.parse(pairwise(WRONG, RIGHT)).messages[0].content;

const modelAt = (url: string, most: number) =>
  createOpenAICompatible({
    name: 'local',
    baseURL: `${url}/v1`,
    apiKey: 'sk-test',
    fetch: limited(undefined, most),
  })('judge');

test('a whole reply that the AI SDK reads breaks off at the limit', async () => {
  const { url, sent } = await flooding(
    'application/json',
    '{"choices":[{"message":{"content":"',
    'x'.repeat(MB),
  );
  const asked = generateText({ model: modelAt(url, 4 * MB), prompt, maxRetries: 0 });
  await expect(asked).rejects.toThrow();
  expect(sent.bytes).toBeLessThan(32 * MB);
});

test('so does a stream', async () => {
  const event = `data: {"id":"x","choices":[{"index":0,"delta":{"content":"${'x'.repeat(10_000)}"}}]}\n\n`;
  const { url, sent } = await flooding('text/event-stream', event, event.repeat(100));
  const { textStream } = streamText({
    ...{ model: modelAt(url, 4 * MB), prompt, maxRetries: 0 },
    onError: () => undefined,
  });
  let length = 0;
  const read = async () => {
    for await (const text of textStream) length += text.length;
  };
  await expect(read()).rejects.toThrow();
  expect(length).toBeLessThan(5 * MB);
  expect(sent.bytes).toBeLessThan(32 * MB);
});

test('a shorter reply goes through as it came', async () => {
  const { url } = await startUpstream((_received, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-own': 'kept' });
    response.end(replyBody('Output (a)'));
  });
  const response = await limited(undefined, 4 * MB)(url);
  expect([response.status, response.headers.get('x-own'), await response.text()]).toEqual([
    200,
    'kept',
    replyBody('Output (a)'),
  ]);
});

test('a stream that is held back for its verdict is held to 32 Mi characters', async () => {
  let parts = 0;
  let left = false;
  const stream = new ReadableStream<{ type: 'text-delta'; id: string; delta: string }>({
    pull(controller) {
      parts++;
      if (parts > 256) controller.close();
      else controller.enqueue({ type: 'text-delta', id: '0', delta: 'x'.repeat(MB) });
    },
    cancel() {
      left = true;
    },
  });
  const { wrapStream } = remandMiddleware({ biases: ['position'] });
  const doStream = async () => ({ stream });
  const params = { prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }] };
  await expect(wrapStream({ doStream, params, model: { modelId: 'judge', doStream } })).rejects.toThrow(
    'longer than',
  );
  expect(left).toBe(true);
  expect(parts).toBeLessThan(40);
});
