/** What was learned is there after a restart and a reload, is written seldom, and costs no answer where it cannot be written. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTemplateBook } from '../../src/case/templates/book.ts';
import { readConfig } from '../../src/proxy/config.ts';
import { startServer } from '../../src/proxy/server.ts';
import { openDatabase } from '../../src/proxy/storage/database.ts';
import { createDirectWriter, createWriteBatcher } from '../../src/proxy/storage/write-batcher.ts';
import { createTemplateKeeper, reportTemplates } from '../../src/proxy/templates/keeper.ts';
import { memoryTemplates, sqliteTemplates, type TemplateStore } from '../../src/proxy/templates/store.ts';
import { scriptedClock } from '../scripted-clock.ts';
import { helpDesk, pipeline } from './help-desk.ts';
import { whole } from './judges.ts';
import { exchange, startUpstream, until } from './servers.ts';

const PATH = '/v1/chat/completions';

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remand-templates-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'remand.sqlite');
}

/** A judge that likes the first place, whatever it is called. */
const upstreamOf = () => startUpstream(whole(() => 'A'));

async function server(settings: Record<string, string>) {
  const log: unknown[] = [];
  const running = await startServer(readConfig({ PORT: '0', ...settings }), (entry) => log.push(entry));
  onTestFinished(() => running.close(100));
  const ask = async (n: number) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await exchange(running.url + PATH, { method: 'POST', headers, body: helpDesk(n) });
    return { status: answer.status, remand: answer.headers['x-remand-status'] };
  };
  const rows = (file: string) => {
    const database = new DatabaseSync(file, { readOnly: true });
    const all = database.prepare('SELECT * FROM templates').all();
    database.close();
    return all;
  };
  return { running, ask, log, rows };
}

test('a restart and a reload lose nothing, and no text of a request is in the table', async () => {
  const { url } = await upstreamOf();
  const file = temporaryFile();
  const settings = { JUDGE_BASE_URL: url, REMAND_TRACES: file };
  const first = await server(settings);
  for (let n = 0; n < 2; n++) expect((await first.ask(n)).remand).toBe('no-verdict');
  await first.running.reload(readConfig({ ...settings, REMAND_ROUNDS: '1' }));
  for (let n = 2; n < 4; n++) await first.ask(n);
  await first.running.close(100);
  const rows = first.rows(file);
  expect(rows).toMatchObject([{ state: 'confirmed', requests: 4 }]);
  expect(JSON.stringify(rows)).not.toMatch(/parcel|warehouse|courier|invoice/);

  const second = await server(settings);
  // Its third reply is the first time that the form is looked at again, and no request is held by then.
  for (let n = 4; n < 10; n++) expect((await second.ask(n)).remand).toBe('insisted');
  const changes = [...first.log, ...second.log].filter((one) => /template-changed/.test(JSON.stringify(one)));
  const message = expect.stringMatching(/^template \S+ was learning and is confirmed$/);
  expect(changes).toEqual([expect.objectContaining({ level: 'info', path: PATH, message })]);
  await second.running.close(100);
  expect(second.rows(file)).toMatchObject([{ state: 'confirmed', requests: 10, read: 8 }]);
});

test('where no texts may be kept, a template is written down once it is confirmed', async () => {
  const { url } = await upstreamOf();
  const file = temporaryFile();
  const settings = { JUDGE_BASE_URL: url, REMAND_TRACES: file, REMAND_TRACE_TEXTS: 'off' };
  const first = await server(settings);
  for (let n = 0; n < 2; n++) await first.ask(n);
  await first.running.close(100);
  expect(first.rows(file)).toEqual([]);
  const second = await server(settings);
  for (let n = 0; n < 4; n++) await second.ask(n);
  await second.running.close(100);
  expect(second.rows(file)).toMatchObject([{ state: 'confirmed' }]);
});

test('a table that cannot be written costs a line in the log and a count, never an answer', async () => {
  const { url } = await upstreamOf();
  const file = temporaryFile();
  const first = await server({ JUDGE_BASE_URL: url, REMAND_TRACES: file });
  const other = new DatabaseSync(file);
  other.exec('DROP TABLE templates');
  other.close();
  for (let n = 0; n < 4; n++) expect(await first.ask(n)).toMatchObject({ status: 200 });
  await until(async () => {
    const metrics = await exchange(`${first.running.url}/remand/metrics`);
    return /remand_not_stored_total [1-9]/.test(metrics.body.toString());
  }, 'it is counted');
  expect(first.log).toContainEqual(expect.objectContaining({ event: 'template-not-stored' }));
});

