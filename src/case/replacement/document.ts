/**
 * Replies that are one JSON document and nothing else, which a client hands to its parser as they are: a new one
 * must be readable wherever the first one was.
 */
import { conforms } from './conforms.ts';

/**
 * @param schema the reply's JSON schema as the request demands it; null where there is none
 * @returns whether `text` is as good a document as `first`, which may itself break the schema: not every
 *   endpoint enforces it
 */
export function standsInFor(text: string, first: string, schema: unknown): boolean {
  const before = documentIn(first, schema);
  const now = documentIn(text, schema);
  if (now.standing < before.standing) return false;
  if (before.standing === 0 || namesFields(schema)) return true;
  // No schema says what the client reads: then it is what the first reply had, on one line where that was on one
  // (promptfoo's g-eval takes nothing else).
  const has = new Set(now.fields);
  return before.fields.every((field) => has.has(field)) && (isOneLine(text) || !isOneLine(first));
}

interface Document {
  /** 0: no document; 1: one that breaks the schema; 2: one that does not, as far as can be told. */
  readonly standing: 0 | 1 | 2;
  /** Names of its fields. */
  readonly fields: readonly string[];
}

function documentIn(text: string, schema: unknown): Document {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return { standing: 0, fields: [] };
  }
  // A bare number or word may be JSON by accident, where no schema demands it.
  if (typeof value !== 'object' || value === null)
    return { standing: conforms(value, schema) === true ? 2 : 0, fields: [] };
  return { standing: conforms(value, schema) === false ? 1 : 2, fields: Object.keys(value) };
}

function namesFields(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'properties' in schema;
}

function isOneLine(text: string): boolean {
  return !text.trim().includes('\n');
}
