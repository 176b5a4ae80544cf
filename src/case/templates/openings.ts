/**
 * Openings that all answers seen so far share (`Sure! Here is`, `# Overview`) look like the template's own words. What
 * stands between the name of an option and its text belongs to the text, unless it only sets the text off.
 */
import { labelKey } from '../counterfactual.ts';
import { rolesOfLabel, wordsOfLabel } from '../words/vocabulary.ts';
import { CLOSES, hasWord } from './align/tokens.ts';
import { entryStart } from './roles/slot-names.ts';

/** What ends a name on its line. */
const NAME_END = /[:：=>\])】）»|→·›⇒►▶•]|\s[-–—](?=\s|$)/u;
/** What sets a text off and says nothing: a tag, a fence, the key of a field, an opening bracket of JSON, quotation marks, a rule. */
const FRAME =
  /^(?:<[^<>\n]{1,80}>|`{3,9}\w{0,20}|~{3,9}\w{0,20}|[{[]?[ \t]{0,9}"[^"\n]{1,40}"[ \t]{0,9}:[ \t]{0,9}[[{"]{0,3}|[\w-]{1,30}:[ \t]?[|>][+-]?|[{[]{1,3}|"{3}|'{3}|<!\[CDATA\[)$/u;
/** What begins an item of a list, or a heading. */
const BULLET = /^(?:[-*+•]|#{1,6}|\(?\d{1,3}[.)]|\(?[a-z][.)])$/u;
/** `[/Answer]`, `</answer>`, `[The End of Answer]` */
const CLOSING = /^\s*[[<](?:\/|(?:the )?end\b)/i;
/** Words of a line that is a name rather than a sentence. */
const LONGEST_NAME = 8;
/** Words of a name below another. */
const SHORT_NAME = 3;
/** Lines in front of a text in which its name is looked for. */
const LINES = 6;

/** What stands between the name of a text and the text. */
interface Lead {
  /** Characters at the end of the literal that belong to the text. */
  readonly opening: number;
  /** Whether there is something that could as well be the template's. */
  readonly doubtful: boolean;
}

/** A tag, or what stands on a line beside tags. */
interface Unit {
  readonly text: string;
  readonly start: number;
  /** Where the name ends that it is or begins with; null where it is none. */
  readonly named: number | null;
}

/**
 * @param before the literal in front of an option
 * @param label how the prompt names the option; empty where one answer is judged
 *
 * @example leadOf('Draft A:\nSure! Here is ', 'A') // { opening: 13, doubtful: false }
 */
export function leadOf(before: string, label: string): Lead {
  // What a table says above its cells is said of the others, too.
  if (entryStart(before) !== null) return { opening: 0, doubtful: false };
  const units = unitsIn(before);
  const own = label === '' ? nameOfOne(units) : nameOf(units, label);
  const unit = units[own];
  if (!unit) return { opening: 0, doubtful: BULLET.test(units.at(-1)?.text.trim() ?? '') };
  const end =
    label === ''
      ? (endOfField(unit) ?? unit.named ?? unit.start + unit.text.length)
      : unit.start + endOfLabel(unit.text, label);
  const behind = [
    { text: before.slice(end, unit.start + unit.text.length), start: end, named: null },
    ...units.slice(own + 1),
  ].filter(({ text }) => text.trim() !== '');
  const first = behind.findIndex(({ text }) => !FRAME.test(text.trim()));
  if (first < 0) return { opening: 0, doubtful: false };
  const { text, start } = behind[first] ?? unit;
  const rest = before.slice(start);
  const opening = rest.trimStart();
  // On the name's own line a bullet begins the text; below it the template may have put one.
  if (BULLET.test(opening.trim()))
    return first === 0 && unit.start + unit.text.length > start
      ? { opening: opening.length, doubtful: false }
      : { opening: 0, doubtful: true };
  if (!hasWord(opening)) return { opening: 0, doubtful: false };
  // A further name may be the template's, or that of the text's first paragraph.
  const isName =
    behind.length === first + 1 &&
    wordsOfLabel(text).length <= SHORT_NAME &&
    (nameEnd(text) ?? 0) >= text.trimEnd().length;
  // Behind the option's own name on its line stands who wrote it, or the title with which all of its texts begin.
  const [head = ''] = opening.split('\n');
  const onNameLine = first === 0 && unit.start + unit.text.length > start;
  if (onNameLine && opening.includes('\n') && !isName && isTitle(head)) return { opening: 0, doubtful: true };
  // Above what is judged alone a line may be the template's as well.
  const sure = label !== '' || (!opening.includes('\n') && rolesOfLabel(unit.text).flat().includes('answer'));
  if (!isName) return { opening: sure ? opening.length : 0, doubtful: false };
  // The name of a field of JSON is the template's: the text begins at its quotation mark.
  if (/"\s*:\s*"$/.test(before)) return { opening: 0, doubtful: false };
  // What is judged alone is exchanged with nothing: a name right in front of it is taken for the template's.
  const roles = rolesOfLabel(text).flat();
  return {
    opening: 0,
    doubtful: label !== '' && !roles.includes('agent') && (roles.includes('answer') || /^\s*#/u.test(text)),
  };
}

/** A few words with no mark of a sentence. */
const isTitle = (line: string) =>
  wordsOfLabel(line).length <= SHORT_NAME && !/[.!?:,;。！？，、]/u.test(line);

function unitsIn(before: string): Unit[] {
  let from = before.length;
  for (let line = 0; line < LINES && from > 0; line++) from = before.lastIndexOf('\n', from - 1);
  const start = Math.max(0, from);
  return Array.from(
    before.slice(start).matchAll(/<!\[CDATA\[|<[^<>\n]{1,80}>|[^\n<]+|</gu),
    ({ 0: text, index }) => {
      const end = text.startsWith('<') ? text.length : nameEnd(text);
      return { text, start: start + index, named: end === null ? null : start + index + end };
    },
  );
}

/** Whether a line ends in the marks with which it begins: `--- Answer 1 - x ---`, `【回答1 - x】`. */
export function isFramed(line: string): boolean {
  const text = line.trim();
  const open = /^(?:={2,9}|-{2,9}|~{2,9}|─{2,9}|\*{2,3}|#{1,6}|[[【「『（(]{1,3})/u.exec(text)?.[0] ?? '';
  const close = [...open].map((mark) => CLOSES[mark] ?? mark).join('');
  return (
    open !== '' &&
    text.length > 2 * open.length &&
    text.indexOf(close, open.length) === text.length - close.length
  );
}

/** Where a name ends with which the text begins; null where it begins with none. */
function nameEnd(text: string): number | null {
  if (isFramed(text)) return text.length;
  // `Answer A (Model: x)` ends behind its bracket.
  const mark = NAME_END.exec(
    text.replaceAll(/(?<=[(（])[^()（）\n]{1,80}(?=[)）])/gu, (aside) => '_'.repeat(aside.length)),
  );
  const name = mark ? text.slice(0, mark.index) : text;
  if (!/[\p{L}\p{N}_]/u.test(name) || wordsOfLabel(name).length > LONGEST_NAME) return null;
  if (!mark) return /^\s*(?:#{1,6}\s|\*\*|[-=]{2,})/u.test(text) ? text.length : null;
  const end = mark.index + mark[0].length;
  const rest = text.slice(end);
  // A quotation mark in front of further words is theirs.
  const marks =
    (hasWord(rest) ? /^[:：=>\])】）»|→*_\s]*/u : /^[:：=>\])】）»|→*_"'`“„«「\s]*/u).exec(rest)?.[0] ?? '';
  // `[Answer] - ` is a name as a whole; behind a colon a dash begins a list.
  const dash = /[:：=]/u.test(mark[0] + marks)
    ? ''
    : (/^[-–—][ \t]/u.exec(rest.slice(marks.length))?.[0] ?? '');
  return end + marks.length + dash.length;
}

