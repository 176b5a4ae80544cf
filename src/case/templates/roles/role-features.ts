/**
 * What is known of a slot, and of slots that could be what is judged together, as the model of the roles is asked for it:
 * names of features, which are hashed. The model is trained on what this tells (`npm run train:roles`).
 */

import {
  CJK,
  isInOrder,
  roleOfLabel,
  rolesOfLabel,
  VERB_OF_JUDGING,
  wordsOfLabel,
} from '../../words/vocabulary.ts';
import { hasWord } from '../align/tokens.ts';
import { NO_FACTS, ownName, slotRow, toldOfEach, withoutTold } from '../beside-options.ts';
import { type Kinship, type Siblings, siblingsAmong } from './siblings.ts';
import { holdsTurns, type LabelledSlot, type LearnedPart, labelled } from './slot-names.ts';
import { variesAlone } from './variation.ts';

/** Slots that could be what is judged: several options, one answer, or nothing. */
export interface Candidate {
  /** For each option its slots, by index; empty where nothing is judged for certain. */
  readonly members: readonly (readonly number[])[];
  readonly labels: readonly string[];
  readonly features: ReadonlySet<string>;
  /** Whether the orders say that it is judged by another text, or it is a conversation and all that there is. */
  readonly isObject?: boolean;
  /** Whether other texts were seen there beside the same ones elsewhere: see `variesAlone`. */
  readonly isOnlyToVary?: boolean;
  /** For each option the slots that are told of it, and change places with it. */
  readonly told?: readonly (readonly number[])[];
  /** Whether a longer text stands beside each of its own. */
  readonly isTold?: boolean;
}

/** The slots of a template with what could be judged among them. */
export interface SlotReadings {
  readonly slots: readonly LabelledSlot[];
  readonly candidates: readonly Candidate[];
  /** Features of each slot that is not judged, where this is. */
  readonly others: (judged: Candidate['members']) => ReadonlyMap<number, ReadonlySet<string>>;
}

/** No judge's prompt has more texts to fill in. */
const MOST_SLOTS = 64;
/** Words of the literals and of a value that are looked at. */
const MOST_WORDS = 400;
/** Characters of a value among which its words are looked for. */
const LONGEST_VALUE = 4_000;

/** The number of limits that are reached. */
const step = (value: number, ...limits: readonly number[]) => limits.filter((limit) => value >= limit).length;

/** A template's slots among each other. */
class Layout {
  readonly slots: readonly LabelledSlot[];
  readonly words: readonly string[];
  /** Those that are no ids. */
  readonly told: readonly number[];
  readonly lengths: readonly number[];
  readonly own: readonly (readonly string[])[];
  readonly #parts: readonly LearnedPart[];
  /** The words of each literal. */
  readonly #said: readonly (readonly string[])[];
  readonly #valueWords: readonly (readonly ReadonlySet<string>[])[];
  readonly #counts: ReadonlyMap<string, number>;
  readonly #mentions: readonly number[];
  readonly #told: readonly Telling[];
  /** For each value of a slot the place of the first one like it. */
  readonly #sameAs: readonly (readonly number[])[];

  constructor(parts: readonly LearnedPart[]) {
    this.#parts = parts;
    this.slots = parts
      .flatMap((part, index) => part.values.map((_, slot) => labelled(part, index, slot)))
      .slice(0, MOST_SLOTS);
    this.told = this.slots.flatMap((slot, index) => (isIdentifier(slot) ? [] : [index]));
    this.lengths = this.slots.map(({ values }) => average(values.map(({ length }) => length)));
    this.#valueWords = this.slots.map(({ values }) => values.map(wordsOfValue));
    this.#said = parts.flatMap(({ literals }) => literals.map(wordsOfLabel));
    const words = this.#said.flat();
    this.words = [...new Set(words)].slice(0, MOST_WORDS);
    this.#counts = new Map([...Map.groupBy(words, String)].map(([word, all]) => [word, all.length]));
    this.#mentions = this.slots.map(({ near }) =>
      Math.max(0, ...wordsOfLabel(near).map((word) => (word.length > 1 ? this.count(word) : 0))),
    );
    this.#told = toldIn(parts, this.slots);
    this.#sameAs = this.slots.map(({ values }) => values.map((value) => values.indexOf(value)));
    this.own = this.slots.map((slot, index) => this.#featuresOf(slot, index));
  }

