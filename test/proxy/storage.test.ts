/** The tables are the same on Node and at the edge, whatever the file was before. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/proxy/storage/database.ts';
import { formatMigration, MIGRATIONS } from '../../src/proxy/storage/migrations.ts';
import { createSqliteTraces } from '../../src/proxy/traces/trace-stores.ts';

const FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'state.sqlite');
}

function tables(database: DatabaseSync): unknown[] {
  return database
    .prepare("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'd1_%' ORDER BY name")
    .all();
}

test('what wrangler applies is what Node applies', async () => {
  for (const migration of MIGRATIONS)
    await expect(formatMigration(migration)).toMatchFileSnapshot(join(FOLDER, migration.name));
  expect(readdirSync(FOLDER).sort()).toEqual(MIGRATIONS.map(({ name }) => name));
});

test('a file is opened twice, and one of before there were steps is brought up to date', async () => {
  const fresh = openDatabase(temporaryFile());
  onTestFinished(() => fresh.close());
  const path = temporaryFile();
  const old = new DatabaseSync(path);
  for (const statement of MIGRATIONS[0]?.statements ?? []) old.exec(statement);
  old.exec("INSERT INTO traces (id, status, biases, body) VALUES ('kept', 'revised', ',', '{}')");
  const body = JSON.stringify({ time: '2026-11-21T00:00:00.000Z', judge: 'm', moved: false });
  old
    .prepare("INSERT INTO traces (id, status, biases, body) VALUES ('open', 'failed-open', ',', ?)")
    .run(body);
  old.close();
  for (let time = 0; time < 2; time++) {
    const database = openDatabase(path);
    expect(tables(database)).toEqual(tables(fresh));
    expect(database.prepare('SELECT id FROM traces').all()).toMatchObject([{ id: 'kept' }, { id: 'open' }]);
    // Only its status tells that it was not examined.
    const traces = createSqliteTraces(database, { keep: 9, bytes: 1e6, bytesEach: 1e6 });
    expect(await traces.sums('2026-11-01')).toMatchObject([{ status: 'failed-open', unexamined: 1 }]);
    database.close();
  }
});
