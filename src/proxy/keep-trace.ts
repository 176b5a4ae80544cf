/** Keeps the trace of a judgment and tells the telemetry of it, once the answer is on its way. */
import type { Context } from 'hono';
import { describeError } from '../errors.ts';
import { mapTexts, removeTexts, type Trace } from '../trace/index.ts';
import type { Config } from './config.ts';
import type { Ports } from './proxy-ports.ts';
import { createMask, listClientKeys, listOperatorKeys, type Mask } from './secrets.ts';
import { readWho } from './telemetry/who.ts';

/** Whose request it was, by what it said. */
export interface TraceRequest {
  readonly headers: Headers;
  /** Path and query. */
  readonly target: string;
  /** The request, parsed. */
  readonly sent: unknown;
  /** Whose protocol it came in. */
  readonly provider: string;
  /** Id of the key it came with; null for none. */
  readonly caller: string | null;
}

/**
 * A store that fails costs a line in the log, never an answer.
 * @param made the trace, by its id
 * @param id where the client was told of it before
 * @returns the id; null where nobody keeps traces
 */
export function keepTrace(
  c: Context,
  ports: Ports,
  config: Config,
  { headers, target, sent, provider, caller }: TraceRequest,
  made: (id: string) => Trace,
  id: string | null = openTrace(ports),
): string | null {
  if (id === null) return null;
  const asking = () => {
    const who = readWho(headers, sent, provider);
    return { ...who, user: who.user ?? caller };
  };
  ports.waitUntil(async () => {
    try {
      const secrets = [...listClientKeys(headers, target), ...listOperatorKeys(config)];
      const whole = withoutKeys(made(id), createMask(secrets));
      const trace = config.REMAND_TRACE_TEXTS === 'on' ? whole : removeTexts(whole);
      const telling = ports.telemetry?.tell(trace, asking());
      await ports.traces?.put(trace);
      await telling;
    } catch (error) {
      ports.metrics.notStored();
      const message = describeError(error);
      ports.log({ level: 'error', event: 'trace-not-stored', message });
    }
  }, c);
  return id;
}

/**
 * A judge may quote the key that it was asked with; whoever reads traces must not learn it. Only texts are looked through: a client
 * chooses its key, and one that spells `insisted` or `"status":` must not change what its trace says.
 */
function withoutKeys(trace: Trace, mask: Mask): Trace {
  if (mask.empty) return trace;
  const { fingerprint, ...told } = mapTexts(trace, mask.text);
  const served = fingerprint?.served ?? null;
  return {
    ...told,
    fingerprint: fingerprint && { ...fingerprint, served: served === null ? null : mask.text(served) },
  };
}

/** The id of a trace to come; null where nobody keeps traces. */
export const openTrace = (ports: Pick<Ports, 'traces' | 'telemetry' | 'id'>): string | null =>
  ports.traces || ports.telemetry ? ports.id() : null;
