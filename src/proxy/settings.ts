/**
 * Every setting an operator has: how it is written, its default, what it is for. `.env.example`, docs/settings.md, the
 * cache's key and the redaction of secrets are made from this list (`npm run settings` writes the two files).
 */
import * as z from 'zod';
import { CATALOGUE, DEFAULT_BIASES } from '../bias/index.ts';
import { LEARN_MODES } from '../case/index.ts';
import { DEFAULT_DETECTOR, DETECTOR_NAMES } from '../detect/index.ts';
import { httpUrl } from '../http/index.ts';
import { ABSTENTIONS, calibrationSchema, DEFAULTS, POLICIES, trustSchema } from '../loop/index.ts';
import { prices } from '../models/index.ts';
import { keyLimits } from './limits/account-book.ts';
import { biasList, createWholeNumber, MODES, plainName, ROUNDS, SAMPLES } from './options.ts';
import {
  anchorList,
  jsonOr,
  judgeUrl,
  keyRecords,
  milliseconds,
  type OperatorSetting,
  offOrSqliteFile,
  operatorKey,
  origins,
  passPaths,
  probability,
  replyHeaders,
  secondJudge,
  setting,
  share,
  sqliteFile,
  upstreamList,
} from './setting-values.ts';
import { telemetrySettings } from './telemetry/telemetry-settings.ts';

export const TRACE_FILE = '.remand/traces.sqlite';

const itself = (key: string | undefined) => [key];

const judge = {
  JUDGE_BASE_URL: setting(judgeUrl.optional(), {
    about:
      'The judge, with or without /v1. Unset, a simulated one answers. ' +
      'recorded:<verdicts.jsonl>?items=…&judge=…&strategy=… plays recorded replies back.',
    example: 'https://api.openai.com',
    verdicts: false,
  }),
  JUDGE_API_KEY: setting(operatorKey.optional(), {
    about: 'Used only where the client sends no key of its own.',
    secretsIn: itself,
    verdicts: false,
  }),
  JUDGE_TIMEOUT_MS: setting(milliseconds(1).default(600_000), {
    about:
      'How long one call to the judge may take, in milliseconds. The OpenAI clients wait as long by default.',
    verdicts: false,
  }),
  REMAND_UPSTREAMS: setting(upstreamList.default([]), {
    about: 'Further judges, as a JSON list: by path prefix (which is taken off) or by model.',
    example:
      '[{"path":"/anthropic","url":"https://api.anthropic.com"},{"model":"mistral-*","url":"https://api.mistral.ai"}]',
    secretsIn: (upstreams) => upstreams.map(({ key }) => key),
    verdicts: false,
  }),
  REMAND_PASS_PATHS: setting(
    passPaths.default([
      'GET /models',
      'GET /v1/models',
      'GET /v1/models/*',
      'GET /v1beta/models',
      'GET /v1beta/models/*',
    ]),
    {
      about:
        'What a key of scope judge may send with your key to the judge, beside judgments: methods and paths as the judge ' +
        'gets them. Unset: looking at models. docs/access.md',
      example: 'POST /v1/embeddings,GET /v1/models*',
      verdicts: false,
    },
  ),
  REMAND_REDIRECTS: setting(z.enum(['refuse', 'pass']).default('refuse'), {
    about:
      "A judge's redirect: refuse (a 502) or pass (the client follows it, and may send its keys there). docs/operations.md",
    verdicts: false,
  }),
  REMAND_REPLY_HEADERS: setting(replyHeaders.default([]), {
    about: "Headers of a judge's replies that clients get beside those that SDKs read.",
    example: 'x-served-by,x-cache-*',
    verdicts: false,
  }),
  REMAND_PRICES: setting(jsonOr('a JSON object of prices by model', prices).default({}), {
    about: 'Of models, per million tokens, for budgets in money.',
    example: '{"gpt-4o":{"input":2.5,"output":10}}',
    verdicts: false,
  }),
};

