/**
 * `remand finetune`: trains a detector at an OpenAI-compatible fine-tuning API, and writes the model that comes of it
 * into remand.config.json. Started again, it goes on with the job it began.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { applyEdits, modify } from 'jsonc-parser';
import type OpenAI from 'openai';
import { type FineTuningApi, fineTune, type JobNote, type JobOrder, jobNote } from '../dataset/index.ts';
import { describeError, InputError } from '../errors.ts';
import { createBoundedFetch, JudgeError, joinUrl, withRetry } from '../http/index.ts';
import { systemClock } from '../ports.ts';
import { writeWhole } from '../records/node.ts';
import { parseJsonObject, readKey, runInterruptible } from './arguments.ts';
import { asText, asWhole, createCommand, needed, optional, usual } from './command.ts';
import { CHARACTERS, dryRunOptions } from './dry-run.ts';
import { loadOptional } from './process-setup.ts';
import { loadPrices } from './result-origin.ts';
import { tell } from './terminal.ts';

export const finetuneCommand = createCommand(
  {
    train: needed(asText, 'examples as chat JSONL: remand export'),
    validation: optional(asText, 'examples in the same form, to measure on'),
    model: needed(asText, 'the base model, as the API names it'),
    endpoint: usual(asText, 'https://api.openai.com/v1', "the API's address"),
    key: usual(asText, 'RBD_API_KEY', 'environment variable of its key'),
    suffix: optional(asText, "part of the new model's name"),
    hyperparameters: usual(
      asHyperparameters,
      '{}',
      'JSON, such as {"n_epochs":3,"batch_size":8,"learning_rate_multiplier":1}',
    ),
    seed: optional(asWhole(0, 2 ** 31 - 1), 'seed of the training'),
    state: optional(asText, 'where the run is noted (default: beside --train)'),
    config: usual(asText, 'remand.config.json', 'settings file to write the model into'),
    every: usual(asWhole(1, 86_400_000), '10000', 'milliseconds between two looks at the job'),
    retries: usual(asWhole(0, 100), '5', 'how often a call that failed in passing is made again'),
    ...dryRunOptions,
  },
  async ({ args, print }) => {
    const { hyperparameters, retries, every: everyMs } = args;
    if (!/^https?:$/.test(URL.canParse(args.endpoint) ? new URL(args.endpoint).protocol : ''))
      throw new InputError('--endpoint', `"${args.endpoint}" is no http URL`);
    const apiKey = readKey(process.env, args.key) ?? '';
    if (apiKey === '' && !args['dry-run'])
      throw new InputError('--key', `the environment variable ${args.key} is not set`);
    // Told now, not after hours of training.
    await readSettingsFile(args.config);
    const training = await readExamples(args.train, '--train');
    const validation =
      args.validation === undefined ? null : await readExamples(args.validation, '--validation');
    const order: JobOrder = {
      endpoint: args.endpoint,
      model: args.model,
      training: training.hash,
      validation: validation?.hash ?? null,
      suffix: args.suffix ?? null,
      hyperparameters,
      seed: args.seed ?? null,
    };
    if (args['dry-run']) {
      const { n_epochs: epochs } = order.hyperparameters;
      const trained = estimateTraining(training, typeof epochs === 'number' ? epochs : 1);
      const price = (await loadPrices(args.prices))[args.model];
      const cost = price === undefined ? null : (trained.tokens * price.input) / 1e6;
      const document = { dry_run: true, ...trained, cost };
      return print(document, () => describeTraining(document, args.model, epochs));
    }
    const state = args.state ?? `${args.train}.finetune.json`;
    const library = await loadOptional('openai', () => import('openai'));
    const api = createFineTuningApi(library, { endpoint: args.endpoint, apiKey, retries });
    const done = await runInterruptible(async (signal) =>
      fineTune(
        api,
        order,
        await readNote(state, order),
        async (hash) => (hash === training.hash ? training : (validation ?? training)).content,
        {
          clock: systemClock,
          everyMs,
          signal,
          keep: (note) =>
            writeWhole({ state }, (files) => files.state.write(`${JSON.stringify(note, null, 2)}\n`)),
          onEvent: log,
          onState: onChange(
            ({ id, status, trainedTokens }) =>
              `${id}: ${status}${trainedTokens === null ? '' : `, ${trainedTokens} tokens trained`}`,
          ),
        },
      ),
    );
    const kept = parseJsonObject(await readSettingsFile(args.config), args.config).RBD_BASE_URL;
    if (kept !== undefined && kept !== args.endpoint)
      log(`RBD_BASE_URL in ${args.config} stays ${kept}; the model was trained at ${args.endpoint}`);
    await writeSettingsFile(args.config, {
      RBD_MODEL: done.fine_tuned_model,
      ...(kept === undefined ? { RBD_BASE_URL: args.endpoint } : {}),
    });
    const { job, fine_tuned_model: model, training_file } = done;
    print(
      { model, job, training_file, config: args.config },
      () => `${model} is the detector model in ${args.config} now\n`,
    );
  },
);

/** Longest single wait before trying again. */
const MAX_WAIT_MS = 60_000;

