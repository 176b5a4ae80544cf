/**
 * String literals of a JSON text: where each character of the decoded string stands in the raw text, and how
 * to write a new text in the way the client writes its own (`é` or `\u00e9` or `\u00E9`, `/` or `\/`).
 */
import type { JsonNode } from './json-tree.ts';

/** Maps an offset in the decoded string to the position in the raw text; both in UTF-16 code units. */
export type RawOffset = (decoded: number) => number;

/**
 * @param text the whole JSON text
 * @param node a string literal in it
 */
export function mapRawOffsets(text: string, node: JsonNode): RawOffset {
  const first = node.offset + 1;
  const end = node.offset + node.length - 1;
  // After the i-th escape sequence the decoded string is at decodedAt[i] and the raw text at rawAt[i].
  const decodedAt = [0];
  const rawAt = [first];
  let shrunk = 0;
  for (let at = text.indexOf('\\', first); at >= 0 && at < end; ) {
    // One code unit either way: \uXXXX is one half of a surrogate pair where it is an astral character.
    const length = text[at + 1] === 'u' ? 6 : 2;
    shrunk += length - 1;
    rawAt.push(at + length);
    decodedAt.push(at + length - first - shrunk);
    at = text.indexOf('\\', at + length);
  }
  return (decoded) => {
    const i = lastAtMost(decodedAt, decoded);
    return (rawAt[i] ?? first) + decoded - (decodedAt[i] ?? 0);
  };
}

/** Index of the last entry of an ascending list that is not above `limit`. */
function lastAtMost(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** How a JSON text writes characters that may be written in more than one way. */
export interface StringStyle {
  /** Non-ASCII characters as `\uXXXX`, as Python's `json.dumps` does unless told otherwise. */
  readonly ascii: boolean;
  /** `\u00E9` rather than `\u00e9`. */
  readonly upperCase: boolean;
  /** `\/` for `/`, as PHP's `json_encode` does. */
  readonly slashes: boolean;
}

/** The style of a piece of raw text. What it leaves open is answered by the whole text around it. */
export function detectStringStyle(raw: string, around: string): StringStyle {
  return {
    ascii: escapesNonAscii(raw) ?? escapesNonAscii(around) ?? false,
    upperCase: raw.includes('\\u') && /(?<!\\)(?:\\\\)*\\u(?=[0-9A-F]*[A-F])[0-9A-F]{4}/.test(raw),
    slashes: raw.includes('\\/') && /(?<!\\)(?:\\\\)*\\\//.test(raw),
  };
}

/** Whether non-ASCII is escaped; null where there is none, or both ways occur. */
function escapesNonAscii(raw: string): boolean | null {
  // An odd number of backslashes: `\\\\u00e9` is a backslash and the letters after it.
  const escaped = raw.includes('\\u') && /(?<!\\)(?:\\\\)*\\u(?!00[0-7])[0-9a-fA-F]{4}/.test(raw);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is "everything that is ASCII"
  const plain = /[^\u0000-\u007f]/.test(raw);
  return escaped === plain ? null : escaped;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is "everything that is ASCII"
const MANY_WAYS = /[^\u0000-\u007f]|\//;

/**
 * A text as it stands between the quotes of a JSON string.
 *
 * @param styled asked only where the text can be written in more ways than one: the style is a question to the whole body
 */
export function encodeInside(text: string, styled: () => StringStyle): string {
  let raw = JSON.stringify(text).slice(1, -1);
  if (!MANY_WAYS.test(text)) return raw;
  const style = styled();
  if (style.slashes) raw = raw.replaceAll('/', '\\/');
  if (!style.ascii) return raw;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is "everything that is ASCII"
  return raw.replace(/[^\u0000-\u007f]/g, (unit) => {
    const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${style.upperCase ? hex.toUpperCase() : hex}`;
  });
}
