/** `remand eval judge`: what sending verdicts back does to recorded judges, per judge and strategy. */
import { defineCommand } from 'citty';
import { biasNamed, CATALOGUE } from '../bias/index.ts';
import type { Bias } from '../bias/types.ts';
import { InputError } from '../case/errors.ts';
import { createProbeDetector } from '../detect/probe.ts';
import { evaluateJudge, type JudgeEvaluation } from '../evaluate/judge.ts';
import { loadRecords } from '../judge/recorded/load.ts';
import { systemClock } from '../judge/types.ts';

export const evalJudge = defineCommand({
  meta: {
    name: 'judge',
    description: 'Send recorded verdicts through the loop and count what it does to them.',
  },
  args: {
    cases: {
      type: 'string',
      required: true,
      description: 'JSONL of items: id, instruction, output_1, output_2, label',
    },
    verdicts: {
      type: 'string',
      required: true,
      description: 'JSONL of recorded verdicts: id, judge, strategy, rounds',
    },
    biases: { type: 'string', default: 'position', description: 'Biases to look for, comma separated' },
    rounds: { type: 'string', default: '1', description: 'Most remands per judgment, 0 to 10' },
    judge: { type: 'string', description: 'Only this judge' },
    strategy: { type: 'string', description: 'Only this strategy' },
    json: { type: 'boolean', default: false, description: 'One JSON document on standard output' },
  },
  async run({ args }) {
    const biases = readBiases(args.biases);
    const rounds = readRounds(args.rounds);
    const records = await loadRecords({ items: args.cases, verdicts: args.verdicts });
    const voices = records.voices.filter(
      (voice) =>
        (args.judge ?? voice.judge) === voice.judge && (args.strategy ?? voice.strategy) === voice.strategy,
    );
    if (voices.length === 0) throw new InputError('verdicts', 'holds no judge and strategy of that name');
    const detector = createProbeDetector();
    const results: Record<string, JudgeEvaluation> = {};
    for (const voice of voices) {
      const name = `${voice.judge}/${voice.strategy}`;
      results[name] = await evaluateJudge({ records, voice, detector, biases, rounds, clock: systemClock });
    }
    process.stdout.write(args.json ? `${JSON.stringify(results, null, 2)}\n` : table(results));
  },
});

function readBiases(list: string): Bias[] {
  return list.split(',').map((name) => {
    const bias = biasNamed(name.trim());
    if (!bias)
      throw new InputError('--biases', `"${name}" is none of ${CATALOGUE.map((one) => one.name).join(', ')}`);
    return bias;
  });
}

function readRounds(text: string): number {
  const rounds = Number(text);
  if (!Number.isInteger(rounds) || rounds < 0 || rounds > 10)
    throw new InputError('--rounds', `must be a whole number from 0 to 10, not "${text}"`);
  return rounds;
}

function table(results: Readonly<Record<string, JudgeEvaluation>>): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  const rows = Object.entries(results).map(([name, of]) => [
    name,
    String(of.n),
    String(of.remanded),
    `${percent(of.accuracy_before)} → ${percent(of.accuracy_after)}`,
    `${percent(of.agreement_before)} → ${percent(of.agreement_after)}`,
    String(of.wrong_to_right),
    String(of.right_to_wrong),
    of.mcnemar_p.toPrecision(2),
  ]);
  const all = [
    [
      'judge/strategy',
      'items',
      'sent back',
      'accuracy',
      'agreement of orders',
      'wrong→right',
      'right→wrong',
      'McNemar p',
    ],
    ...rows,
  ];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return `${all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`;
}