  /** How often a word stands in the literals. */
  count = (word: string) => this.#counts.get(word) ?? 0;

  /** Share of the words of two slots' values that are the same. */
  likeness(a: number, b: number): number {
    const [mine = [], theirs = []] = [this.#valueWords[a], this.#valueWords[b]];
    const shares = mine.slice(0, theirs.length).map((words, n) => {
      const other = theirs[n] ?? new Set();
      return words.intersection(other).size / Math.max(1, Math.min(words.size, other.size));
    });
    return average(shares);
  }

  #featuresOf(slot: LabelledSlot, index: number): string[] {
    const { near, lines, values } = slot;
    const name = withoutAsides(slot.name);
    const { role, literals } = this.#parts[slot.part] ?? { role: '', literals: [] };
    const [before, after] = [literals[slot.slot] ?? '', literals[slot.slot + 1] ?? ''];
    const nearby = wordsOfLabel(near);
    const last = nearby.at(-1) ?? '';
    const roles = rolesOfLabel(name);
    const at = this.told.indexOf(index);
    const rest = Math.min(this.told.length - 1 - at, 4);
    const of = Math.min(this.told.length, 6);
    const longer = this.told.filter((other) => (this.lengths[other] ?? 0) > (this.lengths[index] ?? 0));
    const mentions = this.#mentions[index] ?? 0;
    const most = Math.max(0, ...this.told.map((other) => this.#mentions[other] ?? 0));
    const share = (test: RegExp) =>
      step(values.filter((value) => test.test(value)).length / Math.max(1, values.length), 0.01, 0.5, 0.99);
    return [
      `name=${roleOfLabel(name)}`,
      `near=${roleOfLabel(near)}`,
      `above=${roleOfLabel(lines[1] ?? '')}`,
      `named first=${roles[0]?.[0]}`,
      `named last=${roles.at(-1)?.[0]}`,
      ...roles.flat().map((one) => `in name=${one}`),
      ...rolesOfLabel(near)
        .flat()
        .map((one) => `in near=${one}`),
      `sentence=${slot.inSentence}`,
      `head=${slot.inHead}`,
      `speaker=${slot.speaker}`,
      `encoding=${slot.encoding}`,
      `message=${role}`,
      ...nearby.slice(-5).map((word) => `near:${word}`),
      ...wordsOfLabel(lines[0] ?? '')
        .slice(-8)
        .map((word) => `line:${word}`),
      ...wordsOfLabel(lines[1] ?? '')
        .slice(-5)
        .map((word) => `above:${word}`),
      `first:${nearby[0]}`,
      `last:${last}`,
      ...(last.length > 4 ? [`begins:${last.slice(0, 5)}`, `ends:${last.slice(-4)}`] : []),
      `in front=${signOf(before.trimEnd().slice(-1))}`,
      `behind=${signOf(after.trimStart().slice(0, 1))}`,
      `breaks=${/\n\s{0,19}$/.test(before.slice(-20))}${/^\s*\n/.test(after.slice(0, 20))}`,
      `words=${step(wordsOfLabel(name).length, 1, 2, 3, 4, 6, 9)}`,
      `words=${step(wordsOfLabel(name).length, 4, 7)} ${roleOfLabel(name)}`,
      `place=${Math.min(at, 4)}`,
      `from last=${rest}`,
      `of=${of}`,
      `from last=${rest} of ${of}`,
      `mentions=${step(mentions, 1, 2, 3, 5)}`,
      `most mentions=${mentions === most}`,
      ...this.#tellingOf(index, roleOfLabel(name)),
      `longer=${Math.min(longer.length, 3)}`,
      `length=${step(this.lengths[index] ?? 0, 1, 6, 15, 40, 80, 160, 320, 640, 1500)}`,
      `question=${share(/[?？؟]\s{0,9}$/)}`,
      `word=${share(/^\S*$/)}`,
      `number=${share(/^[\d.,%\s/-]+$/)}`,
      `lines=${share(/\n/)}`,
      `data=${share(/^\s{0,9}[[{]/)}`,
      `code=${share(/```|;\n|\bdef |\bfunction\b|=>/)}`,
      `stop=${share(/[.!。！]\s{0,9}$/)}`,
      `turns=${share(/^[^\n:：]{1,20}[:：] [^\n]{0,400}\n[^\n:：]{1,20}[:：] /mu)}`,
      `empty=${share(/^$/)}`,
      `digits=${share(/\d/)}`,
      `repeats=${new Set(values).size < values.length}`,
      `same as another=${this.slots.some((other) => other !== slot && holdSame(values, other.values))}`,
    ];
  }

  variesAlone = (judged: readonly number[]) => variesAlone(this.#sameAs, this.told, judged);

  isObject = (index: number) => this.#told[index]?.isObject === true;

  /** Whether a slot holds a conversation in JSON, beside which no other text is. */
  isAllThatIsSaid = (index: number) =>
    this.told.length === 1 && this.told[0] === index && this.slots[index]?.values.every(holdsTurns) === true;

  /** How the orders speak of a slot, and in which order they first do so of all slots. */
  #tellingOf(index: number, role: string | null): string[] {
    const own = this.#told[index];
    if (!own) return [];
    const places = [
      `in other labels=${own.inLabels}`,
      `other labels in it=${own.holdsLabel}`,
      `in other labels=${own.inLabels} ${role}`,
    ];
    if (own.first < 0) return ['told=never', `told=never ${role}`, ...places];
    const rank = this.#told.filter(({ first }) => first >= 0 && first < own.first).length;
    const more = this.#told.filter(({ count }) => count > own.count).length;
    return [
      `told=${Math.min(rank, 3)}`,
      `told by=${Math.min(more, 2)}`,
      `told=${Math.min(rank, 3)} by=${Math.min(more, 2)}`,
      `told=${Math.min(rank, 3)} ${role}`,
      `told behind=${own.isBehind}`,
      ...own.before.map((word) => `told after:${word}`),
      ...own.behind.map((word) => `told before:${word}`),
      ...places,
    ];
  }

  /** How slots stand to the slots that are not among them. */
  around(judged: readonly number[]): string[] {
    const others = this.told.filter((index) => !judged.includes(index));
    const [first, last] = [Math.min(...judged), Math.max(...judged)];
    const roles = new Set(others.map((index) => roleOfLabel(this.slots[index]?.name ?? '')));
    const count = (test: (index: number) => boolean) => Math.min(3, others.filter(test).length);
    const own = average(judged.map((index) => this.lengths[index] ?? 0));
    const longest = Math.max(1, ...others.map((index) => this.lengths[index] ?? 0));
    const likest = Math.max(
      ...others.map((other) => Math.max(...judged.map((one) => this.likeness(one, other)))),
    );
    return [
      ...[...roles].map((role) => `other=${role}`),
      ...(judged.length === 1 ? this.#namedBeside(judged[0] ?? 0, others) : []),
      `asked=${roles.has('instruction')}`,
      `after=${count((index) => index > last)}`,
      `before=${count((index) => index < first)}`,
      `between=${count((index) => index > first && index < last)}`,
      `others=${Math.min(4, others.length)}`,
      ...(others.length === 0
        ? []
        : [
            `like others=${step(likest, 0.05, 0.15, 0.3, 0.5, 0.9)}`,
            `to longest=${step(own / longest, 0.2, 0.5, 0.8, 1.25, 2, 5)}`,
          ]),
      ...(judged.some((index) => !this.told.includes(index)) ? ['id'] : []),
    ];
  }

  /** What a slot is called, and what all others are called. */
  #namedBeside(index: number, others: readonly number[]): string[] {
    const roleAt = (at: number) => `${roleOfLabel(this.slots[at]?.name ?? '')}`;
    const own = roleAt(index);
    const beside = others.map(roleAt);
    const isLast = others.every((other) => other < index);
    return [
      `named ${own} beside ${[...new Set(beside)].sort().join()}`,
      `named ${own} last=${isLast}`,
      `named ${own} again=${beside.includes(own)} last=${isLast}`,
      `without names=${Math.min(2, beside.filter((role) => role === 'null').length)}`,
    ];
  }

  /** Whether words stand side by side in a literal, as they do where orders say that one is to be chosen. */
  standTogether(words: readonly string[]): boolean {
    return this.#said.some((said) =>
      said.some(
        (word, at) =>
          word === words[0] &&
          words.every((one, n) => said.slice(at, at + 1 + n * (1 + WORDS_BETWEEN)).includes(one)),
      ),
    );
  }
}

/** How the template's orders speak of what stands in a slot, by the words of its label. */
interface Telling {
  /** Where they first do; -1 where they do not. */
  readonly first: number;
  readonly count: number;
  /** Whether they do so behind all slots. */
  readonly isBehind: boolean;
  /** The words in front of the place where they first do, and behind it. */
  readonly before: readonly string[];
  readonly behind: readonly string[];
  /** Whether the orders say that it is judged by another text. */
  readonly isObject: boolean;
  /** Whether the labels of other slots speak of it, as those of what it is measured by do, or its own label of another slot. */
  readonly inLabels: boolean;
  readonly holdsLabel: boolean;
}

/** Characters of the literals in which words of labels are looked for. */
const LONGEST_ORDERS = 20_000;

function toldIn(parts: readonly LearnedPart[], slots: readonly LabelledSlot[]): Telling[] {
  const labels = new Set(slots.map(({ lines }) => lines[0] ?? ''));
  const ordersOf = (literals: readonly string[]) =>
    literals
      .join('\n')
      .split('\n')
      .filter((line) => !labels.has(line))
      .join('\n')
      .toLowerCase();
  const orders = ordersOf(parts.flatMap(({ literals }) => literals)).slice(0, LONGEST_ORDERS);
  const behind = ordersOf(
    parts.flatMap(({ literals, values }) => (values.length > 0 ? literals.slice(-1) : [])).slice(-1),
  );
  const keys = slots.map(({ near }) => stemsOf(near));
  const counts = Map.groupBy(
    keys.flatMap((own) => [...own]),
    String,
  );
  const object = objectIn(orders, keys);
  const isWithin = (inner: ReadonlySet<string>, outer: ReadonlySet<string>) =>
    inner.size > 0 && inner.size < outer.size && inner.intersection(outer).size > 0;
  return keys.map((own, slot) => {
    const only = [...own].filter((key) => counts.get(key)?.length === 1);
    const places = only.map((key) => orders.indexOf(key)).filter((at) => at >= 0);
    const first = places.length === 0 ? -1 : Math.min(...places);
    const end = first < 0 ? '' : orders.slice(first, first + SENTENCE).replace(/^[\p{L}\p{M}]*/u, '');
    return {
      first,
      count: Math.max(0, ...only.map((key) => orders.split(key).length - 1)),
      isBehind: only.some((key) => behind.includes(key)),
      before: first < 0 ? [] : wordsOfLabel(orders.slice(Math.max(0, first - SENTENCE), first)).slice(-3),
      behind: wordsOfLabel(end).slice(0, 2),
      isObject: object === slot,
      inLabels: keys.some((other) => other !== own && isWithin(own, other)),
      holdsLabel: keys.some((other) => other !== own && isWithin(other, own)),
    };
  });
}

/** Characters behind a verb in which its object begins. */
const NEAR_VERB = 30;

/**
 * The slot whose label stands behind the first verb of judging that speaks of several slots: the letter, where the orders say
 * `Score this letter against the job description`. Of 44 prompts with one answer in which it is found, it is what is judged in 42.
 *
 * @param keys beginnings of the words of each label
 */
function objectIn(orders: string, keys: readonly ReadonlySet<string>[]): number | null {
  for (const sentence of orders.split(/[.!?;。！？\n]/u)) {
    const verb = VERB_OF_JUDGING.exec(sentence);
    if (!verb) continue;
    const behind = sentence.slice(verb.index + verb[0].length);
    const [first, second] = keys
      .map((own, slot) => ({ slot, places: [...own].map((key) => behind.indexOf(key)) }))
      .filter(({ places }) => places.length > 0 && !places.includes(-1))
      .map(({ slot, places }) => ({ slot, from: Math.min(...places), to: Math.max(...places) }))
      .toSorted((a, b) => a.to - b.to);
    if (!first) continue;
    return second && first.to < second.to && first.from <= NEAR_VERB ? first.slot : null;
  }
  return null;
}

/** Characters around a mention among which its neighbours are. */
const SENTENCE = 60;

/** Beginnings of a label's words, by which they are known in other forms; of scripts without spaces each two characters. */
function stemsOf(label: string): Set<string> {
  const words = label.toLowerCase().match(/[\p{L}\p{M}]{2,40}/gu) ?? [];
  return new Set(
    words.flatMap((word) =>
      CJK.test(word)
        ? Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
        : word.length > 3
          ? [word.slice(0, Math.max(4, word.length - 2))]
          : [],
    ),
  );
}

/** Words between two names of which one is to be chosen: `Pro or Con`, `"Pro" / "Con"`. */
const WORDS_BETWEEN = 2;

const average = (all: readonly number[]) => sumOf(all) / Math.max(1, all.length);

/** A label less what it says in brackets: `Evidence (SQL previews)`. */
function withoutAsides(label: string): string {
  const bare = label.replaceAll(/[(（[][^()（）[\]]{0,60}[)）\]]/gu, ' ');
  return hasWord(bare) ? bare : label;
}

const signOf = (text: string) => (hasWord(text) ? 'word' : text);

const wordsOfValue = (value: string): ReadonlySet<string> =>
  new Set(
    value
      .slice(0, LONGEST_VALUE)
      .toLowerCase()
      .match(/\p{L}+|\p{N}+/gu)
      ?.slice(0, MOST_WORDS),
  );

/** One word with a digit in it in every request, never a number alone in words: an id, a date, a nonce. */
const isIdentifier = ({ values, lines }: LabelledSlot) =>
  values.every((value) => /^\S{1,80}$/.test(value) && /\d/.test(value) && value.length >= 3) &&
  !rolesOfLabel(lines[0] ?? '')
    .flat()
    .includes('answer');

/**
 * @param parts the template, with what stood in its slots
 * @param replied what the judge's replies seem to be: `kindReplied`
 */
export function alternativesOf(parts: readonly LearnedPart[], replied = 'open'): SlotReadings {
  const layout = new Layout(parts);
  const siblings = siblingsAmong(parts, layout.slots);
  const readings = readingsOf(parts, replied, layout, siblings);
  const texts = textsWithFacts(parts, layout, siblings).flatMap((one) => withFacts(one, parts, replied));
  if (texts.length === 0) return readings;
  const sameAs = (one: Candidate) => texts.find(({ members }) => isSame(members, one.members));
  const isTold = (one: Candidate) =>
    texts.some(({ told = [] }) =>
      one.members.every((some, n) => some.every((index) => told[n]?.includes(index))),
    );
  const others = readings.candidates.filter((one) => !sameAs(one));
  return {
    ...readings,
    candidates: [
      ...others.map((one) => (one.members.length > 1 && isTold(one) ? { ...one, isTold: true } : one)),
      ...texts,
    ],
  };
}

const isSame = (one: Candidate['members'], other: Candidate['members']) =>
  JSON.stringify(one) === JSON.stringify(other);

/** Texts with a name each, and what is told of each of them. */
interface TextsWithFacts {
  readonly texts: readonly number[];
  readonly labels: readonly string[];
  readonly told: readonly (readonly number[])[];
  readonly isRow: boolean;
}

/** What is told of a text is shorter by so many times; anything longer may be what is judged as well. */
const MUCH_LONGER = 3;
/** Sets of such texts that are weighed. */
const MOST_WITH_FACTS = 2;

/** Texts that stand in the same words below each name, and the short ones beside them, which are told of them. */
function textsWithFacts(
  parts: readonly LearnedPart[],
  { slots }: Layout,
  siblings: readonly Siblings[],
): TextsWithFacts[] {
  const row = slotRow(parts);
  const rolesAt = (index: number, label: string) =>
    slots[index]?.inHead ? [] : rolesOfLabel(ownName(row.literals[index] ?? '', label)).flat();
  const isAnswer = (index: number, label: string) => rolesAt(index, label).includes('answer');
  const isFact = (index: number, label: string) =>
    slots[index]?.speaker === null && !rolesAt(index, label).some((role) => NO_FACTS.has(role));
  const found = siblings.flatMap(({ members, labels, ways }) => {
    if (ways.every(({ way }) => way === 'run')) return [];
    const options = members.map(([at = 0], n) => ({ at, label: labels[n] ?? '' }));
    const beside = toldOfEach(row, options) ?? [];
    const all = beside.map((some, n) => [...some, options[n]?.at ?? 0].toSorted((a, b) => a - b));
    const columns = (all[0] ?? []).map((_, n) => all.map((some) => some[n] ?? 0));
    const called = columns.filter((column) => column.every((index, n) => isAnswer(index, labels[n] ?? '')));
    const [only] = called;
    const own = options.map(({ at }) => at);
    // Below the name of an option, or behind it, stands its text, where everything else has a name.
    const isUnnamed = (index: number, n: number) => {
      const label = labels[n] ?? '';
      const line = ownName(row.literals[index] ?? '', label);
      return !slots[index]?.inHead && (line.includes('\0') || !/\p{L}/u.test(line));
    };
    const unnamed = columns.filter((column) => column.every(isUnnamed));
    const [below] = unnamed;
    const texts =
      (called.length === 1 && only) || (called.length === 0 && unnamed.length === 1 && below) || own;
    const valuesAt = (index: number) => slots[index]?.values ?? [];
    const lengthsOf = (column: readonly number[]) => column.flatMap(valuesAt).map(({ length }) => length);
    const longest = average(lengthsOf(texts)) / MUCH_LONGER;
    // What stands in brackets behind a name is no text, however long it is.
    const isShort = (column: readonly number[]) =>
      column.every((index) => slots[index]?.inHead) || lengthsOf(column).every((length) => length < longest);
    const areFacts = columns.every(
      (column) =>
        (column.join() === texts.join() ||
          (isShort(column) && column.every((index, n) => isFact(index, labels[n] ?? '')))) &&
        !column.every((index) => holdSame(valuesAt(index), valuesAt(column[0] ?? 0))),
    );
    const told = all.map((some) => some.filter((index) => !texts.includes(index)));
    const isRow = ways.some((way) => way.isRow);
    return texts.length > 0 && areFacts ? [{ texts, labels, told, isRow }] : [];
  });
  const byTexts = Map.groupBy(
    found.toSorted((a, b) => Number(b.isRow) - Number(a.isRow)),
    ({ texts }) => texts.join(),
  );
  return [...byTexts.values()].flatMap(([one]) => one ?? []).slice(0, MOST_WITH_FACTS);
}

/** Texts as they are weighed where nothing is told of them. */
function withFacts(
  { texts, labels, told }: TextsWithFacts,
  parts: readonly LearnedPart[],
  replied: string,
): Candidate[] {
  const { places } = slotRow(parts);
  const facts = told.flat();
  const folded = withoutTold(
    parts,
    facts.flatMap((index) => places.slice(index, index + 1)),
    labels,
  ).map(({ literals, kept, part }) => ({
    role: part.role,
    literals,
    values: kept.map((slot) => part.values[slot] ?? []),
  }));
  const kept = places.flatMap((_, index) => (facts.includes(index) ? [] : [index]));
  const inner = new Layout(folded);
  const { candidates } = readingsOf(folded, replied, inner, siblingsAmong(folded, inner.slots));
  const members = texts.map((index) => [index]);
  return candidates.flatMap((one) => {
    const own = one.members.map((some) => some.map((index) => kept[index] ?? -1));
    return isSame(own, members) ? [{ ...one, members, told }] : [];
  });
}

const sumOf = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0);

function readingsOf(
  parts: readonly LearnedPart[],
  replied: string,
  layout: Layout,
  siblings: readonly Siblings[],
): SlotReadings {
  const { slots, own, words } = layout;
  const inRow = new Set(
    siblings.flatMap(({ members, ways }) => (ways.some(({ isRow }) => isRow) ? members.flat() : [])),
  );
  const marked = (mark: string, features: readonly string[]) =>
    new Set(
      [mark, `replied=${replied}`, ...features, ...words.map((word) => `word:${word}`)].map(
        (one) => `${mark} ${one}`,
      ),
    );
  const several = siblings.map(({ members, labels, ways }): Candidate => {
    const judged = members.flat();
    const features = [
      ...ways.flatMap((way) => featuresOfKinship(way, layout)),
      ...layout.around(judged),
      ...sharedFeatures(judged.map((index) => own[index] ?? [])),
      `options=${Math.min(members.length, 6)}`,
      `replied=${replied} turns=${(members[0]?.length ?? 0) > 1}`,
      `part of more=${siblings.some((other) => other.members.flat().length > judged.length && judged.every((index) => other.members.flat().includes(index)))}`,
      `turns=${(members[0]?.length ?? 0) > 1}`,
      `named behind=${isBehind(ways)} twin=${siblings.some((other) => other.members !== members && other.labels.join() === labels.join() && !isBehind(other.ways))}`,
      `alike=${step(layout.likeness(members[0]?.[0] ?? 0, members[1]?.[0] ?? 0), 0.05, 0.15, 0.3, 0.5, 0.9)}`,
      `even=${step(evenness(members.map((some) => average(some.map((index) => layout.lengths[index] ?? 0)))), 0.1, 0.3, 0.5, 0.7, 0.85)}`,
    ];
    return {
      members,
      labels,
      features: marked('several', features),
      isOnlyToVary: layout.variesAlone(judged),
    };
  });
  const alone = (judged: readonly number[], more: readonly string[]): Candidate => ({
    members: [judged],
    labels: [''],
    features: marked('one', [...layout.around(judged), ...more]),
    isObject:
      judged.length === 1 && judged.some((one) => layout.isObject(one) || layout.isAllThatIsSaid(one)),
    isOnlyToVary: layout.variesAlone(judged),
  });
  const one = slots.map(({ part, slot }, index) =>
    alone(
      [index],
      [
        ...(own[index] ?? []),
        `in row=${inRow.has(index)}`,
        `stacked=${parts[part]?.literals[slot]?.trim() === ''}`,
      ],
    ),
  );
  const turns = slots.flatMap(({ speaker }, index) => (speaker === 'model' ? [index] : []));
  const whole = [
    `slots=${Math.min(6, slots.length)}`,
    `sets=${Math.min(3, siblings.length)}`,
    ...own.flat().filter((feature) => !feature.includes(':')),
  ];
  return {
    slots,
    candidates: [
      // Nothing is judged, or a text that is judged was not cut right: in this order.
      { members: [], labels: [], features: marked('none', whole) },
      { members: [], labels: [], features: marked('miscut', whole) },
      ...several,
      ...one,
      ...(turns.length > 1 ? [alone(turns, ['turns'])] : []),
    ],
    others: (members) => othersOf(layout, members),
  };
}

/** Whether two slots hold the same text in every request, as the user's turns do that two assistants answer. */
const holdSame = (values: readonly string[], others: readonly string[]) =>
  values.length > 0 && values.every((value, n) => value !== '' && value === others[n]);

/** Whether only what stands behind slots makes them siblings: there the next slot may have its name. */
const isBehind = (ways: readonly Kinship[]) => ways.every(({ way }) => way === 'behind');

const evenness = (lengths: readonly number[]) => Math.min(...lengths) / Math.max(1, ...lengths);

/** Features of several slots, of which places among all slots say nothing. */
function sharedFeatures(all: readonly (readonly string[])[]): string[] {
  const counts = Map.groupBy(
    all.flatMap((features) => [...new Set(features)]),
    String,
  );
  return [...counts]
    .filter(([feature]) => !/^(?:place|from last|of)=/.test(feature))
    .map(([feature, found]) => `${found.length === all.length ? 'all' : 'some'} ${feature}`);
}

function featuresOfKinship({ way, isRow, frame, keys, ...kin }: Kinship, layout: Layout): string[] {
  if (way === 'run')
    return [
      'run',
      `run by=${kin.between.slice(0, 3)}`,
      `run words=${hasWord(kin.between)}`,
      `run on=${kin.isShared}`,
    ];
  const roles = rolesOfLabel(frame.join(' ')).flat();
  const [key = ''] = keys;
  const kind = /^\p{N}+$/u.test(key)
    ? 'number'
    : key.length === 1
      ? 'letter'
      : isInOrder(key)
        ? 'order'
        : 'word';
  const together = layout.standTogether(keys);
  return [
    `row=${isRow}`,
    `way=${way}`,
    `framed=${frame.length > 0}`,
    `row=${isRow} framed=${frame.length > 0}`,
    `shared=${kin.isShared}`,
    ...(roles.length === 0 ? ['none'] : roles).flatMap((role) => [
      `frame=${role}`,
      `row=${isRow} frame=${role}`,
    ]),
    ...keys.flatMap((one) => rolesOfLabel(one).flat()).map((role) => `key=${role}`),
    `heading=${roleOfLabel(kin.heading)} framed=${frame.length > 0}`,
    ...frame.slice(-5).map((word) => `frame:${word}`),
    `key=${kind}`,
    `together=${together}`,
    `row=${isRow} together=${together}`,
    `key mentions=${step(Math.min(...keys.map(layout.count)), 1, 2, 3, 4)}`,
  ];
}

function othersOf(layout: Layout, members: Candidate['members']): Map<number, Set<string>> {
  const judged = members.flat();
  const [first, last] = [Math.min(...judged), Math.max(...judged)];
  const others = layout.slots.flatMap((_, index) => (judged.includes(index) ? [] : [index]));
  return new Map(
    others.map((index, n) => [
      index,
      new Set([
        'other',
        ...(layout.own[index] ?? []),
        `stands=${index < first ? 'before' : index > last ? 'behind' : 'between'}`,
        `other=${Math.min(4, n)} of ${Math.min(4, others.length)}`,
        `only=${others.length === 1}`,
        `id=${!layout.told.includes(index)}`,
        `several=${members.length > 1}`,
        `next=${index - first === -1}${index - last === 1}`,
      ]),
    ]),
  );
}
