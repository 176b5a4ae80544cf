/** Everything that is kept on Node, in one SQLite file or, where the operator says so, in two. */
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../judge/types.ts';
import type { TraceStore } from '../../trace.ts';
import { type KeyTable, sqliteKeys } from '../access/keys.ts';
import { type AuditTrail, sqliteAudit } from '../audit-trail.ts';
import { sqliteAuditSql } from '../audits/sql.ts';
import { type AuditStore, createAuditStore } from '../audits/store.ts';
import { type CacheStore, sqliteCache } from '../cache/store.ts';
import { type Config, stateFile, traceLimits } from '../config.ts';
import type { LabelStore } from '../labels/label.ts';
import { sqliteLabels } from '../labels/stores.ts';
import { type Book, createBook } from '../limits/book.ts';
import { sqlSpent } from '../limits/spent.ts';
import { sqliteTraces } from '../traces/sqlite.ts';
import { checkWritable, openDatabase } from './database.ts';
import { nodeSql } from './sql.ts';
import { threadWriter } from './thread.ts';
import { type Together, writesTogether } from './together.ts';
import { directWriter } from './writes.ts';

export interface NodeStorage {
  /** Null where none are kept. */
  readonly traces: TraceStore | null;
  readonly labels: LabelStore | null;
  /** Opens the file where it is not open yet: with traces off, most who start Remand need none. */
  state(): State;
  /** In the file of the state, too, opened when one is asked for. */
  readonly audits: AuditStore;
  /** Whether there is that file. */
  hasState(): boolean;
  /** Throws where what is open cannot be written to. */
  check(): void;
  /** Writes down what waits, and closes the files. */
  close(): Promise<void>;
}

export interface State {
  readonly database: DatabaseSync;
  readonly keys: KeyTable;
  readonly audit: AuditTrail;
  readonly book: Book;
  readonly cache: CacheStore;
}

/**
 * @param options.thread whether traces and the audit trail are written on a thread of their own: for whoever serves
 * @throws where a file cannot be opened
 */
export function openStorage(config: Config, { thread }: { readonly thread: boolean }): NodeStorage {
  const { REMAND_TRACES: tracesFile } = config;
  const open = new Map<string, { readonly database: DatabaseSync; readonly together: Together }>();
  const opened = (path: string) => {
    const known = open.get(path);
    if (known) return known;
    const database = openDatabase(path);
    const writer = thread && path !== ':memory:' ? threadWriter(path) : directWriter(database);
    const fresh = { database, together: writesTogether(writer) };
    open.set(path, fresh);
    return fresh;
  };
  const kept = tracesFile === 'off' ? null : opened(tracesFile);
  const limits = traceLimits(config, tracesFile === ':memory:' ? 'memory' : 'file');
  const traces = kept && sqliteTraces(kept.database, limits, kept.together);
  let state: State | null = null;
  function opening(): State {
    if (state) return state;
    const { database, together } = opened(stateFile(config));
    state = {
      database,
      keys: sqliteKeys(database),
      audit: sqliteAudit(database, together),
      book: createBook(sqlSpent(nodeSql(database))),
      cache: sqliteCache(database, systemClock),
    };
    return state;
  }
  return {
    traces,
    labels: kept && sqliteLabels(kept.database),
    state: opening,
    audits: createAuditStore(sqliteAuditSql(() => opening().database)),
    hasState: () => open.has(stateFile(config)) || existsSync(stateFile(config)),
    check() {
      for (const { database } of open.values()) checkWritable(database);
    },
    async close() {
      for (const { database, together } of open.values()) {
        await together.close();
        database.close();
      }
    },
  };
}
