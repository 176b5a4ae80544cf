/**
 * What speaks against taking slots for what is judged, whatever their names say: a neighbour that could belong to them, edges
 * that lie elsewhere, several texts in one slot.
 */
import { labelKey } from '../counterfactual.ts';
import { isInEntry } from '../layouts/lines.ts';
import { looksLikeStatement, mentionsIn, tellsWhatOthersPrefer } from '../layouts/statements.ts';
import type { TextRange } from '../types.ts';
import { occurrences } from '../words/occurrences.ts';
import {
  CJK,
  followsInOrder,
  isInOrder,
  MEANINGS,
  namesWork,
  onlyDifference,
  rolesOfLabel,
  wordsOfLabel,
} from '../words/vocabulary.ts';
import { matchWords } from '../words/words.ts';
import { isDocument, isList } from './align/edges.ts';
import { lastLine, nameInPlace, nameOfLine, sharedStart } from './align/shared-lines.ts';
import { CLOSES, hasWord } from './align/tokens.ts';
import { areConversations } from './align/turn-taking.ts';
import { NO_FACTS, NOT_JUDGED, ownName, type SlotPlace, toldBeside, withoutTold } from './beside-options.ts';
import { leadOf } from './openings.ts';
import { holdsTurns, type LabelledSlot, type LearnedPart, labelled } from './roles/slot-names.ts';
import type { Slot } from './template.ts';

/** A slot with its name, what it holds, and the literals beside it. */
interface HeldSlot extends LabelledSlot, Pick<Slot, 'role' | 'label'> {
  readonly before: string;
  readonly after: string;
}

const slotsHeld = (parts: readonly LearnedPart[], slots: readonly (readonly Slot[])[]): HeldSlot[] =>
  parts.flatMap((part, index) =>
    part.values.map((_, slot) => ({
      ...labelled(part, index, slot),
      role: slots[index]?.[slot]?.role ?? '*',
      label: slots[index]?.[slot]?.label ?? '',
      before: part.literals[slot] ?? '',
      after: part.literals[slot + 1] ?? '',
    })),
  );

/**
 * Whether what is judged stands apart from all else that varies. Between two options stands nothing that could belong to one
 * of them. No other slot always holds the same text as an option, is set off by line breaks alone, or is called after one option
 * (`Memory used by B`), or stands in a line that speaks of one (`Response B passed ⟦2⟧ of 9 tests`): what is said would not be
 * exchanged with the options. No option holds a label in every request, which speaks for a slot that was missed.
 *
 * @param isNamed whether a model named the slots: then the labels in them are those of turns
 */
export function standApart(
  whole: readonly LearnedPart[],
  roles: readonly (readonly Slot[])[],
  isNamed = false,
): boolean {
  const { parts, slots, kept } = withoutFacts(whole, roles);
  const named = slotsHeld(parts, slots);
  const all = named.filter(({ role }) => role !== '*');
  const isOption = ({ role }: HeldSlot) => role === 'option';
  const options = all.filter(isOption);
  const keys = named.flatMap((one) =>
    isOption(one) && one.label !== '' ? [labelKey(one.label).toLowerCase()] : [],
  );
  // Beside several options what means nothing in itself may still be told of one.
  const placed = new Set(keys).size > 1 ? named : all;
  const between = placed.slice(placed.findIndex(isOption), placed.findLastIndex(isOption) + 1);
  /** Called after one option, whose text it may be; a sentence above it that ends in an option's name is no name. */
  const belongsToOne = ({ near, inSentence, before }: HeldSlot) =>
    keys.includes(wordsOfLabel(near).at(-1) ?? '') && !(inSentence && before.endsWith('\n'));
  const isOpen = ({ role, near }: HeldSlot) =>
    ['context', '*'].includes(role) || namesAnswer(rolesOfLabel(near).flat());
  // Behind a fact every word is the template's, whatever it says.
  const isBehindFact = ({ part, slot }: HeldSlot) =>
    (kept[part]?.[slot] ?? 0) > (kept[part]?.[slot - 1] ?? -1) + 1;
  const isShared = (slot: HeldSlot) =>
    (slot.role === 'reference' && !belongsToOne(slot)) ||
    named.some((other) => other !== slot && sameValues(slot, other));
  return (
    (isNamed || between.every((slot) => isOption(slot) || isShared(slot) || slot.speaker === 'other')) &&
    !named.some(
      (slot) =>
        !isNamed &&
        !isOption(slot) &&
        !slot.inHead &&
        !isShared(slot) &&
        (belongsToOne(slot) || rivals(slot, options, isOpen(slot))),
    ) &&
    // What has certain edges in no request may hold the texts themselves.
    (isNamed || keys.length < 2 || named.every(({ values }) => values.length > 0)) &&
    (isNamed || !passesOverName(named.filter(isOption), parts)) &&
    (isNamed || !named.some((slot) => !isOption(slot) && holdsNameBefore(slot, options))) &&
    !hasTextBelow(options) &&
    (isNamed || !hasStrangerBelow(options, all)) &&
    !named.some((slot) => !isOption(slot) && !slot.inHead && speaksOfOptions(slot, parts, slots)) &&
    !hasNeighbour(options, named) &&
    (isNamed || !hideLabels(options)) &&
    (!options.some(mayHoldMore) || areSetOutAlike(options)) &&
    options.every(
      (option) =>
        !all.some(
          (other) =>
            other !== option && (sameValues(option, other) || (options.length > 1 && repeats(other, option))),
        ) &&
        (isNamed || (!hidesField(option) && !isStacked(parts[option.part]?.literals ?? [], option.slot))) &&
        !hasDoubtfulEdges(option) &&
        !mayHoldSection(option, options) &&
        (isBehindFact(option) || !leadOf(option.before, option.label).doubtful),
    )
  );
}

