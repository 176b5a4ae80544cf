/** Base data from the hub, before a real server that behaves as the hub does: lists, redirects to another host, serves parts, refuses and fails. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BaseItem } from '../../../src/dataset/base.ts';
import type { Hub } from '../../../src/dataset/hub/rows.ts';
import { type HubName, readHubBase } from '../../../src/dataset/read-base.ts';
import { createPool } from '../../../src/http/pool.ts';
import { systemClock } from '../../../src/ports.ts';

type Fault = (
  request: IncomingMessage,
) => { status: number; headers?: Record<string, string> } | 'cut' | 'whole' | null;

let folder = '';
let closers: (() => Promise<unknown>)[] = [];
/** What the hub and the host of its files were asked. */
let seen: { host: 'hub' | 'cdn'; url: string; authorization: string | null; range: string | null }[] = [];
let fault: { hub: Fault; cdn: Fault } = { hub: () => null, cdn: () => null };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remand-hub-'));
  closers = [];
  seen = [];
  fault = { hub: () => null, cdn: () => null };
});
afterEach(async () => {
  for (const close of closers) await close();
  rmSync(folder, { recursive: true });
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** @param files Parquet files by the path under which the hub lists them */
async function hubWith(path: string, files: readonly ArrayBuffer[]): Promise<Hub> {
  const note = (host: 'hub' | 'cdn', { url = '', headers }: IncomingMessage) =>
    seen.push({ host, url, authorization: headers.authorization ?? null, range: headers.range ?? null });
  const cdn = await listen((request, response) => {
    note('cdn', request);
    const failed = fault.cdn(request);
    const file = Buffer.from(files[Number(request.url?.slice(1).split('?')[0])] ?? new ArrayBuffer(0));
    if (failed && typeof failed === 'object')
      return void response.writeHead(failed.status, failed.headers).end();
    if (failed === 'whole') return void response.end(file);
    const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const part = file.subarray(Number(from), Number(to) + 1);
    response.writeHead(206, {
      etag: '"v1"',
      'content-length': part.byteLength,
      'content-range': `bytes ${from}-${Number(from) + part.byteLength - 1}/${file.byteLength}`,
    });
    if (failed !== 'cut') return void response.end(part);
    response.write(part.subarray(0, part.byteLength / 2), () => response.destroy());
  });
  const home = await listen((request, response) => {
    note('hub', request);
    const failed = fault.hub(request);
    if (failed && typeof failed === 'object')
      return void response.writeHead(failed.status, failed.headers).end();
    if (request.url === path)
      // The list names the hub itself, as a mirror's does.
      return void response.end(
        JSON.stringify(files.map((_, index) => `https://huggingface.co/files/${index}.parquet`)),
      );
    const index = /^\/files\/(\d+)\.parquet$/.exec(request.url ?? '')?.[1];
    if (index === undefined) return void response.writeHead(404).end();
    response.writeHead(302, { location: `${cdn}/${index}?signature=s` }).end();
  });
  const pool = createPool();
  closers.unshift(() => pool.close());
  return {
    ...{ endpoint: home, token: 'hf_secret', fetch: pool.fetch, clock: systemClock },
    signal: new AbortController().signal,
  };
}

async function all(name: HubName, hub: Hub, limit = Number.POSITIVE_INFINITY) {
  const items: BaseItem[] = [];
  const skipped: string[] = [];
  const onSkipped = (reason: string) => void skipped.push(reason);
  for await (const item of readHubBase(name, { hub, split: null, cache: folder, onSkipped })) {
    items.push(item);
    if (items.length >= limit) break;
  }
  return { items, skipped };
}

const GSM8K = '/api/datasets/openai/gsm8k/parquet/main/test';
const ROWS = 40;
function gsm8kFile(from: number): ArrayBuffer {
  const numbers = Array.from({ length: ROWS }, (_, n) => from + n);
  return parquetWriteBuffer({
    columnData: [
      { name: 'question', data: numbers.map((n) => `What is ${n} and 1?`), type: 'STRING' },
      {
        name: 'answer',
        data: numbers.map((n) => `It is <<${n}+1=${n + 1}>>${n + 1}.\n#### ${n + 1}`),
        type: 'STRING',
      },
    ],
    rowGroupSize: 10,
  });
}

describe('gsm8k', () => {
  test('comes from all files in order, and the token stays with the hub', async () => {
    const { items } = await all('gsm8k', await hubWith(GSM8K, [gsm8kFile(0), gsm8kFile(ROWS)]));
    expect(items).toHaveLength(2 * ROWS);
    expect(items[41]).toMatchObject({
      ...{ kind: 'pair', instruction: 'What is 41 and 1?', answer: '42', negative: null },
      positive: 'It is <<41+1=42>>42.\n#### 42',
    });
    const tokens = (host: string) =>
      new Set(seen.filter((one) => one.host === host).map((one) => one.authorization));
    expect(tokens('hub')).toEqual(new Set(['Bearer hf_secret']));
    expect(tokens('cdn')).toEqual(new Set([null]));
  });

  test('a few rows take one row group, and what was fetched is not fetched again', async () => {
    const hub = await hubWith(GSM8K, [gsm8kFile(0)]);
    const parts = () => seen.filter(({ host }) => host === 'cdn').map(({ range }) => range);
    await all('gsm8k', hub, 5);
    const first = parts();
    await all('gsm8k', hub);
    const second = parts().slice(first.length);
    expect(first).toHaveLength(3);
    // Size and version are asked for again, then only the row groups that are missing.
    expect(second).toHaveLength(1 + 3);
    expect(second.slice(1).filter((range) => first.includes(range))).toEqual([]);
    await all('gsm8k', hub);
    expect(parts()).toHaveLength(first.length + second.length + 1);
  });

  test('goes on after 429, 503 and a part that was cut off, and leaves no half part', async () => {
    const hub = await hubWith(GSM8K, [gsm8kFile(0)]);
    const faults = [
      { status: 429, headers: { 'retry-after': '0' } },
      { status: 503 },
      'cut',
      null,
      'cut',
    ] as const;
    let count = 0;
    fault.cdn = () => faults[count++] ?? null;
    expect((await all('gsm8k', hub)).items).toHaveLength(ROWS);
    const kept = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(kept.filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  test.each([
    ['the data is gated', 401, 'HF_TOKEN'],
    ['the account has no access', 403, 'HF_TOKEN'],
    ['there is no such data', 404, '--from'],
  ])('%s: an error of input that says so', async (_, status, field) => {
    const hub = await hubWith(GSM8K, [gsm8kFile(0)]);
    fault.hub = () => ({ status });
    await expect(all('gsm8k', hub)).rejects.toMatchObject({ name: 'InputError', field });
    expect(seen).toHaveLength(1);
  });

  test('a server that gives no parts, and a file that is no Parquet, are named', async () => {
    const hub = await hubWith(GSM8K, [gsm8kFile(0)]);
    fault.cdn = () => 'whole';
    await expect(all('gsm8k', hub)).rejects.toThrow('openai/gsm8k (main, test) is not served in parts');
    const broken = await hubWith(GSM8K, [new TextEncoder().encode('<html>not this</html>').buffer]);
    fault.cdn = () => null;
    await expect(all('gsm8k', broken)).rejects.toThrow('openai/gsm8k (main, test) is no readable Parquet');
  });

  test('a redirect that never ends, ends', async () => {
    const hub = await hubWith(GSM8K, []);
    fault.hub = () => ({ status: 307, headers: { location: GSM8K } });
    await expect(all('gsm8k', hub)).rejects.toThrow('redirected more than 5 times');
  });

  test('a split that there is not', async () => {
    const hub = await hubWith(GSM8K, []);
    const reading = readHubBase('gsm8k', { hub, split: 'dev', cache: folder, onSkipped: () => {} });
    await expect(reading.next()).rejects.toMatchObject({ name: 'InputError', field: '--split' });
    expect(seen).toEqual([]);
  });
});

test('arena: battles of one turn with a winner, in English, the winner first where it was', async () => {
  const say = (question: string, answer: string) => [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ];
  const rows = [
    { winner: 'model_a', turn: 1, language: 'English' },
    { winner: 'model_b', turn: 1, language: 'English' },
    { winner: 'tie (bothbad)', turn: 1, language: 'English' },
    { winner: 'model_a', turn: 2, language: 'English' },
    { winner: 'model_a', turn: 1, language: 'German' },
  ];
  const file = parquetWriteBuffer({
    columnData: [
      { name: 'question_id', data: rows.map((_, n) => `q${n}`), type: 'STRING' },
      { name: 'winner', data: rows.map(({ winner }) => winner), type: 'STRING' },
      { name: 'turn', data: rows.map(({ turn }) => BigInt(turn)), type: 'INT64' },
      { name: 'language', data: rows.map(({ language }) => language), type: 'STRING' },
      { name: 'conversation_a', data: rows.map((_, n) => say(`Ask ${n}`, `a${n}`)), type: 'JSON' },
      { name: 'conversation_b', data: rows.map((_, n) => say(`Ask ${n}`, `b${n}`)), type: 'JSON' },
    ],
  });
  const path = '/api/datasets/lmsys/chatbot_arena_conversations/parquet/default/train';
  const { items, skipped } = await all('arena', await hubWith(path, [file]));
  expect(items).toMatchObject([
    { id: 'arena-q0', instruction: 'Ask 0', positive: 'a0', negative: 'b0', first: 'positive' },
    { id: 'arena-q1', instruction: 'Ask 1', positive: 'b1', negative: 'a1', first: 'negative' },
  ]);
  expect(skipped).toEqual(['no winner', 'more than one turn', 'not English']);
});

test('scienceqa: questions without an image, the images themselves never fetched', async () => {
  const bytes = new Uint8Array(2_000_000).map((_, n) => (n * 2654435761) >>> 24);
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
  const file = parquetWriteBuffer({
    codec: 'UNCOMPRESSED',
    schema: [
      { name: 'root', num_children: 4 },
      { name: 'image', num_children: 2, repetition_type: 'OPTIONAL' },
      { name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
      { name: 'path', ...text, repetition_type: 'OPTIONAL' },
      { name: 'question', ...text, repetition_type: 'OPTIONAL' },
      { name: 'choices', num_children: 1, converted_type: 'LIST', repetition_type: 'OPTIONAL' },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
      { name: 'element', ...text, repetition_type: 'OPTIONAL' },
      { name: 'answer', type: 'INT64', repetition_type: 'OPTIONAL' },
    ],
    columnData: [
      { name: 'image', data: [null, { bytes, path: null }, null] },
      { name: 'question', data: ['Which is a plant?', 'Which is in the picture?', 'Which is both?'] },
      {
        name: 'choices',
        data: [
          ['a fox', 'a fern', 'a fly'],
          ['a cup', 'a key', 'a hat'],
          ['yes', 'no'],
        ],
      },
      { name: 'answer', data: [1n, 0n, 0n] },
    ],
  });
  const path = '/api/datasets/derek-thomas/ScienceQA/parquet/default/test';
  const { items, skipped } = await all('scienceqa', await hubWith(path, [file]));
  expect(items).toMatchObject([
    { kind: 'choice', instruction: 'Which is a plant?', options: ['a fox', 'a fern', 'a fly'], right: 1 },
  ]);
  expect(skipped).toEqual(['has an image', 'not three or four options']);
  const sizes = seen
    .filter(({ host }) => host === 'cdn')
    .map(({ range }) => {
      const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
      return Number(to) - Number(from);
    });
  expect(file.byteLength).toBeGreaterThan(2_000_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000);
});

describe('the two of the audit of cues', () => {
  const string = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' } as const;
  const list = (name: string, element: object) => [
    { name, num_children: 1, converted_type: 'LIST' as const, repetition_type: 'OPTIONAL' as const },
    { name: 'list', num_children: 1, repetition_type: 'REPEATED' as const },
    { name: 'element', repetition_type: 'OPTIONAL' as const, ...element },
  ];
  const thread = (n: number, texts: readonly string[], scores: readonly number[], subreddit: string) => ({
    ...{ title: `Why ${n}?`, selftext: n === 0 ? 'I have wondered.' : '', subreddit },
    answers: { a_id: texts.map((_, i) => `a${i}`), score: scores.map(BigInt), text: texts },
  });

  test('eli5: the answer with the most votes and the next, as the hub stores lists within a struct', async () => {
    const own = 'explainlikeimfive';
    const rows = [
      thread(0, ['Second.', 'Best.', 'Third.'], [5, 9, 2], own),
      thread(1, ['Only one.'], [4], own),
      thread(2, ['One.', 'Other.'], [3, 3], own),
      thread(3, ['Kings.', 'Queens.'], [8, 2], 'AskHistorians'),
      thread(4, ['[deleted]', 'What is left.'], [8, 2], own),
    ];
    const file = parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: 4 },
        { name: 'title', ...string },
        { name: 'selftext', ...string },
        { name: 'subreddit', ...string },
        { name: 'answers', num_children: 3, repetition_type: 'OPTIONAL' },
        ...list('a_id', string),
        ...list('score', { type: 'INT64' }),
        ...list('text', string),
      ],
      columnData: (['title', 'selftext', 'subreddit', 'answers'] as const).map((name) => ({
        name,
        data: rows.map((row) => row[name]),
      })),
    });
    const path = '/api/datasets/Pavithree/eli5/parquet/default/validation';
    const { items, skipped } = await all('eli5', await hubWith(path, [file]));
    expect(items).toMatchObject([
      { kind: 'pair', instruction: 'Why 0?\n\nI have wondered.', positive: 'Best.', negative: 'Second.' },
    ]);
    expect(skipped).toEqual([
      'fewer than two answers',
      'as many votes for both',
      'of r/AskHistorians',
      'a text that was deleted',
    ]);
  });

  const litbench = '/api/datasets/SAA-Lab/LitBench-Train/parquet/default/train';
  const stories = (columns: Readonly<Record<string, string[]>>) =>
    parquetWriteBuffer({
      columnData: Object.entries(columns).map(([name, data]) => ({ name, data, type: 'STRING' as const })),
    });

  test('litbench: the chosen story and the rejected, in an order that does not tell which is which', async () => {
    const numbers = Array.from({ length: 60 }, (_, n) => n);
    const file = stories({
      prompt: numbers.map((n) => `[WP] A tale of ${n}`),
      chosen_story: numbers.map((n) => `A good tale of ${n}.`),
      rejected_story: numbers.map((n) => (n === 1 ? ' ' : `A tale of ${n}.`)),
    });
    const { items, skipped } = await all('litbench', await hubWith(litbench, [file]));
    expect(items).toHaveLength(59);
    expect(items[0]).toMatchObject({
      ...{ kind: 'pair', instruction: '[WP] A tale of 0', positive: 'A good tale of 0.' },
      negative: 'A tale of 0.',
    });
    expect(skipped).toEqual(['an empty text']);
    const firsts = items.filter((item) => item.kind === 'pair' && item.first === 'positive').length;
    expect(firsts).toBeGreaterThan(15);
    expect(firsts).toBeLessThan(44);
  });

  test('columns that are not there are named beside those that are', async () => {
    const file = stories({ prompt: ['p'], story_a: ['a'], story_b: ['b'] });
    await expect(all('litbench', await hubWith(litbench, [file]))).rejects.toMatchObject({
      ...{ name: 'InputError', field: '--from' },
      message: expect.stringContaining(
        'SAA-Lab/LitBench-Train (default, train) has no column chosen_story, rejected_story; it has prompt, story_a, story_b',
      ),
    });
  });
});
