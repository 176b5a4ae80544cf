/** The statements on the table of traces, the same for SQLite on Node and D1 at the edge. */
import { type Trace, type TraceQuery, traceSchema } from '../../trace.ts';

export const PUT = 'INSERT OR REPLACE INTO traces (id, status, biases, body) VALUES (?, ?, ?, ?)';
export const GET = 'SELECT body FROM traces WHERE id = ?';
/** Keeps the newest so many; `seq` only grows, so this is one range of the primary key. */
export const PRUNE = 'DELETE FROM traces WHERE seq <= (SELECT max(seq) FROM traces) - ?';
export const LIST = `SELECT body FROM traces
  WHERE (?1 IS NULL OR seq < (SELECT seq FROM traces WHERE id = ?1))
    AND (?2 IS NULL OR status = ?2)
    AND (?3 IS NULL OR instr(biases, ',' || ?3 || ',') > 0)
  ORDER BY seq DESC LIMIT ?4`;

export function putValues(trace: Trace): [string, string, string, string] {
  return [trace.id, trace.status, `,${trace.biases.join(',')},`, JSON.stringify(trace)];
}

export function listValues(query: TraceQuery): [string | null, string | null, string | null, number] {
  return [query.before ?? null, query.status ?? null, query.bias ?? null, query.limit];
}

/** A row is read through the schema: a file written by an older version must not surprise a page. */
export function readRow(row: unknown): Trace {
  const body = (row as { body?: unknown } | null)?.body;
  return traceSchema.parse(JSON.parse(String(body)));
}
