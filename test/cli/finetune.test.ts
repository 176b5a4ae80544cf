/** Fine-tuning at an API as a user runs it: a process, killed and started again, against a server that counts. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { remand, replaceOptions, start } from './command.ts';
import { type FineTuningServer, serveFineTuning } from './fine-tuning-server.ts';

/** Milliseconds: processes on a busy machine. */
const SLOW = 300_000;

const example = (label: string) => ({
  messages: [
    { role: 'user', content: 'Was the decision swayed?' },
    { role: 'assistant', content: `<think>\nThe crowd backs it.\n</think>\n\n${label}` },
  ],
});

const SETTINGS = `{
    "PORT": 9000,
    "REMAND_DETECTOR": "rbd",   
    "RBD_MODEL": "old",
    "RBD_BASE_URL": "http://detector.example/v1"
}
`;

let folder: string;
let api: FineTuningServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remand-finetune-'));
  writeFileSync(file('train.jsonl'), `${JSON.stringify(example('Yes'))}\n${JSON.stringify(example('No'))}\n`);
  writeFileSync(file('validation.jsonl'), `${JSON.stringify(example('No'))}\n`);
  api = await serveFineTuning();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});
const file = (name: string) => join(folder, name);
const count = (what: string) => api.asked.filter((one) => one === what).length;

type Given = readonly [args?: readonly string[], env?: Record<string, string>];
function wordsOf([args = [], env = { RBD_API_KEY: 'sk-test' }]: Given) {
  const usual = {
    ...{ '--train': file('train.jsonl'), '--model': 'gpt-4o-mini', '--endpoint': api.url },
    ...{ '--every': '20', '--config': file('settings.json') },
  };
  return [['finetune', ...replaceOptions(usual, args), '--json'], env] as const;
}
const fineTune = (...given: Given) => remand(...wordsOf(given));

