/** What is done where the judge's reply breaks off on its way through to the client. */
import type { Context } from 'hono';
import { describeCause } from '../http/index.ts';
import type { Ports } from './proxy-ports.ts';
import { readPath } from './upstream.ts';

/**
 * The client's connection breaks off, too (a reply of chunks that ended would pass for whole), and the log says so in one
 * line.
 *
 * @returns to be told of it; undefined where the runtime has no way to break a connection off
 */
export function createReplyBreakHandler(
  { cutOff, log }: Ports,
  c: Context,
  target: string,
): ((reason: unknown) => void) | undefined {
  if (!cutOff) return undefined;
  return (reason) => {
    const message = `the judge's reply broke off: ${describeCause(reason)}`;
    log({ level: 'warn', event: 'broken-off', method: c.req.raw.method, path: readPath(target), message });
    cutOff(c);
  };
}
