/** Everything that is kept on Node, in one SQLite file or, where the operator says so, in two. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { InputError, RemandError } from '../errors.ts';
import { systemClock } from '../ports.ts';
import { formatJsonLine } from '../records/node.ts';
import type { TraceStore } from '../trace/index.ts';
import { createKeyTable, type KeyTable } from './access/key-store.ts';
import { type AnchorStore, createAnchorStore } from './anchors/anchor-store.ts';
import { ADD_ENTRY, type AuditTrail, createStoredTrail } from './audit-trail.ts';
import { type AuditStore, createAuditStore } from './audits/audit-store.ts';
import { type CacheStore, createSqliteCache } from './cache/cache-store.ts';
import { type Config, findStateFile, readTraceLimits } from './config.ts';
import { createLabelStore, type LabelStore } from './labels/label.ts';
import { type Book, createBook, createSqlSpending } from './limits/account-book.ts';
import type { Log } from './log.ts';
import { checkLock, checkWritable, openDatabase } from './storage/database.ts';
import { createSqliteTables } from './storage/table-sql.ts';
import { createThreadWriter } from './storage/thread.ts';
import {
  createDirectWriter,
  createMonitoredWriter,
  createNodeSql,
  createWriteBatcher,
  type MonitoredWriter,
  type WriteBatcher,
} from './storage/write-batcher.ts';
import { memoryTemplates, sqliteTemplates, type TemplateStore } from './templates/store.ts';
import { createSqliteTraces } from './traces/trace-stores.ts';

export interface NodeStorage {
  /** Null where none are kept. */
  readonly traces: TraceStore | null;
  readonly labels: LabelStore | null;
  /** In the file of the state; in memory where traces are off and no such file is named. */
  readonly templates: TemplateStore;
  readonly anchors: AnchorStore;
  /** In the file of the state, opened with the first entry. */
  readonly audit: AuditTrail;
  /** Opens the file where it is not open yet: with traces off, most who start Remand need none. */
  state(): State;
  /** In the file of the state, too, opened when one is asked for. */
  readonly audits: AuditStore;
  /** Whether there is that file. */
  hasState(): boolean;
  /** Rejects where what is open cannot be written to, or something is owed that cannot be written. */
  check(): Promise<void>;
  /** Writes down what waits, and closes the files. */
  close(): Promise<void>;
}

interface OpenFile {
  readonly database: DatabaseSync;
  readonly writer: MonitoredWriter;
  /** Of traces. */
  readonly together: WriteBatcher;
  /** Of the audit trail: a queue of its own, which no trace can fill. */
  readonly trail: WriteBatcher;
}

/** How long an entry of the audit trail waits for others, in milliseconds: an answer waits for it. */
const TRAIL_MOMENT_MS = 1;

/** How often something is written to find out whether anything can be, in milliseconds. */
const CHECK_MS = 200;

export interface State {
  readonly database: DatabaseSync;
  readonly keys: KeyTable;
  readonly audit: AuditTrail;
  readonly book: Book;
  readonly cache: CacheStore;
}

/**
 * @param options.thread whether traces and the audit trail are written on a thread of their own: for whoever serves
 * @param options.log told what is kept and cannot be read
 * @throws where a file cannot be opened
 */
