/**
 * A judgment from use as a labelled row: its first verdict, which a detector will see as this row shows it. What no row
 * can hold is left out with the reason, never in part.
 */

import * as z from 'zod';
import { type Bias, findBias, keepExaminable } from '../../bias/index.ts';
import { type Case, fromTracedFields, type Option, type Statement, type Verdict } from '../../case/index.ts';
import { findSuspects, layOut, neutralise, renderBrief } from '../../detect/index.ts';
import { InputError } from '../../errors.ts';
import { parseJson } from '../../parse-json.ts';
import { isWithheld, type TraceVerdict, traceSchema } from '../../trace/index.ts';
import { renderRowPrompt } from '../distil/survey-rows.ts';
import type { LabelledRow } from '../label-pairs.ts';
import { createRowBrief } from '../row-brief.ts';

/** What people said of a judgment. */
export type Opinion = 'Yes' | 'No' | 'divided' | 'unclear' | 'on the trace' | null;

interface FoundJudgment {
  readonly told: TracedJudgment;
  /** Ids of Langfuse's. */
  readonly trace: string;
  readonly observation: string;
  readonly opinion: Opinion;
}

/** Whose word counts: people's, or where they said nothing the probe's evidence, too. */
export const LABEL_SOURCES = ['people', 'evidence'] as const;
export type LabelSource = (typeof LABEL_SOURCES)[number];

export function createLabelledRow(
  { told, trace, observation, opinion }: FoundJudgment,
  labels: LabelSource,
): LabelledRow | Omission {
  const left = leftOutBy(opinion, labels);
  if (left !== null) return { leftOut: left };
  const [first, other] = [told.verdicts[0], told.swapped[0] ?? null];
  const verdict = first ? convertTracedVerdict(told, first) : null;
  const swapped = other && convertTracedVerdict(told, other);
  if (!verdict) return { leftOut: 'the judge gave no verdict' };
  if (told.case.instruction === null) return { leftOut: 'the case has no instruction' };
  const known = told.looked_for.flatMap((name) => findBias(name) ?? []);
  if (known.length < told.looked_for.length)
    return { leftOut: 'a bias was looked for that is not known here' };
  const brief = { subject: createTracedCase(told), judge: told.judge, verdict, swapped };
  const biases = inQuestion(brief, keepExaminable(known, swapped !== null));
  if (biases.length === 0) return { leftOut: 'no bias was looked for' };
  const said = opinion === 'Yes' || opinion === 'No' ? opinion : evident(told, biases);
  if (said === null) return { leftOut: 'not every bias in question was examined' };
  const { choices, judgment } = layOut({ ...brief, biases });
  const row: LabelledRow = {
    id: `langfuse/${told.id}`,
    base: `langfuse/${told.id}`,
    twin: false,
    bias_category: biases.map(({ name }) => name).join('+'),
    llm_judge_model: told.judge,
    instruction: told.case.instruction,
    choices,
    llm_judgment: judgment,
    right_in_d: null,
    right_in_d_bias: null,
    bias_label: said,
    origin: { source: 'langfuse', trace, observation, label: opinion === null ? 'evidence' : 'people' },
  };
  // A row is read back by its columns: what is not the same case then would teach something else.
  return readsBack(row, { ...brief, biases })
    ? row
    : { leftOut: 'its texts cannot be told apart in the columns of a row' };
}

function leftOutBy(opinion: Opinion, labels: LabelSource): string | null {
  switch (opinion) {
    case 'divided':
      return 'people disagree about it';
    case 'unclear':
      return "people's label is neither yes nor no";
    case 'on the trace':
      return "people's label is on a trace of the client's own, and not on the judgment in it";
    case null:
      return labels === 'people' ? 'nobody has labelled it' : null;
    default:
      return null;
  }
}

/**
 * Those with a cue that speaks for the verdict; where the catalogue sees none, all. The label has no say in it, or it
 * could be told from the biases.
 */
