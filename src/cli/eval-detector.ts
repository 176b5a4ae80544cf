/**
 * `remand eval detector`: how often detectors get the bias label of recorded verdicts right, on the published
 * rows and, with `--twins`, on their counterbalanced twins. One JSON document or a table on standard output.
 */

import { basename } from 'node:path';
import * as z from 'zod';
import {
  type DetectorRow,
  describeRow,
  detectorRow,
  nameSide,
  publishedArena,
  publishedGsm8k,
} from '../dataset/index.ts';
import {
  BASELINE_DETECTOR,
  createHuggingFaceDetectorModel,
  createOpenAiDetectorModel,
  createRbdDetector,
  DETECTORS,
  type Detector,
  type DetectorModel,
  findDetector,
  listModelDetectors,
} from '../detect/index.ts';
import { InputError } from '../errors.ts';
import {
  checkShots,
  compareDetectors,
  computeFigureIntervals,
  createCrowdTwin,
  createIntervalFigures,
  createLongerTwin,
  createPromptedDetector,
  createRecordedDetectorModel,
  createShots,
  type DetectorComparison,
  type DetectorFinding,
  type DetectorScores,
  examineRows,
  type FigureIntervals,
  type IntervalFigures,
  listUnrecorded,
  type ShotRow,
  scoreEach,
  scoreTwin,
  shotRow,
  type Twin,
  type TwinScores,
  toDetectorModel,
  withJudge,
} from '../evaluate/index.ts';
import { createStoredFetch, type Model, nameEndpoint } from '../models/index.ts';
import { parseJson } from '../parse-json.ts';
import type { Fetch } from '../ports.ts';
import { readConfig } from '../proxy/config.ts';
import { listFiles, readAllJsonl, readTextFile, writeJsonl } from '../records/node.ts';
import type { CaseLine } from '../report/index.ts';
import { asText, asWhole, createCommand, needed, optional, usual } from './command.ts';
import { dryRunOptions } from './dry-run.ts';
import { modelOptions, withModels } from './model-arguments.ts';
import type { Models } from './open-models.ts';
import { describeResult, formatResultMap } from './result-origin.ts';
import { print, tell } from './terminal.ts';

// The detectors that `remand eval detector` measures, from what the command line says of them.

interface Contestant {
  readonly name: string;
  readonly detector: Detector;
  /** Answers come from the rows themselves, so there are none for other rows. */
  readonly replayed: boolean;
}

/** A detector model that is no detector of ours: a plain prompt, with or without examples. */
const PLAIN_PROMPTS = ['zero-shot', 'zero-shot-named', 'four-shot', 'four-shot-reasons'] as const;
/** Kinds that ask a model given as `kind=model@url`. */
const PROMPTED = [...listModelDetectors(), ...PLAIN_PROMPTS];
const ALONE = DETECTORS.flatMap(({ name, needsModel }) => (needsModel ? [] : [name]));
const CONTESTANT_KINDS = [...ALONE, 'recorded', ...PROMPTED].join(', ');
/** Detectors that need `--judge`, as a sentence names them. */
const ASKING_JUDGE = DETECTORS.flatMap(({ name, asksJudge }) => (asksJudge ? [name] : [])).join(' and ');

interface ContestantTools {
  readonly rows: readonly DetectorRow[];
  readonly template: string | undefined;
  /** Null where none were given. */
  readonly shots: readonly ShotRow[] | null;
  readonly models: Models;
  /** Whom `probe` and `panel` ask again; null where no judge was given. */
  readonly judge: Model | null;
}

/** The parts of a list, with `,` or `;` between them; further URLs of a fleet belong to the part before. */
function splitList(list: string): string[] {
  const parts: string[] = [];
  for (const piece of list.split(/[;,]/).map((one) => one.trim())) {
    const before = parts.at(-1);
    if (/^https?:/.test(piece) && before?.includes('@')) parts[parts.length - 1] = `${before},${piece}`;
    else if (piece !== '') parts.push(piece);
  }
  return [...new Set(parts)];
}

