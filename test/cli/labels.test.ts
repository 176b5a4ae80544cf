/** `remand labels`: from a running Remand into a Langfuse annotation queue, and what people say there back into it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { toOtelTraceId } from '../../src/trace/index.ts';
import { fair, pairwise, RIGHT, stubborn, WRONG, whole } from '../proxy/judges.ts';
import { exchange, startProxy, startUpstream, until } from '../proxy/servers.ts';
import { remand } from './command.ts';
import { KEYS, startLangfuse } from './langfuse-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-labels-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['cloud', 'own'] as const)(
  'a queue of Langfuse (%s) is filled, and its labels come back',
  async (kind) => {
    const langfuse = await startLangfuse({ kind, page: 2 });
    onTestFinished(() => langfuse[Symbol.asyncDispose]());
    const judge = await startUpstream(
      whole((prompt) => (prompt.received.body.toString().includes('stubborn') ? stubborn() : fair(prompt))),
    );
    const proxy = await startProxy({ JUDGE_BASE_URL: judge.url, REMAND_BIASES: 'position' });
    const ask = async (model: string) => {
      const body = pairwise(WRONG, RIGHT, { model });
      const { headers } = await exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', body });
      return String(headers['x-remand-trace']);
    };
    const [sure, unsure, again] = [await ask('fair'), await ask('stubborn'), await ask('fair')];
    const records = async () => (await exchange(`${proxy.url}/remand/records`)).body.toString();
    await until(async () => (await records()).includes(again), 'the traces are kept');
    const file = join(folder, `${kind}.jsonl`);
    writeFileSync(file, await records());

    const env = { ...KEYS, LANGFUSE_BASE_URL: langfuse.url };
    const run = (...args: string[]) => remand(['labels', ...args, '--queue', 'q1'], env);
    const pushed = await run('push', '--in', file, '--limit', '1');
    expect([pushed.code, pushed.out]).toEqual([0, '1 judgments added to the queue; 0 were in it before.\n']);
    expect([...langfuse.queue.keys()]).toEqual([toOtelTraceId(unsure)]);
    expect((await run('push', '--in', file)).out).toContain('2 judgments added to the queue; 1 were');

    const out = join(folder, `${kind}-labels.jsonl`);
    const early = await run('pull', '--score', 'better', '--out', out);
    expect([early.code, early.err]).toEqual([2, expect.stringContaining('no completed case')]);
    for (const id of [unsure, sure]) {
      langfuse.queue.set(toOtelTraceId(id), 'COMPLETED');
      langfuse.annotate(
        { trace: toOtelTraceId(id) },
        {
          name: 'better',
          dataType: 'CATEGORICAL',
          value: 1,
          stringValue: 'Output (b)',
          authorUserId: 'anna',
        },
      );
    }
    // Nobody is done with this one.
    langfuse.annotate(
      { trace: toOtelTraceId(again) },
      { name: 'better', dataType: 'CATEGORICAL', value: 0, stringValue: 'tie' },
    );
    const pulled = await run('pull', '--score', 'better', '--out', out);
    expect([pulled.code, pulled.out]).toEqual([0, expect.stringContaining('2 labels written')]);

    const imported = await exchange(`${proxy.url}/remand/labels`, {
      method: 'POST',
      body: readFileSync(out, 'utf8'),
    });
    expect([imported.status, imported.body.toString()]).toEqual([200, '{"labels":2}']);
    const lines = (await exchange(`${proxy.url}/remand/labels`)).body.toString().trim().split('\n');
    const labels = Object.fromEntries(
      lines
        .map((line) => JSON.parse(line))
        .map(({ trace, decision, after, who }) => [trace, [decision, after, who]]),
    );
    expect(labels).toEqual({ [unsure]: [1, false, 'anna'], [sure]: [1, true, 'anna'] });
  },
);

test.each(['cloud', 'own'] as const)(
  'booleans and numbers of Langfuse (%s) come back as such',
  async (kind) => {
    const langfuse = await startLangfuse({ kind, page: 2 });
    onTestFinished(() => langfuse[Symbol.asyncDispose]());
    const said = [
      { dataType: 'BOOLEAN', value: 1 },
      { dataType: 'BOOLEAN', value: 0 },
      { dataType: 'NUMERIC', value: 1 },
    ];
    const ids = said.map(() => crypto.randomUUID());
    for (const [n, one] of said.entries()) {
      const trace = toOtelTraceId(ids[n] ?? '');
      langfuse.queue.set(trace, 'COMPLETED');
      langfuse.annotate({ trace }, { ...one, name: 'good', authorUserId: 'anna' });
    }
    const out = join(folder, `${kind}-typed.jsonl`);
    const env = { ...KEYS, LANGFUSE_BASE_URL: langfuse.url };
    const { code } = await remand(['labels', 'pull', '--queue', 'q1', '--score', 'good', '--out', out], env);
    expect(code).toBe(0);
    const lines = readFileSync(out, 'utf8').trim().split('\n');
    const labels = new Map(
      lines.map((line) => JSON.parse(line)).map(({ item, label, random }) => [item, [label, random]]),
    );
    // What was chosen for the queue stands for nothing else.
    expect(ids.map((id) => labels.get(id))).toEqual([true, false, 1].map((label) => [label, false]));
  },
);

test('a key that Langfuse refuses is told by name, and no file is written', async () => {
  const langfuse = await startLangfuse({ kind: 'cloud', page: 2 });
  onTestFinished(() => langfuse[Symbol.asyncDispose]());
  const out = join(folder, 'none.jsonl');
  const args = ['labels', 'pull', '--queue', 'q1', '--score', 'better', '--out', out];
  const env = { LANGFUSE_PUBLIC_KEY: 'pk', LANGFUSE_SECRET_KEY: 'sk', LANGFUSE_BASE_URL: langfuse.url };
  const { code, err } = await remand(args, env);
  expect([code, err]).toEqual([2, expect.stringContaining('LANGFUSE_PUBLIC_KEY')]);
  expect(() => readFileSync(out)).toThrow();
});