/**
 * Whether the template's own words on the line of a slot name an option, as the first request has it. All of them may be named
 * beside one text: `Compare A and B for ⟦our readers⟧.`
 */
function speaksOfOptions(
  { part, slot }: LabelledSlot,
  parts: readonly LearnedPart[],
  slots: readonly (readonly Slot[])[],
): boolean {
  const labels = new Set(slots.flat().flatMap(({ role, label }) => (role === 'option' ? [label] : [])));
  const { literals = [], values = [] } = parts[part] ?? {};
  let [from, to] = [slot, slot + 1];
  while (from > 0 && !literals[from]?.includes('\n')) from--;
  while (to < literals.length - 1 && !literals[to]?.includes('\n')) to++;
  if (labels.size < 2 || slots[part]?.slice(from, to).some(({ role }) => role === 'option')) return false;
  let line = literals[from]?.split('\n').at(-1) ?? '';
  const held: TextRange[] = [];
  for (let n = from; n < to; n++) {
    const value = values[n]?.[0]?.slice(0, LONGEST_VALUE) ?? '';
    held.push({ start: line.length, end: line.length + value.length });
    line += value + (n + 1 < to ? literals[n + 1] : (literals[to]?.split('\n')[0] ?? ''));
  }
  // Such a sentence is exchanged as a whole, wherever it is cut.
  const others = slots[part]?.slice(from, to).every(({ role }) => role !== 'instruction');
  const inOneLine = values.slice(from, to).every((some) => !some.some((value) => value.includes('\n')));
  if (looksLikeStatement(line) || (others && inOneLine && tellsWhatOthersPrefer(line, [...labels])))
    return false;
  const mentions = mentionsIn(line, { part: 0, start: 0, end: line.length }, [...labels]);
  // What holds nothing but names of the options, whoever chose them: `A previous judge chose ⟦B⟧.`
  const keys = [...labels].map((label) => labelKey(label).toLowerCase());
  const chosen = new Set(values[slot]?.map((value) => value.trim().toLowerCase()));
  if (
    chosen.size > 1 &&
    [...chosen].every((value) => keys.includes(value)) &&
    !endsInNoun(line, held, labels)
  )
    return true;
  // Of any other sentence that is cut into several slots a half could be exchanged.
  if (held.length > 1) return mentions.length > 0;
  const own = mentions.filter(({ at }) => held.every(({ start, end }) => at.end <= start || end <= at.start));
  const count = new Set(own.map(({ option }) => option)).size;
  return count > 0 && count < labels.size;
}

/** Whether the first of these places stands behind what all labels begin with: `I like Draft ⟦B⟧ more.` Then it is exchanged. */
const endsInNoun = (line: string, [held]: readonly TextRange[], labels: ReadonlySet<string>) =>
  [...labels].every((label) => {
    const noun = label.slice(0, label.lastIndexOf(labelKey(label)));
    return noun.trim() !== '' && line.slice(0, held?.start).endsWith(noun);
  });

/** Characters of a slot's text that are read with the line in which it stands. */
const LONGEST_VALUE = 200;

