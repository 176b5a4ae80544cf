/** Audits that were asked for over HTTP, with what is known of each so far: in SQLite on Node, in D1 at the edge. */
import * as z from 'zod';
import type { AuditSql } from './audit-sql.ts';

/** `taking`: its rows are still being written down. An audit that was removed is not there. */
export const AUDIT_STATES = ['taking', 'running', 'done', 'failed'] as const;
export type AuditState = (typeof AUDIT_STATES)[number];

const audit = z.object({
  id: z.string(),
  /** Id of the key that asked, which pays for it. */
  who: z.string(),
  /** ISO 8601. */
  created: z.string(),
  /** The settings, by the names and in the words in which they were sent. */
  asked: z.string().transform((text) => z.record(z.string(), z.string()).parse(JSON.parse(text))),
  state: z.enum(AUDIT_STATES),
  /** Why it waits, or failed; null where it does neither. */
  note: z.string().nullable(),
  /** When it goes on, ISO 8601; null where it does not wait. */
  until: z.string().nullable(),
  ended: z.string().nullable(),
  report: z
    .string()
    .nullable()
    .transform((text): unknown => text && JSON.parse(text)),
});
export type StoredAudit = z.output<typeof audit>;

const json = z.string().transform((text) => z.array(z.unknown()).parse(JSON.parse(text)));
const batch = z.object({
  place: z.number(),
  rows: json,
  /** Pieces of work in it. */
  pieces: z.number(),
  /** Of each piece, in their order; null where it has none yet. */
  records: json,
  /** Attempts in a row that got nothing further. */
  tries: z.number(),
});
export type StoredBatch = z.output<typeof batch>;

const sums = z.object({
  pieces: z.number(),
  done: z.number(),
  failed: z.number(),
  calls: z.number(),
  input: z.number(),
  output: z.number(),
});
/** `done`, failed ones included, of all `pieces`; tokens in and out. */
export type AuditProgress = z.output<typeof sums>;

/** What an attempt at a batch came to. Calls and tokens are its own, and are added up. */
export interface BatchAttempt extends Pick<AuditProgress, 'done' | 'failed' | 'calls' | 'input' | 'output'> {
  readonly records: readonly unknown[];
  readonly tries: number;
}

const AUDIT = 'id, who, created, asked, state, note, until, ended, report';
/** Statements in one transaction; their rows are up to half a megabyte each. */
const TOGETHER = 8;

export type AuditStore = ReturnType<typeof createAuditStore>;

