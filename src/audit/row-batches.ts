/** Rows of an audit as they were sent, JSONL, cut into batches that are small enough to be kept and asked by themselves. */
import { decodeText, parseJsonLines, RecordError } from '../records/index.ts';
import type { AuditPlan } from './plan.ts';

/**
 * Calls of one batch: what is asked again where a process is lost. A batch is one step of a Workflow, so they are below the
 * 50 subrequests of the free plan (https://developers.cloudflare.com/workers/platform/limits/#subrequests).
 */
const BATCH_CALLS = 40;
/** Of a row that makes more by itself: a paper under every author. */
const ROW_CALLS = 400;
/** Of all rows: their records are in memory for the report. */
const ALL_CALLS = 20_000;
/**
 * Characters of a batch's rows: with their records they are below the 2 MB of one row of D1
 * (https://developers.cloudflare.com/d1/platform/limits/).
 */
const BATCH_CHARACTERS = 400_000;

export interface RowBatch {
  /** As they were sent. */
  readonly rows: unknown[];
  /** How many there are of all its rows. */
  tasks: number;
  calls: number;
  characters: number;
}

/**
 * @param bytes JSONL
 * @returns batches in the order of their rows; at least one
 * @throws RecordError for the first row that is wrong, or that asks for too much
 */
export async function splitRows(
  bytes: Uint8Array,
  { row: schema, tasks: list }: AuditPlan,
): Promise<RowBatch[]> {
  const { signal } = new AbortController();
  const seen = new Set<string>();
  const batches: RowBatch[] = [];
  let all = 0;
  for (const { line, value, record } of parseJsonLines(decodeText(bytes), schema)) {
    const check = (fits: boolean, field: string | null, message: string) => {
      if (!fits) throw new RecordError(line, field, message);
    };
    check(!seen.has(record.id), 'id', `a second row has the id "${record.id}"`);
    seen.add(record.id);
    const { length } = JSON.stringify(value);
    check(length <= BATCH_CHARACTERS, null, `has ${length} characters; one row may have ${BATCH_CHARACTERS}`);
    const tasks = await list(record, signal);
    const calls = tasks.reduce((sum, task) => sum + task.calls, 0);
    all += calls;
    check(calls <= ROW_CALLS, null, `makes ${calls} calls, and one row may make ${ROW_CALLS}`);
    check(
      all <= ALL_CALLS,
      null,
      `the rows up to here make ${all} calls, and an audit may make ${ALL_CALLS}`,
    );
    const last = batches.at(-1);
    if (last && last.calls + calls <= BATCH_CALLS && last.characters + length <= BATCH_CHARACTERS) {
      last.rows.push(value);
      last.tasks += tasks.length;
      last.calls += calls;
      last.characters += length;
    } else batches.push({ rows: [value], tasks: tasks.length, calls, characters: length });
  }
  if (batches.length === 0) throw new RecordError(1, null, 'there are no rows');
  return batches;
}
