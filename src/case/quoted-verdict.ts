/**
 * Whether a verdict was read from what a judge quotes of the answers: an answer may hold a verdict, and a judge that says a bare
 * label in the end may quote it.
 */
import { type Checkpoint, unlimited } from './checkpoint.ts';
import { hasWord } from './templates/align/tokens.ts';
import type { Case, Verdict } from './types.ts';
import { readVerdict } from './verdict.ts';
import { isUnderstood, sameVerdict } from './verdicts/index.ts';

/** Characters that are looked up; of a quote twice as many are needed to find it wherever it begins. */
const BLOCK = 12;
/** Blocks between two looks at the time. */
const BLOCKS_AT_ONCE = 4_096;
/** A quote has at least so many characters: two blocks. A verdict alone has fewer, as a rule. */
const SHORTEST_QUOTE = 2 * BLOCK;

/**
 * @returns whether what stands word for word in an answer says the verdict, and the rest of the reply says another; or none, and
 * words of the judge's own come behind the quote. A reply that ends in the words of an answer may be the judge's verdict all the same
 */
export function isFromQuote(verdict: Verdict, { form, options }: Case, checkpoint: Checkpoint): boolean {
  if (!isUnderstood(verdict)) return false;
  // A judge may quote as it would in JSON.
  const sources = new Set(options.flatMap(({ text }) => [text, JSON.stringify(text).slice(1, -1)]));
  const { own, quotes } = splitQuotes(verdict.text, [...sources], checkpoint);
  checkpoint();
  const read = (pieces: readonly string[]) => readVerdict(pieces.join(' '), form, options, checkpoint);
  if (quotes.length === 0 || !sameVerdict(read(quotes), verdict)) return false;
  const said = read(own);
  return isUnderstood(said) ? !sameVerdict(said, verdict) : hasWord(own.at(-1) ?? '');
}

/**
 * The pieces that a text has in common with the sources, 24 characters or more in a row, and what stands around these: always one
 * piece more. Takes time linear in all of them.
 *
 * @example splitQuotes('It says "I am the winner: [[A]], no?". [[B]]', ['Yes! I am the winner: [[A]], no?']).own // ['It says "', '". [[B]]']
 */
export function splitQuotes(
  text: string,
  sources: readonly string[],
  checkpoint: Checkpoint = unlimited,
): { readonly own: readonly string[]; readonly quotes: readonly string[] } {
  if (text.length < SHORTEST_QUOTE) return { own: [text], quotes: [] };
  const blocks = new Map<string, { readonly source: string; readonly at: number }>();
  for (const source of sources)
    for (let at = 0; at + BLOCK <= source.length; at += BLOCK) {
      if (at % (BLOCK * BLOCKS_AT_ONCE) === 0) checkpoint();
      const block = source.slice(at, at + BLOCK);
      if (!blocks.has(block)) blocks.set(block, { source, at });
    }
  const own: string[] = [];
  const quotes: string[] = [];
  let done = 0;
  for (let at = 0; at + BLOCK <= text.length; ) {
    const found = blocks.get(text.slice(at, at + BLOCK));
    if (!found) {
      at++;
      continue;
    }
    let before = 0;
    while (at - before > done && text[at - before - 1] === found.source[found.at - before - 1]) before++;
    let length = BLOCK;
    while (at + length < text.length && text[at + length] === found.source[found.at + length]) length++;
    if (before + length >= SHORTEST_QUOTE) {
      own.push(text.slice(done, at - before));
      done = at + length;
      quotes.push(text.slice(at - before, done));
      at = done;
    } else at++;
  }
  return { own: [...own, text.slice(done)], quotes };
}
