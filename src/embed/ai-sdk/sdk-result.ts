/** What the AI SDK's results say: the text of the verdict, the shape, the usage; whole or in parts. */
import type { JudgeReply } from '../../../adapters/index.ts';
import { JudgeError } from '../../http/index.ts';

// Streams of the AI SDK: taken in whole, handed on whole.

/** Of the texts of a stream that is held back, in characters. */
const MOST_HELD = 32 << 20;

/** What a part adds to what is held: beside its text some hundred characters. */
const sizeOf = (part: SdkPart) => {
  const text = 'delta' in part ? part.delta : isToolCall(part) ? part.input : '';
  return 100 + (typeof text === 'string' ? text.length : 0);
};

/** @throws the signal's reason, or JudgeError where the stream is too long; it is cancelled then */
export async function collectParts<Part extends SdkPart>(
  stream: ReadableStream<Part>,
  signal: AbortSignal | undefined,
): Promise<Part[]> {
  const parts: Part[] = [];
  const reader = stream.getReader();
  // A stream that has failed already rejects the cancelling, too; the read says why.
  const leave = () => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', leave, { once: true });
  try {
    let size = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(next.value);
      size += sizeOf(next.value);
      if (size <= MOST_HELD) continue;
      await reader.cancel();
      throw new JudgeError(`the reply is longer than ${MOST_HELD} characters`);
    }
    signal?.throwIfAborted();
    return parts;
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}

