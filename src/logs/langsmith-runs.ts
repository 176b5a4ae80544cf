/** Runs of LangSmith, of which those of type `llm` are model calls: one, a list, or a page of its API; also a row of its bulk export. */
import * as z from 'zod';
import { parseJson } from '../parse-json.ts';
import {
  chatCall,
  type LogFormat,
  type LoggedCall,
  type LoggedReply,
  readMessages,
  readReply,
  readTools,
} from './logged-call.ts';

/** An export as a table holds objects as JSON. */
const parsed = (value: unknown) => (typeof value === 'string' ? (parseJson(value) ?? value) : value);
const Fields = z.preprocess(parsed, z.record(z.string(), z.unknown()).nullish().catch(null));

const Run = z.looseObject({
  run_type: z.enum(['llm', 'chain', 'tool', 'retriever', 'embedding', 'prompt', 'parser']),
  inputs: Fields,
  outputs: Fields,
  extra: Fields,
});
const Runs = z.array(Run).min(1);
const Page = z.looseObject({ runs: Runs });

export const langsmithRuns: LogFormat = {
  find(value) {
    const all =
      Page.safeParse(value).data?.runs ??
      Runs.safeParse(value).data ??
      [Run.safeParse(value).data].filter((one) => one !== undefined);
    return all.length === 0 ? null : { calls: all.flatMap(callOf), missing: [] };
  },
};

/** A message as LangChain writes it: its class, and what it is made with. */
const Constructed = z.looseObject({
  id: z.array(z.string()).min(1),
  kwargs: z.looseObject({ content: z.unknown(), tool_calls: z.unknown().optional() }),
});
const ROLES: Readonly<Record<string, string>> = {
  SystemMessage: 'system',
  HumanMessage: 'user',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
};

function plain(message: unknown): unknown {
  const { data } = Constructed.safeParse(message);
  return data ? { role: ROLES[data.id.at(-1) ?? ''] ?? 'tool', ...data.kwargs } : message;
}

const Extra = z.looseObject({
  invocation_params: z.looseObject({ tools: z.unknown(), tool_choice: z.unknown() }).partial().nullish(),
  metadata: z.looseObject({ ls_model_name: z.string() }).partial().nullish(),
});

function callOf({ run_type: kind, inputs, outputs, extra }: z.infer<typeof Run>): LoggedCall[] {
  if (kind !== 'llm' || !inputs) return [];
  // A batch of one conversation, or the conversation; older models get a text.
  const [first] = Array.isArray(inputs.messages) ? inputs.messages : [];
  const given = Array.isArray(first) ? first : inputs.messages;
  const [prompt] = Array.isArray(inputs.prompts) ? inputs.prompts : [inputs.prompt];
  const messages =
    readMessages(Array.isArray(given) ? given.map(plain) : given) ??
    (typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : null);
  if (!messages) return [];
  const { invocation_params: asked, metadata } = Extra.safeParse(extra).data ?? {};
  const tools = readTools(inputs.tools ?? asked?.tools, inputs.tool_choice ?? asked?.tool_choice);
  const named = typeof inputs.model === 'string' ? inputs.model : metadata?.ls_model_name;
  return [chatCall(named ?? '', messages, outputs ? replyOf(outputs) : null, tools)];
}

const Generated = z.looseObject({
  generations: z.tuple(
    [z.tuple([z.looseObject({ text: z.string().optional(), message: z.unknown() })], z.unknown())],
    z.unknown(),
  ),
});
const Said = z.looseObject({ messages: z.array(z.unknown()).min(1) });

function replyOf(outputs: Readonly<Record<string, unknown>>): LoggedReply | null {
  const generation = Generated.safeParse(outputs).data?.generations[0][0];
  if (generation) return readReply(plain(generation.message)) ?? readReply(generation.text);
  const last = Said.safeParse(outputs).data?.messages.at(-1);
  return readReply(last === undefined ? outputs : plain(last)) ?? readReply(outputs.output);
}