/** @throws InputError naming what is unknown or missing */
async function openContestant(what: string, tools: ContestantTools): Promise<Contestant> {
  const { rows, template } = tools;
  const at = what.indexOf('=');
  const kind = PROMPTED.find((one) => at > 0 && one === what.slice(0, at));
  if (kind) {
    const model = await tools.models.open(what.slice(at + 1), '--detector');
    const name = `${kind}=${model.name}`;
    const detector = createPrompted(kind, toDetectorModel(model), tools);
    return { name, detector, replayed: false };
  }
  if (what === 'recorded') {
    const [missing] = listUnrecorded(rows);
    if (missing !== undefined) throw new InputError('--rows', `${missing} has no recorded label to replay`);
    const model = createRecordedDetectorModel(rows, template);
    return {
      name: what,
      detector: createRbdDetector(model, template === undefined ? {} : { template }),
      replayed: true,
    };
  }
  const entry = findDetector(what);
  // Of those that need a model, the one that needs nothing else is asked with the proxy's own.
  if (entry && !(entry.needsModel && entry.asksJudge))
    return {
      name: what,
      detector: createKnown(entry, () => configuredModel(tools.models), tools),
      replayed: false,
    };
  if (PROMPTED.some((one) => one === what))
    throw new InputError('--detector', `${what} needs a model: ${what}=model@url`);
  throw new InputError('--detector', `there is no ${what}; known: ${CONTESTANT_KINDS}`);
}

/** A detector of the proxy's, behind recorded rows. @param model opens the model of one that needs one */
function createKnown(
  entry: NonNullable<ReturnType<typeof findDetector>>,
  model: () => DetectorModel,
  { template, judge }: ContestantTools,
): Detector {
  const wording = template === undefined ? {} : { template };
  const detector = entry.needsModel ? entry.create(model(), wording) : entry.create();
  if (!entry.asksJudge) return detector;
  if (judge) return withJudge(detector, judge);
  throw new InputError(
    '--judge',
    `is needed by ${entry.name}, which asks the judge again: behind recorded rows there is none`,
  );
}

function createPrompted(
  kind: (typeof PROMPTED)[number],
  model: DetectorModel,
  tools: ContestantTools,
): Detector {
  const { shots } = tools;
  const entry = findDetector(kind);
  if (entry) return createKnown(entry, () => model, tools);
  switch (kind) {
    case 'zero-shot':
      return createPromptedDetector(model, { told: 'all', shots: [] });
    case 'zero-shot-named':
      return createPromptedDetector(model, { told: 'named', shots: [] });
    default: {
      if (shots === null) throw new InputError('--shots', `is needed by ${kind}`);
      return createPromptedDetector(model, {
        told: 'named',
        shots: createShots(shots, kind === 'four-shot-reasons'),
      });
    }
  }
}

/** The one that the proxy would use, as the environment says. */
function configuredModel(models: Models): DetectorModel {
  const config = readConfig(process.env);
  const { RBD_MODEL: model, RBD_BASE_URL: baseURL, RBD_API_KEY: apiKey, HF_TOKEN: token } = config;
  const direct: Fetch = (url, init) => globalThis.fetch(url, init as RequestInit);
  const name = model ?? '';
  const fetch = createStoredFetch(models.direct({ name, model: name }, direct), {
    store: models.store,
    identify: (url) => ({ endpoint: nameEndpoint(url), model: name, attempt: 0 }),
    accept: (reply) => Completion.safeParse(parseJson(reply)).success,
  });
  if (model !== undefined && baseURL !== undefined)
    return createOpenAiDetectorModel({ baseURL, model, apiKey: apiKey ?? null, fetch });
  if (model !== undefined && token !== undefined)
    return createHuggingFaceDetectorModel({ model, token, fetch });
  throw new InputError(
    'RBD_MODEL',
    'the rbd detector needs RBD_MODEL and RBD_BASE_URL, or RBD_MODEL and HF_TOKEN; or give rbd=model@url',
  );
}

/** A reply of such an endpoint is an object with choices; anything else is asked for again. */
const Completion = z.looseObject({ choices: z.array(z.unknown()) });

