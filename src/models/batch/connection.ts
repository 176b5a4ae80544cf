/** Requests to a provider's batch interface: its key on each, failures in passing tried again, results line by line. */
import type { Adapter, BatchConnection } from '../../../adapters/index.ts';
import {
  explainError,
  JudgeError,
  joinUrl,
  readLines,
  readText,
  runWithTimeout,
  sendRequest,
  TooLongError,
  withRetry,
} from '../../http/index.ts';
import type { Clock, Fetch } from '../../ports.ts';

interface ConnectionOptions {
  readonly protocol: Adapter;
  /** Base URL of the one endpoint that gets the key. */
  readonly url: string;
  readonly key: string | null;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly retries: number;
  /** For one request, uploads included, in milliseconds. */
  readonly timeoutMs: number;
}

const MAX_REPLY = 32 << 20;
const MAX_WAIT_MS = 60_000;

/** @param headers on every request, beside the credential */
export function createConnection(
  options: ConnectionOptions,
  headers: Readonly<Record<string, string>>,
): BatchConnection {
  const { protocol, clock, retries, timeoutMs } = options;
  const headersFor = (path: string, more: Readonly<Record<string, string>> = {}) => {
    const all = new Headers({ 'accept-encoding': 'identity', ...headers, ...more });
    if (options.key !== null) all.set(...protocol.credential(options.key, path));
    return all;
  };
  const asked = (
    path: string,
    init: { method: string; headers: Headers; body?: Uint8Array | string },
    tries: number,
    signal: AbortSignal,
  ) =>
    explainError(
      withRetry(
        () =>
          runWithTimeout(timeoutMs, clock, signal, async (bounded) => {
            const response = await sendRequest(options.fetch, joinUrl(options.url, path), {
              ...init,
              signal: bounded,
            });
            return parsed(
              await readText(response, { maxBytes: MAX_REPLY, again: true, signal: bounded }),
              path,
            );
          }),
        { retries: tries, maxWaitMs: MAX_WAIT_MS, signal, clock },
      ),
      { keys: [options.key], signal, clock },
    );
  return {
    get: (path, signal) => asked(path, { method: 'GET', headers: headersFor(path) }, retries, signal),
    post: (path, { type, bytes }, again, signal) =>
      asked(
        path,
        { method: 'POST', headers: headersFor(path, { 'content-type': type }), body: bytes },
        again ? retries : 0,
        signal,
      ),
    async *lines(path, signal) {
      const init = { method: 'GET', headers: headersFor(path), signal };
      const response = await explainError(sendRequest(options.fetch, joinUrl(options.url, path), init), {
        keys: [options.key],
        signal,
        clock,
      });
      if (response.body) yield* resultLines(response.body);
    },
  };
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JudgeError(`${path} answered with no JSON: ${text.slice(0, 120)}`, { retryable: true, cause });
  }
}

async function* resultLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  try {
    yield* readLines(body, MAX_REPLY);
  } catch (cause) {
    if (cause instanceof TooLongError)
      throw new JudgeError(`a line of results is longer than ${MAX_REPLY}`, { cause });
    throw new JudgeError('the results were cut off', { retryable: true, cause });
  }
}
