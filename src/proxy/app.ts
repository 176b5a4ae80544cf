/**
 * The proxy: judging paths go through the loop, `/remand` is our own, and everything else passes through to
 * the judge byte for byte. Free of any runtime: what it needs of one is handed in as ports.
 */
import { type Context, Hono } from 'hono';
import { anthropicMessages } from '../../adapters/anthropic-messages.ts';
import { gemini } from '../../adapters/gemini.ts';
import { huggingface } from '../../adapters/huggingface.ts';
import { openaiChat } from '../../adapters/openai-chat.ts';
import { openaiCompletions } from '../../adapters/openai-completions.ts';
import { openaiResponses } from '../../adapters/openai-responses.ts';
import type { Adapter } from '../../adapters/types.ts';
import { isShortJson } from './body.ts';
import type { Config } from './config.ts';
import { errorResponse } from './errors.ts';
import { judging } from './judging.ts';
import { ownRoutes } from './own-routes.ts';
import { pass } from './pass.ts';
import type { Ports } from './ports.ts';
import { operatorKeys, redactor } from './secrets.ts';
import { pathOf } from './upstream.ts';
import { createRoutes, credentialOf, type Routed, type UpstreamRule } from './upstreams.ts';

/** Wire protocols whose judgments are debiased; the first is also the form of our errors on other paths. */
const ADAPTERS: readonly [Adapter, ...Adapter[]] = [
  openaiChat,
  openaiResponses,
  openaiCompletions,
  anthropicMessages,
  gemini,
  huggingface,
];

export function createApp(ports: Ports, config: Config): Hono {
  const app = new Hono();
  app.route('/remand', ownRoutes(ports));
  const routes = createRoutes(config.REMAND_UPSTREAMS.map(asRule), {
    url: ports.judgeUrl,
    key: config.JUDGE_API_KEY,
  });
  const judges = ADAPTERS.map((adapter) => ({ adapter, judge: judging(adapter, ports, config, routes) }));
  const passing = passThrough(ports, config);
  app.all('*', function proxy(c) {
    const routed = routes.ofPath(ports.target(c));
    const found = judges.find(
      ({ adapter }) =>
        adapter.speaks(c.req.method, pathOf(routed.target)) &&
        (!adapter.sharesPaths || isShortJson(c.req.raw, config.REMAND_BODY_LIMIT)),
    );
    return found ? found.judge(c, routed) : passing(c, routed);
  });
  return app;
}

function asRule({ url, path, model, key }: Config['REMAND_UPSTREAMS'][number]): UpstreamRule {
  return { url, path, model, key };
}

/** Not logged where all is well: the judge's side has such requests in its own log, and this path is hot. */
function passThrough(ports: Ports, config: Config) {
  return async function passThrough(c: Context, routed: Routed): Promise<Response> {
    const { upstream, target } = routed;
    const raw = c.req.raw;
    // The most particular last: every path might be OpenAI's.
    const adapter = ADAPTERS.findLast((one) => one.owns(target)) ?? ADAPTERS[0];
    ports.metrics.passed();
    try {
      const credential = credentialOf(routed, adapter);
      return await pass(raw, target, { fetch: ports.fetch, judgeUrl: upstream.url, credential });
    } catch (error) {
      const path = pathOf(target);
      const redact = redactor(raw.headers, operatorKeys(config));
      const fault = (message: string) =>
        ports.log({ level: 'error', event: 'fault', path, message: redact(message) });
      const clientGone = raw.signal.aborted;
      const response = errorResponse(error, { adapter, clientGone, redact, fault });
      const { status } = response;
      ports.log({ level: 'warn', event: 'request', method: raw.method, path, status, outcome: null });
      return response;
    }
  };
}
