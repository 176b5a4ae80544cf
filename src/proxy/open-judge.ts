/** Which judge stands behind the proxy on Node: an endpoint, a recording, or the sandbox where nothing is set. */

import type { Fetch } from '../ports.ts';
import { createRecordedJudge, createSandboxJudge, parseRecordedUrl } from '../sandbox/index.ts';
import { loadRecords } from '../sandbox/node.ts';
import type { Config } from './config.ts';
import type { Ports } from './proxy-ports.ts';

/** For judges that are functions: `.invalid` never resolves (RFC 6761 §6.4), should one ever be fetched. */
const NOWHERE = 'http://judge.invalid';

/** @throws InputError for a recording that cannot be read */
export async function openJudge(config: Config, network: Fetch): Promise<Pick<Ports, 'fetch' | 'judgeUrl'>> {
  const { JUDGE_BASE_URL: base } = config;
  if (base === undefined) return { fetch: createSandboxJudge(), judgeUrl: NOWHERE };
  const recorded = parseRecordedUrl(base);
  if (!recorded) return { fetch: network, judgeUrl: base };
  return { fetch: createRecordedJudge(await loadRecords(recorded), recorded), judgeUrl: NOWHERE };
}
