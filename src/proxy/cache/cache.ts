/**
 * The verdict cache: the answer to a whole judgment, given again where the very same is asked for by the same tenant.
 * Off unless the operator sets a time to keep answers for.
 */
import * as z from 'zod';
import { toHex } from '../../bytes.ts';
import type { Case } from '../../case/index.ts';
import type { Status } from '../../loop/index.ts';
import { readPresentedKey } from '../access/key.ts';
import type { Config } from '../config.ts';
import type { JudgmentOptions } from '../options.ts';
import type { OutboundFilter } from '../outbound-filter.ts';
import { type Facts, type JudgmentResponse, proxyFacts } from '../proxy-facts.ts';
import type { OperatorSetting } from '../setting-values.ts';
import { SETTINGS } from '../settings.ts';
import type { CacheStore } from './cache-store.ts';

/** Everything that an answer depends on. */
export interface CacheInputs {
  /** Id of the caller's key. */
  readonly who: string | null;
  /** The client's headers, with a key of ours if there is one. */
  readonly headers: Headers;
  /** Path and query as the client sent them. */
  readonly sent: string;
  /** The judge's endpoint, and the headers that go there, with the judge's key. */
  readonly url: string;
  readonly forwarded: Headers;
  readonly options: JudgmentOptions;
  /** Whole, as the judge gets it. */
  readonly body: string;
  /** The client's, parsed. */
  readonly request: unknown;
  /** As it was read: by what the client declared, a template or a guess. */
  readonly subject: Case;
}

export interface CacheEntry {
  /** Null where there is none. */
  readonly answer: JudgmentResponse | null;
  /** Keeps an answer; nothing where it may not be kept. */
  keep(facts: Facts, contentType: string | null, body: string): Promise<void>;
}

/**
 * The headers that are no part of an answer's identity: they differ between equal requests, hold no secret and change no
 * reply. Every other header is part of it, known or not, by its exact name: `cf-access-client-secret` and
 * `x-forwarded-access-token` are credentials.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  // Of the client's software
  'user-agent',
  'accept-encoding',
  'content-length',
  ...['dest', 'mode', 'site', 'user'].map((name) => `sec-fetch-${name}`),
  ...['ua', 'ua-mobile', 'ua-platform'].map((name) => `sec-ch-${name}`),
  ...['arch', 'async', 'helper', 'helper-method', 'lang', 'os', 'package-version', 'read-timeout'].map(
    (name) => `x-stainless-${name}`,
  ),
  ...['retry-count', 'runtime', 'runtime-version', 'timeout'].map((name) => `x-stainless-${name}`),
  // Of this one request: `no-store` and `no-cache` are read before
  'cache-control',
  'pragma',
  'date',
  'idempotency-key',
  'x-idempotency-key',
  'request-id',
  'x-request-id',
  'x-client-request-id',
  'x-correlation-id',
  'traceparent',
  'tracestate',
  // Of the way that it came. Any client can send these, so a judge cannot take them for a proof of who asks.
  'via',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-port',
  'x-forwarded-proto',
  'cdn-loop',
  'cf-connecting-ip',
  'cf-ipcountry',
  'cf-ray',
  'cf-visitor',
]);

/** The headers that are part of an answer's identity, in one order. */
export const nameSender = (headers: Headers): [name: string, value: string][] =>
  [...headers].filter(([name]) => !LEFT_OUT.has(name)).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Settings on which a verdict depends; another value, another place. */
const SETTING_NAMES = Object.entries<OperatorSetting>(SETTINGS).flatMap(([name, { verdicts }]) =>
  verdicts ? [name] : [],
);

/** Examined to the end, and answered with it. */
const KEPT: readonly Status[] = ['unchanged', 'revised', 'insisted', 'unresolved', 'unsure', 'escalated'];

const kept = z.object({ facts: proxyFacts, contentType: z.string().nullable(), body: z.string() });

/** @returns null where the request is none that may be answered from a cache */
export async function lookUp(
  store: CacheStore,
  asked: CacheInputs,
  config: Config,
  outgoing: OutboundFilter,
): Promise<CacheEntry | null> {
  const { headers, options } = asked;
  const control = headers.get('cache-control') ?? '';
  if (options.mode !== 'debias' || /\bno-store\b/.test(control) || !isDeterministic(asked.request))
    return null;
  const envelope = await createEnvelope(identityOf(asked, config));
  const answer = /\bno-cache\b/.test(control) ? null : await readKept(store, envelope, outgoing);
  return {
    answer,
    async keep(facts, contentType, text) {
      if (!KEPT.includes(facts.status)) return;
      const entry = { facts, contentType, body: text };
      await store.put(envelope.place, await envelope.seal(JSON.stringify(entry)), config.REMAND_CACHE_S);
    },
  };
}

