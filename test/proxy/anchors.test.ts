/** Anchor cases over HTTP: asked when they are due, an alarm where their verdicts change, kept over a restart, told where it can be seen. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/cli/load-config.ts';
import { type Clock, systemClock } from '../../src/ports.ts';
import { createAnchorStore } from '../../src/proxy/anchors/anchor-store.ts';
import { createAnchorWatch, startAnchorTimer } from '../../src/proxy/anchors/anchor-watch.ts';
import { openProxy } from '../../src/proxy/embedded.ts';
import { openDatabase } from '../../src/proxy/storage/database.ts';
import { createSqliteTables } from '../../src/proxy/storage/table-sql.ts';
import { type ScriptedClock, scriptedClock } from '../scripted-clock.ts';
import { pairwise, RIGHT, replyBody, WRONG } from './judges.ts';
import { exchange, type Reply, startProxy, startUpstream, until } from './servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-anchors-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COUNT = 12;
const anchors = join(folder, 'anchors.jsonl');
writeFileSync(
  anchors,
  Array.from({ length: COUNT }, (_, n) => {
    const body = JSON.parse(
      n % 2 === 0 ? pairwise(`${RIGHT} (${n})`, WRONG) : pairwise(WRONG, `${RIGHT} (${n})`),
    );
    return `${JSON.stringify({ body })}\n`;
  }).join(''),
);

/** Right until it is turned; then the other one of all of them. */
function createTurning() {
  const judge = { turned: false, asked: 0, refuses: false };
  const answer: Reply = (received, response) => {
    judge.asked++;
    response.setHeader('content-type', 'application/json');
    if (judge.refuses) {
      response.statusCode = 400;
      return void response.end('{"error":{"message":"no such model"}}');
    }
    const { messages } = JSON.parse(received.body.toString());
    const isFirst = messages.at(-1).content.indexOf(RIGHT) < messages.at(-1).content.indexOf(WRONG);
    response.end(replyBody(isFirst !== judge.turned ? 'Output (a)' : 'Output (b)'));
  };
  return { judge, answer };
}

/** A server on a day of its own; it asks once, and again a day later. */
async function serveOn(day: number, settings: Record<string, string>) {
  const clock: Clock = { ...systemClock, now: () => Date.UTC(2027, 0, 1 + day) };
  const proxy = await startProxy(settings, clock);
  const read = async () => JSON.parse((await exchange(`${proxy.url}/remand/anchors`)).body.toString());
  await until(async () => (await read()).rounds[0]?.time === clock.now(), 'a round is kept');
  const { compared, rounds } = await read();
  const [latest] = rounds;
  const metrics = (await exchange(`${proxy.url}/remand/metrics`)).body.toString();
  await exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', body: pairwise(RIGHT, WRONG) });
  const page = (await exchange(`${proxy.url}/remand`, { headers: { accept: 'text/html' } })).body.toString();
  await proxy.close();
  return { latest, compared, metrics, page, log: proxy.log };
}

test('a judge that turns raises an alarm, once; rounds and evidence outlive the process', {
  timeout: 60_000,
}, async () => {
  const { judge, answer } = createTurning();
  const upstream = await startUpstream(answer);
  const { REMAND_ANCHORS: requests } = await loadConfig({ REMAND_ANCHORS: anchors });
  expect(requests).toHaveLength(COUNT);
  const settings = {
    ...{ JUDGE_BASE_URL: upstream.url, REMAND_TRACES: join(folder, 'traces.sqlite'), REMAND_MODE: 'off' },
    ...{ REMAND_ANCHORS: JSON.stringify(requests), REMAND_ANCHORS_ALARM: '100' },
  };
  for (let day = 0; day < 4; day++)
    expect(await serveOn(day, settings)).toMatchObject({ compared: day + 1, latest: { alarm: false, p: 1 } });
  judge.turned = true;
  const { latest, compared, metrics, page, log } = await serveOn(4, settings);
  expect(compared).toBe(0);
  expect(latest).toMatchObject({ alarm: true });
  expect(latest.answers).toHaveLength(COUNT);
  expect(latest.p).toBeLessThan(0.001);
  expect(metrics).toContain('remand_fingerprint_changes_total{what="verdicts"} 1');
  expect(metrics).toContain('remand_anchor_rounds_total{answered="all"} 1');
  expect(metrics).toContain(`remand_anchor_answers_total ${COUNT}`);
  expect(metrics).toContain(`remand_calls_total{kind="anchor",ok="true"} ${COUNT}`);
  expect(metrics).toMatch(/remand_tokens_total\{kind="anchor",direction="input"\} [1-9]/);
  expect(log.filter(({ event }) => event === 'anchors-changed')).toMatchObject([
    { level: 'warn', message: expect.stringContaining(`${COUNT} of ${COUNT} unlike most earlier rounds`) },
  ]);
  expect(page).toContain('the anchor cases');
  // What it is from now on is what it is compared with.
  expect((await serveOn(5, settings)).latest).toMatchObject({ alarm: false, evidence: 0.5 });
  // A round that is not due is not asked.
  const before = judge.asked;
  await serveOn(5, settings);
  expect(judge.asked).toBe(before + 1);
});

