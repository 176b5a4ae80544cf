/**
 * Where the replies of a pipeline hold short values in the same place, be it a field of JSON, a list, or what stands behind a
 * label, between marks, below a heading or alone on a line: `{"score": 4}`, `**Score:** 4`, `[1] Score: 4`, `[[4]]`, `4`.
 */

import { ANY_NUMBER } from '../../verdicts/reading/frames.ts';
import { asObject, type JsonObject, jsonIn } from '../../verdicts/reading/json.ts';
import { withDigits, withPoints } from '../../verdicts/spelling.ts';
import { isBeside, isBesideAsNumber } from '../../words/field-names.ts';
import { UNSPACED } from '../../words/occurrences.ts';
import { CJK } from '../../words/vocabulary.ts';

/** A place, with what stands in it. */
export interface ReplyPlace {
  /** As the file of a verdict's form tells it; nothing for what stands alone. */
  readonly where: { readonly field?: string; readonly item?: string; readonly template?: string };
  /** Its field, or the label in front of it; empty where it has none. */
  readonly name: string;
  /** What stands there in each reply that has it, in order: one value, or several. */
  readonly values: readonly (readonly string[])[];
  /** Whether it is a list in JSON. */
  readonly isList: boolean;
  /** Whether the replies hold nothing else. */
  readonly isAll: boolean;
  /** Whether it stands in an object of its own within the reply's object. */
  readonly isInner?: boolean;
  /** Whether other fields of that object hold numbers, be it in some replies alone: each request may have criteria of its own. */
  readonly isAmongMarks?: boolean;
  /** Whether it is one of several that differ in a number: `Claim 1: yes`. */
  readonly isCounted?: boolean;
}

/** Share of the replies that must have a place. */
export const LEAST_SHARED = 0.95;
/** Characters of a label or a mark, and of a field's name. */
const LONGEST_FRAME = 60;
/** Lines of a reply, at each of its ends, and the longest that is looked at. */
const LINES = 40;
export const LONGEST_LINE = 400;
/** Objects in objects that are looked into. */
const DEEPEST = 3;

/** @returns places in JSON where replies have it, otherwise in their text; nothing that only some replies have */
export function findReplyPlaces(replies: readonly string[]): ReplyPlace[] {
  const all = replies.map((reply) => jsonIn(reply).objects);
  const objects = all.flatMap((some) => some.slice(0, 1));
  // A list that is the whole reply, or an object a line.
  const isList = all.some(({ length }) => length > 1);
  const inJson = isList ? inList(null, all) : inObjects(objects);
  const found = objects.length >= LEAST_SHARED * replies.length ? inJson : inTexts(replies);
  return found.filter(({ values }) => values.length >= LEAST_SHARED * replies.length);
}

const isWord = (value: unknown) => /^(?:string|number|boolean)$/.test(typeof value);

function inObjects(objects: readonly JsonObject[]): ReplyPlace[] {
  const words = new Map<string, string[][]>();
  const lists = new Map<string, unknown[][]>();
  const look = (inner: JsonObject, path: string, depth: number) => {
    for (const [name, value] of Object.entries(inner)) {
      const at = path + name;
      const object = asObject(value);
      if (name === '' || at.length > LONGEST_FRAME) continue;
      if (isWord(value)) words.set(at, [...(words.get(at) ?? []), [String(value)]]);
      else if (Array.isArray(value)) lists.set(at, [...(lists.get(at) ?? []), value]);
      else if (object && depth < DEEPEST) look(object, `${at}.`, depth + 1);
    }
  };
  for (const object of objects) look(object, '', 1);
  // A field is read by its name alone, wherever it stands, where no other has it.
  const last = (path: string) => path.slice(path.lastIndexOf('.') + 1);
  const names = [...words.keys(), ...lists.keys()].map(last);
  const fieldAt = (path: string) =>
    names.filter((name) => name === last(path)).length === 1 ? last(path) : path;
  const ownerOf = (path: string) => path.slice(0, path.length - last(path).length);
  const marks = Map.groupBy(
    [...words.keys()].filter((path) => words.get(path)?.flat().every(isNumber)),
    ownerOf,
  );
  const single = [...words].map(([path, values]): ReplyPlace => {
    const field = fieldAt(path);
    const isInner = path.includes('.');
    const isAmongMarks = isInner && marks.get(ownerOf(path))?.some((other) => other !== path) === true;
    return { where: { field }, name: field, values, isList: false, isAll: false, isInner, isAmongMarks };
  });
  return [...single, ...[...lists].flatMap(([path, values]) => inList(fieldAt(path), values))];
}

