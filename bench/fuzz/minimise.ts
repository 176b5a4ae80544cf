/** Makes what is at fault shorter, as long as it stays at fault. */

/** Some faults take long to show. */
const LIMIT_MS = 10_000;

/** Halves, quarters and so on are taken out wherever they can be. */
export async function minimised(
  sample: string,
  isAtFault: (sample: string) => boolean | Promise<boolean>,
): Promise<string> {
  const until = performance.now() + LIMIT_MS;
  let text = sample;
  for (let size = text.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < text.length && performance.now() < until; ) {
      const shorter = text.slice(0, at) + text.slice(at + size);
      if (await isAtFault(shorter)) text = shorter;
      else at += size;
    }
  }
  return text;
}
