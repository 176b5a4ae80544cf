/** What is done where the judge's reply breaks off on its way through to the client. */
import type { Context } from 'hono';
import { reasonOf } from '../http/send.ts';
import type { Ports } from './ports.ts';
import { pathOf } from './upstream.ts';

/**
 * The client's connection breaks off, too (a reply of chunks that ended would pass for whole), and the log says so in one
 * line.
 *
 * @returns to be told of it; undefined where the runtime has no way to break a connection off
 */
export function breakingOff(
  { cutOff, log }: Ports,
  c: Context,
  target: string,
): ((reason: unknown) => void) | undefined {
  if (!cutOff) return undefined;
  return (reason) => {
    const message = `the judge's reply broke off: ${reasonOf(reason)}`;
    log({ level: 'warn', event: 'broken-off', method: c.req.raw.method, path: pathOf(target), message });
    cutOff(c);
  };
}
