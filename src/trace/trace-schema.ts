/**
 * A trace: everything that happened to one judgment, as JSON. Written after the answer went out, read under
 * `/remand/traces`. What is in it comes from the case and from the models; never a header, never a key.
 */

import * as z from 'zod';
import { toHex } from '../bytes.ts';
import { tracedFields } from '../case/index.ts';
import { RemandError } from '../errors.ts';
import { parseJson } from '../parse-json.ts';
import { shorten } from '../shorten.ts';

/** A verdict: the reply's text as the judge wrote it, and what its kind has to tell. */
export const traceVerdict = z.object({ text: z.string(), ...tracedFields });
const verdict = traceVerdict;

/** How far the judge's verdict moves by itself: see src/detect/noise.ts. */
const noise = z.discriminatedUnion('by', [
  z.object({ by: z.literal('repeat'), repeat: verdict, limit: z.number().nullable() }),
  z.object({ by: z.literal('spread'), limit: z.number() }),
]);

/** How far the judge's probabilities moved though its verdict stood: see src/detect/noise.ts. */
const sensitivity = z.object({
  by: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  limit: z.number().nullable(),
  shown: z.boolean(),
});

const evidence = z.object({
  biases: z.array(z.string()),
  undone: z.string(),
  before: verdict,
  after: verdict,
  changed: z.boolean(),
  noise: noise.optional(),
  sensitivity: sensitivity.optional(),
});

const analysis = z.object({
  biased: z.boolean(),
  biases: z.array(z.string()),
  reasoning: z.string(),
  evidence: z.array(evidence),
});

const call = z.object({
  to: z.string(),
  kind: z.enum(['judge', 'sample', 'swap', 'probe', 'rewrite', 'detect', 'remand', 'read']),
  /** When it was begun, in milliseconds from `time`; unknown of older traces. */
  at: z.number().default(0),
  /** How long it took. */
  ms: z.number(),
  tokens: z.object({ input: z.number(), output: z.number() }).nullable(),
  cached: z.boolean(),
  error: z.string().nullable(),
});

/** What calls took; tokens of endpoints that do not count them are missing, and so is the cost where a price is. */
const spent = z.object({
  calls: z.number(),
  /** Input and output together. */
  tokens: z.number(),
  /** In the currency of the prices; null where one is not known. */
  cost: z.number().nullable(),
});

const fingerprint = z.object({
  /** The model that answered, as the endpoint told, with the fingerprint of its system; null where it did not. */
  served: z.string().nullable(),
  /** Numbers and switches of the request. */
  parameters: z.record(z.string(), z.union([z.number(), z.boolean()])),
  /** The template by which the request was read; null for none. */
  template: z.string().nullable(),
  /** How the verdict is given: its kind, its labels, its scale. */
  form: z.string(),
});
/** What a judge was when it gave a verdict. */
export type JudgeFingerprint = z.output<typeof fingerprint>;

const confidence = z
  .object({
    score: z.number(),
    probability: z.number().nullable(),
    grounds: z.array(
      z.object({
        from: z.enum(['verdict', 'sample', 'other-order', 'earlier', 'cue-undone']),
        agrees: z.boolean(),
        probability: z.number().nullable(),
      }),
    ),
  })
  .nullable()
  .default(null);

