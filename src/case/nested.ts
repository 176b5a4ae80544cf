/** Texts within JSON strings: what they say, and how they are written there. */

import { parseJson } from '../parse-json.ts';

/**
 * @param written between the quotes, escaped so often
 * @returns null where that is no content of a JSON string
 */
export function unescapeJson(written: string, levels: number): string | null {
  let text = written;
  for (let level = 0; level < levels; level++) {
    const value = parseJson(`"${text}"`);
    if (typeof value !== 'string') return null;
    text = value;
  }
  return text;
}

/** The content of a JSON string that says `text`, so many levels deep. */
export function escapeJson(text: string, levels: number): string {
  let written = text;
  for (let level = 0; level < levels; level++) written = JSON.stringify(written).slice(1, -1);
  return written;
}

/**
 * Where what a bracket opens is closed: the place behind its own bracket, or null where none closes it before `end`. Looks at
 * brackets and strings alone, in one pass.
 *
 * @param deepest levels of nesting; null where there are more
 */
export function closingEnd(text: string, start: number, end: number, deepest: number): number | null {
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
      if (depth > deepest) return null;
      if (depth <= 0) return match.index + 1;
    }
  }
  return null;
}

/** The place behind the quotation mark that ends a JSON string; null where none does. @param from within the string */
export function stringEnd(text: string, from: number): number | null {
  const stop = /["\\]/g;
  stop.lastIndex = from;
  for (let match = stop.exec(text); match; match = stop.exec(text)) {
    if (match[0] === '"') return match.index + 1;
    stop.lastIndex = match.index + 2;
  }
  return null;
}
