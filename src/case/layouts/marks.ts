/**
 * Labels at the start of a line, in the styles people set them: `## Answer A`, `[Response 1]`, `**Story 2:**`,
 * `Output (a): …`, `--- Response B ---`. A label ends its own line or is followed by a colon; one in the middle
 * of a sentence is not a label.
 */
import { type Checkpoint, FEW, unlimited } from '../checkpoint.ts';
import type { Span } from '../types.ts';
import type { Mark, Page } from './layout.ts';
import { linesIn, trimRange } from './lines.ts';
import { NOUNS, readOption, readTitle, singleSpaced } from './titles.ts';

/** No label is longer. A bound on what is looked at keeps reading linear in the text. */
const LONGEST = 120;

export function marksIn(page: Page, checkpoint: Checkpoint = unlimited): Mark[] {
  const marks: Mark[] = [];
  for (const [i, line] of linesIn(page.text, page).entries()) {
    if (i % FEW === 0) checkpoint();
    const { start, end } = trimRange(page.text, line);
    if (start === end) continue;
    const cut = { page, start, end, head: page.text.slice(start, Math.min(end, start + LONGEST)) };
    const mark = setOff(cut) ?? bare(cut);
    if (mark) marks.push(mark);
  }
  return marks;
}

interface Cut {
  readonly page: Page;
  readonly start: number;
  readonly end: number;
  /** The line's beginning, trimmed. */
  readonly head: string;
}

/** A label in one of the styles that are told by the line's first character. */
function setOff(cut: Cut): Mark | null {
  switch (cut.head.charAt(0)) {
    case '#':
      return heading(cut);
    case '[':
    case '<':
      return bracket(cut);
    case '*':
      return bold(cut) ?? readRuled(cut);
    case '-':
    case '=':
    case '_':
      return readRuled(cut);
    default:
      return null;
  }
}