interface TrainingPlan {
  readonly examples: number;
  readonly epochs: number;
  /** Trained: those of all examples, as often as they are gone through. */
  readonly tokens: number;
}

function estimateTraining(training: Examples, epochs: number): TrainingPlan {
  const { count: examples, characters } = training;
  return { examples, epochs, tokens: Math.ceil(characters / CHARACTERS) * epochs };
}

function describeTraining(
  { examples, epochs, tokens, cost }: TrainingPlan & { readonly cost: number | null },
  model: string,
  given: string | number | undefined,
): string {
  const chosen =
    typeof given === 'number' ? '' : ' (the API chooses how many: name n_epochs in --hyperparameters)';
  return [
    `Nobody was asked. The training would take ${examples} examples in ${epochs} epochs${chosen}, about ${tokens} tokens${cost === null ? '' : `, about ${cost.toFixed(2)}`}.`,
    ...(cost === null
      ? [
          `No price is known for ${model}: name that of a trained token in --prices or REMAND_PRICES, as {${JSON.stringify(model)}: {"input": …, "output": 0}} per million tokens.`,
        ]
      : []),
    '',
  ].join('\n');
}

interface Examples {
  readonly content: Uint8Array;
  readonly hash: string;
  readonly count: number;
  /** Of their messages. */
  readonly characters: number;
}

/** @throws InputError where the file is missing, or a line is no chat of a prompt and an answer */
async function readExamples(path: string, option: string): Promise<Examples> {
  const content = await readFile(path).catch((cause: Error) => {
    throw new InputError(option, `${path} cannot be read: ${describeError(cause)}`);
  });
  let [count, characters] = [0, 0];
  for (const [index, line] of content.toString('utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const { messages } = parseJsonObject(line, `${path}:${index + 1}`);
    if (!Array.isArray(messages) || messages.at(-1)?.role !== 'assistant')
      throw new InputError(
        `${path}:${index + 1}`,
        'must hold messages that end with the assistant: remand export',
      );
    count++;
    characters += line.length;
  }
  if (count === 0) throw new InputError(option, `${path} holds no examples`);
  return { content, hash: createHash('sha256').update(content).digest('hex'), count, characters };
}

function asHyperparameters(text: string, option: string): JobOrder['hyperparameters'] {
  return Object.fromEntries(
    Object.entries(parseJsonObject(text, option)).map(([name, value]) => {
      if (typeof value !== 'number' && typeof value !== 'string')
        throw new InputError(option, `${name} must be a number or "auto"`);
      return [name, value];
    }),
  );
}

/** @throws InputError where the note is not of this order: two jobs under one note would hide one of them */
async function readNote(path: string, order: JobOrder): Promise<JobNote | null> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return null;
    throw cause;
  });
  if (text === null) return null;
  const note = jobNote.safeParse(parseJsonObject(text, path));
  if (!note.success) throw new InputError(path, 'is no note of a fine-tuning run');
  const { order: noted } = note.data;
  const other = (Object.keys(order) as (keyof JobOrder)[]).find(
    (name) => JSON.stringify(noted[name]) !== JSON.stringify(order[name]),
  );
  if (other !== undefined)
    throw new InputError(
      path,
      `notes a run with another ${other}; name another note with --state, or remove it`,
    );
  return note.data;
}

function onChange<T>(words: (value: T) => string): (value: T) => void {
  let said = '';
  return (value) => {
    const now = words(value);
    if (now !== said) log(now);
    said = now;
  };
}

function log(message: string): void {
  tell(`${message}\n`);
}

// Setting values in a settings file where they stand: order, indentation and the other values stay.

/**
 * @param path a JSON file; made where it is missing
 * @param values the settings to write
 * @throws InputError where the file is no JSON object, WriteError where it cannot be written
 */
async function writeSettingsFile(path: string, values: Readonly<Record<string, string>>): Promise<void> {
  const text = await readSettingsFile(path);
  const [, indent = '  '] = /\n([ \t]+)"/.exec(text) ?? [];
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const set = Object.entries(values).reduce(
    (current, [name, value]) => applyEdits(current, modify(current, [name], value, { formattingOptions })),
    text,
  );
  await writeWhole({ settings: path }, (files) => files.settings.write(set));
}

/** @throws InputError where the file is there and holds no JSON object as `serve` reads it, without comments */
async function readSettingsFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return '{}\n';
    throw cause;
  });
  parseJsonObject(text, path);
  return text;
}

interface ApiOptions {
  /** With or without `/v1`. */
  readonly endpoint: string;
  readonly apiKey: string;
  readonly retries: number;
}

/** Largest reply taken, in bytes. */
const MAX_REPLY = 32 << 20;
/** Statuses that pass by themselves. */
const PASSING = new Set([408, 409, 429, 500, 502, 503, 504, 529]);
/** Of these two no attempt was carried out, so that a second one makes nothing twice. */
const REFUSED = new Set([429, 503]);

