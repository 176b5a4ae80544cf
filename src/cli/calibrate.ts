/** `remand calibrate`: from labelled judgments, whether to send a biased verdict back, by judge and bias; or how sure judges are. */

import { findBias, ORDER_BIASES } from '../bias/index.ts';
import { createProbeDetector, DEFAULT_DETECTOR } from '../detect/index.ts';
import { InputError } from '../errors.ts';
import {
  armRecord,
  calibrate,
  calibrateRecords,
  collectArmLabels,
  collectPeopleLabels,
  countReplies,
  GAIN_THRESHOLD,
  groupJudgments,
  type JudgeConfidence,
  judgeRecorded,
  type LabelledJudgment,
  labelRecord,
  pastJudgment,
  type VerdictSource,
} from '../evaluate/index.ts';
import { systemClock } from '../ports.ts';
import { labelSchema } from '../proxy/labels/label.ts';
import { readAllJsonl, readJsonl, writeWhole } from '../records/node.ts';
import { loadRecords } from '../sandbox/node.ts';
import { formatPercent } from '../stats/index.ts';
import { claimOutput, overwriteOption } from './claim-output.ts';
import {
  asNumber,
  asShare,
  asText,
  asWhole,
  createCommand,
  flag,
  type OptionValues,
  onlyWith,
  optional,
  usual,
} from './command.ts';
import { verdictFrom } from './eval-judge/evaluate-recorded.ts';
import { describeResult, formatResult } from './result-origin.ts';
import { alignRows, tell } from './terminal.ts';

const options = {
  judgments: optional(asText, 'judgments.jsonl, as `eval judge --in` writes it'),
  labels: optional(
    asText,
    "what people said of live verdicts: the proxy's /remand/labels; with --records: JSONL of item, label, annotator, random",
  ),
  records: optional(
    asText,
    'past judgments (JSONL: item, judge, choice or score or scores or pass, probability): how far their confidence can be trusted',
  ),
  ...onlyWith('records', {
    risk: optional(asShare, 'share of errors to promise, such as 0.1; finds the threshold that keeps it'),
    confidence: usual(asShare, '0.95', 'how surely the promise is to be kept'),
  }),
  arm: usual(asText, DEFAULT_DETECTOR.name, 'which of its arms is to be used in production'),
  cases: optional(asText, 'recorded verdicts: JSONL of items'),
  verdicts: optional(asText, 'recorded verdicts: JSONL of verdicts'),
  strategy: optional(asText, 'recorded verdicts: the strategy (one; each has its own first verdicts)'),
  ...onlyWith('verdicts', { 'verdict-from': verdictFrom }),
  threshold: usual(asNumber, String(GAIN_THRESHOLD), 'least probability of a gain for sending back'),
  out: optional(
    asText,
    'file to write: calibration.json, for REMAND_CALIBRATION; with --records confidence.json',
  ),
  ...overwriteOption,
  seed: usual(asWhole(0, 2 ** 31 - 1), '0', 'seed of the intervals'),
  json: flag('the calibration on standard output, too'),
};
type Arguments = OptionValues<typeof options>;

export const calibrateCommand = createCommand(options, async ({ args, print, ...call }) => {
  const { threshold, seed, records } = args;
  if (!(threshold >= 0.5 && threshold < 1))
    throw new InputError('--threshold', `must be at least 0.5 and less than 1, not "${threshold}"`);
  const origin = await call.origin();
  const out = args.out ?? (records === undefined ? 'calibration.json' : 'confidence.json');
  const write = async (result: object, words: () => string | Promise<string>) => {
    const { texts, defaults } = call;
    await claimOutput({ path: out, command: 'calibrate', args: texts, defaults, option: '--out' });
    await writeWhole({ out }, (files) => files.out.write(formatResult(result, origin)));
    print(result, words, origin);
  };
  if (records !== undefined) {
    const judges = await calibrateFromRecords(records, args);
    return write({ judges }, () => describeConfidence(judges, out));
  }
  const { judgments, biases } = await collectLabels(args);
  const settled = calibrate(judgments, biases, threshold, seed);
  await write(
    settled,
    async () =>
      `${await describeResult(settled)}\nWritten to ${out}: start the proxy with REMAND_CALIBRATION=${out}\n`,
  );
});

interface JudgmentLabels {
  readonly judgments: Readonly<Record<string, readonly LabelledJudgment[]>>;
  readonly biases: readonly string[];
}

