/** Where an endpoint is asked: its base URL may end in `/v1` or not, as operators write it. */

/** The endpoint's base URL and the request's target, with `/v1` once. */
export function joinUrl(base: string, target: string): string {
  const root = base.endsWith('/') ? base.slice(0, -1) : base;
  const doubled = root.endsWith('/v1') && /^\/v1(?=[/?]|$)/.test(target);
  return root + (doubled ? target.slice('/v1'.length) : target);
}
