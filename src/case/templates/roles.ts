/**
 * What the slots of a template hold. The witnesses are the labels in the literals in front of the slots: two slots whose
 * labels differ in one word of a row (`Answer A`, `Answer B`) are options; what one label alone says is looked up.
 */
import { labelKey } from '../counterfactual.ts';
import { isList } from './edges.ts';
import { leadOf } from './openings.ts';
import type { Slot, SlotEncoding, SlotRole } from './template.ts';
import { CJK, hasWord, withoutEnd } from './tokens.ts';
import {
  beginsAnOrder,
  followsInOrder,
  isInOrder,
  type LabelRole,
  namesAuthor,
  rolesOfLabel,
  saysAnswer,
  wordsOfLabel,
} from './vocabulary.ts';

/** A part as learned: its literals, and for each slot the values it had in the requests seen. */
export interface LearnedPart {
  readonly role: string;
  readonly literals: readonly string[];
  readonly values: readonly (readonly string[])[];
}

/** What a slot was read as without the template. */
export interface SeenRole {
  readonly part: number;
  readonly slot: number;
  readonly role: 'option' | 'instruction';
  readonly label: string;
}

/** A slot with the lines in front of it that could name it, the nearest first. */
interface Labelled {
  readonly part: number;
  readonly slot: number;
  readonly lines: readonly string[];
  /** The words between the last two delimiters in front of the slot. */
  readonly near: string;
  /** What names the slot: the line above it, or the label in front of it on its own line. */
  readonly name: string;
  /** Whether it stands within a sentence of the orders, which names it only in passing. */
  readonly inSentence: boolean;
  /** Whether it tells of the text below: in brackets, or in a sentence that ends in a colon, as who wrote it does. */
  readonly inHead: boolean;
  /** Who says it where it is a turn of a conversation in JSON, as chat models are sent it. */
  readonly speaker: 'model' | 'other' | null;
  readonly values: readonly string[];
  readonly encoding: SlotEncoding;
}

interface Named {
  role: SlotRole;
  label: string;
}

/** No judge's prompt has more texts to fill in; among so many nobody looks for options. */
const MOST_SLOTS = 64;
/** Lines in front of a slot that may hold its name. */
const LINES = 3;

/**
 * @param seen roles that the general readers agree on; they hold
 * @returns the slots of each part
 */
export function assignRoles(parts: readonly LearnedPart[], seen: readonly SeenRole[] = []): Slot[][] {
  const judgedTurn = findJudgedTurn(parts);
  const slots = parts.flatMap((part, index) =>
    isReply(part) && index !== judgedTurn ? [] : part.values.map((_, slot) => labelled(part, index, slot)),
  );
  const named = slots.map((slot): Named => ({ role: isIdentifier(slot) ? '*' : '?', label: '' }));
  for (const { part, slot, role, label } of seen) {
    const index = slots.findIndex((one) => one.part === part && one.slot === slot);
    if (index >= 0) named[index] = { role, label };
  }
  const told = seen.some(({ role }) => role === 'option');
  const said = parts.flatMap(({ literals }) => literals.map((literal) => wordsOfLabel(literal)));
  const groups = told ? [] : optionsAmong(slots, named, said);
  for (const { members, labels } of groups) {
    for (const [n, region] of members.entries())
      for (const index of region) named[index] = { role: 'option', label: labels[n] ?? '' };
  }
  assignOthers(slots, named, told || groups.length > 0);
  const places = new Map(slots.map(({ part, slot }, at) => [`${part} ${slot}`, at]));
  return parts.map((part, index) =>
    part.values.map((_, slot): Slot => {
      const at = places.get(`${index} ${slot}`) ?? -1;
      return {
        role: named[at]?.role ?? '*',
        label: named[at]?.label ?? '',
        encoding: slots[at]?.encoding ?? 'plain',
      };
    }),
  );
}

const isReply = ({ role }: LearnedPart) => role === 'assistant' || role === 'model';

/**
 * Index of the message that is judged where a whole conversation is handed over as such: the last reply in it, behind
 * which orders speak of the answer; -1 for none.
 */
function findJudgedTurn(parts: readonly LearnedPart[]): number {
  const last = parts.findLastIndex((part) => isReply(part) && part.values.length > 0);
  const behind = parts.slice(last + 1);
  const orders = behind.map(({ literals }) => literals.join(' ')).join(' ');
  const roles = rolesOfLabel(orders.slice(0, LONGEST_ORDERS)).flat();
  const isAsked = roles.includes('answer') || roles.includes('agent');
  return isAsked && behind.every(({ values }) => values.length === 0) ? last : -1;
}

/** Characters of orders that are searched for what they speak of. */
const LONGEST_ORDERS = 2000;