/**
 * Whether a slot has a name as the options have, with which it could be one of them or of another row: `A1` and `A2` beside
 * `B1` and `B2` are the turns of two conversations.
 */
function rivals(slot: LabelledSlot, options: readonly LabelledSlot[], isOpen: boolean): boolean {
  const [first, second] = options.map(({ near }) => wordsOfLabel(near));
  const place = first && second ? onlyDifference(first, second) : null;
  const words = wordsOfLabel(slot.near);
  if (place === null) return false;
  // `Query` above `X`, `Y` and `Z` is none of them; `U` is.
  if (words.length < 2) return isOpen && hasOrder(words[0] ?? '') && hasOrder(first?.[0] ?? '');
  // `Trench dug` above `Trench A` and `Trench B` is none of them, either.
  const mayBeOne = isOpen && (!hasOrder(first?.[place] ?? '') || hasOrder(words[place] ?? ''));
  return options.some(({ near }) => {
    const other = onlyDifference(wordsOfLabel(near), words);
    return other === place ? mayBeOne : other !== null && hasOrder(words[place] ?? '');
  });
}

/** Whether a word counts: `1`, `B`; of Chinese and Japanese, where every character is a word, only what stands in a row. */
const hasOrder = (word: string) => /^\p{N}+$|^\p{L}$/u.test(word) && (!CJK.test(word) || isInOrder(word));

/**
 * Whether the last option has more paragraphs than every other one in each request, and these mostly have one: then a text that is set
 * off by a blank line alone may stand below it.
 */
function hasTextBelow(options: readonly LabelledSlot[]): boolean {
  const last = options.at(-1)?.values ?? [];
  const others = options.slice(0, -1).map(({ values }) => values);
  const isWhole =
    last.length > 2 && others.length > 0 && others.every(({ length }) => length === last.length);
  const bare = others.flat().filter((value) => paragraphsIn(value) === 1).length;
  return (
    isWhole &&
    bare * 2 > others.flat().length &&
    last.every((value, n) => others.every((values) => paragraphsIn(values[n] ?? '') < paragraphsIn(value)))
  );
}

/** Whether the template has a name of the options' row that none of them has, right in front of theirs: `Draft II` in front of `Draft III` and `Draft IV`. */
function passesOverName(options: readonly HeldSlot[], parts: readonly LearnedPart[]): boolean {
  // `and Draft B` goes on with what begins otherwise.
  if (options.length > 1 && options.some(({ label }) => GOES_ON.test(label))) return true;
  const names = options.flatMap(({ label }) => {
    const key = labelKey(label).toLowerCase();
    const noun = label.slice(0, label.length - key.length);
    return label.toLowerCase().endsWith(key) && /\p{L}/u.test(noun) ? [{ noun, key }] : [];
  });
  const [{ noun } = { noun: '' }] = names;
  if (new Set(names.map(({ key }) => key)).size < 2 || names.some((name) => name.noun !== noun)) return false;
  const words = parts
    .flatMap(({ literals }) => literals)
    .flatMap((text) =>
      occurrences(text, noun.trimEnd()).flatMap(
        (at) => /^[\p{L}\p{N}]{1,20}/u.exec(text.slice(at + noun.length))?.[0].toLowerCase() ?? [],
      ),
    );
  return words.some(
    (word) => names.every(({ key }) => key !== word) && names.some(({ key }) => followsInOrder(word, key)),
  );
}

const GOES_ON = new RegExp(`^(?:${matchWords(MEANINGS.and).source})\\s`, 'iu');

/** Whether every value of a slot has a line as the ones above the options are, with the name in front of theirs: `[1]` of `[2]` and `[3]`. */
function holdsNameBefore({ values }: HeldSlot, options: readonly HeldSlot[]): boolean {
  return options.some(({ before, label }) => {
    const line = lastLine(before.trim());
    const isBefore = (other: string) =>
      followsInOrder(nameInPlace(line, label, other)?.toLowerCase() ?? '', label.toLowerCase());
    return values.length > 0 && values.every((value) => value.split('\n').some(isBefore));
  });
}

