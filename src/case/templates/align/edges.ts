/**
 * Where a slot begins and ends within a line, which the words that requests share cannot say: all lists begin with the
 * same bullet, and all sentences end with a full stop.
 */

import { parseJson } from '../../../parse-json.ts';
import { matchLiterals } from '../match.ts';
import { type Gap, lastLine, namesText, openBracket, sharedStart, splitLine } from './shared-lines.ts';
import { CLOSES, hasWord } from './tokens.ts';

/** @returns what takes the place of the two literals beside the slot: two again, or three with a slot more; null for no change */
type Rule = (gap: Gap) => readonly string[] | null;

/** Requests of which all must have a mark, so that it is more than chance. */
const LEAST_ALIKE = 3;

/** Each rule with the requests that it takes at least. */
const RULES: readonly (readonly [Rule, number])[] = [
  [splitLine, 2],
  [splitFrame, 2],
  [splitHeading, 2],
  [splitFence, 2],
  [splitRow, LEAST_ALIKE],
  [splitQuote, LEAST_ALIKE],
  [splitBracket, LEAST_ALIKE],
  [splitAttribute, LEAST_ALIKE],
  [leaveQuotes, LEAST_ALIKE],
  [leaveBrackets, 2],
  [leaveComment, LEAST_ALIKE],
  [leaveSentenceEnd, 2],
  [takeSentenceEnd, 2],
  [splitLastLine, LEAST_ALIKE],
  [splitAtBreaks, LEAST_ALIKE],
  [splitLine, 2],
  [leaveSentenceEnd, 2],
  [leaveOpened, 2],
  [takeDocument, 2],
  [splitCount, LEAST_ALIKE],
  [joinSame, LEAST_ALIKE],
];

/** No judge's prompt has more texts to fill in; of so many the edges are left as they are, which bounds the cost. */
const MOST_SLOTS = 64;

/** The same literals with edges that belong to the slots, or to the template, moved there; in steps. */
export function* settleEdges(
  literals: readonly string[],
  texts: readonly string[],
): Generator<void, string[]> {
  if (literals.length > MOST_SLOTS) return [...literals];
  let settled = [...literals];
  let values = valuesOf(settled, texts);
  for (const [rule, least] of RULES) {
    for (let slot = settled.length - 2; slot >= 0; slot--) {
      yield;
      const here = (values ?? []).flatMap((one) => one[slot] ?? []);
      const [before = '', after = ''] = settled.slice(slot);
      const isCut = here.length >= least && !here.every(isDocument);
      const changed = isCut ? rule({ before, after, values: here }) : null;
      const next = changed && settled.toSpliced(slot, 2, ...changed);
      if (!next) continue;
      const filled = valuesOf(next, texts);
      if (filled === null) continue;
      settled = next;
      values = filled;
    }
  }
  return settled;
}

