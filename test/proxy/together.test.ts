/** Writes of one moment go into one transaction, and none is lost by that. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { writesTogether } from '../../src/proxy/storage/together.ts';

/** A database with a table of unique numbers, and a second connection, which sees only what is committed. */
function numbers() {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  const path = join(folder, 'numbers.sqlite');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE numbers (n INTEGER PRIMARY KEY)');
  const other = new DatabaseSync(path);
  onTestFinished(() => {
    for (const one of [database, other]) one.close();
    rmSync(folder, { recursive: true });
  });
  const insert = database.prepare('INSERT INTO numbers VALUES (?)');
  return {
    database,
    other,
    add: (n: number) => () => void insert.run(n),
    committed: () =>
      other
        .prepare('SELECT n FROM numbers ORDER BY n')
        .all()
        .map(({ n }) => n),
  };
}

test('who waits for a write hears of it when others can see it', async () => {
  const { database, add, committed } = numbers();
  const together = writesTogether(database);
  const first = together.write(add(1));
  const second = together.write(add(2));
  expect(committed()).toEqual([]);
  await first;
  expect(committed()).toEqual([1, 2]);
  await second;
});

test('one that cannot be written fails alone', async () => {
  const { database, add, committed } = numbers();
  const together = writesTogether(database);
  const all = await Promise.allSettled([1, 1, 2].map((n) => together.write(add(n))));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(committed()).toEqual([1, 2]);
});

test('what waits can be written at once', async () => {
  const { database, add, committed } = numbers();
  const together = writesTogether(database);
  const written = together.write(add(1));
  together.now();
  expect(committed()).toEqual([1]);
  await written;
});

test('where the database is another process’s for too long, all of them fail, and later ones do not', async () => {
  const { database, other, add, committed } = numbers();
  const together = writesTogether(database);
  other.exec('BEGIN IMMEDIATE');
  const all = await Promise.allSettled([1, 2].map((n) => together.write(add(n))));
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  other.exec('ROLLBACK');
  await together.write(add(3));
  expect(committed()).toEqual([3]);
});
