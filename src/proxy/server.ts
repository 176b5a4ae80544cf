/** The proxy on Node: the app behind a real server, with undici's pool and a file of traces. Thin. */
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { createPool } from '../judge/pool.ts';
import { systemClock } from '../judge/types.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { detectorsFor } from './detectors.ts';
import { judgeFor } from './judge-node.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { sqliteTraces } from './traces/sqlite.ts';
import { targetOf } from './upstream.ts';

export interface RunningServer {
  /** Where it listens: `http://127.0.0.1:8787`. */
  readonly url: string;
  /** Takes no more requests, lets the running ones end for `graceMs`, writes the last traces. */
  close(graceMs?: number): Promise<void>;
}

/** Rejects where the port is taken, a file cannot be opened, or (InputError) a setting cannot be used. */
export async function startServer(config: Config, log: Log): Promise<RunningServer> {
  const pool = createPool({
    headersTimeoutMs: config.JUDGE_TIMEOUT_MS,
    bodyTimeoutMs: config.JUDGE_TIMEOUT_MS,
  });
  const judge = await judgeFor(config, pool.fetch);
  const traces =
    config.REMAND_TRACES === 'off' ? null : sqliteTraces(config.REMAND_TRACES, config.REMAND_TRACES_KEEP);
  const after = new Set<Promise<void>>();
  const app = createApp(
    {
      ...judge,
      // Absolute-form (RFC 9112 §3.2.2) names a host, which is not the judge's.
      target: (c: Context<{ Bindings: HttpBindings }>) => targetOf(c.env.incoming.url ?? '/'),
      clock: systemClock,
      id: () => crypto.randomUUID(),
      traces,
      metrics: createMetrics(),
      log,
      waitUntil(work) {
        const { promise, resolve } = Promise.withResolvers<void>();
        after.add(promise);
        // The answer is written in this turn of the event loop; the work starts in the next one.
        setImmediate(() => work().finally(() => resolve()));
        void promise.then(() => after.delete(promise));
      },
      detector: detectorsFor(config, pool.fetch),
    },
    config,
  );
  const server = createAdaptorServer({ fetch: app.fetch, hostname: config.HOST });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.PORT, config.HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
  async function close(graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const late = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(late);
    await Promise.all(after);
    traces?.close();
    await pool.close();
  }
  let closing: Promise<void> | null = null;
  return {
    url: urlOf(server.address(), config),
    close(graceMs = 10_000) {
      closing ??= close(graceMs);
      return closing;
    },
  };
}

function urlOf(
  address: ReturnType<ReturnType<typeof createAdaptorServer>['address']>,
  { HOST }: Config,
): string {
  const port = typeof address === 'object' ? address?.port : undefined;
  const host = HOST.includes(':') ? `[${HOST}]` : HOST;
  return `http://${host}:${port}`;
}
