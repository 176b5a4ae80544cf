/** Langfuse's public API (https://api.reference.langfuse.com), page by page: what people said of judgments, and the judgments. */
import * as z from 'zod';
import { describeError, InputError, RemandError } from '../../errors.ts';
import { JudgeError, joinUrl, readText, runWithTimeout, sendRequest, withRetry } from '../../http/index.ts';
import type { Clock, Fetch } from '../../ports.ts';
import { JUDGMENT_NAME } from './labelled-row.ts';

export interface Langfuse {
  /** `https://cloud.langfuse.com`, without a slash at its end. */
  readonly url: string;
  readonly publicKey: string;
  readonly secretKey: string;
  /** Only what was told under this environment; null for every one. */
  readonly environment: string | null;
}

/** Times as ISO 8601, UTC. */
export interface TimeWindow {
  readonly since: string | null;
  /** Not included. */
  readonly until: string;
}

const told = z.object({
  id: z.string(),
  traceId: z.string().nullable(),
  input: z.unknown(),
  output: z.unknown(),
});
export type JudgmentObservation = z.infer<typeof told>;

/** A model call, whoever told of it. */
const generation = told
  .omit({ id: true })
  .extend({ model: z.string().nullish(), providedModelName: z.string().nullish() })
  .transform(({ model, providedModelName, ...rest }) => [
    { ...rest, model: model ?? providedModelName ?? null },
  ]);
export type Generation = z.output<typeof generation>[number];

const subject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('trace'), id: z.string() }),
  z.object({ kind: z.literal('observation'), id: z.string(), traceId: z.string().nullish() }),
  // Words on sessions and experiments are on no judgment.
  z.object({ kind: z.literal(['session', 'experiment']) }),
]);
const annotator = { authorUserId: z.string().nullish().catch(null) };
const score = z.object({
  id: z.string(),
  value: z.unknown(),
  ...annotator,
  subject: subject.nullish().catch(null),
});
const oldScore = z.object({
  id: z.string(),
  ...annotator,
  traceId: z.string().nullish(),
  observationId: z.string().nullish(),
  dataType: z.unknown(),
  value: z.unknown(),
  /** The category; `True` or `False` beside a boolean's 1 or 0. */
  stringValue: z.string().nullish(),
});

/** One person's score of a trace, or of one observation in it. */
export interface PersonScore {
  readonly id: string;
  /** Null where only the observation is named. */
  readonly trace: string | null;
  /** Null where it is the trace that is meant. */
  readonly observation: string | null;
  /** A number, a boolean or a category. */
  readonly value: unknown;
  /** Id of the person's account; null where Langfuse does not say. */
  readonly annotator: string | null;
}

/** Whether the person says that a verdict is biased; null where it is neither yes nor no. */
export interface PersonOpinion extends Omit<PersonScore, 'value' | 'annotator'> {
  readonly biased: boolean | null;
}

const queueItem = z.object({
  objectId: z.string(),
  objectType: z.string(),
  status: z.enum(['PENDING', 'COMPLETED']),
});
/** A trace that waits in an annotation queue, or was annotated in it. */
export type QueueItem = z.infer<typeof queueItem>;

/** @param next of what was read: hand it in to go on after this page; null where it was the last */
export interface LangfusePage<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export interface LangfusePages {
  /** Newest first. @param from null to begin */
  judgments(window: TimeWindow, from: string | null): Promise<LangfusePage<JudgmentObservation>>;
  /** Model calls, newest first. */
  generations(window: TimeWindow, from: string | null): Promise<LangfusePage<Generation>>;
  /** What people said under this name. */
  scores(name: string, window: TimeWindow, from: string | null): Promise<LangfusePage<PersonScore>>;
  opinions(window: TimeWindow, from: string | null): Promise<LangfusePage<PersonOpinion>>;
  queue(id: string, from: string | null): Promise<LangfusePage<QueueItem>>;
  /** Adds a trace to an annotation queue. */
  enqueue(id: string, trace: string): Promise<void>;
}

