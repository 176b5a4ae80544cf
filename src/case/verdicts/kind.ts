/**
 * What Remand has to know of a kind of verdict and of the form that asks for one: each kind is one file in this folder,
 * listed in index.ts. A form may be answered with several kinds: a choice with a tie, a ranking with scores.
 */
import * as z from 'zod';
import type { Checkpoint } from '../checkpoint.ts';
import type { NoVerdictReason, Spread, Verdict, VerdictForm } from '../types.ts';
import type { JsonObject } from './reading/json.ts';
import type { Reply } from './reading/reply.ts';

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
  /**
   * How a reply says it where the request does not tell how; absent for kinds that no such request asks for.
   * @param asked the prompt
   */
  plain?(verdict: VerdictOf<K>, nameOf: NameOption, asked: string): string;
  /** As the value of a property of the reply's JSON schema. Absent where that is its label. */
  toProperty?(verdict: VerdictOf<K>, property: JsonObject): unknown;
  /** False where it is the bad outcome, so that nothing can have spoken for the only answer. Absent for always true. */
  isFavourable?(verdict: VerdictOf<K>): boolean;
  /** What stands for it in a reply: words, or a number. Absent where its probability cannot be told from tokens. */
  wordsOf?(verdict: VerdictOf<K>, form: VerdictForm, options: Labelled): readonly string[] | number;
  /** The verdict with what the judge could have said instead. */
  weigh?(verdict: VerdictOf<K>, alternatives: Alternatives): VerdictOf<K>;
  /** As one of several draws of a judge on one item; absent for kinds that are only compared as wholes. */
  toDraw?(verdict: VerdictOf<K>): VerdictDraw;
  /** Its fields in a trace. */
  readonly traced: z.ZodRawShape;
  toTrace(verdict: VerdictOf<K>, nameOf: NameOption): TracedFields;
  /** @param optionOf the option of a label; -1 for none */
  fromTrace(told: TracedFields, optionOf: (label: string) => number): Decision<K> | null;
}

/** What is right, or what a judge says: an option by its index, `tie`, a score, whether it passes, or a category. */
export const verdictValue = z.union([z.number(), z.boolean(), z.string().min(1)]);
export type VerdictValue = z.infer<typeof verdictValue>;

/** What a judge said once; an index is that of the option in the item's own order, whatever order it was shown in. */
export interface VerdictDraw {
  readonly choice?: number | 'tie' | undefined;
  readonly score?: number | undefined;
  /** One an option; null where no score was found for it. */
  readonly scores?: readonly (number | null)[] | undefined;
  readonly pass?: boolean | undefined;
  readonly category?: string | undefined;
  /** Of this verdict, in [0, 1]. */
  readonly probability?: number | undefined;
}

/** What a judge could have said in place of its verdict, by its log-probabilities. */
export interface Alternatives {
  readonly all: readonly { readonly verdict: Verdict; readonly probability: number }[];
  /** The sum of the probabilities. */
  readonly whole: number;
  readonly missing: number;
  /** What the judge had said before the label. */
  readonly lead: string;
  /** Ends of the scale; infinite where it has none. */
  readonly ends: readonly [number, number];
}

export type FormName = VerdictForm['kind'];
export type FormOf<K extends FormName> = Extract<VerdictForm, { readonly kind: K }>;

/** What a verdict's form is read from. */
export interface FormSource {
  /** The judge's orders: the prompt without instruction, options, statements and delimiters. */
  readonly orders: string;
  /** The options' labels, in order. */
  readonly labels: readonly string[];
  /** What the prompt calls an option. */
  readonly noun: string;
  /** How verdicts are written in this layout where nothing else says so; `{}` stands for the key. */
  readonly usual: string | null;
  /** The reply's JSON schema, as sent; null where there is none. */
  readonly schema: unknown;
}

/** The options, in the order in which the judge saw them. */
export type Labelled = readonly { readonly label: string }[];

export interface ReadContext {
  readonly options: Labelled;
  /** Called between the steps of the reading; what it throws ends the reading. */
  readonly checkpoint: Checkpoint;
}