test('a judge that fails has no verdict, which is told and no change', async () => {
  const { judge, answer } = createTurning();
  const upstream = await startUpstream(answer);
  const settings = {
    ...{ JUDGE_BASE_URL: upstream.url, REMAND_TRACES: join(folder, 'failing.sqlite') },
    REMAND_ANCHORS: JSON.stringify((await loadConfig({ REMAND_ANCHORS: anchors })).REMAND_ANCHORS),
  };
  for (let day = 0; day < 3; day++) await serveOn(day, settings);
  judge.refuses = true;
  const { latest, log, metrics } = await serveOn(3, settings);
  expect(latest).toMatchObject({ alarm: false, p: 1, answers: Array.from({ length: COUNT }, () => null) });
  expect(metrics).toContain('remand_anchor_rounds_total{answered="some"} 1');
  expect(log.filter(({ event }) => event === 'anchor-failed')).toMatchObject([
    { message: expect.stringMatching(/^12 of 12: .*400/) },
  ]);
});

/** One anchor case and a judge that always says the same. */
function openWatch(
  clock: ScriptedClock,
  minutes: string,
  asked = () => {},
  database = openDatabase(':memory:'),
) {
  const request = { path: '/v1/chat/completions', body: JSON.parse(pairwise(RIGHT, WRONG)) };
  const { ports, config } = openProxy(
    { REMAND_ANCHORS: JSON.stringify([request]), REMAND_ANCHORS_MINUTES: minutes, REMAND_TRACES: 'off' },
    {
      clock,
      log: () => {},
      async fetch() {
        asked();
        return new Response(replyBody('Output (a)'), { headers: { 'content-type': 'application/json' } });
      },
    },
  );
  const store = createAnchorStore(createSqliteTables(() => database));
  const watch = createAnchorWatch(ports, config, store);
  if (!watch) throw new Error('no anchors');
  return watch;
}

test('a clock that was weeks ahead for a round keeps no later one from being asked', async () => {
  const clock = scriptedClock(Date.UTC(2027, 1, 14));
  const watch = openWatch(clock, '1440');
  await watch.round(new AbortController().signal);
  clock.jump(Date.UTC(2027, 0, 1) - clock.now());
  const evidence: (number | undefined)[] = [];
  for (let day = 0; day < 3; day++) {
    evidence.push((await watch.round(new AbortController().signal))?.evidence);
    expect(await watch.due()).toBe(86_400_000);
    clock.pass(86_400_000);
  }
  // Each goes on from the one before it.
  expect(evidence).toEqual([0.5, 0.75, 0.875]);
});

test('of two processes on one file one asks, and the other where that one is ended', async () => {
  const clock = scriptedClock(Date.UTC(2027, 0, 1));
  const path = join(folder, 'shared.sqlite');
  const open = (asked: () => void) => openWatch(clock, '1440', asked, openDatabase(path));
  let calls = 0;
  const both = [0, 1].map(() => open(() => void calls++));
  for (let day = 0; day < 2; day++) {
    const rounds = await Promise.all(both.map((one) => one.round(new AbortController().signal)));
    expect(rounds.filter((one) => one !== null)).toHaveLength(1);
    clock.pass(86_400_000);
  }
  expect(calls).toBe(2);
  const ending = new AbortController();
  const ended = open(() => ending.abort(new Error('stopping')));
  await expect(ended.round(ending.signal)).rejects.toThrow('stopping');
  expect(await both[0]?.round(new AbortController().signal)).toMatchObject({ evidence: 0.875 });
  expect(await both[1]?.list()).toHaveLength(3);
});

test('rounds further apart than a timer reaches are waited for by the hour, by the clock on the wall', async () => {
  const hour = 3_600_000;
  const clock = scriptedClock(Date.UTC(2027, 0, 1));
  const watch = openWatch(clock, '40000');
  const stop = startAnchorTimer(watch, { clock, log: () => {} });
  for (let n = 0; n < 3; n++) await clock.passOnceAsked(hour);
  expect(await watch.list()).toHaveLength(1);
  clock.jump(40_000 * 60_000);
  const isAsked = async () => {
    clock.pass(hour);
    return (await watch.list()).length === 2;
  };
  await until(isAsked, 'the next round is asked');
  await stop();
  expect(Math.max(...clock.asked)).toBeLessThanOrEqual(hour);
});

test('a trigger that comes as often as rounds are due asks each time, a few seconds early or late', async () => {
  const clock = scriptedClock(Date.UTC(2027, 0, 1));
  const watch = openWatch(clock, '60', () => clock.pass(90_000));
  const began = clock.now();
  const runs: [number, boolean][] = [
    [0, true],
    [58, false],
    [60 - 0.1, true],
    [120, true],
    [180 + 0.2, true],
    [181, false],
    [240 - 0.1, true],
  ];
  for (const [minutes, isDue] of runs) {
    clock.pass(began + minutes * 60_000 - clock.now());
    const round = await watch.round(new AbortController().signal);
    expect(round?.time ?? null, `at minute ${minutes}`).toBe(isDue ? began + minutes * 60_000 : null);
  }
});

test.each([
  ['not a line', /REMAND_ANCHORS: .*line 2 is not valid JSON/],
  ['{"bodi": {}}', /REMAND_ANCHORS/],
  ['{"path": "chat", "body": {}}', /REMAND_ANCHORS/],
])('%s is refused with its place', async (line, message) => {
  const path = join(folder, 'wrong.jsonl');
  writeFileSync(path, `{"body": {}}\n${line}\n`);
  await expect(loadConfig({ REMAND_ANCHORS: path })).rejects.toThrow(message);
});
