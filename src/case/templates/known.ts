/**
 * Templates of known clients, shipped as data (`known/*.json`): their delimiters, with `{{*}}` for the words around them.
 * They are matched as every template is, and read the first request of a pipeline.
 */
import * as z from 'zod';
import { parseJson } from '../../parse-json.ts';
import { strictFields } from '../../strict-fields.ts';
import type { Checkpoint } from '../checkpoint.ts';
import type { Finding, Page } from '../layouts/layout.ts';
import { unescapeJson } from '../nested.ts';
import type { Prompt } from '../types.ts';
import { findingOf, isWrittenInto, statementsIn, withStatements } from './finding.ts';
import * as files from './known/index.ts';
import { matchTemplate, slotsBetween, type TemplateMatch, textIn } from './match.ts';
import { type SlotEncoding, type Template, templateFileSchema } from './template.ts';
import { inEveryWay, readTemplates } from './unfold.ts';

const KnownFile = strictFields({
  ...templateFileSchema.shape,
  /** What the prompt calls what is judged. */
  noun: z.string(),
  /** Whether the reply has a verdict on each of several things that stand in one slot. */
  each: z.boolean().default(false),
  /** How verdicts are written where the request does not say; `{}` stands for the label's key. */
  usual: z.string().nullable().default(null),
});

/** One of the ways in which a template of a known client is written out. */
export interface Known extends Omit<z.infer<typeof KnownFile>, 'parts'> {
  readonly template: Template;
}

/** A template of a known client as it stands in a file: written out for the first request that it may fit. */
export interface KnownEntry {
  readonly name: string;
  /** How one of its lines begins, or a whole literal where no line is long enough: a request without it is not compared any further. */
  readonly mark: { readonly line: string } | { readonly literal: string };
  /** @throws Error that names the field where the file is no known template */
  readonly written: () => readonly Known[];
}

/** Characters of a line, behind its indentation, by which templates are looked up. */
const BEGINNING = 8;

/** @throws Error that names the field where a file is none of known templates */
export function parseKnown(files: readonly unknown[]): readonly KnownEntry[] {
  const entries = files.flatMap((file) => z.array(KnownFile).parse(file)).map(entryOf);
  for (const { written } of entries) written();
  return entries;
}

/** What is needed of a file before it is read. */
type Unread = Pick<z.input<typeof KnownFile>, 'name' | 'parts'>;

function entryOf(file: Unread): KnownEntry {
  let known: readonly Known[] | null = null;
  return {
    name: file.name,
    mark: markOf(file),
    written() {
      known ??= writtenOut(KnownFile.parse(file));
      return known;
    },
  };
}

const writtenOut = ({ parts, ...file }: z.infer<typeof KnownFile>): Known[] =>
  readTemplates({ name: file.name, parts, ...(file.verdict && { verdict: file.verdict }) }).map(
    (template) => ({ ...file, template }),
  );

/** A slot, or two braces that are meant as such, with the backslashes that say so. */
const BRACES = /\\{0,9}\{\{(?:[^}]{0,200}\}\})?/;

/** Long lines and long literals are the rarest. */
function markOf({ parts }: Unread): KnownEntry['mark'] {
  const longest = (texts: readonly string[]) => texts.reduce((a, b) => (b.length > a.length ? b : a), '');
  const literals = parts.map(({ text }) => inEveryWay(text).split(BRACES));
  // Only the first literal of a part begins a line where it begins.
  const lines = literals.flatMap((those) =>
    those.flatMap((literal, n) => literal.split('\n').slice(n === 0 ? 0 : 1)),
  );
  const line = longest(lines.map((one) => one.replace(/^ +/, '')));
  if (line.length >= BEGINNING) return { line: line.slice(0, BEGINNING) };
  return { literal: longest(literals.flat()) };
}

/** Those that were written by hand first. */
const { packages, ...clients } = files;
const FILES: readonly (readonly Unread[])[] = [...Object.values(clients), packages];

/** Those that are shipped; a test reads all of them. */
export const KNOWN: readonly KnownEntry[] = FILES.flat().map(entryOf);

/** Places of entries by their marks. */
interface Marks {
  readonly byLine: ReadonlyMap<string, readonly number[]>;
  readonly byLiteral: readonly (readonly [literal: string, place: number])[];
}

