/** Judgments of a log asked once more, as the proxy would have: in both orders, with what could sway taken out, sent back with reasons. */
import { type Template, templateFile } from '../../case/index.ts';
import { describeError } from '../../errors.ts';
import { BudgetError, readText } from '../../http/index.ts';
import type { Fetch } from '../../ports.ts';
import { createProxy } from '../../proxy/embedded.ts';
import type { GivenRequest } from '../read/requests.ts';
import { createPaidFetch, LARGEST_REPLY, type PaidEndpoint, requestFor, whyUnfit } from './judge-endpoint.ts';

export interface ReaskOptions extends PaidEndpoint {
  /** By which requests are read. */
  readonly templates: readonly Template[];
  /** Settings of the proxy by their names. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What became of one judgment. `not-asked` is one for which the budget was used up. */
export interface ReaskedJudgment {
  readonly status: string;
  readonly biases: readonly string[];
  /** Why it failed, in words; null where it did not. */
  readonly error: string | null;
}

/** Nobody waits for one verdict here. */
const NO_DEADLINE_MS = 3_600_000;

/**
 * @returns asks about one judgment; where its reply is in the log, and the judge is the one that gave it, that is the first verdict
 */
export function createReasker(
  options: ReaskOptions,
): (given: GivenRequest, signal: AbortSignal) => Promise<ReaskedJudgment> {
  const { endpoint, templates } = options;
  const logged = new Map<string, string>();
  let usedUp = false;
  const paid = createPaidFetch(options);
  const fetch: Fetch = async (url, init) => {
    const body = init.body instanceof Uint8Array ? new TextDecoder().decode(init.body) : init.body;
    const known = typeof body === 'string' ? logged.get(body) : undefined;
    if (known !== undefined && typeof body === 'string') {
      logged.delete(body);
      return new Response(known, { headers: { 'content-type': 'application/json' } });
    }
    try {
      return await paid(url, init);
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
  const end = (status: string, error: string | null): ReaskedJudgment => ({ status, biases: [], error });
  return async (given, signal) => {
    const unfit = whyUnfit(given, endpoint);
    if (unfit !== null) return end('failed', unfit);
    if (usedUp) return end('not-asked', null);
    const { path, headers, body, isSame } = requestFor(given, endpoint);
    if (isSame && given.response !== null) logged.set(body, given.response);
    try {
      const reply = await proxy.request(path, { method: 'POST', headers, body, signal });
      const text = await readText(reply, { maxBytes: LARGEST_REPLY, again: false, signal });
      // What the budget cut short says nothing of the judge.
      if (usedUp) return end('not-asked', null);
      if (!reply.ok) return end('failed', `${reply.status}: ${text.slice(0, 200)}`);
      const status = reply.headers.get('x-remand-status') ?? 'failed';
      return {
        status,
        biases: (reply.headers.get('x-remand-biases') ?? '').split(',').filter((name) => name !== ''),
        error: status === 'failed-open' ? reply.headers.get('x-remand-reason') : null,
      };
    } catch (cause) {
      signal.throwIfAborted();
      return end('failed', describeError(cause));
    } finally {
      logged.delete(body);
    }
  };
}
