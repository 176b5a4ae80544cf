/** JSON that may be none, and what it may hold. */

/** @returns undefined where the text is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** Editors and clients of some systems put a byte-order mark first. It is no part of the JSON, and a reader may ignore it (RFC 8259 §8.1). */
export function dropByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** Whether a value of JSON is an object, as an array is none. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