test('with REMAND_TRACES=off templates live in memory, and outlive a reload', async () => {
  const { url } = await upstreamOf();
  const settings = { JUDGE_BASE_URL: url, REMAND_TRACES: 'off' };
  const { running, ask } = await server(settings);
  for (let n = 0; n < 3; n++) await ask(n);
  await running.reload(readConfig(settings));
  expect((await ask(3)).remand).toBe('insisted');
});

const stores: readonly [string, () => TemplateStore][] = [
  ['memory', memoryTemplates],
  [
    'SQLite',
    () => {
      const database = openDatabase(':memory:');
      onTestFinished(() => database.close());
      const together = createWriteBatcher(createDirectWriter(database));
      return sqliteTemplates(() => ({ database, together }));
    },
  ],
];

describe.each(stores)('in %s', (_, made) => {
  test('what is saved is loaded, the latest last; what is removed is gone, where no person decided', async () => {
    const store = made();
    const of = (id: string) => pipeline(id, { origin: { tenant: 'k', path: '/p', schema: { a: [1] } } });
    await store.save([of('one'), pipeline('none', { template: null })], 1);
    await store.save([of('two')], 2);
    await store.save([{ ...of('one'), requests: 9 }], 3);
    expect(await store.load()).toEqual([of('two'), { ...of('one'), requests: 9 }]);
    await store.save([{ ...of('three'), state: 'rejected', decided: 4 }], 4);
    await store.remove(['two', 'three', 'unknown']);
    expect(await store.load()).toMatchObject([{ id: 'one', requests: 9 }, { id: 'three' }]);
  });

  test('what a person decided later is not overwritten by who has not heard of it', async () => {
    const store = made();
    const rejected = pipeline('one', { state: 'rejected', decided: 20 });
    await store.save([rejected], 1);
    await store.save([pipeline('one', { state: 'approved', decided: 10 })], 2);
    await store.save([pipeline('one')], 3);
    expect(await store.load()).toEqual([rejected]);
    await store.save([{ ...rejected, requests: 5 }], 4);
    expect(await store.load()).toEqual([{ ...rejected, requests: 5 }]);
  });
});

test('what a person decided on another server is not removed by the one that has no room for it', async () => {
  const store = memoryTemplates();
  const keeperOf = () =>
    createTemplateKeeper({
      ...{ store, clock: scriptedClock(0), moved: () => {}, mayKeep: () => true },
      failed(error) {
        throw error;
      },
    });
  await store.save([pipeline('one')], 1);
  const [deciding, full] = [keeperOf(), keeperOf()];
  await Promise.all([deciding.ready(), full.ready()]);
  const decided = pipeline('one', { state: 'approved', decided: 5 });
  deciding.shelf.put(decided);
  await deciding.flush();
  for (let n = 0; full.shelf.get('one'); n++) full.shelf.put(pipeline(`more${n}`));
  await full.flush();
  expect(await store.load()).toContainEqual(decided);
});

