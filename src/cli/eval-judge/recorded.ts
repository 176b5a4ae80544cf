/** `remand eval judge --cases --verdicts`: recorded judges through the loop, beside those that were never asked again. */
import { biasNamed, CATALOGUE } from '../../bias/index.ts';
import type { Bias } from '../../bias/types.ts';
import { InputError } from '../../case/errors.ts';
import { createProbeDetector } from '../../detect/probe.ts';
import {
  type AgainstBaseline,
  againstBaseline,
  type JudgeEvaluation,
  summarise,
} from '../../evaluate/judge.ts';
import { judgeRecorded, wasAskedAgain } from '../../evaluate/recorded-run.ts';
import { loadRecords } from '../../judge/recorded/load.ts';
import type { Voice } from '../../judge/recorded/records.ts';
import { systemClock } from '../../judge/types.ts';
import { writeJsonl } from '../../records/jsonl.ts';
import type { CaseLine } from '../../report/cases.ts';
import { aligned } from '../aligned.ts';
import { recordedLines } from './case-lines.ts';

/** What the command line says of recorded verdicts. */
export interface RecordedArgs extends RecordedFilter {
  readonly cases: string;
  readonly verdicts: string;
  readonly biases: string;
  readonly records?: string | undefined;
}
interface RecordedFilter {
  readonly judge?: string | undefined;
  readonly strategy?: string | undefined;
}

/** Of one judge and strategy. */
export interface RecordedResult extends JudgeEvaluation {
  /** The judge was never asked again under this strategy: its first verdicts, to compare the others with. */
  readonly baseline: boolean;
  /** After sending back, beside the baselines of the same judge, by their strategies; empty for a baseline. */
  readonly against: Readonly<Record<string, AgainstBaseline>>;
}

/** @throws InputError for what the files lack */
export async function recorded(args: RecordedArgs, rounds: number): Promise<Record<string, RecordedResult>> {
  const biases = readBiases(args.biases);
  const records = await loadRecords({ items: args.cases, verdicts: args.verdicts });
  const voices = records.voices.filter(
    (voice) =>
      (args.judge ?? voice.judge) === voice.judge && (args.strategy ?? voice.strategy) === voice.strategy,
  );
  if (voices.length === 0) throw new InputError('verdicts', 'holds no judge and strategy of that name');
  const detector = createProbeDetector();
  const results: Record<string, RecordedResult> = {};
  const lines: CaseLine[] = [];
  const items = new Map(records.items.map((item) => [item.id, item]));
  const judge = (voice: Voice) =>
    judgeRecorded({ records, voice, detector, biases, rounds, clock: systemClock });
  for (const voice of voices) {
    const name = `${voice.judge}/${voice.strategy}`;
    const judged = await judge(voice);
    const baseline = !wasAskedAgain({ records, voice });
    const against: Record<string, AgainstBaseline> = {};
    // Those that --strategy leaves out are compared with all the same.
    const others = baseline ? [] : records.voices.filter((other) => other.judge === voice.judge);
    for (const other of others) {
      if (wasAskedAgain({ records, voice: other })) continue;
      const pair = againstBaseline(judged, await judge(other));
      if (pair) against[other.strategy] = pair;
    }
    results[name] = { ...summarise(judged), baseline, against };
    for (const judgments of args.records === undefined ? [] : judged) {
      const item = items.get(judgments[0]?.item ?? '');
      if (item) lines.push(...recordedLines(name, item, judgments));
    }
  }
  if (args.records !== undefined) await writeJsonl(args.records, lines);
  return results;
}

function readBiases(list: string): Bias[] {
  return list.split(',').map((name) => {
    const bias = biasNamed(name.trim());
    if (!bias)
      throw new InputError('--biases', `"${name}" is none of ${CATALOGUE.map((one) => one.name).join(', ')}`);
    return bias;
  });
}

/** Baselines have one figure where the others have one before and one after. */
export function recordedTable(results: Readonly<Record<string, RecordedResult>>): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  const strategies = new Set(Object.values(results).flatMap(({ against }) => Object.keys(against)));
  const rows = Object.entries(results).map(([name, of]) =>
    of.baseline
      ? [`${name} (baseline)`, String(of.n), '', percent(of.accuracy_before), percent(of.agreement_before)]
      : [
          name,
          String(of.n),
          String(of.remanded),
          `${percent(of.accuracy_before)} → ${percent(of.accuracy_after)}`,
          `${percent(of.agreement_before)} → ${percent(of.agreement_after)}`,
          String(of.wrong_to_right),
          String(of.right_to_wrong),
          of.mcnemar_p.toPrecision(2),
          ...[...strategies].map((strategy) => beside(of.against[strategy])),
        ],
  );
  const head = ['judge/strategy', 'items', 'sent back', 'accuracy', 'agreement of orders'];
  const changes = ['wrong→right', 'right→wrong', 'McNemar p'];
  return aligned([[...head, ...changes, ...[...strategies].map((one) => `against ${one}`)], ...rows]);
}

function beside(pair: AgainstBaseline | undefined): string {
  return pair ? `${pair.gained}:${pair.lost}, p ${pair.mcnemar_p.toPrecision(2)}` : '';
}