/** The last field of a JSON document on one line names the text: where its quotation mark stands, if the line begins with a field. */
function endOfField({ text, start, named }: Unit): number | null {
  if (named === null || !/"\s*:\s*$/.test(text.slice(0, named - start))) return null;
  const last = [...text.matchAll(/"[^"]{1,40}"\s*:\s*"/g)].at(-1);
  return last ? start + last.index + last[0].length : null;
}

/** The last that holds the label as words of their own. */
function nameOf(units: readonly Unit[], label: string): number {
  const holds = (words: string) => units.findLastIndex(({ text }) => standsIn(words, text));
  const whole = holds(label);
  return whole < 0 ? holds(labelKey(label)) : whole;
}

/** Where the name ends in its line: behind the mark that follows the label, or at the line's end. */
function endOfLabel(text: string, label: string): number {
  const key = text.includes(label) ? label : labelKey(label);
  if (isFramed(text)) return text.length;
  const from = text.lastIndexOf(key) + key.length;
  const end = nameEnd(`_${text.slice(from)}`);
  return end === null ? text.length : from + end - 1;
}

function standsIn(words: string, text: string): boolean {
  const latin = /^[\p{Script=Latin}\p{N}]+$/u.test(words);
  for (let at = text.indexOf(words); at >= 0 && words !== ''; at = text.indexOf(words, at + 1)) {
    const sides = text.charAt(at - 1) + text.charAt(at + words.length);
    if (!latin || !/[\p{Script=Latin}\p{N}]/u.test(sides)) return true;
  }
  return false;
}

/** The nearest name; the one right above it, or above a sentence, where that one calls the text an answer. */
function nameOfOne(units: readonly Unit[]): number {
  const isAnswer = ({ text }: Unit) => rolesOfLabel(text).flat().includes('answer');
  // A tag may name the text, and what closes the one in front names none.
  const isName = (unit: Unit) =>
    !CLOSING.test(unit.text) &&
    (!FRAME.test(unit.text.trim()) || (unit.text.startsWith('<') && isAnswer(unit)));
  const worded = units.flatMap((unit, n) => (hasWord(unit.text) && isName(unit) ? [n] : []));
  const [above = -1, last = -1] = worded.length > 1 ? worded.slice(-2) : [-1, ...worded];
  const next = units[above];
  const whole =
    next?.named === undefined || next.named === null
      ? false
      : next.named >= next.start + next.text.trimEnd().length;
  const near = units[last];
  if (!near) return -1;
  if (next && whole && (isAnswer(next) || near.named === null || isAnswer(near))) return above;
  return near.named === null ? -1 : last;
}
