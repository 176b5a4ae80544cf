/** Where JSON stands in a prompt: documents that begin a line, by their brackets and strings alone. */

import { closingEnd, stringEnd } from '../nested.ts';
import type { TextRange } from '../types.ts';
import type { Page } from './layout.ts';
import { linesIn } from './lines.ts';

/** Deeper nesting is nobody's case, and recursion over it could end the process. */
const DEEPEST = 64;

/**
 * Balanced `{…}` and `[…]` that begin a line, each as it ends; one pass over the text.
 *
 * @param begins what the text of a line up to such a document is
 */
export function* documentsIn(page: Page, begins = /^\s*(?=[{[])/): Generator<TextRange> {
  if (!/[{[]/.test(page.text)) return;
  let from = page.start;
  for (const line of linesIn(page.text, page)) {
    if (line.start < from) continue;
    const lead = begins.exec(page.text.slice(line.start, line.end))?.[0];
    if (lead === undefined) continue;
    const start = line.start + lead.length;
    const end = closingEnd(page.text, start, page.end, DEEPEST);
    // Not closed to the end of the text: nothing that opens later inside it is looked at.
    if (end === null) return;
    from = end;
    if (page.text.slice(start, end).includes('"')) yield { start, end };
  }
}

/** The contents of the strings in a piece of JSON. */
export function stringsIn(text: string, { start, end }: TextRange): TextRange[] {
  const found: TextRange[] = [];
  for (let at = text.indexOf('"', start); at >= 0 && at < end; ) {
    const close = stringEnd(text, at + 1);
    if (close === null || close > end) break;
    found.push({ start: at + 1, end: close - 1 });
    at = text.indexOf('"', close);
  }
  return found;
}
