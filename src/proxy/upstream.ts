/** Where a request goes at the judge's endpoint, and which of its headers go with it. */
import { type Adapter, KEY_HEADERS } from '../../adapters/index.ts';
import { listConnectionFields } from '../http/index.ts';
import { findOwnKey, OWN_KEY_HEADER } from './access/key.ts';
import type { Config } from './config.ts';
import { OPTION_HEADERS } from './options.ts';
import { WHO_HEADERS } from './telemetry/who.ts';

/** For judges that are functions: `.invalid` never resolves (RFC 6761 §6.4), should one ever be fetched. */
export const NOWHERE = 'http://judge.invalid';

/** Headers that are meant for us and go no further; `expect` has been answered by our own server (RFC 9110 §10.1.1). */
const OURS: ReadonlySet<string> = new Set([
  'host',
  'expect',
  OWN_KEY_HEADER,
  ...OPTION_HEADERS,
  ...WHO_HEADERS,
]);

/** `/v1/models?limit=2` of a URL, as it is written there; of a path and query, themselves. */
export function readTarget(url: string): string {
  if (url.startsWith('/')) return url;
  const start = url.indexOf('/', url.indexOf('://') + 3);
  if (start < 0) return '/';
  const hash = url.indexOf('#', start);
  return hash < 0 ? url.slice(start) : url.slice(start, hash);
}

/** A target's path, without the query: a query may hold a key. */
export function readPath(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}

/** Each is one more server on the way that might decode a path once more. */
const MOST_DECODINGS = 4;

/**
 * Whether a path has a segment `.` or `..` (RFC 3986 §5.2.4) for some server on the way: as it is, percent-encoded (also
 * more than once), behind a backslash, or with parameters (`..;a=b`). Such a path could leave an upstream's base path.
 */
