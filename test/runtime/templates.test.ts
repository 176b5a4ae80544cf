/** Templates at the edge: kept in D1, known to every isolate that starts later, and learned after the answer. */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { createTemplateKeeper } from '../../src/proxy/templates/keeper.ts';
import { d1Templates, memoryTemplates } from '../../src/proxy/templates/store.ts';
import { createWorker } from '../../src/proxy/worker.ts';
import { helpDesk, pipeline } from '../proxy/help-desk.ts';
import { scriptedClock } from '../scripted-clock.ts';
import { execution, migrate } from './bindings.ts';

beforeAll(migrate);

/** An isolate of its own; the judge is the sandbox. */
function isolate(bindings: object = env) {
  const worker = createWorker();
  return async (n: number) => {
    const { context, settled } = execution();
    const url = 'http://remand.test/v1/chat/completions';
    const request = new Request(url, { method: 'POST', body: helpDesk(n, { model: 'sandbox' }) });
    const answer = await worker.fetch(request, bindings as typeof env, context);
    await answer.text();
    await settled();
    return answer;
  };
}

const rows = async () => (await env.DB.prepare('SELECT * FROM templates').all()).results;

it('are learned in one isolate and known in the next one', async () => {
  const first = isolate();
  for (let n = 0; n < 4; n++) expect((await first(n)).status).toBe(200);
  expect(await rows()).toMatchObject([{ requests: 4 }]);
  const second = isolate();
  await second(4);
  expect(await rows()).toMatchObject([{ requests: 5 }]);
});

it('cost no answer where D1 cannot be reached or has no such table', async () => {
  const fails = { prepare: () => ({ bind: fail, all: fail, first: fail, run: fail }), batch: fail };
  function fail(): never {
    throw new Error('D1_ERROR: network connection lost');
  }
  const ask = isolate({ DB: fails, REMAND_TRACES: 'off' });
  for (let n = 0; n < 3; n++) expect((await ask(n)).status).toBe(200);
});

it('are saved, loaded in their order and removed; a later decision of a person stays', async () => {
  await env.DB.prepare('DELETE FROM templates').run();
  const store = d1Templates(env.DB);
  const many = Array.from({ length: 120 }, (_, n) => pipeline(`p${String(n).padStart(3, '0')}`));
  await store.save([...many, pipeline('none', { template: null })], 1);
  const [first = pipeline('p000')] = many;
  await store.save([{ ...first, state: 'rejected', decided: 5 }], 2);
  await store.save([first], 3);
  const loaded = await store.load();
  expect(loaded).toHaveLength(120);
  expect(loaded.at(-1)).toEqual({ ...first, state: 'rejected', decided: 5 });
  await store.remove(many.slice(1).map(({ id }) => id));
  expect(await store.load()).toHaveLength(1);
  await env.DB.prepare('UPDATE templates SET template = ?').bind('{"parts":').run();
  expect(await store.load()).toEqual([]);
});

it.each([
  ['in D1', () => d1Templates(env.DB)],
  ['in memory', memoryTemplates],
] as const)('a row that has come further stays, unless what is saved was doubted: %s', async (_, open) => {
  await env.DB.prepare('DELETE FROM templates').run();
  const store = open();
  const acts = pipeline('one', { requests: 8 });
  const bare = pipeline('one', { state: 'learning', requests: 3 });
  const told = pipeline('one', {
    state: 'learning',
    template: acts.template && { ...acts.template, verdict: { kind: 'pass', labels: ['yes', 'no'] } },
  });
  const after = async (saved: typeof acts) => {
    await store.save([saved], 1);
    const [row] = await store.load();
    return row;
  };
  await after(bare);
  expect(await after(told)).toMatchObject({ template: { verdict: { kind: 'pass' } } });
  expect(await after(bare)).toMatchObject({ template: { verdict: { kind: 'pass' } } });
  expect(await after(acts)).toMatchObject({ state: 'confirmed', requests: 8 });
  expect(await after(told)).toMatchObject({ state: 'confirmed', requests: 8 });
  expect(await after({ ...acts, requests: 9 })).toMatchObject({ requests: 9 });
  expect(await after({ ...bare, doubted: true })).toMatchObject({ state: 'learning', requests: 3 });
  expect(await after({ ...bare, state: 'rejected', decided: 4 })).toMatchObject({ state: 'rejected' });
  expect(await after(acts)).toMatchObject({ state: 'rejected' });
});

