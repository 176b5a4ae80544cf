/** The proxy on Node: the app behind a real server, with undici's pool and a file of traces. Thin. */
import { createAdaptorServer } from '@hono/node-server';

import type { Config } from './config.ts';
import { createRegistry } from './exposition.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createNodeApp } from './node-app.ts';
import { countProcess } from './process-metrics.ts';
import { openStorage } from './storage/node.ts';

export interface RunningServer {
  /** Where it listens: `http://127.0.0.1:8787`. */
  readonly url: string;
  /** Takes no more requests, lets the running ones end for `graceMs`, writes the last traces. */
  close(graceMs?: number): Promise<void>;
}

/** How often connections that have become idle are closed while the server stops, in milliseconds. */
const IDLE_MS = 50;

/**
 * How long an idle connection is kept, in milliseconds: longer than load balancers (60 s) and most clients keep theirs,
 * for who closes first does so, now and then, on a request that is on its way (RFC 9112 §9.5), and Node's 5 s are
 * also over after a long piece of work, before the request that came meanwhile is read.
 */
const KEPT_MS = 75_000;

/** Rejects where the port is taken, a file cannot be opened, or (InputError) a setting cannot be used. */
export async function startServer(config: Config, log: Log): Promise<RunningServer> {
  const storage = openStorage(config);
  const registry = createRegistry();
  countProcess(registry);
  const after = new Set<Promise<void>>();
  const lasting = {
    metrics: createMetrics(registry),
    log,
    waitUntil(work: () => Promise<void>) {
      const { promise, resolve } = Promise.withResolvers<void>();
      after.add(promise);
      // The answer is written in this turn of the event loop; the work starts in the next one.
      setImmediate(() => work().finally(() => resolve()));
      void promise.then(() => after.delete(promise));
    },
  };
  const app = await createNodeApp(config, storage, lasting);
  const server = createAdaptorServer({
    fetch: app.fetch,
    hostname: config.HOST,
    serverOptions: { keepAliveTimeout: KEPT_MS },
  });
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
    // A connection that is kept alive would hold the server for as long as its client likes to.
    const idle = setInterval(
      () => 'closeIdleConnections' in server && server.closeIdleConnections(),
      IDLE_MS,
    );
    await closed;
    clearInterval(idle);
    clearTimeout(late);
    await Promise.all(after);
    storage.close();
    await app.close();
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
