/** What somebody may have meant who wrote a name that there is not. */

/** The one of the names that takes the fewest changes of single letters. */
export function findNearest(word: string, names: readonly string[]): string {
  const [best = ''] = names.toSorted((a, b) => changes(word, a) - changes(word, b));
  return best;
}

/** Levenshtein's distance, row by row. */
function changes(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (const [i, one] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries())
      next.push(Math.min((row[j] ?? 0) + (one === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row.at(-1) ?? 0;
}
