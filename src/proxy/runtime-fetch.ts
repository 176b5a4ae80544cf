/** The runtime's own `fetch` as the way to the judge, where there is no pool to do better. */
import type { Fetch } from '../ports.ts';

/** A client's redirect is the client's to follow. */
export const runtimeFetch: Fetch = (url, { method, headers, body, signal }) =>
  fetch(url, {
    method,
    headers,
    body: body as BodyInit | null,
    redirect: 'manual',
    ...(signal ? { signal } : {}),
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  });
