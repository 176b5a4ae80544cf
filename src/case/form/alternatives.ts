/** Lists of alternatives in the orders, found around words that are known to be among them. */

import type { Spelling } from '../types.ts';
import { beginsAnOrder, MEANINGS, NEITHER } from '../words/vocabulary.ts';
import { listWords, matchWords } from '../words/words.ts';

/** Words and strokes for "or". */
export const OR: ReadonlySet<string> = new Set([...listWords(MEANINGS.or), '|', '/']);

/** One text of a list on a line: a text in quotation marks, or a bare word. */
interface Item {
  readonly text: string;
  readonly isQuoted: boolean;
  /** Whether a word for "or" or a stroke stands in front of it. */
  readonly isAfterOr: boolean;
}

/** What a bare word behind "or" has to be: any other may go on with the sentence, `A or B or the request fails`. */
const TIE = new RegExp(
  `^(?:-?\\d{1,2}|tied?|draw|equal|same|both|either|even|gleichstand|unentschieden|gleich|beide)$|${matchWords(MEANINGS.tie).source}`,
  'iu',
);

/** Whether a word says that none is better. */
export const saysTie = (word: string): boolean => TIE.test(word);

/** Words of a text in quotation marks that may be a tie: others tell how to write. */
const MOST_WORDS = 2;

/** A text in quotation marks, a word, or one other sign. */
const TOKEN =
  /(["“„«‘`'「『])([^"“”„«»‘’`'「」『』\n]{1,30})["“”»’`'」』]|([\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_+-]{0,29}))|\S/gu;

const COMMA = /^[,，、;；]$/;

/** Words that stand in front of the last text of a list. */
const AND: ReadonlySet<string> = new Set(listWords(MEANINGS.and));

/** The lists on a line: texts with a comma, a stroke or a word between one and the next. */
function listsOn(line: string): Item[][] {
  const lists: Item[][] = [];
  // Behind "or" stands the last one: `KEEP or DROP and why`.
  const isAnd = (word: string) => AND.has(word.toLowerCase()) && !lists.at(-1)?.at(-1)?.isAfterOr;
  let between: 'nothing' | 'comma' | 'or' | 'other' = 'other';
  for (const { 0: whole, 2: quoted, 3: word, index } of line.matchAll(TOKEN)) {
    const end = index + whole.length;
    // The name of a field: `"winner": "A" | "B", "reason": "…"`.
    if (quoted !== undefined && /^\s{0,3}[:：]/.test(line.slice(end, end + 5))) {
      between = 'other';
      continue;
    }
    const isOr = quoted === undefined && OR.has(whole.toLowerCase());
    if (isOr) between = between === 'other' ? 'other' : 'or';
    else if (COMMA.test(whole) || (quoted === undefined && isAnd(whole)))
      between = between === 'nothing' ? 'comma' : between;
    else if (quoted ?? word) {
      if (between === 'nothing' || between === 'other') lists.push([]);
      lists
        .at(-1)
        ?.push({ text: quoted ?? whole, isQuoted: quoted !== undefined, isAfterOr: between === 'or' });
      between = 'nothing';
    } else between = 'other';
  }
  return lists;
}

/** The last list in the orders that holds all of these words; nothing where none does. */
function listAround(words: readonly string[], orders: string): readonly Item[] {
  for (const line of orders.split('\n').toReversed()) {
    if (!words.every((word) => line.includes(word))) continue;
    const list = listsOn(line).findLast((items) =>
      words.every((word) => items.some(({ text }) => text === word)),
    );
    if (list) return list;
  }
  return [];
}

/** The alternatives of which these words are some: `Labels: resolved, open or duplicate`; nothing where the orders list none. */
export const alternativesAround = (words: readonly string[], orders: string): readonly string[] =>
  words.length === 0 ? [] : [...new Set(listAround(words, orders).map(({ text }) => text))];

/**
 * A choice with the tie that the orders offer beside the options' names: `1, 2 or 0`, `"Falcon" | "Heron" | "either"`, `Winner: A or
 * Winner: B or Winner: even`. None where they offer nothing, more than one thing, or the next name of the row.
 */
export function withTieOffered<Form extends { readonly write: Spelling | null; readonly tie: string | null }>(
  form: Form,
  orders: string,
): Form {
  const { write, tie } = form;
  if (!write || tie !== null || write.strong) return form;
  const [lead = ''] = write.template.split('{}');
  const other = offeredBeside(write.labels, lead.trim() === '' ? orders : orders.replaceAll(lead, ''));
  return other === null ? form : { ...form, tie: write.template.replace('{}', () => other) };
}

function offeredBeside(names: readonly string[], orders: string): string | null {
  const list = listAround(names, orders);
  const [other, ...more] = list.filter(({ text }) => !names.includes(text));
  if (!other || more.length > 0 || list.length !== names.length + 1) return null;
  const isAlternative = other.isQuoted
    ? list.every(({ isQuoted }) => isQuoted) &&
      (other !== list.at(-1) || other.isAfterOr) &&
      list.some(({ isAfterOr }) => isAfterOr) &&
      other.text.split(/\s+/).length <= MOST_WORDS
    : other === list.at(-1) && other.isAfterOr && saysTie(other.text);
  return isAlternative && !NEITHER.test(other.text) && !beginsAnOrder([...names, other.text])
    ? other.text
    : null;
}
