/** Answers a request that is not let in, and has it counted, logged and, where a key of ours asked, written down. */
import type { Context } from 'hono';
import type { Adapter } from '../../adapters/types.ts';
import type { Action } from './audit-trail.ts';
import type { Config } from './config.ts';
import { errorResponse } from './errors.ts';
import type { Outgoing } from './outgoing.ts';
import type { Ports } from './ports.ts';
import { RefusedError } from './refusal.ts';
import { operatorKeys, redactor } from './secrets.ts';
import { pathOf } from './upstream.ts';

export function refusing(ports: Ports, config: Config, outgoing: Outgoing) {
  return function refuse(c: Context, error: unknown, adapter: Adapter, target: string): Response {
    const raw = c.req.raw;
    const path = pathOf(target);
    if (error instanceof RefusedError) noteRefusal(ports, c, error, path);
    const redact = redactor(raw.headers, operatorKeys(config));
    const fault = (message: string) =>
      ports.log({ level: 'error', event: 'fault', path, message: redact(message) });
    return errorResponse(error, { adapter, outgoing, clientGone: raw.signal.aborted, redact, fault });
  };
}

export function noteRefusal(ports: Ports, c: Context, error: RefusedError, path: string): void {
  const { status, reason, who } = error;
  ports.metrics.refused(reason);
  ports.log({ level: 'warn', event: 'refused', method: c.req.raw.method, path, status, who, reason });
  // What anybody can cause who has no key would fill the table.
  if (who !== null) noteDeed(ports, c, who, 'refused', reason);
}

/** An entry of the audit trail, made after the answer. One that cannot be made costs a line in the log. */
export function noteDeed(ports: Ports, c: Context, who: string, action: Action, subject: string): void {
  const { audit, clock } = ports;
  if (!audit) return;
  const entry = { time: clock.now(), who, action, subject };
  ports.waitUntil(async () => {
    try {
      await audit.add(entry);
    } catch (error) {
      ports.metrics.notStored();
      const message = error instanceof Error ? error.message : String(error);
      ports.log({ level: 'error', event: 'trace-not-stored', message });
    }
  }, c);
}
