/**
 * The statements on the tables of traces, the same for SQLite on Node and D1 at the edge. `traces` has a row of some kilobytes for
 * each trace, with what lists show (`body`: see traceSummary) and what sums add up; the trace itself lies in `trace_bodies`, which
 * only whoever asks for that one trace reads. Rows of before (0008_trace_bodies.sql) have the whole trace as their `body`.
 */

import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { RemandError } from '../../errors.ts';
import {
  hasBias,
  readStored,
  readSummary,
  readTrace,
  removeTexts,
  summariseTrace,
  type Trace,
  type TraceLimits,
  type TraceSpending,
  type TraceStore,
  type TraceSum,
  type TraceSummary,
} from '../../trace/index.ts';
import {
  createD1Tables,
  createSqliteTables,
  type D1,
  type SqlStatement,
  type TableSql,
} from '../storage/table-sql.ts';
import { createDirectWriter, createWriteBatcher, type WriteBatcher } from '../storage/write-batcher.ts';

/** `until` are the bytes of all traces up to and including this one; rows of before were not counted. */
const PUT = `INSERT OR REPLACE INTO traces (id, status, biases, body, bytes, until)
  VALUES (?1, ?2, ?3, ?4, ?5, ?5 + coalesce((SELECT until FROM traces ORDER BY seq DESC LIMIT 1), 0))`;
const PUT_BODY = 'INSERT OR REPLACE INTO trace_bodies (seq, body) SELECT seq, ?2 FROM traces WHERE id = ?1';
const GET = `SELECT coalesce(b.body, t.body) AS body
  FROM traces t LEFT JOIN trace_bodies b ON b.seq = t.seq WHERE t.id = ?`;

/**
 * Several traces with their places in a JSON list of ids, until so many bytes are read. Rows of before were not counted, so that
 * their length stands for it.
 */
const EACH = `SELECT place, t.id, coalesce(b.body, t.body) AS body
  FROM (SELECT seq, key AS place, size, sum(size) OVER (ORDER BY key) AS total
    FROM (SELECT key, seq, coalesce(bytes, length(body)) AS size
      FROM json_each(?1) asked JOIN traces ON traces.id = asked.value))
  JOIN traces t USING (seq) LEFT JOIN trace_bodies b USING (seq)
  WHERE total - size < ?2 ORDER BY place`;

/** Keeps the newest so many; `seq` only grows, so this is one range of the primary key. */
const PRUNE = 'DELETE FROM traces WHERE seq <= (SELECT max(seq) FROM traces) - ?';
/** Keeps the newest of so many bytes: everything before the first that begins within them. Reads what it deletes, and one row more. */
const PRUNE_BYTES = `DELETE FROM traces WHERE seq < (
  SELECT seq FROM traces
  WHERE coalesce(until - bytes, -1) >= (SELECT until FROM traces ORDER BY seq DESC LIMIT 1) - ?
  ORDER BY seq LIMIT 1)`;
/** How many traces are held, and their bytes. */
const HELD_NOW = 'SELECT count(*) AS traces, coalesce(sum(bytes), 0) AS bytes FROM traces';
const Held = z.object({ traces: z.number(), bytes: z.number() });
const PRUNE_BODIES = 'DELETE FROM trace_bodies WHERE seq < (SELECT min(seq) FROM traces)';

/** The summary of a row of before, made within SQLite so that its texts stay there. */
const OLD_SUMMARY = `CASE WHEN json_valid(body) THEN json_object(
    'id', id, 'status', status, 'calls', json_array_length(body, '$.calls'),
    'first', json(json_remove(body -> '$.verdicts[0]', '$.text')),
    'final', json(json_remove(body -> '$.final', '$.text')),
    ${['moved', 'biases', 'sensitivity', 'spent'].map((name) => `'${name}', json(body -> '$.${name}')`).join(', ')},
    ${['time', 'ms', 'would_be', 'stop', 'judge', 'detector', 'mode', 'policy', 'rounds'].map((name) => `'${name}', body ->> '$.${name}'`).join(', ')}
  ) END`;
