/** The statements on the table of traces, the same for SQLite on Node and D1 at the edge. */
import * as z from 'zod';
import { type Trace, type TraceQuery, type TraceSum, traceSchema } from '../../trace.ts';

export const PUT = 'INSERT OR REPLACE INTO traces (id, status, biases, body) VALUES (?, ?, ?, ?)';
export const GET = 'SELECT body FROM traces WHERE id = ?';
/** Keeps the newest so many; `seq` only grows, so this is one range of the primary key. */
export const PRUNE = 'DELETE FROM traces WHERE seq <= (SELECT max(seq) FROM traces) - ?';
export const LIST = `SELECT body FROM traces
  WHERE (?1 IS NULL OR seq < (SELECT seq FROM traces WHERE id = ?1))
    AND (?2 IS NULL OR status = ?2)
    AND (?3 IS NULL OR instr(biases, ',' || ?3 || ',') > 0)
    AND (?4 IS NULL OR judge = ?4)
    AND (?5 IS NULL OR day = ?5)
  ORDER BY seq DESC LIMIT ?6`;

const spentSums = (whose: string) => `total(${whose}_calls) AS ${whose}_calls,
  total(${whose}_tokens) AS ${whose}_tokens, total(${whose}_cost) AS ${whose}_cost,
  sum(${whose}_cost IS NULL) AS ${whose}_unpriced`;

/** Answered from the index alone. */
export const SUMS = `SELECT day, judge, status, biases, count(*) AS count, total(moved) AS moved,
  ${spentSums('own')}, ${spentSums('added')}
  FROM traces INDEXED BY traces_sums WHERE day >= ? GROUP BY day, judge, status, biases`;

export function putValues(trace: Trace): [string, string, string, string] {
  return [trace.id, trace.status, `,${trace.biases.join(',')},`, JSON.stringify(trace)];
}

export function listValues({ before, status, bias, judge, day, limit }: TraceQuery) {
  return [...[before, status, bias, judge, day].map((value) => value ?? null), limit];
}

/** A row is read through the schema: a file written by an older version must not surprise a page. */
export function readRow(row: unknown): Trace {
  const body = (row as { body?: unknown } | null)?.body;
  return traceSchema.parse(JSON.parse(String(body)));
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

export function readSums(row: unknown): TraceSum {
  return sums.parse(row);
}