/** As many as one page of the oldest of its endpoints holds. */
const PAGE = 100;
/** Its own client tries again as often, and reads without a limit. */
const RETRIES = 5;
const TIMEOUT_MS = 60_000;
const MAX_WAIT_MS = 60_000;
/** Of one page, in bytes: a hundred judgments with their texts. */
const MAX_REPLY = 64 << 20;

/** @param signal ends requests under way */
export function createLangfusePages(
  langfuse: Langfuse,
  { fetch, clock, signal }: { readonly fetch: Fetch; readonly clock: Clock; readonly signal: AbortSignal },
): LangfusePages {
  const { url, publicKey, secretKey, environment } = langfuse;
  const credential = btoa(`${publicKey}:${secretKey}`);
  const headers = new Headers({ authorization: `Basic ${credential}`, 'accept-encoding': 'identity' });

  const retrying = { retries: RETRIES, maxWaitMs: MAX_WAIT_MS, signal, clock };

  async function get<T>(path: string, query: object, form: z.ZodType<T>): Promise<T> {
    const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const once = () =>
      runWithTimeout(TIMEOUT_MS, clock, signal, async (bounded) => {
        const place = joinUrl(url, `/api/public/${path}?${asked}`);
        const response = await sendRequest(fetch, place, { method: 'GET', headers, signal: bounded });
        return readText(response, { maxBytes: MAX_REPLY, again: true, signal: bounded });
      });
    return form.parse(JSON.parse(await withRetry(once, retrying)));
  }
  /** What a queue is sent twice it holds twice, so only a request that was refused unread (429) is sent again. */
  async function post(path: string, body: object): Promise<void> {
    const once = () =>
      runWithTimeout(TIMEOUT_MS, clock, signal, async (bounded) => {
        const sent = new Headers(headers);
        sent.set('content-type', 'application/json');
        const place = joinUrl(url, `/api/public/${path}`);
        const request = { method: 'POST', headers: sent, body: JSON.stringify(body), signal: bounded };
        await readText(await sendRequest(fetch, place, request), { maxBytes: MAX_REPLY, signal: bounded });
      }).catch((cause: unknown) => {
        if (!(cause instanceof JudgeError) || cause.status === 429) throw cause;
        throw new JudgeError(cause.message, { status: cause.status, cause });
      });
    await withRetry(once, retrying);
  }
  const where = environment === null ? {} : { environment };
  const asked = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((cause: unknown) => {
      signal.throwIfAborted();
      throw explainFailure(cause, langfuse);
    });
  // Both endpoints are newer than Langfuse 3, which has those before them; Langfuse 4 has these alone
  // (https://langfuse.com/faq/all/deprecated-api-migration).
  let old = false;
  const readPage = async <T>({ path, item }: Endpoint<T>, query: object, from: string | null) => {
    const page = Number(from ?? 1);
    const meta = z.object({ totalPages: z.number() });
    const found = await get(path, { ...query, page }, z.object({ data: z.array(item), meta }));
    return { items: found.data.flat() as T[], next: page < found.meta.totalPages ? String(page + 1) : null };
  };
  /** @param from a number is a page of the old endpoint, anything else a cursor of the new one, which gives the fields alone */
  const readList = <T>(
    from: string | null,
    query: object,
    recent: Endpoint<T> & { readonly fields: string },
    before: Endpoint<T>,
  ): Promise<LangfusePage<T>> =>
    asked(async () => {
      if (!old && !isNumber(from)) {
        try {
          const { path, item, fields } = recent;
          const read = { ...query, fields, ...(from !== null && { cursor: from }) };
          const meta = z.object({ cursor: z.string().nullish() });
          const found = await get(path, read, z.object({ data: z.array(item), meta }));
          const next = found.data.length > 0 ? (found.meta.cursor ?? null) : null;
          return { items: found.data.flat() as T[], next };
        } catch (cause) {
          if (from !== null || !isMissing(cause)) throw cause;
          old = true;
        }
      }
      return readPage(before, query, from);
    });
  const readObservations = <T>(
    item: z.ZodType<T[]>,
    which: object,
    fields: string,
    { since, until }: TimeWindow,
    from: string | null,
  ) => {
    const range = { ...(since && { fromStartTime: since }), toStartTime: until };
    const query = { ...which, limit: PAGE, ...range, ...where };
    return readList(from, query, { path: 'v2/observations', item, fields }, { path: 'observations', item });
  };
  const readScores = (name: string, { since }: TimeWindow, from: string | null) => {
    // People speak after the judgment, and of an old one today.
    const range = since ? { fromTimestamp: since } : {};
    const query = { name, source: 'ANNOTATION', limit: PAGE, ...range, ...where };
    const recent = { path: 'v3/scores', item: score.transform(saidOf), fields: 'subject' };
    return readList(from, query, recent, { path: 'v2/scores', item: oldScore.transform(saidBefore) });
  };
  return {
    judgments: (window, from) =>
      readObservations(
        told.transform((one) => [one]),
        { name: JUDGMENT_NAME },
        'core,basic,io',
        window,
        from,
      ),
    generations: (window, from) =>
      readObservations(generation, { type: 'GENERATION' }, 'core,basic,io,model', window, from),
    scores: readScores,
    async opinions(window, from) {
      const { items, next } = await readScores('biased', window, from);
      return { items: items.map(({ value, annotator, ...on }) => ({ ...on, biased: yesOrNo(value) })), next };
    },
    queue(id, from) {
      const path = `annotation-queues/${encodeURIComponent(id)}/items`;
      const item = queueItem.transform((one) => [one]);
      return asked(() => readPage({ path, item }, { limit: PAGE }, from));
    },
    enqueue: (id, trace) =>
      asked(() =>
        post(`annotation-queues/${encodeURIComponent(id)}/items`, { objectId: trace, objectType: 'TRACE' }),
      ),
  };
}