function inQuestion(
  brief: Omit<Parameters<typeof findSuspects>[0], 'biases'>,
  biases: readonly Bias[],
): readonly Bias[] {
  const found = new Set(findSuspects({ ...brief, biases }).map(({ bias }) => bias));
  return found.size === 0 ? biases : [...found];
}

/** Yes for a verdict that changed when a cue was undone; No where that was tried for every bias, and none changed it. */
function evident({ analyses: [analysis] }: TracedJudgment, biases: readonly Bias[]): 'Yes' | 'No' | null {
  const tests = (analysis?.evidence ?? []).filter(({ after }) => after.none === undefined);
  if (tests.some(({ changed }) => changed)) return 'Yes';
  const examined = new Set(tests.flatMap((test) => test.biases));
  return biases.every(({ name }) => examined.has(name)) ? 'No' : null;
}

function readsBack(row: LabelledRow, brief: Parameters<typeof renderBrief>[0]): boolean {
  try {
    const { subject, listed = brief.biases } = createRowBrief(row, new AbortController().signal);
    const texts = JSON.stringify(subject.options.map(({ text }) => text));
    return (
      texts === JSON.stringify(brief.subject.options.map(({ text }) => neutralise(text))) &&
      renderRowPrompt(row) === renderBrief({ ...brief, listed })
    );
  } catch (cause) {
    if (cause instanceof InputError) return false;
    throw cause;
  }
}

/** The case of a judgment that was told, laid out anew: its request is not kept, the parts that matter are. */
function createTracedCase({ case: { instruction, options, context, marks } }: TracedJudgment): Case {
  let text = '';
  const write = (piece: string) => {
    const start = text.length;
    text += piece;
    const at = { part: 0, start, end: text.length };
    text += '\n\n';
    return at;
  };
  const asked = instruction === null ? null : { text: instruction, at: write(instruction) };
  const place = new Map(options.map(({ label }, index) => [label, index]));
  const beside = context.map((said, index): Statement => {
    const at = write(said);
    const { mentions = [], of } = marks[index] ?? {};
    return {
      text: said,
      at,
      mentions: mentions.flatMap(({ option, start, end }) => {
        const named = place.get(option);
        return named === undefined
          ? []
          : [{ option: named, at: { part: 0, start: at.start + start, end: at.start + end } }];
      }),
      ...(of && { of }),
      whole: { ...at, end: text.length },
    };
  });
  const judged = options.map((option): Option => ({ ...option, at: write(option.text) }));
  return {
    layout: 'told',
    prompt: { parts: [{ role: 'user', text }] },
    instruction: asked,
    options: judged,
    context: beside,
    form: { kind: 'choice', write: null, tie: null, field: null },
    noteAt: { part: 0, offset: text.length },
  };
}

/** A verdict of the trace as one on the case; null where it is none. */
function convertTracedVerdict({ case: { options } }: TracedJudgment, said: TraceVerdict): Verdict | null {
  const optionOf = (label: string) => options.findIndex((one) => one.label === label);
  const decision = fromTracedFields(said, optionOf);
  return decision && { ...decision, text: said.text };
}

// A judgment as Remand told it to Langfuse (src/proxy/telemetry/spans.ts): the case, the verdicts in both orders and
// what was tested, out of the input and the output of one observation.

/** Name of the observation that a judgment is. */
export const JUDGMENT_NAME = 'judgment';

const { id, judge, verdicts, swapped, looked_for, analyses, case: subject } = traceSchema.shape;
const { marks } = subject.shape;
const output = z.object({
  id,
  judge,
  verdicts,
  analyses,
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
  const [what, came] = [parseText(observation.input), parseText(observation.output)];
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

function parseText(value: unknown): unknown {
  // Of what is cut off, or nobody's JSON, the schemas say so.
  return typeof value === 'string' ? (parseJson(value) ?? null) : value;
}
