/**
 * Asks a judge over HTTP what the loop wants to know: a question becomes the client's own request, spliced
 * where it must differ, and the reply becomes a verdict. Free of Hono, so evaluations ask the same way.
 */
import type { Adapter, JudgeReply, JudgeRequest, Usage } from '../../adapters/types.ts';
import type { Checkpoint } from '../case/checkpoint.ts';
import type { Case } from '../case/types.ts';
import { createInFlight } from '../http/in-flight.ts';
import { JudgeError } from '../http/judge-errors.ts';
import { withRetry } from '../http/retry.ts';
import { readText, sendRequest } from '../http/send.ts';
import { runWithTimeout } from '../http/timeout.ts';
import { createAsk } from '../judgment/ask.ts';
import type { Ask } from '../loop/types.ts';
import type { Ledger } from '../models/ledger.ts';
import type { CallKind, Clock, Fetch, Rewrite, RewritePrompt, Tokens } from '../ports.ts';

/** A judge's endpoint, and how to call it. */
export interface JudgeEndpoint {
  readonly fetch: Fetch;
  /** Where judgments are asked for, query included. */
  readonly url: string;
  /** For the client's own request. */
  readonly headers: Headers;
  /** For the calls that are added to it. */
  readonly addedHeaders: Headers;
  /** For one call, its reply read to the end, in milliseconds. */
  readonly timeoutMs: number;
  /** Largest reply taken. */
  readonly maxBytes: number;
  /** Largest reply that is looked at, in bytes; a larger one is handed on without a verdict. */
  readonly readBytes: number;
  /** Retries of an added call. The client's own request is never retried: its client does that. */
  readonly retries: number;
  /** Longest wait before a retry, in milliseconds. */
  readonly maxWaitMs: number;
  readonly clock: Clock;
}

/** A reply to be handed on. */
export interface EndpointReply {
  readonly kind: CallKind;
  readonly status: number;
  readonly headers: Headers;
  /** The body as received; UTF-8 in, so encoding it again gives the same bytes. */
  readonly text: string;
  /** Whether a stream of server-sent events was asked for. */
  readonly stream: boolean;
  readonly usage: Usage | null;
  /** Body of the request it replies to. */
  readonly sent: string;
  /** Whether it was not looked at, for its length. */
  readonly tooLong: boolean;
}

export interface Asker {
  readonly ask: Ask<EndpointReply>;
  readonly rewrite: Rewrite;
  /** Every reply the judge's endpoint gave, in the order in which they came. */
  readonly replies: readonly EndpointReply[];
  /** Resolves when no call is under way: then the ledger is complete. Aborted calls end at once. */
  readonly settled: () => Promise<void>;
}

export function createAsker(options: {
  readonly adapter: Adapter;
  readonly request: JudgeRequest;
  readonly subject: Case;
  readonly endpoint: JudgeEndpoint;
  readonly ledger: Ledger;
  /** Begins the reading of a reply. */
  readonly beginReading: () => Checkpoint;
}): Asker {
  const { adapter, request, subject, endpoint, ledger, beginReading } = options;
  const replies: EndpointReply[] = [];
  const underWay = createInFlight();

  const call = (kind: CallKind, body: string, signal: AbortSignal) =>
    underWay.begin(attempts(kind, body, signal));

  function attempts(kind: CallKind, body: string, signal: AbortSignal) {
    const once = () =>
      ledger.run({ to: request.model, kind }, async () => {
        const { reply, read } = await exchange(
          adapter,
          endpoint,
          { kind, body, stream: kind === 'rewrite' ? request.streamByPath : request.stream },
          signal,
        );
        replies.push(reply);
        const bytes = () => ({ sent: lengthOf(body), received: lengthOf(reply.text) });
        return { value: { reply, read }, tokens: read.tokens, cached: false, bytes };
      });
    if (kind === 'judge') return once();
    const { retries, maxWaitMs, clock } = endpoint;
    return withRetry(once, { retries, maxWaitMs, signal, clock });
  }

  return {
    replies,
    settled: underWay.settled,
    ask: createAsk(
      subject,
      (kind, changes, signal) => {
        // The client's own request goes out as it came.
        const body = changes === null ? request.body : request.edited(changes.edits, changes);
        return call(kind, body, signal);
      },
      { schema: request.schema, tempered: request.tempered, beginReading },
    ),
    async rewrite({ system, user }, signal) {
      const { read } = await call('rewrite', request.plain(system, user), signal);
      const text = read.texts[0]?.trim() ?? '';
      if (text === '') throw new JudgeError(`${request.model} gave no text when asked to reword one`);
      return text;
    },
  };
}

/** What is known of a reply that is not looked at. */
const TOO_LONG: JudgeReply = { texts: [], finish: null, usage: null, tokens: null, tooLong: true };

/** Asks the model of a request something of our own, in one call and with the request's credentials. */
export async function askPlainly(
  adapter: Adapter,
  request: JudgeRequest,
  endpoint: JudgeEndpoint,
  { system, user }: RewritePrompt,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly tokens: Tokens | null; readonly received: number }> {
  const body = request.plain(system, user);
  const sent = { kind: 'read', body, stream: request.streamByPath } as const;
  const { reply, read } = await exchange(adapter, endpoint, sent, signal);
  return { text: read.texts[0] ?? '', tokens: read.tokens, received: lengthOf(reply.text) };
}

/** One exchange with the endpoint, bounded in time. */
function exchange(
  adapter: Adapter,
  endpoint: JudgeEndpoint,
  sent: { readonly kind: CallKind; readonly body: string; readonly stream: boolean },
  signal: AbortSignal,
) {
  const { kind, body, stream } = sent;
  return runWithTimeout(endpoint.timeoutMs, endpoint.clock, signal, async (bounded) => {
    const headers = kind === 'judge' ? endpoint.headers : endpoint.addedHeaders;
    const init = { method: 'POST', headers, body, signal: bounded };
    const response = await sendRequest(endpoint.fetch, endpoint.url, init);
    const text = await readText(response, { maxBytes: endpoint.maxBytes, signal: bounded });
    const tooLong = lengthOf(text) > endpoint.readBytes;
    const read = tooLong ? TOO_LONG : adapter.readReply(text, stream, body);
    const { usage } = read;
    const { status, headers: received } = response;
    const reply: EndpointReply = {
      kind,
      status,
      headers: received,
      text,
      stream,
      usage,
      sent: body,
      tooLong,
    };
    return { reply, read };
  });
}

/** In bytes of UTF-8. */
function lengthOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