const list = (beside: string, order: string) =>
  `SELECT id, CASE WHEN bytes IS NULL THEN ${OLD_SUMMARY} ELSE body END AS summary FROM traces
  WHERE (${beside})
    AND (?2 IS NULL OR status = ?2)
    AND (?3 IS NULL OR instr(biases, ',' || ?3 || ',') > 0
      OR (instr(?3, '+') = 0 AND instr(replace(biases, ',', '+'), '+' || ?3 || '+') > 0))
    AND (?4 IS NULL OR judge = ?4)
    AND (?5 IS NULL OR day = ?5)
    AND (?6 IS NULL OR (json_valid(body) AND body ->> '$.would_be' = ?6))
    AND (?7 IS NULL OR day IS NULL OR day >= ?7)
  ORDER BY seq ${order} LIMIT ?8`;
const OLDER = list('?1 IS NULL OR seq < (SELECT seq FROM traces WHERE id = ?1)', 'DESC');
const NEWER = list('seq > (SELECT seq FROM traces WHERE id = ?1)', 'ASC');

/** Above this nothing adds up to a figure that anybody could use, or to one that is finite. */
const figure = (column: string) => `total(max(0, min(${column}, 1e15)))`;

const spentSums = (whose: string) => `${figure(`${whose}_calls`)} AS ${whose}_calls,
  ${figure(`${whose}_tokens`)} AS ${whose}_tokens, ${figure(`${whose}_cost`)} AS ${whose}_cost,
  sum(${whose}_cost IS NULL) AS ${whose}_unpriced`;

/** Answered from the index alone. */
const SUMS = `SELECT day, judge, status, biases, count(*) AS count, total(moved) AS moved,
  count(unexamined) AS unexamined,
  ${spentSums('own')}, ${spentSums('added')}
  FROM traces INDEXED BY traces_sums WHERE day >= ? GROUP BY day, judge, status, biases`;

/**
 * @param most bytes of one trace; one that is larger goes without its texts
 * @returns the trace as it is written down
 * @throws RemandError where it is larger without them, too
 */
function encodeTrace(trace: Trace, most: number) {
  const whole = encoded(trace);
  if (whole.bytes <= most) return whole;
  const bare = encoded(removeTexts(trace));
  if (bare.bytes <= most) return bare;
  throw new RemandError(
    `a trace of ${whole.bytes} bytes, ${bare.bytes} without its texts, is more than ${most} (REMAND_TRACE_BYTES)`,
  );
}

/** `bytes` in UTF-8, of the body and the summary; `row` and `bodyRow` are values of PUT and of PUT_BODY. */
function encoded(trace: Trace) {
  const { id } = trace;
  const told = summariseTrace(trace);
  const [summary, body] = [JSON.stringify(told), JSON.stringify(trace)];
  const utf8 = new TextEncoder();
  const bytes = utf8.encode(body).length + utf8.encode(summary).length;
  const row = [id, told.status, `,${told.biases.join(',')},`, summary, bytes];
  return { id, body, bytes, row, bodyRow: [id, body] };
}

/** A body that is no text (a damaged file) is no trace either. */
const whole = z.object({ body: z.string().catch('') });
const placed = whole.extend({ place: z.number(), id: z.string() });

const listed = z.object({ id: z.coerce.string(), summary: z.string().nullable().catch(null) });

