/** Lines, paragraphs and trimming by offset, so that whatever is found keeps its place in the text. */

import type { Prompt, Span, TextRange } from '../types.ts';

/** What stands at a span of a prompt; nothing where it has no such part. */
export const textAt = ({ parts }: Prompt, { part, start, end }: Span): string =>
  parts[part]?.text.slice(start, end) ?? '';

/** The lines of a range, without their line ends; a `\r` before the `\n` counts as white space of the line. */
export function linesIn(text: string, { start, end }: TextRange): TextRange[] {
  const lines: TextRange[] = [];
  let from = start;
  while (from < end) {
    const newline = text.indexOf('\n', from);
    const to = newline < 0 || newline >= end ? end : newline;
    lines.push({ start: from, end: to });
    from = to + 1;
  }
  return lines;
}

/** The range less the white space at both ends; empty, at its start, where there is nothing else. */
export function trimRange(text: string, { start, end }: TextRange): TextRange {
  const slice = text.slice(start, end);
  const kept = slice.trimStart();
  if (kept === '') return { start, end: start };
  const from = end - kept.length;
  return { start: from, end: from + kept.trimEnd().length };
}

/** Runs of lines that are not blank, in order, each trimmed. */
export function paragraphsIn(text: string, range: TextRange): TextRange[] {
  const found: TextRange[] = [];
  let first: number | null = null;
  let last = range.start;
  for (const line of linesIn(text, range)) {
    if (text.slice(line.start, line.end).trim() === '') {
      if (first !== null) found.push(trimRange(text, { start: first, end: last }));
      first = null;
    } else {
      first ??= line.start;
      last = line.end;
    }
  }
  if (first !== null) found.push(trimRange(text, { start: first, end: last }));
  return found;
}

/** Where the line begins that `offset` stands in. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the line ends (before its `\n`) that `offset` stands in. */
export function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline < 0 ? text.length : newline;
}

const indentOf = (line: string) => line.length - line.trimStart().length;

/** Whether the line at an offset is a field of an entry in a list: indented below a line with a bullet or a number. */
export function isInEntry(text: string, offset: number): boolean {
  const own = indentOf(text.slice(lineStart(text, offset), lineEnd(text, offset)));
  let end = lineStart(text, offset) - 1;
  while (own > 0 && end > 0) {
    const line = text.slice(lineStart(text, end), end);
    if (line.trim() !== '' && indentOf(line) < own)
      return /^\s*(?:[-*•]|\d{1,2}[.)])\s/.test(line.slice(0, 40));
    end -= line.length + 1;
  }
  return false;
}