function identityOf(asked: CacheInputs, config: Config): unknown {
  const { who, headers, sent, url, forwarded, options, body, subject } = asked;
  const { mode, rounds, biases, samples, detector } = options;
  return [
    who,
    readPresentedKey(headers, sent),
    url,
    nameSender(forwarded),
    [mode, rounds, biases.map(({ name }) => name), samples, detector],
    Object.entries(config)
      .filter(([name]) => SETTING_NAMES.includes(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    body,
    // Its texts stand in the body.
    { ...subject, prompt: null },
  ];
}

async function readKept(
  store: CacheStore,
  envelope: Envelope,
  outgoing: OutboundFilter,
): Promise<JudgmentResponse | null> {
  const sealed = await store.get(envelope.place);
  const text = sealed && (await envelope.open(sealed));
  if (text === null) return null;
  const { facts, contentType, body } = kept.parse(JSON.parse(text));
  const bytes = outgoing.bytes(new TextEncoder().encode(body));
  const headers = contentType === null ? {} : { 'content-type': contentType };
  const response = new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
  return { response, facts: { ...facts, calls: 0, cache: 'hit' } };
}

// Whether a request asks for a reply that may be given again: the likeliest one (temperature 0, no sampling), or the
// one that belongs to a seed. At any other temperature several replies are several opinions, and one opinion given
// out many times would pass for agreement.

const sampling = z.object({
  temperature: z.number().optional(),
  seed: z.number().nullish(),
  do_sample: z.boolean().optional(),
});

/** Functions of the client's own, in the words of the protocols. Tools that an endpoint runs (search) see another world each day. */
const ownTool = z.union([
  z.object({ type: z.enum(['function', 'custom']) }),
  z.object({ type: z.never().optional(), input_schema: z.unknown() }),
  z.strictObject({ functionDeclarations: z.unknown() }),
  z.strictObject({ function_declarations: z.unknown() }),
]);

const request = z.object({
  ...sampling.shape,
  /** Gemini's and Hugging Face's place for the same. */
  generationConfig: sampling.optional(),
  generation_config: sampling.optional(),
  parameters: sampling.optional(),
  tools: z.array(ownTool).nullish(),
  // What rests on something that the endpoint keeps is not told by the request alone.
  previous_response_id: z.null().optional(),
  conversation: z.null().optional(),
  background: z.literal(false).nullish(),
  cachedContent: z.never().optional(),
  web_search_options: z.never().optional(),
});

/** @param asked the whole request, parsed */
export function isDeterministic(asked: unknown): boolean {
  const read = request.safeParse(asked);
  if (!read.success) return false;
  const { generationConfig, generation_config, parameters } = read.data;
  return [read.data, generationConfig, generation_config, parameters].some(
    (said) => said && (said.temperature === 0 || typeof said.seed === 'number' || said.do_sample === false),
  );
}

// Values of the cache are encrypted with a key that is made from the request and its credential (HKDF, RFC 5869; then
// AES-GCM), and lie under a name made likewise. Whoever holds the store but not both can neither read a reply nor tell
// whose it is; and two tenants can no more meet than two hashes.

export interface Envelope {
  /** Where it lies, in hexadecimal. */
  readonly place: string;
  seal(text: string): Promise<Uint8Array>;
  /** Null for what was not sealed by this very envelope. */
  open(sealed: Uint8Array): Promise<string | null>;
}

const IV_BYTES = 12;

/** @param identity everything that the reply depends on, and everything secret that came with the request */
async function createEnvelope(identity: unknown): Promise<Envelope> {
  const { subtle } = crypto;
  const material = await subtle.importKey('raw', utf8(JSON.stringify(identity)), 'HKDF', false, [
    'deriveBits',
    'deriveKey',
  ]);
  const hkdf = (info: string) => ({
    name: 'HKDF',
    hash: 'SHA-256',
    salt: utf8('remand cache 2'),
    info: utf8(info),
  });
  const place = toHex(new Uint8Array(await subtle.deriveBits(hkdf('place'), material, 256)));
  const key = await subtle.deriveKey(hkdf('seal'), material, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  return {
    place,
    async seal(text) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const sealed = new Uint8Array(await subtle.encrypt({ name: 'AES-GCM', iv }, key, utf8(text)));
      const whole = new Uint8Array(IV_BYTES + sealed.length);
      whole.set(iv);
      whole.set(sealed, IV_BYTES);
      return whole;
    },
    async open(sealed) {
      const bytes = Uint8Array.from(sealed);
      try {
        const iv = bytes.subarray(0, IV_BYTES);
        const text = await subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.subarray(IV_BYTES));
        return new TextDecoder().decode(text);
      } catch (error) {
        // Cut short, or put there by somebody else: as good as not there.
        if (error instanceof DOMException && error.name === 'OperationError') return null;
        throw error;
      }
    },
  };
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
