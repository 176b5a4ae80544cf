/**
 * Lists whose length differs from request to request: `Tip 1`, `Tip 2` and so on, or `[RED]`, `[BLUE]` and so on, each at the
 * start of a line. A template is learned from two entries of each: the first, and the last under the second one's name.
 */

import type { TextRange } from '../../types.ts';
import { beginsAnOrder, followsInOrder, roleOfLabel } from '../../words/vocabulary.ts';
import { isMarkdown } from './tokens.ts';

/** Lines of a text, and characters and words of a line, among which the name of an entry is looked for. */
const MOST_LINES = 400;
const LONGEST_NAME = 60;
const MOST_WORDS = 6;

/** A name of an entry, with what stands in front of it on its line and right behind it. */
interface Entry extends TextRange {
  readonly word: string;
  /** Whether a sign sets the name off from what follows, or nothing else stands on its line. */
  readonly isClosed: boolean;
}

/** What may be the entries of lists, by what stands around their names. */
type Entries = ReadonlyMap<string, readonly Entry[]>;

/**
 * The texts with two entries of each list that is longer in one of them than in another.
 *
 * @param texts the same text part of different requests
 *
 * @example withEvenLists(['1. a\n2. b', '1. c\n2. d\n3. e']) // ['1. a\n2. b', '1. c\n2. e']
 */
export function withEvenLists(texts: readonly string[]): readonly string[] {
  // Answers have lists, too; counted ones of the template stand below the same line or have a name.
  const isTemplates = ({ name, all }: List) => {
    const above = texts.map((text, n) => lineAbove(text, all[n]?.[0]?.start ?? 0));
    return hasLetter(name) || above.every((line) => line === above[0]);
  };
  const [list] = [...listsIn(texts, countedIn).filter(isTemplates), ...listsIn(texts, namedIn)];
  return list ? withEvenLists(texts.map((text, n) => withTwo(text, list.all[n] ?? []))) : texts;
}

/** A list of which all texts have two entries or more, and some more than others. */
interface List {
  readonly name: string;
  /** For each text its entries; their words are the first ones of the longest. */
  readonly all: readonly (readonly Entry[])[];
}

function listsIn(texts: readonly string[], entriesOf: (text: string) => Entries): List[] {
  const found = texts.map(entriesOf);
  return [...(found[0]?.keys() ?? [])].flatMap((name) => {
    const all = found.map((entries) => entries.get(name) ?? []);
    const longest = all.toSorted((a, b) => b.length - a.length)[0] ?? [];
    // A name is there, too, where its text begins with signs that seem to belong to it: `<left>"Yes"</left>`.
    const lacks = (text: string, entries: readonly Entry[]) =>
      longest.slice(entries.length).some(({ word }) => !standsIn(text, name, word));
    const isList =
      all.every(({ length }) => length > 1) &&
      all.some((entries, n) => entries.length < longest.length && lacks(texts[n] ?? '', entries)) &&
      all.every((entries) => entries.every(({ word }, n) => word === longest[n]?.word));
    return isList ? [{ name, all }] : [];
  });
}

/** Whether a line begins with this entry, whatever follows its frame. */
function standsIn(text: string, name: string, word: string): boolean {
  const [lead = '', tail = ''] = name.split('\0');
  return tail.trim() !== '' && `\n${text}`.includes(`\n${lead}${word}${tail.trim()}`);
}

function withTwo(text: string, entries: readonly Entry[]): string {
  const [, second] = entries;
  const last = entries.at(-1);
  return second && last ? text.slice(0, second.end) + text.slice(last.end) : text;
}

const lineAbove = (text: string, start: number) => text.slice(0, start).trimEnd().split('\n').at(-1) ?? '';

const hasLetter = (name: string) => /\p{L}/u.test(name);

/** Signs that set a name off from its text. */
const CLOSING = /[)\]}>"'»”』】:：=]/u;

/** Words at the start of a line that may name an entry. */
function entriesIn(text: string, words: RegExp): Entries {
  const found = new Map<string, Entry[]>();
  let start = 0;
  for (const line of text.split('\n', MOST_LINES)) {
    for (const { 0: word, index } of [...line.slice(0, LONGEST_NAME).matchAll(words)].slice(0, MOST_WORDS)) {
      const rest = line.slice(index + word.length);
      const behind =
        /^(?:[ \t][-–—:|][ \t]|[^\p{L}\p{N}\s]{0,3}[ \t]?)/u.exec(rest)?.[0] || (rest === '' ? '\n' : '');
      const before = line.slice(0, index);
      if (behind === '' || (behind.trim() === '' && before.trim() === '')) continue;
      const name = `${before}\0${behind}`;
      const isClosed = CLOSING.test(behind) || !/[\p{L}\p{N}]/u.test(rest);
      const entry = { word, start, end: start + index + word.length + behind.length, isClosed };
      found.set(name, [...(found.get(name) ?? []), entry]);
    }
    start += line.length + 1;
  }
  return found;
}

/** Entries that count from the first name of a row on. What begins anew, or leaves one out, is no list. */
const countedIn = (text: string): Entries =>
  new Map(
    [...entriesIn(text, /(?<!\p{L})\p{L}{1,3}(?!\p{L})|(?<!\p{N})\p{N}{1,3}(?!\p{N})/gu)].flatMap(
      ([name, all]) => {
        const first = all.findIndex(({ word }) => /^[01AaIi]$/.test(word));
        const entries = first < 0 ? [] : all.slice(first);
        const isRow = entries.every(
          ({ word }, n) => n === 0 || followsInOrder(entries[n - 1]?.word ?? '', word),
        );
        return entries.length > 0 && isRow ? [[name, entries] as const] : [];
      },
    ),
  );

/**
 * Entries with names of no row, each of its own. Headings and items of markdown may be an answer's, and names that say unlike
 * things (`<question>`, `<answer>`, `<remarks>`) are those of sections.
 */
const namedIn = (text: string): Entries =>
  new Map(
    [...entriesIn(text, /[\p{L}\p{N}_-]+/gu)].filter(([name, all]) => {
      const words = all.map(({ word }) => word);
      const [lead = '', tail = ''] = name.split('\0');
      const areNames =
        words.every(hasLetter) &&
        new Set(words).size === words.length &&
        new Set(words.map(roleOfLabel)).size === 1 &&
        all.every(({ isClosed }) => isClosed);
      return areNames && !isMarkdown(lead, tail) && !beginsAnOrder(words.slice(0, 2));
    }),
  );
