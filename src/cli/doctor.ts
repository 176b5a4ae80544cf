/** `remand doctor`: whether everything that a judgment needs is there, one line a check, with what to do about it. */

import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ADAPTERS, type Adapter, DEFAULT_ADAPTER } from '../../adapters/index.ts';
import { findCase, isNone, readVerdict } from '../case/index.ts';
import { findDetector } from '../detect/index.ts';
import { describeError, InputError } from '../errors.ts';
import { JudgeError } from '../http/index.ts';
import type { Model } from '../models/index.ts';
import { type Config, describeStrangeNames } from '../proxy/config.ts';
import { operatorTemplates } from '../proxy/learning.ts';
import { shorten } from '../shorten.ts';
import { runInterruptible } from './arguments.ts';
import { asOneOf, asText, createCommand, files, optional, usual } from './command.ts';
import { dryRunOptions } from './dry-run.ts';
import { loadConfig } from './load-config.ts';
import { type ModelArguments, withModels } from './model-arguments.ts';
import { readRequests } from './read/readings.ts';
import { type GivenRequest, readGivenRequests } from './read/requests.ts';
import { print } from './terminal.ts';

const PROTOCOLS = ADAPTERS.map(({ name }) => name);

const check = (name: string, result: Check['result'], told: string): Check => ({ name, result, told });

/** `warn` is worth knowing, `fail` keeps judgments from being examined. */
interface Check {
  readonly name: string;
  readonly result: 'ok' | 'warn' | 'fail';
  /** What was found, and what to do about it. */
  readonly told: string;
}

export const doctorCommand = createCommand(
  {
    file: files('requests of yours, to see whether they are read: any file that remand read takes'),
    model: optional(
      asText,
      'a judge to try: the name that its endpoint knows it by (default: the model of the first request)',
    ),
    protocol: usual(
      asOneOf(PROTOCOLS),
      DEFAULT_ADAPTER.name,
      `how that judge is asked: ${PROTOCOLS.join(', ')}`,
    ),
    ...dryRunOptions,
  },
  async ({ args, files: prompts, texts, print: printResult }) => {
    const adapter = ADAPTERS.find(({ name }) => name === args.protocol) ?? DEFAULT_ADAPTER;
    const checks: Check[] = [];
    // A judge may be silent for a minute: what is known before is shown before.
    const report: Report = (check) => {
      checks.push(check);
      const { name, result, told } = check;
      const columns = [result.toUpperCase().padEnd(4), name.padEnd('log-probabilities'.length), told];
      if (!texts.json) print(`${columns.join('  ')}\n`);
    };
    const config = await checkSettings(report);
    if (config) {
      report(await checkStorage(config));
      report(checkDetector(config));
      const given = await Promise.all(
        prompts.map(async (file) => ({
          file,
          requests: await readGivenRequests([file]).catch(keepInputError),
        })),
      );
      const [named] = given.flatMap(({ requests }) =>
        requests instanceof InputError
          ? []
          : requests.filter(({ protocol, request }) => protocol === adapter.name && request.model !== ''),
      );
      await checkJudge(config, adapter, { ...args, model: args.model ?? named?.request.model }, report);
      for (const one of given) report(await checkPrompts(one, config));
    }
    const failed = checks.some(({ result }) => result === 'fail');
    if (texts.json) printResult({ ok: !failed, checks }, () => '');
    if (failed) process.exitCode = 1;
  },
);

type Report = (check: Check) => void;

async function checkSettings(report: Report): Promise<Config | null> {
  const name = 'settings';
  try {
    const config = await loadConfig(process.env);
    operatorTemplates(config);
    const { REMAND_MODE: mode, REMAND_DETECTOR: detector } = config;
    report(check(name, 'ok', `mode ${mode}, detector ${detector}`));
    for (const strange of describeStrangeNames(process.env)) report(check(name, 'warn', strange));
    return config;
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    report(check(name, 'fail', cause.message));
    return null;
  }
}

/** Whether traces can be written where they are to lie; nothing is written. */
async function checkStorage({ REMAND_TRACES: file }: Config): Promise<Check> {
  const name = 'traces';
  if (file === 'off')
    return check(name, 'warn', 'none are kept (REMAND_TRACES is off): there will be no stories');
  if (file === ':memory:') return check(name, 'warn', 'kept in memory: gone with the process');
  // The nearest folder that is there: missing ones are made.
  for (let folder = resolve(file); ; folder = dirname(folder)) {
    try {
      await access(folder, constants.W_OK);
      return check(name, 'ok', file);
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? cause.code : null;
      if (code === 'ENOENT' && folder !== dirname(folder)) continue;
      return check(name, 'fail', `${file} cannot be written: ${describeError(cause)}; set REMAND_TRACES`);
    }
  }
}

function checkDetector({ REMAND_DETECTOR: name, RBD_BASE_URL: url }: Config): Check {
  const needs = findDetector(name)?.needsModel === true;
  if (!needs) return check('detector', 'ok', `${name}: needs no model but the judge`);
  return url === undefined
    ? check('detector', 'fail', `${name} asks a detector model: set RBD_BASE_URL and RBD_MODEL`)
    : check('detector', 'ok', `${name}, at ${url}`);
}