/** The values of a list's entries, or of each of their fields. */
function inList(field: string | null, lists: readonly (readonly unknown[])[]): ReplyPlace[] {
  const entries = lists.flat();
  const place = (item: string | null, wordOf: (entry: unknown) => unknown): ReplyPlace => ({
    where: { ...(field !== null && { field }), ...(item !== null && { item }) },
    name: item ?? field ?? '',
    values: lists.map((list) => list.map((entry) => String(wordOf(entry)))),
    isList: true,
    isAll: false,
  });
  if (entries.every(isWord)) return entries.length > 0 ? [place(null, (entry) => entry)] : [];
  const names = new Set(entries.flatMap((entry) => Object.keys(asObject(entry) ?? {})));
  return [...names]
    .filter((name) => entries.every((entry) => isWord(asObject(entry)?.[name])))
    .map((name) => place(name, (entry) => asObject(entry)?.[name]));
}

interface Framed {
  readonly template: string;
  readonly value: string;
  readonly isAll: boolean;
}

function inTexts(replies: readonly string[]): ReplyPlace[] {
  const found = new Map<string, Framed[][]>();
  // A colon of full width has no space behind it: the first writing of a label stands for the others.
  const asWritten = new Map<string, string>();
  const inFrames = replies.map(framedIn);
  // Where a label or a mark tells the place, the words of a sentence would tell it once more.
  const isNamed = ({ template }: Framed) => /[\p{L}\p{N}[]/u.test(template);
  const alike = inAlikeLines(replies, !inFrames.flat().some(isNamed));
  for (const [n, own] of inFrames.entries()) {
    const inWords = alike
      .slice(n, n + 1)
      .filter(({ template }) => own.every((one) => one.template !== template));
    const framed = [...own, ...inWords].map((one) => {
      const key = one.template.normalize('NFKC').replaceAll(/: ?/g, ': ');
      if (!asWritten.has(key)) asWritten.set(key, one.template);
      return { ...one, template: asWritten.get(key) ?? one.template };
    });
    const others = framed.flatMap((one) =>
      [withAnyNumber(one.template), withoutMarks(one.template)].flatMap((template) =>
        template === one.template ? [] : [{ ...one, template }],
      ),
    );
    for (const [template, all] of Map.groupBy([...framed, ...others], (one) => one.template))
      found.set(template, [...(found.get(template) ?? []), all]);
  }
  const repeats = (template: string) => (found.get(template) ?? []).some(({ length }) => length > 1);
  // Of one label with different marks: the writing that most replies have, of as many the longest.
  const bestOf = [...Map.groupBy(found, ([template]) => withoutMarks(template)).values()].flatMap((some) =>
    some
      .toSorted(([one, all], [other, more]) => more.length - all.length || other.length - one.length)
      .slice(0, 1),
  );
  // What ends all replies below the same words, or opens those of one line, is known by that.
  const valuesOf = (all: readonly (readonly Framed[])[]) =>
    JSON.stringify(all.map((some) => some.map(({ value }) => value)));
  const isOnce = ([template, all]: readonly [string, readonly (readonly Framed[])[]]) =>
    !template.startsWith(LAST) ||
    bestOf.every(([other, some]) => other.startsWith(LAST) || valuesOf(some) !== valuesOf(all));
  // Without a unit `9,4` may be two marks as well as one.
  const mayBePairs = ([template, all]: readonly [string, readonly (readonly Framed[])[]]) =>
    !HAS_UNIT.test(template) && all.flat().some(({ value }) => COMMA.test(value));
  const inPairs = bestOf.filter(mayBePairs);
  const areDecimals = showDecimals(inPairs.flatMap(([, all]) => all.flat().map(({ value }) => value)));
  const isOneEach = (one: (typeof bestOf)[number]) => areDecimals || !inPairs.includes(one);
  return bestOf
    .filter((one) => isOnce(one) && isOneEach(one))
    .map(([template, all]) => ({
      where: template.trim() === '{}' ? {} : { template: template.replace(/^\n/, '') },
      name: withoutSigns(template.split('{}')[0] ?? ''),
      values: all.map((some) => some.map(({ value }) => value)),
      isList: false,
      isAll: all.flat().every((one) => one.isAll),
      isCounted: template !== withAnyNumber(template) && repeats(withAnyNumber(template)),
    }));
}

const COMMA = /^[-+]?\p{Nd}{1,4}[,，]\p{Nd}/u;
const HAS_UNIT = /\{\}\s?[/／%\p{L}]/u;
/** A half or a quarter; and a fraction that is no mark beside its number, as 10 is beside 9. */
const IN_QUARTERS = /,(?:0|00|5|50|25|75)$/;
const IN_HUNDREDTHS = /^[-+]?\d,(?!10$)\d{2}$/;

/** A score as a reply has it, with the comma of a decimal one, unless its unit stands behind it. */
export function scoreWritten(score: number, reply: string): string {
  const written = String(score).replace('.', ',');
  const [, behind] = withDigits(reply).replaceAll('，', ',').split(written);
  return behind === undefined || HAS_UNIT.test(`{}${behind}`) ? String(score) : written;
}

/** Whether the comma in numbers is a decimal one. `8,7` and `6,9` may be two marks each; some without a comma would be one. */
export function showDecimals(values: readonly string[]): boolean {
  const plain = values.map((value) => withDigits(value).replace('，', ','));
  return (
    plain.some((value) => IN_HUNDREDTHS.test(value) || (isNumber(value) && !value.includes(','))) ||
    plain.every((value) => IN_QUARTERS.test(value))
  );
}

/** Nothing stands between the words of Chinese or Japanese. */
const WORD_START = new RegExp(`(?<=\\s)|(?<=${CJK.source})|(?=${CJK.source})`, 'u');

/**
 * The one place in which the last lines of all replies differ: `We should run the {} one.`; nothing where they are not
 * alike.
 *
 * @param inSentences whether their last sentences will do, and signs that no space stands between
 */
function inAlikeLines(replies: readonly string[], inSentences: boolean): Framed[] {
  const lines = replies.map((reply) => {
    const line = reply.trim().split('\n').at(-1)?.trim() ?? '';
    const before = inSentences ? [...line.matchAll(SENTENCE_END)].at(-1) : undefined;
    return before ? line.slice(before.index + before[0].length) : line;
  });
  const words = lines.map((line) => line.split(inSentences ? WORD_START : /(?<=\s)/));
  const [first = [], ...others] = words;
  const shortest = Math.min(...words.map(({ length }) => length));
  const isShared = (at: number) => others.every((line) => line.at(at) === first.at(at));
  let front = 0;
  while (front < shortest && isShared(front)) front++;
  let back = 0;
  while (back < shortest - front && isShared(-1 - back)) back++;
  if (front + back < LEAST_ALIKE || front + back >= shortest) return [];
  return words.map((line) => {
    const [lead, value = '', tail] = [
      line.slice(0, front),
      line.slice(front, line.length - back),
      line.slice(line.length - back),
    ].map((some) => some.join(''));
    const said = value.trimEnd().replace(/[.。!！]$/u, '');
    return { template: `${lead}{}${value.slice(said.length)}${tail}`, value: said, isAll: false };
  });
}

/** Words that alike lines have in common. */
const LEAST_ALIKE = 3;

/** A label without what sets it or its value off, which one reply writes and the next does not: `PICK: {}` of `**PICK: [{}]**`. */
function withoutMarks(template: string): string {
  const [, lead, sign, gap = ''] =
    /^[\s*_#>-]{0,8}([^{}\n]*([:：=>→])(\s{0,3}))[\s*_"'`“([【「]{0,8}\{\}/u.exec(template) ?? [];
  if (!/[\p{L}\p{N}]/u.test(template))
    return template.includes('[[{}]]') ? '[[{}]]' : template.startsWith(LAST) ? `${LAST}{}` : '{}';
  if (lead === undefined || !/\p{L}/u.test(lead)) return template;
  return `${lead}${sign === ':' && gap === '' ? ' ' : ''}{}`;
}

/** From the first letter or digit to the last. */
export const withoutSigns = (text: string): string => {
  const signs = [...text];
  const isWord = (sign: string) => /[\p{L}\p{N}]/u.test(sign);
  return signs.slice(Math.max(0, signs.findIndex(isWord)), signs.findLastIndex(isWord) + 1).join('');
};

/** The same frame whatever number counts it: `Claim {n}: {}`. A tag is closed by its own number: `<S2>{}</S2>`. */
const withAnyNumber = (template: string) =>
  template.includes('{}</')
    ? template
    : template.replace(/^([^\p{Nd}]{0,40})\p{Nd}{1,3}(?=[^\p{Nd}]{0,40}\{\})/u, `$1${ANY_NUMBER}`);

/** A number, a row of stars, a sign or a word, and words after it where nothing else stands on their line. */
const VALUE =
  /(?:[-+]?\p{Nd}{1,4}(?:[.．٫]\p{Nd}{1,17}|[,，]\p{Nd}{1,2}(?!\p{Nd}|[.,，]\p{Nd}))?|(?:[★⭐🌟☆]\uFE0F?){1,10}|\p{Extended_Pictographic}\uFE0F?|(?!\p{ASCII})[\p{So}\p{Sm}]|\p{L}[\p{L}\p{M}\p{N}_+-]{0,30}(?:[ /][\p{L}\p{N}][\p{L}\p{M}\p{N}_+-]{0,30}(?![\p{L}\p{M}\p{N}_+=-])){0,2})/uy;
/** The unit of a number: `/10`, `点`, ` stars`. */
const UNIT =
  /(?:\s?[/／]\s?\p{Nd}{1,4}|\s?%|\s(?:out of|of|von|sur|de|из)\s\p{Nd}{1,4}|\s?\p{L}[\p{L}\p{M}]{0,8}(?=[*_`"')\].。】」）]{0,4}\s{0,9}$)|\s?[分点點점](?=[*_】」）\]]{0,4}[，、；;,。.（(]))/uy;
/** What closes a value, and what may follow one. */
const CLOSING = /\s?[*_`"'”)\]】」）|]{1,6}/uy;
const ENDS =
  /\s{0,3}(?:$|[.,;!。，]|[-–—]\s|[(（]|(?:because|since)\b|[\p{L}_]{1,20}(?:=|[:：](?!\p{L}|\/)))/uy;
/** What stands in front of a value, with marks and spaces; a sign that opens the reply says the same as the word behind it. */
const DELIMITER =
  /(?:[:：=＝→>|\]】]|\s[-–—]\s|^\p{L}{2,20}(?=\s\p{Nd})|^(?:\p{Nd}{1,3}[.)、](?!\p{Nd}|$)|\p{Extended_Pictographic}\uFE0F?(?=[\s*_]{1,4}\p{L}))?)[\s*_"'`“([【「#|-]{0,8}(?<!-(?=\p{Nd}))|[[【]{1,2}/gu;
const SENTENCE_END = /[\p{L}\p{N})"'”][.!?。！？]\s*(?=\S)/gu;

/** Begins what stands alone on the last line of a reply that has several. */
const LAST = '\n';

function framedIn(reply: string): Framed[] {
  const all = reply.split('\n').filter((line) => line.trim() !== '' && line.length <= LONGEST_LINE);
  const lines = all.length > 2 * LINES ? [...all.slice(0, LINES), ...all.slice(-LINES)] : all;
  return lines.flatMap((raw, n) => {
    const above = lines[n - 1]?.trim() ?? '';
    const isHeading = /^[[#*=<-]|[:：*]$/.test(above) && above.length <= LONGEST_FRAME;
    return framesOn(raw.trim()).flatMap(({ lead, value, tail, isWhole }): Framed[] => {
      const template = `${lead}{}${tail}`;
      const isAll = isWhole && lines.length === 1;
      if (/[\p{L}\p{N}[【<]/u.test(lead)) return [{ template: withoutBullet(template), value, isAll }];
      // What stands alone is the whole line, or opens the reply.
      const last = n === lines.length - 1 && isWhole ? [{ template: LAST + template, value, isAll }] : [];
      if (isHeading && isWhole) return [{ template: `${above}\n${template}`, value, isAll }, ...last];
      return n === 0 ? [{ template, value, isAll }, ...last] : last;
    });
  });
}

/** A label that one reply marks as an item of a list or in bold type, as others have it: `1. **Grade**: {}`. */
const withoutBullet = (template: string) =>
  template.replace(/^(?:\d{1,2}[.)]\s|[-*•]\s)?\*\*(\p{L}[^*{}]{0,40})\*\*(?=[:：])/u, '$1');

interface OnLine {
  readonly lead: string;
  readonly value: string;
  readonly tail: string;
  /** Whether nothing else stands on the line but its lead. */
  readonly isWhole: boolean;
}

function framesOn(line: string): OnLine[] {
  const found = new Map<number, OnLine>();
  // A label goes back to the place before it.
  let from = 0;
  // What looks like a label in front of a number may be a name with it: `Plan 2`.
  const name = /^\p{L}{2,20}\s\p{Nd}/u.test(line) ? [{ index: 0, 0: '' }] : [];
  for (const { index, 0: delimiter } of [...name, ...line.matchAll(DELIMITER)]) {
    const at = index + delimiter.length;
    const one = found.has(at) ? null : framedAt(line, Math.max(from, index), at, from);
    if (!one) continue;
    found.set(at, one);
    const end = at + one.value.length + one.tail.length;
    const comma = /^\s?[,;]\s{0,3}/.exec(line.slice(end))?.[0];
    if (comma !== undefined) from = end + comma.length;
  }
  return [...found.values()];
}

/** What stands at a place of a line, with as much of the line as frames it: a mark, or the label in front of it. */
function framedAt(line: string, delimiter: number, at: number, from: number): OnLine | null {
  const value = stickyAt(VALUE, line, at);
  if (value === '') return null;
  let end = at + value.length;
  if (/^[-+]?\p{Nd}/u.test(value)) end += stickyAt(UNIT, line, end).length;
  const tag = /<([\p{L}_][\p{L}\p{N}_-]{0,30})>\s{0,3}$/u.exec(line.slice(0, at).slice(-40))?.[1];
  const closes = tag === undefined ? '' : `</${tag}>`;
  end += closes !== '' && line.startsWith(closes, end) ? closes.length : stickyAt(CLOSING, line, end).length;
  const isWhole = /^[.。]?$/.test(line.slice(end).trim());
  const isWord =
    /^(?:\P{L}|\p{L}[^\s/]*$)/u.test(value) ||
    /^\p{Lu}+(?: \p{Lu}+){0,2}$/u.test(value) ||
    // `Answer A (the shorter one)`
    /^\p{L}+ (?:\p{Lu}|\p{N}{1,2})$/u.test(value);
  // `UNSUPPORTED: the deadline is another one`
  const isOpening = at === 0 && /^[:：]\s(?!["'(（[]{0,3}\p{Nd})/u.test(line.slice(end));
  // Behind a number a word is its reason.
  const next = /^[-+]?\p{Nd}/u.test(value) ? '[\\p{Nd}.]{1,9}' : '[^\\s.,;]{1,20}';
  const isRow = new RegExp(`^[.,;]\\s{0,3}${next}[.,;]?$`, 'u').test(line.slice(end));
  const isEnded =
    isWhole ||
    (!isRow && isWord && (end > at + value.length || isOpening || stickyAt(ENDS, line, end) !== ''));
  const start =
    closes === '' ? Math.max(from, leadFrom(line, delimiter, at, isWhole)) : line.lastIndexOf('<', at - 2);
  const lead = line.slice(start, at).trimStart();
  const tail = line.slice(at + value.length, end);
  // Without a label or a unit `9,4` may be one number for each of two.
  const isPair = /[,，]/.test(value) && !/[\p{L}\p{N}%]/u.test(lead + tail);
  if (!isEnded || isPair || at < from || lead.length > LONGEST_FRAME) return null;
  return { lead, value, tail, isWhole };
}

/** Where the label of a place begins: with its line or its sentence, or with the bracket that the place fills. */
function leadFrom(line: string, delimiter: number, at: number, isWhole: boolean): number {
  const bracket = /(?:\[\[|[[【])$/.exec(line.slice(0, at))?.[0] ?? '';
  if (bracket.length === 2 || (bracket !== '' && isWhole && delimiter + bracket.length === at))
    return at - bracket.length;
  const ends = [...line.slice(0, delimiter).matchAll(SENTENCE_END)];
  const last = ends.findLast((end) => !/^\p{N}/u.test(end[0]) || end.index > 3);
  return last ? last.index + last[0].length : 0;
}

function stickyAt(pattern: RegExp, text: string, at: number): string {
  const sticky = new RegExp(pattern.source, pattern.flags);
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? '';
}

const NUMBER = /^[-+]?\d{1,4}(?:\.\d{1,17})?(?:\s?\/\s?\d{1,4}|\s?%)?$/;

/** Whether a value is a number in any script, be it of so many, or a row of stars. */
export const isNumber = (text: string) => NUMBER.test(withPoints(text.trim()));

/** The places that hold one value in each reply. */
export const singles = (places: readonly ReplyPlace[]) =>
  places.filter(({ isList, values }) => !isList && values.every(({ length }) => length === 1));

/** The lists that hold one value in each reply, as where the best of several is asked for: `{"selected": [2]}`. */
export const soleEntries = (places: readonly ReplyPlace[]) =>
  places.filter(
    ({ isList, where, values }) =>
      isList && where.item === undefined && values.every(({ length }) => length === 1),
  );

/** Whether not all replies have the same there. */
export const varies = (values: ReplyPlace['values']) =>
  new Set(values.map((some) => JSON.stringify(some))).size > 1;

export const TRUTH = /^(?:true|false)$/;

/** Letters of a word in these scripts; more are a sentence. */
const LONGEST_UNSPACED = 8;

/** Whether a value is a verdict rather than a text: a number, a truth, or a word. */
export const isShortWord = (text: string) =>
  isNumber(text) ||
  SYMBOL.test(text.trim()) ||
  ((text.trim().length <= LONGEST_UNSPACED || !UNSPACED.test(text)) && SHORT_WORD.test(text.trim()));

const SHORT_WORD = /^[\p{L}\p{M}\p{N}_-]{1,20}$/u;

/** A sign that stands for a word: `👍`, `○`, `×`, `✓`. */
export const SYMBOL = /^(?:\p{Extended_Pictographic}\uFE0F?|(?!\p{ASCII})[\p{So}\p{Sm}])$/u;

/** Whether what stands there explains a verdict. */
export const isGround = ({ name, values }: ReplyPlace) =>
  values.flat().every(isNumber) ? isBesideAsNumber(name) : isBeside(name);
