/**
 * The proxy: judging paths go through the loop, `/remand` is our own, and everything else passes through to
 * the judge byte for byte. Free of any runtime: what it needs of one is handed in as ports.
 */
import { type Context, Hono } from 'hono';
import { openaiChat } from '../../adapters/openai-chat.ts';
import type { Adapter } from '../../adapters/types.ts';
import type { Config } from './config.ts';
import { errorResponse } from './errors.ts';
import { judging } from './judging.ts';
import { ownRoutes } from './own-routes.ts';
import { pass } from './pass.ts';
import type { Ports } from './ports.ts';
import { redactor } from './secrets.ts';
import { pathOf } from './upstream.ts';

/** Wire protocols whose judgments are debiased; the first is also the form of our errors on other paths. */
const ADAPTERS: readonly [Adapter, ...Adapter[]] = [openaiChat];

export function createApp(ports: Ports, config: Config): Hono {
  const app = new Hono();
  app.route('/remand', ownRoutes(ports));
  const judges = ADAPTERS.map((adapter) => ({ adapter, judge: judging(adapter, ports, config) }));
  const passing = passThrough(ports, config);
  app.all('*', function proxy(c) {
    const { method, path } = c.req;
    const found = judges.find(({ adapter }) => adapter.speaks(method, path));
    return found ? found.judge(c) : passing(c);
  });
  return app;
}

/** Not logged where all is well: the judge's side has such requests in its own log, and this path is hot. */
function passThrough(ports: Ports, config: Config) {
  const { JUDGE_API_KEY: key } = config;
  const credential = key === undefined ? null : ADAPTERS[0].credential(key);
  const to = { fetch: ports.fetch, judgeUrl: ports.judgeUrl, credential };
  return async function passThrough(c: Context): Promise<Response> {
    const raw = c.req.raw;
    const target = ports.target(c);
    ports.metrics.passed();
    try {
      return await pass(raw, target, to);
    } catch (error) {
      const path = pathOf(target);
      const redact = redactor(raw.headers, [config.JUDGE_API_KEY]);
      const fault = (message: string) =>
        ports.log({ level: 'error', event: 'fault', path, message: redact(message) });
      const clientGone = raw.signal.aborted;
      const response = errorResponse(error, { adapter: ADAPTERS[0], clientGone, redact, fault });
      const { status } = response;
      ports.log({ level: 'warn', event: 'request', method: raw.method, path, status, outcome: null });
      return response;
    }
  };
}
