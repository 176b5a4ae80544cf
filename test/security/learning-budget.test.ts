/**
 * Learning a template goes in steps, none of which holds the thread for longer than reading a request may, and what is
 * not learned for the time it takes is told.
 */
import { expect, test } from 'vitest';
import { ReadingTooLongError } from '../../src/case/checkpoint.ts';
import { createTemplateBook } from '../../src/case/templates/book.ts';
import type { Learning } from '../../src/case/templates/recognition.ts';
import { createLearner } from '../../src/proxy/learning.ts';
import type { LogEntry } from '../../src/proxy/log.ts';
import { createMetrics } from '../../src/proxy/metrics.ts';
import { fair, whole } from '../proxy/judges.ts';
import { exchange, startProxy, startUpstream, until } from '../proxy/servers.ts';
import { scriptedClock } from '../scripted-clock.ts';
import { BETWEEN, stepGrowth } from './cpu-time.ts';

const LIMIT = 50;
/** Readings that may take ten times as long: the runtime compiles then. */
const COLD = 50;
/** Characters, nearly the most that is learned from. */
const LENGTH = 31_000;

/** A learner whose thread takes as long as a test says. */
async function learner({ warm = true } = {}) {
  const log: LogEntry[] = [];
  const metrics = createMetrics();
  const clock = scriptedClock(0);
  const thread = { ms: 0 };
  const learn = createLearner(
    { cpu: () => thread.ms, clock, metrics, log: (entry) => log.push(entry) },
    { REMAND_READ_MS: LIMIT },
  );
  const nothing: Learning = function* () {
    yield;
    return null;
  };
  for (let i = 0; warm && i < COLD; i++) await learn(nothing, null, '/');
  const counted = () =>
    metrics
      .text()
      .split('\n')
      .filter((line) => line.startsWith('remand_not_learned_total{'));
  return { learn, log, clock, thread, counted };
}

/** Lets everything go on that waits for nothing but a turn of the event loop. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('others are served between the steps of a learning', async () => {
  const { learn, clock, thread, counted } = await learner();
  let steps = 0;
  const long: Learning = function* (checkpoint) {
    for (; steps < 5; steps++) {
      thread.ms += 30;
      checkpoint();
      yield;
    }
    return null;
  };
  const learned = learn(long, 'a', '/');
  for (let turn = 1; turn <= 5; turn++) {
    await settled();
    expect(steps).toBe(turn - 1);
    clock.pass(0);
  }
  await learned;
  expect(steps).toBe(5);
  expect(counted()).toEqual([]);
});

test.each([
  ['one step takes longer than a reading may', 1, 51],
  ['all steps take longer than ten readings may', 20, 30],
])('where %s, the learning is given up and told, and the next goes on', async (_name, count, ms) => {
  const { learn, clock, thread, log, counted } = await learner();
  let ended = false;
  const long: Learning = function* (checkpoint) {
    for (let step = 0; step < count; step++) {
      thread.ms += ms;
      checkpoint();
      yield;
    }
    ended = true;
    return null;
  };
  const first = learn(long, 'a', '/v1/chat/completions');
  let next = false;
  const second = learn(
    function* () {
      next = true;
      yield;
      return null;
    },
    'b',
    '/v1/chat/completions',
  );
  for (let turn = 0; turn < 30; turn++) {
    await settled();
    clock.pass(0);
  }
  await first;
  expect(ended).toBe(false);
  expect(counted()).toEqual(['remand_not_learned_total{reason="over-time"} 1']);
  expect(log).toEqual([
    { level: 'warn', event: 'not-learned', path: '/v1/chat/completions', who: 'a', reason: 'over-time' },
  ]);
  // The thread is left to others for a while first.
  expect(next).toBe(false);
  clock.pass(4 * 10 * LIMIT);
  await second;
  expect(next).toBe(true);
});

test('a tenant with many requests to learn from keeps no other from learning, nor the memory full', async () => {
  const { learn, clock, thread, counted } = await learner();
  const learned: string[] = [];
  const by = (tenant: string): Learning =>
    function* (checkpoint) {
      thread.ms += 49;
      checkpoint();
      yield;
      learned.push(tenant);
      return null;
    };
  const all = Array.from({ length: 1_000 }, () => learn(by('hostile'), 'hostile', '/'));
  all.push(learn(by('other'), 'other', '/'));
  for (let turn = 0; turn < 40; turn++) {
    await settled();
    clock.pass(1_000);
  }
  await Promise.all(all);
  expect(learned).toEqual([...Array(8).fill('hostile'), 'other']);
  expect(counted()).toEqual(['remand_not_learned_total{reason="busy"} 992']);
});

const named = (i: number) => i.toString(36).padStart(3, 'a');
function rows(length: number, row: (i: number) => string): string {
  let text = '';
  for (let i = 0; text.length < length; i++) text += row(i);
  return text.slice(0, length);
}

/** For each request a text of so many characters; that which varies makes it a sample of one pipeline. */
const HOSTILE: Readonly<Record<string, (n: number, length: number) => string>> = {
  'labels with values between': (n, length) => rows(length, (i) => `${named(i)}: ${n}${i}\n`),
  'labels in sentences': (n, length) => rows(length, (i) => `${named(i)} = ${n}${i}. ${named(i + 1)}: `),
  brackets: (n, length) => rows(length, (i) => `[${i % 2 ? named(i) : n + i}]`),
  tags: (n, length) => rows(length, (i) => `<${named(i)}>${n}${i * i}</${named(i)}>`),
  rules: (n, length) => rows(length, (i) => `--- ${i} ---\n${n}\n`),
  'lines of one letter': (n, length) => rows(length, (i) => `${'abcdefgh'[(i * n) % 8]}\n`),
  pipes: (n, length) => `${n}${'|'.repeat(length - 10)}x`,
  'labels again and again': (n, length) => `${n} ${'a: '.repeat(length / 3 - 10)}`,
  'the same line again': (n, length) =>
    rows(length, (i) => (i < (n * length) / 100 ? 'Answer A:\nx\n' : 'Answer B:\ny\n')),
};

