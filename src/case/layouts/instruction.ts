/** The instruction that the options answer: the section labelled so or, without one, the text in front. */
import { linesIn, type Range, trimmed } from '../lines.ts';
import { looksLikeStatement } from '../statements.ts';
import type { Span } from '../types.ts';
import { before } from './bodies.ts';
import type { Page } from './layout.ts';
import type { Mark } from './marks.ts';

/** Titles of what was asked, before those of what was asked about. */
const ASKED = /^(?:question|instructions?|prompt|query|request|problem)$/;

/** A heading over the options. */
const LISTS = /^\W{0,8}(?:answer |the )?(?:choices|options|answers|candidates|outputs|responses)\W{0,4}$/i;

/**
 * @param marks every label of the prompt
 * @param options the labels of the options
 * @returns null where nothing stands in front of the options
 */
export function instructionBefore(
  pages: readonly Page[],
  marks: readonly Mark[],
  options: readonly Pick<Mark, 'page' | 'start' | 'end' | 'style'>[],
): Span | null {
  const first = options[0];
  if (!first) return null;
  const at = { page: first.page, offset: first.start };
  const ahead = marks.filter((mark) => before({ page: mark.page, offset: mark.start }, at));
  const all = ahead.filter((mark) => mark.role === 'instruction');
  const same = all.filter((mark) => mark.style === first.style);
  // A label in another style counts only where it is the only one of its sort: an instruction may well have
  // labels in it, and under headings a word with a colon is no label.
  const setOff = all.filter((mark) => mark.style !== 'colon');
  const other = setOff.length > 0 || first.style.startsWith('heading') ? setOff : all;
  const labels = same.length > 0 ? same : other.length === 1 ? other : [];
  const label = labels.find((mark) => ASKED.test(mark.noun)) ?? labels[0];
  if (!label) return textBefore(first.page, first.start);
  const next = ahead.find(
    (mark) =>
      mark.page === label.page &&
      mark.start >= label.end &&
      mark.style === label.style &&
      mark.role !== 'instruction' &&
      mark.role !== 'option',
  );
  const end = next?.start ?? (label.page === first.page ? first.start : label.page.end);
  const span = kept(label.page, label.end, end);
  if (span) return span;
  // The label stands alone in its part, its text in the next.
  const following = pages.find((page) => page.part > label.page.part && page.part <= first.page.part);
  return following
    ? kept(following, following.start, following === first.page ? first.start : following.end)
    : null;
}

/** The text of a page in front of a point, statements left out. */
export function textBefore(page: Page, offset: number): Span | null {
  return kept(page, page.start, offset);
}

/** The range without white space around it, without statements at either end or a heading over the options. */
function kept(page: Page, start: number, end: number): Span | null {
  const lines = [...linesIn(page.text, { start, end })].filter(
    (line) => page.text.slice(line.start, line.end).trim() !== '',
  );
  const said = (line: Range | undefined) => (line ? page.text.slice(line.start, line.end).trim() : '');
  while (looksLikeStatement(said(lines.at(-1))) || LISTS.test(said(lines.at(-1)))) lines.pop();
  while (looksLikeStatement(said(lines[0]))) lines.shift();
  const [head, tail] = [lines[0], lines.at(-1)];
  if (!head || !tail) return null;
  const span = trimmed(page.text, { start: head.start, end: tail.end });
  return span.end > span.start ? { part: page.part, ...span } : null;
}
