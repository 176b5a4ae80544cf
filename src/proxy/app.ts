/**
 * The proxy: judging paths go through the loop, `/remand` is our own, and everything else passes through to
 * the judge byte for byte. Free of any runtime: what it needs of one is handed in as ports.
 */
import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { ADAPTERS, type Adapter, DEFAULT_ADAPTER } from '../../adapters/index.ts';
import { InputError } from '../errors.ts';
import type { Caller } from './access/door.ts';
import { removeOwnKey } from './access/key.ts';
import type { Config } from './config.ts';
import { createErrorHandler, settleTrail } from './error-handler.ts';
import { createJudgingHandler } from './judging-handler.ts';
import { createLearner } from './learning.ts';
import { type Lease, UNLIMITED } from './limits/account-book.ts';
import { withLane } from './limits/breaker.ts';
import { createPriceTable, watchBody } from './limits/money.ts';
import { createOutboundFilter, type OutboundFilter, sealResponse } from './outbound-filter.ts';
import { createHealthRoutes, createOwnRoutes } from './own-routes.ts';
import { prefersHtml } from './pages/page.ts';
import { createReplyBreakHandler, passRequest } from './pass-request.ts';
import { FACT_HEADERS } from './proxy-facts.ts';
import type { Ports } from './proxy-ports.ts';
import { linkTo } from './query.ts';
import { RefusedError } from './refusal.ts';
import { isShortJson } from './request-body.ts';
import {
  createConfiguredRoutes,
  createCredential,
  hasDotSegment,
  matchesWildcard,
  type RoutedRequest,
  readPath,
  sendsOwnKey,
} from './upstream.ts';

/** The pages alone, for a port of their own. */
export function createPages(ports: Ports, config: Config): Hono {
  const app = new Hono();
  app.route('/remand', createOwnRoutes(ports, config));
  app.all('*', (c) => c.json({ error: { message: 'only the pages of Remand are here' } }, 404));
  return app;
}

/** What a page of an allowed origin may read of an answer, beside what it always may. */
const TOLD = [...FACT_HEADERS, 'retry-after'];

interface AdmittedRequest {
  readonly handle: (
    c: Context,
    routed: RoutedRequest,
    caller: Caller,
    lease: Lease,
    hold: (work: Promise<unknown>) => void,
  ) => Promise<Response>;
  readonly routed: RoutedRequest;
  readonly caller: Caller;
  readonly lease: Lease;
}

/**
 * @example
 * const { ports, config } = openProxy({ REMAND_MODE: 'shadow' }, {});
 * createApp(ports, config).fetch(request);
 */
