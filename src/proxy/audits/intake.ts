/** The rows of an audit as they were sent, JSONL: each is checked, and told by line and field where it is wrong. */
import type * as z from 'zod';
import type { StoredBatch } from './audit-store.ts';
import type { PreparedAudit } from './kinds/types.ts';

/** A row that cannot be used. */
export interface RowFault {
  /** From 1. */
  readonly line: number;
  /** `texts.1`; null for a line that is no JSON, and for the row as a whole. */
  readonly field: string | null;
  readonly message: string;
}

export type IntakeResult =
  | {
      readonly batches: readonly Pick<StoredBatch, 'place' | 'rows' | 'pieces'>[];
      readonly rows: number;
      readonly calls: number;
    }
  | { readonly wrong: readonly RowFault[] };

/** Of a request, in bytes: rows are kept in D1, and read into an isolate of 128 MB to be taken apart. */
export const MOST_BYTES = 8 << 20;
/** Calls of one audit; what they came to is in memory at once for the report. */
export const MOST_CALLS = 20_000;
/**
 * Calls of one batch, which is one step of a Workflow: what is asked again where a process is lost. Below the 50
 * subrequests of the free plan (https://developers.cloudflare.com/workers/platform/limits/#subrequests).
 */
const BATCH_CALLS = 40;
/** Of one row alone, where a row makes more: a paper under every author. */
const ROW_CALLS = 400;
/**
 * Bytes of one batch's rows. With their records (40 of 10 KB at most) they stay below what D1 holds in one row, 1 MB at
 * least (https://developers.cloudflare.com/d1/platform/limits/), and are far from what a step of a Workflow may
 * return, 1 MiB: steps return counts, rows and records are in the database.
 */
const BATCH_BYTES = 400_000;
/** Told of at once. */
const MOST_WRONG = 20;

interface Read {
  readonly row: unknown;
  readonly bytes: number;
  readonly pieces: number;
  readonly calls: number;
}

/** @param text JSONL; empty lines are passed over */
export async function takeRows(text: string, prepared: PreparedAudit): Promise<IntakeResult> {
  const wrong: RowFault[] = [];
  const seen = new Set<string>();
  const rows: Read[] = [];
  let calls = 0;
  let line = 0;
  // A byte-order mark, which editors of some systems put first, is no part of the record.
  for (const one of text.replace(/^\uFEFF/, '').split('\n')) {
    line++;
    if (one.trim() === '' || wrong.length >= MOST_WRONG) continue;
    const found = await readRow(one, line, prepared, seen);
    if ('wrong' in found) wrong.push(...found.wrong);
    else {
      rows.push(found);
      calls += found.calls;
    }
  }
  if (rows.length === 0 && wrong.length === 0) wrong.push(at(1, null, 'there are no rows'));
  if (calls > MOST_CALLS)
    wrong.push(
      at(line, null, `the rows make ${calls} calls, and one audit may make ${MOST_CALLS}; send it in parts`),
    );
  if (wrong.length > 0) return { wrong: wrong.slice(0, MOST_WRONG) };
  return { batches: inBatches(rows), rows: rows.length, calls };
}

async function readRow(
  text: string,
  line: number,
  { row: schema, pieces }: PreparedAudit,
  seen: Set<string>,
): Promise<Read | { readonly wrong: readonly RowFault[] }> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return { wrong: [at(line, null, `is no JSON: ${cause.message}`)] };
  }
  const read = schema.safeParse(value);
  if (!read.success)
    return { wrong: read.error.issues.map((issue) => at(line, fieldOf(issue), issue.message)) };
  const row = read.data;
  if (seen.has(row.id))
    return { wrong: [at(line, 'id', `a second row has the id ${JSON.stringify(row.id)}`)] };
  seen.add(row.id);
  const bytes = new TextEncoder().encode(JSON.stringify(row)).length;
  if (bytes > BATCH_BYTES)
    return { wrong: [at(line, null, `is longer than ${BATCH_BYTES} bytes, which is the most for one row`)] };
  const work = await pieces(row);
  const calls = work.reduce((sum, piece) => sum + piece.calls, 0);
  if (calls > ROW_CALLS)
    return {
      wrong: [
        at(line, null, `makes ${calls} calls, and one row may make ${ROW_CALLS}; ask for less of each`),
      ],
    };
  return { row, bytes, pieces: work.length, calls };
}

function at(line: number, field: string | null, message: string): RowFault {
  return { line, field, message };
}

function fieldOf({ path }: z.core.$ZodIssue): string | null {
  return path.length === 0 ? null : path.join('.');
}

function inBatches(rows: readonly Read[]): Pick<StoredBatch, 'place' | 'rows' | 'pieces'>[] {
  const batches: Read[][] = [];
  let [calls, bytes] = [0, 0];
  for (const one of rows) {
    const last = batches.at(-1);
    if (last && calls + one.calls <= BATCH_CALLS && bytes + one.bytes <= BATCH_BYTES) last.push(one);
    else {
      batches.push([one]);
      [calls, bytes] = [0, 0];
    }
    calls += one.calls;
    bytes += one.bytes;
  }
  return batches.map((all, place) => ({
    place,
    rows: all.map(({ row }) => row),
    pieces: all.reduce((sum, { pieces }) => sum + pieces, 0),
  }));
}
