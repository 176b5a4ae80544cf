/**
 * Judged traces out of Langfuse into labelled rows, so that use teaches a detector (`remand distill`). First what people
 * said of judgments, then the judgments, a page at a time.
 */

import { rmSync } from 'node:fs';
import * as z from 'zod';
import { formatJsonLine, makePrivate, openSqlite, writeWhole } from '../../records/node.ts';
import { toOtelTraceId } from '../../trace/index.ts';
import type { LabelledRow } from '../label-pairs.ts';
import {
  createLabelledRow,
  type LabelSource,
  type Omission,
  type Opinion,
  readTracedJudgment,
} from './labelled-row.ts';
import type {
  JudgmentObservation,
  LangfusePage,
  LangfusePages,
  PersonOpinion,
  TimeWindow,
} from './langfuse-pages.ts';

interface PullSettings {
  readonly labels: LabelSource;
  /** ISO 8601, UTC; null for all that there is. */
  readonly since: string | null;
  /** Null for now. */
  readonly until: string | null;
  /** Rows at most, the newest. */
  readonly limit: number;
  /** Tells runs apart that may not go on with each other's pages: the endpoint, the project. */
  readonly source: string;
}

export interface PullResult {
  readonly judgments: number;
  readonly rows: number;
  readonly labels: Record<'Yes' | 'No', number>;
  /** Who said so. */
  readonly by: Record<'people' | 'evidence', number>;
  /** How many judgments made no row, by the reason. */
  readonly left_out: Record<string, number>;
}

interface PullFiles {
  readonly labels: string;
  readonly unlabelled: string;
  /** What was read so far; gone when the files are there. */
  readonly spool: string;
}

/**
 * @param now milliseconds since the epoch
 * @throws InputError where the keys are refused; RemandError where Langfuse could not be read, or the signal's reason:
 *   no file is there then that was not before, and the next start goes on
 */
export async function pull(
  pages: LangfusePages,
  files: PullFiles,
  { labels, since, until, limit, source }: PullSettings,
  run: { readonly now: number; readonly signal: AbortSignal; readonly onRead: (judgments: number) => void },
): Promise<PullResult> {
  const question = JSON.stringify([source, labels, since, until]);
  const spool = openSpool(files.spool, question, until ?? new Date(run.now).toISOString());
  try {
    const window: TimeWindow = { since, until: spool.until };
    await readOn(spool.at('opinions'), async (at) => {
      run.signal.throwIfAborted();
      const page = await pages.opinions(window, at);
      spool.keepOpinions(page);
      return page.next;
    });
    let read = 0;
    await readOn(spool.at('judgments'), async (at) => {
      run.signal.throwIfAborted();
      const page = await pages.judgments(window, at);
      const items = page.items.map((told) => madeOf(told, spool, labels));
      spool.keepRows({ items, next: page.next });
      read += items.length;
      run.onRead(read);
      return spool.rows >= limit ? null : page.next;
    });
    const pulled = await writeRows(spool.made(limit), files);
    spool.discard();
    return pulled;
  } catch (cause) {
    spool.close();
    throw cause;
  }
}

/** Page by page to the end. @param begun undefined for the first page, null where the end was reached before */
async function readOn(
  begun: string | null | undefined,
  next: (at: string | null) => Promise<string | null>,
): Promise<void> {
  if (begun === null) return;
  for (let at = await next(begun ?? null); at !== null; ) at = await next(at);
}

function madeOf(item: JudgmentObservation, spool: Spool, labels: LabelSource): SpooledRow {
  const told = readTracedJudgment(item);
  const { id: observation, traceId } = item;
  if ('leftOut' in told) return { observation, row: told };
  const trace = traceId ?? '';
  // Inside a client's own trace there may be many judgments, and a word on the trace is on none of them.
  const opinion = spool.opinionOf(trace, observation, trace === toOtelTraceId(told.id));
  return { observation, row: createLabelledRow({ told, trace, observation, opinion }, labels) };
}

async function writeRows(made: Iterable<SpooledRow>, { labels, unlabelled }: PullFiles): Promise<PullResult> {
  const counts = {
    judgments: 0,
    rows: 0,
    labels: { Yes: 0, No: 0 },
    by: { people: 0, evidence: 0 },
    left_out: {} as Record<string, number>,
  };
  await writeWhole({ labels, unlabelled }, async (files) => {
    for (const { observation, row } of made) {
      counts.judgments++;
      if ('leftOut' in row) {
        counts.left_out[row.leftOut] = (counts.left_out[row.leftOut] ?? 0) + 1;
        await files.unlabelled.write(formatJsonLine({ observation, unlabelled: row.leftOut }));
      } else {
        counts.rows++;
        counts.labels[row.bias_label]++;
        if (row.origin) counts.by[row.origin.label]++;
        await files.labels.write(formatJsonLine(row));
      }
    }
  });
  return counts;
}

