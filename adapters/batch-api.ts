/** A provider's batch interface: calls that are handed over together, made within a day, and collected later. */
import type * as z from 'zod';
import { JudgeError } from '../src/http/index.ts';

/** A call in a batch. The key is its custom id: 64 hexadecimal digits, which both known interfaces take. */
export interface BatchedCall {
  readonly key: string;
  /** The request's body, byte for byte. */
  readonly request: string;
}

/** What a batch is to be made of. */
export interface BatchOrder {
  /** Path of the calls (`/v1/chat/completions`). */
  readonly path: string;
  /** Its calls as the provider's file of them, where that is uploaded first. */
  readonly file: string | null;
  readonly calls: () => readonly BatchedCall[];
  /** How many they are. */
  readonly size: number;
  /** When it was first tried to create it, in milliseconds since the epoch. */
  readonly since: number;
  /** Whether a batch of that id is known to be another one. */
  readonly taken: (id: string) => boolean;
}

/** How far a batch is. */
export interface BatchLook {
  readonly id: string;
  readonly ended: boolean;
  /** The provider's own word. */
  readonly status: string;
  /** Calls that are finished, well or not. */
  readonly done: number;
  /** Why the batch as a whole came to nothing; null where it did not, or not said. */
  readonly failure: string | null;
  /** Paths below the endpoint where its results are. */
  readonly results: readonly string[];
}

/** What became of one call. */
export type BatchOutcome = { readonly key: string } & (
  | { readonly reply: string }
  /** `passing`: another attempt may succeed. */
  | { readonly error: string; readonly passing: boolean }
);

export interface BatchApi {
  /** What one batch takes: requests, and bytes of all their lines. */
  readonly most: { readonly requests: number; readonly bytes: number };
  /** One request as a line of a batch. */
  line(call: BatchedCall, path: string): string;
  /** Brings the calls there, where that is a step before the creation; null where it is none. */
  upload(order: BatchOrder, signal: AbortSignal): Promise<string | null>;
  /** @returns its id. Asking twice makes two */
  create(order: BatchOrder, signal: AbortSignal): Promise<string>;
  /** The batch of this order, where an attempt to create it came through though its reply did not. */
  find(order: BatchOrder, signal: AbortSignal): Promise<string | null>;
  look(id: string, signal: AbortSignal): Promise<BatchLook>;
  /** The lines of one of a look's results. Not tried again: the reader begins anew. */
  lines(results: string, signal: AbortSignal): AsyncIterable<string>;
  /** A result's line; null where it cannot be read. */
  read(line: string): BatchOutcome | null;
}

/** Requests to the endpoint, with its key on each. */
export interface BatchConnection {
  /** @throws JudgeError */
  get(path: string, signal: AbortSignal): Promise<unknown>;
  /** @param again whether it may be sent twice */
  post(
    path: string,
    body: { readonly type: string; readonly bytes: Uint8Array | string },
    again: boolean,
    signal: AbortSignal,
  ): Promise<unknown>;
  /** The lines of a reply, which may be longer than memory. Not tried again: the reader begins anew. */
  lines(path: string, signal: AbortSignal): AsyncGenerator<string>;
}

/** @throws JudgeError for what is no reply of the interface */
export function parseBatchReply<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new JudgeError(
    `the endpoint's batch interface answered oddly: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
  );
}
