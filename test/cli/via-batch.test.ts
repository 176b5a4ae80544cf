/** `--via batch` against servers that behave as the two batch interfaces do: hand over, leave, come back, collect. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { datasetJudgeCommand as command } from '../../src/cli/dataset/dataset-judge.ts';
import { BatchPendingError } from '../../src/cli/via-batch.ts';
import { serve } from '../models/server.ts';
import { anthropicProvider, type Fate, openaiProvider, type Provider } from './batch-providers.ts';
import { remand, start } from './command.ts';
import { buildRows } from './dataset-rows.ts';

const ROWS = 6;
const CALLS = 2 * ROWS;
const env = { BATCH_KEY: 'sk-batch' };
const all = mkdtempSync(join(tmpdir(), 'remand-batch-'));
let folder = '';
const open: Provider[] = [];
let count = 0;

beforeAll(() => buildRows(all, ROWS));
afterAll(() => rmSync(all, { recursive: true }));
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
});

async function setUp(make: () => Promise<Provider>): Promise<Provider> {
  const provider = await make();
  open.push(provider);
  folder = all;
  const file = (name: string) => readFileSync(join(all, name));
  const [d, dBias] = [file('d.jsonl'), file('d_bias.jsonl')];
  folder = mkdtempSync(join(all, `run-${count++}-`));
  writeFileSync(join(folder, 'd.jsonl'), d);
  writeFileSync(join(folder, 'd_bias.jsonl'), dBias);
  return provider;
}

const judging = (spec: string, ...more: string[]) => [
  ...['dataset', 'judge', '--in', folder, '--judge', spec, '--json', ...more],
  ...(more.includes('--via') ? [] : ['--via', 'batch']),
];
/** The command in this process, as many starts as a test needs: only a kill needs a process to kill. */
async function judge({ spec }: Provider, ...more: string[]) {
  vi.stubEnv('BATCH_KEY', 'sk-batch');
  let out = '';
  const writing = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += text;
    return true;
  });
  const words = judging(spec, ...more).slice(2);
  process.exitCode = 0;
  try {
    for (;;) {
      try {
        await command.run(words, 'dataset judge');
        return { code: process.exitCode, err: '', said: JSON.parse(out) };
      } catch (cause) {
        if (!(cause instanceof BatchPendingError)) return { code: 1, err: String(cause), said: null };
        if (!cause.again) return { code: 0, err: '', said: JSON.parse(JSON.stringify(cause.report)) };
      }
    }
  } finally {
    process.exitCode = 0;
    writing.mockRestore();
  }
}
const verdicts = () => readFileSync(join(folder, 'verdicts.jsonl'), 'utf8');
const records = () =>
  verdicts()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe.each([
  ['OpenAI', () => openaiProvider()],
  ['Anthropic', anthropicProvider],
] as const)('%s', (_, make) => {
  test('is handed what is missing, left, and collected from; what failed goes again', async () => {
    const provider = await setUp(make);
    const first = await judge(provider);
    expect([first.code, first.said.waiting, first.err]).toEqual([0, CALLS, '']);
    expect(first.said.batches).toEqual([
      expect.objectContaining({ endpoint: expect.stringContaining(provider.url), model: 'm', calls: CALLS }),
    ]);
    // While it works, another start makes no other batch, and writes no file.
    expect((await judge(provider)).said).toEqual(first.said);
    expect(provider.made.map((calls) => calls.length)).toEqual([CALLS]);
    expect(existsSync(join(folder, 'verdicts.jsonl'))).toBe(false);

    const [ids = []] = provider.made;
    const faults = new Map<string | undefined, Fate>([
      [ids[1], 'overloaded'],
      [ids[4], 'expired'],
      [ids[6], 'missing'],
      [ids[9], 'garbled'],
    ]);
    provider.finish((id) => faults.get(id) ?? 'answered');
    expect((await judge(provider)).said).toMatchObject({ waiting: 4 });
    expect(provider.made[1]?.toSorted()).toEqual([...faults.keys()].toSorted());
    provider.finish();
    const last = await judge(provider);
    expect(last.said).toEqual({
      ...{ verdicts: ROWS, unread: 0, failed: 0, calls: 0 },
      tokens: { input: 28, output: 8 },
    });
    expect(new Set(records().map(({ d }) => d.option))).toEqual(new Set([0, 1]));
    // Nothing but the batch interface was asked, always with the key.
    expect(new Set(provider.seen.map(({ key }) => key.replace('Bearer ', '')))).toEqual(
      new Set(['sk-batch']),
    );
    expect(provider.seen.filter(({ request }) => /completions|messages$/.test(request))).toEqual([]);
    const before = provider.seen.length;
    expect((await judge(provider)).said.verdicts).toBe(ROWS);
    expect(provider.seen).toHaveLength(before);
  });

  test.each([true, false])(
    'is killed while it creates a batch (came through: %s): one batch is made',
    async (taken) => {
      const provider = await setUp(make);
      const came = provider.silent(taken);
      const { child, ended } = start(judging(provider.spec), env);
      // A command that fails before it creates a batch ends the wait.
      expect(await Promise.race([came, ended])).toBeUndefined();
      child.kill('SIGKILL');
      await ended;
      provider.speak();
      expect((await judge(provider)).said.waiting).toBe(CALLS);
      expect(provider.made.map((calls) => calls.length)).toEqual([CALLS]);
      provider.finish();
      expect((await judge(provider)).said).toMatchObject({ verdicts: ROWS, failed: 0 });
    },
  );

  test('a request that is refused is a failed row, at once; the next start hands it over anew', async () => {
    const provider = await setUp(make);
    await judge(provider);
    const [ids = []] = provider.made;
    provider.finish((id) => (id === ids[0] ? 'refused' : 'answered'));
    const { code, said } = await judge(provider);
    expect([code, said.verdicts, said.failed]).toEqual([0, ROWS, 1]);
    expect(records().filter(({ error }) => /in a batch: .*refused/.test(error))).toHaveLength(1);
    expect((await judge(provider)).said.waiting).toBe(1);
    expect(provider.made[1]).toEqual([ids[0]]);
    provider.finish();
    expect((await judge(provider)).said.failed).toBe(0);
  });

  test('a batch that comes to nothing goes three times, then its rows have failed', async () => {
    const provider = await setUp(make);
    for (const turn of [1, 2, 3]) {
      expect((await judge(provider)).said.waiting).toBe(CALLS);
      expect(provider.made).toHaveLength(turn);
      provider.finish(() => 'missing');
    }
    const { code, said } = await judge(provider);
    expect([code, said.failed]).toEqual([1, ROWS]);
    expect(records()[0]?.error).toMatch(/without a reply/);
  });

  test('no more calls go in a batch than asked for, and no more than the budget has', async () => {
    const provider = await setUp(make);
    const { code, err } = await judge(provider, '--batch-size', '3', '--budget', '7');
    expect([code, err]).toEqual([1, expect.stringContaining('all 7 calls of the budget')]);
    expect(provider.made.map((calls) => calls.length)).toEqual([3, 3, 1]);
    expect((await judge(provider, '--batch-size', '100', '--budget', '5')).said.waiting).toBe(CALLS);
    expect(provider.made.map((calls) => calls.length)).toEqual([3, 3, 1, 5]);
  });

  test('a refused key is named after one request, keeps no other model from its batch', async () => {
    const provider = await setUp(make);
    let asked = 0;
    const bad = await serve((request, response) => {
      asked++;
      request.resume().on('end', () => response.writeHead(401).end('{"error":{"message":"no"}}'));
    });
    const specs = `bad=${provider.spec.replace(provider.url, bad.url).replace('BATCH_KEY', 'BAD')};${provider.spec}`;
    const ended = await remand(judging(specs), { ...env, BAD: 'sk-bad' });
    await bad[Symbol.asyncDispose]();
    expect([ended.code, ended.err]).toEqual([
      1,
      expect.stringMatching(
        /^remand: \S+ refuses the key in BAD \(401\); set BAD to another and start the command again\n$/,
      ),
    ]);
    expect(asked).toBe(1);
    expect(provider.made.map((calls) => calls.length)).toEqual([CALLS]);
  });

  test('stays with --wait until all is done, round after round', async () => {
    const provider = await setUp(make);
    const rounds = new Set<number>();
    const working = setInterval(() => {
      provider.finish((id, batch) => {
        rounds.add(batch);
        return batch === 0 && id === provider.made[0]?.[0] ? 'expired' : 'answered';
      });
    }, 50);
    const { code, out, err } = await remand(judging(provider.spec, '--wait', '--poll', '1'), env);
    clearInterval(working);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ verdicts: ROWS, failed: 0 });
    expect(rounds.size).toBe(2);
  });
});

