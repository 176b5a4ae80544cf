/**
 * What a reader is fuzzed with: one text, so that every mutation is one of a string. It consists of records, each with
 * a letter that says what it is.
 */
import type { Prompt } from '../../../src/case/types.ts';

/** ASCII's record separator; no client sends one. */
export const SEPARATOR = '\x1e';

/** `s`, `u`, `a`: a message's text; `j`: a reply's JSON schema; `d`: a declared case; `r`: a judge's reply. */
export type RecordKind = 's' | 'u' | 'a' | 'j' | 'd' | 'r';

const ROLES: Readonly<Record<string, string>> = { s: 'system', u: 'user', a: 'assistant' };

/** What a sample says of a prompt and the reply to it. */
export interface Sampled {
  readonly prompt: Prompt;
  /** Undefined where the sample has none, or one that is no JSON. */
  readonly schema: unknown;
  readonly declared: unknown;
  readonly reply: string;
}

export function written(records: readonly (readonly [kind: RecordKind, text: string])[]): string {
  return records.map(([kind, text]) => kind + text.replaceAll(SEPARATOR, ' ')).join(SEPARATOR);
}

export function sampled(sample: string): Sampled {
  const records = sample.split(SEPARATOR).map((record) => [record[0] ?? 'u', record.slice(1)] as const);
  const last = (kind: RecordKind) => records.findLast(([one]) => one === kind)?.[1];
  return {
    prompt: {
      parts: records.flatMap(([kind, text]) => {
        const role = ROLES[kind];
        return role === undefined ? [] : [{ role, text }];
      }),
    },
    schema: jsonOr(last('j')),
    declared: jsonOr(last('d')),
    reply: last('r') ?? '',
  };
}

function jsonOr(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
