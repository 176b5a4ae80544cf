/**
 * A JSON text that is changed by splicing, never by parsing and writing it again: numbers, key order,
 * white space and fields nobody here has heard of stay as the client sent them, byte for byte.
 */
import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { InputError } from '../src/case/errors.ts';

/** A parsed JSON text with the place of everything in it. */
export interface JsonSource {
  readonly text: string;
  readonly value: unknown;
  readonly root: Node;
}

/** Replace the UTF-16 code units `[start, end)` of a text. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly with: string;
}

/** Deeper than any request or schema goes; the position-keeping parser is recursive, so a bound is needed. */
export const MAX_DEPTH = 512;

/**
 * @param field the name an error gives to the text as a whole
 * @throws InputError with the position of the first syntax error, or where it is nested too deeply
 */
export function readJson(text: string, field = 'body'): JsonSource {
  const deep = tooDeepAt(text);
  if (deep !== null) {
    throw new InputError(field, `nested deeper than ${MAX_DEPTH} levels at position ${deep}`);
  }
  const value = parseStrictly(text, field);
  const root = parseTree(text, [], { disallowComments: true });
  if (!root) throw new InputError(field, 'is empty');
  return { text, value, root };
}

function parseStrictly(text: string, field: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const at = syntaxErrorAt(text, cause.message);
    const before = text.slice(0, at).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new InputError(field, `not valid JSON at position ${at} (line ${before.length}, column ${column})`);
  }
}

/** V8 says where for most errors only; the tolerant parser says it for the others. */
function syntaxErrorAt(text: string, message: string): number {
  const said = /at position (\d+)/.exec(message)?.[1];
  if (said !== undefined) return Number(said);
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  return errors[0]?.offset ?? text.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Position of the first bracket that opens a level too many, null where none does. */
function tooDeepAt(text: string): number | null {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = stringEnd(text, i);
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) return i;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
    }
  }
  return null;
}

/** Index of the quote that closes the string opened at `open`; the end of the text where none does. */
function stringEnd(text: string, open: number): number {
  let close = open;
  do {
    close = text.indexOf('"', close + 1);
    if (close < 0) return text.length;
  } while (isEscaped(text, close));
  return close;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

/** The value at a path, null where there is none. Of duplicate keys the last one counts, as in `JSON.parse`. */
export function nodeAt(root: Node, path: readonly (string | number)[]): Node | null {
  let node: Node | null = root;
  for (const step of path) {
    if (typeof step === 'number') node = node?.type === 'array' ? (node.children?.[step] ?? null) : null;
    else node = node ? member(node, step) : null;
  }
  return node;
}

function member(object: Node, key: string): Node | null {
  if (object.type !== 'object') return null;
  const property = object.children?.findLast((child) => child.children?.[0]?.value === key);
  return property?.children?.[1] ?? null;
}

/** What takes every member called `key` out of an object, with the comma that came with it. */
export function withoutMember(object: Node, key: string): Splice[] {
  const members = object.children ?? [];
  const goes = (node: Node) => node.children?.[0]?.value === key;
  const lastKept = members.findLastIndex((node) => !goes(node));
  const splices: Splice[] = [];
  for (const [index, node] of members.entries()) {
    const next = members[index + 1];
    if (goes(node) && index < lastKept && next) {
      splices.push({ start: node.offset, end: next.offset, with: '' });
    }
  }
  // The members after the last one that stays go together, with the comma before them.
  const last = members.at(-1);
  if (last && lastKept < members.length - 1) {
    const kept = members[lastKept];
    const start = kept ? kept.offset + kept.length : (members[0]?.offset ?? last.offset);
    splices.push({ start, end: last.offset + last.length, with: '' });
  }
  return splices;
}

/**
 * Applies splices, whatever order they come in; those at the same place in the order given.
 *
 * @throws RangeError where two overlap
 */
export function splice(text: string, splices: readonly Splice[]): string {
  if (splices.length === 0) return text;
  const sorted = splices.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, with: replacement } of sorted) {
    if (start < from) throw new RangeError(`edits overlap at position ${start}`);
    pieces.push(text.slice(from, start), replacement);
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces.join('');
}
