/** Ids of traces: UUIDv7 (RFC 9562 §5.7). */
import { v7 as uuid } from 'uuid';

/** Random bytes that one id takes, and how many are fetched at once: a trip to the system's source costs more than the rest. */
const EACH = 16;
const FETCHED = 256 * EACH;

export function createIds(random: (bytes: number) => Uint8Array): () => string {
  let bytes: Uint8Array = new Uint8Array();
  let used = 0;
  return () => {
    if (used === bytes.length) {
      bytes = random(FETCHED);
      used = 0;
    }
    const own = bytes.subarray(used, used + EACH);
    used += EACH;
    return uuid({ random: own });
  };
}