/** The template without what it tells of each option, which is exchanged with it; as it is where one of these may be no fact. */
function withoutFacts(parts: readonly LearnedPart[], slots: readonly (readonly Slot[])[]) {
  const told = toldBeside(parts.map(({ literals }, n) => ({ literals, slots: slots[n] ?? [] })));
  const slotAt = ({ part, slot }: SlotPlace) =>
    labelled(parts[part] ?? { role: '', literals: [], values: [] }, part, slot);
  const labels = [...told.keys()];
  const options = labels.map((label) =>
    slots.flatMap((own, part) =>
      own.flatMap((one, slot) =>
        one.role === 'option' && one.label === label ? [slotAt({ part, slot })] : [],
      ),
    ),
  );
  const facts = [...told.values()].map((places) => places.map(slotAt));
  const columns = facts[0]?.map((_, n) => facts.flatMap((own) => own[n] ?? [])) ?? [];
  const longest = lengthOf(options.flat()) / MUCH_LONGER;
  const isFact = (column: readonly LabelledSlot[]) =>
    !countUp(column.map(({ values }) => values)) &&
    !areSentences(column) &&
    (column.every(({ inHead }) => inHead) ||
      (lengthOf(column) < longest && !column.some((slot, n) => hasOwnTask(slot, labels[n] ?? '', parts))));
  if (columns.length === 0 || !columns.every(isFact))
    return { parts, slots, kept: parts.map(({ values }) => values.map((_, slot) => slot)) };
  const folded = withoutTold(parts, [...told.values()].flat(), labels);
  return {
    parts: folded.map(({ literals, kept, part }) => ({
      role: part.role,
      literals,
      values: kept.map((slot) => part.values[slot] ?? []),
    })),
    slots: folded.map(({ kept }, n) => kept.flatMap((slot) => slots[n]?.[slot] ?? [])),
    kept: folded.map(({ kept }) => kept),
  };
}

/** What is told of a text is shorter than it by so many times. */
export const MUCH_LONGER = 3;

const lengthOf = (slots: readonly LabelledSlot[]) =>
  slots.reduce((sum, { values }) => sum + values.join('').length, 0);

/** Characters of a number of a place, with what stands beside it. */
const LONGEST_COUNT = 40;

/**
 * Whether values go on from option to option by the same step in every request, as `#101` and `#102` do, or `1 of 12` and `2 of 12`: numbers
 * of the places, and not of the texts.
 */
function countUp(values: readonly (readonly string[])[]): boolean {
  const numbers = values.map((own) =>
    own.map((value) => (value.length > LONGEST_COUNT ? [] : (value.match(/\d{1,9}/g) ?? []).map(Number))),
  );
  const areNumbers = numbers.flat().every(({ length }) => length > 0);
  const [first = [], ...others] = numbers;
  // Where some have no certain edges it is not known which stand together.
  if (!areNumbers || others.some(({ length }) => length !== first.length)) return areNumbers;
  const shapes = new Set(values.flat().map((value) => value.replace(/\d{1,9}/g, '0')));
  const steps = others.flatMap((own, n) =>
    own.map((some, request) => some.map((one, at) => one - (numbers[n]?.[request]?.[at] ?? 0)).join()),
  );
  return shapes.size === 1 && new Set(steps).size === 1 && /[1-9]/.test(steps[0] ?? '');
}

/** Whether each value is a sentence, which may say how to judge. */
const areSentences = (column: readonly LabelledSlot[]) =>
  column.every(({ values }) => values.every((value) => /[.!?。！？؟]\s*$/u.test(value.slice(-9))));

/** Whether the name of a slot says that it is judged, or what is to be done with it. */
const hasOwnTask = ({ part, slot }: LabelledSlot, label: string, parts: readonly LearnedPart[]) =>
  rolesOfLabel(ownName(parts[part]?.literals[slot] ?? '', label))
    .flat()
    .some((role) => NO_FACTS.has(role));

