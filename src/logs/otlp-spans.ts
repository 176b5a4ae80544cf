/** OpenTelemetry spans in OTLP's JSON: GenAI's attributes as they are today and as they were, and OpenInference's. */
import * as z from 'zod';
import { parseJson } from '../parse-json.ts';
import {
  type ChatMessage,
  chatCall,
  type LogFormat,
  type LoggedCall,
  readMessages,
  readReplyText,
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
    return { calls: spans.flatMap((span) => callOf(span) ?? []), missing: [] };
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
    : (readNumbered(texts, /^gen_ai\.prompt\.(\d+)\.(role|content)$/) ??
      readNumbered(texts, /^llm\.input_messages\.(\d+)\.message\.(role|content)$/));
  if (!messages) return null;
  const reply =
    readReplyText(jsonOf('gen_ai.output.messages')) ??
    readNumbered(texts, /^gen_ai\.completion\.(\d+)\.(role|content)$/)?.at(-1)?.content ??
    readNumbered(texts, /^llm\.output_messages\.(\d+)\.message\.(role|content)$/)?.at(-1)?.content ??
    null;
  const model =
    texts.get('gen_ai.response.model') ??
    texts.get('gen_ai.request.model') ??
    texts.get('llm.model_name') ??
    '';
  return chatCall(model, messages, reply);
}

/** Messages of which each field has an attribute of its own. */
function readNumbered(
  texts: ReadonlyMap<string, string>,
  form: RegExp,
): (ChatMessage & { readonly content: string })[] | null {
  const found = new Map<number, { role: string; content: string }>();
  for (const [key, text] of texts) {
    const [, number, field] = form.exec(key) ?? [];
    if (number === undefined) continue;
    const message = found.get(Number(number)) ?? { role: 'assistant', content: '' };
    if (field === 'role') message.role = text;
    else message.content = text;
    found.set(Number(number), message);
  }
  if (found.size === 0) return null;
  return [...found].sort(([a], [b]) => a - b).map(([, message]) => message);
}