// What was read of Langfuse so far, in a file of its own beside the dataset: a run that was killed goes on after the
// last whole page, and memory does not grow with what there is.

export interface SpooledRow {
  /** Langfuse's id of the judgment. */
  readonly observation: string;
  readonly row: LabelledRow | Omission;
}

export interface Spool {
  /** ISO 8601; when the first start of this run was, if no other end was set. */
  readonly until: string;
  /** Where to go on: undefined for the beginning, null for what is read to its end. */
  at(what: 'opinions' | 'judgments'): string | null | undefined;
  keepOpinions(page: LangfusePage<PersonOpinion>): void;
  opinionOf(trace: string, observation: string, ownTrace: boolean): Opinion;
  keepRows(page: LangfusePage<SpooledRow>): void;
  /** How many rows there are. */
  readonly rows: number;
  /** In the order in which they were read. @param limit at most so many rows; what came after them is not given */
  made(limit: number): Generator<SpooledRow>;
  close(): void;
  /** All of it is in the dataset's own files now. */
  discard(): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT);
  CREATE TABLE IF NOT EXISTS opinions (id TEXT PRIMARY KEY, trace TEXT, observation TEXT, biased INTEGER) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS opinions_trace ON opinions (trace);
  CREATE TABLE IF NOT EXISTS made (number INTEGER PRIMARY KEY, observation TEXT UNIQUE, is_row INTEGER, row TEXT);`;

const one = z.object({ value: z.string().nullable() });
const said = z.object({ observation: z.string().nullable(), biased: z.number().nullable() });
const kept = z.object({ observation: z.string(), is_row: z.number(), row: z.string() });
const counted = z.object({ rows: z.number() });

/**
 * @param question what is asked for; what was read for another one is thrown away
 * @param until the end that was set, or now
 */
export function openSpool(path: string, question: string, until: string): Spool {
  makePrivate(path);
  const database = openSqlite(path, (opened) => opened.exec(SCHEMA));
  const find = database.prepare('SELECT value FROM state WHERE name = ?');
  const state = (name: string) => {
    const found = find.get(name);
    return found === undefined ? undefined : one.parse(found).value;
  };
  const put = database.prepare('INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)');
  if (state('question') !== question) {
    database.exec('DELETE FROM state; DELETE FROM opinions; DELETE FROM made;');
    put.run('question', question);
    put.run('until', until);
  }
  const keepOpinion = database.prepare('INSERT OR REPLACE INTO opinions VALUES (?, ?, ?, ?)');
  const opinions = database.prepare(
    'SELECT observation, biased FROM opinions WHERE trace = ?1 OR (trace IS NULL AND observation = ?2)',
  );
  // An observation that moved to the next page while this one was read comes twice.
  const keepRow = database.prepare(
    'INSERT INTO made (observation, is_row, row) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const all = database.prepare('SELECT observation, is_row, row FROM made ORDER BY number');
  const count = database.prepare('SELECT count(*) AS rows FROM made WHERE is_row = 1');
  const page = <T>(what: string, { items, next }: LangfusePage<T>, keep: (item: T) => void) => {
    database.exec('BEGIN');
    for (const item of items) keep(item);
    put.run(what, next);
    database.exec('COMMIT');
  };
  return {
    until: state('until') ?? until,
    at: state,
    keepOpinions: (read) =>
      page('opinions', read, ({ id, trace, observation, biased }) =>
        keepOpinion.run(id, trace, observation, biased === null ? null : Number(biased)),
      ),
    opinionOf(trace, observation, ownTrace) {
      const about = opinions.all(trace, observation).map((found) => said.parse(found));
      const direct = about.filter((word) => word.observation === observation);
      const onTrace = about.filter((word) => word.observation === null);
      if (direct.length === 0 && onTrace.length > 0 && !ownTrace) return 'on the trace';
      const words = new Set([...direct, ...(ownTrace ? onTrace : [])].map(({ biased }) => biased));
      if (words.size === 0) return null;
      if (words.has(null)) return 'unclear';
      if (words.size > 1) return 'divided';
      return words.has(1) ? 'Yes' : 'No';
    },
    keepRows: (read) =>
      page('judgments', read, ({ observation, row }) =>
        keepRow.run(observation, 'leftOut' in row ? 0 : 1, JSON.stringify(row)),
      ),
    get rows() {
      return counted.parse(count.get()).rows;
    },
    *made(limit) {
      let rows = 0;
      for (const found of all.iterate()) {
        const { observation, is_row, row } = kept.parse(found);
        yield { observation, row: JSON.parse(row) as SpooledRow['row'] };
        rows += is_row;
        if (rows >= limit) return;
      }
    },
    close: () => database.close(),
    discard() {
      database.close();
      rmSync(path, { force: true });
    },
  };
}