function heading({ page, start, end, head }: Cut): Mark | null {
  const depth = /^#{1,6}/.exec(head)?.[0].length ?? 0;
  const style = `heading ${depth}`;
  if (start + head.length === end) {
    const whole = head
      .slice(depth)
      .replace(/(?<![\s#*:])[\s#*:]+$/, '')
      .replace(/^[\s*]+/, '');
    const title = readTitle(whole);
    if (title) return { ...title, page, start, end, style, label: whole };
    const byline = splitByline(whole, true);
    const signed = byline && createMark(whole, { page, start, end, style }, readTitle, byline);
    if (signed) return signed;
  }
  const colon = head.indexOf(':');
  return colon < 0
    ? null
    : createMark(head.slice(depth, colon), { page, start, end: start + colon + 1, style });
}

/** `[Response A]`, `[Submission]: …`, `<|User Prompt|>`; the rest of the line belongs to the body. */
function bracket({ page, start, head }: Cut): Mark | null {
  const match = /^(?:\[([^[\]]{1,80})\]|<\|([^|<>]{1,80})\|>):?/.exec(head);
  if (!match) return null;
  const label = match[1] ?? match[2] ?? '';
  const mark = createMark(label.replace(/^the start of /i, ''), {
    page,
    start,
    end: start + match[0].length,
    style: 'bracket',
  });
  // Options between a start and an end are read in enclosed.ts.
  return mark && (mark.role === 'judge' || mark.role === 'maybe' || mark.label === label || mark.byline)
    ? mark
    : null;
}

function bold({ page, start, head }: Cut): Mark | null {
  const match = /^\*\*([^*]{1,80}?):?\*\*:?/.exec(head);
  return match
    ? createMark(match[1] ?? '', { page, start, end: start + match[0].length, style: 'bold' })
    : null;
}

/** `--- Response A ---`, `=== Answer 1 ===`. */
function readRuled({ page, start, end, head }: Cut): Mark | null {
  const match = /^([-=*_])\1{1,40} ?([^-=*_]{1,80}) ?\1{2,40}$/.exec(head);
  return match
    ? createMark((match[2] ?? '').replace(/:\s*$/, ''), { page, start, end, style: 'ruled' })
    : null;
}

/** `Response 1: …`, or an option's name alone on its line. */
function bare({ page, start, end, head }: Cut): Mark | null {
  const colon = head.indexOf(':');
  if (colon >= 0)
    return createMark(head.slice(0, colon), { page, start, end: start + colon + 1, style: 'colon' });
  return start + head.length === end
    ? createMark(head, { page, start, end, style: 'alone' }, readOption)
    : null;
}

function createMark(
  written: string,
  at: Pick<Mark, 'page' | 'start' | 'end' | 'style'>,
  read: typeof readTitle = readTitle,
  signed = splitByline(written),
): Mark | null {
  const label = signed?.label ?? written;
  const title = read(label);
  if (signed && title?.role !== 'option') return null;
  const from = signed ? at.page.text.lastIndexOf(signed.byline, at.end - signed.byline.length) : -1;
  if (signed && from < at.start) return null;
  return (
    title && {
      ...title,
      ...at,
      ...(signed && { byline: { start: from, end: from + signed.byline.length } }),
      label: singleSpaced(label).replace(/([a-z])(\d+)$/, '$1 $2'),
    }
  );
}

/*
 * Who an option is by, said in its label: `Response A (by Dr. Jane Smith, MIT):`, `Answer 1 — written by GPT-4`.
 * It is part of how the answer is presented: where answers are exchanged it goes with its own.
 */

interface Signed {
  readonly label: string;
  readonly byline: string;
}

const MADE = '(?:written|generated|produced|authored|created|composed|submitted|answered|provided|given)';
const BYLINE = new RegExp(
  `^(.{1,60}?)\\s{0,9}(\\((?:${MADE} )?(?:by|from) [^()\\n]{1,90}\\)|(?:,|[—–-]{1,2})?\\s{0,9}${MADE} by [^\\n]{1,90}|[—–-]{1,2}\\s{0,9}(?:by|from) [^\\n]{1,90})$`,
  'i',
);

/** No byline is without one of these, and most labels are seen to have none. */
const SAYS_BY = /(?:by|from) /i;

/** In a heading, whatever stands in brackets behind the name: `# Response A [Response A was written in 1950.]`. */
const NOTE = /^(.{1,60}?)\s*(\[[^[\]\n]{1,100}\])$/;

/** @returns the label without its byline, and the byline as written; null where it has none */
function splitByline(label: string, inHeading = false): Signed | null {
  const written = label.trim();
  const noted = inHeading && written.endsWith(']') ? NOTE.exec(written) : null;
  const signed = noted && readTitle(noted[1] ?? '') ? noted : SAYS_BY.test(written) && BYLINE.exec(written);
  if (!signed) return null;
  const [, rest, byline] = signed;
  return rest === undefined || byline === undefined ? null : { label: rest, byline };
}

const NAMES = new RegExp(`\\b(?:${NOUNS})[\\s#_-]*\\(?(\\d{1,2}|[a-z])\\)?(?![\\p{L}\\p{N}])`, 'dgiu');

/**
 * What of each option's byline goes with it: all of it but its own name where it says that, which is that of the place.
 *
 * @returns as many spans for every option; null where nothing tells how bylines were to read once exchanged: one names
 *   another option, or not all name their own
 */
export function movingBylines(family: readonly Mark[]): readonly (readonly Span[])[] | null {
  if (family.every(({ byline }) => !byline)) return family.map(() => []);
  const parts = family.map(({ page, key, byline }): Span[] | null => {
    if (!byline) return [];
    const at = (start: number, end: number) => ({
      part: page.part,
      start: byline.start + start,
      end: byline.start + end,
    });
    const written = page.text.slice(byline.start, byline.end);
    const named = [...written.matchAll(NAMES)];
    if (named.some(([, name]) => name?.toLowerCase() !== key?.toLowerCase())) return null;
    const names = named.flatMap(({ indices }) => indices?.[1] ?? []);
    const cuts = [0, ...names, written.length];
    return Array.from({ length: cuts.length / 2 }, (_, i) => at(cuts[2 * i] ?? 0, cuts[2 * i + 1] ?? 0));
  });
  const whole = parts.filter((spans) => spans !== null);
  const same = whole.every(({ length }) => length === whole[0]?.length);
  return whole.length === family.length && same ? whole : null;
}
