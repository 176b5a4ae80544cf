/** Judgments of a log asked once more, as the proxy would have: in both orders, with what could sway taken out, sent back with reasons. */
import * as z from 'zod';
import { type Template, templateFile } from '../../case/index.ts';
import { describeError } from '../../errors.ts';
import { BudgetError, readText } from '../../http/index.ts';
import {
  CACHED_HEADER,
  type CallStore,
  createStoredFetch,
  isReply,
  nameEndpoint,
  type Spend,
} from '../../models/index.ts';
import type { Clock, Fetch } from '../../ports.ts';
import { createProxy } from '../../proxy/embedded.ts';
import type { ModelEndpoint } from '../open-models.ts';
import type { GivenRequest } from '../read/requests.ts';

export interface ReaskOptions {
  readonly endpoint: ModelEndpoint;
  readonly store: CallStore;
  readonly spend: Spend;
  readonly clock: Clock;
  /** By which requests are read. */
  readonly templates: readonly Template[];
  /** Settings of the proxy by their names. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What became of one judgment. `not-asked` is one for which the budget was used up. */
export interface ReaskedJudgment {
  readonly status: string;
  readonly biases: readonly string[];
  readonly calls: number;
  /** Why it failed, in words; null where it did not. */
  readonly error: string | null;
}

/** Largest reply that is read, in bytes. */
const LARGEST_REPLY = 32 << 20;
/** Nobody waits for one verdict here. */
const NO_DEADLINE_MS = 3_600_000;

/**
 * @returns asks about one judgment; where its reply is in the log, and the judge is the one that gave it, that is the first verdict
 */
export function createReasker(
  options: ReaskOptions,
): (given: GivenRequest, signal: AbortSignal) => Promise<ReaskedJudgment> {
  const { endpoint, store, spend, templates } = options;
  const logged = new Map<string, string>();
  let usedUp = false;
  const paid: Fetch = (url, init) => {
    spend.begin();
    return endpoint.fetch(url, init);
  };
  const stored = createStoredFetch(paid, {
    store,
    identify: () => ({ endpoint: nameEndpoint(endpoint.url), model: endpoint.model, attempt: 0 }),
    accept: (reply) => isReply(endpoint.protocol, reply),
  });
  const fetch: Fetch = async (url, init) => {
    const body = init.body instanceof Uint8Array ? new TextDecoder().decode(init.body) : init.body;
    if (typeof body !== 'string') return endpoint.fetch(url, init);
    const known = logged.get(body);
    if (known !== undefined) {
      logged.delete(body);
      return new Response(known, { headers: { 'content-type': 'application/json' } });
    }
    try {
      return await countTokens(await stored(url, { ...init, body }), options, init.signal);
    } catch (cause) {
      usedUp ||= cause instanceof BudgetError;
      throw cause;
    }
  };
  const proxy = createProxy(
    {
      REMAND_DEADLINE_MS: NO_DEADLINE_MS,
      ...options.settings,
      JUDGE_BASE_URL: endpoint.url,
      REMAND_LEARN: 'off',
      REMAND_BREAKER_MS: 0,
      REMAND_TEMPLATES: JSON.stringify(templates.flatMap((template) => templateFile(template) ?? [])),
    },
    { fetch, judgeUrl: endpoint.url, traces: null, log: () => {} },
  );
  return async (given, signal) => {
    if (usedUp) return { status: 'not-asked', biases: [], calls: 0, error: null };
    if (given.protocol !== endpoint.protocol.name) {
      const error = `${given.place} is a request of ${given.protocol}, and the judge speaks ${endpoint.protocol.name}`;
      return { status: 'failed', biases: [], calls: 0, error };
    }
    const { path, body, isSame } = requestFor(given, endpoint);
    if (isSame && given.response !== null) logged.set(body, given.response);
    const headers = new Headers({ 'content-type': 'application/json' });
    if (endpoint.key !== null) headers.set(...endpoint.protocol.credential(endpoint.key));
    try {
      const reply = await proxy.request(path, { method: 'POST', headers, body, signal });
      const text = await reply.text();
      // What the budget cut short says nothing of the judge.
      if (usedUp) return { status: 'not-asked', biases: [], calls: 0, error: null };
      const status = reply.headers.get('x-remand-status') ?? 'failed';
      const reason = status === 'failed-open' ? reply.headers.get('x-remand-reason') : null;
      return {
        status,
        biases: (reply.headers.get('x-remand-biases') ?? '').split(',').filter((name) => name !== ''),
        calls: Number(reply.headers.get('x-remand-calls') ?? 0),
        error: reply.ok ? reason : `${reply.status}: ${text.slice(0, 200)}`,
      };
    } catch (cause) {
      signal.throwIfAborted();
      return { status: 'failed', biases: [], calls: 0, error: describeError(cause) };
    } finally {
      logged.delete(body);
    }
  };
}

/** The request as it is sent to the judge: whole rather than as a stream, to the judge's model. */
function requestFor({ request, path }: GivenRequest, { model, protocol }: ModelEndpoint) {
  const { stream: _, stream_options: __, ...rest } = Body.parse(JSON.parse(request.body));
  const composed = protocol.compose({ model, system: null, user: '', parameters: {} });
  // A protocol that names the model in the path has none in its body.
  const named = 'model' in Body.parse(JSON.parse(composed.body));
  return {
    path: path.startsWith('/') && named ? path : composed.path,
    body: JSON.stringify(named ? { ...rest, model } : rest),
    isSame: request.model === model || request.model === '',
  };
}

const Body = z.record(z.string(), z.unknown());

/** Of what was really asked. */
async function countTokens(
  response: Response,
  { spend, endpoint }: ReaskOptions,
  signal: AbortSignal | undefined,
): Promise<Response> {
  if (response.headers.has(CACHED_HEADER) || !response.ok) return response;
  const text = await readText(response, { maxBytes: LARGEST_REPLY, again: true, ...(signal && { signal }) });
  if (isReply(endpoint.protocol, text)) spend.add(endpoint.protocol.readReply(text, false).tokens);
  return new Response(text, { status: response.status, headers: response.headers });
}
