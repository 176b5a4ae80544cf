/**
 * Sections that some requests of a pipeline have behind what is judged, and those before had not: a reference, a note. Nothing
 * closes the last text, so a template that was learned without the section takes it for a part of that text.
 *
 * Answers have headings and labels, too. A line begins a section where it is written as a name and no other option ever had it;
 * and either its words say that it is no answer's, or it stands as the names of the options do and is the only name that was
 * ever seen there.
 */
import { linesIn } from '../layouts/lines.ts';
import type { Prompt } from '../types.ts';
import { rolesOfLabel } from '../vocabulary.ts';
import { hasWord } from './align/tokens.ts';
import type { FilledSlot, TemplateMatch } from './match.ts';
import { isFramed } from './openings.ts';

/**
 * Names at the starts of lines in what is judged, as `keyOf` writes them: in how many requests an option in front of the last had
 * each, and in how many the last one alone.
 */
export type SeenNames = Readonly<Record<string, readonly [own: number, last: number]>>;

type Match = Pick<TemplateMatch, 'parts' | 'slots'>;

/** A name at the start of a line. */
interface Name {
  /** How it is written: `##`, `:`, `<`, `【`. */
  readonly style: string;
  readonly name: string;
  readonly start: number;
  /** Line breaks in front of it, and white space behind it. */
  readonly gap: string;
}

/**
 * Whether what is judged holds the beginning of a section that the template does not know, for all that can be told.
 *
 * @param seen what was seen of the pipeline's other requests
 * @param isSettled whether the template is confirmed: before, a name that says nothing tells of no section
 */
export function holdsLateSection(
  match: Match,
  prompt: Prompt,
  seen: SeenNames = {},
  isSettled = false,
): boolean {
  const options = optionsIn(match.slots);
  const rivals = rivalsIn(options);
  // One answer may be a list of such fields.
  const mayEnd = ({ encoding }: FilledSlot) => encoding === 'json' || rivals.length > 0;
  if (options.some((option) => mayEnd(option) && holdsField(match, option, prompt))) return true;
  const last = options.at(-1);
  const names = last ? namesIn(textOf(last, prompt)) : [];
  if (!last || names.every(({ start }) => start === 0) || isClosed(match, last, options[0])) return false;
  const others = new Set(keysIn(rivals, prompt));
  const frame = namesIn(literalBeside(match, last)).at(-1);
  // A text may write what the template has in front of another slot, or behind this one.
  const known = match.parts.flatMap(({ literals }) =>
    literals.flatMap((literal, n) =>
      namesIn(literal)
        .slice(n + 1 < literals.length ? -1 : 0)
        .map(keyOf),
    ),
  );
  const isOwn = (key: string) => known.includes(key) || others.has(key) || areAnswers(seen[key]);
  const begins = (one: Name) => {
    const key = keyOf(one);
    if (one.start === 0 || isOwn(key) || names.filter((other) => keyOf(other) === key).length > 1)
      return false;
    // An answer may write a question and its sample answer, and one whose every part has a name may end in a note.
    const isAsked = names.some(({ start, name }) => start < one.start && rolesIn(name)[0] === 'instruction');
    if (isAsked && rolesIn(one.name).includes('answer')) return false;
    if (names[0]?.start === 0 && names[0].style === one.style && mayBeOwn(one.name)) return false;
    const isInFrame = frame?.style === one.style && frame.gap === one.gap;
    const isLike = (other: string) => other !== key && other.startsWith(`${one.style} `);
    const isAlone = ![...others, ...names.map(keyOf)].some(isLike);
    if (saysOther(one.name))
      return rivals.length > 0
        ? isInFrame || (isAlone && one.style !== '**')
        : isInFrame && (isSettled || !mayBeOwn(one.name));
    const isOnly = isAlone && !Object.keys(seen).some(isLike);
    return isSettled && rivals.length > 0 && isInFrame && isOnly && mayBeTitle(one.name, frame.name);
  };
  return names.some(begins);
}

/** Share of the requests with a name in which an option in front of the last has it, from which on answers have it by themselves. */
const LEAST_OWN = 0.25;

