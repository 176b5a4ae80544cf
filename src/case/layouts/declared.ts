/**
 * A case that the client declares (`remand: { case: … }`) rather than has found: its texts are looked up in
 * the prompt, so that they can be rewritten where they stand.
 */
import { findNodeAtOffset, type ParseError, parseTree } from 'jsonc-parser';
import * as z from 'zod';
import { InputError } from '../../errors.ts';
import { readWritten, strictFields } from '../../strict-fields.ts';
import { unescapeJson } from '../nested.ts';
import type { Span } from '../types.ts';
import { CJK } from '../words/vocabulary.ts';
import { documentsIn } from './documents.ts';
import type { Finding, Page } from './layout.ts';
import { marksIn } from './marks.ts';

const Declared = strictFields({
  /** What was asked. */
  instruction: z.string().min(1).optional(),
  /** What is judged, each as it stands in the prompt: one is scored or passes, of two or more one is chosen. */
  options: z
    .array(
      z.union([
        z.string().min(1),
        strictFields({ label: z.string().min(1).optional(), text: z.string().min(1) }),
      ]),
    )
    .min(1)
    .max(100),
  /** Statements that could sway the judge. */
  context: z.array(z.string().min(1)).max(100).optional(),
  /** A text that is said to be right, which the answers are held against. */
  reference: z.string().min(1).optional(),
});

/**
 * A case as a client declares it, in the field `remand.case` of its request. Every text has to stand in the prompt, to the
 * character; a label that is left out is the one in front of the text there, or else its number. Options are counted as
 * they stand in the prompt.
 *
 * @example const declared: DeclaredCase = { instruction: 'What is 17*23?', options: ['381', { label: 'B', text: '391' }] };
 */
export type DeclaredCase = z.input<typeof Declared>;

const FIELD = 'remand.case';
/** A text that stands more often than this is looked for no further. */
const MOST_PLACES = 1000;

export interface Declaration {
  readonly finding: Finding;
  readonly context: readonly Span[];
}

/**
 * @returns null where an option's text stands in several places, and nothing tells which of them is the option
 * @throws InputError naming the field that is malformed, or whose text the prompt does not hold
 */
export function locateDeclared(pages: readonly Page[], declared: unknown): Declaration | null {
  const { instruction, options, context = [], reference } = readWritten(Declared, declared, FIELD);
  const given = options.map(
    (option): DeclaredOption => (typeof option === 'string' ? { text: option } : option),
  );
  const wanted = [
    ...given.map(({ text }, i) => ({ field: `${FIELD}.options.${i}`, text })),
    ...(instruction === undefined ? [] : [{ field: `${FIELD}.instruction`, text: instruction }]),
    ...context.map((text, i) => ({ field: `${FIELD}.context.${i}`, text })),
    ...(reference === undefined ? [] : [{ field: `${FIELD}.reference`, text: reference }]),
  ];
  const places = placeAll(
    pages,
    wanted,
    given.map(({ label = null }) => label),
  );
  if (!places) return null;
  const inFront = labelsInFront(pages, places.slice(0, given.length));
  // The first option is the one that stands first, whatever order they are declared in.
  const shown = given
    .map(({ text, label }, i) => ({ text, label, inFront: inFront[i], at: places[i] }))
    .flatMap(({ at, ...one }) => (at ? [{ ...one, at }] : []))
    .sort((a, b) => inOrder(a.at, b.at));
  const at = shown.map((one) => one.at);
  const labels = shown.map(({ label, inFront: ahead }, i) => label ?? ahead ?? String(i + 1));
  const distinct = new Set(labels.map((label) => label.toLowerCase())).size === labels.length;
  const last = at.at(-1);
  const asked = instruction === undefined ? undefined : places[given.length];
  const nested = levelOf(
    pages,
    shown.map(({ at: span, text }) => ({ ...span, text })),
  );
  if (nested === null)
    throw new InputError(`${FIELD}.options`, 'some stand within JSON in the prompt and others do not');
  const beside = places.slice(given.length + (instruction === undefined ? 0 : 1));
  const [held] = beside.slice(context.length);
  return {
    context: beside.slice(0, context.length),
    finding: {
      layout: 'declared',
      noun: 'option',
      single: given.length === 1,
      usual: null,
      evident: true,
      marks: [],
      options: at.map((span, i) => ({
        label: distinct ? (labels[i] ?? '') : String(i + 1),
        at: span,
        nested,
      })),
      instruction: asked ?? null,
      instructionNested: asked ? (levelOf(pages, [{ ...asked, text: instruction ?? '' }]) ?? 0) : 0,
      ...(held && { standards: [{ of: 'reference', at: held }] }),
      labelled: false,
      style: 'declared',
      closed: [],
      after: { part: last?.part ?? 0, offset: last?.end ?? 0 },
    },
  };
}