export function emitParts<Part extends SdkPart>(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

/** What a result says, however it came. */
interface Spoken {
  readonly text: string;
  readonly calls: readonly { readonly toolName: string; readonly input: string }[];
  readonly ended: FinishInfo | null;
}

export function readResult(result: GenerateResult, tool: string | null): JudgeReply {
  const text = result.structuredOutputText ?? joined(result.content.filter(isText).map((one) => one.text));
  return readSpoken({ text, calls: result.content.filter(isToolCall), ended: result }, tool);
}

/** A stream that holds an error has no verdict; it is handed on as it is. */
export function readParts(parts: readonly SdkPart[], tool: string | null): JudgeReply {
  if (parts.some(({ type }) => type === 'error'))
    return { texts: [], finish: null, usage: null, tokens: null };
  const text = joined(parts.filter(isTextDelta).map(({ delta }) => delta));
  return readSpoken({ text, calls: parts.filter(isToolCall), ended: findFinish(parts) }, tool);
}

function readSpoken({ text, calls, ended }: Spoken, tool: string | null): JudgeReply {
  const forced = calls.find(({ toolName }) => toolName === tool);
  const shape = {
    calls: calls.map(({ toolName }) => toolName),
    text: calls.length === 0 && text !== '',
  };
  return {
    texts: [forced?.input ?? (text || (calls[0]?.input ?? ''))],
    finish: ended?.finishReason.unified ?? null,
    shape: JSON.stringify(shape),
    usage: null,
    tokens: ended && tokensOf(ended.usage),
  };
}

/** The result with another text where its verdict stands. */
export function replaceResultText<R extends GenerateResult>(result: R, tool: string | null, text: string): R {
  const structured = result.structuredOutputText === undefined ? {} : { structuredOutputText: text };
  return { ...result, ...structured, content: replaceParts(result.content, tool, text) };
}

/** The parts of a stream with another text where its verdict stands. */
export function replacePartsText<Part extends SdkPart>(
  parts: readonly Part[],
  tool: string | null,
  text: string,
): Part[] {
  return replaceParts(parts, tool, text);
}

/** The first piece that carries the verdict gets the text, those that carry the rest of it get none. */
function replaceParts<T extends SdkPart>(pieces: readonly T[], tool: string | null, text: string): T[] {
  const known: readonly SdkPart[] = pieces;
  const calls = known.filter(isToolCall);
  const called = calls.find(({ toolName }) => toolName === tool);
  const carrier = called?.toolCallId ?? (pieces.some(carriesText) ? null : (calls[0]?.toolCallId ?? null));
  let rest = text;
  const put = () => {
    const now = rest;
    rest = '';
    return now;
  };
  return pieces.map((piece) => {
    if (carrier !== null) {
      if (isToolCall(piece) && piece.toolCallId === carrier) return { ...piece, input: text };
      return isInputDelta(piece) && piece.id === carrier ? { ...piece, delta: put() } : piece;
    }
    if (isText(piece)) return { ...piece, text: put() };
    return isTextDelta(piece) ? { ...piece, delta: put() } : piece;
  });
}

const carriesText = (piece: SdkPart) =>
  (isText(piece) && piece.text !== '') || (isTextDelta(piece) && piece.delta !== '');

/** Counts added up, nested ones too. What the provider itself reported (`raw`) stays the reply's own. */
export function addUsage<U extends SdkUsage>(usage: U, others: readonly SdkUsage[]): U {
  return { ...others.reduce<SdkUsage>(sum, usage), ...('raw' in usage && { raw: usage.raw }) } as U;
}

function sum(a: object, b: object): object {
  const other = new Map<string, unknown>(Object.entries(b));
  const names = new Set([...Object.keys(a), ...other.keys()]);
  const mine = new Map<string, unknown>(Object.entries(a));
  return Object.fromEntries([...names].map((name) => [name, addUp(mine.get(name), other.get(name))]));
}

function addUp(a: unknown, b: unknown): unknown {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (isObject(a) && isObject(b)) return sum(a, b);
  return a ?? b;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function tokensOf(usage: SdkUsage): { input: number; output: number } | null {
  const total = (name: 'inputTokens' | 'outputTokens') => {
    const counted: unknown = new Map<string, unknown>(Object.entries(usage)).get(name);
    const count: unknown = isObject(counted) && 'total' in counted ? counted.total : counted;
    return typeof count === 'number' ? count : null;
  };
  const [input, output] = [total('inputTokens'), total('outputTokens')];
  return input === null || output === null ? null : { input, output };
}

const joined = (texts: readonly string[]) => texts.join('');

// What the middleware reads of the AI SDK's language models, specification v3 (`ai` 6) and v4 (`ai` 7). Written
// down by shape, so that one middleware fits both and neither has to be installed; everything else in a call or
// a result is carried along unread.

export interface SdkPart {
  readonly type: string;
}

export interface Message {
  readonly role: string;
  readonly content: string | readonly SdkPart[];
}

export interface CallOptions {
  readonly prompt: readonly Message[];
  readonly temperature?: number | undefined;
  readonly responseFormat?: { readonly type: string; readonly schema?: unknown } | undefined;
  readonly tools?: readonly { readonly type: string; readonly name: string }[] | undefined;
  readonly toolChoice?: { readonly type: string; readonly toolName?: string } | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** Counts, some of them nested, some not given. */
type SdkUsage = object;

interface FinishInfo {
  readonly usage: SdkUsage;
  readonly finishReason: { readonly unified: string };
  readonly providerMetadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface GenerateResult extends FinishInfo {
  readonly content: readonly SdkPart[];
  /** Specification v4: what to parse where it is not the texts put together. */
  readonly structuredOutputText?: string | undefined;
}

export interface StreamResult<Part extends SdkPart = SdkPart> {
  readonly stream: ReadableStream<Part>;
}

export const isText = (piece: SdkPart): piece is SdkPart & { readonly text: string } =>
  piece.type === 'text' && 'text' in piece && typeof piece.text === 'string';

const isTextDelta = (piece: SdkPart): piece is SdkPart & { readonly delta: string } =>
  piece.type === 'text-delta' && 'delta' in piece && typeof piece.delta === 'string';

const isInputDelta = (piece: SdkPart): piece is SdkPart & { readonly id: string } =>
  piece.type === 'tool-input-delta' && 'id' in piece && typeof piece.id === 'string';

/** `input` is JSON text. */
const isToolCall = (
  piece: SdkPart,
): piece is SdkPart & { readonly toolCallId: string; readonly toolName: string; readonly input: string } =>
  piece.type === 'tool-call' && 'input' in piece && typeof piece.input === 'string';

export const isFinish = (piece: SdkPart): piece is SdkPart & FinishInfo =>
  piece.type === 'finish' && 'usage' in piece && 'finishReason' in piece;

/** The end of a stream; null where it has none. */
export const findFinish = (parts: readonly SdkPart[]) => parts.findLast(isFinish) ?? null;