const judgment = {
  REMAND_MODE: setting(z.enum(MODES).default(DEFAULTS.mode), {
    about:
      'debias; shadow answers at once with the first verdict (a stream goes through as it comes) and examines it afterwards, without samples and without a second judge; off only passes on. Header: x-remand-mode.',
    verdicts: true,
  }),
  REMAND_DETECTOR: setting(z.enum(DETECTOR_NAMES).default(DEFAULT_DETECTOR.name), {
    about: `What says whether a verdict is biased: ${DETECTOR_NAMES.join(', ')}. Header: x-remand-detector.`,
    verdicts: true,
  }),
  REMAND_BIASES: setting(biasList.default([...DEFAULT_BIASES]), {
    about: `What is looked for. By default all of the catalogue but ${CATALOGUE.flatMap(({ name, mustBeNamed }) => (mustBeNamed ? [name] : [])).join(', ')}: that it could be at work is told in x-remand-untested, and it is tested where it is named. Header: x-remand-biases.`,
    verdicts: true,
  }),
  REMAND_ROUNDS: setting(ROUNDS.default(DEFAULTS.rounds), {
    about:
      'How often a verdict may be sent back. The second round tells "revised" from "still biased". Further rounds rarely ' +
      'move a judge. Header: x-remand-rounds.',
    verdicts: true,
  }),
  REMAND_POLICY: setting(z.enum(POLICIES).default(DEFAULTS.policy), {
    about: `What an unresolved verdict becomes: ${POLICIES.join(', ')}.`,
    verdicts: true,
  }),
  REMAND_DEADLINE_MS: setting(milliseconds(0).default(DEFAULTS.deadlineMs), {
    about:
      'For all work after the first verdict, in milliseconds, and as long again for a second judge; the impatient clients give up after 10 to 20 s. In shadow mode, where nobody waits, after that in the other order.',
    verdicts: true,
  }),
  REMAND_EXTRA_CALLS: setting(createWholeNumber(0, 1_000).default(DEFAULTS.extraCalls), {
    about:
      'Calls to any model beside the first, for one judgment. Further samples (REMAND_SAMPLES) and the calls of a second judge ' +
      '(REMAND_ESCALATE) come on top.',
    verdicts: true,
  }),
  REMAND_CONFIDENT: setting(probability.optional(), {
    about:
      'A choice whose label has at least this probability is not judged in the other order, where the client asked for ' +
      'log-probabilities. Saves a call there and costs time elsewhere, for the other order then waits for the first ' +
      'verdict; a judge that is sure of the first place, whatever stands there, is not found out. Unset: both orders, ' +
      'side by side.',
    example: '0.99',
    verdicts: true,
  }),
  REMAND_CALIBRATION: setting(jsonOr('JSON as `remand calibrate` writes it', calibrationSchema).optional(), {
    about:
      'What `remand calibrate` wrote: whether a verdict with such a bias is sent back, only flagged, or answered with a ' +
      'tie, by judge and bias. JSON; the server on Node takes the path of the file, too.',
    example: 'calibration.json',
    verdicts: true,
  }),
  REMAND_CONFIDENCE: setting(
    jsonOr('JSON as `remand calibrate --records` writes it', trustSchema).optional(),
    {
      about:
        "What `remand calibrate --records` wrote: how a judge's confidence becomes a probability, and below which confidence " +
        'its errors are too many. JSON; the server on Node takes the path of the file, too.',
      example: 'confidence.json',
      verdicts: true,
    },
  ),
  REMAND_ABSTAIN: setting(z.enum(ABSTENTIONS).optional(), {
    about:
      'What to answer where the judge is unsure: tie (where the form has one), flag (its verdict, with the status unsure) ' +
      'or error. Needs REMAND_CONFIDENCE with a promised risk, or REMAND_ABSTAIN_BELOW.',
    example: 'flag',
    verdicts: true,
  }),
  REMAND_ABSTAIN_BELOW: setting(share.optional(), {
    about:
      'The confidence, as x-remand-confidence tells it, below which a verdict is unsure; in place of the promised threshold.',
    example: '0.8',
    verdicts: true,
  }),
  REMAND_ESCALATE: setting(secondJudge.optional(), {
    about:
      'A second judge for verdicts that the first is unsure of (confidence below `below`), insisted on or left unresolved. ' +
      'As JSON: `model` (`[protocol:]model`), `url`, `key`, `below` (default 0) and `calls`, the most for one case (default 9). ' +
      'The client gets one reply, in its own form.',
    example:
      '{"model":"anthropic-messages:claude-sonnet-4-5","url":"https://api.anthropic.com","key":"…","below":0.8}',
    secretsIn: (second) => [second?.key],
    verdicts: true,
  }),
  REMAND_SAMPLES: setting(SAMPLES.default(1), {
    about:
      'At most this many samples of each judgment. The reply that most agree with, or that has the median score, goes out. ' +
      'Drawing stops once the rest cannot change it. Header: x-remand-samples.',
    verdicts: true,
  }),
  REMAND_ORDER_FLOOR: setting(share.default(1), {
    about:
      'The least share of judgments that is judged in the other order as well. Below 1 the rest is only where the verdict could ' +
      'depend on the order, by what this judge did before: see docs/confidence.md.',
    verdicts: true,
  }),
  REMAND_FAIL: setting(z.enum(['open', 'closed']).default('open'), {
    about:
      "A judgment that could not be examined: open (the judge's own reply goes out) or closed (an error). docs/left-alone.md",
    verdicts: true,
  }),
  REMAND_SAMPLE: setting(share.default(1), {
    about:
      'The share of judgments that is debiased where the request names no mode. The rest runs in shadow.',
    verdicts: false,
  }),
  REMAND_SAMPLE_SEED: setting(z.string().default('remand'), {
    about: 'Another seed, another share of the requests.',
    verdicts: false,
  }),
};

