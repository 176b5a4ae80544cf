/** Ranks from 1, where equal values share the mean of their ranks. */

interface Ranks {
  /** In the order of the values. */
  readonly ranks: readonly number[];
  /** How many values share a rank, for each rank that more than one has. */
  readonly ties: readonly number[];
}

export function midranks(values: readonly number[]): Ranks {
  const order = values.map((_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Array<number>(values.length).fill(0);
  const ties: number[] = [];
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to] ?? 0] === values[order[from] ?? 0]) to++;
    for (const place of order.slice(from, to)) ranks[place] = (from + 1 + to) / 2;
    if (to - from > 1) ties.push(to - from);
    from = to;
  }
  return { ranks, ties };
}