export const traceSchema = z.object({
  id: z.string(),
  /** ISO 8601, UTC; when the request came in. */
  time: z.string(),
  /** From the request to the answer, in milliseconds. */
  ms: z.number(),
  status: z.string(),
  /** In shadow mode the status that the verdict would have had; null elsewhere. */
  would_be: z.string().nullable().default(null),
  /** In shadow mode the verdict that would have gone out; null elsewhere, or of older traces. */
  would_say: verdict.nullable().default(null),
  /** Why the loop stopped. */
  stop: z.string(),
  /** Why the verdict was not examined, as `x-remand-reason` has it; null where it was, or of older traces. */
  reason: z.string().nullable().default(null),
  judge: z.string(),
  /** What the judge was; null of older traces, and where nothing is known of it. */
  fingerprint: fingerprint.nullable().default(null),
  detector: z.string(),
  mode: z.enum(['debias', 'shadow']),
  layout: z.string(),
  case: z.object({
    instruction: z.string().nullable(),
    options: z.array(z.object({ label: z.string(), text: z.string() })),
    context: z.array(z.string()),
    /** What could be answered: labels, and the ends of a scale; absent of older traces, and without texts. */
    answers: z
      .object({ labels: z.array(z.string()), min: z.number().nullable(), max: z.number().nullable() })
      .optional(),
    /** For each text of `context`, which options it names and where; absent of older traces, and without texts. */
    marks: z
      .array(
        z.object({
          mentions: z.array(z.object({ option: z.string(), start: z.number(), end: z.number() })),
          of: z.enum(['review', 'rebuttal']).optional(),
        }),
      )
      .optional(),
  }),
  /** In the order they were given; choices are labels of the original order. */
  verdicts: z.array(verdict),
  /** Beside each of them the one in the opposite order; null where there is none. Absent of older traces. */
  swapped: z.array(verdict.nullable()).optional(),
  /** The biases that the detector was to look for; absent of older traces. */
  looked_for: z.array(z.string()).optional(),
  /** The verdict that went out: the reply's own, or the one that was written in its place. */
  final: verdict,
  /** Whether what went out, or in shadow mode would have, decides otherwise than the judge's first verdict. */
  moved: z.boolean().default(false),
  /** Text that was put in place of the reply's own; null where none was. */
  written: z.string().nullable(),
  analyses: z.array(analysis),
  calls: z.array(call),
  /** By the client's own request, and by what was added to it; unknown of older traces. */
  spent: z.object({ own: spent, added: spent }).nullable().default(null),
  /** Cues that speak for the verdict and were not tested by the last analysis, and why; none of older traces. */
  untested: z
    .array(
      z.object({
        bias: z.string(),
        /** Label of the option it speaks for; null for whichever was chosen. */
        favours: z.string().nullable(),
        seen: z.string(),
        why: z.string(),
      }),
    )
    .default([]),
  /** Judged text that works against the examination itself; none of older traces. */
  security: z
    .array(z.object({ kind: z.string(), option: z.string().nullable(), seen: z.string() }))
    .default([]),
  /** Found, over all analyses. */
  biases: z.array(z.string()),
  /** Not found, but shown to push the judge's probabilities; names undone together are joined by `+`. */
  sensitivity: z.array(z.string()).default([]),
  /** How sure the verdict is that went out, and what that rests on; null where nothing tells, or of older traces. */
  confidence,
  /** What each sample of the client's own request said; null where one reply was all that was wanted, or of older traces. */
  samples: z
    .object({
      wanted: z.number(),
      verdicts: z.array(verdict),
      /** Why there are fewer though the rest could have changed the verdict, in words. */
      why: z.string().nullable(),
    })
    .nullable()
    .default(null),
  /** What a second judge made of the case; null where none was asked, or of older traces. */
  escalated: z
    .object({
      to: z.string(),
      result: z.enum(['agreed', 'overruled', 'left']),
      /** Why the first judge's answer was left, in words. */
      why: z.string().nullable(),
      verdict: verdict.nullable(),
      confidence,
      /** How sure the first judge was of its own verdict; null where nothing tells, or of older traces. */
      before: confidence,
    })
    .nullable()
    .default(null),
  /**
   * Whether the other order was asked for where not every verdict is checked, and the share of the latest that were; null
   * where all are, or of older traces.
   */
  order: z.object({ made: z.boolean(), share: z.number() }).nullable().default(null),
  rounds: z.number(),
  policy: z.string(),
  /** How a verdict found biased was ruled on, and why, where that was settled beforehand. */
  ruling: z
    .object({ action: z.enum(['remand', 'flag', 'tie']), why: z.string() })
    .nullable()
    .default(null),
  /** Why the judge's own verdict went out unexamined, in words; null where it did not. */
  error: z.string().nullable(),
});

export type Trace = z.infer<typeof traceSchema>;
export type TraceVerdict = z.infer<typeof verdict>;
export type TraceEvidence = z.infer<typeof evidence>;

/** What a verdict decided, without the judge's words. */
const decision = verdict.omit({ text: true });
export type TraceDecision = z.infer<typeof decision>;

/** A trace of an older version may lack what has been added since; SQLite says null for it. */
const orElse = <T extends z.ZodType>(inner: T, missing: z.output<T>) =>
  inner.nullish().transform((value) => value ?? missing);

/** What a list shows of a trace: no text that was judged, and no more than some kilobytes. */
const traceSummary = traceSchema
  .pick({ id: true, time: true, ms: true, status: true, stop: true, judge: true, detector: true, mode: true })
  .extend({
    would_be: orElse(z.string().nullable(), null),
    reason: orElse(z.string().nullable(), null),
    policy: z.string(),
    rounds: z.number(),
    /** Of the judge's first reply; null where there was none. */
    first: decision.nullable(),
    final: decision,
    moved: orElse(z.boolean(), false),
    biases: z.array(z.string()),
    sensitivity: orElse(z.array(z.string()), []),
    /** How many model calls were made. */
    calls: z.number(),
    spent: z
      .object({ own: spent, added: spent })
      .nullish()
      .transform((said) => said ?? null),
  });
export type TraceSummary = z.infer<typeof traceSummary>;

/** A trace that is kept and cannot be read: written by another version, or damaged. */
export interface UnreadableTrace {
  readonly id: string;
  /** Why not, in words. */
  readonly unreadable: string;
}

export type ListedTrace = TraceSummary | UnreadableTrace;

/** Longest name in a summary, in characters, and most names of a kind. */
const LONGEST_NAME = 200;
const MOST_NAMES = 50;

/** @returns what a list shows of the trace */
export function summariseTrace(trace: Trace): TraceSummary {
  const { id, time, ms, stop, reason, detector, mode, policy, rounds, moved, calls, spent: paid } = trace;
  const [first] = trace.verdicts;
  return {
    id,
    time,
    ms,
    stop,
    reason,
    detector,
    mode,
    policy,
    rounds,
    moved,
    status: short(trace.status),
    would_be: trace.would_be && short(trace.would_be),
    judge: short(trace.judge),
    first: first ? decisionOf(first) : null,
    final: decisionOf(trace.final),
    biases: names(trace.biases),
    sensitivity: names(trace.sensitivity),
    calls: calls.filter(({ cached }) => !cached).length,
    spent: paid,
  };
}

