/** What the requests of all JSON protocols share: texts in string literals, our own field, a temperature. */
import type * as z from 'zod';
import { type PromptPart, turnsIn } from '../src/case/index.ts';
import { toFieldError } from './field-error.ts';
import {
  findNode,
  type JsonSource,
  parseJsonSource,
  removeMember,
  type Splice,
  splice,
} from './json-source.ts';
import { createEditSplicer, type TextPlace } from './prompt-edits.ts';
import type { JudgeRequest } from './types.ts';

/** A part of the prompt, and its place in the string literal that holds it. */
export interface PromptText extends PromptPart, TextPlace {}

/**
 * A request's JSON with its places, and what a schema makes of it.
 * @throws InputError naming the field that is wrong
 */
export function parseRequest<T>(body: string, schema: z.ZodType<T>): { source: JsonSource; sent: T } {
  const source = parseJsonSource(body);
  const parsed = schema.safeParse(source.value);
  if (!parsed.success) throw toFieldError(parsed.error, source.value);
  return { source, sent: parsed.data };
}

/** The text at a path; none where there is no string. */
export function readTextAt(
  source: JsonSource,
  role: string,
  path: readonly (string | number)[],
): PromptText[] {
  const literal = findNode(source.root, path);
  if (literal?.type !== 'string') return [];
  // Taken from what was parsed: to unescape a long literal once more would cost as much again.
  const text = path.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), source.value);
  return [{ role, text: String(text), literal, from: 0 }];
}

/** The turns of a prompt that is one text, in which a chat template may be written out. */
export function readTurnsAt(source: JsonSource, path: readonly (string | number)[]): PromptText[] {
  return readTextAt(source, 'user', path).flatMap(({ text, literal }) =>
    turnsIn(text).map(({ role, start, end }) => ({
      role,
      text: text.slice(start, end),
      literal,
      from: start,
    })),
  );
}

/** Where most protocols have it. */
export const TEMPERATURE = ['temperature'];

/**
 * @param temperature where the protocol has its sampling temperature
 * @param least the lowest that it takes
 * @param besides what else a steady request changes: see `disableStoring`
 */
export function createEditableRequest(
  source: JsonSource,
  texts: readonly PromptText[],
  temperature: readonly string[] = TEMPERATURE,
  least = 0,
  besides: readonly Splice[] = [],
): Pick<JudgeRequest, 'prompt' | 'body' | 'edited' | 'tempered'> {
  const own = removeMember(source.root, 'remand');
  const given = findNode(source.root, temperature);
  const degrees = given?.type === 'number' ? Number(given.value) : Number.NaN;
  const lowered =
    given && degrees > least
      ? [{ start: given.offset, end: given.offset + given.length, with: String(least) }]
      : [];
  const splicesOf = createEditSplicer(source, texts);
  return {
    prompt: { parts: texts.map(({ role, text }) => ({ role, text })) },
    body: splice(source.text, own),
    tempered: isTempered(degrees, least),
    edited: (edits, options = {}) =>
      splice(source.text, [...own, ...splicesOf(edits), ...(options.steady ? [...lowered, ...besides] : [])]),
  };
}

/**
 * Servers that divide by the temperature take 0 for greedy decoding and divide by 1 there (vLLM, SGLang), so 1 and 0
 * are on one scale. One that does not take 0 divides by whatever small number it is given instead.
 *
 * @param degrees the temperature asked for; NaN for none
 */
function isTempered(degrees: number, least: number): boolean {
  return degrees > least && !(least === 0 && degrees === 1);
}

/**
 * Keeps a reply that the client never gets out of what the endpoint stores for the client.
 *
 * @param unasked whether the endpoint stores where the request does not say
 */
export function disableStoring(source: JsonSource, unasked: boolean): Splice[] {
  const node = findNode(source.root, ['store']);
  const start = source.root.offset + 1;
  if (!node) return unasked ? [{ start, end: start, with: '"store":false,' }] : [];
  const stores = node.type === 'null' ? unasked : node.value === true;
  return stores ? [{ start: node.offset, end: node.offset + node.length, with: 'false' }] : [];
}

/**
 * The members of a request for rewording that it takes over: the model, where the body names it, and a
 * temperature, where the client gave one (a model that was given none may refuse one).
 */
export function pickModelAndTemperature(source: JsonSource): { model?: string; temperature?: 0 } {
  const model: unknown = findNode(source.root, ['model'])?.value;
  const steady = findNode(source.root, TEMPERATURE)?.type === 'number';
  return { ...(typeof model === 'string' ? { model } : {}), ...(steady ? { temperature: 0 } : {}) };
}