const QUESTION = [
  'Select the Output (a) or Output (b) that is better for the given instruction.',
  '# Instruction:\nWhat is 2+2?',
  '# Output (a):\n4',
  '# Output (b):\n5',
  '# Which is better, Output (a) or Output (b)? Answer with "Output (a)" or "Output (b)" and nothing else.',
].join('\n\n');

/** Where nobody says which model: what an endpoint says of it tells whether it is there and takes the key. */
const NO_MODEL = 'remand-doctor';

async function checkJudge(
  config: Config,
  adapter: Adapter,
  { model, ...args }: Pick<ModelArguments, 'dry-run' | 'prices'> & { readonly model?: string | undefined },
  report: Report,
): Promise<void> {
  const { JUDGE_BASE_URL: url } = config;
  if (url === undefined)
    return report(
      check('judge', 'warn', 'none is set: a sandbox judge answers, a simulation; set JUDGE_BASE_URL'),
    );
  const spec = `${adapter.name}:${model ?? NO_MODEL}@${url}`;
  const { logProbabilities } = adapter.capabilities;
  const shared = { store: ':memory:', retries: 0, timeout: 60, tellsFailures: true };
  await withModels({ ...args, ...shared }, async (models) => {
    const plain = await tryJudge(await models.open(spec, '--model'));
    report(checkAnswer(plain, model));
    if ('error' in plain) return;
    const steady = await tryJudge(await models.open(spec, '--model', { temperature: 0 }));
    const refused = 'error' in steady ? steady.error : null;
    report({
      name: 'temperature 0',
      result: refused === null ? 'ok' : 'warn',
      told:
        refused === null
          ? 'accepted: probes are steady'
          : `refused (${refused}): probes are asked as your requests are, and wavering is told from repeats alone`,
    });
    if (!logProbabilities) return;
    const weighed = await tryJudge(await models.open(spec, '--model', logProbabilities(5)));
    const given = !('error' in weighed) && weighed.hasProbabilities;
    report({
      name: 'log-probabilities',
      result: given ? 'ok' : 'warn',
      told: given
        ? 'given: confidence and sensitivity can be told from one reply'
        : 'not given: confidence comes from repeats and the other order (docs/confidence.md)',
    });
  });
}

type TrialResult =
  | { readonly text: string; readonly hasProbabilities: boolean }
  | { readonly error: string; readonly status: number | null };

async function tryJudge(model: Model): Promise<TrialResult> {
  try {
    const question = { system: null, user: QUESTION };
    const { text, sampled } = await runInterruptible((signal) => model.ask(question, signal), 'interrupted');
    return { text, hasProbabilities: sampled !== undefined };
  } catch (cause) {
    if (!(cause instanceof JudgeError)) throw cause;
    return { error: describeError(cause), status: cause.status ?? null };
  }
}

function checkAnswer(tried: TrialResult, model: string | undefined): Check {
  const name = 'judge';
  if ('error' in tried) {
    const { error, status } = tried;
    if (status === 401 || status === 403)
      return check(name, 'fail', `the key was not accepted (${error}); set JUDGE_API_KEY`);
    return model === undefined && status !== null && status < 500
      ? check(
          name,
          'warn',
          `it is reached, and no verdict was tried (${error}): give --model, the name of a judge there`,
        )
      : check(name, 'fail', `no answer: ${error}; look at JUDGE_BASE_URL and --model`);
  }
  const subject = findCase({ parts: [{ role: 'user', text: QUESTION }] });
  const verdict = subject && readVerdict(tried.text, subject.form, subject.options);
  return verdict && !isNone(verdict)
    ? check(name, 'ok', `${model === undefined ? 'it' : model} answers, and its verdict is read`)
    : check(name, 'warn', `it answers, but not with a verdict: ${JSON.stringify(shorten(tried.text, 80))}`);
}

interface GivenPrompts {
  readonly file: string;
  /** Or why there are none. */
  readonly requests: readonly GivenRequest[] | InputError;
}

/** A mistake of the user's is a check that fails, and the other checks go on. */
function keepInputError(cause: unknown): InputError {
  if (cause instanceof InputError) return cause;
  throw cause;
}

async function checkPrompts({ file, requests: given }: GivenPrompts, config: Config): Promise<Check> {
  const name = `prompts of ${file}`;
  const readings =
    given instanceof InputError ? given : await readRequests(given, config, null).catch(keepInputError);
  if (readings instanceof InputError) return check(name, 'fail', readings.message);
  const { requests } = readings;
  const read = requests.filter(({ subject }) => subject !== null).length;
  if (requests.length === 0) return check(name, 'fail', 'it holds no request');
  if (read === requests.length) return check(name, 'ok', `all ${read} are read`);
  const [first] = requests.filter(({ subject }) => subject === null);
  return {
    name,
    result: read === 0 ? 'fail' : 'warn',
    told: `${read} of ${requests.length} are read; ${first?.given.place}: ${first?.advice ?? ''} (remand read ${file})`,
  };
}
