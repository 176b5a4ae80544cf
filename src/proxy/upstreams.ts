/**
 * Which judge endpoint a request goes to. The operator names them all; nothing that a client sends can make it
 * another one. A path prefix is taken off (`/anthropic/v1/messages` goes to that upstream as `/v1/messages`);
 * a model name decides where no prefix does.
 */
import type { Adapter } from '../../adapters/index.ts';
import type { Config } from './config.ts';
import { readPath } from './upstream.ts';

export interface Upstream {
  readonly url: string;
  /** The operator's key, for clients that send none. */
  readonly key: string | undefined;
}

/** One entry of REMAND_UPSTREAMS. */
export interface UpstreamRule extends Upstream {
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
  /** Whether the model's name may decide, so that requests have to be read for it. */
  readonly byModel: boolean;
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
    byModel: named.length > 0,
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
