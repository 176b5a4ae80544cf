/** OpenTelemetry spans in OTLP's JSON: GenAI's attributes as they are today and as they were, and OpenInference's. */
import * as z from 'zod';
import { parseJson } from '../parse-json.ts';
import {
  type ChatMessage,
  chatCall,
  type LogFormat,
  type LoggedCall,
  readMessages,
  readReply,
  readTools,
} from './logged-call.ts';

const Value = z.looseObject({ stringValue: z.string().optional() });
const Attribute = z.looseObject({ key: z.string(), value: Value });
const Attributes = z.array(Attribute).default([]);
const Span = z.looseObject({
  attributes: Attributes,
  events: z.array(z.looseObject({ name: z.string().default(''), attributes: Attributes })).default([]),
});
const Export = z.looseObject({
  resourceSpans: z.array(
    z.looseObject({ scopeSpans: z.array(z.looseObject({ spans: z.array(Span).default([]) })).default([]) }),
  ),
});

export const otlpSpans: LogFormat = {
  find(value) {
    const found = Export.safeParse(value).data;
    if (!found) return null;
    const spans = found.resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ spans: some }) => some),
    );
    const calls = spans.flatMap((span) => callOf(span) ?? []);
    const told = calls.filter(({ body }) => body.messages.some(({ content }) => content !== ''));
    const hidden = calls.length - told.length;
    return {
      calls: told,
      missing: hidden === 0 ? [] : [['prompts: their messages have no text', hidden]],
    };
  },
};

function callOf({ attributes, events }: z.infer<typeof Span>): LoggedCall | null {
  const all = [...attributes, ...events.flatMap((event) => event.attributes)];
  const texts = new Map(
    all.flatMap(({ key, value }) => (value.stringValue === undefined ? [] : [[key, value.stringValue]])),
  );
  const jsonOf = (key: string) => parseJson(texts.get(key) ?? '');
  const system = readMessages([{ role: 'system', parts: jsonOf('gen_ai.system_instructions') }]);
  const today = readMessages(jsonOf('gen_ai.input.messages'));
  const messages = today
    ? [...(system?.filter(({ content }) => content !== '') ?? []), ...today]
    : (readNumbered(texts, 'gen_ai.prompt') ?? readNumbered(texts, 'llm.input_messages'));
  if (!messages) return null;
  const reply =
    readReply(jsonOf('gen_ai.output.messages')) ??
    readReply(listIn(gather(texts, 'gen_ai.completion')).at(-1)) ??
    readReply(listIn(gather(texts, 'llm.output_messages')).at(-1));
  const model =
    texts.get('gen_ai.response.model') ??
    texts.get('gen_ai.request.model') ??
    texts.get('llm.model_name') ??
    '';
  const settings = Settings.safeParse(jsonOf('llm.invocation_parameters')).data;
  const tools =
    jsonOf('gen_ai.tool.definitions') ??
    settings?.tools ??
    (Tools.safeParse(gather(texts, 'llm.tools')).data ?? []).map(({ tool }) => parseJson(tool.json_schema));
  return chatCall(model, messages, reply, readTools(tools, settings?.tool_choice));
}

/** Parts of an attribute's key that are looked at: `llm.input_messages.0.message.contents.0.message_content.text` has eight. */
const DEEPEST = 16;

/**
 * The value whose fields have an attribute each.
 *
 * @example gather(new Map([['llm.input_messages.0.message.role', 'user']]), 'llm.input_messages') // [{ message: { role: 'user' } }]
 */
function gather(texts: ReadonlyMap<string, string>, name: string): unknown {
  const below = [...texts].flatMap(([key, text]): Leaf[] => {
    const path = key.startsWith(`${name}.`) ? key.slice(name.length + 1).split('.') : [];
    return path.length > 0 && path.length <= DEEPEST ? [{ path, text }] : [];
  });
  return below.length > 0 ? build(below) : undefined;
}

interface Leaf {
  readonly path: readonly string[];
  readonly text: string;
}

function build(leaves: readonly Leaf[]): unknown {
  const own = leaves.find(({ path }) => path.length === 0);
  if (own) return own.text;
  const fields = [...Map.groupBy(leaves, ({ path: [key = ''] }) => key)].map(
    ([key, some]) => [key, build(some.map(({ path, text }) => ({ path: path.slice(1), text })))] as const,
  );
  const isList = fields.every(([key]) => /^\d+$/.test(key));
  return isList
    ? fields.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value)
    : Object.fromEntries(fields);
}

/** Messages of which each field has an attribute of its own; one without a role is the judge's. */
function readNumbered(texts: ReadonlyMap<string, string>, name: string): ChatMessage[] | null {
  return readMessages(listIn(gather(texts, name)).map((one) => ({ role: 'assistant', ...one })));
}

/** OpenInference's settings of a call, and the functions that it offers. */
const Settings = z.looseObject({ tools: z.unknown().optional(), tool_choice: z.unknown().optional() });
const Tools = z.array(z.looseObject({ tool: z.looseObject({ json_schema: z.string() }) }));

const Numbered = z.array(z.looseObject({ message: z.looseObject({}).optional() }));

/** OpenInference puts each message in a field `message`. */
const listIn = (value: unknown): readonly object[] =>
  (Numbered.safeParse(value).data ?? []).map((one) => one.message ?? one);
