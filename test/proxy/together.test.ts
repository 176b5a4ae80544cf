/** Writes of one moment go into one transaction, on a thread of their own or where they are called, and none is lost by that. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/proxy/storage/database.ts';
import { createThreadWriter } from '../../src/proxy/storage/thread.ts';
import {
  createDirectWriter,
  createWriteBatcher,
  type Write,
  type WriteOutcome,
  type Writer,
} from '../../src/proxy/storage/write-batcher.ts';

/** A file with a table of unique numbers, and a second connection, which sees only what is committed. */
function numbers() {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  const path = join(folder, 'numbers.sqlite');
  const database = openDatabase(path);
  database.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY); PRAGMA busy_timeout = 50');
  const other = new DatabaseSync(path);
  onTestFinished(() => {
    for (const one of [database, other]) one.close();
    rmSync(folder, { recursive: true });
  });
  return {
    database,
    other,
    path,
    committed: () =>
      other
        .prepare('SELECT n FROM numbers ORDER BY n')
        .all()
        .map(({ n }) => n),
  };
}

const add = (n: number): Write => ({ statement: 'INSERT INTO numbers VALUES (?)', values: [n] });

function together(writer: Writer, mostWaiting?: number) {
  const writes = createWriteBatcher(writer, mostWaiting === undefined ? {} : { mostWaiting });
  onTestFinished(async () => {
    await writes.now();
    await writer.close();
  });
  return writes;
}

describe.each<[string, (of: { database: DatabaseSync; path: string }) => Writer]>([
  ['a thread', ({ path }) => createThreadWriter(path)],
  ['the caller', ({ database }) => createDirectWriter(database)],
])('%s writes', (_who, writer) => {
  test('who waits for a write hears of it when others can see it', async () => {
    const file = numbers();
    const { write } = together(writer(file));
    const first = write(add(1));
    const second = write(add(2));
    expect(file.committed()).toEqual([]);
    await first;
    expect(file.committed()).toEqual([1, 2]);
    await second;
  });

  test('one that cannot be written fails alone', async () => {
    const file = numbers();
    const { write } = together(writer(file));
    const all = await Promise.allSettled([1, 1, 2].map((n) => write(add(n))));
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(all[1]).toMatchObject({ reason: { message: expect.stringContaining('UNIQUE') } });
    expect(file.committed()).toEqual([1, 2]);
  });

  test('what waits can be written at once, behind what is on its way', async () => {
    const file = numbers();
    const { write, now } = together(writer(file));
    const written = [write(add(1))];
    void now();
    written.push(write(add(2)));
    await now();
    expect(file.committed()).toEqual([1, 2]);
    await Promise.all(written);
  });

  test('what still waits is written when it is closed', async () => {
    const file = numbers();
    const one = writer(file);
    const { write, now } = createWriteBatcher(one);
    const written = write(add(1));
    await now();
    await one.close();
    expect(file.committed()).toEqual([1]);
    await written;
  });

  test('where the database is another process’s for too long, all of them fail, and later ones do not', async () => {
    const file = numbers();
    const { write } = together(writer(file));
    file.other.exec('BEGIN IMMEDIATE');
    const all = await Promise.allSettled([1, 2].map((n) => write(add(n))));
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    file.other.exec('ROLLBACK');
    await write(add(3));
    expect(file.committed()).toEqual([3]);
  });
});

test('a thread that dies fails what it had in hand, and another writes what comes next', async () => {
  const started: Worker[] = [];
  const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Worker };
  const real = threads.Worker;
  threads.Worker = class extends real {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      super(...given);
      started.push(this);
    }
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    threads.Worker = real;
    syncBuiltinESMExports();
  });
  const file = numbers();
  const { write, now } = together(createThreadWriter(file.path));
  const first = write(add(1));
  await now();
  await first;
  // The other holds the file, so that the thread has its batch in hand.
  file.other.exec('BEGIN IMMEDIATE');
  const lost = write(add(2));
  void now();
  const ended = started[0]?.terminate();
  file.other.exec('ROLLBACK');
  await expect(lost).rejects.toThrow();
  await ended;
  await write(add(3));
  expect(file.committed()).toEqual([1, 3]);
  expect(started).toHaveLength(2);
});

test('where the file cannot be opened, the writes fail', async () => {
  const { write } = together(createThreadWriter('/dev/null/none.sqlite'));
  await expect(write(add(1))).rejects.toThrow();
});

test('a disk that does not keep up costs writes, not all memory', async () => {
  const { promise: disk, resolve: moves } = Promise.withResolvers<void>();
  const { write, now } = together(
    {
      async write(batch) {
        await disk;
        return batch.map((): WriteOutcome => null);
      },
      close: async () => undefined,
    },
    10,
  );
  const long: Write = { statement: '', values: ['0123456789'] };
  const first = write(long);
  await expect(write(long)).rejects.toThrow('keep up');
  moves();
  await now();
  await first;
  const next = write(long);
  await now();
  await next;
});