const detectors = {
  RBD_BASE_URL: setting(httpUrl.optional(), {
    about:
      'A detector model behind an OpenAI-compatible endpoint, or (with HF_TOKEN and without this) on Hugging Face.',
    example: 'http://localhost:8000/v1',
    verdicts: true,
  }),
  RBD_MODEL: setting(plainName.optional(), { about: "The detector model's name.", verdicts: true }),
  RBD_API_KEY: setting(operatorKey.optional(), {
    about: 'The key to it.',
    secretsIn: itself,
    verdicts: false,
  }),
  HF_TOKEN: setting(operatorKey.optional(), {
    about: 'For Hugging Face.',
    secretsIn: itself,
    verdicts: false,
  }),
  RBD_TEMPLATE: setting(z.string().optional(), {
    about:
      'The prompt the detector was trained on, if not ours: prompts/bias-detector.ts names the placeholders. `first` is our first wording, in the layout of the published data.',
    verdicts: true,
  }),
};

const anchors = {
  REMAND_ANCHORS: setting(jsonOr('a JSON list of requests', anchorList).default([]), {
    about:
      'Judgments whose verdicts are to stay what they are, asked again every so often (docs/drift.md): a JSON list of ' +
      '`{"path": "/v1/chat/completions", "body": {…}}`, or on Node the path of a file with one a line. A change is noticed once there are some ten rounds.',
    example: 'anchors.jsonl',
    verdicts: false,
  }),
  REMAND_ANCHORS_MINUTES: setting(createWholeNumber(1, 40_000).default(1440), {
    about:
      'Minutes from one round of the anchor cases to the next. At the edge a Cron Trigger looks whether one is due.',
    verdicts: false,
  }),
  REMAND_ANCHORS_ALARM: setting(createWholeNumber(20, 1_000_000).default(1000), {
    about:
      'Rounds in which a judge that stays what it is has one false alarm on average. In any n rounds there is one with a probability of at ' +
      'most n over this number.',
    verdicts: false,
  }),
};

