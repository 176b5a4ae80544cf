/**
 * Who has to show a key. Nothing is asked of whoever starts Remand on their own machine; as soon as others can reach it,
 * its pages (which show what was judged) need one, and judging does where the operator's key would pay for it.
 */
import type { Config } from '../config.ts';

export interface AccessPolicy {
  readonly judging: 'anyone' | 'key';
  readonly pages: 'anyone' | 'key';
  /**
   * Whether only this machine's own names are answered to. A page on the web can have a name of its own resolve to
   * 127.0.0.1 and read what is there (DNS rebinding); and a reverse proxy may have opened the door unawares.
   */
  readonly localOnly: boolean;
}

export type Reachable = 'loopback' | 'outside' | 'embedded';

/** @param reachable from where; `embedded` in somebody's own app, whose door is that app's */
export function decideAccessPolicy(config: Config, reachable: Reachable): AccessPolicy {
  const { REMAND_ACCESS: said } = config;
  if (said === undefined && reachable === 'loopback')
    return { judging: 'anyone', pages: 'anyone', localOnly: true };
  const access = said ?? (reachable === 'embedded' ? 'open' : holdsKey(config) ? 'keys' : 'pages');
  return {
    judging: access === 'keys' ? 'key' : 'anyone',
    pages: access === 'open' ? 'anyone' : 'key',
    localOnly: false,
  };
}

/** Whether something that the operator pays for can be reached through us. */
function holdsKey(config: Config): boolean {
  const { JUDGE_API_KEY, REMAND_UPSTREAMS, RBD_API_KEY, REMAND_READER_API_KEY, HF_TOKEN, REMAND_ESCALATE } =
    config;
  const keys = [
    JUDGE_API_KEY,
    RBD_API_KEY,
    REMAND_READER_API_KEY,
    HF_TOKEN,
    REMAND_ESCALATE?.key,
    ...REMAND_UPSTREAMS.map(({ key }) => key),
  ];
  return keys.some((key) => key !== undefined);
}

export function isLoopback(host: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);
}
