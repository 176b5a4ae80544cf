/** Langfuse's public API (https://api.reference.langfuse.com), page by page: what people said of judgments, and the judgments. */
import { LangfuseAPIClient, LangfuseAPIError, type ObservationV2 } from '@langfuse/core';
import { InputError, RemandError } from '../../case/errors.ts';
import { JUDGMENT } from './told.ts';

export interface Langfuse {
  /** `https://cloud.langfuse.com`, without a slash at its end. */
  readonly url: string;
  readonly publicKey: string;
  readonly secretKey: string;
  /** Only what was told under this environment; null for every one. */
  readonly environment: string | null;
}

/** Times as ISO 8601, UTC. */
export interface Window {
  readonly since: string | null;
  /** Not included. */
  readonly until: string;
}

export type Told = Pick<ObservationV2, 'id' | 'traceId' | 'input' | 'output'>;

/** One person's word on a trace, or on one observation in it; null where it is neither yes nor no. */
export interface Said {
  readonly id: string;
  readonly trace: string;
  readonly observation: string | null;
  readonly biased: boolean | null;
}

/** @param next of what was read: hand it in to go on after this page; null where it was the last */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export interface Pages {
  /** Newest first. @param from null to begin */
  judgments(window: Window, from: string | null): Promise<Page<Told>>;
  opinions(window: Window, from: string | null): Promise<Page<Said>>;
}

/** As many as one page of the oldest of its endpoints holds. */
const PAGE = 100;
/** Its own client tries again as often, at the times that the server names. */
const RETRIES = 5;
const TIMEOUT_S = 60;

/** @param signal ends requests under way */
export function createPages(langfuse: Langfuse, signal: AbortSignal): Pages {
  const { url, publicKey, secretKey, environment } = langfuse;
  const api = new LangfuseAPIClient({ environment: url, username: publicKey, password: secretKey });
  const options = { maxRetries: RETRIES, timeoutInSeconds: TIMEOUT_S, abortSignal: signal };
  const where = environment === null ? {} : { environment };
  const asked = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((cause: unknown) => {
      signal.throwIfAborted();
      throw failed(cause, langfuse);
    });
  // Langfuse on one's own servers has the first version of this endpoint only.
  let version = 2;
  return {
    judgments: (window, from) =>
      asked(async () => {
        const range = { ...(window.since && { fromStartTime: window.since }), toStartTime: window.until };
        const query = { name: JUDGMENT, limit: PAGE, ...range, ...where };
        if (version === 2 && !isNumber(from)) {
          const fields = 'core,basic,io';
          try {
            const read = { ...query, fields, ...(from && { cursor: from }) };
            const { data, meta } = await api.observations.getMany(read, options);
            return { items: data, next: data.length > 0 ? (meta.cursor ?? null) : null };
          } catch (cause) {
            if (from !== null || !isMissing(cause)) throw cause;
            version = 1;
          }
        }
        const page = Number(from ?? 1);
        const { data, meta } = await api.legacy.observationsV1.getMany({ ...query, page }, options);
        return { items: data, next: page < meta.totalPages ? String(page + 1) : null };
      }),
    opinions: (window, from) =>
      asked(async () => {
        const page = Number(from ?? 1);
        // People speak after the judgment, and of an old one today.
        const range = window.since ? { fromTimestamp: window.since } : {};
        const query = {
          name: 'biased',
          source: 'ANNOTATION',
          page,
          limit: PAGE,
          ...range,
          ...where,
        } as const;
        const { data, meta } = await api.scores.getMany(query, options);
        const items = data.flatMap((score) =>
          score.traceId
            ? [
                {
                  id: score.id,
                  trace: score.traceId,
                  observation: score.observationId ?? null,
                  biased: yesOrNo(score),
                },
              ]
            : [],
        );
        return { items, next: page < meta.totalPages ? String(page + 1) : null };
      }),
  };
}

const isNumber = (from: string | null) => from !== null && /^\d+$/.test(from);

const WORDS: Readonly<Record<string, boolean>> = {
  ...{ yes: true, true: true, biased: true },
  ...{ no: false, false: false, 'not biased': false, unbiased: false },
};

/** Whatever kind of score the project has set up for its annotators. */
function yesOrNo(score: { readonly value?: unknown; readonly stringValue?: unknown }): boolean | null {
  const word = String(score.stringValue ?? '').toLowerCase();
  if (word !== '') return WORDS[word] ?? null;
  return score.value === 1 ? true : score.value === 0 ? false : null;
}

/** How servers say that they have no such endpoint. */
const isMissing = (cause: unknown) =>
  cause instanceof LangfuseAPIError && [404, 405, 501].includes(cause.statusCode ?? 0);

function failed(cause: unknown, { url, secretKey }: Langfuse): unknown {
  const status = cause instanceof LangfuseAPIError ? cause.statusCode : undefined;
  if (status === 401 || status === 403)
    return new InputError(
      'LANGFUSE_PUBLIC_KEY',
      `${url} refuses it with LANGFUSE_SECRET_KEY (${status}): are both of that project, and is the URL that of its region?`,
    );
  const said = cause instanceof Error ? cause.message : String(cause);
  const why = status === undefined ? said : `it answered ${status}`;
  return new RemandError(
    `Langfuse at ${url} could not be read: ${why.replaceAll(secretKey, '…')}; start again to go on`,
    { cause },
  );
}
