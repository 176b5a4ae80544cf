/** Streams of the AI SDK: taken in whole, handed on whole. */
import type { Piece } from './types.ts';

/** @throws the signal's reason; the stream is cancelled then */
export async function collected<Part extends Piece>(
  stream: ReadableStream<Part>,
  signal: AbortSignal | undefined,
): Promise<Part[]> {
  const parts: Part[] = [];
  const reader = stream.getReader();
  // A stream that has failed already rejects the cancelling, too; the read says why.
  const leave = () => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', leave, { once: true });
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
    signal?.throwIfAborted();
    return parts;
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}

export function emitted<Part extends Piece>(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
