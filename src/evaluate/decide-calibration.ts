/**
 * Calibration: on labelled judgments, whether sending a biased verdict back helps this judge, decided by the paired
 * counts and what they leave open, never by the point estimate. Items are what is counted for it: the judgments of one
 * item, in its two orders say, are not independent. A judge that guesses again when it is asked again
 * loses by it (LLaMA2 on LLMBar: 39 wrong verdicts turned right, 60 right ones wrong).
 */

import { findBias } from '../bias/index.ts';
import { InputError } from '../errors.ts';
import type { Calibration, CalibrationEntry } from '../loop/index.ts';
import { clusteredPairs, discordantNeeded, findMajority, probabilityOfGain } from '../stats/index.ts';
import { eachBias } from '../trace/index.ts';
import type { ArmRecord } from './arms/run-arms.ts';

/** One labelled judgment. */
export interface LabelledJudgment {
  /** Judgments of one item are no independent ones: it counts once, by what became of all of them. */
  readonly item: string;
  /** Names of the biases found and sent back; empty where none were. */
  readonly biases: readonly string[];
  /** Whether the first verdict is right; one that cannot be read is not. */
  readonly before: boolean;
  /** Whether the verdict is right that came of sending it back; the same as `before` where it was not. */
  readonly after: boolean;
}

/** Probability of a gain from which verdicts are sent back. */
export const GAIN_THRESHOLD = 0.8;

/**
 * @param judgments by the judge's model name
 * @param seed of the intervals of the gains
 */
export function calibrate(
  judgments: Readonly<Record<string, readonly LabelledJudgment[]>>,
  biases: readonly string[],
  threshold: number = GAIN_THRESHOLD,
  seed = 0,
): Calibration {
  const judges = Object.entries(judgments).map(([judge, all]) => {
    const entries = biases.map((bias) => [bias, settle(all, bias, threshold, seed)] as const);
    return [judge, Object.fromEntries(entries)] as const;
  });
  return { version: 1, threshold, judges: Object.fromEntries(judges) };
}

/** What became of the items with a verdict that was sent back for a bias. */
interface Sent {
  readonly judgments: readonly LabelledJudgment[];
  /** Items with more verdicts turned right than wrong, and the other way round. */
  readonly better: number;
  readonly worse: number;
  readonly probability: number;
}

/** @returns what is done with a verdict found biased, and by what counts */
export function decideAction(
  all: readonly LabelledJudgment[],
  bias: string,
  threshold: number = GAIN_THRESHOLD,
): { readonly action: CalibrationEntry['action']; readonly sent: Sent } {
  const judgments = all.filter(({ biases }) => biases.includes(bias));
  const { up: better, down: worse } = balances(
    judgments,
    ({ before, after }) => Number(after) - Number(before),
  );
  const probability = probabilityOfGain(better, worse);
  const sent = { judgments, better, worse, probability };
  if (probability >= threshold) return { action: 'remand', sent };
  // A tie is half right: it beats verdicts that are more often wrong than right.
  const { up: right, down: wrong } = balances(judgments, ({ before }) => (before ? 1 : -1));
  return { action: probabilityOfGain(wrong, right) >= threshold ? 'tie' : 'flag', sent };
}

/** Items whose judgments come to more than 0 together, and to less. */
function balances(judgments: readonly LabelledJudgment[], of: (one: LabelledJudgment) => number) {
  const sums = [...Map.groupBy(judgments, ({ item }) => item).values()].map((some) =>
    some.reduce((sum, one) => sum + of(one), 0),
  );
  return { up: sums.filter((sum) => sum > 0).length, down: sums.filter((sum) => sum < 0).length };
}

function settle(
  all: readonly LabelledJudgment[],
  bias: string,
  threshold: number,
  seed: number,
): CalibrationEntry {
  const { action, sent } = decideAction(all, bias, threshold);
  const { better, worse, judgments } = sent;
  const more = discordantNeeded(better, worse);
  // Labelled judgments, at the rate at which items changed so far.
  const cases = more.value === null ? null : Math.ceil((more.value * all.length) / (better + worse || 1));
  return {
    action,
    why: grounds(action, sent, all.length, threshold),
    judgments: all.length,
    sent_back: judgments.length,
    wrong_to_right: judgments.filter(({ before, after }) => !before && after).length,
    right_to_wrong: judgments.filter(({ before, after }) => before && !after).length,
    items_better: better,
    items_worse: worse,
    probability_of_gain: sent.probability,
    gain: gainOf(all, bias, seed),
    cases_to_settle: cases,
    ...(more.value === null ? { reasons: { cases_to_settle: more.reason } } : {}),
  };
}

/** Over all judgments of the judge, those not sent back for this bias included: they are neither gained nor lost. */
function gainOf(all: readonly LabelledJudgment[], bias: string, seed: number): CalibrationEntry['gain'] {
  const pairs = all.map(({ item, biases, before, after }) => ({
    item,
    before,
    after: biases.includes(bias) ? after : before,
  }));
  const found = clusteredPairs(pairs, seed);
  if (found.value === null) return { value: null, interval: null, reason: 'no labelled judgments' };
  if ('low' in found.interval) return { value: found.value, interval: found.interval };
  return { value: found.value, interval: null, reason: found.interval.reason };
}

