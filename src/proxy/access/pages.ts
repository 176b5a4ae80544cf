/** What stands before our own pages: a key where one is needed, and headers that keep browsers from being misled. */
import type { Context, MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { noteRefusal } from '../error-handler.ts';
import type { Ports } from '../proxy-ports.ts';
import { formatRefusalHeaders, RefusedError } from '../refusal.ts';
import { readTarget } from '../upstream.ts';
import type { Caller } from './door.ts';
import type { KeyScope } from './key.ts';

/** Who reads a page; set by `needs`. */
export interface CallerEnv {
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

/** Lets in whoever holds a key of the scope; a refusal is counted and noted. */
export function requireScope(ports: Ports, scope: KeyScope) {
  return async function needs(
    c: Context<CallerEnv>,
    next: () => Promise<void>,
  ): Promise<Response | undefined> {
    try {
      c.set('caller', await ports.door.enter(c.req.raw, readTarget(c.req.raw.url), scope));
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return renderRefusal(c, await noteRefusal(ports, c, error, c.req.path));
    }
    c.header('cache-control', 'no-store');
    await next();
    return undefined;
  };
}

/** A refusal in the form of our own pages' errors. */
export function renderRefusal(c: Context, error: RefusedError): Response {
  for (const [name, value] of formatRefusalHeaders(error)) c.header(name, value);
  return renderError(c, error.status, error.message);
}

/** An error in the form of our own pages. */
export const renderError = (c: Context, status: ContentfulStatusCode, message: string): Response =>
  c.json({ error: { message } }, status);
