/**
 * From delimiters to bodies: the text of each option without the white space around it, so that exchanging
 * two bodies leaves the separators where they are.
 */

import type { Span } from '../types.ts';
import type { Page } from './layout.ts';
import { trimRange } from './lines.ts';

/** A point between two characters of a page. */
export interface Point {
  readonly page: Page;
  readonly offset: number;
}

export const contains = (outer: Span, inner: Span) =>
  outer.part === inner.part && outer.start <= inner.start && inner.end <= outer.end;

/** Whether `a` stands before `b` in the request. */
export function before(a: Point, b: Point): boolean {
  return a.page.part !== b.page.part ? a.page.part < b.page.part : a.offset < b.offset;
}

/**
 * The stretch from one delimiter to the next, which may begin in one content part and go on in another.
 * @returns null where text stands in several parts: one option is one span
 */
export function stretch(pages: readonly Page[], from: Point, to: Point): Span | null {
  const pieces = pages
    .filter((page) => page.part >= from.page.part && page.part <= to.page.part)
    .map((page) => ({
      part: page.part,
      start: page.part === from.page.part ? from.offset : page.start,
      end: page.part === to.page.part ? to.offset : page.end,
      text: page.text,
    }));
  const written = pieces.filter(({ text, start, end }) => text.slice(start, end).trim() !== '');
  const piece = written.length === 0 ? pieces[0] : written[0];
  if (!piece || written.length > 1 || piece.start > piece.end) return null;
  return { part: piece.part, start: piece.start, end: piece.end };
}

/**
 * Trims each region to its body.
 * @returns null where one is empty (a system that gave no answer): nothing tells where in its region the text would stand
 */
export function bodies(pages: readonly Page[], regions: readonly Span[]): Span[] | null {
  const textOf = (part: number) => pages.find((page) => page.part === part)?.text ?? '';
  const found = regions.map((region) => ({
    part: region.part,
    ...trimRange(textOf(region.part), region),
  }));
  return found.every(({ start, end }) => end > start) ? found : null;
}