export function createApp(ports: Ports, config: Config): Hono {
  const app = new Hono();
  // As people type it in a browser; a judge has nothing to show there.
  if (config.REMAND_ADMIN_PORT === undefined)
    for (const typed of ['/', '/remand/'])
      app.get(typed, (c, next) => (prefersHtml(c) ? c.redirect(linkTo(c, '/remand')) : next()));
  app.route(
    '/remand',
    config.REMAND_ADMIN_PORT === undefined ? createOwnRoutes(ports, config) : createHealthRoutes(),
  );
  const routes = createConfiguredRoutes(config, ports.judgeUrl);
  const outgoing = createOutboundFilter(config);
  const answerError = createErrorHandler(ports, config, outgoing);
  const shared = { routes, outgoing, answerError, learnFrom: createLearner(ports, config) };
  const judges = ADAPTERS.map((adapter) => ({
    adapter,
    judge: createJudgingHandler(adapter, ports, config, shared),
  }));
  const passing = passThrough(ports, outgoing, answerError);
  const most = config.REMAND_EXTRA_CALLS + config.REMAND_SAMPLES + (config.REMAND_ESCALATE?.calls ?? 0);
  const { REMAND_CORS_ORIGINS: origins } = config;
  if (origins.length > 0) app.use('*', cors({ origin: [...origins], exposeHeaders: TOLD, maxAge: 600 }));
  app.all('*', proxy);
  return app;

  async function proxy(c: Context): Promise<Response> {
    const admitted = await admit(c);
    if (admitted instanceof Response) return sealResponse(admitted);
    const { handle, routed, caller, lease } = admitted;
    /** Work that goes on behind the answer, and is paid from the same lease. */
    const held: Promise<unknown>[] = [];
    const handled = () => handle(c, routed, caller, lease, (work) => held.push(work));
    if (lease === UNLIMITED) return sealResponse(await handled());
    const end = closing(c, lease, held);
    return sealResponse(watchBody(await handled(), { end }));
  }

  /** Who asks, what for, and what pays for it; or the answer where a request goes no further. */
  async function admit(c: Context): Promise<AdmittedRequest | Response> {
    const sent = ports.target(c);
    if (hasDotSegment(sent)) {
      const error = new InputError('path', 'must have no segment "." or "..", however it is encoded');
      return answerError(c, error, ownerOf(sent), sent);
    }
    const routed = routes.ofPath(removeOwnKey(sent));
    const found = judges.find(
      ({ adapter }) =>
        adapter.speaks(c.req.method, readPath(routed.target)) &&
        (!adapter.sharesPaths || isShortJson(c.req.raw, config.REMAND_BODY_LIMIT)),
    );
    try {
      const caller = await ports.door.enter(c.req.raw, sent, 'judge');
      if (caller.id !== null && ports.audit && ports.audit.owed() > 0) await settleTrail(ports);
      if (!found) checkReach(c.req.raw, routed, caller, config);
      // Looking at what there is (models, say) is no model call.
      const lease = ['GET', 'HEAD', 'OPTIONS'].includes(c.req.method)
        ? UNLIMITED
        : await ports.limits.open(caller, found ? most : 1, c.req.raw.signal);
      return { handle: found?.judge ?? passing, routed, caller, lease };
    } catch (error) {
      return answerError(c, error, found?.adapter ?? ownerOf(routed.target), routed.target);
    }
  }

  /**
   * The lease is closed once the client has the reply, or has left. Promised to the runtime from the start: at the edge a
   * client that leaves takes everything with it that was not.
   *
   * @returns to be called when the reply has been read
   */
  function closing(c: Context, lease: Lease, held: readonly Promise<unknown>[]): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    c.req.raw.signal.addEventListener('abort', () => resolve(), { once: true });
    ports.waitUntil(async () => {
      await promise;
      await Promise.allSettled(held);
      await lease.close();
    }, c);
    return resolve;
  }
}

/**
 * A key for judgments spends the operator's key on judgments and on what the operator lists. With a judge's key of its own
 * a client goes where it likes.
 *
 * @throws RefusedError
 */
function checkReach(raw: Request, routed: RoutedRequest, { id, judgesOnly }: Caller, config: Config): void {
  const { upstream, target } = routed;
  if (!judgesOnly || upstream.key === undefined || sendsOwnKey(raw.headers, target)) return;
  const method = raw.method === 'HEAD' ? 'GET' : raw.method;
  const asked = `${method} ${readPath(target)}`;
  if (config.REMAND_PASS_PATHS.some((pattern) => matchesWildcard(pattern, asked))) return;
  throw new RefusedError(
    403,
    'scope',
    `the key ${id} may send judgments, and with the operator's key to the judge nothing else but what REMAND_PASS_PATHS lists`,
    { who: id },
  );
}

/** The most particular last: every path might be OpenAI's. */
function ownerOf(target: string): Adapter {
  return ADAPTERS.findLast((one) => one.owns(target)) ?? DEFAULT_ADAPTER;
}

/** Not logged where all is well: the judge's side has such requests in its own log, and this path is hot. */
function passThrough(
  ports: Ports,
  outgoing: OutboundFilter,
  answerError: ReturnType<typeof createErrorHandler>,
) {
  const prices = createPriceTable({});
  return async function passThrough(
    c: Context,
    routed: RoutedRequest,
    caller: Caller,
    lease: Lease,
  ): Promise<Response> {
    const { upstream, target } = routed;
    const raw = c.req.raw;
    const adapter = ownerOf(target);
    ports.metrics.passed();
    try {
      // What such a path costs cannot be read from its reply.
      if (lease.money) prices.check(null);
      lease.begin();
      const credential = createCredential(routed, adapter);
      const broken = createReplyBreakHandler(ports, c, target);
      const judgeUrl = upstream.url;
      const fetch = withLane(ports.fetch, { upstream: judgeUrl, model: null, who: caller.id });
      return await passRequest(raw, target, { fetch, judgeUrl, outgoing, credential, broken });
    } catch (error) {
      const response = await answerError(c, error, adapter, target);
      const [path, { status }] = [readPath(target), response];
      ports.log({ level: 'warn', event: 'request', method: raw.method, path, status, outcome: null });
      return response;
    }
  };
}
