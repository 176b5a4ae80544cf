/** What Remand has to know of a kind of verdict: each kind is one file in this folder, listed in index.ts. */
import type * as z from 'zod';
import type { Spread, Verdict } from '../types.ts';

export type KindName = Verdict['kind'];
export type VerdictOf<K extends KindName> = Extract<Verdict, { readonly kind: K }>;

type WithoutText<V> = V extends Verdict ? Omit<V, 'text'> : never;
/** What was decided, without the text of the reply. */
export type Decision<K extends KindName = KindName> = WithoutText<VerdictOf<K>>;

/** How a text is to name an option, by its place among the options of the case. */
export type NameOption = (option: number) => string;

/** The fields of a verdict in a trace. */
export type TracedFields = Readonly<Record<string, unknown>>;

export interface VerdictKind<K extends KindName> {
  /** Whether two verdicts of this kind decide the same. */
  isSame(a: VerdictOf<K>, b: VerdictOf<K>): boolean;
  /**
   * The verdict on options that were shown in another order, said of the original ones; null where it cannot be.
   * `order[slot]` is the original option shown there. Absent where the order is no part of the verdict.
   */
  mapBack?(verdict: VerdictOf<K>, order: readonly number[]): VerdictOf<K> | null;
  /** The option that it puts first; null where it puts none first. Absent where it never does. */
  preferred?(verdict: VerdictOf<K>): number | null;
  /** How far apart two verdicts are; null where they cannot be compared. Absent where there is no distance. */
  distance?(a: VerdictOf<K>, b: VerdictOf<K>): number | null;
  /** What the judge could have said in place of its number, by its log-probabilities. */
  spread?(verdict: VerdictOf<K>): Spread | undefined;
  /** How likely the decision was as a spread: 1 for this decision and 0 for any other. */
  likelihood?(verdict: VerdictOf<K>): Spread | undefined;
  /** In words, after "the judge gave": `Output (a)`, `a score of 4`. */
  describe(verdict: VerdictOf<K>, nameOf: NameOption): string;
  /** For the judge itself, after "you decided for": without a label or a number that would read as a verdict. */
  remind(verdict: VerdictOf<K>, nameOf: NameOption): string;
  /** As a detector model is told it: `Output (a)`, `Score: 4`. */
  brief(verdict: VerdictOf<K>, nameOf: NameOption): string;
  /** Reads what `brief` writes; null for anything else. Absent for what is read elsewhere. */
  readBrief?(text: string): Decision<K> | null;
  /** How a reply says it where the request does not tell how; absent for kinds that no such request asks for. */
  plain?(verdict: VerdictOf<K>, nameOf: NameOption): string;
  /** Its fields in a trace. */
  readonly traced: z.ZodRawShape;
  toTrace(verdict: VerdictOf<K>, nameOf: NameOption): TracedFields;
  /** @param optionOf the option of a label; -1 for none */
  fromTrace(told: TracedFields, optionOf: (label: string) => number): Decision<K> | null;
}
