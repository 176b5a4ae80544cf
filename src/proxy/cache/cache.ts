/**
 * The verdict cache: the answer to a whole judgment, given again where the very same is asked for by the same tenant.
 * Off unless the operator sets a time to keep answers for.
 */
import * as z from 'zod';
import { presentedKey } from '../access/presented.ts';
import type { Config } from '../config.ts';
import type { JudgmentOptions } from '../options.ts';
import { isDeterministic } from './deterministic.ts';
import { type Envelope, envelopeFor } from './sealed.ts';
import type { CacheStore } from './store.ts';

/** Everything that an answer depends on. */
export interface Asked {
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
  /** The case that the client declared, which the judge does not get. */
  readonly declared: unknown;
}

export interface Entry {
  /** Null where there is none. */
  readonly answer: Response | null;
  /** Keeps an answer; nothing where it may not be kept. */
  keep(status: string, headers: Headers, body: string): Promise<void>;
}

/** Headers that differ from one request to the next and change no reply. Any other counts. */
const VOLATILE =
  /^(user-agent|content-length|content-type|accept|accept-encoding|accept-language|cache-control|pragma|connection|date|origin|referer|traceparent|tracestate|baggage|idempotency-key|x-idempotency-key|x-request-id|x-client-request-id|x-real-ip|cdn-loop|forwarded|via|x-forwarded-.*|cf-.*|sec-.*|x-stainless-.*)$/;

/** Settings on which a verdict depends; another value, another place. */
const SETTINGS = [
  'REMAND_POLICY',
  'REMAND_FAIL',
  'REMAND_EXTRA_CALLS',
  'REMAND_DEADLINE_MS',
  'REMAND_CONFIDENT',
  'REMAND_CALIBRATION',
  'RBD_BASE_URL',
  'RBD_MODEL',
  'RBD_TEMPLATE',
] as const satisfies readonly (keyof Config)[];

/** Examined to the end, and answered with it. */
const KEPT = ['unchanged', 'revised', 'insisted', 'unresolved'];

const kept = z.object({ headers: z.array(z.tuple([z.string(), z.string()])), body: z.string() });

/** Of an answer's headers what is kept: what it is, and what came of it. */
const TOLD = /^(content-type$|x-remand-)/;

/** @returns null where the request is none that may be answered from a cache */
export async function lookUp(store: CacheStore, asked: Asked, config: Config): Promise<Entry | null> {
  const { headers, options, body } = asked;
  const control = headers.get('cache-control') ?? '';
  if (options.mode !== 'debias' || /\bno-store\b/.test(control) || !isDeterministic(body)) return null;
  const envelope = await envelopeFor(identityOf(asked, config));
  const answer = /\bno-cache\b/.test(control) ? null : await read(store, envelope);
  return {
    answer,
    async keep(status, said, text) {
      if (!KEPT.includes(status)) return;
      const entry = { headers: [...said].filter(([name]) => TOLD.test(name)), body: text };
      await store.put(envelope.place, await envelope.seal(JSON.stringify(entry)), config.REMAND_CACHE_S);
    },
  };
}

function identityOf(asked: Asked, config: Config): unknown {
  const { who, headers, sent, url, forwarded, options, body, declared } = asked;
  const { mode, rounds, biases, detector } = options;
  return [
    who,
    presentedKey(headers, sent),
    url,
    [...forwarded].filter(([name]) => !VOLATILE.test(name)).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    [mode, rounds, biases.map(({ name }) => name), detector],
    SETTINGS.map((name) => config[name] ?? null),
    body,
    declared ?? null,
  ];
}

async function read(store: CacheStore, envelope: Envelope): Promise<Response | null> {
  const sealed = await store.get(envelope.place);
  const text = sealed && (await envelope.open(sealed));
  if (text === null) return null;
  const { headers, body } = kept.parse(JSON.parse(text));
  const response = new Response(body, { headers });
  response.headers.set('x-remand-calls', '0');
  response.headers.set('x-remand-cache', 'hit');
  return response;
}
