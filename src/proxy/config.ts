/**
 * What an operator has set (settings.ts). The environment comes first, then `remand.config.json` with the same names;
 * what is in neither has a default. This module reads no environment and no file: the entries (serve, the Worker) hand
 * both in.
 */
import * as z from 'zod';
import { checkTemplate, findDetector } from '../detect/index.ts';
import { InputError } from '../errors.ts';
import { suggestName } from '../nearest-name.ts';
import { checkFields, explainIssue, pickIssue } from '../strict-fields.ts';
import type { TraceLimits } from '../trace/index.ts';
import { anchorRequest, createSettingsSchema, type ValuesOf } from './setting-values.ts';
import { SETTINGS, TRACE_FILE } from './settings.ts';
import { checkTelemetry } from './telemetry/telemetry-settings.ts';

const schema = createSettingsSchema(SETTINGS);

export type Config = ValuesOf<typeof SETTINGS>;

/**
 * @param env names and values, such as `process.env` or a Worker's bindings. Unknown names are left alone, unless they
 *   begin with `REMAND_`: those are errors
 * @param file the parsed `remand.config.json`, or null
 * @throws InputError naming the field
 *
 * @example readConfig({ PORT: '9000' }).PORT // 9000
 */
export function readConfig(env: Readonly<Record<string, unknown>>, file: unknown = null): Config {
  const known = Object.keys(schema.shape);
  const fromFile = file === null ? {} : z.record(z.string(), z.unknown()).safeParse(file).data;
  if (!fromFile) throw new InputError('remand.config.json', 'must hold one JSON object');
  const unknown = Object.keys(fromFile).find((name) => !known.includes(name));
  if (unknown)
    throw new InputError(unknown, `no such setting (remand.config.json)${suggestName(unknown, known)}`);
  checkSettingNames(env);
  // An empty variable is how shells and compose files say "unset". A Worker's variables may be numbers and objects.
  const fromEnv = Object.fromEntries(
    known
      .filter((name) => env[name] !== undefined && env[name] !== null && env[name] !== '')
      .map((name) => [name, env[name]]),
  );
  const result = schema.safeParse({ ...fromFile, ...fromEnv }, { error: explainIssue });
  if (result.success) return checkConfig(result.data);
  // One line tells of every setting that is wrong.
  const wrong = Map.groupBy(result.error.issues, ({ path: [setting] }) => String(setting));
  const [first, ...rest] = [...wrong.values()].flatMap((issues) => pickIssue(issues) ?? []);
  throw new InputError(
    first ? nameSetting(first.path) : 'configuration',
    [first?.message, ...rest.map(({ path, message }) => `${nameSetting(path)}: ${message}`)].join('; '),
  );
}

/** Lists that are JSON, as they were written: a place in them helps. Other lists are split by us. */
const JSON_LISTS: readonly PropertyKey[] = ['REMAND_UPSTREAMS', 'REMAND_KEYS', 'REMAND_ANCHORS'];

function nameSetting([setting = '', ...within]: readonly PropertyKey[]): string {
  return JSON_LISTS.includes(setting) || within.some((key) => typeof key === 'string')
    ? [setting, ...within].map(String).join('.')
    : String(setting);
}

/** Settings that may be files, and what such a file holds, or a line of it. */
const FILES = {
  REMAND_ANCHORS: anchorRequest,
  REMAND_CALIBRATION: SETTINGS.REMAND_CALIBRATION.schema,
  REMAND_CONFIDENCE: SETTINGS.REMAND_CONFIDENCE.schema,
} as const satisfies Partial<Record<keyof Config, z.ZodType>>;

/**
 * @param place the file, and where in it
 * @throws InputError naming all that is wrong by its field
 */
export function checkSettingFile(name: keyof typeof FILES, content: unknown, place: string): void {
  checkFields<unknown>(FILES[name], content, (what) => new InputError(name, `${place}: ${what}`));
}

/** @throws InputError for a variable that begins with `REMAND_` and is no setting, with the nearest one that is */
export function checkSettingNames(env: Readonly<Record<string, unknown>>): void {
  const known = Object.keys(schema.shape);
  const mistaken = Object.keys(env).find(
    (name) => name.startsWith('REMAND_') && isValue(env[name]) && !known.includes(name),
  );
  if (mistaken) throw new InputError(mistaken, `no such setting${suggestName(mistaken, known)}`);
}

/** A binding of a Worker is an object, and no setting. */
const isValue = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** What settings of these families begin with. Other programs may have variables there, so that none of them is an error. */
const SHARED_PREFIXES = ['JUDGE_', 'RBD_', 'LANGFUSE_'];

