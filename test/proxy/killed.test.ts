/** `kill -9` under load: nothing half written, back at once, and the budget knows of every call that was sent. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { traceSchema } from '../../src/trace/trace-schema.ts';
import { startChild } from './child.ts';
import { firstPlaceLover, pairwise, RIGHT, WRONG, whole } from './judges.ts';
import { exchange, startUpstream, until } from './servers.ts';

const CLIENTS = 24;
const KILLS = 3;
/** A restart may take so many times the CPU of a first start: what was kept is not read through. */
const MOST_OF_START = 1.5;
/** A judgment has at most so many calls under way at once. */
const AT_ONCE = 2;

test('killed under load, three times over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const answer = whole(firstPlaceLover);
  const upstream = await startUpstream(async (received, response) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    await answer(received, response);
  });
  const file = join(folder, 'traces.sqlite');

  const serve = () =>
    startChild(folder, {
      JUDGE_BASE_URL: upstream.url,
      REMAND_BIASES: 'position',
      REMAND_TRACES: file,
      REMAND_LIMITS: '{"callsPerDay": 1000000}',
    });

  function kept() {
    const database = new DatabaseSync(file);
    try {
      expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
      const traces = database.prepare('SELECT id, b.body FROM traces JOIN trace_bodies b USING (seq)').all();
      const spent = database.prepare('SELECT coalesce(sum(calls), 0) AS calls FROM spent').get();
      return {
        traces: traces.map(({ id, body }) => [id, traceSchema.parse(JSON.parse(String(body)))] as const),
        charged: Number(spent?.calls),
      };
    } finally {
      database.close();
    }
  }

  function idsKept(): Set<string> {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return new Set(
        database
          .prepare('SELECT id FROM traces')
          .all()
          .map(({ id }) => String(id)),
      );
    } finally {
      database.close();
    }
  }

  const answered = new Set<string>();
  const restarts: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, url, cpuSeconds } = await serve();
    restarts.push(cpuSeconds);
    const before = answered.size;
    const clients = Array.from({ length: CLIENTS }, async () => {
      for (;;) {
        const said = await exchange(`${url}/v1/chat/completions`, {
          method: 'POST',
          body: pairwise(WRONG, RIGHT),
        }).catch(() => null);
        if (said === null) return;
        expect(said.headers['x-remand-status']).toBe('revised');
        answered.add(String(said.headers['x-remand-trace']));
      }
    });
    await until(() => answered.size - before > CLIENTS, 'judgments are being made');
    const early = [...answered].slice(before, before + CLIENTS);
    await until(() => early.every((id) => idsKept().has(id)), 'their traces are kept');
    child.kill('SIGKILL');
    await Promise.all([once(child, 'exit'), ...clients]);
    const { traces, charged } = kept();
    for (const [id, trace] of traces) {
      expect(trace).toMatchObject({ id, status: 'revised', verdicts: [{}, {}] });
      expect(trace.calls).toHaveLength(4);
    }
    // Every call that arrived was charged before it was sent; what was cut off on its way was charged, too.
    const arrived = upstream.received.length;
    expect(charged).toBeGreaterThanOrEqual(arrived);
    expect(charged - arrived).toBeLessThanOrEqual((kill + 1) * CLIENTS * AT_ONCE);
    // A trace is written right after its answer, and what was written then stays: only the last answers have none.
    const ids = new Set(traces.map(([id]) => String(id)));
    expect(early.filter((id) => !ids.has(id))).toEqual([]);
  }
  const charged = kept().charged;
  const { url, cpuSeconds } = await serve();
  restarts.push(cpuSeconds);
  const said = await exchange(`${url}/v1/chat/completions`, { method: 'POST', body: pairwise(WRONG, RIGHT) });
  expect(kept().charged - charged).toBe(Number(said.headers['x-remand-calls']));
  // CPU until the first 200 of /remand/ready: what a start waits for is the machine's. Other work only ever adds to it, so
  // the best of the three restarts after a kill is held against the first start.
  expect(restarts).toHaveLength(KILLS + 1);
  expect(Math.min(...restarts.slice(1))).toBeLessThan(MOST_OF_START * (restarts[0] ?? 0));
});