/** What stands in each slot of each text, null where that is not certain; null where a text does not fit. */
function valuesOf(literals: readonly string[], texts: readonly string[]): (string | null)[][] | null {
  const values = texts.map(
    (text) => matchLiterals(text, literals)?.map((at) => at && text.slice(at.start, at.end)) ?? null,
  );
  return values.every((one) => one !== null) ? values : null;
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';

/** Longest line that names something in front of a text, with the name in it. */
const LONGEST_HEAD = 120;

/** `--- {{name}} ---` and `Rule ({{id}}):` on a line of their own, with a text below: two slots. */
function splitFrame({ before, after, values }: Gap): string[] | null {
  if (!values.every((value) => value.includes('\n'))) return null;
  const heads = values.map(firstLine);
  const close = sharedEnd(heads);
  const open = heads.every((head) => head.charAt(0) === heads[0]?.charAt(0))
    ? (heads[0]?.charAt(0) ?? '')
    : '';
  const opened = CLOSES[open] !== undefined && close.includes(CLOSES[open]) ? open : '';
  if (close.trim() === '' || heads.some((head) => head.length <= opened.length + close.length)) return null;
  return opened !== '' || closes(lastLine(before).trim(), close.trim())
    ? [before + opened, `${close}\n`, after]
    : null;
}

/** A heading ends with its line: `## Essay by {{name}}`, with a text below. */
function splitHeading({ before, after, values }: Gap): string[] | null {
  if (!/^#{1,6}\s.*[\p{L}\p{N}]/u.test(lastLine(before))) return null;
  const [gap, ...others] = values.map((value) => /^[^\n]{1,120}(\n{1,9})/.exec(value)?.[1]);
  return gap !== undefined && others.every((one) => one === gap) ? [before, gap, after] : null;
}

/** A fence that all values open and the literal behind them closes is the template's, and so is what stands in front of it. */
function splitFence({ before, after, values }: Gap): string[] | null {
  const fence = /^\n[ \t]{0,20}(`{3,5}|~{3,5}|"{3}|'{3})(?=\n|$)/.exec(after)?.[1];
  if (fence === undefined) return null;
  const opened = values.map((value) =>
    value.split('\n').flatMap((line, n) => (line.trim() === fence ? [n] : [])),
  );
  if (opened.some((lines) => lines.length % 2 === 0)) return null;
  const fronts = values.map((value, n) => value.split('\n').slice(0, opened[n]?.[0]).join('\n'));
  const gap = sharedEnd(fronts, /^\s/);
  const isFront = fronts.every((front) => front === gap);
  const line = `${gap}${isFront ? '' : '\n'}${fence}\n`;
  return isFront ? [before + line, after] : [before, line, after];
}

/** The marks between the cells of a row, of which each row has as many as the line above. */
function splitRow({ before, after, values }: Gap): string[] | null {
  const lines = before.split('\n');
  const own = lines.at(-1) ?? '';
  const above = lines.findLast((line, n) => n < lines.length - 1 && line.trim() !== '') ?? '';
  for (const mark of [' | ', ';', '\t']) {
    const count = (text: string) => text.split(mark).length - 1;
    const missing = count(above) - count(own) - count(firstLine(after));
    if (count(above) < 2 || missing < 1 || (mark === ';' && above.includes('; '))) continue;
    if (values.some((value) => count(value) !== missing)) continue;
    return [before, ...Array.from({ length: missing }, () => mark), after];
  }
  return null;
}

/** `"{{instruction}}" in {{context}}`: a quoted text, the same words, and another text. */
function splitQuote({ before, after, values }: Gap): string[] | null {
  const open = values[0]?.charAt(0) ?? '';
  const close = QUOTES.includes(open) ? CLOSES[open] : undefined;
  if (!open || !close || !values.every((value) => value.startsWith(open))) return null;
  const rests = values.map((value) => value.slice(Math.max(1, value.indexOf(close, 1))));
  const words = /^[^\p{L}\p{N}\n]\s(?:\p{L}+\s)+/u.exec(sharedStart(rests))?.[0];
  return words === undefined ? null : [before + open, words, after];
}

/** A comment behind all texts, as a template has in its own source: `{{option}}  // response_b`. */
function leaveComment({ before, after, values }: Gap): string[] | null {
  const comment = /\s{1,9}(?:\/\/|#)\s?[\w-]{1,60}$/.exec(values[0]?.slice(-80) ?? '')?.[0];
  const isShared = comment !== undefined && values.every((value) => value.endsWith(comment));
  return isShared ? [before, comment + after] : null;
}

/** `User input ({{language}}): "{{text}}"`: what stands in brackets in front of a colon, and what stands behind it. */
function splitBracket({ before, after, values }: Gap): string[] | null {
  const open = values[0]?.charAt(0) ?? '';
  const close = open === '' || QUOTES.includes(open) ? undefined : CLOSES[open];
  if (close === undefined) return null;
  const between = values.map((value) => {
    const end = firstLine(value).indexOf(close);
    return end < 2 || !value.startsWith(open)
      ? ''
      : (/^[^\p{L}\p{N}\n]{2,6}/u.exec(value.slice(end))?.[0] ?? '');
  });
  const label = sharedStart(between);
  if (!/[:：]/.test(label)) return null;
  const quote = QUOTES.includes(label.slice(-1)) ? (CLOSES[label.slice(-1)] ?? '') : '';
  const isClosed = quote !== '' && values.every((value) => value.endsWith(quote));
  return [before + open, label, (isClosed ? quote : '') + after];
}

/** `<query lang={{context}}>{{instruction}}</query>`, where the attribute is quoted. */
function splitAttribute({ before, after, values }: Gap): string[] | null {
  const quote = values[0]?.charAt(0) ?? '';
  if (!/<[\w:-]{1,30}(?:\s[^<>\n]{0,80})?\s[\w:-]{1,30}=$/.test(lastLine(before)) || !/["']/.test(quote))
    return null;
  const isQuoted = (value: string) =>
    value.startsWith(quote) && value.indexOf(`${quote}>`) === value.indexOf(quote, 1);
  return values.every(isQuoted) ? [before + quote, `${quote}>`, after] : null;
}

/** A number in brackets behind a text: `{{instruction}} (age {{*}})`, `{{instruction}} ({{*}} points)`. */
const COUNT = /\s\((?:\p{L}{1,20}\s)?(?=\d)|(?<=\d)(?:\s\p{L}{1,20})?\)$/gu;

function splitCount({ before, after, values }: Gap): string[] | null {
  const marks = values.map((value) => {
    const from = value.lastIndexOf(' (');
    const tail = from < 1 ? '' : value.slice(from);
    return /^\s\((?:\p{L}{1,20}\s)?\d{1,4}(?:\s\p{L}{1,20})?\)$/u.test(tail) ? (tail.match(COUNT) ?? []) : [];
  });
  const [[open, close] = []] = marks;
  const isShared = marks.every((own) => own.length === 2 && own[0] === open && own[1] === close);
  const hasWords = hasWord(`${open}${close}`);
  return open && close && isShared && hasWords ? [before, open, close + after] : null;
}

/** What is the same in all texts is the template's. */
function joinSame({ before, after, values }: Gap): string[] | null {
  const [first = '', ...others] = values;
  const isSame = first !== '' && others.every((value) => value === first);
  return isSame ? [before + first + after] : null;
}

/** `---` closes what `---` opened, and `)` or `]` what its bracket did. */
function closes(opens: string, close: string): boolean {
  const mark = /^(?:\*\*|==+|--+|__|##+|~~+|[([<{【「《（])/u.exec(opens)?.[0] ?? '';
  return mark !== '' && close.endsWith(CLOSES[mark] ?? mark);
}

/** What all texts end with that is of the given signs: no letter, digit or line break where none are given. */
export function sharedEnd(texts: readonly string[], signs = /^[^\p{L}\p{N}\n]/u): string {
  const [first = ''] = texts;
  let size = 0;
  while (size < first.length) {
    const end = first.slice(first.length - size - 1);
    if (!signs.test(end) || !texts.every((text) => text.endsWith(end))) break;
    size++;
  }
  return first.slice(first.length - size);
}

/** Whether a line begins with the text, or with the same text and other numbers. */
function beginsLike(line: string, start: string): boolean {
  if (line.startsWith(start)) return true;
  const numbers = /\d+/g;
  const shape = start.replaceAll(numbers, '0');
  return (
    shape !== start &&
    line
      .slice(0, start.length + 9)
      .replaceAll(numbers, '0')
      .startsWith(shape)
  );
}

/**
 * A bracket at the end of all values that none of them opens is the template's: `{"answer": {{option}}}`. So is a tag that the
 * literal in front opens, and so are the words with which all begin within a bracket of the template: `(by {{context}})`.
 */
function leaveBrackets({ before, after, values }: Gap): string[] | null {
  const [first = ''] = values;
  const end = sharedEnd(values);
  const left = openBracket(lastLine(before), '([（【«「『');
  const at = left === null ? -1 : end.indexOf(left);
  if (
    at >= 0 &&
    values.every((value) => !value.slice(0, value.length - end.length + at).includes(left ?? ''))
  )
    return [before, end.slice(at) + after];
  const close = first.slice(-1);
  const open = Object.keys(CLOSES).find((one) => CLOSES[one] === close && one !== close);
  const count = (text: string, mark: string) => text.split(mark).length;
  if (
    open !== undefined &&
    values.every((value) => value.endsWith(close) && count(value, open) < count(value, close))
  )
    return [before, close + after];
  const opened = /<([\w:-]{1,30})(?:\s[^<>\n]{0,80})?>\s{0,9}$/.exec(lastLine(before.trimEnd()))?.[1];
  const tag = `</${opened}>`;
  if (opened !== undefined && values.every((value) => value.endsWith(tag))) return [before, tag + after];
  if (!/[(（][^()（）\n]*$/u.test(lastLine(before)) || !/^[)）]/u.test(after)) return null;
  const lead = /^(?:\p{L}{1,12} )+/u.exec(first)?.[0] ?? '';
  const words = lead.split(' ').map((_, n, all) =>
    all
      .slice(0, n)
      .map((word) => `${word} `)
      .join(''),
  );
  const shared = words.findLast((start) => values.every((value) => value.startsWith(start))) ?? '';
  const inside = values.every((value) => value.length > shared.length && !value.includes('\n'));
  return shared !== '' && inside && values.length >= LEAST_ALIKE ? [before + shared, after] : null;
}

/** The quotation mark with which all values begin is the template's where the literal behind closes it. */
function leaveOpened({ before, after, values }: Gap): string[] | null {
  const open = values[0]?.charAt(0) ?? '';
  // German turns the marks round that French has: »so«.
  const close = open === '»' ? '«' : QUOTES.includes(open) ? CLOSES[open] : undefined;
  if (close === undefined || !after.startsWith(close)) return null;
  const isOpen = (value: string) =>
    value.length > 1 && value.startsWith(open) && value.split(open).length > value.split(close).length;
  return values.every(isOpen) ? [before + open, after] : null;
}

/** Quotation marks around every value are the template's. */
function leaveQuotes({ before, after, values }: Gap): string[] | null {
  const open = values[0]?.charAt(0) ?? '';
  const close = QUOTES.includes(open) ? (CLOSES[open] ?? '') : '';
  const isQuoted = (value: string) => value.length > 1 && value.startsWith(open) && value.endsWith(close);
  return close !== '' && values.every(isQuoted) ? [before + open, close + after] : null;
}

const QUOTES = '"“„«「『`';

/** Characters of the line in which a document begins that is not cut into its strings, and brackets in it. */
const LONGEST_OPENING = 200;
const MOST_OPENED = 8;

/** What stands between two strings of a document as Python writes it. */
const BETWEEN_STRINGS = /'\s*(?:,\s*'[^'\n]{1,40}'\s*:|\}\s*,\s*\{)\s*'/;

/**
 * `[{"role": "user", "content": "` in front of values that go on behind the string's end: the template sends a whole document,
 * such as all turns of a conversation.
 */
function takeDocument({ before, after, values }: Gap): string[] | null {
  const line = lastLine(before);
  const start = line.search(/[[{]/);
  if (start < 0 || line.length > LONGEST_OPENING) return null;
  const opened = openedBy(line.slice(start), []);
  const quote = opened.at(-1) ?? '';
  const end = quote === '"' || quote === "'" ? endOf(after, opened) : -1;
  if (end < 0) return null;
  const goesOn = values.some((value) => !isJson(`"${value}"`));
  const documents = values.map((value) => line.slice(start) + value + after.slice(0, end));
  const areWhole =
    quote === '"' ? documents.every(isJson) : values.some((value) => BETWEEN_STRINGS.test(value));
  return goesOn && areWhole ? [before.slice(0, before.length - line.length + start), after.slice(end)] : null;
}

/** A document that was not aligned with others is a text of its own. */
export const isDocument = (text: string): boolean => /^\s*[{[]/.test(text) && isJson(text);

const isJson = (text: string): boolean => parseJson(text) !== undefined;

/** The brackets and the quotation mark that are open at the end of a text, where these are open in front of it. */
function openedBy(text: string, open: readonly string[]): string[] {
  const left = [...open];
  for (let at = 0; at < text.length && left.length <= MOST_OPENED; at++) {
    const sign = text.charAt(at);
    const last = left.at(-1) ?? '';
    const isText = last === '"' || last === "'";
    if (isText && sign === '\\') at++;
    else if (isText ? sign === last : sign === CLOSES[last]) left.pop();
    else if (!isText && '[{"\''.includes(sign)) left.push(sign);
  }
  return left;
}

/** Where a text has closed all that is open in front of it; -1 where its first lines do not. */
function endOf(text: string, open: readonly string[]): number {
  const [head = ''] = /^[^\n]{0,40}(?:\n[\s\]}]{0,40})?/.exec(text) ?? [];
  for (let end = 1; end <= head.length; end++)
    if (openedBy(head.slice(0, end), open).length === 0) return end;
  return -1;
}

const STOPS: readonly string[] = ['.', '。'];
const COMMAS: readonly string[] = [',', '，'];
const ENDS: readonly string[] = [...STOPS, ...COMMAS, ';', '；', '?', '？', '!', '！'];

/** The full stop of the template's own sentence, in which the slot stands: `compare them on {{rubric}}.` */
function leaveSentenceEnd({ before, after, values }: Gap): string[] | null {
  const [end = ''] = values.map((value) => value.slice(-1));
  if (!ENDS.includes(end) || !values.every((value) => value.length > 1 && value.endsWith(end))) return null;
  const line = lastLine(before).trimEnd();
  const inSentence = /[\p{L}\p{N}] {0,9}$/u.test(before) && /[\p{L}\p{N}] {1,9}[\p{L}\p{N}]/u.test(line);
  // Behind a text of several sentences the template may begin one of its own.
  const goesOn = /^[ \t]\p{L}/u.test(after) && values.every((value) => !/[.!?。！？]\s/u.test(value));
  const twice = values.some((value) => ENDS.includes(value.at(-2) ?? ''));
  // A text that was cut short ends in dots that are not its own.
  const dots = values.length < LEAST_ALIKE ? '' : sharedEnd(values, /^[.…]/);
  if (dots.length > 1) return [before, dots + after];
  const own = COMMAS.includes(end)
    ? line !== ''
    : inSentence || goesOn || (twice && STOPS.includes(end) && line !== '');
  return own ? [before, end + after] : null;
}

/** Of two full stops, or of one in front of a comma, the first is the text's: `Answer: {{option}}. Your task is …`. */
function takeSentenceEnd({ before, after }: Gap): string[] | null {
  const end = after.charAt(0);
  return STOPS.includes(end) && /^.[.。,，](?![.。])/u.test(after) ? [before, after.slice(end.length)] : null;
}

/** `⟦text⟧`, and below it `⟦name⟧ says:`: the last line belongs to the words behind it. */
function splitLastLine({ before, after, values }: Gap): string[] | null {
  if (!hasWord(firstLine(after)) || /^[\s.,;!?"'`)\]}>/#]/u.test(after.trimStart().charAt(0))) return null;
  const lines = values.map(lastLine);
  if (lines.some((line, n) => line === values[n] || line.trim() === '' || line.length > LONGEST_HEAD))
    return null;
  const gap = sharedEnd(
    values.map((value, n) => value.slice(0, value.length - (lines[n]?.length ?? 0))),
    /^\s/,
  );
  return [before, gap, after];
}

/** Texts that stand one below the other in one slot, at most. */
const MOST_STACKED = 4;

/** Two texts or more with nothing but line breaks between them, as many in every request. */
function splitAtBreaks({ before, after, values }: Gap): string[] | null {
  if (new Set(values).size < values.length) return null;
  if (/["'`]$/.test(before) || values.some((value) => value.trim() === '')) return null;
  const apart = ['\n\n', '\n'].find((gap) => values.some((value) => value.includes(gap))) ?? '\n';
  const [count = 0, ...others] = values.map((value) => value.split(apart).length);
  const above = lastLine(before.trimEnd());
  const isNamed = namesText(above) || /[^\p{L}\p{N}.!?。！？]$/u.test(above);
  if (count < 2 || count > MOST_STACKED || others.some((other) => other !== count)) return null;
  if (isNamed && (apart === '\n' || count > 2 || before.endsWith('\n'))) return null;
  const pieces = values.map((value) => value.split(apart));
  // Lines that all have a label, or all a bullet, are a conversation, or a list.
  const isList = (lines: readonly string[]) =>
    LEADS.some((lead) => {
      const leads = lines.map((line) => lead.exec(line)?.[0].replaceAll(/\d+/g, '0'));
      const isName = lead === LEADS.at(-1);
      return leads.every((one) => one !== undefined && (isName || one === leads[0]));
    });
  if (pieces.some((some) => isList(some) || some.some((text) => text.trim() === ''))) return null;
  return [before, ...Array.from({ length: count - 1 }, () => apart), after];
}

/** What may begin each item of a list: a bullet, a number that may have a word in front, a label. */
const LEADS: readonly RegExp[] = [
  /^[-*•–]\s/u,
  /^[^\p{L}\d\n]{0,6}(?:\p{L}{1,20} )?[^\p{L}\d\n]{0,3}\d{1,3}/u,
  /^[^\n:：]{1,30}[:：]/u,
];

/** Whether the texts are lists: all begin with the same bullet, number or label, which begins further lines of some. */
export function isList(values: readonly string[]): boolean {
  const first = values[0]?.trimStart() ?? '';
  const lead = LEADS.map((one) => one.exec(first)?.[0]).find((one) => one !== undefined);
  if (lead === undefined) return false;
  return (
    values.every((value) => beginsLike(value.trimStart(), lead)) &&
    values.some((value) => value.split('\n').some((line, n) => n > 0 && beginsLike(line.trimStart(), lead)))
  );
}