export function openStorage(
  config: Config,
  { thread, log }: { readonly thread: boolean; readonly log: Log },
): NodeStorage {
  const { REMAND_TRACES: tracesFile } = config;
  const open = new Map<string, OpenFile>();
  const opened = (path: string): OpenFile => {
    const known = open.get(path);
    if (known) return known;
    const database = openDatabase(path);
    const writer = createMonitoredWriter(
      thread && path !== ':memory:' ? createThreadWriter(path) : createDirectWriter(database),
    );
    const fresh = {
      database,
      writer,
      together: createWriteBatcher(writer),
      // Answers wait for it, and so there is never more of it than there are requests.
      trail: createWriteBatcher(writer, { mostWaiting: Number.POSITIVE_INFINITY, momentMs: TRAIL_MOMENT_MS }),
    };
    open.set(path, fresh);
    return fresh;
  };
  const kept = tracesFile === 'off' ? null : opened(tracesFile);
  const limits = readTraceLimits(config, tracesFile === ':memory:' ? 'memory' : 'file');
  const tables = kept && createSqliteTables(() => kept.database);
  const traces = kept && createSqliteTraces(kept.database, limits, kept.together);
  // Where it fails the writer knows, and so does whoever asks whether the server is ready.
  if (thread) traces?.prune().catch(() => undefined);
  const stateFile = () => opened(findStateFile(config));
  const audit = createStoredTrail(
    createSqliteTables(
      () => stateFile().database,
      () => stateFile().trail,
    ),
  );
  let state: State | null = null;
  function opening(): State {
    if (state) return state;
    const { database } = stateFile();
    state = {
      database,
      keys: createKeyTable(createSqliteTables(() => database)),
      audit,
      book: createBook(createSqlSpending(createNodeSql(database))),
      cache: createSqliteCache(database, systemClock),
    };
    return state;
  }

  const hasState = () => open.has(findStateFile(config)) || existsSync(findStateFile(config));
  const inFile = sqliteTemplates(stateFile);
  const templates: TemplateStore =
    tracesFile === 'off' && config.REMAND_STATE === undefined
      ? memoryTemplates()
      : { ...inFile, load: async () => (hasState() ? inFile.load() : []) };

  let looked: { readonly at: number; readonly error: unknown } | null = null;

  /** @throws where something that is to be kept cannot be */
  async function check(): Promise<void> {
    const behind = audit.owed() > 0 || [...open.values()].some(({ writer }) => writer.failure() !== null);
    // Anybody may ask, and finding out writes.
    if (looked && systemClock.elapsed() - looked.at < CHECK_MS && behind === (looked.error !== null)) {
      if (looked.error !== null) throw looked.error;
      for (const { database } of open.values()) checkLock(database);
      return;
    }
    try {
      for (const { database, writer } of open.values()) {
        checkWritable(database, writer.failure()?.length ?? 0);
        writer.forget();
      }
      state?.book.settle();
      await audit.settle();
      looked = { at: systemClock.elapsed(), error: null };
    } catch (error) {
      looked = { at: systemClock.elapsed(), error };
      throw error;
    }
  }

  return {
    traces,
    state: opening,
    audits: createAuditStore(createSqliteTables(() => opening().database)),
    labels: tables && createLabelStore(tables, log),
    anchors: createAnchorStore(tables ?? createSqliteTables(() => opened(':memory:').database)),
    hasState,
    templates,
    audit,
    check,
    async close() {
      // What is owed still may be written now; where it may not, each entry has been told of when it failed.
      if (audit.owed() > 0) await Promise.allSettled([audit.settle()]);
      for (const { database, writer, together, trail } of open.values()) {
        await Promise.all([together.now(), trail.now()]);
        await writer.close();
        database.close();
      }
    },
  };
}

// Traces that are to go before their time.

/** Of which judgments: all that is said has to be true of them. */
export interface ErasedTraces {
  /** Id of the key that asked for them. */
  readonly key: string | undefined;
  /** They are of days before this one: `2026-11-01`, in UTC. */
  readonly before: string | undefined;
}

/** Traces in one transaction: a server on the same file waits for its end. */
const ERASED_TOGETHER = 200;

/** What finds the places of the traces. */
function findErased({ key, before }: ErasedTraces, audit: string): string {
  const ofKey = `id IN (SELECT subject FROM ${audit} WHERE who = '${key}' AND action = 'judged')`;
  const chosen = [key !== undefined && ofKey, before !== undefined && `day < '${before}'`].filter(Boolean);
  return `SELECT seq FROM traces WHERE ${chosen.join(' AND ')}`;
}

/** The last one takes the traces out of the list by which they are found. */
const eraseAt = (places: string): string[] =>
  ['trace_bodies', 'traces'].map((table) => `DELETE FROM ${table} WHERE seq IN (${places})`);

/** What the audit trail says of it, before it is done: at the time when the statement runs. */
function tellErased({ key, before }: ErasedTraces): string {
  const subject = [key && `key ${key}`, before && `before ${before}`].filter(Boolean).join(', ');
  const time = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";
  return `INSERT INTO audit (time, who, action, subject) SELECT ${time}, 'operator', 'traces-erased', '${subject}'`;
}

/** The statements for D1. @param which as the operator wrote it, checked: it stands in SQL */
export const formatErase = (which: ErasedTraces): string =>
  [
    `${tellErased(which)} WHERE EXISTS (${findErased(which, 'audit')})`,
    ...eraseAt(findErased(which, 'audit')),
  ]
    .map((statement) => `${statement};\n`)
    .join('');

/**
 * Erases traces from the files of this configuration, which a server may have open. Their bytes are overwritten. The audit trail
 * says so, where there is one.
 *
 * @param which as the operator wrote it, checked: it stands in SQL
 * @returns how many there were, and whether their bytes are still in the `-wal` file, because another process reads it
 * @throws InputError where no traces are kept
 */
