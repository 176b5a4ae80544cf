/**
 * What an operator can set, in one schema. The environment comes first, then `remand.config.json` with the
 * same names; what is in neither has a default. This module reads no environment and no file: the entries
 * (serve, the Worker) hand both in.
 */
import * as z from 'zod';
import { CATALOGUE } from '../bias/index.ts';
import { LEARN_MODES } from '../case/templates/book.ts';
import { checkTemplate, DEFAULT_DETECTOR, DETECTOR_NAMES, findDetector } from '../detect/index.ts';
import { InputError } from '../errors.ts';
import { calibrationSchema } from '../loop/index.ts';
import { prices } from '../models/prices.ts';
import type { TraceLimits } from '../trace/index.ts';
import { keyRecord } from './access/key.ts';
import { keyLimits } from './limits/key-limits.ts';
import { biasList, createWholeNumber, MODES, plainName, ROUNDS } from './options.ts';
import { mayForward } from './reply-headers.ts';
import { checkTelemetry, telemetrySettings } from './telemetry/telemetry-settings.ts';

const FILE = '.remand/traces.sqlite';

const POLICIES = ['last-word', 'counterfactual', 'tie', 'original'] as const;

const base = z
  .string()
  .refine((text) => /^(https?:\/\/[^\s?#]+|recorded:\S+)$/.test(text), {
    error: 'must be an http(s) URL without query or fragment (or recorded:<path>)',
  })
  .transform((text) => text.replace(/(?<!\/)\/+$/, ''));

const httpBase = base.refine((text) => text.startsWith('http'), { error: 'must be an http(s) URL' });

const ms = (min: number) => createWholeNumber(min, 24 * 3_600_000);

const probability = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^(?:0?\.\d+|1(?:\.0+)?)$/)
        .transform(Number),
    ],
    {
      error: 'must be a number from 0.5 to 1',
    },
  )
  .pipe(z.number().min(0.5, { error: 'must be at least 0.5' }).max(1, { error: 'must be at most 1' }));

const share = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^(?:0|1|0?\.\d+|1\.0+|0\.0*)$/)
        .transform(Number),
    ],
    {
      error: 'must be a number from 0 to 1',
    },
  )
  .pipe(z.number().min(0).max(1, { error: 'must be a number from 0 to 1' }));

const upstream = z.strictObject({
  path: z
    .string()
    .regex(/^(?:\/[\w.-]+)+$/, { error: 'must be a path such as /anthropic' })
    .optional(),
  model: plainName.min(1).optional(),
  url: httpBase,
  key: z.string().optional(),
});

/** A value in remand.config.json; the same as JSON text in the environment. */
const jsonOr = <T extends z.ZodType>(what: string, inner: T) =>
  z.preprocess((value, context) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value);
    } catch {
      context.issues.push({ code: 'custom', message: `must be ${what}`, input: value });
      return z.NEVER;
    }
  }, inner);

const keys = jsonOr('a JSON list', z.array(keyRecord));

/** As browsers send them: scheme, host, and a port where it is not the scheme's. */
const origins = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value),
  z.array(
    z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
      error: 'must be origins such as https://example.com, with commas between them',
    }),
  ),
);

/** Names in lower case, `*` at the end for any ending. */
const replyHeaders = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').map((one) => one.trim().toLowerCase()) : value),
  z.array(
    z
      .string()
      .regex(/^[a-z0-9-]+\*?$/, {
        error: 'must be names of headers such as x-served-by or x-served-*, with commas between them',
      })
      .refine(mayForward, {
        error:
          'must not name what acts on the client or its browser (set-cookie, location, …) or is ours (x-remand-*)',
      }),
  ),
);