/** @param sql with the tables of migrations 0006 and 0007 */
export function createAuditStore(sql: AuditSql) {
  const one = async <T>(schema: z.ZodType<T>, text: string, ...values: (string | number)[]) => {
    const [row] = await sql.all(text, values);
    return row === undefined ? null : schema.parse(row);
  };
  return {
    /** Its rows follow; until `ready` it is not run. */
    async begin({ id, who, created, asked }: Pick<StoredAudit, 'id' | 'who' | 'created' | 'asked'>) {
      const values = [id, who, created, JSON.stringify(asked)];
      await sql.run([
        ["INSERT INTO audits (id, who, created, asked, state) VALUES (?, ?, ?, ?, 'taking')", values],
      ]);
    },
    async add(id: string, batches: readonly Pick<StoredBatch, 'place' | 'rows' | 'pieces'>[]) {
      const add = 'INSERT INTO audit_batches (audit, place, rows, pieces) VALUES (?, ?, ?, ?)';
      for (let at = 0; at < batches.length; at += TOGETHER)
        await sql.run(
          batches
            .slice(at, at + TOGETHER)
            .map(({ place, rows, pieces }) => [add, [id, place, JSON.stringify(rows), pieces]]),
        );
    },
    async ready(id: string) {
      await sql.run([["UPDATE audits SET state = 'running' WHERE id = ? AND state = 'taking'", [id]]]);
    },
    get: (id: string): Promise<StoredAudit | null> =>
      one(audit, `SELECT ${AUDIT} FROM audits WHERE id = ?`, id),
    /** The newest first, without their reports. */
    async list(limit: number): Promise<StoredAudit[]> {
      const columns = AUDIT.replace('report', 'NULL AS report');
      const rows = await sql.all(`SELECT ${columns} FROM audits ORDER BY created DESC, id LIMIT ?`, [limit]);
      return rows.map((row) => audit.parse(row));
    },
    /** Those that are not over: a process that starts goes on with them. */
    async running(): Promise<string[]> {
      const rows = await sql.all("SELECT id FROM audits WHERE state = 'running' ORDER BY created", []);
      return rows.map((row) => z.object({ id: z.string() }).parse(row).id);
    },
    /**
     * @param until in milliseconds, as `now`; said again before it is over by whoever goes on
     * @returns whether the audit is the holder's until then; not where another holds it, or it is over
     */
    async hold(id: string, holder: string, now: number, until: number): Promise<boolean> {
      const rows = await sql.all(
        `UPDATE audits SET holder = ?, held_until = ? WHERE id = ? AND state = 'running'
         AND (holder = ? OR held_until <= ?) RETURNING id`,
        [holder, until, id, holder, now],
      );
      return rows.length > 0;
    },
    async letGo(id: string, holder: string) {
      await sql.run([['UPDATE audits SET held_until = 0 WHERE id = ? AND holder = ?', [id, holder]]]);
    },
    async progress(id: string): Promise<AuditProgress> {
      const total = ['pieces', 'done', 'failed', 'calls', 'input', 'output'];
      const columns = total.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', ');
      const found = await one(sums, `SELECT ${columns} FROM audit_batches WHERE audit = ?`, id);
      return found ?? { pieces: 0, done: 0, failed: 0, calls: 0, input: 0, output: 0 };
    },
    /** The first batch of which pieces are left; null where there is none. */
    next: (id: string): Promise<StoredBatch | null> =>
      one(
        batch,
        `SELECT place, rows, pieces, coalesce(records, '[]') AS records, tries FROM audit_batches
         WHERE audit = ? AND done < pieces ORDER BY place LIMIT 1`,
        id,
      ),
    /** A batch's records replace those it had: however often it is attempted, each piece has one. */
    async save(id: string, place: number, attempt: BatchAttempt) {
      const { records, done, failed, tries, calls, input, output } = attempt;
      await sql.run([
        [
          `UPDATE audit_batches SET records = ?, done = ?, failed = ?, tries = ?, calls = calls + ?,
           input = input + ?, output = output + ? WHERE audit = ? AND place = ?`,
          [JSON.stringify(records), done, failed, tries, calls, input, output, id, place],
        ],
      ]);
    },
    /** @param until ISO 8601; null, as the note, where it waits no longer */
    async wait(id: string, note: string | null, until: string | null) {
      await sql.run([
        ["UPDATE audits SET note = ?, until = ? WHERE id = ? AND state = 'running'", [note, until, id]],
      ]);
    },
    /** Of the batches from a place on, in their order. */
    async records(id: string, from: number, limit: number): Promise<readonly (readonly unknown[])[]> {
      const rows = await sql.all(
        "SELECT coalesce(records, '[]') AS records FROM audit_batches WHERE audit = ? AND place >= ? ORDER BY place LIMIT ?",
        [id, from, limit],
      );
      return rows.map((row) => z.object({ records: json }).parse(row).records);
    },
    /** What was judged is needed no longer, and is not kept. */
    async end(
      id: string,
      state: 'done' | 'failed',
      note: string | null,
      report: object | null,
      ended: string,
    ) {
      const told = report && JSON.stringify(report);
      await sql.run([
        [
          "UPDATE audits SET state = ?, note = ?, until = NULL, report = ?, ended = ? WHERE id = ? AND state = 'running'",
          [state, note, told, ended, id],
        ],
        ["UPDATE audit_batches SET rows = '[]' WHERE audit = ?", [id]],
      ]);
    },
    /** With all that is known of it. Whoever works on it notices at the next batch. */
    async remove(id: string) {
      await sql.run([
        ['DELETE FROM audits WHERE id = ?', [id]],
        ['DELETE FROM audit_batches WHERE audit = ?', [id]],
      ]);
    },
  };
}
