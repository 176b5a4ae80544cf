/**
 * The template of one request, where every text that is handed over stands between a start and an end of its own: tags
 * (`<antwort>…</antwort>`), lines that differ in a word for the end (`[BEGIN NOTE] … [END NOTE]`).
 */

import { documentsIn, stringsIn } from '../layouts/documents.ts';
import type { Finding, Page } from '../layouts/layout.ts';
import { linesIn, trimRange } from '../layouts/lines.ts';
import type { Prompt, TextRange } from '../types.ts';
import { rolesOfLabel, wordsOfLabel } from '../words/vocabulary.ts';
import { lastLine, nameInPlace } from './align/shared-lines.ts';
import { hasWord } from './align/tokens.ts';
import { optionsAlike, overridesOrders } from './alike.ts';
import { standApart } from './doubts.ts';
import { findingIn } from './finding.ts';
import { optionCount } from './pipeline.ts';
import { LIKELY, weighRoles } from './roles/roles.ts';
import type { LearnedPart } from './roles/slot-names.ts';
import type { Slot } from './template.ts';

/**
 * What is judged in a prompt of which every text that is handed over stands between a start and an end, and whose own words say for
 * certain what each is.
 */
export function outlineOf(prompt: Prompt, pages: readonly Page[]): Finding | null {
  if (prompt.parts.length > MOST_TEXTS) return null;
  const cut = prompt.parts.map(({ role, text }, part) =>
    pages.some((page) => page.part === part) ? cutPart(role, text) : { role, literals: [text], values: [] },
  );
  if (cut.includes(null)) return null;
  const parts = cut.flatMap((one) => one ?? []);
  if (parts.every(({ values }) => values.length === 0)) return null;
  const { slots, certainty } = weighRoles(parts);
  const template = {
    name: 'outline',
    parts: parts.map(({ role, literals }, n) => ({ role, literals, slots: slots[n] ?? [] })),
  };
  const options = optionCount(template.parts);
  // Of one text nothing shows that no other one, outside, is what is judged.
  if (options < 2 || certainty < LIKELY) return null;
  if (!optionsAlike(template) || overridesOrders(template) || !standApart(parts, slots)) return null;
  const texts = parts.map(({ values }) => values.flat());
  const isJudged = (part: number, n: number) => slots[part]?.[n]?.role === 'option';
  // What holds nothing but tags may hold more than the answer.
  const isUnclear = (text: string) => !hasWord(text) || isOnlyTags(text) || text.startsWith('<!');
  const areUnclear = texts.some((own, part) => own.some((text, n) => isJudged(part, n) && isUnclear(text)));
  // Tags that the judge is to write show what goes into them.
  const isForm = texts.some(
    (own, part) => own.some((_, n) => isJudged(part, n)) && own.some((text) => PLACEHOLDER.test(text)),
  );
  if (areUnclear || isForm || hasLabelOutside(parts) || hasOneMore(parts, slots)) return null;
  const finding = findingIn(template, prompt);
  return (
    finding && {
      ...finding,
      layout: slots.flat().some(({ encoding }) => encoding === 'json') ? 'json' : 'tags',
      style: 'tag',
    }
  );
}

/** Whether a label of something judged stands outside: what it names may hold all that was found. */
function hasLabelOutside(parts: readonly LearnedPart[]): boolean {
  const lines = parts.flatMap(({ literals }) => literals.flatMap((text) => text.split('\n')));
  return lines.some((line) => {
    const label = /^\s{0,9}(\p{L}[^:：\n]{0,30})[:：]/u.exec(line)?.[1] ?? '';
    return rolesOfLabel(label).some(([role]) => role === 'answer' || role === 'agent');
  });
}