const templates = {
  REMAND_TEMPLATES: setting(jsonOr('a JSON list of templates', z.array(z.unknown())).default([]), {
    about:
      'Templates of judge prompts, as `remand read --learn` writes them (docs/templates.md): a JSON list, or on Node the ' +
      'path of a file or a folder of them.',
    example: 'templates',
    verdicts: true,
  }),
  REMAND_LEARN: setting(z.enum(LEARN_MODES).default('auto'), {
    about:
      'Learned templates act by themselves (auto), once a person approved them (suggest), or nothing is learned (off).',
    verdicts: true,
  }),
  REMAND_READER_MODEL: setting(plainName.min(1).optional(), {
    about:
      'A model that is asked once for each template where its slots stand, what they hold and how the verdict is given. judge means the judge of ' +
      "the next request, on its caller's account. Any other name is a model at an OpenAI-compatible endpoint, which you pay. " +
      'With the detector probe it reads statements that no rule reads, too, each once, within the budget of the judgment. ' +
      'Unset: the judge is asked about templates alone, and only about those that are left alone though their replies ' +
      'look like verdicts. off: nobody is asked.',
    example: 'judge',
    verdicts: true,
  }),
  REMAND_READER_BASE_URL: setting(httpUrl.optional(), {
    about: "Where that model is, with or without /v1. Unset: the judge's endpoint.",
    verdicts: true,
  }),
  REMAND_READER_API_KEY: setting(operatorKey.optional(), {
    about: 'The key to it.',
    secretsIn: itself,
    verdicts: false,
  }),
  REMAND_READER_CALLS: setting(createWholeNumber(0, 100_000).default(60), {
    about: 'Such calls within an hour, of one process or isolate.',
    verdicts: false,
  }),
};

const access = {
  HOST: setting(z.string().default('127.0.0.1'), {
    about: 'Loopback by default; see REMAND_ACCESS for what holds elsewhere. On Node only.',
    verdicts: false,
  }),
  PORT: setting(createWholeNumber(0, 65_535).default(8787), {
    about: 'Where the server listens. On Node only.',
    verdicts: false,
  }),
  REMAND_ADMIN_PORT: setting(createWholeNumber(0, 65_535).optional(), {
    about:
      'The pages under /remand on a port of their own, off PORT (but health): what comes from judges and what shows ' +
      'traces are two origins then. On Node only. docs/access.md',
    verdicts: false,
  }),
  REMAND_ACCESS: setting(z.enum(['open', 'local', 'pages', 'keys']).optional(), {
    about:
      'Who shows a key (remand keys add): open (nobody), local (nobody, under names of this machine or without a dot), pages (readers of traces), keys (clients, too). Unset: open on ' +
      "loopback, where only this machine's names are answered to; elsewhere keys if a key of yours could be spent, else " +
      'pages. docs/access.md',
    verdicts: false,
  }),
  REMAND_KEYS: setting(keyRecords.default([]), {
    about: 'Keys by their records (remand keys add --record), for a place without a database: a JSON list.',
    verdicts: false,
  }),
  REMAND_CORS_ORIGINS: setting(origins.default([]), {
    about: 'Web pages of these origins may send requests.',
    example: 'https://example.com',
    verdicts: false,
  }),
};