/** A way to ask for a verdict. */
export interface FormKind<K extends FormName, File extends { readonly kind: K } = never> {
  /** The verdict of a reply; none, with the reason, where the reply gives none or several. */
  read(reply: Reply, form: FormOf<K>, context: ReadContext): Decision;
  /** In exactly the form the request asks for; null where the request does not say how, or has no way to say it. */
  write(verdict: Verdict, form: FormOf<K>, options: Labelled): string | null;
  /** What is asked for, in one clause for people. The JSON field is told elsewhere. */
  describe(form: FormOf<K>, labels: readonly string[]): string;
  /** What reads as a verdict of the form, its field aside. */
  patterns(form: FormOf<K>): readonly RegExp[];
  /** Its label in plain text, as the source of a regular expression; null for none. Absent where it has no label. */
  labelSource?(form: FormOf<K>): string | null;
  /** All that can stand for a verdict. Absent where the form does not say. */
  labels?(form: FormOf<K>, options: Labelled): readonly string[];
  /** Where verdicts are numbers. */
  scale?(form: FormOf<K>): Scale;
  /** Whether of a reply of one token the likeliest label is the verdict, whatever was sampled. */
  readonly takesLikeliest?: boolean;
  /** One verdict of several replies to one request, where the client is known to take that. */
  combine?(verdicts: readonly Verdict[], form: FormOf<K>): Decision | null;
  /** Whether what stands beside the verdict in a re-judgment agrees with it, and with the reply it stands in for. */
  companionsAgree?(now: readonly JsonObject[], before: readonly JsonObject[], form: FormOf<K>): boolean;
  /** Whether the verdict is a list in JSON, and no label. */
  readonly isList?: boolean;
  /** Whether it is not known which of its values is the good one. Absent where it is. */
  isOpen?(form: FormOf<K>): boolean;
  /** What a judge decides that likes each option so much; one number an option, 0 for neither good nor bad. */
  decide(liked: readonly number[], form: FormOf<K>): Decision;
  /** As a template's file tells it. */
  readonly file: z.ZodType<File>;
  fromFile(file: File): FormOf<K>;
  /** How many options the file speaks of; null where it does not say. Absent for one. */
  countOptions?(file: File): number | null;
  /** The same for so many options; null where nothing says what the further ones would be. Absent where it is one form for all. */
  forOptions?(file: File, count: number): File | null;
}

/** What numbers may be given. */
export interface Scale {
  readonly min: number | null;
  readonly max: number | null;
  readonly legal?: readonly number[];
}

/** @example noVerdict('refusal') // { kind: 'none', reason: 'refusal' } */
export const noVerdict = (reason: NoVerdictReason): Decision<'none'> => ({ kind: 'none', reason });

/* What a judge could have said in place of a number. */

/** Of the score, or of a pass as 1 and a fail as 0, by the judge's log-probabilities. */
export const tracedSpread = z
  .object({
    mean: z.number(),
    variance: z.number(),
    /** What is on no number that the endpoint lists, and between what it leaves the mean; null for no bound. */
    missing: z.number().optional(),
    low: z.number().nullish(),
    high: z.number().nullish(),
  })
  .optional();

/** JSON has no infinity: an end that is not there is null. */
export function toTracedSpread({ low, high, ...spread }: Spread) {
  return { ...spread, low: finiteOrNull(low), high: finiteOrNull(high) };
}

export const finiteOrNull = (bound: number) => (Number.isFinite(bound) ? bound : null);

/** @param numberOf the number that a verdict stands for; null for none */
export function spreadOf(
  { all, whole, missing, ends: [least, most] }: Alternatives,
  numberOf: (verdict: Verdict) => number | null,
): Spread {
  const values = all.flatMap(({ verdict, probability }) => {
    const value = numberOf(verdict);
    return value === null ? [] : [{ value, share: probability / whole }];
  });
  const mean = values.reduce((sum, { value, share }) => sum + share * value, 0);
  const variance = values.reduce((sum, { value, share }) => sum + share * (value - mean) ** 2, 0);
  // Nothing missing adds nothing, on a scale without an end, too.
  const beside = (end: number) => mean * (1 - missing) + (missing > 0 ? missing * end : 0);
  return { mean, variance, missing, low: beside(least), high: beside(most) };
}