export function eraseTraces(
  config: Config,
  which: ErasedTraces,
): { readonly erased: number; readonly isRead: boolean } {
  const { REMAND_TRACES: file } = config;
  if (!existsSync(file)) throw new InputError('REMAND_TRACES', `there is no file ${file}`);
  const state = findStateFile(config);
  const isApart = state !== file && existsSync(state);
  if (which.key !== undefined && state !== file && !isApart)
    throw new InputError('REMAND_STATE', `there is no file ${state}`);
  const database = openDatabase(file);
  try {
    // https://www.sqlite.org/pragma.html#pragma_secure_delete
    database.exec('PRAGMA secure_delete = ON');
    const isAttached = isApart && which.key !== undefined;
    if (isAttached) database.prepare('ATTACH DATABASE ? AS state').run(state);
    // Found once, and by reading alone: the audit trail is long, and a server that writes would wait for the end.
    database.exec(`CREATE TEMP TABLE erased AS ${findErased(which, isAttached ? 'state.audit' : 'audit')}`);
    if (database.prepare('SELECT 1 FROM temp.erased LIMIT 1').get()) {
      const trail = isApart ? openDatabase(state) : database;
      try {
        trail.exec(tellErased(which));
      } finally {
        if (isApart) trail.close();
      }
    }
    const statements = [
      ...eraseAt(`SELECT seq FROM temp.erased ORDER BY seq LIMIT ${ERASED_TOGETHER}`),
      `DELETE FROM temp.erased WHERE seq IN (SELECT seq FROM temp.erased ORDER BY seq LIMIT ${ERASED_TOGETHER})`,
    ].map((one) => database.prepare(one));
    const { transaction } = createNodeSql(database);
    let erased = 0;
    while (database.prepare('SELECT 1 FROM temp.erased LIMIT 1').get())
      erased += transaction(() => statements.map((one) => Number(one.run().changes))[1] ?? 0);
    // The pages of before are in the -wal file, too.
    const { busy } = database.prepare('PRAGMA main.wal_checkpoint(TRUNCATE)').get() ?? {};
    return { erased, isRead: busy !== 0 };
  } finally {
    database.close();
  }
}

// The audit trail's old entries, in a file of their own.

/** As it stands in the table. */
type TrailRow = Readonly<Record<string, unknown>>;

/**
 * Takes the entries of days before one out of the audit trail, once they are written down elsewhere. An entry with their SHA-256 is
 * added to the trail: the next file holds it, so that each vouches for the one before it.
 *
 * @param before as the operator wrote it, checked
 * @param keep writes the entries down for good, as lines of JSON
 * @returns how many there were; their hash, as of that file, or null where there was none
 * @throws InputError where traces of these days are kept: only the trail says whose they are
 */
export async function cutTrail(
  config: Config,
  before: string,
  keep: (entries: Iterable<TrailRow>) => Promise<void>,
): Promise<{ readonly entries: number; readonly hash: string | null }> {
  const file = findStateFile(config);
  if (!existsSync(file)) throw new InputError('REMAND_STATE', `there is no file ${file}`);
  // Where no more traces are kept, or elsewhere, those of before may still be beside the trail.
  for (const kept of new Set([config.REMAND_TRACES, file])) refuseWhereKept(kept, before);
  const database = openDatabase(file);
  try {
    // Entries are only ever added, at the end: what is before this one stays as it is.
    const { last } = database.prepare('SELECT max(seq) AS last FROM audit WHERE time < ?').get(before) ?? {};
    if (last === null || last === undefined) return { entries: 0, hash: null };
    const sum = createHash('sha256');
    let entries = 0;
    const old = 'FROM audit WHERE seq <= ? AND time < ?';
    const rows = database.prepare(`SELECT seq, time, who, action, subject ${old} ORDER BY seq`);
    function* counted(): Generator<TrailRow> {
      for (const row of rows.iterate(last ?? 0, before)) {
        entries++;
        sum.update(formatJsonLine(row));
        yield row;
      }
    }
    await keep(counted());
    const hash = sum.digest('hex');
    createNodeSql(database).transaction(() => {
      const { changes } = database.prepare(`DELETE ${old}`).run(last ?? 0, before);
      if (Number(changes) !== entries)
        throw new RemandError(`${file}: another process cut the trail meanwhile`);
      database
        .prepare(ADD_ENTRY)
        .run(new Date(systemClock.now()).toISOString(), 'operator', 'trail-cut', hash);
    });
    return { entries, hash };
  } finally {
    database.close();
  }
}

function refuseWhereKept(file: string, before: string): void {
  if (!existsSync(file)) return;
  const database = openDatabase(file);
  try {
    if (database.prepare('SELECT 1 FROM traces WHERE day IS NULL OR day < ? LIMIT 1').get(before))
      throw new InputError(
        '--before',
        `traces of before ${before} are kept in ${file}, and only the trail says whose they are: erase them first (REMAND_TRACES=${file} remand erase --before ${before}), or give an earlier day`,
      );
  } finally {
    database.close();
  }
}
