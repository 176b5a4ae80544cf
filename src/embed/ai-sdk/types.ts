/**
 * What the middleware reads of the AI SDK's language models, specification v3 (`ai` 6) and v4 (`ai` 7). Written
 * down by shape, so that one middleware fits both and neither has to be installed; everything else in a call or
 * a result is carried along unread.
 */

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
export type SdkUsage = object;

export interface FinishInfo {
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

export const isTextDelta = (piece: SdkPart): piece is SdkPart & { readonly delta: string } =>
  piece.type === 'text-delta' && 'delta' in piece && typeof piece.delta === 'string';

export const isInputDelta = (piece: SdkPart): piece is SdkPart & { readonly id: string } =>
  piece.type === 'tool-input-delta' && 'id' in piece && typeof piece.id === 'string';

/** `input` is JSON text. */
export const isToolCall = (
  piece: SdkPart,
): piece is SdkPart & { readonly toolCallId: string; readonly toolName: string; readonly input: string } =>
  piece.type === 'tool-call' && 'input' in piece && typeof piece.input === 'string';

export const isFinish = (piece: SdkPart): piece is SdkPart & FinishInfo =>
  piece.type === 'finish' && 'usage' in piece && 'finishReason' in piece;

/** The end of a stream; null where it has none. */
export const findFinish = (parts: readonly SdkPart[]) => parts.findLast(isFinish) ?? null;
