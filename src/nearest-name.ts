/** What somebody may have meant who wrote a name that there is not. */

/** Names that are listed where none of them is near. */
const LISTED = 30;

/**
 * The end of an error message: the name that takes the fewest changes of single letters, or where that takes too many, all names.
 *
 * @param show how a name is written; default: as it is
 * @returns begins with `; `; empty where no name is near and there are many
 *
 * @example suggestName('budjet', ['budget', 'keep'], (name) => `--${name}`) // '; did you mean --budget?'
 */
export function suggestName(word: string, names: readonly string[], show = (name: string) => name): string {
  const own = ownPart(word);
  const count = (name: string) => changes(own, ownPart(name));
  const [best = ''] = names.toSorted((a, b) => count(a) - count(b));
  const longest = Math.max(own.length, ownPart(best).length);
  // Two, since two letters that changed places are two changes. One letter in common has to stay.
  if (count(best) <= Math.max(2, longest / 3) && count(best) < longest)
    return `; did you mean ${show(best)}?`;
  return names.length > LISTED
    ? ''
    : `; there ${names.length === 1 ? 'is' : 'are'} ${names.map(show).join(', ')}`;
}

/** Without what all headers and most settings begin with. */
const ownPart = (name: string) =>
  name.slice(['x-remand-', 'REMAND_'].find((prefix) => name.startsWith(prefix))?.length ?? 0);

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
