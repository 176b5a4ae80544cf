/** A judge's JSON with the place of everything in it, for what is handed on as it was received: a tool's input. */
import { InputError } from '../src/errors.ts';
import { JudgeError } from '../src/http/index.ts';
import { findNode, type JsonSource, parseJsonSource } from './json-source.ts';

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
