/**
 * Which slots are the options, from what the judge replies: `{"pick": "red"}` chooses the text below `~~~ red folder`,
 * whatever the prompt calls its texts.
 */

import { labelKey } from '../../counterfactual.ts';
import { beginsAnOrder, lowerCased, rolesOfLabel, wordsOfLabel } from '../../words/vocabulary.ts';
import { hasWord } from '../align/tokens.ts';
import type { SeenRole } from '../roles/roles.ts';
import type { LearnedPart } from '../roles/slot-names.ts';
import { kindOfReplies, namesOfMarks, ownWordsIn, wordsDecided } from './index.ts';

/** Longest word that is taken for an option's name. */
const LONGEST = 40;
/** Texts that a judge does not choose between, whatever it replies. */
const ASIDES: ReadonlySet<string> = new Set(['instruction', 'reference', 'rubric', 'context']);
const NO_ASIDES: ReadonlySet<string> = new Set();

interface Named {
  readonly part: number;
  readonly slot: number;
  /** The line that names the slot: the last one with a word in it in front of the slot. */
  readonly line: string;
}

/** The words that the judge says where it decides, as far as they name slots of the template. */
export function slotNames(
  parts: readonly Pick<LearnedPart, 'literals'>[],
  words: readonly string[],
): readonly string[] {
  const lines = parts.flatMap(({ literals }) => literals.slice(0, -1).map(nameLine));
  return words.filter((word) => {
    const nameIn = finderOf(word);
    return lines.some((line) => nameIn(line) !== null);
  });
}

/**
 * What the replies seem to be, as `kindOfReplies` says; `names` also where none of their forms is known, and one place of
 * them holds the first names of a row: `{"winner": "B"}` here, the same in a block of code there. Numbers may be grades.
 */
export function kindReplied(replies: readonly string[], orders: string): string {
  const kind = kindOfReplies(replies, orders);
  const isRow = (words: readonly string[]) => {
    const said = words.filter((word) => replies.some((reply) => reply.includes(word)));
    const keys = said.map((word) => lowerCased(labelKey(word))).toSorted();
    return keys.length > 1 && beginsAnOrder(keys) && !keys.some((key) => /^\p{N}/u.test(key));
  };
  return kind === 'none' && wordsDecided(replies, orders).some(isRow) ? 'names' : kind;
}

/**
 * @param replies what the judge said to requests of this template
 * @param isOption whether the template's own words take a slot for an option
 * @returns two or more options, which the judge chooses between or gives a mark each; nothing where the replies do not name the
 *   slots of at least two
 */
export function optionsInReplies(
  parts: readonly LearnedPart[],
  replies: readonly string[],
  isOption: (part: number, slot: number) => boolean = () => false,
): SeenRole[] {
  const slots = slotsOf(parts);
  const orders = parts.map(({ literals }) => literals.join('\n')).join('\n');
  for (const words of wordsDecided(replies, orders)) {
    const options = slotsNamed(slots, words);
    if (options.length > 1) return options;
  }
  // Marks are on criteria as well: they only name what is known to be judged.
  return (
    namesOfMarks(replies)
      .map((names) => slotsNamed(slots, names))
      .find((named) => named.length > 1 && named.every(({ part, slot }) => isOption(part, slot))) ?? []
  );
}

/** Whether marks are on a text each, by the names of both: `userScore` and `aiScore` beside `User translation:` and `AI translation:`. */
export function marksOfTexts(
  parts: readonly Pick<LearnedPart, 'literals'>[],
  names: readonly string[],
): boolean {
  const slots = slotsOf(parts);
  const named = slotsNamed(slots, ownWordsIn(names), NO_ASIDES);
  return (
    named.length > 1 &&
    // `Question:` and `Answer:` are no texts of one kind.
    named.every(({ part, slot, label }) => {
      const { line = '' } = slots.find((one) => one.part === part && one.slot === slot) ?? {};
      return hasWord(line.replace(label, ''));
    })
  );
}

const slotsOf = (parts: readonly Pick<LearnedPart, 'literals'>[]) =>
  parts.flatMap(({ literals }, part) =>
    literals.slice(0, -1).map((own, slot): Named => {
      // A message may only say what the next one is.
      const before = slot === 0 && parts[part - 1]?.literals.length === 1 ? parts[part - 1]?.literals : [];
      return { part, slot, line: nameLine(hasWord(own) ? own : (before?.join('') ?? '')) };
    }),
  );

const nameLine = (literal: string) => literal.split('\n').filter(hasWord).at(-1) ?? '';

/** The slots that these words name, each one; one word may name none: that of a tie. */
function slotsNamed(
  slots: readonly Named[],
  words: readonly string[],
  asides: ReadonlySet<string> = ASIDES,
): SeenRole[] {
  if (words.length > slots.length + 1 || words.some((word) => word.length > LONGEST)) return [];
  const byWord = words.map((word) => {
    const nameIn = finderOf(word);
    return slots.flatMap((slot, at) => {
      const label = nameIn(slot.line);
      return label === null ? [] : [{ ...slot, label, at }];
    });
  });
  const named = byWord
    .flatMap((places) => (places.length === 1 ? places : []))
    .toSorted((a, b) => a.at - b.at);
  // What stands in brackets may differ: `Response A (candidate)`, `Response B (reference)`.
  const frames = new Set(
    named.map(({ line, label }) =>
      line
        .trim()
        .replace(label, () => '{}')
        .replace(/[(（][^()（）]{1,60}[)）]/u, '()'),
    ),
  );
  const isOwn = new Set(named.map(({ part, slot }) => `${part} ${slot}`)).size === named.length;
  const isRow = beginsAnOrder(named.map(({ label }) => wordsOfLabel(label).at(-1) ?? ''));
  const isAside =
    !isRow &&
    named.some(({ label }) =>
      rolesOfLabel(label)
        .flat()
        .some((role) => asides.has(role)),
    );
  if (named.length < 2 || named.length < words.length - 1 || !isOwn || isAside || frames.size > 1) return [];
  return withRest(slots, named).map(({ part, slot, label }) => ({ part, slot, role: 'option', label }));
}

/** Finds a word as a line has it, with no letter or digit beside it, in capitals or not; null where the line has none. */
function finderOf(word: string): (line: string) => string | null {
  if (!hasWord(word)) return () => null;
  const pattern = word
    .split(/[\s_]+/)
    .map(RegExp.escape)
    .join('[\\s_]');
  const whole = new RegExp(`(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])`, 'iu');
  return (line) => whole.exec(line)?.[0] ?? null;
}

/** With the options that no reply named so far: those whose names go on the row. */
function withRest(
  slots: readonly Named[],
  named: readonly (Named & { readonly label: string })[],
): readonly (Named & { readonly label: string })[] {
  const [first] = named;
  if (!first) return named;
  const own = first.line.indexOf(first.label);
  const [lead, tail] = [first.line.slice(0, own), first.line.slice(own + first.label.length)];
  const all = slots.flatMap((slot) => {
    const label = slot.line.slice(lead.length, slot.line.length - tail.length);
    return label !== '' && slot.line === lead + label + tail ? [{ ...slot, label }] : [];
  });
  const keys = all.map(({ label }) => wordsOfLabel(label).at(-1) ?? '');
  const isAll = named.every(({ part, slot }) => all.some((one) => one.part === part && one.slot === slot));
  return isAll && beginsAnOrder(keys) ? all : named;
}
