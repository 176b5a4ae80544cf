/** A model call as the log of an evaluation tool keeps it, in the form of OpenAI's chat completions, and how a log is told. */
import * as z from 'zod';

export interface LoggedCall {
  readonly path: string;
  readonly body: { readonly model: string; readonly messages: readonly ChatMessage[] };
  /** Null where the log does not hold what was replied. */
  readonly response: { readonly choices: readonly object[] } | null;
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

/** @param reply null where it is not known */
export function chatCall(model: string, messages: readonly ChatMessage[], reply: string | null): LoggedCall {
  return {
    path: '/v1/chat/completions',
    body: { model, messages },
    response: reply === null ? null : { choices: [replyChoice(reply)] },
  };
}

const replyChoice = (content: string) => ({
  index: 0,
  message: { role: 'assistant', content },
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

/** The text of a reply: as it is, in a message, or in the last of several; null where there is none. */
export function readReplyText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) {
    const last = readMessages(value)?.at(-1);
    return last ? joinTexts(last.content) : null;
  }
  const { data } = z
    .looseObject({
      content: Content.nullish(),
      choices: z
        .array(z.looseObject({ message: z.unknown() }))
        .min(1)
        .optional(),
    })
    .safeParse(value);
  if (data?.choices) return readReplyText(data.choices[0]?.message);
  return data?.content == null ? null : joinTexts(readContent(data.content));
}
