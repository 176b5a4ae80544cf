/**
 * What a person says of a judgment: what is right, and so whether the judge's first verdict was and whether its last was.
 * The two tell `remand calibrate` for which judges and biases sending back pays; what is right tells how far people and
 * judges agree.
 */

import * as z from 'zod';
import { verdictValue } from '../../case/index.ts';
import { findMajority } from '../../stats/index.ts';
import { hasBias } from '../../trace/index.ts';
import type { Log } from '../log.ts';
import { describeIssue } from '../request-body.ts';
import { createJsonColumn, type SqlStatement, type TableSql } from '../storage/table-sql.ts';

export const labelSchema = z.object({
  /** Id of the judgment's trace. */
  trace: z.string(),
  judge: z.string(),
  /** For which the verdict was sent back; none where it was not. */
  biases: z.array(z.string()),
  /** Whether the first verdict was right. */
  before: z.boolean(),
  /** Whether the judge's last verdict was; in shadow mode it did not go out. */
  after: z.boolean(),
  /** What is right, an option by its index in the client's order; null where all that is said leaves several answers open. */
  decision: verdictValue.nullable().default(null),
  /** What the verdict that went out decided, in the same terms; null where it is not one of them. */
  judged: verdictValue.nullable().default(null),
  /** Whether chance chose the case. Labels of chosen cases (unsure ones first, say) do not stand for all. */
  random: z.boolean().default(false),
  /** Id of the key, the name that the person gave, or `anyone`. */
  who: z.string(),
  /** ISO 8601, UTC. */
  time: z.string(),
});
export type Label = z.output<typeof labelSchema>;

export interface LabelStore {
  /** All of them or none. Of one person's words on a judgment the latest counts; a case that chance chose stays `random`. */
  put(labels: readonly Label[]): Promise<void>;
  /** What everybody said of a judgment, by the names of the people. */
  of(trace: string): Promise<Label[]>;
  /** Of several judgments, in one look, by their traces' ids and the names of the people. */
  ofEach(traces: readonly string[]): Promise<Label[]>;
  /**
   * In the order of their traces' ids and people's names; a page at a time, so that many fit in little memory.
   *
   * @param last label of the page before; null for the first page
   */
  after(last: Pick<Label, 'trace' | 'who'> | null, limit: number): Promise<Label[]>;
}

/**
 * @returns the label of one of those whom most agree with, drawn by chance where one of all labels was; null where nobody said
 *   anything, or they are split
 */
export function decideLabel(labels: readonly Label[]): Label | null {
  const label = findMajority(labels, ({ before, after, decision }) => `${before} ${after} ${decision}`);
  return label && { ...label, random: isDrawn(labels) };
}

/** Whether chance chose the judgment for one of its labels: it stays drawn, whatever is said of it besides. */
export const isDrawn = (labels: readonly Label[]): boolean => labels.some(({ random }) => random);

/** Whether the verdict that went out is right: not always the judge's last one. */
export const isSentRight = ({ decision, judged, after }: Label): boolean =>
  decision === null ? after : decision === judged;

/** What a reader said of a judgment; what most people said where the reader has said nothing. */
export const findLabel = (labels: readonly Label[], reader: string): Label | null =>
  labels.find(({ who }) => who === reader) ?? decideLabel(labels);

/** All labels of a store. */
export async function* listLabels(labels: LabelStore): AsyncGenerator<Label> {
  let last: Label | null = null;
  for (;;) {
    const page: Label[] = await labels.after(last, PAGE);
    yield* page;
    last = page.at(-1) ?? null;
    if (page.length < PAGE) return;
  }
}

/** The labels of each judgment together, as a store lists them. */
export async function* groupLabels(labels: AsyncIterable<Label>): AsyncGenerator<readonly Label[]> {
  let same: Label[] = [];
  for await (const label of labels) {
    if (same[0] && same[0].trace !== label.trace) {
      yield same;
      same = [];
    }
    same.push(label);
  }
  if (same.length > 0) yield same;
}

/** What most people said of each judgment; none where they are split. */
export async function* listDecided(labels: LabelStore): AsyncGenerator<Label> {
  for await (const same of groupLabels(listLabels(labels))) {
    const label = decideLabel(same);
    if (label) yield label;
  }
}

export interface LabelCounts {
  /** Judgments that have a label. */
  readonly labelled: number;
  /** Those of them whose verdict that went out is right, by most of the people who said so. */
  readonly right: number;
}

/** @param of which judgments; a field that is missing is any */
export async function countLabels(
  labels: LabelStore,
  { judge, bias }: { readonly judge?: string | undefined; readonly bias?: string | undefined },
): Promise<LabelCounts> {
  let [labelled, right] = [0, 0];
  for await (const [first, ...more] of groupLabels(listLabels(labels))) {
    if (!first || (judge !== undefined && first.judge !== judge)) continue;
    if (bias !== undefined && !hasBias(first.biases, bias)) continue;
    labelled++;
    const label = decideLabel([first, ...more]);
    if (label && isSentRight(label)) right++;
  }
  return { labelled, right };
}

