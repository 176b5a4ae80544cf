/** The fine-tuning API of OpenAI and of those that copy it, through OpenAI's client; retries are ours alone. */
import OpenAI, { APIConnectionError, APIError, toFile } from 'openai';
import type { FineTuningApi } from '../../dataset/index.ts';
import { createBoundedFetch, JudgeError, joinUrl, withRetry } from '../../http/index.ts';

interface ApiOptions {
  /** With or without `/v1`. */
  readonly endpoint: string;
  readonly apiKey: string;
  readonly retries: number;
  /** Longest single wait before trying again, in milliseconds. */
  readonly maxWaitMs: number;
}

/** Largest reply taken, in bytes. */
const MAX_REPLY = 32 << 20;
/** Statuses that pass by themselves. */
const PASSING = new Set([408, 409, 429, 500, 502, 503, 504, 529]);
/** Of these two no attempt was carried out, so that a second one makes nothing twice. */
const REFUSED = new Set([429, 503]);

export function createFineTuningApi(options: ApiOptions): FineTuningApi {
  const client = new OpenAI({
    baseURL: joinUrl(options.endpoint, '/v1'),
    apiKey: options.apiKey,
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: 'off',
    fetch: createBoundedFetch(fetch, MAX_REPLY),
    maxRetries: 0,
  });
  const { retries, maxWaitMs } = options;
  /** @param makes whether the call makes something, and so is only made again where it was refused */
  const call = <T>(work: () => Promise<T>, signal: AbortSignal, makes = false): Promise<T> =>
    withRetry(() => work().catch((cause: unknown) => translated(cause, makes, signal)), {
      ...{ retries, maxWaitMs, signal },
    });
  /** Some servers have no lists; what cannot be looked up is taken for not there. */
  const looked = <T>(work: () => Promise<T>, signal: AbortSignal, none: T): Promise<T> =>
    call(work, signal).catch((cause: unknown) => {
      if (cause instanceof JudgeError && [404, 405, 501].includes(cause.status ?? 0)) return none;
      throw cause;
    });

  return {
    findFile: (name, signal) =>
      looked(
        async () => {
          for await (const file of client.files.list({ purpose: 'fine-tune' }, { signal }))
            if (file.filename === name && file.status !== 'error') return file.id;
          return null;
        },
        signal,
        null,
      ),
    upload: (name, content, signal) =>
      call(
        async () => {
          const file = await toFile(content, name, { type: 'application/jsonl' });
          return (await client.files.create({ file, purpose: 'fine-tune' }, { signal })).id;
        },
        signal,
        true,
      ),
    findJob: (trainingFile, signal) =>
      looked(
        async () => {
          for await (const job of client.fineTuning.jobs.list({}, { signal }))
            if (job.training_file === trainingFile && !['failed', 'cancelled'].includes(job.status))
              return job.id;
          return null;
        },
        signal,
        null,
      ),
    start: (order, trainingFile, validationFile, signal) =>
      call(
        async () => {
          const { model, suffix, seed, hyperparameters } = order;
          const job = await client.fineTuning.jobs.create(
            {
              model,
              training_file: trainingFile,
              ...(validationFile === null ? {} : { validation_file: validationFile }),
              ...(suffix === null ? {} : { suffix }),
              ...(seed === null ? {} : { seed }),
              ...(Object.keys(hyperparameters).length === 0
                ? {}
                : { method: { type: 'supervised', supervised: { hyperparameters } } }),
            } as OpenAI.FineTuning.JobCreateParams,
            { signal },
          );
          return job.id;
        },
        signal,
        true,
      ),
    job: (id, signal) =>
      call(async () => {
        const job = await client.fineTuning.jobs.retrieve(id, { signal });
        return {
          id: job.id,
          status: job.status,
          model: job.fine_tuned_model ?? null,
          trainedTokens: job.trained_tokens ?? null,
          // Servers that copy the API leave the field out.
          error: job.error?.message || null,
        };
      }, signal),
    events: (id, signal) =>
      looked(
        async () => {
          const { data } = await client.fineTuning.jobs.listEvents(id, { limit: 50 }, { signal });
          return data.map((event) => ({ id: event.id, message: event.message })).reverse();
        },
        signal,
        [],
      ),
  };
}

/**
 * OpenAI's errors as ours. The client's own is not kept as the cause, since it may carry the request's headers.
 *
 * @throws JudgeError, or the signal's reason
 */
function translated(cause: unknown, makes: boolean, signal: AbortSignal): never {
  signal.throwIfAborted();
  if (!(cause instanceof APIError)) throw cause;
  if (cause instanceof APIConnectionError)
    throw new JudgeError(`the fine-tuning API gave no reply: ${cause.message}`, { retryable: !makes });
  const status = cause.status ?? 0;
  throw new JudgeError(`the fine-tuning API answered ${cause.message}`, {
    status,
    retryable: (makes ? REFUSED : PASSING).has(status),
    response: new Response(null, { status: status >= 200 ? status : 500, headers: cause.headers ?? {} }),
  });
}
