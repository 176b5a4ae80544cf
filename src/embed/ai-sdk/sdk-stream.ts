/** Streams of the AI SDK: taken in whole, handed on whole. */
import { JudgeError } from '../../http/index.ts';
import { isToolCall, type SdkPart } from './types.ts';

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