function decisionOf({ text: _text, ...told }: TraceVerdict): TraceDecision {
  const bounded = Object.entries(told).map(([name, value]) => {
    if (typeof value === 'string') return [name, short(value)];
    return [name, Array.isArray(value) ? value.slice(0, MOST_NAMES) : value];
  });
  return decision.parse(Object.fromEntries(bounded));
}

function names(all: readonly string[]): string[] {
  return all.slice(0, MOST_NAMES).map(short);
}

function short(name: string): string {
  return shorten(name, LONGEST_NAME);
}

/** A trace that is kept cannot be read. */
export class UnreadableTraceError extends RemandError {
  override name = 'UnreadableTraceError';
}

/** @throws UnreadableTraceError where the text is no trace */
export function readTrace(id: string, text: string): Trace {
  const read = readStored(id, text);
  if ('unreadable' in read)
    throw new UnreadableTraceError(`the trace ${id} cannot be read: ${read.unreadable}`);
  return read;
}

/** @param text a trace as JSON, of whatever version */
export function readStored(id: string, text: string): Trace | UnreadableTrace {
  const read = traceSchema.safeParse(parseJson(text) ?? null);
  return read.success ? read.data : { id, unreadable: complaint(read.error) };
}

/** @param text a summary as JSON, of whatever version; null where there is none */
export function readSummary(id: string, text: string | null): ListedTrace {
  const read = traceSummary.safeParse(parseJson(text ?? '') ?? null);
  return read.success ? read.data : { id, unreadable: complaint(read.error) };
}

function complaint({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.') || 'trace'}: ${issue?.message ?? 'cannot be read'}`;
}

/** How much a store of traces keeps. */
export interface TraceLimits {
  /** The oldest go when there are more. */
  readonly keep: number;
  /** Of all traces together, as JSON in UTF-8: the oldest go when there are more. */
  readonly bytes: number;
  /** Of one trace: one that is larger is kept without its texts. */
  readonly bytesEach: number;
}

export interface TraceQuery {
  /** At most so many, newest first. */
  readonly limit: number;
  /** Only traces older than the one with this id. */
  readonly before?: string | undefined;
  /** Only traces newer than the one with this id, the nearest first. */
  readonly after?: string | undefined;
  readonly status?: string | undefined;
  /** Only judgments in shadow that would have had this status. */
  readonly would?: string | undefined;
  readonly bias?: string | undefined;
  readonly judge?: string | undefined;
  /** `2026-11-21`, UTC. */
  readonly day?: string | undefined;
  /** Only judgments of this day, as above, or later. */
  readonly from?: string | undefined;
}

/** Judgments of one day, judge, status and list of biases, added up. */
export interface TraceSum {
  readonly day: string;
  readonly judge: string;
  readonly status: string;
  readonly biases: readonly string[];
  readonly count: number;
  /** Whose verdict moved. */
  readonly moved: number;
  /** Whose verdict was not examined, or not to the end. */
  readonly unexamined: number;
  readonly own: TraceSpending;
  readonly added: TraceSpending;
}

export interface TraceSpending {
  readonly calls: number;
  readonly tokens: number;
  readonly cost: number;
  /** Judgments whose cost is not known, and not in `cost`. */
  readonly unpriced: number;
}

export interface TraceStore {
  /** Rejects where it cannot be kept. */
  put(trace: Trace): Promise<void>;
  /** Rejects with an UnreadableTraceError where it is there and cannot be read. */
  get(id: string): Promise<Trace | null>;
  /** Of several, in this order, those that are there; one that cannot be read is given as such. */
  each(ids: readonly string[]): AsyncIterable<Trace | UnreadableTrace>;
  /** Reads no trace as a whole, and shows one that cannot be read as such. */
  list(query: TraceQuery): Promise<ListedTrace[]>;
  /** What is kept, from a day on, added up. */
  sums(from: string): Promise<TraceSum[]>;
}

/** A trace's id as OpenTelemetry writes it. A UUID is 128 bits, as those are; ids of another kind (an operator's own) are padded or cut. */
export function toOtelTraceId(id: string): string {
  const hex = id.replaceAll('-', '').toLowerCase();
  if (/^[\da-f]{32}$/.test(hex)) return hex;
  const bytes = new TextEncoder().encode(id).subarray(0, 16);
  return toHex(bytes).padEnd(32, '0');
}

/** Each bias once, also of those that were found together. */
export const eachBias = (found: readonly string[]): string[] => [
  ...new Set(found.flatMap((one) => one.split('+'))),
];

/** Whether a bias was found, alone or together with others: `verbosity` in `bandwagon+verbosity`. */
export const hasBias = (found: readonly string[], bias: string): boolean =>
  found.some((one) => one === bias || one.split('+').includes(bias));
