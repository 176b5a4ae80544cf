/** A reply on its way to the client, watched to its end: for what is to be known, or given back, only then. */

import type { FetchReply } from '../../ports.ts';

export interface BodyWatcher {
  /** Each piece as it passes. */
  readonly piece?: (bytes: Uint8Array) => void;
  /** Once: the body has ended, broken off, or been cancelled. */
  readonly end: () => void;
}

export function watchBody(response: FetchReply, { piece, end }: BodyWatcher): Response {
  if (response.whole) {
    // Nothing of it is still to come.
    piece?.(response.whole);
    end();
    return response;
  }
  if (!response.body) {
    end();
    return response;
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          end();
          controller.close();
          return;
        }
        piece?.(value);
        controller.enqueue(value);
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
