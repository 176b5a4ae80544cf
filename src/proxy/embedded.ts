/**
 * The proxy inside an app of your own, in any runtime:
 *
 *     app.mount('/judge', createProxy({ JUDGE_BASE_URL: 'https://api.openai.com' }).fetch);
 */
import '../runtime-check.ts';

import type { Context, Hono } from 'hono';
import { v7 } from 'uuid';
import { InputError } from '../errors.ts';
import { type Fetch, runtimeFetch, systemClock } from '../ports.ts';
import { createSandboxJudge } from '../sandbox/index.ts';
import { createDoor, decideAccessPolicy } from './access/door.ts';
import { withConfiguredKeys } from './access/key-store.ts';
import { createApp } from './app.ts';
import { type Config, readConfig, readTraceLimits } from './config.ts';
import { createDetectorFactory } from './detectors.ts';
import { createMemoryLabels } from './labels/label.ts';
import { templatesFor } from './learning.ts';
import { createBook, createMemorySpending } from './limits/account-book.ts';
import { withBreakers } from './limits/breaker.ts';
import { createAdmission } from './limits/gate.ts';
import { createLocalLimits, withConfiguredGate } from './limits/local-limits.ts';
import { withPriority } from './limits/priority.ts';
import { createJsonLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import type { Ports } from './proxy-ports.ts';
import { countDropped, createTelemetry } from './telemetry/telemetry.ts';
import { createTemplateKeeper, reportTemplates } from './templates/keeper.ts';
import { templateReaderFor } from './templates/reader.ts';
import { memoryTemplates } from './templates/store.ts';
import { createMemoryTraces } from './traces/trace-stores.ts';
import { readTarget } from './upstream.ts';

export type { TraceStore } from '../trace/index.ts';
export { createApp } from './app.ts';
export { type Config, readConfig } from './config.ts';
export { createDetectorFactory } from './detectors.ts';
export { createJsonLog, type Log, type LogEntry } from './log.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export type { Ports } from './proxy-ports.ts';
export type { D1 } from './storage/table-sql.ts';
export { createD1Traces, createMemoryTraces } from './traces/trace-stores.ts';

/** Traces kept in memory where there is no store for them; an isolate of Cloudflare's has 128 MB for everything. */
const IN_MEMORY = 200;

/**
 * The app with the runtime's own fetch and clock, the sandbox judge where no JUDGE_BASE_URL is set, traces in
 * memory and a log on the console; each of them can be handed in instead.
 *
 * @param settings by the names of the environment variables: `JUDGE_BASE_URL`, `REMAND_MODE`, …
 * @throws InputError naming the setting that cannot be used
 *
 * @example app.mount('/judge', createProxy({ JUDGE_BASE_URL: 'https://api.openai.com' }).fetch);
 */
export function createProxy(
  settings: Readonly<Record<string, unknown>> = {},
  given: Partial<Ports> = {},
): Hono {
  const { ports, config } = openProxy(settings, given);
  const { REMAND_TRACES: traces } = settings;
  if (traces !== undefined && traces !== 'off' && !given.traces)
    throw new InputError('REMAND_TRACES', `${NO_FILES}: hand in traces, or say off`);
  if (settings.REMAND_STATE !== undefined) throw new InputError('REMAND_STATE', NO_FILES);
  if (config.REMAND_CACHE_S > 0 && !given.cache)
    throw new InputError('REMAND_CACHE_S', 'needs a store for the answers: hand in a cache');
  return createApp(ports, config);
}

const NO_FILES = 'only the server on Node keeps files';

/**
 * What the app is made of. @throws InputError naming the setting that cannot be used
 *
 * @example const { ports, config } = openProxy({ REMAND_MODE: 'shadow' }, {});
 */
export function openProxy(
  settings: Readonly<Record<string, unknown>>,
  given: Partial<Ports>,
): { readonly ports: Ports; readonly config: Config } {
  const config = readConfig(settings);
  if (config.JUDGE_BASE_URL?.startsWith('recorded:') && !given.fetch)
    throw new InputError(
      'JUDGE_BASE_URL',
      'a recording is read from files, which only the server on Node does',
    );
  if (config.REMAND_ADMIN_PORT !== undefined)
    throw new InputError('REMAND_ADMIN_PORT', 'only the server on Node listens on ports');
  const { REMAND_BREAKER_MS: restMs } = config;
  const judges = withPriority(runtimeFetch, systemClock);
  const fetch = restMs > 0 ? withBreakers(judges, { restMs, clock: systemClock }) : judges;
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
  const id = () => v7({ random: random(16) });
  const book = createBook(createMemorySpending());
  const underWay = createAdmission(systemClock, id);
  const metrics = given.metrics ?? createMetrics(undefined, systemClock.now());
  const log = given.log ?? createJsonLog((line) => console.log(line));
  const templateKeeper =
    given.templateKeeper ??
    createTemplateKeeper({
      store: memoryTemplates(),
      clock: systemClock,
      ...reportTemplates({ metrics, log }),
      mayKeep: () => true,
    });
  const ports = {
    ...chooseJudge(config, fetch),
    keys: null,
    cutOff: null,
    random,
    target: (c: Context) => readTarget(c.req.raw.url),
    clock: systemClock,
    id,
    traces: createMemoryTraces({ ...readTraceLimits(config, 'isolate'), keep: IN_MEMORY }),
    labels: createMemoryLabels(),
    audit: null,
    audits: null,
    ready: async () => undefined,
    cache: null,
    templates: templatesFor(config, id, templateKeeper.shelf),
    templateKeeper,
    templateReader: templateReaderFor({
      config,
      fetch,
      keeper: templateKeeper,
      clock: systemClock,
      metrics,
      log,
    }),
    door: createDoor({
      keys: withConfiguredKeys(config.REMAND_KEYS, null),
      policy: decideAccessPolicy(config, 'embedded'),
      origins: config.REMAND_CORS_ORIGINS,
      remember: false,
      clock: systemClock,
    }),
    limits: createLocalLimits({
      book: () => book,
      standard: config.REMAND_LIMITS,
      waitMs: config.REMAND_QUEUE_MS,
      clock: systemClock,
      underWay,
    }),
    metrics,
    log,
    waitUntil: afterwards,
    detector: createDetectorFactory(config, fetch),
    ...given,
  };
  const telemetry =
    given.telemetry ??
    createTelemetry(config, {
      fetch: runtimeFetch,
      clock: ports.clock,
      prices: config.REMAND_PRICES,
      dropped: countDropped(ports, ports.clock),
    });
  const limits = withConfiguredGate(ports.limits, config, underWay);
  const traces = config.REMAND_TRACES === 'off' ? null : ports.traces;
  return { ports: { ...ports, telemetry, limits, traces }, config };
}

/**
 * The endpoint, or the sandbox where none is set.
 *
 * @example chooseJudge(readConfig({ JUDGE_BASE_URL: 'https://api.openai.com' }), fetch)
 */
export function chooseJudge(
  { JUDGE_BASE_URL: url }: Config,
  fetch: Fetch,
): Pick<Ports, 'fetch' | 'judgeUrl'> {
  return url === undefined
    ? { fetch: createSandboxJudge(), judgeUrl: 'http://sandbox.invalid' }
    : { fetch, judgeUrl: url };
}

/** At the edge work belongs to a request, or is dropped with it; elsewhere it runs on by itself. */
function afterwards(work: () => Promise<void>, c: Context): void {
  const done = work();
  try {
    c.executionCtx.waitUntil(done);
  } catch {
    // Hono's getter throws where the runtime has no such context: then nothing drops the work either.
  }
}