async function collectLabels(args: Arguments): Promise<JudgmentLabels> {
  if (args.labels !== undefined) return collectPeopleLabels(readJsonl(args.labels, labelSchema, '--labels'));
  if (args.judgments !== undefined)
    return collectArmLabels(readJsonl(args.judgments, armRecord, '--judgments'), args.arm);
  if (args.cases === undefined || args.verdicts === undefined || args.strategy === undefined)
    throw new InputError(
      '--judgments',
      'give --judgments, or --labels, or --cases, --verdicts and --strategy',
    );
  return collectRecordedLabels(args.cases, args.verdicts, args.strategy, args['verdict-from']);
}

async function collectRecordedLabels(
  items: string,
  verdicts: string,
  strategy: string,
  source: VerdictSource,
): Promise<JudgmentLabels> {
  const records = await loadRecords({ items, verdicts });
  const voices = records.voices.filter((voice) => voice.strategy === strategy);
  if (voices.length === 0) throw new InputError('--strategy', `${verdicts} holds no strategy "${strategy}"`);
  const biases = ORDER_BIASES;
  const detector = createProbeDetector();
  const judgments = await Promise.all(
    voices.map(async (voice) => {
      const { n, differ, unread } = countReplies({ records, voice });
      if (differ + unread > 0)
        tell(
          `${voice.judge}: of ${n} replies ${differ} say something else than the winner recorded beside them, and ${unread} could not be read. ${source === 'winner' ? 'The winners count; --verdict-from reply gives the figures read from the replies.' : 'The replies count.'}\n`,
        );
      const run = { records, voice, detector, biases, rounds: 1, clock: systemClock, verdictFrom: source };
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

/** @throws InputError for files that cannot be read, and where no verdict has a label */
async function calibrateFromRecords(path: string, { labels: at, risk, confidence, seed }: Arguments) {
  const target = risk === undefined ? null : { risk, confidence };
  const records = await readAllJsonl(path, pastJudgment, '--records');
  const labels = at === undefined ? [] : await readAllJsonl(at, labelRecord, '--labels');
  const judges = calibrateRecords(groupJudgments(records, labels), target, seed);
  if (Object.values(judges).every((judge) => judge.labels === 0))
    throw new InputError('--labels', 'no verdict of the records has a label; give --labels');
  return judges;
}

const OUT_OF_SAMPLE =
  'Each fifth of the labels was told by a curve of the others, so that one confidence may be in several lines.';

function describeConfidence(judges: Readonly<Record<string, JudgeConfidence>>, out: string): string {
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
      ? [
          promise.kept ? promise.kept.threshold.toFixed(4) : 'refused',
          formatPercent(promise.kept?.coverage ?? 0),
        ]
      : []),
  ]);
  const promised = Object.values(judges).find(({ promise }) => promise)?.promise;
  const head = ['judge', 'labels', 'curve', 'Brier', 'without curve', 'calibration error, 95%'];
  const diagrams = Object.entries(judges).map(
    ([name, { calibration, uncalibrated, chosen, grouped, unscored, promise }]) => {
      const bins =
        calibration &&
        [...Map.groupBy(calibration.reliability, ({ probability }) => formatPercent(probability))].map(
          ([said, same]) => {
            const n = same.reduce((sum, bin) => sum + bin.n, 0);
            const right = same.reduce((sum, bin) => sum + bin.n * bin.right, 0) / n;
            return [`  said ${said}`, `right ${formatPercent(right)}`, `of ${n}`];
          },
        );
      return [
        `\n${name}: ${uncalibrated ?? calibration?.warning ?? 'how often it is right where it says so:'}`,
        bins && `${alignRows(bins).trimEnd()}\n  ${OUT_OF_SAMPLE}`,
        unscored > 0 &&
          `  ${unscored} labels are left out: their records tell no confidence, and those of others do.`,
        promise &&
          chosen > 0 &&
          `  ${chosen} labels are on cases that were chosen for what the judge said; the promise rests on the others. /remand/queue?for=sample offers cases drawn by chance.`,
        promise &&
          grouped > 0 &&
          `  ${grouped} labels are on further items of a group; the promise rests on one item of each.`,
        promise?.refused && `  no promise: ${promise.refused}.`,
      ]
        .filter(Boolean)
        .join('\n');
    },
  );
  return `${alignRows([
    [
      ...head,
      ...(promised ? [`threshold for at most ${formatPercent(promised.risk)} wrong`, 'answered'] : []),
    ],
    ...rows,
  ])}${diagrams.join('\n')}\n\nWritten to ${out}.\n`;
}
