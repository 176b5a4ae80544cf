/** `remand calibrate`: from labelled judgments, whether to send a biased verdict back, by judge and bias; or how sure judges are. */

import { defineCommand } from 'citty';
import { findBias, ORDER_BIASES } from '../bias/index.ts';
import { createProbeDetector, DEFAULT_DETECTOR } from '../detect/index.ts';
import { InputError } from '../errors.ts';
import {
  armRecord,
  calibrate,
  calibrateRecords,
  collectArmLabels,
  collectPeopleLabels,
  GAIN_THRESHOLD,
  groupJudgments,
  type JudgeConfidence,
  judgeRecorded,
  type LabelledJudgment,
  labelRecord,
  pastJudgment,
  type RiskTarget,
} from '../evaluate/index.ts';
import type { Calibration } from '../loop/index.ts';
import { systemClock } from '../ports.ts';
import { labelSchema } from '../proxy/labels/label.ts';
import { readAllJsonl, readJsonl, writeWhole } from '../records/node.ts';
import type { ResultOrigin } from '../report/index.ts';
import { loadRecords } from '../sandbox/node.ts';
import { parseShare, parseWholeNumber } from './arguments.ts';
import { describeOrigin, formatResult } from './result-origin.ts';
import { alignRows, print } from './terminal.ts';

export const calibrateCommand = defineCommand({
  args: {
    judgments: { type: 'string', description: 'judgments.jsonl, as `eval judge --in` writes it' },
    labels: {
      type: 'string',
      description:
        "what people said of live verdicts: the proxy's /remand/labels; with --records: JSONL of item, label, annotator",
    },
    records: {
      type: 'string',
      description:
        'past judgments (JSONL: item, judge, choice or score or scores or pass, probability): how far their confidence can be trusted',
    },
    risk: {
      type: 'string',
      description:
        'with --records: share of errors to promise, such as 0.1; finds the threshold that keeps it',
    },
    confidence: {
      type: 'string',
      default: '0.95',
      description: 'with --records: how surely the promise is to be kept',
    },
    arm: {
      type: 'string',
      default: DEFAULT_DETECTOR.name,
      description: 'which of its arms is to be used in production',
    },
    cases: { type: 'string', description: 'recorded verdicts: JSONL of items' },
    verdicts: { type: 'string', description: 'recorded verdicts: JSONL of verdicts' },
    strategy: {
      type: 'string',
      description: 'recorded verdicts: the strategy (one; each has its own first verdicts)',
    },
    threshold: {
      type: 'string',
      default: String(GAIN_THRESHOLD),
      description: 'least probability of a gain for sending back',
    },
    out: {
      type: 'string',
      description: 'file to write: calibration.json, for REMAND_CALIBRATION; with --records confidence.json',
    },
    seed: { type: 'string', default: '0', description: 'seed of the intervals' },
    json: { type: 'boolean', default: false, description: 'the calibration on standard output, too' },
  },
  async run(context) {
    const { args } = context;
    const origin = await describeOrigin('calibrate', context);
    const threshold = Number(args.threshold);
    if (!(threshold >= 0.5 && threshold < 1))
      throw new InputError('--threshold', `must be at least 0.5 and less than 1, not "${args.threshold}"`);
    const seed = parseWholeNumber('--seed', args.seed, 0, 2 ** 31 - 1);
    if (args.records !== undefined) {
      const { records, out = 'confidence.json' } = args;
      return calibrateFromRecords({ ...args, records, out, origin }, seed);
    }
    if (args.risk !== undefined) throw new InputError('--records', 'is needed to promise a risk');
    const { judgments, biases } = await labelled(args);
    const settled = calibrate(judgments, biases, threshold, seed);
    const out = args.out ?? 'calibration.json';
    await writeWhole({ out }, (files) => files.out.write(formatResult(settled, origin)));
    print(args.json ? formatResult(settled, origin) : inWords(settled, out));
  },
});

interface JudgmentLabels {
  readonly judgments: Readonly<Record<string, readonly LabelledJudgment[]>>;
  readonly biases: readonly string[];
}

async function labelled(args: {
  readonly judgments?: string | undefined;
  readonly labels?: string | undefined;
  readonly arm: string;
  readonly cases?: string | undefined;
  readonly verdicts?: string | undefined;
  readonly strategy?: string | undefined;
}): Promise<JudgmentLabels> {
  if (args.labels !== undefined) return collectPeopleLabels(readJsonl(args.labels, labelSchema, '--labels'));
  if (args.judgments !== undefined)
    return collectArmLabels(readJsonl(args.judgments, armRecord, '--judgments'), args.arm);
  if (args.cases === undefined || args.verdicts === undefined || args.strategy === undefined)
    throw new InputError(
      '--judgments',
      'give --judgments, or --labels, or --cases, --verdicts and --strategy',
    );
  return recorded(args.cases, args.verdicts, args.strategy);
}

