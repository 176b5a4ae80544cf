/** Asks a judge over HTTP: one call of a judgment is one exchange with its endpoint, bounded in time and in bytes. */
import type { Adapter, JudgeReply, JudgeRequest, Usage } from '../../adapters/index.ts';
import { readText, sendRequest } from '../http/send.ts';
import { runWithTimeout } from '../http/timeout.ts';
import type { JudgeAnswer, JudgeCaller } from '../judgment/index.ts';
import type { CallKind, Clock, Fetch, RewritePrompt, Tokens } from '../ports.ts';

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
  /** How many texts it holds: one for each choice. */
  readonly texts: number;
}

/** The judge of a client's request: asked with that request, spliced where a question must differ. */
export function createHttpCaller(
  adapter: Adapter,
  request: JudgeRequest,
  endpoint: JudgeEndpoint,
): JudgeCaller<EndpointReply> {
  const { model, schema, tempered } = request;
  return {
    model,
    schema,
    tempered,
    hasOneText: ({ texts }) => texts <= 1,
    put(kind, changes, signal) {
      // The client's own request goes out as it came.
      const body = changes === null ? request.body : request.edited(changes.edits, changes);
      return exchange(adapter, endpoint, { kind, body, stream: request.stream }, signal);
    },
    plain({ system, user }, signal) {
      const sent = {
        kind: 'rewrite',
        body: request.plain(system, user),
        stream: request.streamByPath,
      } as const;
      return exchange(adapter, endpoint, sent, signal);
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
): Promise<JudgeAnswer<EndpointReply>> {
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
      texts: read.texts.length,
    };
    return { reply, read, bytes: () => ({ sent: lengthOf(body), received: lengthOf(text) }) };
  });
}

/** In bytes of UTF-8. */
function lengthOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