const FENCE = /^[^\S\n]{0,9}(?:`{3,9}|~{3,9})\S{0,20}[^\S\n]{0,3}$/gm;

/**
 * Whether a text stands behind the last of several options with no word between the two, or in front of the first with what stands
 * between all others: it may belong to that option, or be one. The same holds of a block of code behind one answer.
 */
function hasNeighbour(options: readonly HeldSlot[], named: readonly HeldSlot[]): boolean {
  const last = options.at(-1);
  const next = last && named.find(({ part, slot }) => part === last.part && slot === last.slot + 1);
  // What opens a block of code tells its language: answers have such blocks.
  const between = next?.before.replaceAll(FENCE, '') ?? '';
  if (next && !hasWord(between) && (options.length > 1 || between !== next.before)) return true;
  const [first, second] = options;
  if (!first || second?.part !== first.part || second.slot !== first.slot + 1 || first.slot === 0)
    return false;
  return !hasWord(second.before) && first.before === second.before;
}

/**
 * Whether a text stands below the last of several options that nothing closes, with a name that does not say it is none: all above
 * it may be what one contestant writes in the middle of every answer.
 */
function hasStrangerBelow(options: readonly HeldSlot[], named: readonly HeldSlot[]): boolean {
  const [last, before] = options.toReversed();
  if (!last || before?.part !== last.part || before.slot + 1 !== last.slot) return false;
  const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');
  const [closing = '', ...others] = linesOf(last.before);
  // Whether words close each alike is told by what stands beside the options' names.
  const isClosed = others.length > 0 && (hasWord(closing) || closing === linesOf(last.after)[0]);
  return (
    !isClosed &&
    named.some(
      (one) =>
        one.part === last.part &&
        one.slot > last.slot &&
        !one.inHead &&
        beginsText(one) &&
        (one.inSentence ||
          !rolesOfLabel(one.name).some((roles) => roles.some((role) => NOT_JUDGED.has(role)))),
    )
  );
}

/** Whether a text of its own begins at a slot: below a line, or behind a label on its line. No sentence goes on behind it, and it is no mere word or number. */
function beginsText({ before, after, values }: HeldSlot): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const isLabel = !hasWord(line) || /[:：>\])】=|→]\s*$/u.test(line);
  const goesOn = hasWord(after.split('\n', 1)[0] ?? '');
  const isField = hasWord(line) && values.every((value) => value.split(/\s+/).length <= FEW_WORDS);
  return isLabel && !goesOn && !isField;
}

/** Words of a field: `Audience: young readers`. */
const FEW_WORDS = 6;

const namesAnswer = (roles: readonly string[]) =>
  roles.includes('answer') && !roles.some((role) => NOT_JUDGED.has(role));

const paragraphsIn = (value: string) => value.split(/\n[^\S\n]*\n/).length;

const sameValues = (a: LabelledSlot, b: LabelledSlot) =>
  a.values.length === b.values.length && a.values.every((value, n) => value === b.values[n] && value !== '');

/** Characters of a label in front of a text. */
const LONGEST_LABEL = 20;

/** Whether a slot always holds what another holds, with no more than a label in front: an answer that quotes the prompt around it. */
const repeats = ({ values }: LabelledSlot, { values: others }: LabelledSlot) =>
  values.length === others.length &&
  values.every((value, n) => {
    const other = others[n] ?? '';
    return other !== '' && value.endsWith(other) && value.length - other.length <= LONGEST_LABEL;
  });

/** Letters of a line that two texts have in common by chance. */
const LONGEST_CHANCE = 12;

/**
 * Whether two of the texts end in the same line, or have a line with the same label, which no other option has: a section that is
 * missing in one of the requests, and so stands in the texts of the others.
 */
function mayHoldSection({ values }: LabelledSlot, options: readonly LabelledSlot[]): boolean {
  const own = [...new Set(values)];
  const others = options.flatMap((other) => (other.values === values ? [] : other.values));
  const isShared = (
    marksIn: (value: string) => readonly string[],
    othersIn: (value: string) => readonly string[] = marksIn,
  ) => {
    const found = Map.groupBy(
      own.flatMap((value) => [...new Set(marksIn(value))]),
      String,
    );
    const elsewhere = new Set(others.flatMap(othersIn));
    return [...found].some(([mark, all]) => all.length > 1 && !elsewhere.has(mark));
  };
  const endOf = (value: string) => {
    const line = value.trimEnd().split('\n').slice(1).at(-1)?.trim() ?? '';
    // A rule, not the end of a block of code.
    const isRule = /^[^\p{L}\p{N}`~]{3,}$/u.test(line);
    return isRule || (line.match(/\p{L}/gu)?.length ?? 0) > LONGEST_CHANCE ? [line] : [];
  };
  const linesOf = (value: string) => value.split('\n').map((line) => line.trim());
  return isShared(endOf, linesOf) || (options.length > 1 && isShared(namesWithin));
}

/** What names the lines behind the first one, or the text below them. */
const namesWithin = (value: string) =>
  value
    .split('\n', 200)
    .slice(1)
    .flatMap((line) => nameOfLine(line) ?? []);

const QUOTES = `"'\`“”«»„`;

/**
 * Whether the values speak for edges that lie elsewhere: all are quoted, if by different marks, as lists of strings in
 * Python are; all close a tag or a mark that they do not open; all begin with a text in brackets, or with a space; or all end
 * in the same tag or two stops, which then is the template's.
 */
