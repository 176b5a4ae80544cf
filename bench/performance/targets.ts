/** Who is asked what. */
import type { Target } from './load.ts';
import { gatewayVersion } from './portkey/install.ts';
import { newKey, type Processes } from './processes.ts';
import { CROWD, DETECTOR, judgmentOf } from './prompts.ts';

/** Bytes of a request. */
export const BYTES = 2_048;
/** Requests that differ: what is remembered of one is of no use to the next. */
const DIFFERENT = 200;

const CHAT = '/v1/chat/completions';
const OFF = { 'x-remand-mode': 'off' };

type Name =
  | 'upstream'
  | 'plain'
  | 'portkey'
  | 'bypassed'
  | 'elsewhere'
  | 'between'
  | 'keyed'
  | 'probed'
  | 'swapped'
  | 'cached'
  | 'detected'
  | 'streamPlain'
  | 'streamPortkey'
  | 'streamBypassed'
  | 'streamProbed';

export type Targets = Readonly<Record<Name, Target>>;

function bodies(of: { readonly crowd?: boolean; readonly stream?: boolean } = {}): string[] {
  const statements = of.crowd ? [CROWD] : [];
  const stream = of.stream ?? false;
  return Array.from({ length: DIFFERENT }, (_, nth) => judgmentOf({ bytes: BYTES, nth, statements, stream }));
}

/** Starts all of them. */
export async function startTargets(processes: Processes): Promise<Targets> {
  const { url: judge } = await processes.script('upstream.ts');
  const plain = await processes.script('plain.ts', judge);
  const gateway = await processes.portkey();
  const passing = await processes.remand(judge);
  const remand = await processes.remand(judge, { RBD_BASE_URL: judge, RBD_MODEL: DETECTOR });
  const caching = await processes.remand(judge, { REMAND_CACHE_S: '3600' });
  const locked = await processes.remand(judge, { REMAND_ACCESS: 'keys' });
  const key = await newKey(locked.folder);
  const version = await gatewayVersion();
  const toUpstream = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${judge}/v1` };
  const whole = bodies();
  const streamed = bodies({ stream: true });
  const crowd = bodies({ crowd: true });
  const bypassed = { status: 'bypassed', calls: 1 };
  const judged = (calls: number) => ({ status: 'unchanged', calls });
  const at = (url: string, path = CHAT) => ({ url: `${url}${path}`, bodies: whole, told: null });
  return {
    upstream: { name: 'the upstream itself', ...at(judge) },
    ...passedTargets(plain.url, passing.url),
    between: {
      name: 'Remand, passed through, between rounds of judgments',
      ...at(remand.url),
      headers: OFF,
      told: bypassed,
    },
    portkey: { name: `Portkey's gateway ${version}`, ...at(gateway.url), headers: toUpstream },
    keyed: {
      name: 'Remand, passed through, with access keys',
      ...at(locked.url),
      headers: { ...OFF, 'x-remand-key': key },
      told: bypassed,
    },
    probed: judgedTarget(remand.url),
    swapped: { name: 'Remand, judged: both orders', ...at(remand.url), told: judged(2) },
    cached: { name: 'Remand, judged: from the cache', ...at(caching.url), bodies: crowd, told: judged(0) },
    detected: {
      name: 'Remand, judged: both orders, a detector model',
      ...at(remand.url),
      headers: { 'x-remand-detector': 'rbd' },
      told: judged(3),
    },
    streamPlain: { name: 'plain Hono with an undici pool', ...at(plain.url), bodies: streamed },
    streamPortkey: {
      name: `Portkey's gateway ${version}`,
      ...at(gateway.url),
      headers: toUpstream,
      bodies: streamed,
    },
    streamBypassed: {
      name: 'Remand, passed through',
      ...at(remand.url),
      headers: OFF,
      bodies: streamed,
      told: bypassed,
    },
    streamProbed: {
      name: 'Remand, judged: both orders, a probe in each',
      ...at(remand.url),
      bodies: bodies({ crowd: true, stream: true }),
      told: judged(4),
    },
  };
}

/** The same requests passed through by plain Hono, by Remand on a judging path, and on another one. */
export function passedTargets(plain: string, remand: string) {
  const at = (url: string, path = CHAT) => ({ url: `${url}${path}`, bodies: bodies(), told: null });
  return {
    plain: { name: 'plain Hono with an undici pool', ...at(plain) },
    bypassed: {
      name: 'Remand, passed through',
      ...at(remand),
      headers: OFF,
      told: { status: 'bypassed', calls: 1 },
    },
    elsewhere: { name: 'Remand, passed through, no judging path', ...at(remand, '/v1/embeddings') },
  } as const;
}

/** Judgments of both orders with a probe in each. */
export function judgedTarget(url: string): Target {
  const told = { status: 'unchanged', calls: 4 };
  const name = 'Remand, judged: both orders, a probe in each';
  return { name, url: `${url}${CHAT}`, bodies: bodies({ crowd: true }), told };
}

/** Of a Worker on this machine. */
export function atTheEdge(url: string): Target[] {
  const at = { url: `${url}${CHAT}` };
  return [
    {
      ...at,
      name: 'Remand, passed through',
      headers: OFF,
      bodies: bodies(),
      told: { status: 'bypassed', calls: 1 },
    },
    {
      ...at,
      name: 'Remand, judged: both orders, a probe in each',
      bodies: bodies({ crowd: true }),
      told: { status: 'unchanged', calls: 4 },
    },
  ];
}
