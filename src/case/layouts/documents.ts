/** Where JSON stands in a prompt: documents that begin a line, by their brackets and strings alone. */

import type { Page } from './layout.ts';
import { linesIn, type Range } from './lines.ts';

/** Deeper nesting is nobody's case, and recursion over it could end the process. */
const DEEPEST = 64;

/** Balanced `{…}` and `[…]` that begin a line, each as it ends; one pass over the text. */
export function* documentsIn(page: Page): Generator<Range> {
  if (!/[{[]/.test(page.text)) return;
  let from = page.start;
  for (const line of linesIn(page.text, page)) {
    if (line.start < from) continue;
    const start = line.start + page.text.slice(line.start, line.end).search(/\S/);
    if (start < line.start || !/[{[]/.test(page.text.charAt(start))) continue;
    const end = balancedEnd(page, start);
    // Not closed to the end of the text: nothing that opens later inside it is looked at.
    if (end === null) return;
    from = end;
    if (page.text.slice(start, end).includes('"')) yield { start, end };
  }
}

function balancedEnd({ text, end }: Page, start: number): number | null {
  let depth = 0;
  const token = /["{}[\]]/g;
  token.lastIndex = start;
  for (let match = token.exec(text); match && match.index < end; match = token.exec(text)) {
    if (match[0] === '"') {
      const close = stringEnd(text, match.index + 1);
      if (close === null) return null;
      token.lastIndex = close;
    } else {
      depth += '{['.includes(match[0]) ? 1 : -1;
      if (depth > DEEPEST) return null;
      if (depth <= 0) return match.index + 1;
    }
  }
  return null;
}

/** The contents of the strings in a piece of JSON. */
export function stringsIn(text: string, { start, end }: Range): Range[] {
  const found: Range[] = [];
  for (let at = text.indexOf('"', start); at >= 0 && at < end; ) {
    const close = stringEnd(text, at + 1);
    if (close === null || close > end) break;
    found.push({ start: at + 1, end: close - 1 });
    at = text.indexOf('"', close);
  }
  return found;
}

function stringEnd(text: string, from: number): number | null {
  const stop = /["\\]/g;
  stop.lastIndex = from;
  for (let match = stop.exec(text); match; match = stop.exec(text)) {
    if (match[0] === '"') return match.index + 1;
    stop.lastIndex = match.index + 2;
  }
  return null;
}
