/** A page of judgments with what people say of them, and those beside one of them. */
import type { ListedTrace, TraceQuery, TraceStore } from '../../trace/index.ts';
import { findLabel, type Label, type LabelStore } from './label.ts';

export interface ListedJudgment {
  readonly trace: ListedTrace;
  /** The reader's own; null where nobody has said anything. */
  readonly label: Label | null;
}

export interface JudgmentQuery extends TraceQuery {
  /** Only judgments that have a label, or that have none. */
  readonly labelled?: 'yes' | 'no' | undefined;
}

export interface JudgmentPage {
  readonly judgments: readonly ListedJudgment[];
  /** The last that was looked at: the next page begins behind it. Null where there are no more. */
  readonly next: string | null;
}

/** Judgments looked at for one page, at most: labels may lie in another database than traces, which is asked about so many at a time. */
const LOOKS = 8;
const EACH = 250;

/** @param reader whose label is shown where several people gave one */
export async function listJudgments(
  { traces, labels }: { readonly traces: TraceStore | null; readonly labels: LabelStore | null },
  { labelled, ...query }: JudgmentQuery,
  reader: string,
): Promise<JudgmentPage> {
  if (!traces) return { judgments: [], next: null };
  const judgments: ListedJudgment[] = [];
  const isForward = query.after !== undefined;
  let at = query.after ?? query.before;
  for (let look = 0; look < (labelled === undefined ? 1 : LOOKS); look++) {
    const limit = labelled === undefined ? query.limit : EACH;
    const found = await traces.list({ ...query, ...(isForward ? { after: at } : { before: at }), limit });
    const said = await labelsOf(labels, found);
    for (const trace of found) {
      at = trace.id;
      const label = findLabel(said.get(trace.id) ?? [], reader);
      if (labelled !== undefined && (labelled === 'yes') !== said.has(trace.id)) continue;
      judgments.push({ trace, label });
      if (judgments.length === query.limit) return { judgments, next: at };
    }
    if (found.length < limit) return { judgments, next: null };
  }
  return { judgments, next: at ?? null };
}

async function labelsOf(labels: LabelStore | null, traces: readonly ListedTrace[]) {
  const said = labels && traces.length > 0 ? await labels.ofEach(traces.map(({ id }) => id)) : [];
  return Map.groupBy(said, ({ trace }) => trace);
}
