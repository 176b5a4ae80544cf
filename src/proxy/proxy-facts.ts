/** What a client is told beside the reply: facts as data, which become the `x-remand-*` response headers here alone. */
import * as z from 'zod';
import { judgmentFacts } from '../judgment/index.ts';
import { withHeaders } from './upstream.ts';

export const proxyFacts = judgmentFacts.extend({
  /** Id of the trace; null where none is kept. */
  trace: z.string().nullable(),
  /** Whether the answer is one that was kept. */
  cache: z.literal('hit').optional(),
});
export type Facts = z.output<typeof proxyFacts>;

/** A response and the facts that its headers tell. An error of ours may have none. */
export interface JudgmentResponse {
  readonly response: Response;
  readonly facts: Partial<Facts>;
  /** What is found out once the answer is on its way; never rejects. Missing where all is known. */
  readonly later?: Promise<Partial<Facts>>;
}

const PREFIX = 'x-remand-';

const HEADERS = Object.entries(proxyFacts.shape).map(
  ([name]) => [name as keyof Facts, `${PREFIX}${name}`] as const,
);

/** Every header that tells a fact. */
export const FACT_HEADERS = HEADERS.map(([, header]) => header);

/** A fact with nothing in it has no header; but the biases have one, which says that none was found. */
export function formatFacts(facts: Partial<Facts>): [string, string][] {
  const told: [string, string][] = [];
  for (const [name, header] of HEADERS) {
    const value = facts[name];
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    if (text !== '' || (name === 'biases' && value !== undefined)) told.push([header, text]);
  }
  return told;
}

/** The response with the facts added or, where its headers are immutable (a fetched reply's at the edge), a copy. */
export function withFacts({ response, facts }: JudgmentResponse): Response {
  const told = formatFacts(facts);
  try {
    for (const [name, value] of told) response.headers.set(name, value);
    return response;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const headers = new Headers(response.headers);
    for (const [name, value] of told) headers.set(name, value);
    return withHeaders(response, headers);
  }
}
