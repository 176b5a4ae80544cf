/**
 * What a person says of a judgment: what is right, and so whether the judge's first verdict was and whether its last was.
 * The two tell `remand calibrate` for which judges and biases sending back pays; what is right tells how far people and
 * judges agree.
 */
import * as z from 'zod';
import { verdictValue } from '../../case/index.ts';
import { findMajority } from '../../stats/index.ts';

export const labelSchema = z.object({
  /** Id of the judgment's trace. */
  trace: z.string(),
  judge: z.string(),
  /** For which the verdict was sent back; none where it was not. */
  biases: z.array(z.string()),
  /** Whether the first verdict was right. */
  before: z.boolean(),
  /** Whether the last verdict was. */
  after: z.boolean(),
  /** What is right, an option by its index in the client's order; null where only the verdicts were called right or wrong. */
  decision: verdictValue.nullable().default(null),
  /** What the judge decided at last, in the same terms; null where it is not one of them. */
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
  /** Of one person's words on a judgment the latest counts. */
  put(label: Label): Promise<void>;
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

/** @returns the label of one of those whom most agree with; null where nobody said anything, or they are split */
export function decideLabel(labels: readonly Label[]): Label | null {
  return findMajority(labels, ({ before, after, decision }) => `${before} ${after} ${decision}`);
}

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

/** Labels read at a time. */
const PAGE = 500;