it('one request makes two saves at most, and what is left is saved by the next one', async () => {
  const clock = scriptedClock(0);
  const kept = memoryTemplates();
  let saves = 0;
  const keeper = createTemplateKeeper({
    store: {
      ...kept,
      async save(pipelines, now) {
        saves++;
        // Other requests go on while it saves.
        if (saves < 5) keeper.shelf.put(pipeline(`other${saves}`));
        await kept.save(pipelines, now);
      },
    },
    clock,
    failed: () => {},
    moved: () => {},
    mayKeep: () => true,
  });
  const waits = setInterval(() => clock.pass(1_000), 1);
  onTestFinished(() => clearInterval(waits));
  keeper.shelf.put(pipeline('own'));
  await keeper.save();
  expect(saves).toBe(2);
  await keeper.save();
  expect(saves).toBe(4);
  await keeper.save();
  expect((await kept.load()).map(({ id }) => id).sort()).toEqual([
    'other1',
    'other2',
    'other3',
    'other4',
    'own',
  ]);
});

it('a decision made in one isolate reaches another one within a minute', async () => {
  await env.DB.prepare('DELETE FROM templates').run();
  const clock = scriptedClock(0);
  const keeperOf = () =>
    createTemplateKeeper({
      store: d1Templates(env.DB),
      clock,
      failed: (error) => {
        throw error;
      },
      moved: () => {},
      mayKeep: () => true,
    });
  const [one, other] = [keeperOf(), keeperOf()];
  one.shelf.put(pipeline('shared'));
  await one.save();
  await other.ready();
  one.shelf.put(pipeline('shared', { state: 'rejected', decided: 9 }));
  await one.flush();
  clock.pass(60_000);
  await other.save();
  expect(other.shelf.get('shared')).toMatchObject({ state: 'rejected' });
});

const FRUIT = ['omena', 'päärynä', 'kirsikka', 'luumu', 'mustikka', 'puolukka'];

/** A request whose words tell neither what is judged nor how to reply. */
const bare = (n: number) =>
  JSON.stringify({
    model: 'judge',
    messages: [
      {
        role: 'user',
        content: `Kumpi selitys auttaa?\n\n### Haukka:\n${FRUIT[n]} on hedelmä.\n\n### Pöllö:\n${FRUIT[n]} on kirjassa.\n\nPäätä nyt.`,
      },
    ],
  });

it('are named by a model that is asked once, after the answer', async () => {
  await env.DB.prepare('DELETE FROM templates').run();
  const named = {
    judgment: true,
    slots: [
      { slot: 1, role: 'option', label: 'Haukka' },
      { slot: 2, role: 'option', label: 'Pöllö' },
    ],
    verdict: { kind: 'choice', labels: ['haukka', 'pöllö'] },
  };
  let questions = 0;
  const real = globalThis.fetch;
  globalThis.fetch = async (_url, init) => {
    const body = init?.body;
    const asked = body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body);
    const isQuestion = asked.includes('You are shown the template');
    if (isQuestion) questions++;
    // From replies that are all alike nobody learns the form.
    const content = isQuestion ? JSON.stringify(named) : 'haukka';
    const message = { role: 'assistant', content };
    return Response.json({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
  };
  onTestFinished(() => {
    globalThis.fetch = real;
  });
  const worker = createWorker();
  const bindings = { ...env, JUDGE_BASE_URL: 'http://judge.test', REMAND_READER_MODEL: 'judge' };
  const statuses = [];
  for (let n = 0; n < 6; n++) {
    const { context, settled } = execution();
    const url = 'http://remand.test/v1/chat/completions';
    const request = new Request(url, { method: 'POST', body: bare(n) });
    const answer = await worker.fetch(request, bindings as typeof env, context);
    await answer.text();
    await settled();
    statuses.push(answer.headers.get('x-remand-status'));
  }
  expect(questions).toBe(1);
  expect(statuses.slice(0, 3)).toEqual(Array(3).fill('no-verdict'));
  expect(statuses.slice(3)).not.toContain('no-verdict');
  const [row] = await rows();
  expect(row).toMatchObject({ state: 'confirmed' });
  expect(JSON.parse(String(Object(row).template))).toMatchObject({ reader: { outcome: 'named', times: 1 } });
});