const sums = z
  .object({
    day: z.string(),
    judge: z.string(),
    status: z.string(),
    biases: z.string(),
    count: z.number(),
    moved: z.number(),
    unexamined: z.number(),
    own_calls: z.number(),
    own_tokens: z.number(),
    own_cost: z.number(),
    own_unpriced: z.number(),
    added_calls: z.number(),
    added_tokens: z.number(),
    added_cost: z.number(),
    added_unpriced: z.number(),
  })
  .transform(({ day, judge, status, biases, count, moved, unexamined, ...row }): TraceSum => {
    const spent = (whose: 'own' | 'added'): TraceSpending => ({
      calls: row[`${whose}_calls`],
      tokens: row[`${whose}_tokens`],
      cost: row[`${whose}_cost`],
      unpriced: row[`${whose}_unpriced`],
    });
    const [own, added] = [spent('own'), spent('added')];
    return {
      day,
      judge,
      status,
      biases: biases.split(',').filter(Boolean),
      count,
      moved,
      unexamined,
      own,
      added,
    };
  });

/** Rows that cannot be read (a damaged trace has no judge, say) add nothing. */
function readSums(rows: readonly unknown[]): TraceSum[] {
  return rows.flatMap((row) => {
    const read = sums.safeParse(row);
    return read.success ? [read.data] : [];
  });
}

/** D1 takes 2,000,000 bytes in a row (https://developers.cloudflare.com/d1/platform/limits/); some are the row's own. */
const LARGEST_ROW = 1_900_000;

/** After a sixteenth of either limit there is a pruning. */
const PRUNE_PART = 16;

interface StoredTraces extends TraceStore {
  /** Holds the limits now, rather than with the next trace: they may be smaller than when the traces were written. */
  prune(): Promise<void>;
}

/** Of traces that are read together, in bytes: a Worker has 128 MB of memory. */
const READ_BYTES = 8e6;

interface StoreOptions {
  /** From one pruning to the next: the limits are held give or take so many, and a sixteenth of each. */
  readonly mostWrites: number;
  /** Traces read with one query. */
  readonly mostReads: number;
}

function createStoredTraces(
  { all, one, run }: TableSql,
  { keep, bytes: most, bytesEach }: TraceLimits,
  { mostWrites, mostReads }: StoreOptions,
): StoredTraces {
  const every = Math.min(mostWrites, Math.ceil(keep / PRUNE_PART));
  const pruning: readonly SqlStatement[] = [[PRUNE, keep], [PRUNE_BYTES, most], [PRUNE_BODIES]];
  let writes = 0;
  let unpruned = 0;
  return {
    async put(trace) {
      const { row, bodyRow, bytes } = encodeTrace(trace, Math.min(most, bytesEach));
      const written: SqlStatement[] = [
        [PUT, ...row],
        [PUT_BODY, ...bodyRow],
      ];
      unpruned += bytes;
      if (writes++ % every === 0 || unpruned > most / PRUNE_PART) {
        unpruned = 0;
        written.push(...pruning);
      }
      await run(...written);
    },
    // Whoever writes need not be started for nothing: that is a thread.
    async prune() {
      const held = await one(Held, HELD_NOW);
      if (held && (held.traces > keep || held.bytes > most)) await run(...pruning);
    },
    async get(id) {
      const row = await one(whole, GET, id);
      return row && readTrace(id, row.body);
    },
    async *each(ids) {
      for (let from = 0; from < ids.length; ) {
        const asked = ids.slice(from, from + mostReads);
        const rows = await all(placed, EACH, JSON.stringify(asked), READ_BYTES);
        for (const { id, body } of rows) yield readStored(id, body);
        from += (rows.at(-1)?.place ?? asked.length - 1) + 1;
      }
    },
    async list({ before, after, status, bias, judge, day, would, from, limit }) {
      const wanted = [after ?? before, status, bias, judge, day, would, from].map((value) => value ?? null);
      const rows = await all(listed, after === undefined ? OLDER : NEWER, ...wanted, limit);
      return rows.map(({ id, summary }) => readSummary(id, summary));
    },
    sums: async (from) => readSums(await all(z.unknown(), SUMS, from)),
  };
}

/**
 * @param database with its tables: `wrangler d1 migrations apply`
 *
 * @example createD1Traces(env.DB, { keep: 1_000, bytes: 100e6, bytesEach: 1e6 })
 */
