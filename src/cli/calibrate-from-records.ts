/** `remand calibrate --records`: what labels say of how sure judges are. */
import { InputError } from '../errors.ts';
import {
  calibrateRecords,
  groupJudgments,
  type JudgeConfidence,
  LabelRecord,
  PastJudgment,
  type RiskTarget,
} from '../evaluate/index.ts';
import { readAllJsonl, writeWhole } from '../records/node.ts';
import { alignRows } from './align-rows.ts';
import { print } from './terminal.ts';

export interface ConfidenceArguments {
  readonly records: string;
  readonly labels?: string | undefined;
  readonly risk?: string | undefined;
  readonly confidence: string;
  readonly out: string;
  readonly json: boolean;
}

/** @throws InputError for files that cannot be read, and where no verdict has a label */
export async function calibrateFromRecords(args: ConfidenceArguments, seed: number): Promise<void> {
  const target = readTarget(args.risk, args.confidence);
  const records = await readAllJsonl(args.records, PastJudgment, '--records');
  const labels = args.labels === undefined ? [] : await readAllJsonl(args.labels, LabelRecord, '--labels');
  const judges = calibrateRecords(groupJudgments(records, labels), target, seed);
  if (Object.values(judges).every((judge) => judge.labels === 0))
    throw new InputError('--labels', 'no verdict of the records has a label; give --labels');
  const result = { judges };
  await writeWhole({ out: args.out }, (files) => files.out.write(`${JSON.stringify(result, null, 2)}\n`));
  print(args.json ? `${JSON.stringify(result)}\n` : inWords(judges, args.out));
}

function readTarget(risk: string | undefined, confidence: string): RiskTarget | null {
  const level = readShare('--confidence', confidence);
  return risk === undefined ? null : { risk: readShare('--risk', risk), confidence: level };
}

function readShare(field: string, text: string): number {
  const share = Number(text);
  if (!(share > 0 && share < 1))
    throw new InputError(field, `must be more than 0 and less than 1, not "${text}"`);
  return share;
}

function inWords(judges: Readonly<Record<string, JudgeConfidence>>, out: string): string {
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
  const diagrams = Object.entries(judges).map(([name, { calibration, uncalibrated, promise }]) => {
    const bins = calibration?.reliability.map(({ n, probability, right }) => [
      `  said ${percent(probability)}`,
      `right ${percent(right)}`,
      `of ${n}`,
    ]);
    return [
      `\n${name}: ${uncalibrated ?? calibration?.warning ?? 'how often it is right where it says so, out of sample:'}`,
      ...(bins ? [alignRows(bins).trimEnd()] : []),
      ...(promise?.refused ? [`  no promise: ${promise.refused}.`] : []),
    ].join('\n');
  });
  return `${alignRows([
    [...head, ...(promised ? [`threshold for at most ${percent(promised.risk)} wrong`, 'answered'] : [])],
    ...rows,
  ])}${diagrams.join('\n')}\n\nWritten to ${out}.\n`;
}
