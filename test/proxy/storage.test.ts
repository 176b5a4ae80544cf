/** The tables are the same on Node and at the edge, whatever the file was before. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase, readMigrations } from '../../src/proxy/storage/database.ts';

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

test('a file is opened twice, and one of before there were steps is brought up to date', () => {
  const fresh = openDatabase(temporaryFile());
  onTestFinished(() => fresh.close());
  const path = temporaryFile();
  const old = new DatabaseSync(path);
  old.exec(readMigrations()[0]?.sql ?? '');
  old.exec("INSERT INTO traces (id, status, biases, body) VALUES ('kept', 'revised', ',', '{}')");
  old.close();
  for (let time = 0; time < 2; time++) {
    const database = openDatabase(path);
    expect(tables(database)).toEqual(tables(fresh));
    expect(database.prepare('SELECT id FROM traces').all()).toMatchObject([{ id: 'kept' }]);
    database.close();
  }
});
