/** Observations exported from Langfuse, of which the generations are model calls: one, a list, or a page of its API. */
import * as z from 'zod';
import { parseJson } from '../parse-json.ts';
import {
  chatCall,
  type LogFormat,
  type LoggedCall,
  readMessages,
  readReply,
  readTools,
} from './logged-call.ts';

const Fields = z.looseObject({
  type: z.enum([
    'GENERATION',
    'SPAN',
    'EVENT',
    'AGENT',
    'TOOL',
    'CHAIN',
    'RETRIEVER',
    'EVALUATOR',
    'EMBEDDING',
    'GUARDRAIL',
  ]),
  traceId: z.string().nullish(),
  model: z.string().nullish(),
  modelParameters: z.record(z.string(), z.unknown()).nullish().catch(null),
  input: z.unknown(),
  output: z.unknown(),
});
/** An export of chosen columns may be without its traces. */
const Observation = Fields.refine(
  (fields) => typeof fields.traceId === 'string' || Object.hasOwn(fields, 'input'),
);
const Observations = z.array(Observation).min(1);
const Page = z.looseObject({ data: Observations });
/** A trace with what was observed in it. */
const Trace = z.looseObject({ observations: Observations });

export const langfuseExport: LogFormat = {
  find(value) {
    const all =
      Page.safeParse(value).data?.data ??
      Trace.safeParse(value).data?.observations ??
      Observations.safeParse(value).data ??
      (Observation.safeParse(value).success ? [Observation.parse(value)] : null);
    return all && { calls: all.flatMap(callOf), missing: [] };
  },
};

const Asked = z.looseObject({
  messages: z.unknown(),
  tools: z.unknown().optional(),
  tool_choice: z.unknown().optional(),
});

function callOf({
  type,
  model,
  modelParameters: settings,
  input,
  output,
}: z.infer<typeof Observation>): LoggedCall[] {
  if (type !== 'GENERATION') return [];
  // Exports as CSV or JSONL may hold both as text.
  const given = typeof input === 'string' ? (parseJson(input) ?? input) : input;
  const asked = Asked.safeParse(given).data;
  const within = asked?.messages ?? given;
  const messages =
    readMessages(within) ?? (typeof within === 'string' ? [{ role: 'user', content: within }] : null);
  if (!messages) return [];
  const parsed = typeof output === 'string' ? parseJson(output) : null;
  const reply = readReply(typeof output === 'string' ? parsed : output);
  // What a schema asked for is kept as an object.
  const whole = output == null || typeof output === 'string' ? (output ?? null) : JSON.stringify(output);
  const tools = readTools(asked?.tools, asked?.tool_choice ?? settings?.tool_choice);
  return [chatCall(model ?? '', messages, reply ?? (whole === null ? null : { content: whole }), tools)];
}