export const evalDetectorCommand = createCommand(
  {
    rows: needed(asText, 'JSONL with the columns of the published dataset'),
    detector: usual(
      splitList,
      BASELINE_DETECTOR.name,
      `comma separated: ${CONTESTANT_KINDS}. The kind recorded takes the labels in the rows. rbd alone is the model of RBD_MODEL at RBD_BASE_URL, or with HF_TOKEN. The others are written as kind=[name=][protocol:]model@url[#KEY_VARIABLE]`,
    ),
    judge: optional(
      asText,
      `whom ${ASKING_JUDGE} ask again, [name=][protocol:]model@url or sandbox: the judge of the rows, if it is to say anything about it`,
    ),
    shots: optional(
      asText,
      'JSONL of labelled rows that are none of those measured: the first four are the examples',
    ),
    twins: optional(asText, 'folder of the bias4-eval files: measure on the twins, too'),
    template: optional(asText, 'file with the prompt template that the rbd model was trained on'),
    concurrency: usual(asWhole(1, 256), '8', 'rows examined at a time'),
    seed: usual(asWhole(0, 2 ** 31 - 1), '0', 'seed of the intervals of F1'),
    parameters: modelOptions.parameters,
    budget: modelOptions.budget,
    tokens: modelOptions.tokens,
    store: usual(asText, ':memory:', 'file of finished model calls: the command resumes from it'),
    retries: modelOptions.retries,
    timeout: modelOptions.timeout,
    ...dryRunOptions,
    records: optional(asText, 'JSONL to write every finding to; beside x.json, x.jsonl is read by report'),
  },
  async ({ args, ...call }) => {
    const { concurrency, seed } = args;
    const rows = await readRows(args.rows, detectorRow, '--rows');
    const twins = args.twins === undefined ? null : await readTwins(args.twins, log);
    const template =
      args.template === undefined ? undefined : await readTextFile(args.template, '--template');
    const measured = [...rows, ...Object.values(twins ?? {}).flatMap((twin) => twin.rows)];
    const shots =
      args.shots === undefined ? null : checkShots(await readRows(args.shots, shotRow, '--shots'), measured);
    const results: Record<string, ContestantScores> = {};
    const answered = new Map<string, readonly DetectorFinding[]>();
    const lines: CaseLine[] = [];
    const ask = async (models: Models, signal: AbortSignal) => {
      const judge = await models.openOptional(args.judge, '--judge');
      if (judge && !rows.some((row) => row.llm_judge_model === judge.name))
        log(
          `the rows were judged by others than ${judge.name}: what probes of it show says nothing about them`,
        );
      const tools = { rows, template, shots, models, judge };
      const all = await Promise.all(args.detector.map((what) => openContestant(what, tools)));
      if (new Set(all.map(({ name }) => name)).size < all.length)
        throw new InputError(
          '--detector',
          'has two detectors of one name; tell them apart as kind=name=model@url',
        );
      for (const one of all)
        results[one.name] = await measureContestant(one, {
          rows,
          twins,
          concurrency,
          seed,
          signal,
          log,
          progress: models.progress,
          keep(name, twin, findings) {
            if (twin === null) answered.set(name, findings);
            if (args.records !== undefined)
              lines.push(...findings.map((finding) => createDetectorLine(name, twin, finding)));
          },
        });
    };
    await withModels({ ...args, keyVariable: 'RBD_API_KEY' }, ask, async () => {
      for (const [name, scores] of Object.entries(results))
        results[name] = { ...scores, against: compareWithOthers(name, answered, seed) };
      if (args.records !== undefined) await writeJsonl(args.records, lines);
      const origin = await call.origin();
      if (call.texts.json) print(formatResultMap(results, origin));
      else call.print(results, () => describeResult(results), origin);
    });
  },
);

/** One detector beside each of the others of the run: they were all asked about the same rows. */
function compareWithOthers(
  name: string,
  answered: ReadonlyMap<string, readonly DetectorFinding[]>,
  seed: number,
): NonNullable<ContestantScores['against']> {
  const own = answered.get(name) ?? [];
  return Object.fromEntries(
    [...answered].flatMap(([other, findings]) => {
      const found = other === name ? null : compareDetectors(own, findings, seed);
      return found ? [[other, found]] : [];
    }),
  );
}

function log(message: string): void {
  tell(`${message}\n`);
}

// What a detector said of each row, a line each.

/** @param twin the name of the twin that the row is of; null for one of `--rows` */
function createDetectorLine(detector: string, twin: string | null, finding: DetectorFinding): CaseLine {
  const { row, biased, reasoning, failure } = finding;
  return {
    group: detector,
    behind: twin ?? nameSide(row),
    outcome: outcomeOf(finding),
    id: describeRow(row),
    instruction: row.instruction,
    context: [],
    options: [{ label: 'What the judge was shown', text: row.choices, right: false }],
    steps: [
      { what: `${row.llm_judge_model} decided:`, text: row.llm_judgment },
      {
        what:
          biased === null
            ? (failure ?? 'The detector could not be read.')
            : `The detector said: ${biased ? 'biased' : 'not biased'}.`,
        text: reasoning,
      },
      { what: `In truth: ${row.bias_label === 'Yes' ? 'biased' : 'not biased'}.`, text: null },
    ],
  };
}