/** A list that is read page by page. */
interface Endpoint<T> {
  readonly path: string;
  /** What an entry of it comes to: nothing where it is none of ours. */
  readonly item: z.ZodType<T[]>;
}

function saidOf({ id, subject, value, authorUserId }: z.infer<typeof score>): PersonScore[] {
  const said = { id, value, annotator: authorUserId ?? null };
  if (subject?.kind === 'trace') return [{ ...said, trace: subject.id, observation: null }];
  if (subject?.kind === 'observation')
    return [{ ...said, trace: subject.traceId ?? null, observation: subject.id }];
  return [];
}

function saidBefore(one: z.infer<typeof oldScore>): PersonScore[] {
  const { id, traceId: trace, observationId, dataType, stringValue, value, authorUserId } = one;
  const meant = dataType === 'BOOLEAN' ? value === 1 : (stringValue ?? value);
  const said = { id, value: meant, annotator: authorUserId ?? null };
  return trace ? [{ ...said, trace, observation: observationId ?? null }] : [];
}

const isNumber = (from: string | null) => from !== null && /^\d+$/.test(from);

const WORDS: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  biased: true,
  no: false,
  false: false,
  'not biased': false,
  unbiased: false,
};

/** Whatever kind of score the project has set up for its annotators. */
function yesOrNo(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return WORDS[value.toLowerCase()] ?? null;
  return value === 1 ? true : value === 0 ? false : null;
}

/** How servers say that they have no such endpoint. */
const isMissing = (cause: unknown) =>
  cause instanceof JudgeError && [404, 405, 501].includes(cause.status ?? 0);

function explainFailure(cause: unknown, { url, secretKey }: Langfuse): unknown {
  const status = cause instanceof JudgeError ? (cause.status ?? undefined) : undefined;
  if (status === 401 || status === 403)
    return new InputError(
      'LANGFUSE_PUBLIC_KEY',
      `${url} refuses it with LANGFUSE_SECRET_KEY (${status}): are both of that project, and is the URL that of its region?`,
    );
  const said = describeError(cause);
  const why = status === undefined ? said : `it answered ${status}`;
  return new RemandError(
    `Langfuse at ${url} could not be read: ${why.replaceAll(secretKey, '…')}; start again to go on`,
    { cause },
  );
}