const areAnswers = ([own, last]: SeenNames[string] = [0, 0]) => own > 0 && own >= LEAST_OWN * (own + last);

/** Names that are kept, those that were seen last. */
const MOST_NAMES = 200;

/** What is seen of names with one more request. */
export function withNamesIn(seen: SeenNames = {}, { slots }: Match, prompt: Prompt): SeenNames {
  const options = optionsIn(slots);
  const own = new Set(keysIn(rivalsIn(options), prompt));
  const counts = new Map(Object.entries(seen));
  for (const key of own.union(new Set(keysIn(options.slice(-1), prompt)))) {
    const [before, last] = counts.get(key) ?? [0, 0];
    counts.delete(key);
    counts.set(key, own.has(key) ? [before + 1, last] : [before, last + 1]);
  }
  return Object.fromEntries([...counts].slice(-MOST_NAMES));
}

const optionsIn = (slots: readonly FilledSlot[]) => slots.filter(({ role }) => role === 'option');

/** All options but the last one, which may have several turns. */
const rivalsIn = (options: readonly FilledSlot[]) =>
  options.filter(({ label }) => label !== options.at(-1)?.label);

const textOf = ({ part, at }: FilledSlot, prompt: Prompt) =>
  at ? (prompt.parts[part]?.text.slice(at.start, at.end) ?? '') : '';

const keyOf = ({ style, name }: Name) => `${style} ${name.toLowerCase()}`;

const keysIn = (slots: readonly FilledSlot[], prompt: Prompt) =>
  slots.flatMap((slot) => namesIn(textOf(slot, prompt)).map(keyOf));

/** A literal beside a slot. */
function literalBeside({ parts, slots }: Match, slot: FilledSlot, behind = 0): string {
  const place = slots.filter(({ part }) => part === slot.part).indexOf(slot);
  return parts[slot.part]?.literals[place + behind] ?? '';
}

