/** Ids of traces: UUIDv7 (RFC 9562 §5.7). */
import { v7 } from 'uuid';

/** @param random so many random bytes */
export function createIds(random: (bytes: number) => Uint8Array): () => string {
  return () => v7({ random: random(16) });
}