/** The client library, which is only loaded here. */
type Library = typeof import('openai');

function createFineTuningApi(library: Library, options: ApiOptions): FineTuningApi {
  const { OpenAI: Client, toFile } = library;
  const client = new Client({
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
  const { retries } = options;
  const attempt = <T>(signal: AbortSignal, makes: boolean, work: () => Promise<T>): Promise<T> =>
    withRetry(() => work().catch((cause: unknown) => throwTranslated(library, cause, makes, signal)), {
      retries,
      maxWaitMs: MAX_WAIT_MS,
      signal,
    });
  /** What makes something is only made again where it was refused. */
  const make = <T>(signal: AbortSignal, work: () => Promise<T>) => attempt(signal, true, work);
  const call = <T>(signal: AbortSignal, work: () => Promise<T>) => attempt(signal, false, work);
  /** Some servers have no lists; what cannot be looked up is taken for not there. */
  const look = <T>(signal: AbortSignal, none: T, work: () => Promise<T>): Promise<T> =>
    call(signal, work).catch((cause: unknown) => {
      if (cause instanceof JudgeError && [404, 405, 501].includes(cause.status ?? 0)) return none;
      throw cause;
    });

  return {
    findFile: (name, signal) =>
      look<string | null>(signal, null, async () => {
        for await (const file of client.files.list({ purpose: 'fine-tune' }, { signal }))
          if (file.filename === name && file.status !== 'error') return file.id;
        return null;
      }),
    upload: (name, content, signal) =>
      make(signal, async () => {
        const file = await toFile(content, name, { type: 'application/jsonl' });
        return (await client.files.create({ file, purpose: 'fine-tune' }, { signal })).id;
      }),
    findJob: (order, trainingFile, validationFile, signal) =>
      look<string | null>(signal, null, async () => {
        for await (const job of client.fineTuning.jobs.list({}, { signal }))
          if (
            job.training_file === trainingFile &&
            !['failed', 'cancelled'].includes(job.status) &&
            isOrdered(job, order, validationFile)
          )
            return job.id;
        return null;
      }),
    start: (order, trainingFile, validationFile, signal) =>
      make(signal, async () => {
        const { model, suffix, seed, hyperparameters } = order;
        const given = { validation_file: validationFile, suffix, seed };
        const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
        const method =
          Object.keys(hyperparameters).length > 0 &&
          ({ method: { type: 'supervised', supervised: { hyperparameters } } } as const);
        const body = { model, training_file: trainingFile, ...known, ...method };
        return (await client.fineTuning.jobs.create(body as OpenAI.FineTuning.JobCreateParams, { signal }))
          .id;
      }),
    job: (id, signal) =>
      call(signal, async () => {
        const job = await client.fineTuning.jobs.retrieve(id, { signal });
        return {
          id: job.id,
          status: job.status,
          model: job.fine_tuned_model ?? null,
          trainedTokens: job.trained_tokens ?? null,
          // Servers that copy the API leave the field out.
          error: job.error?.message || null,
        };
      }),
    events: (id, signal) =>
      look(signal, [], async () => {
        const { data } = await client.fineTuning.jobs.listEvents(id, { limit: 50 }, { signal });
        return data.map((event) => ({ id: event.id, message: event.message })).reverse();
      }),
  };
}

type FineTuningJob = OpenAI.FineTuning.FineTuningJob;
/** Told by the API, and not by the client's types. */
type ListedJob = FineTuningJob & {
  readonly user_provided_suffix?: string | null;
  readonly suffix?: string | null;
};

/**
 * Whether a job can be that of an order. What the API does not tell of it counts for neither; what the order leaves to the
 * API (a seed, how many epochs) may be anything.
 */
function isOrdered(job: ListedJob, order: JobOrder, validationFile: string | null): boolean {
  const given: Record<string, unknown> = {
    ...job.hyperparameters,
    ...job.method?.supervised?.hyperparameters,
  };
  const suffix = job.user_provided_suffix === undefined ? job.suffix : job.user_provided_suffix;
  const chosen = Object.entries(order.hyperparameters).filter(([, value]) => value !== 'auto');
  const compared: readonly (readonly [told: unknown, wanted: unknown])[] = [
    // A model is listed by its dated name: gpt-4o-mini-2024-07-18.
    [job.model.replace(order.model, '').replace(/^-\d{4}(?:-\d\d){0,2}$/, ''), ''],
    [job.validation_file, validationFile],
    [suffix, order.suffix],
    [order.seed === null ? null : job.seed, order.seed],
    ...chosen.map(([name, value]) => [given[name], value] as const),
  ];
  return compared.every(([told, wanted]) => told === undefined || told === wanted);
}

/**
 * OpenAI's errors as ours. The client's own is not kept as the cause, since it may carry the request's headers.
 *
 * @throws JudgeError, or the signal's reason
 */
function throwTranslated(
  { APIError, APIConnectionError }: Library,
  cause: unknown,
  makes: boolean,
  signal: AbortSignal,
): never {
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
