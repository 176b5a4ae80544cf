/** Audits that were asked for over HTTP: their settings, their rows in batches, and the records of each batch. */
import * as z from 'zod';
import type { RowBatch } from '../../audit/index.ts';
import { createJsonColumn, type TableSql } from '../storage/table-sql.ts';

const audit = z.object({
  id: z.string(),
  /** Id of the key that asked, which pays for it. */
  who: z.string(),
  /** ISO 8601, as all times here. */
  created: z.string(),
  /** The settings as they were sent. */
  asked: createJsonColumn(z.record(z.string(), z.string())),
  /** `taking`: its rows are still being written down. */
  state: z.enum(['taking', 'running', 'done', 'failed']),
  /** Why it waits, or failed; null where it does neither. */
  note: z.string().nullable(),
  until: z.string().nullable(),
  ended: z.string().nullable(),
  report: createJsonColumn(z.unknown()).nullable(),
});
export type StoredAudit = z.output<typeof audit>;

const list = createJsonColumn(z.array(z.unknown()));
/** `records`: of each task, in their order; null where it has none yet. `tries`: in a row that got nothing further. */
const batch = z.object({
  place: z.number(),
  rows: list,
  pieces: z.number(),
  records: list,
  tries: z.number(),
});
export type StoredBatch = z.output<typeof batch>;

/** `done`, failed ones included, of all `pieces`, which are its tasks; tokens in and out. */
const SUMS = ['pieces', 'done', 'failed', 'calls', 'input', 'output'] as const;
const sums = z
  .record(z.enum(SUMS), z.number())
  .transform(({ input, output, ...rest }) => ({ ...rest, tokens: { input, output } }));
type AuditSums = z.output<typeof sums>;

const LIST = 'SELECT id, who, created, asked, state, note, until, ended, NULL AS report FROM audits';
const BATCHES = "SELECT place, rows, pieces, coalesce(records, '[]') AS records, tries FROM audit_batches";
const TOTALS = SUMS.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', ');
/** Batches that are written in one transaction, and read at a time: each is up to half a megabyte. */
const TOGETHER = 8;

export type AuditStore = ReturnType<typeof createAuditStore>;

/** @param sql with the tables of migrations 0006 and 0007 */
export function createAuditStore({ all, one, run }: TableSql) {
  return {
    /** It is run when all its rows are there. */
    async add(
      { id, who, created, asked }: Pick<StoredAudit, 'id' | 'who' | 'created' | 'asked'>,
      batches: readonly Pick<RowBatch, 'rows' | 'tasks'>[],
    ) {
      const begin = "INSERT INTO audits (id, who, created, asked, state) VALUES (?, ?, ?, ?, 'taking')";
      const add = 'INSERT INTO audit_batches (audit, place, rows, pieces) VALUES (?, ?, ?, ?)';
      await run([begin, id, who, created, JSON.stringify(asked)]);
      const values = batches.map(({ rows, tasks }, at) => [id, at, JSON.stringify(rows), tasks] as const);
      for (let at = 0; at < values.length; at += TOGETHER)
        await run(...values.slice(at, at + TOGETHER).map((some) => [add, ...some] as const));
      await run(["UPDATE audits SET state = 'running' WHERE id = ?", id]);
    },
    get: (id: string) => one(audit, 'SELECT * FROM audits WHERE id = ?', id),
    /** The newest first, without their reports. */
    list: (limit: number) => all(audit, `${LIST} ORDER BY created DESC, id LIMIT ?`, limit),
    listRunning: () => all(audit, `${LIST} WHERE state = 'running' ORDER BY created`),
    /**
     * @param until in milliseconds, as `now`
     * @returns whether the audit is the holder's until then; not where another holds it, or it is over
     */
    async hold(id: string, holder: string, now: number, until: number): Promise<boolean> {
      const text = `UPDATE audits SET holder = ?, held_until = ? WHERE id = ? AND state = 'running'
        AND (holder = ? OR held_until <= ?) RETURNING id`;
      return (await one(z.unknown(), text, holder, until, id, holder, now)) !== null;
    },
    sum: (id: string) => one(sums, `SELECT ${TOTALS} FROM audit_batches WHERE audit = ?`, id),
    /** The first batch of which records are missing. */
    next: (id: string) =>
      one(batch, `${BATCHES} WHERE audit = ? AND done < pieces ORDER BY place LIMIT 1`, id),
    /** Records replace those that the batch had; calls and tokens are added to its sums. */
    async save(
      id: string,
      { place, records, tries }: Pick<StoredBatch, 'place' | 'records' | 'tries'>,
      { failed, calls, tokens }: Omit<AuditSums, 'pieces' | 'done'>,
    ) {
      const done = records.filter((record) => record !== null).length;
      await run([
        `UPDATE audit_batches SET records = ?, done = ?, failed = ?, tries = ?, calls = calls + ?,
         input = input + ?, output = output + ? WHERE audit = ? AND place = ?`,
        ...[JSON.stringify(records), done, failed, tries, calls, tokens.input, tokens.output, id, place],
      ]);
    },
    /** The records that are there, in the order of the rows. */
    async *records(id: string): AsyncGenerator<unknown> {
      for (let from = 0; ; from += TOGETHER) {
        const pages = `${BATCHES} WHERE audit = ? AND place >= ? ORDER BY place LIMIT ?`;
        const page = await all(batch, pages, id, from, TOGETHER);
        yield* page.flatMap(({ records }) => records).filter((record) => record !== null);
        if (page.length < TOGETHER) return;
      }
    },
    /** Of an audit that is running: what is not told is null then. Its rows are not kept when it is over. */
    async set(id: string, state: StoredAudit['state'], told: Partial<StoredAudit> = {}) {
      const { note = null, until = null, ended = null, report } = told;
      const set = 'UPDATE audits SET state = ?, note = ?, until = ?, ended = ?, report = ?';
      const text = report === undefined ? null : JSON.stringify(report);
      await run(
        [`${set} WHERE id = ? AND state = 'running'`, state, note, until, ended, text, id],
        ["UPDATE audit_batches SET rows = '[]' WHERE audit = ? AND ? <> 'running'", id, state],
      );
    },
    /** With all that is known of it. Whoever works on it notices at the next batch. */
    remove: (id: string) =>
      run(['DELETE FROM audits WHERE id = ?', id], ['DELETE FROM audit_batches WHERE audit = ?', id]),
  };
}
