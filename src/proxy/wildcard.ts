/** Patterns with `*` for any run of characters, in model names and paths. */

/**
 * Each part between two stars is taken where it stands first, and none is ever taken again, so a text costs no more than
 * its length times the pattern's.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  const end = text.length - last.length;
  if (!text.startsWith(first) || end < first.length || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