/** Whether another field begins within a string of JSON. */
function holdsField(match: Match, slot: FilledSlot, prompt: Prompt): boolean {
  const text = /":\s{0,9}"$/.test(literalBeside(match, slot).slice(-20)) ? textOf(slot, prompt) : '';
  let quote = text.indexOf('"');
  while (quote > 0 && /(?:^|[^\\])(?:\\\\)*\\$/.test(text.slice(Math.max(0, quote - 20), quote)))
    quote = text.indexOf('"', quote + 1);
  return quote >= 0 && /^"\s{0,9},\s{0,40}"[^"\n]{1,60}"\s{0,9}:/.test(text.slice(quote, quote + 200));
}

/** Whether something closes the last text: a tag, a quotation mark, the line that closes the first one, too. */
function isClosed(match: Match, last: FilledSlot, first: FilledSlot | undefined): boolean {
  const closing = (slot: FilledSlot) =>
    literalBeside(match, slot, 1)
      .split('\n')
      .find((line) => line.trim() !== '') ?? '';
  const line = closing(last);
  return (
    (line !== '' && !/^\s*(?:\n|$)/.test(literalBeside(match, last, 1))) ||
    /^\s*(?:<\/|\[(?:the )?end\b)/i.test(line) ||
    (line !== '' && first !== undefined && first !== last && closing(first) === line)
  );
}

/** Characters and lines at the end of a text that are looked at. */
const LONGEST_END = 20_000;
const MOST_LINES = 300;

/** Characters of a line that may be a name, and of white space around it. */
const LONGEST_LINE = 80;
const MOST_SPACE = 9;

const HEADING = /^(#{1,6})[^\S\n](\S[^\n]*)$/u;
const TAG = /^(<)(\p{L}[\p{L}\p{M}\p{N}_-]{0,40})>/u;
const BOLD = /^(\*\*)([^*\n]{1,60}?)[:：]?\*\*[:：]?/u;
const LABEL = /^()(\p{L}[^\n:：]{0,40})(?:：|:(?=\s|$))/u;

function namesIn(text: string): Name[] {
  const from = Math.max(0, text.length - LONGEST_END);
  return linesIn(text, { start: from, end: text.length })
    .slice(-MOST_LINES)
    .flatMap(({ start, end }): Name[] => {
      const line = text.slice(start, Math.min(end, start + LONGEST_LINE)).trimEnd();
      const found = HEADING.exec(line) ?? TAG.exec(line) ?? BOLD.exec(line) ?? LABEL.exec(line);
      if (!found && !(isFramed(line) && hasWord(line))) return [];
      const [whole, style, label = ''] = found ?? [line, line.charAt(0), line];
      const front = text.slice(Math.max(0, start - MOST_SPACE), start);
      const behind = text.slice(start + whole.length, start + whole.length + MOST_SPACE);
      const gap = `${front.length - front.trimEnd().length} ${behind.slice(0, behind.length - behind.trimStart().length)}`;
      const name = (label.match(/[\p{L}\p{M}\p{N}_'’-]+/gu) ?? []).join(' ');
      return [{ style: style || ':', name, start, gap }];
    });
}

const rolesIn = (name: string) => rolesOfLabel(name).map(([role]) => role);

/** Whether each word of a name says that it names no answer: `Reference`, `Musterlösung`, `retrieved_context`. */
function saysOther(name: string): boolean {
  const roles = rolesIn(name);
  const words = name.split(/[\s_]+/).filter(hasWord);
  return (
    roles.length >= words.length &&
    (roles.some((role) => role === 'reference' || role === 'rubric')
      ? roles.every((role) => role !== 'agent' && role !== 'instruction')
      : roles.length > 0 && roles.every((role) => role === 'context'))
  );
}

/** Whether an answer may have such a part, too: a note, no reference. */
const mayBeOwn = (name: string) => rolesIn(name).every((role) => role === 'context');

const WORD = /^[\p{L}\p{M}\p{N}_-]{1,20}$/u;

/** Whether a name that says nothing may be the title of a section: one word, in capitals as the others are, and none for an answer. */
const mayBeTitle = (name: string, like: string) =>
  WORD.test(name) &&
  (like !== like.toUpperCase() || name === name.toUpperCase()) &&
  !rolesIn(name).some((role) => role === 'answer' || role === 'agent');

/** A pipeline whose template fits a request. */
interface Fitting {
  readonly match: Match;
  readonly pipeline: { readonly requests: number; readonly names?: SeenNames };
}

/** Requests with a section that answers may have, too, before it is believed. */
const LEAST_SECTIONS = 6;
/** Share of requests in which an answer may have a section's name by chance. */
const MOST_STRAY = 0.1;

/**
 * What a template with a section and the one without it say of a request that both fit.
 *
 * @returns null where the two do not differ in a section behind what is judged
 */
export function tellsOfSection(
  { match, pipeline: { requests, names: held = {} } }: Fitting,
  { match: without, pipeline: { requests: others, names = {} } }: Fitting,
  prompt: Prompt,
): 'section' | 'answer' | 'unclear' | null {
  const options = optionsIn(match.slots);
  const last = options.at(-1);
  const [name] = last ? namesIn(literalBeside(match, last, 1).trimStart()) : [];
  const key = name && keyOf(name);
  if (!key || !keysIn(optionsIn(without.slots).slice(-1), prompt).includes(key)) return null;
  const rivals = rivalsIn(options);
  const [before, alone] = names[key] ?? [0, 0];
  const own = before + (held[key]?.[0] ?? 0);
  const isOwn = areAnswers([own, alone + requests]);
  if (isOwn && mayBeOwn(name.name)) return 'answer';
  // Whoever writes an answer may write the name of a reference into it.
  if (isOwn || own > MOST_STRAY * requests || keysIn(rivals, prompt).includes(key)) return 'unclear';
  if (!mayBeOwn(name.name)) return 'section';
  // Of one answer nothing shows that no other has such a part: more requests must have it than lack it.
  return requests >= LEAST_SECTIONS && (rivals.length > 0 || requests > others) ? 'section' : 'unclear';
}