function labelled({ role, literals, values }: LearnedPart, part: number, slot: number): Labelled {
  const before = inFrontOf(literals, slot);
  const after = literals[slot + 1] ?? '';
  const column = nameFromElsewhere(literals, slot);
  const lines = column === null ? before.split('\n').filter(canName).slice(-LINES).reverse() : [column];
  // A literal that goes on behind the slot before it begins in the middle of a line.
  if (lines.length === 0)
    lines.push(isReply({ role, literals, values }) ? role : (after.split('\n')[0] ?? ''));
  const own = before.slice(before.lastIndexOf('\n') + 1);
  const near = nearestWords(before);
  const labelledHere = endsInLabel(own);
  // A sentence of the orders that ends above the slot names it only in passing, too.
  const inSentence = hasWord(own) ? !labelledHere : isSentence(lines[0] ?? '');
  return {
    part,
    slot,
    lines,
    near: column ?? near,
    name: inSentence
      ? hasWord(own)
        ? lastWords(own)
        : (lines[0] ?? '')
      : labelledHere && rolesOfLabel(near).length > 0
        ? near
        : (lines[0] ?? ''),
    inSentence,
    inHead:
      (/[(（][^()（）\n]{0,40}$/u.test(own) && /^[)）]/u.test(after)) ||
      (hasWord(own) && !labelledHere && /^[:：]\n/.test(after)),
    speaker: speakerOf(before, after),
    values: values[slot] ?? [],
    encoding: encodingOf(before, after, values[slot] ?? []),
  };
}

/** The literal in front of a slot; behind a text in brackets with the name in front of these: `CUSTOMER ({{*}}): `. */
function inFrontOf(literals: readonly string[], slot: number): string {
  const before = literals[slot] ?? '';
  const name = literals[slot - 1] ?? '';
  return /^[)）]/u.test(before) && /[(（]$/u.test(name)
    ? name.slice(0, -1).trimEnd() + before.slice(1)
    : before;
}