export function createD1Traces(database: D1, { keep, bytes, bytesEach }: TraceLimits): TraceStore {
  const limits = { keep, bytes, bytesEach: Math.min(bytesEach, LARGEST_ROW) };
  return createStoredTraces(createD1Tables(database), limits, { mostWrites: 1, mostReads: 1_000 });
}

/**
 * @param database with its tables: see storage/database.ts
 * @param together the one of this database, where there is more to write
 */
export const createSqliteTraces = (
  database: DatabaseSync,
  limits: TraceLimits,
  together: WriteBatcher = createWriteBatcher(createDirectWriter(database)),
): StoredTraces =>
  createStoredTraces(
    createSqliteTables(
      () => database,
      () => together,
    ),
    limits,
    // SQLite answers at once: between two traces others have their turn.
    { mostWrites: 64, mostReads: 1 },
  );

interface StoredTrace {
  readonly summary: TraceSummary;
  /** The trace as JSON: what it takes is known, and nobody can change it. */
  readonly body: string;
  readonly bytes: number;
}

/** @example createProxy({}, { traces: createMemoryTraces({ keep: 100, bytes: 10e6, bytesEach: 1e6 }) }) */
export function createMemoryTraces({ keep, bytes: most, bytesEach }: TraceLimits): TraceStore {
  // A Map iterates in the order of insertion, so its first key is the oldest trace.
  const traces = new Map<string, StoredTrace>();
  let total = 0;

  function drop(id: string): void {
    total -= traces.get(id)?.bytes ?? 0;
    traces.delete(id);
  }

  return {
    async put(trace) {
      const { id, body, bytes } = encodeTrace(trace, Math.min(most, bytesEach));
      drop(id);
      traces.set(id, { summary: summariseTrace(trace), body, bytes });
      total += bytes;
      for (const oldest of traces.keys()) {
        if (traces.size <= keep && total <= most) break;
        drop(oldest);
      }
    },
    async get(id) {
      const kept = traces.get(id);
      return kept ? readTrace(id, kept.body) : null;
    },
    async *each(ids) {
      for (const id of ids) {
        const kept = traces.get(id);
        if (kept) yield readStored(id, kept.body);
      }
    },
    async list({ limit, before, after, status, would, bias, judge, day, from: earliest = '' }) {
      const newestFirst = [...traces.values()].map(({ summary }) => summary).reverse();
      const ordered = after === undefined ? newestFirst : newestFirst.toReversed();
      const beside = after ?? before;
      const from = beside === undefined ? 0 : ordered.findIndex((trace) => trace.id === beside) + 1;
      if (beside !== undefined && from === 0) return [];
      return ordered
        .slice(from)
        .filter((trace) => status === undefined || trace.status === status)
        .filter((trace) => would === undefined || trace.would_be === would)
        .filter((trace) => bias === undefined || hasBias(trace.biases, bias))
        .filter((trace) => judge === undefined || trace.judge === judge)
        .filter((trace) => day === undefined || trace.time.startsWith(day))
        .filter((trace) => trace.time >= earliest)
        .slice(0, limit);
    },
    async sums(from) {
      return [...traces.values()].filter(({ summary }) => summary.time >= from).map(sumOf);
    },
  };
}

/** Of one trace: whoever reads sums adds them up further. */
function sumOf({ summary: { time, judge, status, biases, moved, reason, spent } }: StoredTrace): TraceSum {
  const known = (of: NonNullable<TraceSummary['spent']>['own'] | undefined): TraceSpending => ({
    calls: of?.calls ?? 0,
    tokens: of?.tokens ?? 0,
    cost: of?.cost ?? 0,
    unpriced: typeof of?.cost === 'number' ? 0 : 1,
  });
  return {
    day: time.slice(0, 10),
    judge,
    status,
    biases,
    count: 1,
    moved: moved ? 1 : 0,
    unexamined: reason === null ? 0 : 1,
    own: known(spent?.own),
    added: known(spent?.added),
  };
}
