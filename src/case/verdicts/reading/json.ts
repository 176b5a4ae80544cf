/**
 * JSON in a reply: the whole of it, inside a fence, or in the middle of prose. Found by matching braces
 * from left to right, a few times at most, so that a reply full of open braces costs no more than any other.
 */

import { type ParseError, parse } from 'jsonc-parser';
import { isObject } from '../../../parse-json.ts';
import { type Checkpoint, unlimited } from '../../checkpoint.ts';
import { closingEnd } from '../../nested.ts';
import { isBeside } from '../../words/field-names.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface FoundJson {
  readonly objects: readonly JsonObject[];
  /** An object was never closed: the reply was cut. */
  readonly cut: boolean;
  /** The reply is JSON and nothing else, fence aside. */
  readonly whole: boolean;
}

/** Deeper nesting than a verdict could need, and shallow enough for a recursive parser. */
const MAX_DEPTH = 50;

/** A stray brace in prose may come before the object; each costs one look through the rest. */
const MAX_UNCLOSED = 4;

export function jsonIn(raw: string, checkpoint: Checkpoint = unlimited): FoundJson {
  const objects: JsonObject[] = [];
  let outside = '';
  let from = 0;
  let unclosed = 0;
  let cut = false;
  for (let open = raw.indexOf('{'); open >= 0; open = raw.indexOf('{', from)) {
    checkpoint();
    outside += raw.slice(from, open);
    const end = closingEnd(raw, open, raw.length, MAX_DEPTH);
    if (end === null) {
      cut ||= /^\{\s*(?:"|$)/.test(raw.slice(open, open + 200));
      if (++unclosed === MAX_UNCLOSED) return { objects, cut, whole: false };
      outside += '{';
      from = open + 1;
      continue;
    }
    const object = parseLeniently(raw.slice(open, end));
    if (object) objects.push(object);
    from = end;
  }
  outside += raw.slice(from);
  return { objects, cut, whole: objects.length > 0 && /^(?:```\w*)?\s*(?:```)?$/.test(outside.trim()) };
}

/** Judges write trailing commas and comments; anything else that is not JSON is not read. */
function parseLeniently(text: string): JsonObject | null {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 ? asObject(value) : null;
}

/** Null for what is no object, as an array is none. */
export function asObject(value: unknown): JsonObject | null {
  return isObject(value) ? Object.fromEntries(Object.entries(value)) : null;
}

/**
 * The values of a field by its name, in the object or, where it has none, in objects inside it; `tone.score` is the field
 * `score` in `tone`.
 */
export function fieldIn(object: JsonObject, field: string): unknown[] {
  const here = Object.entries(object).filter(([name]) => name.toLowerCase() === field.toLowerCase());
  if (here.length > 0) return here.map(([, value]) => value);
  const inObjects = (values: readonly unknown[], name: string) =>
    values.flatMap((value) => fieldIn(asObject(value) ?? {}, name));
  const found = inObjects(Object.values(object), field);
  const stop = field.indexOf('.');
  if (found.length > 0 || stop < 1) return found;
  return inObjects(fieldIn(object, field.slice(0, stop)), field.slice(stop + 1));
}

/** Top-level values that could be the verdict where the request names no field. */
export function verdictLike(object: JsonObject): unknown[] {
  return Object.entries(object)
    .filter(([name]) => !isBeside(name))
    .map(([, value]) => value);
}
