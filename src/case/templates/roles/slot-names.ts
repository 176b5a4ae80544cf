/**
 * What the literals of a template say of its slots: the lines that could name a slot, and how it is set off.
 */

import { parseJson } from '../../../parse-json.ts';
import { MODELS, SPEAKERS } from '../../conversation.ts';
import { rolesOfLabel, wordsOfLabel } from '../../words/vocabulary.ts';
import { hasWord, withoutEnd } from '../align/tokens.ts';
import type { SlotEncoding } from '../template.ts';

/** A part as learned: its literals, and for each slot the values it had in the requests seen. */
export interface LearnedPart {
  readonly role: string;
  readonly literals: readonly string[];
  readonly values: readonly (readonly string[])[];
}

/** A slot with the lines in front of it that could name it, the nearest first. */
export interface LabelledSlot {
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

/** Lines in front of a slot that may hold its name. */
export const LINES = 3;

const isReply = ({ role }: LearnedPart) => role === 'assistant' || role === 'model';

export function labelled({ role, literals, values }: LearnedPart, part: number, slot: number): LabelledSlot {
  const after = literals[slot + 1] ?? '';
  const before = withEntriesOnLines(withoutWrapper(inFrontOf(literals, slot), after));
  const column = nameFromElsewhere(literals, slot);
  const lines = column === null ? before.split('\n').filter(canName).slice(-LINES).reverse() : [column];
  // A literal that goes on behind the slot before it begins in the middle of a line.
  if (lines.length === 0)
    lines.push(
      isReply({ role, literals, values })
        ? role
        : isClosed(literals, slot)
          ? ''
          : (after.split('\n')[0] ?? ''),
    );
  const own = before.slice(before.lastIndexOf('\n') + 1);
  const near = column ?? nearestWords(before);
  const labelledHere = endsInLabel(own);
  // A sentence of the orders that ends above the slot names it only in passing, too.
  const inSentence = hasWord(own) ? !labelledHere : isSentence(lines[0] ?? '');
  return {
    part,
    slot,
    lines,
    near,
    name: inSentence
      ? hasWord(own)
        ? lastWords(own)
        : (lines[0] ?? '')
      : (labelledHere && rolesOfLabel(near).length > 0) || column !== null
        ? near
        : (lines[0] ?? ''),
    inSentence,
    inHead:
      (/[(（][^()（）\n]{0,40}$/u.test(own) && /^[)）]/u.test(after)) ||
      (hasWord(own) && !labelledHere && /^[:：]\n/.test(after)),
    speaker: speakerOf(before, after) ?? speakerInLine(literals, slot),
    values: values[slot] ?? [],
    encoding: encodingOf(before, after, values[slot] ?? []),
  };
}

/** `</question>`, `[The End of Question]`, and no word more: it closes the text in front of it, and names none behind it. */
const CLOSING_MARK = /^\s{0,9}(?:<\/[^<>\n]{1,60}>|\[(?:The )?End\b[^[\]\n]{0,60}\])[^\p{L}\p{N}]*$/iu;

const isClosed = (literals: readonly string[], slot: number) =>
  slot > 0 && CLOSING_MARK.test(literals[slot] ?? '');

/** The literal in front of a slot; behind a text in brackets with the name in front of these: `CUSTOMER ({{*}}): `. */
function inFrontOf(literals: readonly string[], slot: number): string {
  const before = isClosed(literals, slot) ? '' : (literals[slot] ?? '');
  const name = literals[slot - 1] ?? '';
  return /^[)）]/u.test(before) && /[(（]$/u.test(name)
    ? name.slice(0, -1).trimEnd() + before.slice(1)
    : before;
}

/** An object of one field below a line that names it: `## Reference`, `{"answer": "{{reference}}"}`. */
const WRAPPER = /(\p{L}[^\n]{0,60}\n)\s{0,9}\{\s{0,9}"[^"\n]{1,40}"\s{0,9}:\s{0,9}"$/u;

function withoutWrapper(before: string, after: string): string {
  const named = WRAPPER.exec(before.slice(-160))?.[1];
  return named !== undefined && /^"\s{0,9}\}(?:\n|$)/.test(after)
    ? before.slice(0, before.lastIndexOf('{'))
    : before;
}

/** The text with each object of a list of JSON on a line of its own, as it stands where the document is indented. */
const withEntriesOnLines = (before: string) =>
  before.replaceAll(/(?<=[[,][ \t]{0,9})\{(?=[ \t]{0,9}")/g, '\n{');

/** `{"role": "assistant", "content": "` in front of a slot, or the same two fields around it in the other order. */
function speakerOf(before: string, after: string): LabelledSlot['speaker'] {
  const lead = /["']content["']\s{0,9}:\s{0,9}["']$/.exec(before.slice(-40));
  if (!lead) return null;
  const front = before.slice(0, before.length - lead[0].length).slice(-60);
  const role =
    /["']role["']\s{0,9}:\s{0,9}["']([a-z]{2,12})["']\s{0,9},\s{0,9}$/.exec(front)?.[1] ??
    /^["']\s{0,9},\s{0,9}["']role["']\s{0,9}:\s{0,9}["']([a-z]{2,12})["']/.exec(after.slice(0, 60))?.[1];
  return role === undefined ? null : MODELS.has(role) ? 'model' : 'other';
}

const SPEAKER = new RegExp(`(?:^|\\n)\\W{0,4}(${SPEAKERS})\\W{0,4}:\\s?$`, 'i');

/** `assistant: ` at the start of a line, in a conversation in which each speaks more than once. */
function speakerInLine(literals: readonly string[], slot: number): LabelledSlot['speaker'] {
  const nameIn = (literal: string) => SPEAKER.exec(literal.slice(-60))?.[1]?.toLowerCase();
  const name = nameIn(literals[slot] ?? '');
  if (name === undefined) return null;
  const names = literals.slice(0, -1).map(nameIn);
  const speaksAgain = (one: string) => names.filter((other) => other === one).length > 1;
  const others = names.filter((other) => other !== undefined && MODELS.has(other) !== MODELS.has(name));
  if (!speaksAgain(name) || !others.some((other) => other !== undefined && speaksAgain(other))) return null;
  return MODELS.has(name) ? 'model' : 'other';
}

/** Whether a text is a list of turns in JSON, as chat models are sent it, of which the model wrote one. */
export const holdsTurns = (text: string): boolean =>
  /^\s*\[\s*\{/.test(text) &&
  Array.from(text.matchAll(/["']role["']\s{0,9}:\s{0,9}["']([a-z]{2,12})["']/g)).some(([, role = '']) =>
    MODELS.has(role),
  );

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

/** The name of a list of strings in JSON, or its label, with the place in it, which counts from 0: `candidates 1`. */
function entryName(before: string, after: string): string | null {
  const from = before.lastIndexOf('["') + 2;
  const entries = from < 2 ? [] : before.slice(from).split(/",\s{0,9}"/);
  const isEntry = entries.every((entry) => entry === SLOT || entry === '') && entries.at(-1) === '';
  const name = /(?:"([^"\n]{1,40})"|(?<=^|\n)[^\p{L}\n]{0,9}(\p{L}[^":\n\0]{1,40}))\s{0,3}:\s{0,9}$/u
    .exec(before.slice(0, Math.max(0, from - 2)).slice(-60))
    ?.slice(1)
    .find((one) => one !== undefined);
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

/** Whether a line is a sentence of the orders, which is no name of the text below it. */
export const isSentence = (line: string) =>
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
  // An apostrophe within a word is no quotation mark: `l'élève`, `Candidate's answer`.
  const pieces = literal
    .split(/[\n"`<>()[\]{}|=:：“”„«»「」【】（）]|(?<![\p{L}\p{M}])'|'(?!\p{L})/u)
    .filter(hasWord);
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

/**
 * Whether quotation marks around a slot are those of JSON: a field's name or another string of a list stands in front of
 * them, or something within them is escaped. Others only quote a text.
 */
export const isInJson = (before: string, values: readonly string[]) =>
  /(?:["']\s{0,9}[:,]|\[)\s*"$/.test(before.slice(-40)) || values.some((value) => value.includes('\\'));

function isJsonText(text: string): boolean {
  if (/["\n]/.test(text.replaceAll(/\\./g, ''))) return false;
  return typeof parseJson(`"${text}"`) === 'string';
}
