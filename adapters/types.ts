/**
 * One wire protocol: how to read the prompt, the verdict's text and the usage, and how to build the request
 * that asks again. An adapter splices the bytes it was given; it never re-encodes what it merely passes on.
 */
import type { Edit, Prompt, SampledToken } from '../src/case/index.ts';
import type { Tokens } from '../src/ports.ts';
import type { BatchApi, BatchConnection } from './batch-api.ts';
import type { Fields, RequestedAnswer, WireReply } from './reply-writer.ts';

export interface Adapter {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Whether a request to this path is one of the protocol's judgments. */
  speaks(method: string, path: string): boolean;
  /**
   * Whether requests of other kinds come to the protocol's paths as well (`POST /`). There only JSON of a known
   * length is read, and what is no judgment goes on as it came.
   */
  readonly sharesPaths?: boolean;
  /** Whether a request's parsed body is of this protocol, for requests whose path is not known. */
  fits(body: Readonly<Record<string, unknown>>): boolean;
  /** Whether a path belongs to the protocol, judgments or not: it says how the operator's key is sent there. */
  owns(path: string): boolean;
  /**
   * @param body the request's JSON, as sent
   * @param target path and query it was sent to, where some protocols say the model and whether to stream
   * @throws InputError naming the field that is wrong
   */
  readRequest(body: string, target?: string): JudgeRequest;
  /**
   * @param body the reply as received: JSON, or server-sent events where the request asked for a stream
   * @param sent body of the request it replies to: some servers' replies repeat the prompt
   * @returns no texts for what is whole but no reply of this protocol (an error inside a 200)
   * @throws JudgeError where it is cut off, or no JSON
   */
  readReply(body: string, stream: boolean, sent?: string): JudgeReply;
  /** The reply's bytes with its usage raised by that of the other calls; nothing else moves. */
  withUsage(body: string, stream: boolean, added: readonly Usage[]): string;
  /** The reply's bytes with another text where its verdict stands, in every choice; nothing else moves. */
  withText(body: string, stream: boolean, text: string, sent?: string): string;
  /**
   * A reply to an edited request as the client's own would have had it: where it repeats the prompt, the client's.
   * Absent where no reply does.
   */
  repeating?(body: string, stream: boolean, sent: string, own: string): string;
  /** A request of our own, for runs that have items but no client. Never a stream. */
  compose(asked: ModelPrompt): ComposedRequest;
  /** A reply of our own, as JSON or as the events of a stream: what the sandbox and recorded judges answer. */
  write(said: RequestedAnswer): WireReply;
  /** The header in which the protocol's clients send a key to this path, and its value. */
  credential(key: string, target?: string): readonly [name: string, value: string];
  /** An error body in the protocol's own form. `field` is the request's field at fault, where there is one. */
  errorBody(status: number, message: string, field: string | null): string;
  /** An error as the last event of a stream that has already begun. */
  errorEvent(status: number, message: string): string;
}

/**
 * What a protocol can do beside a judgment, and by which names. Whoever needs to know reads it here, so that no other
 * part of the program asks for a protocol by its name.
 */
export interface Capabilities {
  /** Whether a request's parameters may have a `seed`; a server refuses a field that it does not know. */
  readonly seed: boolean;
  /**
   * The parameters that ask for log-probabilities with so many alternatives at each token; null where replies have none.
   * OpenAI's chat and vLLM give 20 alternatives at most, OpenAI's old completions and TGI 5.
   */
  readonly logProbabilities: ((alternatives: number) => Readonly<Record<string, unknown>>) | null;
  /** The parameter that limits an answer's length, in tokens. */
  readonly maxTokens: string;
  /** How a request asks for several answers at once. Null where it cannot. */
  readonly samples: {
    /** The field that says how many, as an error names it. */
    readonly field: string;
    read(fields: Fields): unknown;
    /**
     * The answers of a whole reply, each as a reply of its own that has all of its usage.
     *
     * @throws JudgeError where it is no JSON
     */
    separate(reply: string): string[];
  } | null;
  /** The interface that takes many calls at once, and the headers on each of its requests. Null where none is known. */
  readonly batches: {
    readonly headers: Readonly<Record<string, string>>;
    open(connection: BatchConnection): BatchApi;
  } | null;
  /** Headers, in lower case, in which the protocol's clients send a key. */
  readonly keyHeaders: readonly string[];
  /** Whether all of the protocol's clients skip comments (`: …`) in a stream of events. All of them skip blank lines. */
  readonly streamComments: boolean;
  /** Whose protocol it is, as OpenTelemetry's GenAI conventions name it (`gen_ai.provider.name`). */
  readonly provider: string;
}

