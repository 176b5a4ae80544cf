/** Anchor cases at the edge: a Cron Trigger asks them, D1 keeps the rounds. */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { D1 } from '../../src/proxy/storage/table-sql.ts';
import { createWorker } from '../../src/proxy/worker.ts';
import { SANDBOX_DEMO } from '../../src/sandbox/index.ts';
import { migrate } from './bindings.ts';

beforeAll(migrate);

/** As the owner of a Worker declares it: an interface, which has no index signature. */
interface Env {
  readonly DB: D1;
  readonly REMAND_ANCHORS: string;
}

const rows = async () => (await env.DB.prepare('SELECT * FROM anchor_rounds').all()).results;

it('a round is asked where one is due, and no sooner', async () => {
  const bindings: Env = { DB: env.DB, REMAND_ANCHORS: JSON.stringify([{ body: SANDBOX_DEMO }]) };
  await createWorker().scheduled({}, bindings);
  const kept = await rows();
  expect(kept).toMatchObject([{ answers: '["{\\"choice\\":0}"]', p: 1, alarm: 0 }]);
  // Another isolate, the same hour.
  await createWorker().scheduled({}, bindings);
  expect(await rows()).toEqual(kept);
});

it('without anchors nothing is asked', async () => {
  const before = await rows();
  await createWorker().scheduled({}, env);
  expect(await rows()).toEqual(before);
});
