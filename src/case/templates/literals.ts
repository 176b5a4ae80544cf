/**
 * Finds which of many literals stand in a text, in one pass over the text (Wu and Manber, "A fast algorithm for
 * multi-pattern searching", 1994). The plain form is `text.includes` for each literal: it took four times as long for the
 * literals of known clients and a text of 32 KB. A judgment searches its prompt several times, which made it a fifth of the
 * judgment's CPU. `node bench/performance.ts --cpu`
 */

/** Characters of a block: how far the window moves depends on the block at its end. */
const BLOCK = 4;
/** Shorter literals are searched for one by one: with a window of 10 a text takes 2.5 times as long as with one of 13. */
const SHORTEST_WINDOW = 12;
/** Places of the table of moves, a power of two. */
const PLACES = 1 << 16;

/** @returns the literals that stand in the text */
export type LiteralSearch = (text: string) => ReadonlySet<string>;

/**
 * @example
 * const search = createLiteralSearch(['[The Start of Assistant A]', '[User Question]']);
 * search('[User Question]\nWhat is 17*23?'); // Set { '[User Question]' }
 */
export function createLiteralSearch(literals: readonly string[]): LiteralSearch {
  const long = literals.filter(({ length }) => length >= SHORTEST_WINDOW);
  const short = literals.filter(({ length }) => length < SHORTEST_WINDOW);
  const window = Math.min(255, ...long.map(({ length }) => length));
  const moves = new Uint8Array(PLACES).fill(window - BLOCK + 1);
  const endingIn = new Map<number, string[]>();
  for (const literal of new Set(long)) {
    for (let end = BLOCK; end <= window; end++) {
      const place = placeOf(literal, end);
      moves[place] = Math.min(moves[place] ?? 0, window - end);
    }
    const last = placeOf(literal, window);
    endingIn.set(last, [...(endingIn.get(last) ?? []), literal]);
  }
  return (text) => {
    const found = new Set(short.filter((literal) => text.includes(literal)));
    for (let end = window; end <= text.length; ) {
      const place = placeOf(text, end);
      const move = moves[place] ?? 1;
      if (move === 0)
        for (const literal of endingIn.get(place) ?? [])
          if (text.startsWith(literal, end - window)) found.add(literal);
      end += Math.max(1, move);
    }
    return found;
  };
}

/** Where the table has the block that ends before this character. */
const placeOf = (text: string, end: number) =>
  ((text.charCodeAt(end - 4) << 12) ^
    (text.charCodeAt(end - 3) << 8) ^
    (text.charCodeAt(end - 2) << 4) ^
    text.charCodeAt(end - 1)) &
  (PLACES - 1);