const limits = {
  REMAND_LIMITS: setting(jsonOr('a JSON object', keyLimits).default({}), {
    about: 'Limits of keys without their own, and of all callers without a key together. docs/operations.md',
    example: '{"callsPerDay":5000,"concurrency":8,"queue":16}',
    verdicts: false,
  }),
  REMAND_CONCURRENCY: setting(createWholeNumber(1, 1_000_000).optional(), {
    about:
      'Requests under way at once in this process, whoever sends them; a judgment makes two or more calls to its judge at a time. Keys whose requests wait take turns. Unset: no limit.',
    verdicts: false,
  }),
  REMAND_QUEUE: setting(createWholeNumber(0, 1_000_000).default(100), {
    about: 'How many more may wait for their turn.',
    verdicts: false,
  }),
  REMAND_QUEUE_MS: setting(milliseconds(1).default(30_000), {
    about: 'How long they may wait, in milliseconds.',
    verdicts: false,
  }),
  REMAND_BREAKER_MS: setting(milliseconds(0).default(10_000), {
    about:
      'How long an upstream is left alone for a model and key whose calls fail there again and again, in milliseconds; ' +
      '0: never.',
    verdicts: false,
  }),
  REMAND_CACHE_S: setting(createWholeNumber(0, 365 * 86_400).default(0), {
    about:
      'How long answers to deterministic requests are kept to be given again, in seconds; 0: not at all.',
    verdicts: false,
  }),
  REMAND_BODY_LIMIT: setting(createWholeNumber(1, 1 << 30).default(16 << 20), {
    about: 'Of a request that is to be judged, in bytes; what is passed through has no limit.',
    verdicts: false,
  }),
  REMAND_REQUEST_MS: setting(milliseconds(0).default(300_000), {
    about:
      'How long a client may take to send a request, in milliseconds; then it gets a 408. 0: no limit. Not on Cloudflare.',
    verdicts: false,
  }),
  REMAND_READ_LIMIT: setting(createWholeNumber(1, 1 << 30).default(1 << 20), {
    about: 'Of a request that is read, in bytes; a longer one is passed on unexamined, with its reason.',
    verdicts: true,
  }),
  REMAND_READ_MS: setting(milliseconds(1).default(50), {
    about:
      'CPU time that finding the case of one request may take, in milliseconds; then it is passed on unexamined, with its ' +
      'reason. Looking for cues in it and reading the verdict of one reply may take as long each. The first 50 that need more may take ' +
      'ten times as long, while the runtime compiles the readers. Not on Cloudflare, where time stands still while a ' +
      'request computes.',
    verdicts: true,
  }),
  REMAND_REPLY_LIMIT: setting(createWholeNumber(1, 32 << 20).default(4 << 20), {
    about: "Of a judge's reply that is read, in bytes; a longer one is handed on unread.",
    verdicts: true,
  }),
  REMAND_HEARTBEAT_MS: setting(milliseconds(1).default(5_000), {
    about:
      'Silence on a stream before a heartbeat, in milliseconds. Idle hops cut after 60 to 120 s. A heartbeat has said 200, so from then on Remand itself tries again a request that failed in passing; a judge that hung is not asked again.',
    verdicts: false,
  }),
  REMAND_GRACE_MS: setting(milliseconds(0).default(30_000), {
    about: 'How long requests under way may go on after SIGTERM, in milliseconds. On Node only.',
    verdicts: false,
  }),
};

const traces = {
  REMAND_TRACES: setting(offOrSqliteFile.default(TRACE_FILE), {
    about: 'A SQLite file, or off.',
    verdicts: false,
  }),
  REMAND_STATE: setting(sqliteFile.optional(), {
    about:
      "SQLite file of keys, budgets and cache. Unset: the traces' file, or where that would be. On Node only.",
    verdicts: false,
  }),
  REMAND_TRACE_TEXTS: setting(z.enum(['on', 'off']).default('on'), {
    about:
      "off: traces keep what was decided, and no text of anybody's. A reader model other than the judge gets none either.",
    // Statements that no rule reads are then read by no such model.
    verdicts: true,
  }),
  REMAND_TRACES_KEEP: setting(createWholeNumber(1, 100_000_000).default(10_000), {
    about: 'The oldest traces go when there are more.',
    verdicts: false,
  }),
  REMAND_TRACES_BYTES: setting(createWholeNumber(1 << 20, 2 ** 50).optional(), {
    about:
      'The oldest traces go, too, when they have more bytes together (JSON in UTF-8). Unset: 1 GiB in a file, 64 MiB in ' +
      ":memory:, 256 MiB in D1, 16 MiB in an isolate's memory.",
    example: '1073741824',
    verdicts: false,
  }),
  REMAND_TRACE_BYTES: setting(createWholeNumber(1 << 14, 1 << 29).default(16 << 20), {
    about: 'A trace of more bytes is kept without its texts. D1 takes at most 1,900,000.',
    verdicts: false,
  }),
};

/** By what they are about, in the order in which people are told of them. */
export const SETTING_GROUPS = {
  'The judge': judge,
  'How a judgment is done': judgment,
  'A detector model': detectors,
  'Templates of judge prompts': templates,
  'The server, and who may use it': access,
  Limits: limits,
  Traces: traces,
  'Cases that are asked again': anchors,
  'Telling Langfuse or OpenTelemetry': telemetrySettings,
} satisfies Readonly<Record<string, Readonly<Record<string, OperatorSetting>>>>;

type All<Group> = (Group extends unknown ? (group: Group) => void : never) extends (all: infer Groups) => void
  ? Groups
  : never;

/** Those of all groups. */
export const SETTINGS: All<(typeof SETTING_GROUPS)[keyof typeof SETTING_GROUPS]> = Object.assign(
  {},
  ...Object.values(SETTING_GROUPS),
);