/** A method and a path, each with `*` for any run of characters. */
const passPaths = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value),
  z.array(
    z.string().regex(/^(?:\*|[A-Z]+) [/*]\S*$/, {
      error: 'must be methods and paths such as POST /v1/embeddings, with commas between them',
    }),
  ),
);

const upstreams = jsonOr(
  'a JSON list',
  z.array(upstream.refine(({ path, model }) => path ?? model, { error: 'needs a path or a model' })),
);

const schema = z.object({
  /** The judge's endpoint, with or without `/v1`; unset, the sandbox judge answers. */
  JUDGE_BASE_URL: base.optional(),
  /** Used only where the client sends no key of its own. */
  JUDGE_API_KEY: z.string().optional(),
  /** Further judges, by path prefix or model name: `[{"path": "/anthropic", "url": …}, {"model": "claude-*", …}]`. */
  REMAND_UPSTREAMS: upstreams.default([]),
  /** What becomes of a judge's redirect: a 502 (refuse), or the client's to follow (pass), which may send its keys there. */
  REMAND_REDIRECTS: z.enum(['refuse', 'pass']).default('refuse'),
  /**
   * What a key of scope `judge` may send with the operator's key beside judgments: `POST /v1/embeddings, GET /v1/files/*`.
   * The path is that which the upstream gets.
   */
  REMAND_PASS_PATHS: passPaths.default([
    'GET /models',
    'GET /v1/models',
    'GET /v1/models/*',
    'GET /v1beta/models',
    'GET /v1beta/models/*',
  ]),
  /** Headers of a judge's reply that go on to the client beside those that its SDKs read: `x-served-by, x-cache-*`. */
  REMAND_REPLY_HEADERS: replyHeaders.default([]),
  /** How long one call to the judge may take, in milliseconds. The OpenAI clients wait as long by default. */
  JUDGE_TIMEOUT_MS: ms(1).default(600_000),
  /** A reasoning detector behind an OpenAI-compatible endpoint. */
  RBD_BASE_URL: httpBase.optional(),
  RBD_MODEL: plainName.optional(),
  RBD_API_KEY: z.string().optional(),
  /** The prompt a detector was trained on, with `{{instruction}} {{choices}} {{judgment}} …`; see prompts/bias-detector.ts. */
  RBD_TEMPLATE: z.string().optional(),
  HF_TOKEN: z.string().optional(),
  ...telemetrySettings,
  /** Of models, per million tokens: `{"gpt-4o": {"input": 2.5, "output": 10}}`. */
  REMAND_PRICES: jsonOr('a JSON object of prices by model', prices).default({}),
  /** Loopback by default: see REMAND_ACCESS for what holds elsewhere. */
  HOST: z.string().default('127.0.0.1'),
  PORT: createWholeNumber(0, 65_535).default(8787),
  /**
   * A port for the pages under `/remand`, which the other one then has no longer (but health): what comes from judges and
   * what shows traces are two origins then. On Node only.
   */
  REMAND_ADMIN_PORT: createWholeNumber(0, 65_535).optional(),
  /**
   * Who has to show a key (`remand keys add`): nobody (open), readers of pages and traces (pages), or clients, too
   * (keys). Unset: nobody on loopback, where only this machine's names are answered to; elsewhere `keys` if a key of
   * the operator's could be spent, else `pages`.
   */
  REMAND_ACCESS: z.enum(['open', 'pages', 'keys']).optional(),
  /** Records of keys, as `remand keys add --record` prints them: for a place without a database. */
  REMAND_KEYS: keys.default([]),
  /** Web pages of these origins may send requests. None by default. */
  REMAND_CORS_ORIGINS: origins.default([]),
  /** How long requests under way may go on when the server is told to stop, in milliseconds. */
  REMAND_GRACE_MS: ms(0).default(30_000),
  REMAND_MODE: z.enum(MODES).default('debias'),
  /** T of the loop. The second round is what tells "revised" from "still biased"; more seldom moves a judge. */
  REMAND_ROUNDS: ROUNDS.default(2),
  REMAND_BIASES: biasList.default(CATALOGUE.map((bias) => bias.name)),
  REMAND_DETECTOR: z.enum(DETECTOR_NAMES).default(DEFAULT_DETECTOR.name),
  REMAND_POLICY: z.enum(POLICIES).default('last-word'),
  /**
   * What `remand calibrate` wrote: whether a verdict with such a bias is sent back, only flagged, or answered with a
   * tie, by judge and bias. The JSON itself; the server on Node takes the file's path, too.
   */
  REMAND_CALIBRATION: jsonOr('JSON as `remand calibrate` writes it', calibrationSchema).optional(),
  /** Whether templates that were learned act by themselves, only once a person approved them, or nothing is learned. */
  REMAND_LEARN: z.enum(LEARN_MODES).default('auto'),
  /**
   * A model that is asked once for each template whose slots or whose verdict's form stay open: its name, at
   * REMAND_READER_BASE_URL or else the judge's endpoint, which the operator pays; or `judge`, the judge of the request that
   * comes next, on its caller's account. Unset: none is asked.
   */
  REMAND_READER_MODEL: plainName.min(1).optional(),
  /** OpenAI-compatible, with or without `/v1`. */
  REMAND_READER_BASE_URL: httpBase.optional(),
  REMAND_READER_API_KEY: z.string().optional(),
  /** Such calls within an hour, of one process or isolate. */
  REMAND_READER_CALLS: createWholeNumber(0, 100_000).default(60),
  /**
   * Templates of judge prompts, as `remand read --learn` writes them. A JSON list; the server on Node takes the path of
   * a file or of a folder of them, too.
   */
  REMAND_TEMPLATES: jsonOr('a JSON list of templates', z.array(z.unknown())).default([]),
  /** Extra work after the first verdict, in milliseconds; the impatient clients give up after 10 to 20 s. */
  REMAND_DEADLINE_MS: ms(0).default(8_000),
  /** Calls to any model beside the first, for one judgment. */
  REMAND_EXTRA_CALLS: createWholeNumber(0, 1_000).default(8),
  /**
   * From which probability of its label on (.99, say) a choice is not judged in the other order, where the client
   * asked for log-probabilities. Saves a call, costs time where it does not, for the other order then waits for the
   * first verdict; and a judge that is sure of the first place, whatever stands there, is not found out.
   */
  REMAND_CONFIDENT: probability.optional(),
  /** Limits of keys that have none of their own, and of all callers without a key together: see limits/key-limits.ts. */
  REMAND_LIMITS: jsonOr('a JSON object', keyLimits).default({}),
  /** Requests under way at once in this process, whosever they are; unset, no limit. Keys whose requests wait take turns. */
  REMAND_CONCURRENCY: createWholeNumber(1, 1_000_000).optional(),
  /** How many more may wait for their turn, and how long, in milliseconds. */
  REMAND_QUEUE: createWholeNumber(0, 1_000_000).default(100),
  REMAND_QUEUE_MS: ms(1).default(30_000),
  /**
   * How long an upstream is left alone for a model and key whose calls fail there again and again, in milliseconds; 0 for
   * never.
   */
  REMAND_BREAKER_MS: ms(0).default(10_000),
  /** How long answers to deterministic requests are kept to be given again, in seconds; 0 for not at all. */
  REMAND_CACHE_S: createWholeNumber(0, 365 * 86_400).default(0),
  /** Share of judgments that are debiased where nothing else is asked for; the others are shadowed. */
  REMAND_SAMPLE: share.default(1),
  /** Another seed, another share of the requests. */
  REMAND_SAMPLE_SEED: z.string().default('remand'),
  /** What a detector that is down means: the judge's own verdict (open), or a 503 (closed). */
  REMAND_FAIL: z.enum(['open', 'closed']).default('open'),
  /** Path of the SQLite file, or `off`. */
  REMAND_TRACES: z.string().default(FILE),
  /** SQLite file of keys, budgets and cache. Default: the traces' file, or where that would be. */
  REMAND_STATE: z.string().min(1).optional(),
  /** Whether traces hold the texts of cases, replies and reasons, or only what was decided. */
  REMAND_TRACE_TEXTS: z.enum(['on', 'off']).default('on'),
  /** The oldest traces go when there are more. */
  REMAND_TRACES_KEEP: createWholeNumber(1, 100_000_000).default(10_000),
  /** The oldest traces go, too, when they have more bytes together (JSON in UTF-8). Unset: see TRACE_BYTES. */
  REMAND_TRACES_BYTES: createWholeNumber(1 << 20, 2 ** 50).optional(),
  /** A trace of more bytes is kept without its texts. D1 takes at most 1,900,000. */
  REMAND_TRACE_BYTES: createWholeNumber(1 << 14, 1 << 29).default(16 << 20),
  /** Of a request that is to be judged, in bytes; what is passed through has no limit. */
  REMAND_BODY_LIMIT: createWholeNumber(1, 1 << 30).default(16 << 20),
  /** Of a request that is read, in bytes; a longer one is passed on unread. */
  REMAND_READ_LIMIT: createWholeNumber(1, 1 << 30).default(1 << 20),
  /** Of a judge's reply that is read, in bytes; a longer one is handed on unread. */
  REMAND_REPLY_LIMIT: createWholeNumber(1, 32 << 20).default(4 << 20),
  /**
   * CPU time that finding the case of one request may take, in milliseconds; then the request is passed on as it is. Looking for
   * cues in it and reading the verdict of one reply may take as long each; then the judge's own verdict goes out.
   * The first 50 may take ten times as long: the runtime compiles the readers then.
   */
  REMAND_READ_MS: ms(1).default(50),
  /** Silence on a stream before a heartbeat, in milliseconds. Idle hops cut after 60 to 120 s. */
  REMAND_HEARTBEAT_MS: ms(1).default(5_000),
});

export type Config = z.output<typeof schema>;
export type PolicySetting = Config['REMAND_POLICY'];

/**
 * @param env names and values, such as `process.env` or a Worker's bindings; only known names are read
 * @param file the parsed `remand.config.json`, or null
 * @throws InputError naming the field
 */
export function readConfig(env: Readonly<Record<string, unknown>>, file: unknown = null): Config {
  const known = Object.keys(schema.shape);
  const fromFile = file === null ? {} : z.record(z.string(), z.unknown()).safeParse(file).data;
  if (!fromFile) throw new InputError('remand.config.json', 'must hold one JSON object');
  const unknown = Object.keys(fromFile).find((name) => !known.includes(name));
  if (unknown)
    throw new InputError(unknown, `no such setting (remand.config.json); known: ${known.join(', ')}`);
  // An empty variable is how shells and compose files say "unset".
  const fromEnv = Object.fromEntries(
    known
      .filter((name) => typeof env[name] === 'string' && env[name] !== '')
      .map((name) => [name, env[name]]),
  );
  const result = schema.safeParse({ ...fromFile, ...fromEnv });
  if (result.success) return checked(result.data);
  const issue = result.error.issues[0];
  const [setting = 'configuration', ...within] = issue?.path ?? [];
  // The place in a list helps where the list is JSON, as it was written; others are split by us.
  const field =
    setting === 'REMAND_UPSTREAMS' || setting === 'REMAND_KEYS'
      ? [setting, ...within].join('.')
      : String(setting);
  throw new InputError(field, issue?.message ?? 'cannot be read');
}

/** What one field alone cannot tell. */
function checked(config: Config): Config {
  if (config.RBD_BASE_URL && !config.RBD_MODEL)
    throw new InputError('RBD_MODEL', 'must name the detector model, since RBD_BASE_URL is set');
  if (findDetector(config.REMAND_DETECTOR)?.needsModel && !hasDetectorModel(config))
    throw new InputError('REMAND_DETECTOR', `${config.REMAND_DETECTOR} needs RBD_BASE_URL and RBD_MODEL`);
  checkReader(config);
  if (
    config.REMAND_ADMIN_PORT !== undefined &&
    config.REMAND_ADMIN_PORT > 0 &&
    config.REMAND_ADMIN_PORT === config.PORT
  )
    throw new InputError('REMAND_ADMIN_PORT', 'must be another port than PORT');
  if (config.RBD_TEMPLATE !== undefined) checkTemplate(config.RBD_TEMPLATE);
  checkTelemetry(config);
  return config;
}

function checkReader(config: Config): void {
  const { REMAND_READER_MODEL: model, REMAND_READER_BASE_URL: url, REMAND_READER_API_KEY: key } = config;
  if (model === undefined && (url ?? key) !== undefined)
    throw new InputError('REMAND_READER_MODEL', 'must name the model, since its endpoint or key is set');
  if (model === 'judge' && (url ?? key) !== undefined)
    throw new InputError('REMAND_READER_MODEL', 'is the judge, which has no endpoint and no key of its own');
  if (model !== undefined && model !== 'judge' && !url && !config.JUDGE_BASE_URL?.startsWith('http'))
    throw new InputError(
      'REMAND_READER_BASE_URL',
      'must say where the model is, since JUDGE_BASE_URL does not',
    );
}

/** Whether a detector model can be asked: an endpoint of its own, or Hugging Face Inference. */
export function hasDetectorModel(config: Config): boolean {
  return config.RBD_MODEL !== undefined && (config.RBD_BASE_URL ?? config.HF_TOKEN) !== undefined;
}

/** Bytes of all traces, where nobody says, by where they are. */
const TRACE_BYTES = {
  file: 2 ** 30,
  /** `:memory:` on Node. */
  memory: 64 << 20,
  /** Of 500 MB that D1 holds on the free plan. */
  d1: 256 << 20,
  /** Of 128 MB that an isolate has for everything. */
  isolate: 16 << 20,
} as const;

/** @param where the traces are kept; of an isolate's memory one trace takes an eighth at most */
export function readTraceLimits(config: Config, where: keyof typeof TRACE_BYTES): TraceLimits {
  const bytes = config.REMAND_TRACES_BYTES ?? TRACE_BYTES[where];
  const bytesEach = Math.min(config.REMAND_TRACE_BYTES, where === 'isolate' ? bytes / 8 : bytes);
  return { keep: config.REMAND_TRACES_KEEP, bytes, bytesEach };
}

/** The SQLite file of what is no trace. */
export function findStateFile({ REMAND_STATE, REMAND_TRACES }: Config): string {
  return REMAND_STATE ?? (REMAND_TRACES === 'off' ? FILE : REMAND_TRACES);
}