export function hasDotSegment(target: string): boolean {
  let path = readPath(target);
  for (let i = 0; /%[0-7][0-9a-f]/i.test(path); i++) {
    const decoded = path.replace(/%([0-7][0-9a-f])/gi, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === path || i === MOST_DECODINGS) return true;
    path = decoded;
  }
  return path.split(/[/\\]/).some((segment) => /^\.\.?(?:$|[;?#\0\s])/.test(segment));
}

/**
 * The client's headers as they go to the judge: less the hop-by-hop ones, `host`, and our own.
 *
 * @param credential the operator's key, used only where the client sent none, neither as a header nor (as Gemini's clients do) in the query
 */
export function forwardHeaders(
  from: Headers,
  target: string,
  credential: readonly [name: string, value: string] | null,
): Headers {
  const dropped = listConnectionFields(from.get('connection'));
  const headers = new Headers();
  for (const [name, value] of from) {
    if (dropped.has(name) || OURS.has(name)) continue;
    // A key of ours is nobody else's business.
    if (KEY_HEADERS.includes(name) && findOwnKey(value) !== null) continue;
    headers.append(name, value);
  }
  if (credential && !sendsOwnKey(headers, target)) headers.set(credential[0], credential[1]);
  return headers;
}

/** Whether a client brings a key of the judge's, as a header or (as Gemini's clients do) in the query; one of ours is none. */
export function sendsOwnKey(headers: Headers, target: string): boolean {
  const named = KEY_HEADERS.some((name) => {
    const value = headers.get(name);
    return value !== null && findOwnKey(value) === null;
  });
  return named || /[?&]key=/.test(target);
}

/**
 * The same for a request whose body is ours to send: it has another length than the client's, and its reply
 * is read here, so it comes unpacked.
 */
export function forwardJudgmentHeaders(...from: Parameters<typeof forwardHeaders>): Headers {
  const headers = forwardHeaders(...from);
  headers.delete('content-length');
  headers.set('accept-encoding', 'identity');
  return headers;
}

/** An idempotency key would get an added call the first one's reply; a digest or signature is of the client's body. */
const FIRST_CALL_ONLY = [
  'idempotency-key',
  'x-idempotency-key',
  'content-md5',
  'content-digest',
  'digest',
  'signature',
];

/** Headers for a call that Remand adds: the judgment's own where nothing has to be taken off them. */
export function forwardAddedCallHeaders(judgment: Headers): Headers {
  if (!FIRST_CALL_ONLY.some((name) => judgment.has(name))) return judgment;
  const headers = new Headers(judgment);
  for (const name of FIRST_CALL_ONLY) headers.delete(name);
  return headers;
}

/**
 * A reply with other headers, made anew: its own may be immutable (a fetched reply's are, at the edge), and of a Response
 * that nobody has looked into @hono/node-server sends the headers at once, without waiting for the body's beginning.
 */
export function withHeaders({ body, status, statusText }: Response, headers: Headers): Response {
  return new Response(body, { status, statusText, headers });
}

/*
 * Which judge endpoint a request goes to. The operator names them all; nothing that a client sends can make it
 * another one. A path prefix is taken off (`/anthropic/v1/messages` goes to that upstream as `/v1/messages`);
 * a model name decides where no prefix does.
 */

export interface Upstream {
  readonly url: string;
  /** The operator's key, for clients that send none. */
  readonly key: string | undefined;
}

/** One entry of REMAND_UPSTREAMS. */
interface UpstreamRule extends Upstream {
  readonly path: string | undefined;
  /** A model's name, with `*` for any run of characters. */
  readonly model: string | undefined;
}

export interface RoutedRequest {
  readonly upstream: Upstream;
  /** Path and query for the upstream. */
  readonly target: string;
}

export interface Routes {
  /** Whether the model's name may decide where a request goes, so that it has to be read. */
  byModel(routed: RoutedRequest): boolean;
  /** @param target path and query as the client sent them */
  ofPath(target: string): RoutedRequest;
  /** Where a request goes whose model is known. */
  ofModel(model: string, routed: RoutedRequest): RoutedRequest;
}

function createRoutes(rules: readonly UpstreamRule[], fallback: Upstream): Routes {
  const prefixed = rules.flatMap((rule) => (rule.path === undefined ? [] : [{ ...rule, path: rule.path }]));
  const longestFirst = prefixed.toSorted((a, b) => b.path.length - a.path.length);
  const named = rules.flatMap((rule) =>
    rule.model === undefined || rule.path !== undefined ? [] : [{ rule, pattern: rule.model }],
  );
  return {
    byModel: ({ upstream }) => named.length > 0 && upstream === fallback,
    ofPath(target) {
      const path = readPath(target);
      const rule = longestFirst.find((one) => path === one.path || path.startsWith(`${one.path}/`));
      return rule
        ? { upstream: rule, target: target.slice(rule.path.length) || '/' }
        : { upstream: fallback, target };
    },
    ofModel(model, routed) {
      const found =
        routed.upstream === fallback && named.find(({ pattern }) => matchesWildcard(pattern, model));
      return found ? { ...routed, upstream: found.rule } : routed;
    },
  };
}

/** As the operator set them. @param judgeUrl where a request goes that no rule is for */
export function createConfiguredRoutes(config: Config, judgeUrl: string): Routes {
  const rules = config.REMAND_UPSTREAMS.map(({ url, path, model, key }) => ({ url, path, model, key }));
  return createRoutes(rules, { url: judgeUrl, key: config.JUDGE_API_KEY });
}

/** The operator's key as the protocol's clients would send it; null where there is none. */
export function createCredential(
  { upstream: { key }, target }: RoutedRequest,
  adapter: Adapter,
): readonly [string, string] | null {
  return key === undefined ? null : adapter.credential(key, target);
}

/**
 * Each part between two stars is taken where it stands first, and none is ever taken again, so a text costs no more than
 * its length times the pattern's.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  const end = text.length - last.length;
  if (!text.startsWith(first) || end < first.length || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
