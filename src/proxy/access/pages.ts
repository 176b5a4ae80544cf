/** What stands before our own pages: a key where one is needed, and headers that keep browsers from being misled. */
import type { Context, MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { RefusedError, refusalHeaders } from '../refusal.ts';
import { targetOf } from '../upstream.ts';
import type { Caller, Door } from './door.ts';
import type { Scope } from './key.ts';

/** Who reads a page; set by `needs`. */
export interface Entered {
  readonly Variables: { readonly caller: Caller };
}

/** The pages' own content security policy stands in pages/page.ts. */
export const pageHeaders: MiddlewareHandler = secureHeaders({
  crossOriginResourcePolicy: 'same-origin',
  referrerPolicy: 'same-origin',
  xFrameOptions: 'DENY',
  // Whether there is TLS in front is not ours to say for a whole host.
  strictTransportSecurity: false,
});

/** @param refused told of each refusal, and returns the one that is to be answered */
export function needs(
  door: Door,
  scope: Scope,
  refused: (error: RefusedError, c: Context) => Promise<RefusedError>,
) {
  return async function needs(c: Context<Entered>, next: () => Promise<void>): Promise<Response | undefined> {
    try {
      c.set('caller', await door.enter(c.req.raw, targetOf(c.req.raw.url), scope));
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return refusedPage(c, await refused(error, c));
    }
    c.header('cache-control', 'no-store');
    await next();
    return undefined;
  };
}

/** A refusal in the form of our own pages' errors. */
export function refusedPage(c: Context, error: RefusedError): Response {
  for (const [name, value] of refusalHeaders(error)) c.header(name, value);
  return c.json({ error: { message: error.message } }, error.status);
}