/** Whether a text that is no option has the frame of those called `Green` and `Blue`, and a name that says nothing: it may be one of them. */
function hasOneMore(parts: readonly LearnedPart[], slots: readonly (readonly Slot[])[]): boolean {
  const opened = parts.flatMap(({ literals }, part) =>
    (slots[part] ?? []).map(({ role, label }, n) => ({
      role,
      label,
      line: lastLine((literals[n] ?? '').trim()),
    })),
  );
  const options = opened.filter(({ role, label }) => role === 'option' && label !== '');
  const [first, second] = options.map(({ label }) => wordsOfLabel(label));
  // `Draft 1` says with its noun what is another one.
  if (first?.some((word) => second?.includes(word))) return false;
  const others = opened.filter(({ role }) => role !== 'option');
  return options.some(({ label, line }) =>
    others.some((other) => {
      const name = nameInPlace(line, label, other.line);
      return name !== null && rolesOfLabel(name).length === 0;
    }),
  );
}

/** What stands for what is to be written: `N`, `1-5`, `...`, `[your reasons]`, `{score}`. */
const PLACEHOLDER =
  /^(?:[A-Z]|\d{1,3}\s?[-–]\s?\d{1,3}|\.{3}|…|<[^<>\n]{1,80}>|\[[^[\]\n]{1,80}\]|\{[^{}\n]{1,80}\})$/;

function cutPart(role: string, text: string): LearnedPart | null {
  const ranges = enclosedOn(text);
  if (!ranges || ranges.length > MOST_TEXTS) return null;
  const literals: string[] = [];
  let at = 0;
  for (const range of ranges) {
    literals.push(text.slice(at, range.start));
    at = range.end;
  }
  literals.push(text.slice(at));
  if (literals.slice(1, -1).includes('')) return null;
  return { role, literals, values: ranges.map((range) => [text.slice(range.start, range.end)]) };
}

interface Enclosed extends TextRange {
  /** What opens it, and what closes it. */
  readonly from: number;
  readonly to: number;
}

function enclosedOn(text: string): readonly TextRange[] | null {
  const document = inDocument(text);
  if (document.length > 0) return document;
  const all = [tagged(text), bracketed(text)];
  if (all.includes(null)) return null;
  const sorted = all.flatMap((one) => one ?? []).toSorted((a, b) => a.from - b.from || b.to - a.to);
  const outer: Enclosed[] = [];
  for (const one of sorted) {
    const last = outer.at(-1);
    if (last && one.from < last.to) {
      if (one.to <= last.to) continue;
      return null;
    }
    outer.push(one);
  }
  return outer.map((one) => trimRange(text, one));
}

/** The strings of a text that is one JSON document, but for the names of fields. */
function inDocument(text: string): TextRange[] {
  const page = { part: 0, text, start: 0, end: text.length };
  const [document] = documentsIn(page);
  if (!document || text.slice(0, document.start).trim() !== '' || text.slice(document.end).trim() !== '')
    return [];
  return stringsIn(text, document).filter(({ end }) => !/^\s{0,9}:/.test(text.slice(end + 1, end + 11)));
}

/** Tags, or lines that are set in signs, among which texts are looked for; other prompts are left to learning. */
const MOST_MARKS = 1_000;
/** Texts that are handed over in one prompt, and messages that it has. */
const MOST_TEXTS = 64;
/** Characters in front of a tag in which its line begins. */
const LONGEST_INDENT = 200;