/**
 * @returns a sentence on each variable that looks like a setting and is none: a misspelt one would go unnoticed
 * @example describeStrangeNames({ JUDGE_BASEURL: 'x' }) // ['JUDGE_BASEURL is no setting, and is not read; did you mean JUDGE_BASE_URL?']
 */
export function describeStrangeNames(env: Readonly<Record<string, unknown>>): string[] {
  const known = Object.keys(schema.shape);
  return Object.keys(env)
    .filter((name) => typeof env[name] === 'string' && !known.includes(name))
    .flatMap((name) => {
      const isUsed = env.NODE_USE_ENV_PROXY === '1' || String(env.NODE_OPTIONS).includes('--use-env-proxy');
      if (/^https?_proxy$/i.test(name) && env[name] !== '' && !isUsed)
        return [`${name} is used only with NODE_USE_ENV_PROXY=1`];
      const prefix = SHARED_PREFIXES.find((one) => name.startsWith(one));
      if (prefix === undefined) return [];
      const near = known.filter((one) => one.startsWith(prefix));
      return [`${name} is no setting, and is not read${suggestName(name, near)}`];
    });
}

/** What one field alone cannot tell. */
function checkConfig(config: Config): Config {
  if (config.RBD_BASE_URL && !config.RBD_MODEL)
    throw new InputError('RBD_MODEL', 'must name the detector model, since RBD_BASE_URL is set');
  if (findDetector(config.REMAND_DETECTOR)?.needsModel && !hasDetectorModel(config))
    throw new InputError('REMAND_DETECTOR', `${config.REMAND_DETECTOR} needs RBD_BASE_URL and RBD_MODEL`);
  checkReader(config);
  checkAbstention(config);
  if (
    config.REMAND_ADMIN_PORT !== undefined &&
    config.REMAND_ADMIN_PORT > 0 &&
    config.REMAND_ADMIN_PORT === config.PORT
  )
    throw new InputError('REMAND_ADMIN_PORT', 'must be another port than PORT');
  if (config.RBD_TEMPLATE !== undefined) checkTemplate(config.RBD_TEMPLATE, 'RBD_TEMPLATE');
  checkTelemetry(config);
  return config;
}

function checkReader(config: Config): void {
  const { REMAND_READER_MODEL: model, REMAND_READER_BASE_URL: url, REMAND_READER_API_KEY: key } = config;
  if ((model === undefined || model === 'off') && (url ?? key) !== undefined)
    throw new InputError('REMAND_READER_MODEL', 'must name the model, since its endpoint or key is set');
  if (model === 'judge' && (url ?? key) !== undefined)
    throw new InputError('REMAND_READER_MODEL', 'is the judge, which has no endpoint and no key of its own');
  if (
    model !== undefined &&
    model !== 'judge' &&
    model !== 'off' &&
    !url &&
    !config.JUDGE_BASE_URL?.startsWith('http')
  )
    throw new InputError(
      'REMAND_READER_BASE_URL',
      'must say where the model is, since JUDGE_BASE_URL does not',
    );
}

/** Whether a detector model can be asked: an endpoint of its own, or Hugging Face Inference. */
function hasDetectorModel(config: Config): boolean {
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
  return REMAND_STATE ?? (REMAND_TRACES === 'off' ? TRACE_FILE : REMAND_TRACES);
}

/** Nothing is promised of a judge whose labels refused it: then only a threshold of the operator's own can say it. */
function checkAbstention({ REMAND_ABSTAIN, REMAND_ABSTAIN_BELOW, REMAND_CONFIDENCE }: Config): void {
  if (REMAND_ABSTAIN === undefined) {
    if (REMAND_ABSTAIN_BELOW !== undefined)
      throw new InputError('REMAND_ABSTAIN', 'must say what to answer, since REMAND_ABSTAIN_BELOW is set');
    return;
  }
  if (REMAND_ABSTAIN_BELOW !== undefined) return;
  const judges = Object.entries(REMAND_CONFIDENCE?.judges ?? {});
  const without = judges.filter(([, { promise }]) => !promise?.kept).map(([name]) => name);
  if (judges.length > without.length) return;
  throw new InputError(
    'REMAND_ABSTAIN',
    judges.length === 0
      ? 'needs REMAND_CONFIDENCE (made with `remand calibrate --records … --risk`) or REMAND_ABSTAIN_BELOW'
      : `REMAND_CONFIDENCE promises no risk for ${without.join(', ')}: set REMAND_ABSTAIN_BELOW, or calibrate with another --risk`,
  );
}
