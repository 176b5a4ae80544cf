/** Answers a request that failed or is not let in; a refusal is counted, logged and, where a key of ours asked, written down. */
import type { Context } from 'hono';
import type { Adapter } from '../../adapters/index.ts';
import { describeError } from '../errors.ts';
import type { AuditAction } from './audit-trail.ts';
import type { Config } from './config.ts';
import { createErrorResponse, type ErrorContext } from './error-response.ts';
import type { LogEntry } from './log.ts';
import type { OutboundFilter } from './outbound-filter.ts';
import type { Ports } from './proxy-ports.ts';
import { RefusedError } from './refusal.ts';
import { createRedactor, listClientKeys, listOperatorKeys } from './secrets.ts';
import { readPath } from './upstream.ts';

/** Answers for every error of a client's request: keys are taken out, and a fault of ours is logged. */
export function createErrorHandler(ports: Ports, config: Config, outgoing: OutboundFilter) {
  /**
   * @param client aborted once the client has left: the request's own signal, unless a stream's end says so, too
   * @param known of the request, for the log
   */
  return async function answerError(
    c: Context,
    error: unknown,
    adapter: Adapter,
    target: string,
    client: AbortSignal = c.req.raw.signal,
    known: Pick<LogEntry, 'trace' | 'who'> = {},
  ): Promise<Response> {
    const path = readPath(target);
    const told = error instanceof RefusedError ? await noteRefusal(ports, c, error, path) : error;
    const redact = createRedactor(() => [
      ...listClientKeys(c.req.raw.headers, target),
      ...listOperatorKeys(config),
    ]);
    const note: ErrorContext['note'] = (event, message) =>
      ports.log({
        level: event === 'judge-refused' ? 'warn' : 'error',
        event,
        path,
        ...known,
        message: redact(message),
      });
    return createErrorResponse(told, { adapter, outgoing, clientGone: client.aborted, redact, note });
  };
}

/** @returns what the client is to be told: the refusal, or that it could not be written down */
export async function noteRefusal(
  ports: Ports,
  c: Context,
  error: RefusedError,
  path: string,
): Promise<RefusedError> {
  const { status, reason, who, cause } = error;
  ports.metrics.refused(reason);
  const message = cause instanceof Error ? { message: cause.message } : {};
  ports.log({
    level: 'warn',
    event: 'refused',
    method: c.req.raw.method,
    path,
    status,
    who,
    reason,
    ...message,
  });
  // What anybody can cause who has no key would fill the table.
  if (who === null || (await noteDone(ports, c, who, 'refused', reason))) return error;
  return createTrailError();
}

/**
 * An entry of the audit trail for what has been done: nothing of it is to go out before this resolves.
 *
 * @returns whether it is written down for good; where it is not, the client is to be told (see createTrailError), and the entry is
 *   written as soon as it can be
 */
export async function noteDone(
  ports: Ports,
  c: Context,
  who: string,
  action: AuditAction,
  subject: string,
): Promise<boolean> {
  const { audit, clock } = ports;
  if (!audit) return true;
  const written = audit.addDone({ time: clock.now(), who, action, subject }).then(
    () => true,
    (error: unknown) => notWritten(ports, error),
  );
  // Written though the client leaves meanwhile.
  ports.waitUntil(async () => void (await written), c);
  return written;
}

/**
 * An entry of the audit trail for what is about to be done.
 *
 * @throws RefusedError where it cannot be written: then it is not to be done
 */
export async function noteBefore(
  ports: Ports,
  who: string,
  action: AuditAction,
  subject: string,
): Promise<void> {
  try {
    await ports.audit?.add({ time: ports.clock.now(), who, action, subject });
  } catch (error) {
    notWritten(ports, error);
    throw createTrailError();
  }
}

/**
 * Before a key is let in: entries that are owed are written first, so that there are never more than requests under way.
 *
 * @throws RefusedError where they cannot be
 */
export async function settleTrail({ audit }: Ports): Promise<void> {
  try {
    await audit?.settle();
  } catch (cause) {
    throw createTrailError(cause);
  }
}

function notWritten(ports: Ports, error: unknown): false {
  ports.metrics.notStored();
  const message = describeError(error);
  ports.log({ level: 'error', event: 'audit-not-stored', message });
  return false;
}

/** Until the audit trail may be tried again, in milliseconds. */
const AGAIN_MS = 5_000;

/** What a key is told whose deed could not be written down. It names no key: that would be a further entry. */
export function createTrailError(cause?: unknown): RefusedError {
  const message =
    'the audit trail cannot be written at present, and nothing is done with a key that is not in it';
  return new RefusedError(503, 'audit-down', message, { againMs: AGAIN_MS, cause });
}
