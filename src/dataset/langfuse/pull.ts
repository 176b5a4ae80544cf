/**
 * Judged traces out of Langfuse into labelled rows, so that use teaches a detector (`remand distill`). First what people
 * said of judgments, then the judgments, a page at a time.
 */

import { formatJsonLine, writeWhole } from '../../records/node.ts';
import { toOtelTraceId } from '../../trace/index.ts';
import { createLabelledRow, type LabelSource } from './labelled-row.ts';
import type { JudgmentObservation, LangfusePages, TimeWindow } from './langfuse-pages.ts';
import { openSpool, type Spool, type SpooledRow } from './spool.ts';
import { readTracedJudgment } from './traced-judgment.ts';

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
    const pulled = await written(spool.made(limit), files);
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

async function written(made: Iterable<SpooledRow>, { labels, unlabelled }: PullFiles): Promise<PullResult> {
  const counts = {
    ...{ judgments: 0, rows: 0, labels: { Yes: 0, No: 0 }, by: { people: 0, evidence: 0 } },
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
