/** A model call as the log of an evaluation tool keeps it, in the form of OpenAI's chat completions, and how a log is told. */
import * as z from 'zod';

export interface LoggedCall {
  readonly path: string;
  readonly body: { readonly model: string; readonly messages: readonly ChatMessage[] } & OfferedTools;
  /** Null where the log does not hold what was replied. */
  readonly response: { readonly choices: readonly object[] } | null;
  /** Whose texts the options are, in the order in which they stand in the prompt, where the log says it. */
  readonly contestants?: readonly string[];
  /** What it was made from, such as a question, where the log says it: judgments of one group are not independent. */
  readonly group?: string;
  /** Of a log that leaves the system message out: the name under which the tool keeps it, empty where it has none. */
  readonly systemPrompt?: string;
}

export interface ChatMessage {
  readonly role: string;
  /** One text, or pieces where some are none: pictures, calls. Of these no more is kept than that they are there. */
  readonly content: string | readonly MessagePiece[];
}

type MessagePiece = { readonly type: 'text'; readonly text: string } | { readonly type: 'media' };

export interface LogContent {
  readonly calls: readonly LoggedCall[];
  /** What the tool does not write down, in words for a number of such. */
  readonly missing: readonly (readonly [what: string, count: number])[];
}

export interface LogFormat {
  /** @returns null where the value is no log of this tool */
  find(value: unknown): LogContent | null;
}

/** The functions that the judge may or must call. */
interface OfferedTools {
  readonly tools?: readonly object[];
  readonly tool_choice?: string | object;
}

export interface LoggedReply {
  readonly content: string;
  /** Many a judge gives its verdict in the arguments of a function. */
  readonly tool_calls?: readonly ToolCall[];
}

interface ToolCall {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** @param reply null where it is not known */
export function chatCall(
  model: string,
  messages: readonly ChatMessage[],
  reply: LoggedReply | null,
  tools: OfferedTools = {},
): LoggedCall {
  return {
    path: '/v1/chat/completions',
    body: { model, messages, ...tools },
    response: reply && { choices: [replyChoice(reply)] },
  };
}

const replyChoice = (reply: LoggedReply) => ({
  index: 0,
  message: { role: 'assistant', ...reply },
  finish_reason: 'stop',
});

const TextPart = z.looseObject({ text: z.string().optional(), content: z.string().optional() });
const Content = z.union([z.string(), z.array(z.union([z.string(), TextPart]))]);
const Message = z.looseObject({
  role: z.string(),
  content: Content.nullish(),
  // OpenTelemetry calls the pieces of a message so.
  parts: z.array(TextPart).optional(),
  // And OpenInference so.
  contents: z
    .array(z.looseObject({ message_content: TextPart }))
    .transform((all) => all.map((one) => one.message_content))
    .optional(),
});

function readContent(content: z.infer<typeof Content>): ChatMessage['content'] {
  if (typeof content === 'string') return content;
  const pieces = content.map((part): MessagePiece => {
    const text = typeof part === 'string' ? part : (part.text ?? part.content);
    return text === undefined ? { type: 'media' } : { type: 'text', text };
  });
  return pieces.some(({ type }) => type === 'media') ? pieces : joinTexts(pieces);
}

const joinTexts = (content: ChatMessage['content']): string =>
  typeof content === 'string'
    ? content
    : content.map((piece) => (piece.type === 'text' ? piece.text : '')).join('');

/** The message with each of its texts put through a function. */
export const editTexts = ({ role, content }: ChatMessage, change: (text: string) => string): ChatMessage => ({
  role,
  content:
    typeof content === 'string'
      ? change(content)
      : content.map((piece) => (piece.type === 'text' ? { ...piece, text: change(piece.text) } : piece)),
});

/** @returns null for what is no list of messages */
export function readMessages(value: unknown): ChatMessage[] | null {
  const list = z.array(Message).min(1).safeParse(value);
  if (!list.success) return null;
  return list.data.map(({ role, content, parts, contents }) => ({
    role,
    content: readContent(content ?? parts ?? contents ?? ''),
  }));
}

/** What is called and with what, by the names that tools give it. */
const Called = z.looseObject({
  name: z.string(),
  arguments: z.unknown().optional(),
  args: z.unknown().optional(),
  input: z.unknown().optional(),
});
/** OpenInference and OpenAI put it into fields of its own; Inspect has the name there. */
const Wrapped = z.looseObject({ tool_call: z.unknown().optional(), function: z.unknown().optional() });

function readToolCall(value: unknown): ToolCall[] {
  const outer = Wrapped.safeParse(value).data;
  if (outer?.tool_call !== undefined) return readToolCall(outer.tool_call);
  const named = typeof outer?.function === 'string' ? { ...outer, name: outer.function } : outer?.function;
  const { data } = Called.safeParse(named ?? value);
  const given = data?.arguments ?? data?.args ?? data?.input;
  if (!data || given == null) return [];
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return [{ type: 'function', function: { name: data.name, arguments: text } }];
}

const Tool = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  parameters: z.unknown().optional(),
  input_schema: z.unknown().optional(),
});
const WrappedTool = z.looseObject({ function: Tool });
const NamedChoice = z.looseObject({ name: z.string() });

/**
 * @param tools a list of functions, in the form of OpenAI, Anthropic or Inspect
 * @param choice which of them must be called, if any
 */
export function readTools(tools: unknown, choice: unknown): OfferedTools {
  const list = z.array(z.union([WrappedTool.transform((one) => one.function), Tool])).safeParse(tools).data;
  if (!list || list.length === 0) return {};
  const name = NamedChoice.safeParse(choice).data?.name;
  const named = name === undefined ? choice : { type: 'function', function: { name } };
  return {
    tools: list.map(({ name, description, parameters, input_schema }) => ({
      type: 'function',
      function: { name, description, parameters: parameters ?? input_schema },
    })),
    ...(typeof named === 'object' && named && { tool_choice: named }),
    // Inspect and Anthropic call it so.
    ...(typeof named === 'string' && { tool_choice: named === 'any' ? 'required' : named }),
  };
}

const ReplyMessage = z.looseObject({
  content: Content.nullish(),
  parts: z.array(z.unknown()).optional(),
  tool_calls: z.array(z.unknown()).nullish().catch(null),
  choices: z
    .array(z.looseObject({ message: z.unknown() }))
    .min(1)
    .optional(),
});

/** What was replied: a text, a message, or the last of several; null where there is none. */
export function readReply(value: unknown): LoggedReply | null {
  if (typeof value === 'string') return { content: value };
  if (Array.isArray(value)) return readMessages(value) ? readReply(value.at(-1)) : null;
  const { data } = ReplyMessage.safeParse(value);
  if (!data) return null;
  if (data.choices) return readReply(data.choices[0]?.message);
  const [message] = readMessages([{ role: 'assistant', ...data }]) ?? [];
  const pieces = data.parts ?? (Array.isArray(data.content) ? data.content : []);
  const calls = [...(data.tool_calls ?? []), ...pieces].flatMap(readToolCall);
  const content = message ? joinTexts(message.content) : '';
  if (calls.length > 0) return { content, tool_calls: calls };
  const isMessage = message && (content !== '' || data.content != null || data.parts);
  return isMessage ? { content } : null;
}
