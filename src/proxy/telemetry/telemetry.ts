/** Whom judgments are told to, by what the operator has set. */
import type { Prices } from '../../models/index.ts';
import type { Clock, Fetch } from '../../ports.ts';
import { removeTexts } from '../../trace/index.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { createPost } from './post.ts';
import type { TelemetrySettings } from './telemetry-settings.ts';
import type { Telemetry } from './who.ts';

/** For one request, in milliseconds: a server that is to stop waits so long at most. */
const TIMEOUT = 5_000;
/** Requests under way at once: what a stalled collector holds in memory is bounded by it. */
const MOST = 256;

export interface TelemetryPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly prices: Prices;
  /** Told of every judgment, or part of one, that could not be told. */
  readonly dropped: (why: string) => void;
}

/** Null where nothing is set. */
export function createTelemetry(settings: TelemetrySettings, ports: TelemetryPorts): Telemetry | null {
  const { fetch, clock, prices, dropped } = ports;
  const post = createPost({ fetch, clock, timeoutMs: TIMEOUT, most: MOST, dropped });
  const { LANGFUSE_PUBLIC_KEY: publicKey, LANGFUSE_SECRET_KEY: secretKey } = settings;
  const environment = settings.LANGFUSE_TRACING_ENVIRONMENT ?? null;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base } = settings;
  const collector = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base}/v1/traces`);
  const eventsUrl = settings.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT ?? (base && `${base}/v1/logs`);
  // OpenTelemetry takes 11 MiB of memory: loaded with the first judgment that is told, where one is.
  const open: (() => Promise<Telemetry>)[] = [];
  if (publicKey && secretKey)
    open.push(async () => {
      const { createLangfuseTelemetry } = await import('./langfuse.ts');
      const url = settings.LANGFUSE_BASE_URL;
      return createLangfuseTelemetry(post, { url, publicKey, secretKey, environment, prices });
    });
  if (collector)
    open.push(async () => {
      const { createOtlpTelemetry } = await import('./otlp.ts');
      const headers = settings.OTEL_EXPORTER_OTLP_HEADERS ?? new Headers();
      const events = settings.REMAND_TELEMETRY_EVALUATIONS === 'on' ? eventsUrl : undefined;
      return createOtlpTelemetry(post, { url: collector, events, headers, prices });
    });
  if (open.length === 0) return null;
  let opened: Promise<Telemetry[]> | null = null;
  return {
    async tell(trace, who) {
      const told = settings.REMAND_TELEMETRY_TEXTS === 'on' ? trace : removeTexts(trace);
      opened ??= Promise.all(open.map((one) => one()));
      await Promise.all((await opened).map((one) => one.tell(told, who)));
    },
  };
}

/** Milliseconds between two lines in the log while a collector is down. */
const QUIET = 60_000;

/** Counts what could not be told, and says so in the log once a minute at most. */
export function countDropped(
  { metrics, log }: { readonly metrics: Metrics; readonly log: Log },
  clock: Clock,
): (why: string) => void {
  let said: number | null = null;
  let silent = 0;
  return (why) => {
    metrics.notTold();
    silent++;
    if (said !== null && clock.elapsed() - said < QUIET) return;
    log({ level: 'warn', event: 'not-told', message: `${silent} dropped; the last because: ${why}` });
    said = clock.elapsed();
    silent = 0;
  };
}
