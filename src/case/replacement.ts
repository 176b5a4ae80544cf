/**
 * Whether a re-judgment can take the place of the reply that the client would have got: it is as good a document, its
 * label stands where the first one stood, and what stands beside its verdict agrees with it.
 */
import { conforms } from './conforms.ts';
import type { VerdictForm } from './types.ts';
import { formKindOf } from './verdicts/index.ts';
import { fieldIn, type JsonObject, jsonIn } from './verdicts/reading/json.ts';
import { ownWords } from './verdicts/reading/own-words.ts';

/**
 * For replies that are one JSON document and nothing else, which a client hands to its parser as they are.
 *
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

/**
 * Whether what stands beside the verdict agrees with it, for the client reads both: promptfoo a pass and a score,
 * openevals a score and the sentence that closes its reasoning.
 *
 * @param text a re-judgment
 * @param before the reply whose place it is to take
 */
export function companionsAgree(text: string, before: string, form: VerdictForm): boolean {
  const { field } = form;
  if (field === null) return true;
  const objects = objectsIn(text);
  const kind = formKindOf(form);
  if (!kind.isList && objects.some((object) => saysOtherwise(object, field))) return false;
  return kind.companionsAgree?.(objects, objectsIn(before), form) ?? true;
}

function objectsIn(text: string): readonly JsonObject[] {
  const words = ownWords(text);
  return 'raw' in words ? jsonIn(words.raw).objects : [];
}

const CLOSING =
  /\bthus,? the score should be:?\s*["'`*]{0,3}([^\s"'`*]{1,40}?)["'`*]{0,3}\.?["'`*]{0,3}\s*$/i;

/** The reasoning closes with another value than the field's. */
function saysOtherwise(object: JsonObject, field: string): boolean {
  const said = CLOSING.exec(fieldIn(object, 'reasoning').map(String).join('\n').slice(-400))?.[1]?.trim();
  const [value] = fieldIn(object, field);
  if (said === undefined || value === undefined) return false;
  const numbers = [said, value].map(Number);
  const number = said !== '' && typeof value !== 'boolean' && numbers.every(Number.isFinite);
  return number ? numbers[0] !== numbers[1] : said.toLowerCase() !== String(value).trim().toLowerCase();
}

/**
 * Where the client is not known, its parser may be one that takes a label only where the first reply had it: alone, on
 * the first line, or with nothing behind it.
 *
 * @returns whether the label of `text` stands in every such place where that of `first` does; true for forms whose
 *   one client is known (`rule`), as they are read by its own rule, and for fields of JSON
 */
export function keepsPlace(text: string, first: string, form: VerdictForm): boolean {
  const label = form.field === null ? formKindOf(form).labelSource?.(form) : null;
  if (!label) return true;
  // At the beginning of a sentence it may only be what the sentence is about: "Output (a) is longer, but …".
  const places = [`^(?:${label})$`, `^(?:${label})[.:]?[ \\t]*(?:\\n|$)`, `(?<![\\p{L}\\p{N}])(?:${label})$`];
  return places.every((place) => {
    const there = new RegExp(place, 'u');
    return !there.test(first.trim()) || there.test(text.trim());
  });
}
