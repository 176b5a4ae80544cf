/** What the requests of all JSON protocols share: texts in string literals, our own field, a temperature. */
import type { Node } from 'jsonc-parser';
import type * as z from 'zod';
import type { PromptPart } from '../src/case/types.ts';
import { fieldError } from './field-error.ts';
import { type JsonSource, nodeAt, readJson, type Splice, splice, withoutMember } from './json-source.ts';
import { editSplices } from './prompt-edits.ts';
import type { JudgeRequest } from './types.ts';

/** A part of the prompt, and the string literal that holds it. */
export interface PromptText extends PromptPart {
  readonly literal: Node;
}

/**
 * A request's JSON with its places, and what a schema makes of it.
 * @throws InputError naming the field that is wrong
 */
export function checkedRequest<T>(body: string, schema: z.ZodType<T>): { source: JsonSource; sent: T } {
  const source = readJson(body);
  const parsed = schema.safeParse(source.value);
  if (!parsed.success) throw fieldError(parsed.error, source.value);
  return { source, sent: parsed.data };
}

/** The text at a path; none where there is no string. */
export function textAt(source: JsonSource, role: string, path: readonly (string | number)[]): PromptText[] {
  const literal = nodeAt(source.root, path);
  return literal && typeof literal.value === 'string' ? [{ role, text: literal.value, literal }] : [];
}

const TEMPERATURE = ['temperature'];

/** @param temperature where the protocol has its sampling temperature */
export function splicedRequest(
  source: JsonSource,
  texts: readonly PromptText[],
  temperature: readonly string[] = TEMPERATURE,
): Pick<JudgeRequest, 'prompt' | 'body' | 'edited'> {
  const own = withoutMember(source.root, 'remand');
  const literals = texts.map(({ literal }) => literal);
  return {
    prompt: { parts: texts.map(({ role, text }) => ({ role, text })) },
    body: splice(source.text, own),
    edited: (edits, options = {}) =>
      splice(source.text, [
        ...own,
        ...editSplices(source, literals, edits),
        ...(options.steady ? temperatureZero(source, temperature) : []),
      ]),
  };
}

function temperatureZero(source: JsonSource, path: readonly string[]): Splice[] {
  const node = nodeAt(source.root, path);
  if (node?.type !== 'number' || node.value === 0) return [];
  return [{ start: node.offset, end: node.offset + node.length, with: '0' }];
}

/**
 * The members of a request for rewording that it takes over: the model, where the body names it, and a
 * temperature, where the client gave one (a model that was given none may refuse one).
 */
export function modelAndTemperature(source: JsonSource): { model?: string; temperature?: 0 } {
  const model: unknown = nodeAt(source.root, ['model'])?.value;
  const steady = nodeAt(source.root, TEMPERATURE)?.type === 'number';
  return { ...(typeof model === 'string' ? { model } : {}), ...(steady ? { temperature: 0 } : {}) };
}