/** What to ask a model, free of any wire protocol. */
export interface ModelPrompt {
  readonly model: string;
  /** Null for none. */
  readonly system: string | null;
  readonly user: string;
  /** Further fields, by the protocol's own names (`temperature`, `max_tokens`, `maxOutputTokens`). */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ComposedRequest {
  /** Path to be appended to the endpoint's base URL, which may end in `/v1` or not. */
  readonly path: string;
  /** Beside the credential and the content type. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface EditOptions {
  readonly steady?: boolean;
  readonly sample?: number | undefined;
  readonly count?: number | undefined;
}

/** A parsed request: what the core reads from it, and the ways to build a request that asks again. */
export interface JudgeRequest {
  readonly model: string;
  readonly stream: boolean;
  /** Whether the path alone asks for a stream, so that `plain` is answered with one, too. */
  readonly streamByPath: boolean;
  readonly prompt: Prompt;
  /** How the request itself demands the verdict (response_format, forced tool); null where only the prompt does. */
  readonly schema: unknown;
  /** The client's declared case (`remand: { case }`), checked by whoever reads it; undefined where there is none. */
  readonly declared: unknown;
  /** The request as the judge gets it: the body as sent, less our own `remand` field. */
  readonly body: string;
  /** What the client sent, parsed; null where the body was not read. */
  readonly sent: unknown;
  /**
   * The body with edits made where they stand. `steady` asks for temperature 0 where the client gave a
   * temperature (a model that was given none may refuse one), and keeps the reply out of the client's stored ones:
   * it is evidence, never an answer. `sample` asks for another sample: at temperature 1, the model's own distribution,
   * where the client gave 0, and with another seed where the client gave one.
   *
   * @param options.sample which of several, from 1
   * @param options.count how many samples to ask for at once; default 1. Only where the protocol can ask for several
   */
  edited(edits: readonly Edit[], options?: EditOptions): string;
  /** Whether the same request may be answered otherwise when it is asked again; false for greedy decoding. */
  readonly varies: boolean;
  /**
   * Whether log-probabilities of a steady reply may be on another scale than those of the client's own: some servers
   * divide logits by the temperature first, and this request asks for one that a steady one does not have.
   */
  readonly tempered: boolean;
  /** A request of its own to the same model, for rewording: same credentials and model, none of the client's format. */
  plain(system: string, user: string): string;
}

/** Token counts of one reply, by the protocol's own names (`prompt_tokens`, nested details included). */
export type Usage = Readonly<Record<string, unknown>>;

export interface JudgeReply {
  /** What the verdict is read from, one text a choice. */
  readonly texts: readonly string[];
  /**
   * Of each text its tokens as they were sampled; null for one that came without log-probabilities. Missing where
   * none came with them.
   */
  readonly sampled?: readonly (readonly SampledToken[] | null)[];
  /**
   * What the model thought before its first text, where the endpoint returns that in a place of its own. No part of
   * the answer: no verdict is ever read from it. Missing where none came.
   */
  readonly reasoning?: string;
  /** The protocol's finish reason of the first choice; null where it gave none. */
  readonly finish: string | null;
  /** That of every choice, in order, where there are several. */
  readonly finishes?: readonly (string | null)[];
  /**
   * What a client relies on beside the text, in any spelling that compares: how many choices, whether there are
   * log-probabilities, which functions are called. A re-judgment must have the shape of the first reply.
   */
  readonly shape?: string;
  /** Whether it was not looked at, for its length; then it has no texts. Missing where it was. */
  readonly tooLong?: boolean;
  readonly usage: Usage | null;
  readonly tokens: Tokens | null;
  /**
   * Which model answered, as the endpoint tells: its name and, where there is one, the fingerprint of the system that it ran on
   * (`gpt-4o-2024-08-06 fp_44709d6fcb`). Missing where it does not tell.
   */
  readonly served?: string;
}
