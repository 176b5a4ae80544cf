/** The app as the server on Node runs it, for one configuration: a further one takes its place when it is reloaded. */
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { createPool } from '../http/pool.ts';
import { createDoor } from './access/door.ts';
import { configuredKeys, type KeyTable } from './access/keys.ts';
import { accessPolicy, isLoopback } from './access/policy.ts';
import { createApp, createPages } from './app.ts';
import { localAudits } from './audits/local.ts';
import type { Config } from './config.ts';
import { detectorsFor } from './detectors.ts';
import { createIds } from './ids.ts';
import { judgeFor } from './judge-node.ts';
import { templatesFor } from './learning.ts';
import { withBreakers } from './limits/breaker.ts';
import { inProcess } from './limits/given.ts';
import { localLimits } from './limits/local.ts';
import type { UnderWay } from './limits/under-way.ts';
import type { Ports } from './ports.ts';
import type { NodeStorage } from './storage/node.ts';
import { countDropped, telemetryFor } from './telemetry/telemetry.ts';
import { templateReaderFor } from './templates/reader.ts';
import { targetOf } from './upstream.ts';

export interface NodeApp {
  readonly fetch: Hono['fetch'];
  /** Of the pages' own port; null where they have none. */
  readonly pages: Hono['fetch'] | null;
  /** Goes on with the audits that an earlier process, or an earlier configuration, left. */
  resume(): Promise<void>;
  /** Lets running calls end and closes the connections to the judges. */
  close(): Promise<void>;
}

/** What outlives a reload. */
export interface Lasting
  extends Pick<Ports, 'clock' | 'metrics' | 'log' | 'waitUntil' | 'ready' | 'templateKeeper'> {
  readonly underWay: UnderWay;
}

/** Rejects (InputError) where a setting cannot be used. */
export async function createNodeApp(
  config: Config,
  storage: NodeStorage,
  { underWay, ...lasting }: Lasting,
): Promise<NodeApp> {
  const { clock } = lasting;
  const pool = createPool({
    headersTimeoutMs: config.JUDGE_TIMEOUT_MS,
    bodyTimeoutMs: config.JUDGE_TIMEOUT_MS,
  });
  const { REMAND_BREAKER_MS: restMs } = config;
  const fetch = restMs > 0 ? withBreakers(pool.fetch, { restMs, clock }) : pool.fetch;
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
  const id = createIds(random);
  const limits = localLimits({
    book: () => storage.state().book,
    standard: config.REMAND_LIMITS,
    waitMs: config.REMAND_QUEUE_MS,
    clock,
    underWay,
  });
  // The file is opened when it is needed first.
  const keys: KeyTable = {
    find: (id) => storage.state().keys.find(id),
    list: () => storage.state().keys.list(),
    add: (record) => storage.state().keys.add(record),
    revoke: (id, time) => storage.state().keys.revoke(id, time),
  };
  const known = configuredKeys(config.REMAND_KEYS, keys);
  const judge = await judgeFor(config, fetch);
  const gated = inProcess(limits, config, underWay);
  const { audits: store } = storage;
  const { called } = lasting.metrics;
  const tools = { ...judge, config, store, keys: known, limits: gated, clock, called };
  const audits = localAudits(tools, lasting.log, id());
  const ports: Ports = {
    ...lasting,
    ...judge,
    // Absolute-form (RFC 9112 §3.2.2) names a host, which is not the judge's.
    target: (c: Context<{ Bindings: HttpBindings }>) => targetOf(c.env.incoming.url ?? '/'),
    cutOff: (c: Context<{ Bindings: HttpBindings }>) => void c.env.outgoing.destroy(),
    cpu: threadCpu,
    id,
    keys,
    random,
    limits: gated,
    audits,
    templates: templatesFor(config, id, lasting.templateKeeper.shelf),
    templateReader: templateReaderFor({
      ...{ config, fetch, clock, keeper: lasting.templateKeeper },
      ...{ metrics: lasting.metrics, log: lasting.log },
    }),
    cache: config.REMAND_CACHE_S > 0 ? storage.state().cache : null,
    traces: storage.traces,
    labels: storage.labels,
    telemetry: telemetryFor(config, {
      fetch: pool.fetch,
      clock,
      prices: config.REMAND_PRICES,
      dropped: countDropped(lasting, clock),
    }),
    audit: storage.audit,
    door: createDoor({
      keys: known,
      policy: accessPolicy(config, isLoopback(config.HOST) ? 'loopback' : 'outside'),
      origins: config.REMAND_CORS_ORIGINS,
      remember: false,
      clock,
    }),
    detector: detectorsFor(config, fetch),
  };
  const app = createApp(ports, config);
  return {
    fetch: app.fetch,
    pages: config.REMAND_ADMIN_PORT === undefined ? null : createPages(ports, config).fetch,
    async resume() {
      if (storage.hasState()) await audits.resumeAll();
    },
    async close() {
      await audits.close();
      await pool.close();
    },
  };
}

/** Milliseconds of CPU of the calling thread, in the kernel and out of it. */
function threadCpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
