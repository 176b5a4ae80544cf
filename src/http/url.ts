/** Where an endpoint is asked: its base URL may end in `/v1` or not, as operators write it. */

/** Paths that stand beside a server's `/v1`, never under it: Gemini's version, TGI's own and the router's. */
const BESIDE_V1 = /^\/(?:v1beta|generate|generate_stream|invocations|hf-inference)(?=[/?]|$)/;

/** The endpoint's base URL, which may end in `/v1` or not, and the request's target, with `/v1` once or not at all. */
export function joinUrl(base: string, target: string): string {
  const root = base.endsWith('/') ? base.slice(0, -1) : base;
  if (root.endsWith('/v1') && BESIDE_V1.test(target)) return root.slice(0, -'/v1'.length) + target;
  const doubled = root.endsWith('/v1') && /^\/v1(?=[/?]|$)/.test(target);
  return root + (doubled ? target.slice('/v1'.length) : target);
}