function hasDoubtfulEdges({ name, values }: LabelledSlot): boolean {
  // What is the same in all requests tells nothing of its edges.
  if (values.length < 3 || new Set(values).size === 1) return false;
  if (haveOneEnd(values, /<\/[^<>]{1,30}>$/) || haveOneEnd(values, /[.…!?。！？]{2}$/u)) return true;
  if (values.every(closesUnopened) || values.every(beginsInBrackets)) return true;
  if (values.every((value) => /^[^\S\n]|[^\S\n]$/.test(value))) return true;
  return (
    !rolesOfLabel(name).flat().includes('agent') &&
    values.every(
      (value) => value.length > 1 && QUOTES.includes(value.charAt(0)) && QUOTES.includes(value.at(-1) ?? ''),
    )
  );
}

/** Whether all values end in the same word, or have as many lines, as two texts have that stand one below the other. */
function mayHoldMore({ name, values }: LabelledSlot): boolean {
  if (values.length < 3 || new Set(values).size === 1 || values.every(isDocument)) return false;
  if (rolesOfLabel(name).flat().includes('agent')) return false;
  const [count = 0, ...others] = values.map((value) => linesOf(value).length);
  return haveOneEnd(values, /\p{L}{2,40}$/u) || (count > 1 && others.every((one) => one === count));
}

const haveOneEnd = (values: readonly string[], pattern: RegExp): boolean => {
  const [end, ...ends] = values.map((value) => pattern.exec(value.slice(-40))?.[0]);
  return end !== undefined && ends.every((one) => one === end);
};

const linesOf = (value: string) => value.split('\n').filter((line) => line.trim() !== '');

/**
 * Whether answers are all set out alike, so that what may be another text in each is exchanged with it: but for the lines that all of
 * them have, none begins or ends with a line as facts that are told of a text have it.
 */
function areSetOutAlike(options: readonly LabelledSlot[]): boolean {
  if (options.length < 2 || !options.every(mayHoldMore)) return false;
  const all = options.flatMap(({ values }) => values.map(linesOf));
  const [first = [], ...others] = all;
  const shared = new Set(first.filter((line) => others.every((lines) => lines.includes(line))));
  const own = all.map((lines) => lines.filter((line) => !shared.has(line)));
  if (own.every(({ length }) => length < 2)) return true;
  const longest = own.map((lines) => Math.max(0, ...lines.map(({ length }) => length)));
  return [0, -1].every(
    (at) =>
      !areFacts(
        own.map((lines) => lines.at(at) ?? ''),
        longest,
      ),
  );
}

/** Whether lines are numbers or dates, or much shorter than others, or begin with the same words: `Handed in by …`. */
function areFacts(lines: readonly string[], longest: readonly number[]): boolean {
  const sum = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0);
  const start = sharedStart(lines);
  return (
    lines.every((line) => !/\p{L}/u.test(line)) ||
    MUCH_LONGER * sum(lines.map(({ length }) => length)) <= sum(longest) ||
    (/\p{L}{2}/u.test(start) && /\s$/.test(start) && !/[:：]/.test(start))
  );
}

const closesUnopened = (value: string) =>
  closesMark(value) ||
  value
    .matchAll(/<\/([\w:-]{1,30})>/g)
    .take(MOST_TAGS)
    .some(({ index, 1: tag }) => !value.slice(0, index).includes(`<${tag}`));

/** Whether the last sign closes what nothing in the text opens: `6"`, `the second)`. */
function closesMark(value: string): boolean {
  const last = value.at(-1) ?? '';
  if (last === '"') return value.split('"').length % 2 === 0;
  const [open] = Object.entries(CLOSES).find(([, close]) => close === last) ?? [];
  return open !== undefined && open !== last && !value.includes(open);
}