const TAG =
  /<(\/?)([\p{L}_][\p{L}\p{M}\p{N}_:.-]{0,40})((?:\s{1,4}[\w-]{1,30}=(?:"[^"<>\n]{0,60}"|'[^'<>\n]{0,60}')){0,6})\s{0,4}>/gu;

/** Texts in tags that open at the start of a line or behind another tag; null where a tag opens or closes twice. */
function tagged(text: string): Enclosed[] | null {
  const tags = Array.from(text.matchAll(TAG), ({ 0: whole, 1: slash, 2: name = '', index }) => ({
    opens: slash === '',
    name,
    from: index,
    to: index + whole.length,
  }));
  if (tags.length > MOST_MARKS) return null;
  const standsOut = (at: number) => {
    const near = text.slice(Math.max(0, at - LONGEST_INDENT), at);
    const ahead = near.slice(near.lastIndexOf('\n') + 1).trimEnd();
    return ahead.endsWith('>') || (ahead === '' && (near.includes('\n') || at <= LONGEST_INDENT));
  };
  const elementsIn = (from: number, to: number): Enclosed[] | null => {
    const found: (Enclosed & { readonly name: string })[] = [];
    let at = from;
    for (const open of tags) {
      if (!open.opens || open.from < at || open.from >= to || !standsOut(open.from)) continue;
      const close = tags.find((tag) => !tag.opens && tag.name === open.name && tag.from >= open.to);
      if (!close || close.to > to) continue;
      found.push({ ...open, to: close.to, start: open.to, end: close.from });
      at = close.to;
    }
    const [only, ...others] = found;
    // What holds all others is opened; a text may be written in tags, too.
    if (only && others.length === 0 && isOnlyTags(text.slice(only.start, only.end))) {
      const inner = elementsIn(only.start, only.end);
      if (inner === null || inner.length > 0) return inner;
    }
    // A tag that opens or closes twice may have been written into a text.
    const isOnce = ({ name }: (typeof found)[number]) =>
      [true, false].every(
        (opens) => tags.filter((tag) => tag.opens === opens && tag.name === name).length === 1,
      );
    return found.every(isOnce) ? found : null;
  };
  return elementsIn(0, text.length);
}

/** Whether nothing but elements stands in a text. */
function isOnlyTags(text: string): boolean {
  let rest = text.trim();
  while (rest !== '') {
    const open = /^<([\p{L}_][\p{L}\p{M}\p{N}_:.-]{0,40})[^<>\n]{0,300}>/u.exec(rest);
    if (!open) return false;
    const close = rest.indexOf(`</${open[1]}>`);
    if (close < 0) return false;
    rest = rest.slice(close + (open[1]?.length ?? 0) + 3).trim();
  }
  return true;
}

const BEGIN: ReadonlySet<string> = new Set(['begin', 'beginning', 'start', 'open']);
const END: ReadonlySet<string> = new Set(
  'end stop close ende fin fine fim koniec конец кінець sonu slut einde 结束 結束 終了 終わり 끝 نهاية अंत'.split(
    ' ',
  ),
);
const FILLERS: ReadonlySet<string> = new Set(['the', 'of']);

/** Lines of signs with a name of which one opens a text and one that has a word for the end closes it. */
function bracketed(text: string): Enclosed[] | null {
  const lines = linesIn(text, { start: 0, end: text.length });
  const found: Enclosed[] = [];
  const marks = lines.flatMap((line) => {
    const parsed = /^([^\p{L}\p{N}\s]{1,12})\s?(\/?)\s?(\p{L}[^\n]{0,60}?)\s?([^\p{L}\p{N}\s]{1,12})$/u.exec(
      text.slice(line.start, line.end).trim(),
    );
    if (!parsed) return [];
    const [, lead = '', slash, name = '', tail = ''] = parsed;
    if (/^<\/?$/.test(lead) && tail === '>') return [];
    const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const ends = slash === '/' || lead.endsWith('/') || words.some((word) => END.has(word));
    const key = words.filter((word) => !(ends ? END : BEGIN).has(word) && !FILLERS.has(word)).join(' ');
    return [{ ...line, ends, key, frame: `${lead.replace(/\/$/, '')} ${tail}` }];
  });
  if (marks.length > MOST_MARKS) return null;
  for (const [n, open] of marks.entries()) {
    if (open.ends) continue;
    const close = marks
      .slice(n + 1)
      .find((one) => one.ends && one.key === open.key && one.frame === open.frame);
    if (!close) continue;
    const same = marks.filter((one) => one.key === open.key && one.frame === open.frame);
    if (same.length !== 2) return null;
    found.push({ from: open.start, to: close.end, start: open.end, end: close.start });
  }
  return found;
}