describe('remand finetune', () => {
  test(
    'uploads, follows the job with its events, and writes the model into the settings as they stand',
    async () => {
      writeFileSync(file('settings.json'), SETTINGS);
      const { code, out, err } = await fineTune([
        ...['--validation', file('validation.jsonl'), '--suffix', 'rbd', '--seed', '7'],
        ...['--hyperparameters', '{"n_epochs":3,"batch_size":"auto"}'],
      ]);
      expect(err).toContain('job-1: queued');
      expect(err).toContain('now running');
      expect(err.match(/now queued/g)).toHaveLength(1);
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ model: 'ft:gpt-4o-mini:rbd:job-1', job: 'job-1' });
      expect(api.jobs[0]?.created).toEqual({
        ...{
          model: 'gpt-4o-mini',
          training_file: 'file-1',
          validation_file: 'file-2',
          suffix: 'rbd',
          seed: 7,
        },
        method: { type: 'supervised', supervised: { hyperparameters: { n_epochs: 3, batch_size: 'auto' } } },
      });
      expect(api.files[0]?.content).toContain(readFileSync(file('train.jsonl'), 'utf8'));
      expect(readFileSync(file('settings.json'), 'utf8')).toBe(
        SETTINGS.replace('"old"', '"ft:gpt-4o-mini:rbd:job-1"'),
      );
      expect(err).toContain('RBD_BASE_URL');
    },
    SLOW,
  );

  test(
    'makes the settings file with the endpoint where there is none, and asks nothing when done',
    async () => {
      expect((await fineTune()).code).toBe(0);
      expect(JSON.parse(readFileSync(file('settings.json'), 'utf8'))).toEqual({
        RBD_MODEL: 'ft:gpt-4o-mini::job-1',
        RBD_BASE_URL: api.url,
      });
      const before = api.asked.length;
      const { code, out } = await fineTune();
      expect(code).toBe(0);
      expect(JSON.parse(out).model).toBe('ft:gpt-4o-mini::job-1');
      expect(api.asked).toHaveLength(before);
    },
    SLOW,
  );

  test(
    'killed while the job runs, it goes on with that job: nothing is uploaded or started twice',
    async () => {
      const first = start(...wordsOf([['--every', '60000']]));
      while (
        !existsSync(file('train.jsonl.finetune.json')) ||
        count('GET /v1/fine_tuning/jobs/job-1/events') === 0
      )
        await new Promise((resolve) => setTimeout(resolve, 20));
      first.child.kill('SIGKILL');
      await first.ended;
      expect((await fineTune()).code).toBe(0);
      expect(api.files).toHaveLength(1);
      expect(api.jobs).toHaveLength(1);
    },
    SLOW,
  );

  test('a dry run counts the tokens that are trained, prices them, and needs no key', async () => {
    writeFileSync(file('prices.json'), '{"gpt-4o-mini": {"input": 3, "output": 0}}');
    const epochs = ['--hyperparameters', '{"n_epochs":3}', '--prices', file('prices.json')];
    const [words] = wordsOf([epochs]);
    const { code, out, err } = await remand([...words, '--dry-run']);
    expect([code, err]).toEqual([0, '']);
    const plan = JSON.parse(out);
    const characters = readFileSync(file('train.jsonl'), 'utf8').replaceAll('\n', '').length;
    expect(plan).toMatchObject({
      dry_run: true,
      examples: 2,
      epochs: 3,
      tokens: 3 * Math.ceil(characters / 4),
    });
    expect(plan.cost).toBeCloseTo((plan.tokens * 3) / 1e6, 9);
    const [unpriced] = wordsOf([]);
    const told = await remand([...unpriced.filter((word) => word !== '--json'), '--dry-run']);
    expect(told.out).toContain('No price is known for gpt-4o-mini: name that of a trained token in --prices');
    expect(api.asked).toEqual([]);
  });

  test.each([
    ['POST /v1/files', 1],
    ['POST /v1/fine_tuning/jobs', 1],
  ])(
    'where the reply to %s was lost, what it made is found again',
    async (what, made) => {
      api.faults.set(what, ['done unheard']);
      const { code, err } = await fineTune();
      expect(code).toBe(1);
      expect(err).toContain('gave no reply');
      expect((await fineTune()).code).toBe(0);
      expect(api.files).toHaveLength(made);
      expect(api.jobs).toHaveLength(made);
    },
    SLOW,
  );

  test.each([
    ['model', ['--model', 'gpt-4o-mini'], ['--model', 'gpt-4o']],
    ['validation file', ['--validation', 'validation.jsonl'], []],
    ['suffix', ['--suffix', 'one'], ['--suffix', 'two']],
    ['suffix, against none', ['--suffix', 'one'], []],
    ['seed', ['--seed', '1'], ['--seed', '2']],
    ['number of epochs', ['--hyperparameters', '{"n_epochs":1}'], ['--hyperparameters', '{"n_epochs":3}']],
  ])(
    'a job on the same examples with another %s is not taken for its own',
    async (_, others, own) => {
      const run = (state: string, words: readonly string[]) =>
        fineTune([
          ...words.map((word) => (word.endsWith('.jsonl') ? file(word) : word)),
          '--state',
          file(state),
        ]);
      // Of the job that another run made, and of its own, no reply was heard.
      expect((await run('other.json', others)).code).toBe(0);
      api.faults.set('POST /v1/fine_tuning/jobs', ['broken']);
      expect((await run('own.json', own)).code).toBe(1);
      const { code, out } = await run('own.json', own);
      expect([code, JSON.parse(out).job]).toEqual([0, 'job-2']);
      expect(api.jobs).toHaveLength(2);
    },
    SLOW,
  );

  test(
    'the job of a lost reply is found where the API names the model by its date, and chose what was left to it',
    async () => {
      api.faults.set('POST /v1/fine_tuning/jobs', ['done unheard']);
      expect((await fineTune(['--suffix', 'rbd'])).code).toBe(1);
      const [job] = api.jobs;
      if (!job) throw new Error('no job was made');
      Object.assign(job.created, {
        ...{
          model: 'gpt-4o-mini-2024-07-18',
          validation_file: null,
          user_provided_suffix: 'rbd',
          seed: 1234,
        },
        hyperparameters: { n_epochs: 3, batch_size: 'auto' },
      });
      expect((await fineTune(['--suffix', 'rbd'])).code).toBe(0);
      expect(api.jobs).toHaveLength(1);
    },
    SLOW,
  );

  test(
    'waits where the API is busy, and asks again where looking failed',
    async () => {
      api.faults.set('POST /v1/files', ['busy', 'busy']);
      api.faults.set('POST /v1/fine_tuning/jobs', ['busy']);
      api.faults.set('GET /v1/fine_tuning/jobs/job-1', ['broken']);
      expect((await fineTune()).code).toBe(0);
      expect(count('POST /v1/files')).toBe(3);
      expect(api.files).toHaveLength(1);
      expect(api.jobs).toHaveLength(1);
    },
    SLOW,
  );

  test(
    'a job that failed is exit 1 with the words of the API, and the next run starts a job on the same file',
    async () => {
      writeFileSync(file('settings.json'), SETTINGS);
      api.failWith('line 2 has no answer');
      const { code, out, err } = await fineTune();
      expect(code).toBe(1);
      expect(out).toBe('');
      expect(err).toContain('line 2 has no answer');
      expect(readFileSync(file('settings.json'), 'utf8')).toBe(SETTINGS);
      api.failWith(null);
      expect((await fineTune()).code).toBe(0);
      expect(api.files).toHaveLength(1);
      expect(api.jobs).toHaveLength(2);
    },
    SLOW,
  );

  test(
    'a note of another order, a file of another form, settings with comments, a missing or a wrong key are said, and nothing is uploaded twice',
    async () => {
      expect(await fineTune([], {})).toMatchObject({ code: 2, err: expect.stringContaining('RBD_API_KEY') });
      const wrong = await fineTune([], { RBD_API_KEY: 'sk-wrong' });
      expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('bad key') });
      expect(wrong.err).not.toContain('sk-wrong');
      writeFileSync(file('commented.json'), `// The detector\n${SETTINGS}`);
      const commented = await fineTune(['--config', file('commented.json')]);
      expect(commented).toMatchObject({
        code: 2,
        err: expect.stringContaining('commented.json: is not valid JSON'),
      });
      const other = await fineTune(['--suffix', 'other']);
      expect(other).toMatchObject({ code: 2, err: expect.stringContaining('another suffix') });
      writeFileSync(file('plain.jsonl'), '{"prompt":"p","completion":"c"}\n');
      const plain = await fineTune(['--train', file('plain.jsonl')]);
      expect(plain).toMatchObject({ code: 2, err: expect.stringContaining('plain.jsonl:1') });
      expect(api.files).toEqual([]);
    },
    SLOW,
  );
});