/** Whether a text in round or square brackets stands in front of all else: `(1969) The landing`. */
const beginsInBrackets = (value: string) => /^(?:\([^()\n]{1,40}\)|\[[^[\]\n]{1,40}\])\s?[^\s([]/.test(value);

/** Closing tags of a text that are looked at. */
const MOST_TAGS = 20;

/** Whether nothing but line breaks stands between a slot and another. */
const isStacked = (literals: readonly string[], slot: number) =>
  [slot, slot + 1].some((n) => n > 0 && n < literals.length - 1 && literals[n]?.trim() === '');

/** What stands between two fields of a row. */
const BETWEEN_FIELDS = ['","', '";"', '"\t"', '", "', '";', '\t', ' | '];

/** Marks of which a row has several, none with a space behind it. */
const FIELD_MARKS = [';', ',', '|'];

/** Whether every value has several fields of a row, such as the line above has. */
function hidesField({ lines: [above = ''], values }: LabelledSlot): boolean {
  if (values.length < 3 || values.every(holdsTurns) || values.every(isDocument)) return false;
  const isRow = (mark: string) => above.split(mark).length > 2 && !above.includes(`${mark} `);
  const marks = [...BETWEEN_FIELDS, ...FIELD_MARKS.filter(isRow)];
  return marks.some((mark) => values.every((value) => value.includes(mark)));
}

/**
 * Whether every value of an option has a line that begins with the same label. Where all options have the same one it is the answers', unless
 * it stands above each text, and may tell who wrote it.
 */
function hideLabels(options: readonly LabelledSlot[]): boolean {
  const [first = new Set<string>(), ...others] = options.map(labelsHidden);
  const shared = others.reduce((all, some) => all.intersection(some), first);
  const isAnyHidden = [first, ...others].some(({ size }) => size > 0);
  return (
    isAnyHidden &&
    (others.length === 0 || shared.size === 0 || options.some(({ values }) => values.some(hasFactAbove)))
  );
}

/** Whether a text has a line above it with a label and a fact: set off by a blank line, a number or date, or named by a word for a person. */
function hasFactAbove(value: string): boolean {
  const [, label = '', fact = '', gap = ''] =
    /^([^\n:：]{1,30})[:：][^\S\n]*([^\s][^\n]{0,80})(\n\s*)/u.exec(value) ?? [];
  const roles = rolesOfLabel(label).flat();
  return (
    fact !== '' &&
    (gap.length > 1 || !/\p{L}/u.test(fact) || roles.includes('agent') || roles.includes('context'))
  );
}

function labelsHidden({ name, values }: LabelledSlot): Set<string> {
  if (values.length < 3 || values.every(holdsTurns)) return new Set();
  // A conversation or a log has labels of its own, from its start on.
  const isLog = values.some((value) => /^\s{0,9}(?:[^\n:：]{1,30}[:：]|[[({<>#*-])/u.test(value));
  if (rolesOfLabel(name).flat().includes('agent') && isLog) return new Set();
  const [first = new Set<string>(), ...others] = values.map(
    (value) =>
      new Set(value.split('\n', 200).flatMap((line) => /^[^\n:：]{1,30}[:：]/u.exec(line)?.[0] ?? [])),
  );
  return others.reduce((all, some) => all.intersection(some), first);
}

/** Whether one slot is judged, which is no list of several texts. */
export function holdsOneAnswer(parts: readonly LearnedPart[], slots: readonly (readonly Slot[])[]): boolean {
  const all = slotsHeld(parts, slots);
  const judged = judgedAmong(all);
  if (!judged || isListOfTexts(judged) || (isModelAnswer(judged) && all.some(mayBeMeasured))) return false;
  if (isOfEntry(parts, judged) || isOneOfSeveral(all, judged) || passesOverText(all, judged)) return false;
  if (isToldAsReference(parts, judged) || isRubric(judged) || hasEqual(all, judged)) return false;
  if (isBesideAnswer(parts, judged)) return false;
  // The turns of a conversation begin alike, too.
  return !isList(judged.values) || rolesOfLabel(judged.name).flat().includes('agent');
}

/**
 * Whether an answer stands in the template's own words, and the text that is taken for the judged one has no name right in front of
 * it: all requests so far may have been about that answer.
 */
function isBesideAnswer(parts: readonly LearnedPart[], { slot, before }: HeldSlot): boolean {
  const isInPassing = slot > 0 && !before.includes('\n');
  const above = before.trimEnd().split('\n').at(-1) ?? '';
  if (!isInPassing && hasWord(above) && !saysAnswer(above)) return false;
  // Of several the prompt gives examples.
  const lines = parts.flatMap(({ literals }) => literals.flatMap((literal) => literal.split('\n')));
  return lines.filter(saysAnswer).length === 1;
}

/** Whether a line names an answer, with words behind the name. */
function saysAnswer(line: string): boolean {
  const text = line.trim();
  const name = nameOfLine(text) ?? '';
  return (
    /^[\p{L}\p{M} ]+[:：]$/u.test(name) &&
    hasWord(text.slice(name.length)) &&
    rolesOfLabel(name).some(([role]) => role === 'answer')
  );
}

/** Whether what is judged is a field of an entry in a list: other requests may have more entries. */
function isOfEntry(parts: readonly LearnedPart[], { part, slot }: LabelledSlot): boolean {
  const before = parts[part]?.literals.slice(0, slot + 1).join('?') ?? '';
  return isInEntry(before, before.length);
}

/** Whether another text is called as what is judged is but for one word, which says nothing of its role: `PRO ANSWER`, `CON ANSWER`. */
function isOneOfSeveral(all: readonly LabelledSlot[], judged: LabelledSlot): boolean {
  const own = wordsOfLabel(judged.near);
  return all.some(({ near }) => {
    const words = wordsOfLabel(near);
    const at = own.length > 1 ? onlyDifference(own, words) : null;
    return (
      at !== null && rolesOfLabel(words[at] ?? '').length === 0 && rolesOfLabel(own[at] ?? '').length === 0
    );
  });
}

/** Whether the name of what is judged says that something is judged by it: `Guardrail:`. */
const isRubric = ({ name }: LabelledSlot) =>
  rolesOfLabel(name).length > 0 && rolesOfLabel(name).every(([role]) => role === 'rubric');

/** Whether the orders say in capitals that what is judged is the reference: `the gold standard ANSWER`. */
function isToldAsReference(parts: readonly LearnedPart[], { near }: LabelledSlot): boolean {
  const label = /\p{Lu}{2,}(?:[ _]\p{Lu}{2,}){0,2}/u.exec(near)?.[0];
  if (label === undefined) return false;
  const orders = parts.flatMap(({ literals }) => literals).join('\n');
  const fronts = orders.split(label).slice(0, -1);
  return fronts.some((before) => {
    const [said = ''] = before
      .slice(-40)
      .split(/[^\p{Ll} -]/u)
      .slice(-1);
    const words = said.trim().split(' ').slice(-2).join(' ');
    return rolesOfLabel(words).some(([role]) => role === 'reference');
  });
}

/**
 * Whether another slot may be what is judged: one that is said to mean nothing and holds more words, a conversation that is
 * taken for the criteria, or a text without a name that opens a message in which the name of what is judged stands in a sentence
 * (`The above was found for the record whose abstract goes: …`).
 */
function passesOverText(all: readonly HeldSlot[], judged: HeldSlot): boolean {
  const wordsIn = (values: readonly string[]) => values.join(' ').split(/\s+/).length;
  return all.some(
    ({ role, part, slot, before, values }) =>
      (role === '*' &&
        values.some((value) => value.includes('\n')) &&
        wordsIn(values) > wordsIn(judged.values)) ||
      (role === 'rubric' && areConversations(values)) ||
      (part === judged.part &&
        slot === 0 &&
        judged.slot > 0 &&
        !judged.before.includes('\n') &&
        role !== '*' &&
        before.trim() === ''),
  );
}

/** Whether the name of what is judged says that it is right: then another text may be measured by it. */
const isModelAnswer = ({ name }: LabelledSlot) => rolesOfLabel(name).some(([role]) => role === 'reference');

/** Whether names say of two texts that somebody wrote them, and of neither that it is an answer: `Poem`, `Story`. */
const hasEqual = (all: readonly HeldSlot[], judged: LabelledSlot): boolean =>
  namesWork(judged.name) &&
  all.some(({ role, name }) => (role === 'instruction' || role === 'context') && namesWork(name));

/** Whether a text beside the judged one may be what is measured: it is open what that is, or its name says that somebody wrote it. */
const mayBeMeasured = ({ role, name }: HeldSlot): boolean =>
  role === 'context' ||
  role === '?' ||
  (role === 'instruction' && rolesOfLabel(name).some(([first]) => first === 'answer' || first === 'agent'));

/** Whether one slot is judged, which is a list of texts in brackets, and no conversation. */
export function holdsList(parts: readonly LearnedPart[], slots: readonly (readonly Slot[])[]): boolean {
  const judged = judgedAmong(slotsHeld(parts, slots));
  return judged !== null && isListOfTexts(judged);
}

const isListOfTexts = ({ before, values }: HeldSlot): boolean =>
  !values.every(holdsTurns) &&
  (/\[\s*["']?$/.test(before.slice(-20)) || values.every((value) => value.startsWith('[')));

/** The one slot that is judged, null where it is not one. */
function judgedAmong(all: readonly HeldSlot[]): HeldSlot | null {
  const options = all.filter(({ role }) => role === 'option');
  const isOne = options.length === 1 || options.every(({ speaker }) => speaker === 'model');
  return (isOne && options.at(-1)) || null;
}
