/** A cheap judge first, and a better one where the first is unsure. */

/** What two judges said of one item. */
export interface CascadeItem {
  readonly confidence: number;
  /** How right the first judge is, and the second, from 0 to 1. */
  readonly first: number;
  readonly second: number;
}

export interface CascadePoint {
  /** Share of the items that went to the second judge. */
  readonly share: number;
  readonly accuracy: number;
  /** Per item. */
  readonly calls: number;
}

/**
 * The accuracy where the least sure share of the items goes on. Among equally unsure items chance decides, and the
 * expected accuracy is told.
 *
 * @param calls of one verdict of the first judge, and of the second
 */
export function cascadeAt(
  items: readonly CascadeItem[],
  share: number,
  calls: readonly [number, number] = [1, 1],
): CascadePoint {
  const sent = Math.floor(share * items.length + 1e-9);
  let left = sent;
  let right = 0;
  const groups = [...Map.groupBy(items, ({ confidence }) => confidence)].sort(([a], [b]) => a - b);
  for (const [, equal] of groups) {
    const taken = Math.min(left, equal.length);
    const part = taken / equal.length;
    for (const { first, second } of equal) right += part * second + (1 - part) * first;
    left -= taken;
  }
  return { share, accuracy: right / items.length, calls: calls[0] + (sent / items.length) * calls[1] };
}
