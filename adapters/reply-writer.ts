/** An answer of ours, written as a real endpoint writes its replies: the sandbox and recorded judges answer with it. */
import type { SampledToken } from '../src/case/index.ts';
import type { Tokens } from '../src/ports.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface EndpointAnswer {
  /** The message; the arguments where the request forces a function call. */
  readonly text: string;
  readonly model: string;
  readonly fingerprint: string;
  /** The text token by token, for requests that ask for log-probabilities; missing where there is none. */
  readonly sampled?: readonly SampledToken[];
  /** Null: the reply has no usage. */
  readonly tokens: Tokens | null;
}

/** An answer, and what the request says of the form it is to have. */
export interface RequestedAnswer extends EndpointAnswer {
  /** The same for the same request. */
  readonly hash: string;
  /** How often the answer is given. */
  readonly samples: number;
  /** The request's parsed body, for what the adapter does not read. */
  readonly fields: Fields;
  /** Path and query. */
  readonly target: string;
  /** Whether a stream is asked for. */
  readonly stream: boolean;
}

export type WireReply = { readonly json: string } | { readonly events: readonly string[] };

/** The pieces of a stream: words, each with the white space before it. */
export function splitWords(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** An event that has data and no name. */
export function formatEvent(json: unknown): string {
  return `data: ${JSON.stringify(json)}\n\n`;
}

/** An event whose data repeat its name. */
export function formatNamedEvent<T extends { readonly type: string }>(event: T): string {
  return `event: ${event.type}\n${formatEvent(event)}`;
}

/** One of something for each answer. */
export function mapSamples<T>({ samples }: RequestedAnswer, one: (index: number) => T): T[] {
  return Array.from({ length: samples }, (_, index) => one(index));
}
