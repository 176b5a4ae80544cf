/** Reads the JSON of a judge's reply: short lists, raw values with their place, reasoning beside the answer. */

import * as z from 'zod';
import { InputError } from '../src/errors.ts';
import { JudgeError } from '../src/http/index.ts';
import { parseJson } from '../src/parse-json.ts';
import {
  findNode,
  type JsonSource,
  parseJsonSource,
  replaceNode,
  type Splice,
  splice,
} from './json-source.ts';
import type { JudgeReply } from './types.ts';

/** What a document holds that is no reply of its protocol: an error inside a 200, or another task's. It is passed on. */
export const NO_REPLY: JudgeReply = { texts: [], finish: null, usage: null, tokens: null };

/** @throws JudgeError where it is no JSON, or nested too deeply: the reply's fault, not the request's */
export function readReplyJson(json: string): JsonSource {
  try {
    return parseJsonSource(json, 'the reply');
  } catch (cause) {
    if (cause instanceof InputError) throw new JudgeError(cause.message, { cause });
    throw cause;
  }
}

/** The JSON text of the value at a path; empty where there is none. */
export function readRawJson(json: string, path: readonly (string | number)[]): string {
  const node = findNode(readReplyJson(json).root, path);
  return node ? json.slice(node.offset, node.offset + node.length) : '';
}

/**
 * Each answer of a reply as a reply of its own: the others are cut out of the list, and it has the place of the first.
 *
 * @param list the member that holds the answers
 * @throws JudgeError where the reply is no JSON
 */
export function separateAnswers(reply: string, list: string): string[] {
  const items = findNode(readReplyJson(reply).root, [list])?.items ?? [];
  const first = items[0];
  const last = items.at(-1);
  if (!first || !last) return [];
  const place = findNode(first, ['index']);
  return items.map((kept) => {
    const own = findNode(kept, ['index']);
    const moved: Splice[] =
      own && place ? [replaceNode(own, reply.slice(place.offset, place.offset + place.length))] : [];
    return splice(reply, [
      { start: first.offset, end: kept.offset, with: '' },
      ...moved,
      { start: kept.offset + kept.length, end: last.offset + last.length, with: '' },
    ]);
  });
}

/** More than any endpoint gives; each element of a list is checked, which takes some microseconds. */
const MOST = 4_096;

/** A list that is looked at only where it has at most 4,096 elements; a longer one is of another form. */
export const few = <T extends z.ZodType>(element: T) =>
  z.custom<unknown[]>((list) => Array.isArray(list) && list.length <= MOST).pipe(z.array(element));

/** Whether a text can stand where a protocol has a JSON object as it is, not as a string: a tool's input. */
export function isJsonObject(text: string): boolean {
  return /^\s*\{/.test(text) && parseJson(text) !== undefined;
}

/** Fields by which a reply tells which model gave it; of another form, they tell nothing. */
export const servedFields = {
  model: z.string().nullish().catch(null),
  system_fingerprint: z.string().nullish().catch(null),
};

/** Longest name of a model that is kept: an endpoint may put anything there. */
const LONGEST_SERVED = 200;

/** @param fingerprint of the system that the model ran on */
export function toServedPart(
  model: string | null | undefined,
  fingerprint?: string | null,
): Pick<JudgeReply, 'served'> {
  const named = [model, fingerprint].filter((one) => one != null && one !== '').join(' ');
  return named === '' ? {} : { served: named.slice(0, LONGEST_SERVED) };
}

/** @param said of the first choice, however many pieces it came in; empty for none */
export function toReasoningPart(said: string): Pick<JudgeReply, 'reasoning'> {
  return said.trim() === '' ? {} : { reasoning: said };
}