const inOrder = (a: Span, b: Span) => a.part - b.part || a.start - b.start;

interface DeclaredOption {
  readonly text: string;
  readonly label?: string | undefined;
}

interface Wanted {
  readonly field: string;
  readonly text: string;
}

/**
 * Longest first, so that a short text (`10`) is not looked for inside a long one.
 *
 * @param labels those that are declared, of the options, with which `wanted` begins
 * @returns null where nothing tells which of several places of an option is its own
 */
function placeAll(
  pages: readonly Page[],
  wanted: readonly Wanted[],
  labels: readonly (string | null)[],
): Span[] | null {
  const placed = new Map<number, Span>();
  const byLength = [...wanted.entries()].sort(([, a], [, b]) => b.text.length - a.text.length);
  for (const [index, { field, text }] of byLength) {
    const all = placesOf(pages, text);
    const free = all.filter((place) => [...placed.values()].every((other) => apart(place, other)));
    const likely = likeliest(pages, free, labels, labels[index] ?? null);
    const [best] = likely;
    if (!best)
      throw new InputError(
        field,
        all.length === 0
          ? `the prompt does not hold this text, to the character: ${JSON.stringify(text.slice(0, 60))}`
          : 'the prompt holds this text fewer times than it is declared, or only within another declared text',
      );
    // Equal texts take turns.
    const equal = wanted.filter((other, n) => n < labels.length && other.text === text && !placed.has(n));
    if (index < labels.length && likely.length > equal.length) return null;
    placed.set(index, best);
  }
  return wanted.flatMap((_, i) => placed.get(i) ?? []);
}

/** Of several places those that are a text's own: behind its label and set off, behind its label, set off, or made of whole words. */
function likeliest(
  pages: readonly Page[],
  places: readonly Span[],
  labels: readonly (string | null)[],
  label: string | null,
): readonly Span[] {
  const isNamed = (place: Span) => label !== null && labelAhead(pages, place, labels) === label;
  const isAlone = (place: Span) => standsAlone(pages, place);
  const isWhole = (place: Span) => isOfWholeWords(pages, place);
  const kinds = [[isNamed, isAlone], [isNamed, isWhole], [isAlone], [isWhole]];
  for (const kind of kinds) {
    const found = places.filter((place) => kind.every((holds) => holds(place)));
    if (found.length > 0) return found;
  }
  return places;
}

const apart = (a: Span, b: Span) => a.part !== b.part || a.end <= b.start || b.end <= a.start;

/** Every place of a text as it is or, inside a JSON string, as it is escaped there. */
function placesOf(pages: readonly Page[], text: string): Span[] {
  for (const form of [text, JSON.stringify(text).slice(1, -1)]) {
    const found: Span[] = [];
    for (const page of pages)
      for (
        let start = page.text.indexOf(form);
        start >= 0 && found.length < MOST_PLACES;
        start = page.text.indexOf(form, start + 1)
      )
        found.push({ part: page.part, start, end: start + form.length });
    if (found.length > 0) return found;
  }
  return [];
}

/** Set off on both sides: by a line end, a label or a quotation mark, not by more of the same sentence. */
function standsAlone(pages: readonly Page[], { part, start, end }: Span): boolean {
  const text = pages.find((page) => page.part === part)?.text ?? '';
  const [ahead, behind] = [text.slice(Math.max(0, start - 3), start), text.slice(end, end + 3)];
  return /(?:^|[\n>"]|[:\]] ?)$/.test(ahead) && /^(?:$|\r?\n|[<"])/.test(behind);
}

/** Characters of a line in front of a text that are looked at. */
const AHEAD = 400;

/** What stands in front of a text on its line; where it begins the line, the line above. */
function lineAhead(pages: readonly Page[], { part, start }: Span): string {
  const text = pages.find((page) => page.part === part)?.text ?? '';
  const ahead = text.slice(Math.max(0, start - AHEAD), start);
  return ahead.slice(ahead.lastIndexOf('\n', ahead.trimEnd().length - 1) + 1);
}

