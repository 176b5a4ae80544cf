/** `remand eval judge --cases --verdicts`: recorded judges through the loop, beside those that were never asked again. */
import { type Bias, CATALOGUE, findBias } from '../../bias/index.ts';
import { createProbeDetector } from '../../detect/index.ts';
import { InputError } from '../../errors.ts';
import {
  type BaselineComparison,
  compareBaseline,
  countReplies,
  type JudgeEvaluation,
  judgeRecorded,
  type RecordedDecision,
  type RecordedJudgment,
  type ReplyCounts,
  summariseJudgments,
  VERDICT_SOURCES,
  type VerdictSource,
  wasAskedAgain,
} from '../../evaluate/index.ts';
import { systemClock } from '../../ports.ts';
import { writeJsonl } from '../../records/node.ts';
import type { CaseLine, RecordedJudge } from '../../report/index.ts';
import type { Item, Voice } from '../../sandbox/index.ts';
import { loadRecords } from '../../sandbox/node.ts';
import { asOneOf, usual } from '../command.ts';
import { describeTurn } from '../report/gather-cases.ts';

export const verdictFrom = usual(
  asOneOf(VERDICT_SOURCES),
  'winner',
  'winner: the verdict is the winner recorded beside a reply; reply: it is read from what the judge said',
);

/** What the command line says of recorded verdicts. */
interface RecordedArgs {
  readonly judge?: string | undefined;
  readonly strategy?: string | undefined;
  readonly cases: string;
  readonly verdicts: string;
  readonly biases: readonly string[];
  readonly 'verdict-from'?: VerdictSource | undefined;
  readonly out?: string | undefined;
}

/** Of one judge and strategy. */
export interface RecordedResult extends JudgeEvaluation, Pick<RecordedJudge, 'baseline'> {
  readonly against: Readonly<Record<string, BaselineComparison>>;
  readonly replies: ReplyCounts;
}

/**
 * @param seed of the bootstrap
 * @throws InputError for what the files lack
 */
export async function evaluateRecorded(
  args: RecordedArgs,
  rounds: number,
  seed = 0,
): Promise<Record<string, RecordedResult>> {
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
    judgeRecorded({
      records,
      voice,
      detector,
      biases,
      rounds,
      clock: systemClock,
      verdictFrom: args['verdict-from'],
    });
  for (const voice of voices) {
    const name = `${voice.judge}/${voice.strategy}`;
    const judged = await judge(voice);
    const baseline = !wasAskedAgain({ records, voice });
    const against: Record<string, BaselineComparison> = {};
    // Those that --strategy leaves out are compared with all the same.
    const others = baseline ? [] : records.voices.filter((other) => other.judge === voice.judge);
    for (const other of others) {
      if (wasAskedAgain({ records, voice: other })) continue;
      const pair = compareBaseline(judged, await judge(other), seed);
      if (pair) against[other.strategy] = pair;
    }
    const replies = countReplies({ records, voice });
    results[name] = { ...summariseJudgments(judged, !baseline, seed), baseline, against, replies };
    for (const judgments of args.out === undefined ? [] : judged) {
      const item = items.get(judgments[0]?.item ?? '');
      if (item) lines.push(...createRecordedLines(name, item, judgments));
    }
  }
  if (args.out !== undefined) await writeJsonl(args.out, lines);
  return results;
}

function readBiases(names: readonly string[]): Bias[] {
  return names.map((name) => {
    const bias = findBias(name);
    if (!bias)
      throw new InputError('--biases', `"${name}" is none of ${CATALOGUE.map((one) => one.name).join(', ')}`);
    return bias;
  });
}

// Recorded judgments, a line each: what the judge saw, said, and said when it was asked again.

/** @param judgments of one item, the original order first, then the swapped one */
function createRecordedLines(voice: string, item: Item, judgments: readonly RecordedJudgment[]): CaseLine[] {
  return judgments.map((judged, order): CaseLine => {
    const outputs = [
      { label: 'Output 1', text: item.output_1, right: item.label === 1 },
      { label: 'Output 2', text: item.output_2, right: item.label === 2 },
    ];
    const { before, after, replies, reasons, biases, remanded } = judged;
    const found = biases.length === 0 ? '' : ` for ${biases.join(', ')}`;
    return {
      group: voice,
      behind: 'judgments',
      outcome: describeTurn(before.right, after.right),
      id: `${item.id}, ${order === 0 ? 'original' : 'swapped'} order`,
      instruction: item.instruction,
      context: [],
      options: order === 0 ? outputs : outputs.toReversed(),
      steps: [
        { what: `The judge decided: ${describeDecision(before)}.`, text: replies[0] ?? null },
        ...reasons.slice(0, 1).map((text) => ({ what: 'The detector said:', text })),
        ...(remanded
          ? [
              {
                what: `Sent back${found}, it decided: ${describeDecision(after)}.`,
                text: replies.at(-1) ?? null,
              },
            ]
          : [{ what: 'Nothing was sent back.', text: null }]),
      ],
    };
  });
}

function describeDecision({ winner, recorded }: RecordedDecision): string {
  const beside = winner === recorded ? '' : ` (recorded as ${describeWinner(recorded)})`;
  return describeWinner(winner) + beside;
}

function describeWinner(winner: RecordedDecision['winner']): string {
  if (winner === 'tie') return 'a tie';
  return winner === null ? 'no verdict that could be read' : `Output ${winner}`;
}