/** Learns from three requests, in steps: the third confirms a template, and further ones take the same steps. */
function learnFrom(text: (n: number, length: number) => string, length: number, checkpoint: () => void) {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => crypto.randomUUID() });
  const origin = { tenant: '', path: '/', schema: null };
  for (let n = 1; n <= 3; n++) {
    const prompt = { parts: [{ role: 'user', text: text(n, length) }] };
    const steps = book.learning(origin, prompt, null, checkpoint);
    while (!steps.next().done) checkpoint();
    checkpoint();
  }
}

test.each(Object.entries(HOSTILE))(
  'a learning can be given up at any time: %s',
  { timeout: 120_000 },
  (_name, text) => {
    const counts = new Map<number, number>();
    const growth = stepGrowth((length, checkpoint) => {
      let count = 0;
      learnFrom(text, length, () => {
        count++;
        checkpoint();
      });
      counts.set(length, count);
    }, LENGTH / 4);
    expect(growth ?? 0).toBeLessThan(BETWEEN);
    expect(counts.get(LENGTH)).toBeGreaterThan(60);
  },
);

test('a learning that is given up has learned nothing', () => {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'one' });
  const origin = { tenant: '', path: '/', schema: null };
  const prompt = (n: number) => ({ parts: [{ role: 'user', text: `Question: ${n}\nAnswer: it is ${n}.` }] });
  book.learn(origin, prompt(1), null);
  const before = book.pipelines();
  const steps = book.learning(origin, prompt(2), null, () => {
    throw new ReadingTooLongError('at once');
  });
  expect(() => {
    while (!steps.next().done);
  }).toThrow(ReadingTooLongError);
  expect(book.pipelines()).toEqual(before);
});

test('what a person decides between two steps holds', () => {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'one' });
  const origin = { tenant: '', path: '/', schema: null };
  const prompt = (n: number) => ({
    parts: [{ role: 'user', text: `The question is: ${n}\nThe answer is: ${n}.` }],
  });
  book.learn(origin, prompt(1), null);
  book.learn(origin, prompt(2), null);
  const steps = book.learning(origin, prompt(3), null, () => undefined);
  steps.next();
  const [pipeline] = book.pipelines();
  if (!pipeline) throw new Error('no pipeline');
  book.put({ ...pipeline, state: 'rejected', decided: 1 });
  while (!steps.next().done);
  expect(book.pipelines()).toMatchObject([{ state: 'rejected', decided: 1 }]);
});

test('over HTTP: what is not learned is counted and logged, and every answer comes', async () => {
  const upstream = await startUpstream(whole(fair));
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_READ_MS: '1' });
  const text = HOSTILE['labels in sentences'];
  for (let n = 1; n <= 4; n++) {
    const body = JSON.stringify({ model: 'judge', messages: [{ role: 'user', content: text?.(n, LENGTH) }] });
    const headers = { 'content-type': 'application/json' };
    const { status } = await exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', headers, body });
    expect(status).toBe(200);
  }
  const line = 'remand_not_learned_total{reason="over-time"}';
  await until(
    async () => (await exchange(`${proxy.url}/remand/metrics`)).body.toString().includes(line),
    'it is counted',
  );
  expect(proxy.log).toContainEqual(expect.objectContaining({ event: 'not-learned', reason: 'over-time' }));
});
