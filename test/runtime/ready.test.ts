/** Whether the Worker is ready: its database has been brought up to date, the last step included. */
import { exports } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { MIGRATIONS } from '../../src/proxy/storage/migrations.ts';
import { createWorker } from '../../src/proxy/worker.ts';
import { applyMigrations, execution } from './bindings.ts';

const ready = async () => (await exports.default.fetch('http://remand.test/remand/ready')).status;

it('once all migrations have been applied, and not while the last one is missing', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  expect(await ready()).toBe(503);
  await applyMigrations(MIGRATIONS.slice(0, -1));
  expect(await ready()).toBe(503);
  const said = log.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('d1 migrations'));
  log.mockRestore();
  // Before the first step, too, where Wrangler's own list is still to be made.
  expect(said).toEqual(Array(2).fill(expect.stringContaining('wrangler d1 migrations apply DB --remote')));
  await applyMigrations(MIGRATIONS.slice(-1));
  expect(await ready()).toBe(200);
});

it('a setting that cannot be used is told to whoever asks, and in the log', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const request = new Request('http://remand.test/remand/ready');
  const settings: object = { REMAND_MODE: 'fast' };
  const answer = await createWorker().fetch(request, settings, execution().context);
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain('REMAND_MODE: must be debias');
  expect(JSON.parse(String(log.mock.calls[0]?.[0]))).toMatchObject({
    level: 'error',
    message: expect.stringContaining('not set up: REMAND_MODE'),
  });
  log.mockRestore();
});