test('gives what calls made at once give', async () => {
  const provider = await setUp(() => openaiProvider());
  await judge(provider);
  provider.finish();
  await judge(provider);
  const inBatches = verdicts();
  const other = await setUp(() => openaiProvider());
  expect((await judge(other, '--via', 'calls')).said).toMatchObject({ verdicts: ROWS, calls: CALLS });
  expect(verdicts()).toBe(inBatches);
});

test('where a call depends on an earlier reply, starting again is all it takes', async () => {
  // A weak model that is right at first: it is asked once more for a wrong answer.
  let wrong = 0;
  const provider = await setUp(() => openaiProvider(() => `It is ${wrong}.`));
  const items = [1, 2, 3].map((n) => ({
    ...{ kind: 'pair', id: `i${n}`, instruction: `What is 0 times ${n}?`, positive: 'It is 0.' },
    ...{ negative: null, answer: '0', first: 'positive' },
  }));
  writeFileSync(join(folder, 'base.jsonl'), items.map((item) => `${JSON.stringify(item)}\n`).join(''));
  const out = join(folder, 'out');
  const build = async () => {
    const ended = await remand(
      [
        ...['dataset', 'build', '--bias', 'bandwagon', '--from', join(folder, 'base.jsonl'), '--out', out],
        ...['--weak', provider.spec, '--via', 'batch', '--json'],
      ],
      env,
    );
    return JSON.parse(ended.out);
  };
  expect((await build()).waiting).toBe(3);
  provider.finish();
  wrong = 7;
  expect((await build()).waiting).toBe(3);
  expect(existsSync(join(out, 'd.jsonl'))).toBe(false);
  provider.finish();
  expect(await build()).toMatchObject({ rows: 3 });
  expect(readFileSync(join(out, 'd.jsonl'), 'utf8')).toContain('It is 7.');
});

test('an OpenAI batch that fails as a whole says why', async () => {
  const provider = await setUp(() => openaiProvider());
  for (let turn = 0; turn < 3; turn++) {
    await judge(provider);
    provider.finish(undefined, 'failed');
  }
  expect((await judge(provider)).code).toBe(1);
  expect(records()[0]?.error).toContain('the file is wrong');
});

test('a protocol without batches is bad input, and an endpoint without them a failure that says so', async () => {
  const provider = await setUp(() => openaiProvider());
  const gemini = await remand(judging(`gemini:m@${provider.url}`), env);
  expect([gemini.code, gemini.err]).toEqual([2, expect.stringContaining('no batch interface')]);
  const none = await remand(judging(`m@${provider.url}/elsewhere#BATCH_KEY`), env);
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('no POST /elsewhere/v1/files')]);
});