async function recorded(items: string, verdicts: string, strategy: string): Promise<JudgmentLabels> {
  const records = await loadRecords({ items, verdicts });
  const voices = records.voices.filter((voice) => voice.strategy === strategy);
  if (voices.length === 0) throw new InputError('--strategy', `${verdicts} holds no strategy "${strategy}"`);
  const biases = ORDER_BIASES;
  const detector = createProbeDetector();
  const judgments = await Promise.all(
    voices.map(async (voice) => {
      const run = { records, voice, detector, biases, rounds: 1, clock: systemClock };
      const all = (await judgeRecorded(run)).flat();
      const each = all.map(({ item, biases: found, before, after }) => {
        const known = found.filter((name) => findBias(name));
        return { item, biases: known, before: before.right, after: after.right };
      });
      return [voice.judge, each] as const;
    }),
  );
  return { judgments: Object.fromEntries(judgments), biases: biases.map(({ name }) => name) };
}

function inWords(settled: Calibration, path: string): string {
  const head = [
    'judge',
    'bias',
    'ruling',
    'sent back',
    'wrong→right',
    'right→wrong',
    'items better:worse',
    'P(gain)',
    'gain',
    'cases to settle',
  ];
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  const rows = Object.entries(settled.judges).flatMap(([judge, entries]) =>
    Object.entries(entries).map(([bias, one]) => [
      judge,
      bias,
      one.action,
      `${one.sent_back} of ${one.judgments}`,
      String(one.wrong_to_right),
      String(one.right_to_wrong),
      `${one.items_better ?? '?'}:${one.items_worse ?? '?'}`,
      one.probability_of_gain.toFixed(3),
      one.gain.value === null || !one.gain.interval
        ? (one.gain.reason ?? 'none')
        : `${percent(one.gain.value)} (${percent(one.gain.interval.low)} to ${percent(one.gain.interval.high)})`,
      one.cases_to_settle === null
        ? (one.reasons?.cases_to_settle ?? 'cannot be told')
        : String(one.cases_to_settle),
    ]),
  );
  return `${alignRows([head, ...rows])}\nWritten to ${path}: start the proxy with REMAND_CALIBRATION=${path}\n`;
}

interface ConfidenceArguments {
  readonly origin: ResultOrigin;
  readonly records: string;
  readonly labels?: string | undefined;
  readonly risk?: string | undefined;
  readonly confidence: string;
  readonly out: string;
  readonly json: boolean;
}

/** @throws InputError for files that cannot be read, and where no verdict has a label */
async function calibrateFromRecords(args: ConfidenceArguments, seed: number): Promise<void> {
  const target = readTarget(args.risk, args.confidence);
  const records = await readAllJsonl(args.records, pastJudgment, '--records');
  const labels = args.labels === undefined ? [] : await readAllJsonl(args.labels, labelRecord, '--labels');
  const judges = calibrateRecords(groupJudgments(records, labels), target, seed);
  if (Object.values(judges).every((judge) => judge.labels === 0))
    throw new InputError('--labels', 'no verdict of the records has a label; give --labels');
  const result = { judges };
  await writeWhole({ out: args.out }, (files) => files.out.write(formatResult(result, args.origin)));
  print(args.json ? formatResult(result, args.origin) : describeConfidence(judges, args.out));
}

function readTarget(risk: string | undefined, confidence: string): RiskTarget | null {
  const level = parseShare('--confidence', confidence);
  return risk === undefined ? null : { risk: parseShare('--risk', risk), confidence: level };
}

function describeConfidence(judges: Readonly<Record<string, JudgeConfidence>>, out: string): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  const rows = Object.entries(judges).map(([name, { labels, calibration, promise }]) => [
    name,
    String(labels),
    calibration?.curve.method ?? 'none',
    calibration ? calibration.brier.toFixed(3) : '',
    calibration ? calibration.brier_of_base_rate.toFixed(3) : '',
    calibration
      ? `${calibration.ece.toFixed(3)}${'low' in calibration.ece_interval ? ` (${calibration.ece_interval.low.toFixed(3)}–${calibration.ece_interval.high.toFixed(3)})` : ''}`
      : '',
    ...(promise
      ? [promise.kept ? promise.kept.threshold.toFixed(4) : 'refused', percent(promise.kept?.coverage ?? 0)]
      : []),
  ]);
  const promised = Object.values(judges).find(({ promise }) => promise)?.promise;
  const head = ['judge', 'labels', 'curve', 'Brier', 'without curve', 'calibration error, 95%'];
  const diagrams = Object.entries(judges).map(([name, { calibration, uncalibrated, chosen, promise }]) => {
    const bins = calibration?.reliability.map(({ n, probability, right }) => [
      `  said ${percent(probability)}`,
      `right ${percent(right)}`,
      `of ${n}`,
    ]);
    return [
      `\n${name}: ${uncalibrated ?? calibration?.warning ?? 'how often it is right where it says so, out of sample:'}`,
      ...(bins ? [alignRows(bins).trimEnd()] : []),
      ...(promise && chosen > 0
        ? [
            `  ${chosen} labels are on cases that were chosen for what the judge said; the promise rests on the others. /remand/queue?for=sample offers cases drawn by chance.`,
          ]
        : []),
      ...(promise?.refused ? [`  no promise: ${promise.refused}.`] : []),
    ].join('\n');
  });
  return `${alignRows([
    [...head, ...(promised ? [`threshold for at most ${percent(promised.risk)} wrong`, 'answered'] : [])],
    ...rows,
  ])}${diagrams.join('\n')}\n\nWritten to ${out}.\n`;
}
