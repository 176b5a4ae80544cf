/** Replies that are handed on unread, and whose words tell how a template's verdicts are given. */
import type { Adapter } from '../../../adapters/index.ts';
import type { Fetch } from '../../ports.ts';
import { watchBody } from '../limits/watch-body.ts';

/** Longest reply that is looked at, in bytes, packed or not. */
const LONGEST = 64 << 10;

export interface ReplyWatch {
  readonly adapter: Adapter;
  /** Body of the request. */
  readonly sent: Uint8Array;
  readonly stream: boolean;
  /** Called once, when the reply is over: with its first text, or null where there is none to read. */
  readonly heard: (text: string | null) => void;
}

/** A transport whose replies go on as they come, and are read once they are over. */
export function watchReplies(fetch: Fetch, { adapter, sent, stream, heard }: ReplyWatch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init).catch((error: unknown) => {
      heard(null);
      throw error;
    });
    if (!response.ok) {
      heard(null);
      return response;
    }
    const packing = response.headers.get('content-encoding') ?? 'identity';
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    return watchBody(response, {
      piece(bytes) {
        length += bytes.length;
        if (length <= LONGEST) pieces.push(new Uint8Array(bytes));
      },
      end() {
        void textIn(length <= LONGEST ? pieces : [], packing).then(heard);
      },
    });
  };

  async function textIn(pieces: readonly Uint8Array<ArrayBuffer>[], packing: string): Promise<string | null> {
    try {
      const body = await unpacked(pieces, packing);
      if (body === null) return null;
      const { texts } = adapter.readReply(body, stream, new TextDecoder().decode(sent));
      return texts[0] ?? null;
    } catch {
      // Cut off, badly packed, or none of this protocol's: there is nothing to learn from.
      return null;
    }
  }
}

/** @returns null for a packing that this runtime cannot undo, and for what is too long */
async function unpacked(pieces: readonly Uint8Array<ArrayBuffer>[], packing: string): Promise<string | null> {
  if (pieces.length === 0) return null;
  const body = new Blob([...pieces]);
  if (packing === 'identity') return body.text();
  if (packing !== 'gzip' && packing !== 'deflate') return null;
  const reader = body.stream().pipeThrough(new DecompressionStream(packing)).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length <= LONGEST) continue;
    await reader.cancel();
    return null;
  }
}
