/**
 * The statements on the tables of traces, the same for SQLite on Node and D1 at the edge. `traces` has a row of some kilobytes for
 * each trace, with what lists show (`body`: see traceSummary) and what sums add up; the trace itself lies in `trace_bodies`, which
 * only whoever asks for that one trace reads. Rows of before (0008_trace_bodies.sql) have the whole trace as their `body`.
 */
import * as z from 'zod';
import { RemandError } from '../../errors.ts';
import {
  type ListedTrace,
  readSummary,
  readTrace,
  removeTexts,
  summariseTrace,
  type Trace,
  type TraceQuery,
  type TraceSum,
} from '../../trace/index.ts';

/** `until` are the bytes of all traces up to and including this one; rows of before were not counted. */
export const PUT = `INSERT OR REPLACE INTO traces (id, status, biases, body, bytes, until)
  VALUES (?1, ?2, ?3, ?4, ?5, ?5 + coalesce((SELECT until FROM traces ORDER BY seq DESC LIMIT 1), 0))`;
export const PUT_BODY =
  'INSERT OR REPLACE INTO trace_bodies (seq, body) SELECT seq, ?2 FROM traces WHERE id = ?1';
export const GET = `SELECT coalesce(b.body, t.body) AS body
  FROM traces t LEFT JOIN trace_bodies b ON b.seq = t.seq WHERE t.id = ?`;

/** Keeps the newest so many; `seq` only grows, so this is one range of the primary key. */
export const PRUNE = 'DELETE FROM traces WHERE seq <= (SELECT max(seq) FROM traces) - ?';
/** Keeps the newest of so many bytes: everything before the first that begins within them. Reads what it deletes, and one row more. */
export const PRUNE_BYTES = `DELETE FROM traces WHERE seq < (
  SELECT seq FROM traces
  WHERE coalesce(until - bytes, -1) >= (SELECT until FROM traces ORDER BY seq DESC LIMIT 1) - ?
  ORDER BY seq LIMIT 1)`;
export const PRUNE_BODIES = 'DELETE FROM trace_bodies WHERE seq < (SELECT min(seq) FROM traces)';

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
    AND (?3 IS NULL OR instr(biases, ',' || ?3 || ',') > 0)
    AND (?4 IS NULL OR judge = ?4)
    AND (?5 IS NULL OR day = ?5)
    AND (?6 IS NULL OR (json_valid(body) AND body ->> '$.would_be' = ?6))
  ORDER BY seq ${order} LIMIT ?7`;
const OLDER = list('?1 IS NULL OR seq < (SELECT seq FROM traces WHERE id = ?1)', 'DESC');
const NEWER = list('seq > (SELECT seq FROM traces WHERE id = ?1)', 'ASC');

/** The statement that answers a query. */
export const listStatement = ({ after }: TraceQuery): string => (after === undefined ? OLDER : NEWER);

/** Above this nothing adds up to a figure that anybody could use, or to one that is finite. */
const figure = (column: string) => `total(max(0, min(${column}, 1e15)))`;

const spentSums = (whose: string) => `${figure(`${whose}_calls`)} AS ${whose}_calls,
  ${figure(`${whose}_tokens`)} AS ${whose}_tokens, ${figure(`${whose}_cost`)} AS ${whose}_cost,
  sum(${whose}_cost IS NULL) AS ${whose}_unpriced`;

/** Answered from the index alone. */
export const SUMS = `SELECT day, judge, status, biases, count(*) AS count, total(moved) AS moved,
  ${spentSums('own')}, ${spentSums('added')}
  FROM traces INDEXED BY traces_sums WHERE day >= ? GROUP BY day, judge, status, biases`;

/** A trace as it is written down. */
export interface EncodedTrace {
  readonly id: string;
  /** As JSON; so is `body`, the trace itself. */
  readonly summary: string;
  readonly body: string;
  /** Of the body and the summary, in UTF-8. */
  readonly bytes: number;
  /** Values of PUT, and of PUT_BODY. */
  readonly row: readonly (string | number)[];
  readonly bodyRow: readonly string[];
}

/**
 * @param most bytes of one trace; one that is larger goes without its texts
 * @throws RemandError where it is larger without them, too
 */
export function encodeTrace(trace: Trace, most: number): EncodedTrace {
  const whole = encoded(trace);
  if (whole.bytes <= most) return whole;
  const bare = encoded(removeTexts(trace));
  if (bare.bytes <= most) return bare;
  throw new RemandError(
    `a trace of ${whole.bytes} bytes, ${bare.bytes} without its texts, is more than ${most} (REMAND_TRACE_BYTES)`,
  );
}

function encoded(trace: Trace): EncodedTrace {
  const { id } = trace;
  const told = summariseTrace(trace);
  const [summary, body] = [JSON.stringify(told), JSON.stringify(trace)];
  const utf8 = new TextEncoder();
  const bytes = utf8.encode(body).length + utf8.encode(summary).length;
  const row = [id, told.status, `,${told.biases.join(',')},`, summary, bytes];
  return { id, summary, body, bytes, row, bodyRow: [id, body] };
}

export function bindListValues({ before, after, status, bias, judge, day, would, limit }: TraceQuery) {
  return [...[after ?? before, status, bias, judge, day, would].map((value) => value ?? null), limit];
}

const whole = z.object({ body: z.string() });

/** @throws UnreadableTraceError where the row holds no trace: a file of another version, or a damaged one */
export function readRow(id: string, row: unknown): Trace {
  const read = whole.safeParse(row);
  return readTrace(id, read.success ? read.data.body : '');
}

const listed = z.object({ id: z.coerce.string(), summary: z.string().nullable().catch(null) });

export function readListed(row: unknown): ListedTrace {
  const { id, summary } = listed.parse(row);
  return readSummary(id, summary);
}

const sums = z
  .object({
    day: z.string(),
    judge: z.string(),
    status: z.string(),
    biases: z.string(),
    count: z.number(),
    moved: z.number(),
    own_calls: z.number(),
    own_tokens: z.number(),
    own_cost: z.number(),
    own_unpriced: z.number(),
    added_calls: z.number(),
    added_tokens: z.number(),
    added_cost: z.number(),
    added_unpriced: z.number(),
  })
  .transform(
    (row): TraceSum => ({
      day: row.day,
      judge: row.judge,
      status: row.status,
      biases: row.biases.split(',').filter(Boolean),
      count: row.count,
      moved: row.moved,
      own: {
        calls: row.own_calls,
        tokens: row.own_tokens,
        cost: row.own_cost,
        unpriced: row.own_unpriced,
      },
      added: {
        calls: row.added_calls,
        tokens: row.added_tokens,
        cost: row.added_cost,
        unpriced: row.added_unpriced,
      },
    }),
  );

/** Rows that cannot be read (a damaged trace has no judge, say) add nothing. */
export function readSums(rows: readonly unknown[]): TraceSum[] {
  return rows.flatMap((row) => {
    const read = sums.safeParse(row);
    return read.success ? [read.data] : [];
  });
}