function indexMarks(entries: readonly KnownEntry[]): Marks {
  const byLine = new Map<string, number[]>();
  const byLiteral: [string, number][] = [];
  for (const [place, { mark }] of entries.entries()) {
    if ('literal' in mark) {
      byLiteral.push([mark.literal, place]);
      continue;
    }
    const places = byLine.get(mark.line);
    if (places) places.push(place);
    else byLine.set(mark.line, [place]);
  }
  return { byLine, byLiteral };
}

const SHIPPED = indexMarks(KNOWN);
const SPACE = 32;

/** The templates whose marks stand in a text. How its lines begin is told in a third of the time that a search for literals takes. */
function markedIn(text: string, { byLine, byLiteral }: Marks): number[] {
  const marked = byLiteral.flatMap(([literal, place]) => (text.includes(literal) ? place : []));
  for (let start = 0, end: number; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    while (text.charCodeAt(start) === SPACE) start++;
    if (end - start >= BEGINNING) marked.push(...(byLine.get(text.slice(start, start + BEGINNING)) ?? []));
  }
  return marked;
}

/** What a template of a known client finds. */
export interface KnownFinding {
  readonly name: string;
  /** Null where what is judged is not certain. */
  readonly finding: Finding | null;
  /** Whether a text of the case holds the template's own words, so that they fit in more than one way. */
  readonly isAmbiguous: boolean;
  /** Whether all of it fits, but for an answer that is empty. */
  readonly isEmpty: boolean;
}

/**
 * The templates that fit, in their order.
 *
 * @param pages what may be read of the request; a template is of the last of them
 * @param checkpoint called between the steps; what it throws ends the reading
 * @param entries those that are shipped, where no others are given
 */
export function* findKnown(
  { parts }: Prompt,
  pages: readonly Page[],
  checkpoint: Checkpoint,
  entries: readonly KnownEntry[] = KNOWN,
): Generator<KnownFinding> {
  const marks = entries === KNOWN ? SHIPPED : indexMarks(entries);
  const marked = pages.flatMap(({ text }) => {
    checkpoint();
    return markedIn(text, marks);
  });
  const fitting: Fit[] = [];
  for (const place of [...new Set(marked)].sort((a, b) => a - b)) {
    const written = entries[place]?.written() ?? [];
    for (const known of written) {
      checkpoint();
      const here = pages.slice(-known.template.parts.length);
      const read = here.flatMap(({ part }) => parts[part] ?? []);
      const match = matchTemplate(known.template, { parts: read });
      const fit = match && { known, written, pages: here, prompt: { parts: read }, match };
      if (fit && !isTagged(fit) && mayBeWritten(fit)) fitting.push(fit);
    }
  }
  for (const fit of fitting) {
    checkpoint();
    const { known, written, pages: here, prompt, match } = fit;
    const found = findingIn(known, here, match);
    const whole = match.kind === 'slots' ? findingOf(known.template, match) : null;
    const others = written.filter((other) => other !== known);
    const doubtful =
      others.some((other) => cutsOtherwise(other, found, here, prompt)) ||
      (found !== null && fitting.some((other) => other !== fit && holdsWhole(other, found)));
    yield {
      name: known.name,
      finding: doubtful ? null : found,
      isAmbiguous: doubtful || match.kind === 'ambiguous',
      isEmpty: whole !== null && isEmpty(whole),
    };
  }
}

/** A template that fits, and the pages it was matched with. */
interface Fit {
  readonly known: Known;
  /** All ways to write its file out. */
  readonly written: readonly Known[];
  readonly pages: readonly Page[];
  readonly prompt: Prompt;
  readonly match: TemplateMatch;
}

/**
 * Whether slots of JSON hold JSON in one of the two ways to read a prompt that fits in more than one. Where they do not, the
 * document has other fields than the template's, and no text of the case holds what stands between its texts.
 */
function mayBeWritten({ known: { template }, prompt: { parts }, match }: Fit): boolean {
  const isReadable = (step: 1 | -1) =>
    template.parts.every(({ literals, slots }, n) => {
      const text = parts[n]?.text ?? '';
      const places = slotsBetween(text, literals, step) ?? [];
      return places.every(({ start, end }, slot) =>
        isWritten(text.slice(start, end), slots[slot]?.encoding ?? 'plain'),
      );
    });
  return match.kind === 'slots' || isReadable(1) || isReadable(-1);
}

