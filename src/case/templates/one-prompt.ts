/**
 * Which requests are written with one prompt, where several prompts judge one item in turn.
 *
 * Two requests share either their prompt or their item, and what an item says may be longer. A third request tells that there are
 * both: it shares one with the first request and the other with the second. A prompt begins with words of its own, and
 * stands around its item or names it.
 */
import type { Prompt } from '../types.ts';
import { namesText } from './align/shared-lines.ts';
import { hasWord, isLabelEnd, tokensOf } from './align/tokens.ts';
import { lettersIn } from './pipeline.ts';

/** Letters and digits that two requests share and a third one lacks, to tell anything. */
export const LEAST_TELLING = 20;

/** What stands between two delimiters of a request, in order, each piece with whether it names what stands behind it. */
export type Pieces = ReadonlyMap<string, boolean>;

/** Takes time linear in the prompt. */
export function piecesOf({ parts }: Prompt): Pieces {
  const pieces = new Map<string, boolean>();
  for (const { text } of parts) {
    let piece = '';
    const add = (isLabel: boolean) => {
      const said = piece.trim();
      if (hasWord(said) && !pieces.has(said)) pieces.set(said, isLabel || namesText(said));
      piece = '';
    };
    for (const token of tokensOf(text)) {
      if (token.kind === 'word' || token.kind === 'space') piece += token.text;
      else add(isLabelEnd(token) || CLOSES_NAME.has(token.text));
    }
    add(false);
  }
  return pieces;
}

const CLOSES_NAME: ReadonlySet<string> = new Set('>])】）|');

/** Letters and digits of what two requests share. */
export const sharedBy = (one: Pieces, other: Pieces): number =>
  sizeOf([...one.keys()].filter((piece) => other.has(piece)));

const sizeOf = (pieces: readonly string[]) => pieces.reduce((sum, piece) => sum + lettersIn(piece), 0);

/** Whether a request shares its prompt with the second one, and its item with the third. */
export function sharesPrompt(one: Pieces, second: Pieces, third: Pieces): boolean {
  const all = [...one].map(([piece, names]) => ({
    piece,
    names,
    of:
      second.has(piece) === third.has(piece)
        ? null
        : second.has(piece)
          ? ('second' as const)
          : ('third' as const),
  }));
  const differing = all.filter(({ of }) => of !== null);
  const sizeFor = (by: 'second' | 'third') =>
    sizeOf(differing.flatMap(({ piece, of }) => (of === by ? [piece] : [])));
  if (sizeFor('second') < LEAST_TELLING || sizeFor('third') < LEAST_TELLING) return false;
  // Answers of one style share words as well, but no prompt begins with these.
  const isFirst = all[0]?.of === 'second';
  if (isFirst && differing.at(-1)?.of === 'second') return true;
  const namedOf = (by: 'second' | 'third') =>
    all.filter(({ of }, n) => of === by && all[n - 1]?.names && all[n - 1]?.of !== by).length;
  // Behind the item's name stands what answers begin alike with: `Answer: ## Summary`.
  const isElsewhere = ({ piece }: { readonly piece: string }) => second.has(piece) || third.has(piece);
  if (!all.every(isElsewhere)) return false;
  const [own, others] = [namedOf('second'), namedOf('third')];
  // Where both begin alike, an item has a question and an answer by name, and the prompt's own words have no name.
  return isFirst ? others > own : all[0]?.of === null && own === 0 && others > 1;
}
