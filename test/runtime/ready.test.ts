/** Whether the Worker is ready: its database has been brought up to date, the last step included. */
import { exports } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { MIGRATIONS } from '../../src/proxy/storage/migrations.ts';
import { applyMigrations } from './bindings.ts';

const ready = async () => (await exports.default.fetch('http://remand.test/remand/ready')).status;

it('once all migrations have been applied, and not while the last one is missing', async () => {
  expect(await ready()).toBe(503);
  await applyMigrations(MIGRATIONS.slice(0, -1));
  expect(await ready()).toBe(503);
  await applyMigrations(MIGRATIONS.slice(-1));
  expect(await ready()).toBe(200);
});
