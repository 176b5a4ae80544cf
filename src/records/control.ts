/**
 * Control characters. In a name they let one entry pass for another; on a terminal they move the cursor, hide text or set the
 * window's title (CWE-150); in a log they end a line.
 */

/**
 * What changes how other text is shown: controls of ASCII and Latin-1, line and paragraph separators, and the marks that turn
 * the direction of writing (Unicode 16, §23.2 and UAX 9; CVE-2021-42574).
 */
const CONTROL = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;
const EVERY = new RegExp(CONTROL, 'gu');
/** Line feed and tab are layout: they stay. */
const SHOWN = /[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069]/gu;

/**
 * A text for a terminal or a log, in which control characters can be seen: `\u001b`. JSON stays JSON of the same value.
 *
 * @example printable('a\u001b[2Jb') // 'a\\u001b[2Jb'
 */
export function escapeControls(text: string): string {
  return text.replace(SHOWN, escapeSign);
}

/** A page of HTML in which control characters can be seen. A parser of HTML reads each of these line ends as a line feed. */
export function escapeInPage(html: string): string {
  return escapeControls(html.replace(/\r\n?/g, '\n'));
}

/** A name within a line: line feeds and tabs are escaped, too. */
export function escapeLine(name: string): string {
  return name.replace(EVERY, escapeSign);
}

function escapeSign(one: string): string {
  return `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Whether a name can be shown as it is. */
export function isPlain(name: string): boolean {
  return !CONTROL.test(name);
}

/** What is wrong with a name that is not plain. */
export const NOT_PLAIN = 'must not hold control characters';
