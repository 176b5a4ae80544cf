/**
 * Lists whose length differs from request to request: `Tip 1`, `Tip 2` and so on, each at the start of a line. A template is
 * learned from two entries of each: the first, and the last under the second one's name.
 */

import type { TextRange } from '../../types.ts';
import { followsInOrder } from '../../vocabulary.ts';

/** Lines of a text, and characters and words of a line, among which the name of an entry is looked for. */
const MOST_LINES = 400;
const LONGEST_NAME = 60;
const MOST_WORDS = 6;

/** Where the names of a list's entries stand, by what they are written as. */
type Lists = ReadonlyMap<string, readonly TextRange[]>;

/**
 * The texts with two entries of each list that is longer in one of them than in another.
 *
 * @param texts the same text part of different requests
 *
 * @example withEvenLists(['1. a\n2. b', '1. c\n2. d\n3. e']) // ['1. a\n2. b', '1. c\n2. e']
 */
export function withEvenLists(texts: readonly string[]): readonly string[] {
  const lists = texts.map(listsIn);
  for (const [name, entries] of lists[0] ?? []) {
    const all = lists.map((some) => some.get(name) ?? []);
    if (all.some(({ length }) => length < 2) || all.every(({ length }) => length === entries.length))
      continue;
    // Answers have lists, too; those of the template stand below the same line or have a name.
    const above = texts.map((text, n) => lineAbove(text, all[n]?.[0]?.start ?? 0));
    if (!hasLetter(name) && above.some((line) => line !== above[0])) continue;
    return withEvenLists(texts.map((text, n) => withTwo(text, all[n] ?? [])));
  }
  return texts;
}

function withTwo(text: string, entries: readonly TextRange[]): string {
  const [, second] = entries;
  const last = entries.at(-1);
  return second && last ? text.slice(0, second.end) + text.slice(last.end) : text;
}

const lineAbove = (text: string, start: number) => text.slice(0, start).trimEnd().split('\n').at(-1) ?? '';

const hasLetter = (name: string) => /\p{L}/u.test(name);

function listsIn(text: string): Lists {
  const lists = new Map<string, TextRange[] | null>();
  const last = new Map<string, string>();
  let start = 0;
  for (const line of text.split('\n', MOST_LINES)) {
    for (const { 0: word, index } of wordsOf(line)) {
      const rest = line.slice(index + word.length);
      const behind =
        /^(?:[ \t][-–—:|][ \t]|[^\p{L}\p{N}\s]{0,3}[ \t]?)/u.exec(rest)?.[0] || (rest === '' ? '\n' : '');
      const before = line.slice(0, index);
      if (behind === '' || (behind.trim() === '' && before.trim() === '')) continue;
      const name = `${before}\0${behind}`;
      const entries = lists.get(name);
      const entry = { start, end: start + index + word.length + behind.length };
      if (entries === undefined && /^[01AaIi]$/.test(word)) lists.set(name, [entry]);
      else if (entries && followsInOrder(last.get(name) ?? '', word)) entries.push(entry);
      // What begins anew, or leaves one out, is no list.
      else if (entries) lists.set(name, null);
      last.set(name, word);
    }
    start += line.length + 1;
  }
  return new Map([...lists].flatMap(([name, entries]) => (entries ? [[name, entries] as const] : [])));
}

/** Words at the start of a line that could count. */
const wordsOf = (line: string) =>
  Array.from(line.slice(0, LONGEST_NAME).matchAll(/\p{L}+|\p{N}+/gu))
    .slice(0, MOST_WORDS)
    .filter(({ 0: word }) => word.length < 4);
