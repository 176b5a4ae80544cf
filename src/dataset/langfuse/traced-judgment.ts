/**
 * A judgment as Remand told it to Langfuse (src/proxy/telemetry/spans.ts): the case, the verdicts in both orders and
 * what was tested, out of the input and the output of one observation.
 */
import * as z from 'zod';
import { isWithheld, traceSchema } from '../../trace/index.ts';

/** Name of the observation that a judgment is. */
export const JUDGMENT_NAME = 'judgment';

const { id, judge, verdicts, swapped, looked_for, analyses, case: subject } = traceSchema.shape;
const { marks } = subject.shape;
const output = z.object({
  ...{ id, judge, verdicts, analyses },
  swapped: swapped.unwrap(),
  looked_for: looked_for.unwrap(),
});
const input = subject.extend({ marks: marks.unwrap() });

export interface TracedJudgment extends z.output<typeof output> {
  readonly case: z.output<typeof input>;
}

/** Why nothing can be made of a judgment, in words. */
export interface Omission {
  readonly leftOut: string;
}

const WITHHELD = 'its texts were withheld (REMAND_TELEMETRY_TEXTS or REMAND_TRACE_TEXTS is off)';
const OTHER = 'it was not told by this version of Remand';

/** @param observation `input` and `output` as the API gives them: JSON, or the text of it, as the endpoint likes */
export function readTracedJudgment(observation: {
  readonly input?: unknown;
  readonly output?: unknown;
}): TracedJudgment | Omission {
  const [what, came] = [parsed(observation.input), parsed(observation.output)];
  const plain = subject.safeParse(what).data;
  if (plain && [plain.instruction, ...plain.options.map(({ text }) => text)].some(withheld))
    return { leftOut: WITHHELD };
  const read = { case: input.safeParse(what), rest: output.safeParse(came) };
  if (!read.case.success || !read.rest.success) return { leftOut: OTHER };
  const lengths = [read.case.data.marks.length - read.case.data.context.length];
  lengths.push(read.rest.data.swapped.length - read.rest.data.verdicts.length);
  if (lengths.some((difference) => difference !== 0)) return { leftOut: OTHER };
  return { ...read.rest.data, case: read.case.data };
}

const withheld = (text: string | null) => text !== null && isWithheld(text);

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    // Cut off, or nobody's JSON: the schemas say so.
    return null;
  }
}