function grounds(
  action: CalibrationEntry['action'],
  { judgments, better, worse, probability }: Sent,
  of: number,
  threshold: number,
): string {
  const count = (is: (one: LabelledJudgment) => boolean) => judgments.filter(is).length;
  const counts =
    `of ${of} labelled judgments ${judgments.length} were sent back; ${count(({ before, after }) => !before && after)} turned right, ` +
    `${count(({ before, after }) => before && !after)} turned wrong; of the items, ${better} came out better and ${worse} worse ` +
    `(probability of a gain ${probability.toFixed(2)})`;
  if (action === 'remand') return counts;
  if (action === 'tie')
    return `${counts}; of those sent back ${count(({ before }) => before)} were right at first, so a tie is better`;
  if (probability <= 1 - threshold) return `${counts}: it more likely harms`;
  return `${counts}: n is too small to send back on it`;
}

// Labelled judgments: of one arm, from the records that a comparison wrote; or of live ones, by what people said.

/**
 * @param arm whose verdicts are meant
 * @returns judgments by judge, on D and D_bias, each question once; and the biases that were looked for
 * @throws InputError where the records hold no such arm
 */
export async function collectArmLabels(
  records: AsyncIterable<ArmRecord>,
  arm: string,
): Promise<{ judgments: Record<string, LabelledJudgment[]>; biases: string[] }> {
  const judgments = new Map<string, LabelledJudgment[]>();
  const biases = new Set<string>();
  const arms = new Set<string>();
  const counted = new Set<string>();
  const sentBack = { named: 0, unnamed: 0 };
  for await (const record of records) {
    arms.add(record.arm);
    if (record.arm !== arm) continue;
    for (const name of record.bias.split('+')) biases.add(name);
    const item = record.base ?? record.id;
    const all = judgments.get(record.judge) ?? [];
    judgments.set(record.judge, all);
    for (const set of ['d', 'd_bias'] as const) {
      const outcome = record[set];
      const question = JSON.stringify([record.judge, item, record.bias, nameQuestion(record, set)]);
      if (outcome === null || counted.has(question)) continue;
      counted.add(question);
      const before = outcome.first === record.right[set];
      const after = outcome.final === record.right[set];
      const found = outcome.sent_back > 0 ? eachBias(outcome.found) : [];
      if (outcome.sent_back > 0) sentBack[found.length > 0 ? 'named' : 'unnamed']++;
      all.push({ item, biases: found, before, after });
    }
  }
  if (judgments.size === 0)
    throw new InputError(
      '--arm',
      `there are no judgments of "${arm}"; there are ${[...arms].join(', ') || 'none at all'}`,
    );
  if (sentBack.unnamed > 0 && sentBack.named === 0)
    throw new InputError(
      '--arm',
      `"${arm}" sent ${sentBack.unnamed} judgments back without naming a bias, and what is decided is decided for each bias; take an arm with a detector, such as probe`,
    );
  return { judgments: Object.fromEntries(judgments), biases: [...biases] };
}

/** A row and its twin put the same D to the judge. Where an order is all that differs, the twin has the two the other way round. */
function nameQuestion({ bias, twin }: ArmRecord, set: 'd' | 'd_bias'): string {
  if (twin && bias.split('+').every((name) => findBias(name)?.bothOrders))
    return set === 'd' ? 'd_bias' : 'd';
  return twin && set === 'd_bias' ? 'twin' : set;
}

/**
 * @param labels what people said of verdicts that were given: whether the first was right, and whether the last was; of
 *   several people's words on one judgment what most of them say, and nothing where they are split
 * @returns judgments by judge, and the biases for which some were sent back
 * @throws InputError where there are none
 */
export async function collectPeopleLabels(
  labels: AsyncIterable<PersonLabel>,
): Promise<{ judgments: Record<string, LabelledJudgment[]>; biases: string[] }> {
  const said = new Map<string, PersonLabel[]>();
  for await (const label of labels) said.set(label.trace, [...(said.get(label.trace) ?? []), label]);
  if (said.size === 0) throw new InputError('--labels', 'there are no labels in it');
  const decided = [...said.values()].flatMap(
    (some) => findMajority(some, ({ before, after }) => `${before} ${after}`) ?? [],
  );
  const judgments = Map.groupBy(decided, ({ judge }) => judge);
  return {
    judgments: Object.fromEntries(
      [...judgments].map(([judge, some]) => [
        judge,
        some.map(({ trace, biases, before, after }) => ({
          item: trace,
          biases: eachBias(biases),
          before,
          after,
        })),
      ]),
    ),
    biases: [...new Set(decided.flatMap(({ biases }) => eachBias(biases)))],
  };
}

/** As the proxy exports it. */
interface PersonLabel {
  /** Id of the judgment's trace. */
  readonly trace: string;
  readonly judge: string;
  readonly biases: readonly string[];
  readonly before: boolean;
  readonly after: boolean;
}
