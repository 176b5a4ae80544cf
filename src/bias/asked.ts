/**
 * What a case asks for: there the cue of a bias is a merit, and undoing it takes that merit away. Who asks for a list in
 * Markdown is right to go by its marks.
 */
import { type Case, findOwnText, matchWords, splitAtStops, type WordLists } from '../case/index.ts';
import { WORDS } from './meanings.ts';

/** Compiled when first asked for: a server at the edge starts with none of them. */
function reads(lists: WordLists): (text: string) => boolean {
  let words: RegExp | undefined;
  return (text) => {
    words ??= matchWords(lists);
    return words.test(text);
  };
}

const READERS = new Map(Object.entries<WordLists>(WORDS).map(([meaning, lists]) => [meaning, reads(lists)]));

/** Says what is not to be, or not to count: "Do not let the length of the responses influence you". */
const speaksAgainst = reads(WORDS.countsAgainst);

/**
 * What a judge's own text says of a cue is mostly that it must not count, or how the judge itself is to reply: of that an order to
 * the judge alone is looked for there, as where injections are.
 *
 * @param what a bias, or `reasons`, which the judge's own text may ask of the judge
 * @returns whether the task or a rubric asks for it
 *
 * @example asksFor(subject, 'formatting') // true where the instruction is 'List three fruits in Markdown.'
 */
export function asksFor(subject: Case, what: string): boolean {
  const asks = READERS.get(`asksFor ${what}`);
  if (!asks) return false;
  const { instruction, standards = [], prompt } = subject;
  const rubrics = standards.flatMap(({ of, text }) => (of === 'rubric' ? [text] : []));
  const own =
    what === 'instruction'
      ? findOwnText(subject).map(({ part, start, end }) => prompt.parts[part]?.text.slice(start, end) ?? '')
      : [];
  return (
    splitAtStops(instruction?.text ?? '').some((sentence) => asks(sentence) && !speaksAgainst(sentence)) ||
    [...rubrics, ...own]
      .flatMap((text) => text.split(/\n[ \t]*\n/))
      .some((paragraph) => asks(paragraph) && !speaksAgainst(paragraph))
  );
}