/** The last of these labels in front of a text. */
function labelAhead(
  pages: readonly Page[],
  place: Span,
  labels: readonly (string | null)[],
): string | undefined {
  const ahead = lineAhead(pages, place).toLowerCase();
  const found = labels.flatMap((label) => {
    const at = label === null ? -1 : ahead.lastIndexOf(label.toLowerCase());
    if (label === null || at < 0) return [];
    const end = at + label.length;
    return isEdge(ahead, at) && isEdge(ahead, end) ? [{ label, end }] : [];
  });
  return found.sort((a, b) => b.end - a.end || b.label.length - a.label.length)[0]?.label;
}

/** Whether a text neither begins nor ends within a word. */
function isOfWholeWords(pages: readonly Page[], { part, start, end }: Span): boolean {
  const text = pages.find((page) => page.part === part)?.text ?? '';
  return isEdge(text, start) && isEdge(text, end);
}

const WORDS = /^[\p{L}\p{M}\p{N}_]{2}$/u;

/** Whether no word goes on across a place. Scripts without spaces have no such places, and an escape is no word. */
function isEdge(text: string, at: number): boolean {
  const around = text.slice(Math.max(0, at - 1), at + 1);
  return !WORDS.test(around) || CJK.test(around) || /\\[bfnrt]$/.test(text.slice(Math.max(0, at - 2), at));
}

/** A line of a name alone: `A:`, `(b) `, `### Answer 2`. */
const NAME = /^[^\p{L}\p{N}\n]{0,8}((?:\p{L}{1,20} )?[\p{L}\p{N}]{1,20})[^\p{L}\p{N}]{0,8}$/u;

/** The labels that stand right in front of the options: those that are known to be labels, or bare names where all have one. */
function labelsInFront(pages: readonly Page[], places: readonly Span[]): readonly (string | undefined)[] {
  const marked = places.map((at) => labelAt(pages, at));
  if (marked.every((label) => label !== undefined)) return marked;
  const names = places.map((at) => NAME.exec(lineAhead(pages, at))?.[1]);
  const nouns = new Set(names.map((name) => name?.split(' ').at(-2)));
  return names.every((name) => name !== undefined) && nouns.size === 1 ? names : marked;
}

/** The label that is known to be one right in front of a declared option. */
function labelAt(pages: readonly Page[], at: Span): string | undefined {
  const page = pages.find(({ part }) => part === at.part);
  if (!page) return undefined;
  const near = { ...page, start: at.start - lineAhead(pages, at).length, end: at.start };
  const mark = marksIn(near).findLast(({ role }) => role === 'option');
  return mark && page.text.slice(mark.end, at.start).trim() === '' ? mark.label : undefined;
}

/**
 * Whether texts that were looked up in a prompt stand within the strings of a JSON document there.
 *
 * @param found where each text stands, as it is or escaped
 * @returns 1 where all are content of JSON strings, 0 where none is; null where some are and some are not:
 *   exchanged as they were sent, they would not say the same
 */
function levelOf(pages: readonly Page[], found: readonly (Span & { readonly text: string })[]): 0 | 1 | null {
  const inDocument = stringsIn(pages);
  const shown = found.map((at) => {
    const page = pages.find(({ part }) => part === at.part)?.text ?? '';
    const written = page.slice(at.start, at.end);
    const quoted = page[at.start - 1] === '"' && page[at.end] === '"';
    return { at, quoted, content: unescapeJson(written, 1) !== null, escaped: written !== at.text };
  });
  // A document that begins no line is not looked for: what stands there escaped shows it.
  const seen = shown.some(({ escaped }) => escaped);
  const levels = shown.map(
    ({ at, quoted, content, escaped }) => content && (escaped || (seen && quoted) || inDocument(at)),
  );
  if (new Set(levels).size > 1) return null;
  return levels[0] ? 1 : 0;
}

/** Tells whether a span lies within a string of a document that begins a line. */
function stringsIn(pages: readonly Page[]): (at: Span) => boolean {
  const documents = pages.flatMap((page) =>
    [...documentsIn(page)].flatMap(({ start, end }) => {
      const errors: ParseError[] = [];
      const root = parseTree(page.text.slice(start, end), errors, { disallowComments: true });
      return root && errors.length === 0 ? [{ part: page.part, start, end, root }] : [];
    }),
  );
  return ({ part, start, end }) => {
    const document = documents.find((one) => one.part === part && one.start <= start && end <= one.end);
    if (!document) return false;
    const node = findNodeAtOffset(document.root, start - document.start);
    if (node?.type !== 'string') return false;
    const opens = document.start + node.offset;
    return opens < start && end < opens + node.length;
  };
}
