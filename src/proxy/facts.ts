/** What a client is told about its judgment beside the reply: the `x-remand-*` response headers. */
import type { Status } from '../loop/types.ts';
import type { UnexaminedReason } from '../loop/unexamined.ts';
import { withHeaders } from './upstream.ts';

/** Why a request to a judging path went through as it was. */
export type PassStatus = Extract<Status, 'bypassed' | 'no-verdict' | 'failed-open'>;

export interface Facts {
  readonly status: Status;
  /** Why the verdict was not examined; null where it was. */
  readonly reason: UnexaminedReason | null;
  /** Id of the trace; null where none is kept. */
  readonly trace: string | null;
  /** Names of the biases found. */
  readonly biases: readonly string[];
  /** What the judge is sensitive to though its verdict stood: see src/detect/sensitivity.ts. Told only where there is something. */
  readonly sensitivity?: readonly string[];
  /** Names of biases whose cues were not tested, each once. Told only where there are any. */
  readonly untested?: readonly string[];
  /** Remands sent. */
  readonly rounds: number;
  /** Model calls made, failed ones and the detector's own included. */
  readonly calls: number;
}

const PREFIX = 'x-remand-';

export function formatFacts(facts: Facts): [string, string][] {
  return [
    ['x-remand-status', facts.status],
    ...(facts.reason === null ? [] : ([['x-remand-reason', facts.reason]] satisfies [string, string][])),
    ...(facts.trace === null ? [] : ([['x-remand-trace', facts.trace]] satisfies [string, string][])),
    ['x-remand-biases', facts.biases.join(',')],
    ...(facts.sensitivity?.length
      ? ([['x-remand-sensitivity', facts.sensitivity.join(',')]] satisfies [string, string][])
      : []),
    ...(facts.untested?.length
      ? ([['x-remand-untested', facts.untested.join(',')]] satisfies [string, string][])
      : []),
    ['x-remand-rounds', String(facts.rounds)],
    ['x-remand-calls', String(facts.calls)],
  ];
}

/** A request that went through as it was. */
export function createPassFacts(status: PassStatus, reason: UnexaminedReason): Facts {
  return { status, reason, trace: null, biases: [], rounds: 0, calls: 1 };
}

/** The reply itself with the facts added or, where its headers are immutable (a fetched reply's at the edge), a copy. */
export function withFacts(response: Response, facts: Facts): Response {
  try {
    for (const [name, value] of formatFacts(facts)) response.headers.set(name, value);
    return response;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const headers = new Headers(response.headers);
    for (const [name, value] of formatFacts(facts)) headers.set(name, value);
    return withHeaders(response, headers);
  }
}

/** An error with the id of the trace that tells of it. */
export function withTrace(response: Response, trace: string): Response {
  const headers = new Headers(response.headers);
  headers.set('x-remand-trace', trace);
  return withHeaders(response, headers);
}

/** The facts that a response's headers carry. */
export function readFacts(headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => name.startsWith(PREFIX));
}
