/** Files that are there whole or not at all: a run that is killed, or a disk that is full, leaves nothing half-written. */

import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { describeError, RemandError } from '../errors.ts';

// Files that hold judged texts, replies or hashes of keys: readable by nobody but the user who runs Remand.

/** Of a file that is made: its owner reads and writes it. */
const PRIVATE_FILE = 0o600;
/** Of a folder that is made. */
export const PRIVATE_FOLDER = 0o700;

/** What everybody on the machine may do. */
const OTHERS = 0o007;

/**
 * Makes the file, empty, and its folders where they do not exist yet. SQLite gives the files beside it (`-wal`, `-shm`) the
 * same mode (https://www.sqlite.org/src/file/src/os_unix.c, findCreateFileMode). A file that was there before keeps its
 * content and its group; everybody else on the machine loses access.
 *
 * @throws WriteError where it cannot be opened for writing
 */
export function makePrivate(path: string): void {
  let file: number;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
    file = openSync(path, 'a', PRIVATE_FILE);
  } catch (cause) {
    const who = `user ${process.getuid?.() ?? 'of this process'}`;
    throw new WriteError(
      `${path} could not be written: ${describeError(cause)}; ${who} must be able to write in ${resolve(dirname(path))}`,
      { cause },
    );
  }
  try {
    const { mode, uid } = fstatSync(file);
    // Only its owner may change the mode.
    if (mode & OTHERS && uid === process.getuid?.()) fchmodSync(file, mode & 0o777 & ~OTHERS);
  } finally {
    closeSync(file);
  }
}

/** Bytes gathered before they are written. */
const CHUNK = 64 * 1024;

/** A file could not be written; says which. */
class WriteError extends RemandError {
  override name = 'WriteError';
}

/** A file in the making. Under its own name it appears with `commit`; one that was there before stays until then. */
export interface WholeFile {
  /** @throws WriteError naming the file */
  write(piece: string | Uint8Array): Promise<void>;
  /** Everything written is on the disk, still under the other name. @throws WriteError naming the file */
  settle(): Promise<void>;
  /** Settles it where that was not done. @throws WriteError naming the file */
  commit(): Promise<void>;
  /** Leaves nothing of it. After `commit` it does nothing. */
  abandon(): Promise<void>;
}

/** @throws WriteError naming the file */
export async function openWhole(path: string): Promise<WholeFile> {
  const partial = `${path}.partial`;
  const writing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      throw new WriteError(`${path} could not be written: ${describeError(cause)}`, {
        cause,
      });
    }
  };
  await writing(() => mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER }));
  const file: FileHandle = await writing(() => open(partial, 'w', PRIVATE_FILE));
  let gathered: Uint8Array[] = [];
  let size = 0;
  let opened = true;
  let unfinished = true;
  const flush = async () => {
    const bytes = Buffer.concat(gathered);
    gathered = [];
    size = 0;
    await writing(() => file.writeFile(bytes));
  };
  const settle = async () => {
    if (!opened) return;
    await flush();
    await writing(() => file.datasync());
    opened = false;
    await writing(() => file.close());
  };
  return {
    async write(piece) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      gathered.push(bytes);
      size += bytes.byteLength;
      if (size >= CHUNK) await flush();
    },
    settle,
    async commit() {
      await settle();
      await writing(() => rename(partial, path));
      unfinished = false;
    },
    async abandon() {
      if (!unfinished) return;
      unfinished = false;
      if (opened) await file.close();
      await rm(partial, { force: true });
    },
  };
}

/**
 * Several files that appear together, or not at all where `work` throws.
 *
 * @returns what `work` returns
 */
export async function writeWhole<Name extends string, T>(
  paths: Readonly<Record<Name, string>>,
  work: (files: Readonly<Record<Name, WholeFile>>) => Promise<T>,
): Promise<T> {
  const opened: [string, WholeFile][] = [];
  try {
    for (const [name, path] of Object.entries<string>(paths)) opened.push([name, await openWhole(path)]);
    const result = await work(Object.fromEntries(opened) as Record<Name, WholeFile>);
    // All are on the disk before the first appears: one that does not fit leaves none of the others.
    for (const [, file] of opened) await file.settle();
    for (const [, file] of opened) await file.commit();
    return result;
  } finally {
    for (const [, file] of opened) await file.abandon();
  }
}

// A SQLite file on Node, whose errors say which file it is: SQLite's own say only `database is locked`.

/** What to do about SQLite's error codes (https://www.sqlite.org/rescode.html). */
const SQLITE_REMEDIES: Readonly<Record<number, string>> = {
  5: 'another process is writing to the file: end it, or give each process a file of its own',
  8: 'the file or its folder can only be read: change its rights, or name another file',
  13: 'make room on the disk, then try again',
  14: 'the file and its folder have to be there, and yours to write',
  26: 'name another file',
};

/** The error as one that names the file; what is no error of SQLite's stays as it is. */
function nameFile(path: string, cause: unknown): unknown {
  if (!(cause instanceof Error && 'errcode' in cause)) return cause;
  const remedy = SQLITE_REMEDIES[Number(cause.errcode) & 0xff];
  return new RemandError([`${path}: ${cause.message}`, remedy].filter(Boolean).join('; '), { cause });
}

/** The same database or statement; every call that fails says of which file. */
function naming<T extends object>(path: string, of: T): T {
  return new Proxy(of, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        try {
          const result: unknown = Reflect.apply(value, target, given);
          return result instanceof StatementSync ? naming(path, result) : result;
        } catch (cause) {
          throw nameFile(path, cause);
        }
      };
    },
  });
}

/**
 * @param path of the file; `:memory:` for none
 * @param ready makes what has to be there; where it throws, the file is closed
 * @throws RemandError naming the file, SQLite's error its cause, when opened and at each call
 */
export function openSqlite(path: string, ready: (database: DatabaseSync) => void): DatabaseSync {
  let database: DatabaseSync | null = null;
  try {
    database = naming(path, new DatabaseSync(path));
    ready(database);
    return database;
  } catch (cause) {
    database?.close();
    throw nameFile(path, cause);
  }
}