describe('the keeper', () => {
  function keeping(fails = false) {
    const clock = scriptedClock(0);
    const saves: number[] = [];
    const failures: unknown[] = [];
    const kept = memoryTemplates();
    const store: TemplateStore = {
      ...kept,
      async save(pipelines, now) {
        saves.push(pipelines.length);
        if (fails) throw new Error('full');
        await kept.save(pipelines, now);
      },
    };
    const failed = (error: unknown) => failures.push(error);
    const keeper = createTemplateKeeper({ store, clock, failed, moved: () => {}, mayKeep: () => true });
    return { clock, keeper, saves, store, failures };
  }

  test('writes two rows for 1,000 requests within a second: the first, and what became of it', async () => {
    const { clock, keeper, saves, store } = keeping();
    await keeper.ready();
    const learned = pipeline('one');
    const work = Array.from({ length: 1_000 }, (_, n) => {
      keeper.shelf.put({ ...learned, requests: n + 1 });
      return keeper.save();
    });
    await new Promise(setImmediate);
    expect(saves).toEqual([1]);
    clock.pass(1_000);
    await Promise.all(work);
    expect(saves).toEqual([1, 1]);
    expect(await store.load()).toMatchObject([{ id: 'one', requests: 1_000 }]);
  });

  test('what could not be saved is saved with the next change, as it is by then', async () => {
    const { clock, keeper, failures, saves } = keeping(true);
    await keeper.ready();
    keeper.shelf.put(pipeline('one'));
    await keeper.save();
    expect(failures).toHaveLength(1);
    clock.pass(2_000);
    keeper.shelf.put(pipeline('two'));
    await keeper.save();
    expect(saves).toEqual([1, 2]);
  });

  test('what a person decided elsewhere reaches who has it already, and ends a twin', async () => {
    const { keeper, store } = keeping();
    const same = pipeline('theirs').template;
    keeper.shelf.put(pipeline('mine'));
    keeper.shelf.put(pipeline('twin', { template: same }));
    await store.save([pipeline('mine', { state: 'rejected', decided: 5, requests: 1 })], 1);
    await store.save([pipeline('theirs', { state: 'rejected', decided: 5 })], 2);
    await keeper.ready();
    expect(keeper.shelf.all()).toMatchObject([
      { id: 'mine', state: 'rejected', requests: 4 },
      { id: 'theirs', state: 'rejected' },
    ]);
  });

  test('a tenant with many pipelines pushes out its own, and no decision of a person', () => {
    const { keeper } = keeping();
    const of = (tenant: string, n: number, more = {}) =>
      pipeline(`${tenant}${n}`, { origin: { tenant, path: `/${n}`, schema: null }, ...more });
    keeper.shelf.put(of('small', 0));
    keeper.shelf.put(of('big', 0, { state: 'rejected', decided: 1 }));
    for (let n = 1; n < 1_100; n++) keeper.shelf.put(of('big', n));
    expect(keeper.shelf.all()).toHaveLength(1_000);
    expect(keeper.shelf.get('small0')).toBeDefined();
    expect(keeper.shelf.get('big0')).toBeDefined();
    expect(keeper.shelf.get('big1')).toBeUndefined();
  });
});

describe('a book', () => {
  const origin = { tenant: '', path: PATH, schema: null };
  const prompt = (n: number) => ({
    parts: (JSON.parse(helpDesk(n)).messages as { role: string; content: string }[]).map(
      ({ role, content }) => ({ role, text: content }),
    ),
  });

  test('does not learn anew what a person rejected', () => {
    const book = createTemplateBook({ templates: [], learn: 'auto', id: () => crypto.randomUUID() });
    for (let n = 0; n < 3; n++) book.learn(origin, prompt(n), null);
    const [learned] = book.pipelines();
    if (!learned) throw new Error('nothing was learned');
    expect(learned.state).toBe('confirmed');
    book.put({ ...learned, state: 'rejected', decided: 1 });
    for (let n = 3; n < 8; n++) book.learn(origin, prompt(n), null);
    expect(book.pipelines()).toMatchObject([{ id: learned.id, state: 'rejected', requests: 8 }]);
    expect(book.read(origin, prompt(9), null)).toMatchObject({ kind: 'none', acts: false });
  });

  test('goes on learning with a template whose requests were not kept', () => {
    const made = createTemplateBook({ templates: [], learn: 'auto', id: () => crypto.randomUUID() });
    for (let n = 0; n < 2; n++) made.learn(origin, prompt(n), null);
    const [learned] = made.pipelines();
    if (!learned) throw new Error('nothing was learned');
    const book = createTemplateBook({ templates: [], learn: 'auto', id: () => crypto.randomUUID() });
    book.put({ ...learned, samples: [] });
    for (let n = 2; n < 6; n++) book.learn(origin, prompt(n), null);
    expect(book.pipelines()).toMatchObject([{ id: learned.id, state: 'confirmed', requests: 6 }]);
  });
});

test('a template that no longer acts is a warning in the log, with the key whose requests it reads', () => {
  const entries: unknown[] = [];
  const report = reportTemplates({ metrics: { notStored() {} }, log: (entry) => entries.push(entry) });
  const origin = { tenant: 'key-1', path: PATH, schema: null };
  report.moved(pipeline('one', { origin, state: 'learning' }), 'confirmed');
  const message = 'template one was confirmed and is learning';
  expect(entries).toEqual([{ level: 'warn', event: 'template-changed', path: PATH, who: 'key-1', message }]);
});