/** Labels read, or put into one value, at a time. */
const PAGE = 500;

const COLUMNS = [
  'trace',
  'who',
  'judge',
  'biases',
  'before',
  'after',
  'decision',
  'judged',
  'random',
  'time',
];
/**
 * One statement for however many, since a failed statement undoes nothing but itself where writes wait for others.
 *
 * @param pages JSON lists of rows, one a value
 */
const writeLabels = (pages: readonly string[]): SqlStatement => [
  `WITH pages (list) AS (VALUES ${pages.map(() => '(?)').join(', ')})
  INSERT INTO labels (${COLUMNS.join(', ')})
  SELECT ${COLUMNS.map((_, place) => `value ->> ${place}`).join(', ')} FROM pages, json_each(list) WHERE true
  ON CONFLICT DO UPDATE SET ${COLUMNS.map((name) => `${name} = ${name === 'random' ? 'max(random, excluded.random)' : `excluded.${name}`}`).join(', ')}`,
  ...pages,
];
/** D1 takes 100 values in a statement, each of 2,000,000 bytes (https://developers.cloudflare.com/d1/platform/limits/). */
const MOST_PAGES = 100;
const OF = 'SELECT * FROM labels WHERE trace = ? ORDER BY who';
const OF_EACH = 'SELECT * FROM labels WHERE trace IN (SELECT value FROM json_each(?)) ORDER BY trace, who';
const AFTER = 'SELECT * FROM labels WHERE (trace, who) > (?, ?) ORDER BY trace, who LIMIT ?';

const bit = z.number().transform((value) => value === 1);
const json = createJsonColumn(labelSchema.shape.decision);
const row = z.object({
  trace: z.string(),
  who: z.string(),
  judge: z.string(),
  time: z.string(),
  biases: z.string().transform((list) => list.split(',').filter(Boolean)),
  before: bit,
  after: bit,
  random: bit,
  decision: json,
  judged: json,
});

function values({ trace, who, judge, biases, before, after, decision, judged, random, time }: Label) {
  const told = [decision, judged].map((value) => JSON.stringify(value));
  return [trace, who, judge, biases.join(','), Number(before), Number(after), ...told, Number(random), time];
}

/** Columns by which a label is found; the others may be damaged. */
const keyed = z.looseObject({ trace: z.string(), who: z.string() });

/**
 * A label that cannot be read is left out, which the log tells.
 *
 * @param sql with the table `labels` of migration 0010
 */
export function createLabelStore({ all, run }: TableSql, log: Log): LabelStore {
  function readEach(rows: readonly z.output<typeof keyed>[]): Label[] {
    const unreadable: string[] = [];
    const labels = rows.flatMap((found) => {
      const read = row.safeParse(found);
      if (read.success) return [read.data];
      unreadable.push(
        `the label of ${found.who} on ${found.trace} cannot be read (${describeIssue(read.error)})`,
      );
      return [];
    });
    const [first, ...more] = unreadable;
    const beside = more.length === 0 ? '' : `, and ${more.length} more`;
    if (first) log({ level: 'error', event: 'fault', message: `left out: ${first}${beside}` });
    return labels;
  }
  return {
    async put(labels) {
      if (labels.length === 0) return;
      const size = Math.max(PAGE, Math.ceil(labels.length / MOST_PAGES));
      const pages = Array.from({ length: Math.ceil(labels.length / size) }, (_, page) =>
        JSON.stringify(labels.slice(page * size, (page + 1) * size).map(values)),
      );
      await run(writeLabels(pages));
    },
    of: async (trace) => readEach(await all(keyed, OF, trace)),
    ofEach: async (traces) => readEach(await all(keyed, OF_EACH, JSON.stringify(traces))),
    async after(last, limit) {
      const labels: Label[] = [];
      for (let from = last; labels.length < limit; ) {
        const asked = limit - labels.length;
        const rows = await all(keyed, AFTER, from?.trace ?? '', from?.who ?? '', asked);
        labels.push(...readEach(rows));
        from = rows.at(-1) ?? null;
        if (rows.length < asked) break;
      }
      return labels;
    },
  };
}

export function createMemoryLabels(): LabelStore {
  const labels = new Map<string, Label>();
  const keyOf = ({ trace, who }: Pick<Label, 'trace' | 'who'>) => `${trace}\n${who}`;
  const sorted = () => [...labels.keys()].sort().flatMap((key) => labels.get(key) ?? []);
  return {
    async put(put) {
      for (const label of put) {
        const random = label.random || labels.get(keyOf(label))?.random === true;
        labels.set(keyOf(label), { ...label, random });
      }
    },
    async of(trace) {
      return sorted().filter((label) => label.trace === trace);
    },
    async ofEach(traces) {
      return sorted().filter((label) => traces.includes(label.trace));
    },
    async after(last, limit) {
      const from = last ? keyOf(last) : '';
      return sorted()
        .filter((label) => keyOf(label) > from)
        .slice(0, limit);
    },
  };
}