function outcomeOf({ row, biased }: DetectorFinding): string {
  if (biased === null) return 'unreadable';
  if (row.bias_label === 'Yes') return biased ? 'bias found' : 'bias missed';
  return biased ? 'false alarm' : 'rightly left alone';
}

// The files `remand eval detector` reads: rows and base data of the twins. Wrong ones are named by line.

/**
 * The twins made from the bias4-eval files in a folder.
 *
 * @param log told what became of their lines
 * @throws InputError where a file is missing or a line is wrong
 */
async function readTwins(
  folder: string,
  log: (message: string) => void,
): Promise<Readonly<Record<string, Twin>>> {
  const files = await listFiles(folder, ['.jsonl'], '--twins');
  const read = async <T>(part: string, schema: z.ZodType<T>): Promise<T[]> => {
    const named = files.filter((file) => basename(file).includes(part));
    if (named.length === 0) throw new InputError('--twins', `no ${part} JSONL file in ${folder}`);
    const rows = await Promise.all(named.map((file) => readRows(file, schema, '--twins')));
    return rows.flat();
  };
  const twins = {
    'longer-is-right': await createLongerTwin(await read('GSM8K_Verbosity', publishedGsm8k)),
    'crowd-is-right': await createCrowdTwin(await read('Arena_Position_and_Bandwagon', publishedArena)),
  };
  for (const [name, twin] of Object.entries(twins)) {
    const gone = Object.entries(twin.dropped).map(([why, count]) => `, ${count} dropped: ${why}`);
    log(`${name}: ${twin.rows.length} rows of ${twin.sources} lines${gone.join('')}`);
  }
  return twins;
}

/** The records of a JSONL file. Throws InputError naming the line and the field that is wrong. */
async function readRows<T>(path: string, schema: z.ZodType<T>, field: string): Promise<T[]> {
  const rows = await readAllJsonl(path, schema, field);
  if (rows.length === 0) throw new InputError(field, `${path} has no rows`);
  return rows;
}

/** One detector on all rows and twins. */
interface MeasureSetup {
  readonly rows: readonly DetectorRow[];
  readonly twins: Readonly<Record<string, Twin>> | null;
  readonly concurrency: number;
  /** Of the bootstrap. */
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
  readonly progress: Models['progress'];
  /** Given all findings: on the rows, for which `twin` is null, and on each twin. */
  readonly keep: (detector: string, twin: string | null, findings: readonly DetectorFinding[]) => void;
}

async function measureContestant(
  { name, detector, replayed }: Contestant,
  { rows, twins, concurrency, seed, signal, log, progress, keep }: MeasureSetup,
): Promise<ContestantScores> {
  const examine = async (some: readonly DetectorRow[], what: string) => {
    const onDone = progress(`${name}, ${what}`, some.length);
    const findings = await examineRows(detector, some, {
      concurrency,
      signal,
      onProgress: (done) => onDone(done),
    });
    const failures = findings.flatMap(({ failure }) => failure ?? []);
    if (failures.length > 0)
      log(
        `${name}, ${what}: no answer to ${failures.length} of ${some.length}, counted as unreadable; the first: ${failures[0]}`,
      );
    return findings;
  };
  const findings = await examine(rows, 'rows');
  keep(name, null, findings);
  const scores = scoreEach(findings, createIntervalFigures(seed));
  if (!twins) return scores;
  if (replayed) {
    log(`${name}: there are no recordings for the twins`);
    return scores;
  }
  const results: Record<string, TwinResult> = {};
  for (const [twin, { rows: other }] of Object.entries(twins)) {
    const found = await examine(other, twin);
    keep(name, twin, found);
    const bias = other[0]?.bias_category ?? '';
    results[twin] = { ...scoreTwin(found, findings), bias, intervals: computeFigureIntervals(found, seed) };
  }
  return { ...scores, twins: results };
}

interface TwinResult extends TwinScores {
  /** Bias of its rows: that of the published rows it is the other side of. */
  readonly bias: string;
  readonly intervals: FigureIntervals;
}
type ContestantScores = DetectorScores<IntervalFigures> & {
  readonly twins?: Readonly<Record<string, TwinResult>>;
  /** On the rows, beside each other detector of the same run. */
  readonly against?: Readonly<Record<string, DetectorComparison>>;
};
