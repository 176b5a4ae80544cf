/** A file that cannot be used is named: `Unexpected token` and `file is not a database` say nothing to who has fifty files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { readPapers } from '../../src/audit/authors/papers.ts';
import { openAnchorShelf } from '../../src/audit/authorship/anchor-shelf.ts';
import { loadConfig } from '../../src/cli/load-config.ts';
import { openSpool } from '../../src/dataset/langfuse/pull.ts';
import { readLocal } from '../../src/dataset/sources/mapping.ts';
import { openSqliteCalls } from '../../src/models/store/sqlite-calls.ts';
import { openDatabase } from '../../src/proxy/storage/database.ts';
import { readAllJsonl } from '../../src/records/jsonl.ts';
import { readParquet } from '../../src/records/parquet.ts';
import { startProxy } from '../proxy/servers.ts';

async function drained(all: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of all);
}

const READERS: readonly (readonly [string, string, (path: string) => unknown])[] = [
  ["the server's traces", 'a.sqlite', (path) => startProxy({ REMAND_TRACES: path })],
  ['a database', 'a.sqlite', (path) => openDatabase(path)],
  ['a call store', 'a.sqlite', (path) => openSqliteCalls(path)],
  ['a spool', 'a.sqlite', (path) => openSpool(path, 'q', '2026-01-01T00:00:00Z')],
  ['a shelf', 'a.sqlite', (path) => openAnchorShelf(path)],
  ['a calibration', 'calibration.json', (path) => loadConfig({ REMAND_CALIBRATION: path })],
  ['JSON lines', 'a.jsonl', (path) => readAllJsonl(path, z.object({}))],
  ['Parquet', 'a.parquet', (path) => drained(readParquet(path, z.object({})))],
  ['a data set', 'a.json', (path) => drained(readLocal(path, null))],
  ['papers', 'a.json', (path) => drained(readPapers(path, '--papers'))],
];

test.each(READERS)('one with something else in it: %s', async (_name, file, open) => {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, file);
  writeFileSync(path, '{"neither": JSON, nor a database, however long it is: 0123456789');
  await expect((async () => open(path))()).rejects.toThrow(path);
});

test('a database that another process writes to is named, with what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  const path = join(folder, 'a.sqlite');
  const [database, other] = [openDatabase(path), new DatabaseSync(path)];
  onTestFinished(() => {
    for (const one of [database, other]) one.close();
    rmSync(folder, { recursive: true });
  });
  database.exec('PRAGMA busy_timeout = 1');
  other.exec('BEGIN IMMEDIATE');
  const words = `${path}: database is locked; another process is writing to the file: end it, or give each process a file of its own`;
  expect(() => database.exec('DELETE FROM cache')).toThrow(words);
  expect(() => database.prepare('DELETE FROM cache').run()).toThrow(words);
});