/**
 * Whether an option stands in tags of its own name: another client follows this one's prompt and set them. Tags that are the
 * answer's own are not called after what the prompt calls it.
 */
function isTagged({ prompt, match }: Fit): boolean {
  return match.slots.some((slot) => {
    const { role, label } = slot;
    const text = (role === 'option' && textIn(prompt, slot)?.trim()) || '';
    return label !== '' && text.startsWith(`<${label}>`) && text.endsWith(`</${label}>`);
  });
}

/** Whether all that a reading takes to be judged was written into one text of another template that fits. */
function holdsWhole({ pages, match }: Fit, { options }: Finding): boolean {
  return match.slots.some(({ part: n, role, at, encoding }) => {
    const page = pages[n];
    // A value of JSON is a document: another template may well read what is judged out of it.
    if (!at || !page || encoding !== 'plain' || role === '*' || role === '?' || role === 'note') return false;
    return isWrittenInto(options, { ...at, part: page.part }, page.text);
  });
}

/** Whether the template with another section left out finds as many options in other places. */
function cutsOtherwise(other: Known, found: Finding | null, pages: readonly Page[], prompt: Prompt): boolean {
  const match = matchTemplate(other.template, prompt);
  const options = match?.kind === 'slots' ? (findingIn(other, pages, match)?.options ?? []) : [];
  return (
    options.length === found?.options.length &&
    options.some(({ at }, n) => {
      const one = found.options[n]?.at;
      return at.start !== one?.start || at.end !== one.end;
    })
  );
}

function findingIn(
  known: Known,
  pages: readonly Page[],
  { kind, slots, parts }: TemplateMatch,
): Finding | null {
  const placed = slots.map((slot) => ({ ...slot, part: pages[slot.part]?.part ?? 0 }));
  const finding = kind === 'slots' ? findingOf(known.template, { parts, slots: placed }) : null;
  const [option] = finding?.options ?? [];
  if (!finding || !option || isEmpty(finding)) return null;
  const { name, noun, each, usual, verdict } = known;
  const labels = finding.options.map(({ label }) => label);
  const pageOf = (part: number) => pages.find((page) => page.part === part);
  const filled = placed.flatMap(({ part, at, role, encoding }) => {
    const page = pageOf(part);
    const text = at ? page?.text.slice(at.start, at.end) : undefined;
    return page && at && text !== undefined ? [{ page, span: { part, ...at }, text, role, encoding }] : [];
  });
  if (!filled.every(({ encoding, text }) => isWritten(text, encoding))) return null;
  const questions = filled.filter(({ role }) => role === 'instruction');
  // Each side with an instruction of its own: an answer would come to stand under the other's.
  if (labels.length > 1 && new Set(questions.map(({ text }) => text)).size > 1) return null;
  const schema = filled.find(({ role }) => role === 'schema')?.text;
  const note = filled.find(({ role }) => role === 'note')?.span;
  const said = filled.flatMap(({ role, page, span, encoding }) =>
    role === 'context' ? statementsIn(page, span, encoding === 'json', labels) : [],
  );
  return {
    ...withStatements({ ...finding, context: said }, pages),
    layout: name,
    noun,
    each,
    usual,
    closed: filled.flatMap(({ role, span }) => (role === '*' || role === 'instruction' ? [] : [span])),
    // How known clients compare several is in words that the general readers know.
    ...(labels.length > 1 && !verdict && { formOf: () => null }),
    ...(note && { note: { part: note.part, offset: note.start } }),
    ...(schema !== undefined && { schema: parseJson(schema) }),
  };
}

/** Whether the one answer is empty: then a text in front of it may hold the template's last words. */
const isEmpty = ({ single, options: [option] }: Finding) =>
  single && !option?.nested && option?.at.start === option?.at.end;

function isWritten(text: string, encoding: SlotEncoding): boolean {
  if (encoding === 'json') return unescapeJson(text, 1) !== null;
  return encoding !== 'value' || parseJson(text) !== undefined;
}
