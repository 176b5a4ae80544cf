/**
 * A trace: everything that happened to one judgment, as JSON. Written after the answer went out, read under
 * `/remand/traces`. What is in it comes from the case and from the models; never a header, never a key.
 */
import * as z from 'zod';

const verdict = z.object({
  /** The reply's text, as the judge wrote it. */
  text: z.string(),
  /** The chosen option's label. */
  choice: z.string().optional(),
  /** By how much it was chosen, where the form asks. */
  strength: z.enum(['slight', 'strong']).optional(),
  /** Of the chosen label among the labels of the form, by the judge's log-probabilities. */
  probability: z.number().optional(),
  /** Of the probability at the label, what is on none of the labels that the endpoint lists. */
  missing: z.number().optional(),
  tie: z.literal(true).optional(),
  score: z.number().optional(),
  /** One for each option, in the original order. */
  scores: z.array(z.number()).optional(),
  category: z.string().optional(),
  list: z.array(z.string()).optional(),
  pass: z.boolean().optional(),
  /** Of the score, or of a pass as 1 and a fail as 0, by the judge's log-probabilities. */
  spread: z
    .object({
      mean: z.number(),
      variance: z.number(),
      /** What is on no number that the endpoint lists, and between what it leaves the mean; null for no bound. */
      missing: z.number().optional(),
      low: z.number().nullish(),
      high: z.number().nullish(),
    })
    .optional(),
  /** Why no verdict could be read, where none could. */
  none: z.string().optional(),
});

/** How far the judge's verdict moves by itself: see src/detect/noise.ts. */
const noise = z.discriminatedUnion('by', [
  z.object({ by: z.literal('repeat'), repeat: verdict, limit: z.number().nullable() }),
  z.object({ by: z.literal('spread'), limit: z.number() }),
]);

/** How far the judge's probabilities moved though its verdict stood: see src/detect/lean.ts. */
const lean = z.object({
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
  lean: lean.optional(),
});

const analysis = z.object({
  biased: z.boolean(),
  biases: z.array(z.string()),
  reasoning: z.string(),
  evidence: z.array(evidence),
});

const call = z.object({
  to: z.string(),
  kind: z.enum(['judge', 'swap', 'probe', 'rewrite', 'detect', 'remand']),
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

export const traceSchema = z.object({
  id: z.string(),
  /** ISO 8601, UTC; when the request came in. */
  time: z.string(),
  /** From the request to the answer, in milliseconds. */
  ms: z.number(),
  status: z.string(),
  /** Why the loop stopped. */
  stop: z.string(),
  judge: z.string(),
  detector: z.string(),
  mode: z.enum(['debias', 'shadow']),
  layout: z.string(),
  case: z.object({
    instruction: z.string().nullable(),
    options: z.array(z.object({ label: z.string(), text: z.string() })),
    context: z.array(z.string()),
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
  /** The verdict of the reply that went out. */
  final: verdict,
  /** Whether the judge's last verdict decides otherwise than its first. In shadow mode it did not go out. */
  moved: z.boolean().default(false),
  /** Text the policy put in place of that reply's own; null where it put none. */
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
  leaning: z.array(z.string()).default([]),
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

export interface TraceQuery {
  /** At most so many, newest first. */
  readonly limit: number;
  /** Only traces older than the one with this id. */
  readonly before?: string | undefined;
  readonly status?: string | undefined;
  readonly bias?: string | undefined;
  readonly judge?: string | undefined;
  /** `2026-11-21`, UTC. */
  readonly day?: string | undefined;
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
  readonly own: Spent;
  readonly added: Spent;
}

export interface Spent {
  readonly calls: number;
  readonly tokens: number;
  readonly cost: number;
  /** Judgments whose cost is not known, and not in `cost`. */
  readonly unpriced: number;
}

export interface TraceStore {
  put(trace: Trace): Promise<void>;
  get(id: string): Promise<Trace | null>;
  list(query: TraceQuery): Promise<Trace[]>;
  /** What is kept, from a day on, added up. */
  sums(from: string): Promise<TraceSum[]>;
}

/** A trace's id as OpenTelemetry writes it. A UUID is 128 bits, as those are; ids of another kind (an operator's own) are padded or cut. */
export function hexOf(id: string): string {
  const hex = id.replaceAll('-', '').toLowerCase();
  if (/^[\da-f]{32}$/.test(hex)) return hex;
  const bytes = new TextEncoder().encode(id).subarray(0, 16);
  return [...bytes]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .padEnd(32, '0');
}