/** `{"role": "assistant", "content": "` in front of a slot, or the same two fields around it in the other order. */
function speakerOf(before: string, after: string): Labelled['speaker'] {
  const lead = /["']content["']\s{0,9}:\s{0,9}["']$/.exec(before.slice(-40));
  if (!lead) return null;
  const front = before.slice(0, before.length - lead[0].length).slice(-60);
  const role =
    /["']role["']\s{0,9}:\s{0,9}["']([a-z]{2,12})["']\s{0,9},\s{0,9}$/.exec(front)?.[1] ??
    /^["']\s{0,9},\s{0,9}["']role["']\s{0,9}:\s{0,9}["']([a-z]{2,12})["']/.exec(after.slice(0, 60))?.[1];
  return role === undefined ? null : MODELS.has(role) ? 'model' : 'other';
}

/** Names of the model's role in the protocols of chat models. */
const MODELS: ReadonlySet<string> = new Set(['assistant', 'model', 'ai']);

/** A line with a word in it; what opens a block of code (```sql) tells its language. */
const canName = (line: string) => hasWord(line) && !/^\s{0,9}(?:```|~~~)\S{0,20}\s{0,3}$/.test(line);

/** Stands for a slot in a text. */
const SLOT = '\0';

/** What a table says above a cell in whose row nothing else is said: `Left result` of `| Left result | Right result |`. */
function columnName(before: string): string | null {
  const lines = before.split('\n');
  const row = lines.at(-1) ?? '';
  if (!row.trimStart().startsWith('|') || hasWord(row)) return null;
  const rule = lines.findLastIndex(isRule);
  const isTable = rule > 0 && lines.slice(rule).every((line) => line.trimStart().startsWith('|'));
  const name = isTable ? (lines[rule - 1]?.split('|')[row.split('|').length - 1]?.trim() ?? '') : '';
  return hasWord(name) && !name.includes(SLOT) ? name : null;
}

/** Texts and characters in front of an entry among which its name is looked for. */
const MOST_ENTRIES = 32;
const LONGEST_TABLE = 4_000;

/** The name of a cell of a table, or of an entry of a list, which stands further in front; null for other slots. */
function nameFromElsewhere(literals: readonly string[], slot: number): string | null {
  if (entryStart(literals[slot] ?? '') === null && !/\|\s{0,9}$/.test(literals[slot]?.slice(-10) ?? ''))
    return null;
  const before = literals
    .slice(Math.max(0, slot - MOST_ENTRIES), slot + 1)
    .join(SLOT)
    .slice(-LONGEST_TABLE);
  return columnName(before) ?? entryName(before, literals[slot + 1] ?? '');
}

/** The name of a list of strings in JSON with the place in it, which counts from 0: `candidates 1`. */
function entryName(before: string, after: string): string | null {
  const from = before.lastIndexOf('["') + 2;
  const entries = from < 2 ? [] : before.slice(from).split(/",\s{0,9}"/);
  const isEntry = entries.every((entry) => entry === SLOT || entry === '') && entries.at(-1) === '';
  const name = /"([^"\n]{1,40})"\s{0,3}:\s{0,9}$/.exec(
    before.slice(0, Math.max(0, from - 2)).slice(-60),
  )?.[1];
  const several = entries.length > 1 || /^",\s{0,9}"$/.test(after);
  return isEntry && several && name !== undefined ? `${name} ${entries.length - 1}` : null;
}

/** `|---|:--|` below the head of a table. */
const isRule = (line: string) =>
  /^[|\s:-]+$/.test(line) && line.trimStart().startsWith('|') && line.includes('-');

/** What stands in front of an entry that has its name from elsewhere: a cell in a table, a string in a list; null for others. */
export function entryStart(before: string): string | null {
  const [row = '', rule = ''] = before.split('\n').reverse();
  if (isRule(rule) && row.trimStart().startsWith('|') && !hasWord(row)) return row;
  return /[[,]\s{0,9}"$/.test(before) ? '"' : null;
}

/** Words of a line that ends in a full stop: no name is as long. */
const WORDS_OF_SENTENCE = 5;

const isSentence = (line: string) =>
  /[.!?。！？؟][\s"'*_)\]]*$/u.test(line) &&
  (wordsOfLabel(line).length >= WORDS_OF_SENTENCE || CJK_SENTENCE.test(line));
const CJK_SENTENCE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{6}/u;

/** What ends a label, and what may stand between it and the slot. */
const LABEL_ENDS = ':：=>])】|*–—-→⇒»›\u3000';
const OPENERS = ' \t"\'`“„«「『*_[({<';
/** A quotation mark is enough behind a label of so many words: `Antwort „`. */
const WORDS_OF_LABEL = 2;

/** Whether a line in front of a slot ends in a label, rather than in a sentence that goes on in the slot. */
function endsInLabel(line: string): boolean {
  const label = withoutEnd(line, OPENERS);
  if (label !== '' && LABEL_ENDS.includes(label.at(-1) ?? '')) return true;
  return label.length < line.trimEnd().length && wordsOfLabel(label).length <= WORDS_OF_LABEL;
}

/** The last three words of a sentence that goes on in the slot. */
const lastWords = (text: string) =>
  /[.!?。]\s*$/u.test(text) ? '' : text.trim().split(/\s+/u).slice(-3).join(' ');

const nearestWords = (literal: string) => {
  const pieces = literal.split(/[\n"'`<>()[\]{}|=:：“”„«»「」【】（）]/u).filter(hasWord);
  return pieces.at(-1)?.trim() ?? '';
};

function encodingOf(before: string, after: string, values: readonly string[]): SlotEncoding {
  if (/[:,[]\s*"$/.test(before) && after.startsWith('"') && values.every(isJsonText)) return 'json';
  const indent = /\n([^\S\n]+|[^\S\n]*>[^\S\n]?)$/.exec(`\n${before.slice(-200)}`)?.[1];
  if (!indent) return 'plain';
  const further = values.flatMap((value) => value.split('\n').slice(1)).filter((line) => line.trim() !== '');
  return further.length > 0 && further.every((line) => line.startsWith(indent.trimEnd()))
    ? 'indented'
    : 'plain';
}

function isJsonText(text: string): boolean {
  if (/["\n]/.test(text.replaceAll(/\\./g, ''))) return false;
  try {
    return typeof JSON.parse(`"${text}"`) === 'string';
  } catch {
    return false;
  }
}

/** One word with a digit in it in every request, never a number alone in words: an id, a date, a nonce. */
const isIdentifier = ({ values, lines }: Labelled) =>
  values.every((value) => /^\S{1,80}$/.test(value) && /\d/.test(value) && value.length >= 3) &&
  !rolesOfLabel(lines[0] ?? '')
    .flat()
    .includes('answer');

interface Options {
  /** For each option its slots, by index. */
  readonly members: readonly (readonly number[])[];
  readonly labels: readonly string[];
  readonly score: number;
}

/** @param said the words of each literal */
function optionsAmong(
  slots: readonly Labelled[],
  named: readonly Named[],
  said: readonly (readonly string[])[],
): Options[] {
  if (slots.length > MOST_SLOTS) return [];
  const candidates: Options[] = [];
  for (let depth = 0; depth < LINES; depth++)
    for (const nameOf of [withoutAside, nameBefore, aside])
      candidates.push(...siblings(slots, ({ lines }) => lines[depth] ?? '', nameOf, depth, said));
  candidates.push(...siblings(slots, ({ near }) => near, String, 0.5, said));
  const usable = candidates.filter(({ members }) =>
    members.flat().every((index) => named[index]?.role !== '*'),
  );
  const best = usable.toSorted((a, b) => b.score - a.score)[0];
  return best ? [best] : [];
}

/** The label less what it adds in brackets: `Response A (without memory)`, never `Output (a)`. */
function withoutAside(label: string): string {
  const open = label.indexOf('(');
  const close = label.indexOf(')', open);
  const aside = open > 0 && close > 0 ? label.slice(open, close + 1) : '';
  return wordsOfLabel(aside).length > 1 ? label.replace(aside, '') : label;
}

/** What stands in front of a colon or a bracket: `Answer 1` of `Answer 1: GPT-4o`, `Student A` of `Student A (human)`. */
const nameBefore = (label: string) => /^[^:：(（]*/u.exec(label)?.[0] ?? '';

/** What a label says in brackets: the `A` of `Baseline (A)`. */
const aside = (label: string) => /[(（[]\s{0,3}(\p{L}|\p{N}{1,2})\s{0,3}[)）\]]/u.exec(label)?.[1] ?? '';

/**
 * Slots whose names differ in one word: in the order of a row, or by names that the frame or the orders say are judged.
 *
 * @param lineOf the line that holds a slot's name
 * @param nameOf the name in it
 * @param said the words of each literal of the template
 */
function siblings(
  slots: readonly Labelled[],
  lineOf: (slot: Labelled) => string,
  nameOf: (line: string) => string,
  depth: number,
  said: readonly (readonly string[])[],
): Options[] {
  const lines = slots.map(lineOf);
  const names = lines.map(nameOf);
  const words = names.map(wordsOfLabel);
  return slots.flatMap((_, first) =>
    [true, false].flatMap((inRow): Options[] => {
      const { chain, place } = chainFrom(first, words, inRow);
      if (chain.length < 2) return [];
      const keys = chain.map((index) => words[index]?.[place] ?? '');
      const row = beginsAnOrder(keys);
      if (inRow !== row) return [];
      // A label that stands a third time is no option's name.
      const own = new Set(chain.map((index) => words[index]?.join(' ')));
      if (words.some((one, index) => !chain.includes(index) && own.has(one.join(' ')))) return [];
      // Entries with no name of their own are what the line above the list says.
      const heading = roleOf(slots[first]?.lines[Math.floor(depth) + 1] ?? '');
      if (
        words[first]?.length === 1 &&
        (heading === 'context' || heading === 'reference' || heading === 'rubric')
      )
        return [];
      const score = scoreOf(
        keys,
        row,
        (words[first]?.length ?? 0) > 1,
        chain.map((index) => lines[index] ?? ''),
        row ? false : stand(keys, said),
      );
      if (score <= 0) return [];
      const members = regionsOf(chain, keys, slots);
      const regions = (members[0]?.length ?? 1) > 1 || members.some(([index], n) => index !== chain[n]);
      const called = chain.map((index) => names[index] ?? '');
      const labels = called.map((name, n) => labelOf(name, keys[n] ?? '', sharedStart(called)));
      return [{ members, labels, score: score + (regions ? 20 : 0) + chain.length - depth - first / 1000 }];
    }),
  );
}

function chainFrom(first: number, words: readonly (readonly string[])[], inRow: boolean) {
  const chain = [first];
  let place = -1;
  for (let next = first + 1; next < words.length; next++) {
    const last = chain.at(-1) ?? first;
    const differs = onlyDifference(words[last] ?? [], words[next] ?? []);
    if (differs === null || (place >= 0 && differs !== place)) continue;
    const name = words[next]?.[differs] ?? '';
    if (chain.some((index) => words[index]?.[differs] === name)) continue;
    if (inRow && !followsInOrder(words[last]?.[differs] ?? '', name)) continue;
    place = differs;
    chain.push(next);
  }
  return { chain, place };
}

function onlyDifference(a: readonly string[], b: readonly string[]): number | null {
  if (a.length !== b.length || a.length === 0) return null;
  let found: number | null = null;
  for (const [n, word] of a.entries()) {
    if (word === b[n]) continue;
    if (found !== null) return null;
    found = n;
  }
  return found;
}

/** How well names and frame speak for options; 0 or less where they do not. */
function scoreOf(
  names: readonly string[],
  row: boolean,
  framed: boolean,
  labels: readonly string[],
  together: boolean,
): number {
  const [name = ''] = names;
  const roles = rolesOfLabel((labels[0] ?? '').toLowerCase().replace(name, ' ')).flat();
  const told = labels.map((label) => roleOf(label));
  const answers = roles.includes('answer');
  if (told.some((role) => role === 'reference' || role === 'rubric')) return 0;
  if (!answers && !roles.includes('agent') && (roles.includes('instruction') || roles.includes('context')))
    return 0;
  if (row) return answers ? 30 : framed ? 20 : 15;
  // Names of people or models, where the frame says that they answer.
  const own = names.flatMap((name) => rolesOfLabel(name).flat());
  if (
    own.some(
      (role) => role === 'reference' || role === 'instruction' || role === 'context' || role === 'rubric',
    )
  )
    return 0;
  return answers ? 10 : framed && together && own.length === 0 ? 8 : 0;
}

/** Words between two names of which one is to be chosen: `Pro or Con`, `"Pro" / "Con"`. */
const WORDS_BETWEEN = 2;

/** Whether the names stand side by side in a literal, as they do where orders say that one is to be chosen. */
const stand = (names: readonly string[], said: readonly (readonly string[])[]): boolean =>
  said.some((words) =>
    words.some(
      (word, at) =>
        word === names[0] &&
        names.every((name, n) => words.slice(at, at + 1 + n * (1 + WORDS_BETWEEN)).includes(name)),
    ),
  );

/** An option of several slots: as many as stand before the next option, where their further labels are alike. */
function regionsOf(
  chain: readonly number[],
  names: readonly string[],
  slots: readonly Labelled[],
): number[][] {
  const [first = 0, second = 0] = chain;
  const size = second - first;
  const even = chain.every((start, n) => n === 0 || start - (chain[n - 1] ?? 0) === size);
  const label = (start: number, offset: number) =>
    wordsOfLabel(slots[start + offset]?.lines[0] ?? '')
      .map((word) => (word === names[chain.indexOf(start)] ? '' : word))
      .join(' ');
  const offsets = Array.from({ length: size }, (_, n) => n);
  const whole =
    size > 1 &&
    even &&
    offsets.every((n) => n === 0 || chain.every((start) => label(start, n) === label(first, n)));
  if (!whole) return chain.map((start) => [start]);
  // What is the same in all options is not the options': the user's turns. Nor is who wrote it, in brackets.
  const own = offsets.filter((offset) => {
    if (chain.some((start) => slots[start + offset]?.inHead) && offset + 1 < size) return false;
    const [one, ...others] = chain.map((start) => slots[start + offset]?.values ?? []);
    return others.some((values) => values.some((value, n) => value !== one?.[n]));
  });
  return chain.map((start) => (own.length === 0 ? offsets : own).map((offset) => start + offset));
}

/** How many characters all begin with. */
function sharedStart([first = '', ...others]: readonly string[]): number {
  let size = 0;
  while (size < first.length && others.every((other) => other.charAt(size) === first.charAt(size))) size++;
  return size;
}

/**
 * The label as it stands where it ends in the option's own name (`Answer (A)`), else the name alone.
 *
 * @param start how many characters of the line all options have
 */
function labelOf(line: string, name: string, start: number): string {
  const from = line.search(/[\p{L}\p{N}]/u);
  const chars = [...line];
  const end = chars.findLastIndex((char) => /[\p{L}\p{N}]/u.test(char)) + 1;
  const bare = from < 0 ? line : chars.slice(0, end).join('').slice(from);
  if (
    wordsOfLabel(bare).length <= 3 &&
    wordsOfLabel(bare).at(-1) === name &&
    labelKey(bare).toLowerCase() === name
  )
    return bare;
  const lower = bare.toLowerCase();
  const place = lower.indexOf(name, Math.max(0, start - Math.max(0, from) - name.length + 1));
  if (place >= 0 && wordsOfLabel(bare.slice(place)).at(0) === name)
    return gluedTo(bare, place, place + name.length);
  for (let at = lower.lastIndexOf(name); at >= 0; at = at === 0 ? -1 : lower.lastIndexOf(name, at - 1))
    if (
      wordsOfLabel(bare.slice(at)).at(0) === name &&
      wordsOfLabel(bare.slice(0, at + name.length)).at(-1) === name
    )
      return gluedTo(bare, at, at + name.length);
  return name;
}

/** The name with the letters and digits that it is written together with: `S1`, `query_one`, `第一案`. */
function gluedTo(line: string, start: number, end: number): string {
  const tail = /^(?:[A-Za-z0-9_]{1,40}|\p{Script=Han}{1,4}(?!\p{L}))/u.exec(line.slice(end))?.[0] ?? '';
  // `第一案`: a word that goes on behind what counts is one with what stands in front.
  const glue = CJK.test(tail) ? /\p{Script=Han}{1,4}$/u : /[A-Za-z0-9_]{1,40}$/;
  const lead = glue.exec(line.slice(0, start))?.[0] ?? '';
  return lead + line.slice(start, end) + tail;
}

/** What a label says by itself. */
function roleOf(label: string): LabelRole | null {
  const words = rolesOfLabel(label);
  const all = words.flat();
  for (const role of ['reference', 'rubric', 'answer', 'instruction', 'context', 'agent'] as const)
    if (words.some((roles) => roles[0] === role)) return role;
  return all[0] ?? null;
}

interface Placed {
  readonly slot: Labelled;
  readonly index: number;
}

/** How plainly a slot's name calls it the answer that is judged; 0 where it does not. */
function callsAnswer({ name, lines, inSentence, speaker }: Labelled): number {
  if (speaker !== null) return speaker === 'model' ? PLAIN : 0;
  const roles = rolesOfLabel(name);
  const agent = roles.flat().includes('agent') || namesAuthor(name) ? 2 : 0;
  const role = roleOf(name);
  const above = roleOf(lines[1] ?? '') === 'answer' ? 1 : 0;
  if (inSentence) return role === 'answer' ? 1 : 0;
  if (role === 'answer') return 4 + (saysAnswer(name) ? 2 : 0) + agent + above;
  if (agent > 0) return 2 + above;
  return lines.some((line) => roleOf(line) === 'answer') ? 1 : 0;
}

/** The slot that is called an answer more plainly than any other. */
function mostCalledAnswer(slots: readonly Placed[]): Placed | null {
  const ranked = slots
    .map((placed) => ({ placed, rank: callsAnswer(placed.slot) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank);
  const [best, second] = ranked;
  return best && best.rank > (second?.rank ?? 0) ? best.placed : null;
}

/** Rank from which on a name calls its slot an answer by itself, and from which on it does where all others have names. */
const PLAIN = 4;
const KIND_OF_TEXT = 2;

/**
 * Whether the names leave no doubt about the one answer that is judged: its name calls it one, more plainly than that of
 * any other slot, or it is the only text there is; and it holds one text rather than a list of several.
 */
export function isPlainlyJudged(parts: readonly LearnedPart[], slots: readonly (readonly Slot[])[]): boolean {
  const { judged: one, others } = judgedAmong(parts, slots);
  if (!one || !holdsOneAnswer(parts, slots)) return false;
  const rank = callsAnswer(one);
  const named = roleOf(one.name);
  if (others.length === 0)
    return named === null || named === 'answer' || named === 'agent' || named === 'context';
  const allNamed = others.every(({ name, inSentence }) => isNamedOtherwise(name) && !inSentence);
  const needed = allNamed ? KIND_OF_TEXT : PLAIN;
  if (rank >= needed && others.every((other) => callsAnswer(other) < rank)) return true;
  // A document beside a question, with nothing else: how relevant it is.
  const roles = others.map(({ name }) => roleOf(name));
  const isOnlyMaterial = named === 'context' && !roles.includes('context') && roles.includes('instruction');
  return allNamed && !one.inSentence && isOnlyMaterial;
}

/**
 * Whether the one answer that is judged stands where prompts have it, behind all other texts, and has no name that calls it
 * something else. A reference or a rubric may follow. A text whose name says nothing needs one in front of it whose name
 * says what that is: two texts without such names may be two options.
 */
export function standsLast(parts: readonly LearnedPart[], slots: readonly (readonly Slot[])[]): boolean {
  const { judged, others } = judgedAmong(parts, slots);
  if (!judged || judged.inSentence) return false;
  if (isNamedOtherwise(judged.name) && callsAnswer(judged) < KIND_OF_TEXT) return false;
  const isBefore = ({ part, slot }: Labelled) =>
    part < judged.part || (part === judged.part && slot < judged.slot);
  const last = others.findLast(isBefore);
  return (
    (others.length === 0 || callsAnswer(judged) > 0 || (last !== undefined && isNamedOtherwise(last.name))) &&
    others.every((other) => {
      const named = roleOf(other.name);
      const follows = named === 'reference' || named === 'rubric';
      const rank = isNamedOtherwise(other.name) ? 0 : callsAnswer(other);
      return rank < Math.max(1, callsAnswer(judged)) && (isBefore(other) || follows);
    })
  );
}

/**
 * Whether what is judged stands apart from all else that varies: between two options stands nothing that could belong to one
 * of them, no other slot always holds the same text as an option, none is set off by line breaks alone, and no option holds a label in every request, which speaks for a slot that was missed.
 *
 * @param isNamed whether a model named the slots: then the labels in them are those of turns
 */
export function standApart(
  parts: readonly LearnedPart[],
  slots: readonly (readonly Slot[])[],
  isNamed = false,
): boolean {
  const named = parts.flatMap((part, index) => part.values.map((_, slot) => labelled(part, index, slot)));
  const roleOf = ({ part, slot }: Labelled) => slots[part]?.[slot]?.role;
  const all = named.filter((slot) => roleOf(slot) !== '*');
  const isOption = (slot: Labelled) => roleOf(slot) === 'option';
  const options = all.filter(isOption);
  const between = all.slice(all.findIndex(isOption), all.findLastIndex(isOption) + 1);
  const isShared = (slot: Labelled) =>
    roleOf(slot) === 'reference' || all.some((other) => other !== slot && sameValues(slot, other));
  return (
    between.every((slot) => isOption(slot) || isShared(slot) || slot.inHead || slot.speaker === 'other') &&
    !named.some(
      (slot) =>
        !isOption(slot) &&
        !isShared(slot) &&
        rivals(slot, options, ['context', '*'].includes(roleOf(slot) ?? '*')),
    ) &&
    options.every(
      (option) =>
        !all.some((other) => other !== option && sameValues(option, other)) &&
        (isNamed || !hidesLabel(option)) &&
        !isStacked(parts[option.part]?.literals ?? [], option.slot) &&
        !hasDoubtfulEdges(option) &&
        !leadOf(
          parts[option.part]?.literals[option.slot] ?? '',
          slots[option.part]?.[option.slot]?.label ?? '',
        ).doubtful,
    )
  );
}

/**
 * Whether a slot has a name as the options have, with which it could be one of them or of another row: `A1` and `A2` beside
 * `B1` and `B2` are the turns of two conversations.
 */
function rivals(slot: Labelled, options: readonly Labelled[], isOpen: boolean): boolean {
  const [first, second] = options.map(({ near }) => wordsOfLabel(near));
  const place = first && second ? onlyDifference(first, second) : null;
  const words = wordsOfLabel(slot.near);
  if (place === null) return false;
  // `Query` above `X`, `Y` and `Z` is none of them; `U` is.
  if (words.length < 2) return isOpen && hasOrder(words[0] ?? '') && hasOrder(first?.[0] ?? '');
  return options.some(({ near }) => {
    const other = onlyDifference(wordsOfLabel(near), words);
    return other === place ? isOpen : other !== null && hasOrder(words[place] ?? '');
  });
}

/** Whether a word counts: `1`, `B`; of Chinese and Japanese, where every character is a word, only what stands in a row. */
const hasOrder = (word: string) => /^\p{N}+$|^\p{L}$/u.test(word) && (!CJK.test(word) || isInOrder(word));

const sameValues = (a: Labelled, b: Labelled) =>
  a.values.length === b.values.length && a.values.every((value, n) => value === b.values[n] && value !== '');

const QUOTES = `"'\`“”«»„`;

/**
 * Whether the values speak for edges that lie elsewhere: all are quoted, if by different marks, as lists of strings in
 * Python are; all have the same number of lines, as two texts have that stand one below the other; or all end in the same
 * word or tag, which then is the template's.
 */
function hasDoubtfulEdges({ name, values }: Labelled): boolean {
  if (values.length < 3) return false;
  const haveOneEnd = (pattern: RegExp) => {
    const [end, ...ends] = values.map((value) => pattern.exec(value.slice(-40))?.[0]);
    return end !== undefined && ends.every((one) => one === end);
  };
  if (haveOneEnd(/<\/[^<>]{1,30}>$/)) return true;
  if (rolesOfLabel(name).flat().includes('agent')) return false;
  const quoted = values.every(
    (value) => value.length > 1 && QUOTES.includes(value.charAt(0)) && QUOTES.includes(value.at(-1) ?? ''),
  );
  const lines = values.map((value) => value.split('\n').filter((line) => line.trim() !== '').length);
  const haveAsManyLines = lines.every((count) => count === lines[0]) && (lines[0] ?? 0) > 1;
  return quoted || haveOneEnd(/\p{L}{2,40}$/u) || haveAsManyLines;
}

/** Whether nothing but line breaks stands between a slot and another. */
const isStacked = (literals: readonly string[], slot: number) =>
  [slot, slot + 1].some((n) => n > 0 && n < literals.length - 1 && literals[n]?.trim() === '');

/** What stands between two fields of a row. */
const BETWEEN_FIELDS = ['","', '";"', '"\t"', '", "', '";', '\t', ' | '];

/** Marks of which a row has several, none with a space behind it. */
const FIELD_MARKS = [';', ',', '|'];

/** Whether every value has a line that begins with the same label, or several fields of a row, such as the line above has. */
function hidesLabel({ name, lines: [above = ''], values }: Labelled): boolean {
  if (values.length < 3) return false;
  const isRow = (mark: string) => above.split(mark).length > 2 && !above.includes(`${mark} `);
  const marks = [...BETWEEN_FIELDS, ...FIELD_MARKS.filter(isRow)];
  if (marks.some((mark) => values.every((value) => value.includes(mark)))) return true;
  if (rolesOfLabel(name).flat().includes('agent')) return false;
  const labels = values.map(
    (value) =>
      new Set(value.split('\n', 200).flatMap((line) => /^[^\n:：]{1,30}[:：]/u.exec(line)?.[0] ?? [])),
  );
  return [...(labels[0] ?? [])].some((label) => labels.every((some) => some.has(label)));
}

/** Whether one slot is judged, which is no list of several texts, and no other slot has its name. */
export function holdsOneAnswer(parts: readonly LearnedPart[], slots: readonly (readonly Slot[])[]): boolean {
  const { judged, others } = judgedAmong(parts, slots);
  // Of two with one name it is the one that other words call the answer: `Proposed reply:` above `ASSISTANT >>`.
  const isNamesake = (other: Labelled) =>
    other.name === judged?.name && other.name !== '' && callsAnswer(other) >= callsAnswer(judged);
  if (!judged || others.some(isNamesake)) return false;
  if (holdsList(parts, slots)) return false;
  // The turns of a conversation begin alike, too.
  return !isList(judged.values) || rolesOfLabel(judged.name).flat().includes('agent');
}

/** Whether one slot is judged, which is a list of texts in brackets. */
export function holdsList(parts: readonly LearnedPart[], slots: readonly (readonly Slot[])[]): boolean {
  const { judged } = judgedAmong(parts, slots);
  if (!judged) return false;
  const before = parts[judged.part]?.literals[judged.slot] ?? '';
  return /\[\s*["']?$/.test(before.slice(-20)) || judged.values.every((value) => value.startsWith('['));
}

/** The one slot that is judged, null where it is not one, and the others that mean something. */
function judgedAmong(parts: readonly LearnedPart[], slots: readonly (readonly Slot[])[]) {
  const all = parts
    .flatMap((part, index) => part.values.map((_, slot) => labelled(part, index, slot)))
    .filter(({ part, slot }) => slots[part]?.[slot]?.role !== '*');
  const options = all.filter(({ part, slot }) => slots[part]?.[slot]?.role === 'option');
  const isOne = options.length === 1 || options.every(({ speaker }) => speaker === 'model');
  const judged = (isOne && options.at(-1)) || null;
  return { judged, others: all.filter((other) => (judged ? !options.includes(other) : true)) };
}

function isNamedOtherwise(name: string): boolean {
  const role = roleOf(name);
  return role === 'instruction' || role === 'reference' || role === 'rubric' || role === 'context';
}

/** The target beside a source, where it is no target to reach: a translation. */
function translatedOf(slots: readonly Labelled[]): { slot: Labelled; index: number }[] {
  const isCalled = (word: string) => (slot: Labelled) => wordsOfLabel(slot.name).includes(word);
  const targets = slots.flatMap((slot, index) => (isCalled('target')(slot) ? [{ slot, index }] : []));
  return targets.length === 1 && slots.some(isCalled('source')) ? targets : [];
}

function assignOthers(slots: readonly Labelled[], named: Named[], judged: boolean): void {
  const open = () => slots.flatMap((slot, index) => (named[index]?.role === '?' ? [{ slot, index }] : []));
  const told = slots.map(({ name, inSentence, speaker }) => {
    if (speaker !== null) return speaker === 'model' ? null : 'instruction';
    return inSentence && !judged ? null : roleOf(name);
  });
  for (const { slot, index } of open()) {
    const role = told[index];
    const alsoAgent = rolesOfLabel(slot.name).some((roles) => roles[0] === role && roles.includes('agent'));
    if (alsoAgent && !judged) continue;
    if (role === 'reference' || role === 'rubric' || role === 'instruction' || role === 'context')
      named[index] = { role, label: '' };
  }
  if (!judged) {
    const called = mostCalledAnswer(open().filter(({ slot }) => slot.speaker === null));
    const candidates = [
      called ? [called] : translatedOf(slots),
      open(),
      // Where nothing is called an answer, the one text that was retrieved, or the only one there is.
      slots.flatMap((slot, index) => (named[index]?.role === 'context' ? [{ slot, index }] : [])),
      slots.flatMap((slot, index) => (named[index]?.role === 'instruction' ? [{ slot, index }] : [])),
    ].find((some) => some.length > 0);
    // Of several nobody knows which is judged, and nothing is done before a model or a person says so. It is mostly the last.
    const one = candidates?.at(-1);
    // A conversation is judged by all that the model says in it.
    const turns = open().filter(({ slot }) => slot.speaker === 'model');
    const judgedTexts = one?.slot.speaker && turns.length > 0 ? turns : one ? [one] : [];
    for (const { index } of judgedTexts) named[index] = { role: 'option', label: '' };
  }
  const has = (role: SlotRole) => named.some((one) => one.role === role);
  const first = named.findIndex(({ role }) => role === 'option');
  let instructed = has('instruction');
  for (const { index } of open()) {
    const leads = !instructed && (index < first || first < 0);
    named[index] = { role: leads ? 'instruction' : 'context', label: '' };
    instructed ||= leads;
  }
  // Of several turns of the user the last is the one that is answered.
  const asked = named.flatMap(({ role }, index) => (role === 'instruction' ? [index] : []));
  for (const index of asked.slice(0, -1))
    if (slots[index]?.lines[0]?.trim() === slots[asked.at(-1) ?? 0]?.lines[0]?.trim())
      named[index] = { role: 'context', label: '' };
  // A source is what was to be worked on where nothing else is.
  if (!has('instruction')) {
    const source = slots.findIndex(
      (slot, index) =>
        named[index]?.role === 'context' &&
        rolesOfLabel(slot.lines[0] ?? '')
          .flat()
          .includes('instruction'),
    );
    if (source >= 0) named[source] = { role: 'instruction', label: '' };
  }
}
