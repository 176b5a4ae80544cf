/**
 * What each arm did, beside the judge alone and beside a contentless request to reconsider: right and wrong counted
 * in pairs, what it cost, and the same after each round.
 */

import { mcnemarExact } from '../../stats/mcnemar.ts';
import { type Interval, wilson } from '../../stats/wilson.ts';
import type { ArmOutcome, Decision } from './arm.ts';
import type { ArmRecord } from './run.ts';

/** A share with its interval; null where there is nothing to count. */
export interface Share {
  readonly value: number | null;
  readonly of: number;
  readonly interval: Interval | null;
}

export interface Paired {
  /** Judgments that are wrong there and right here, and the other way round; a tie is not right. */
  readonly gained: number;
  readonly lost: number;
  /** Exact McNemar, two-sided. */
  readonly p: number;
}

export interface ArmSummary {
  readonly judge: string;
  readonly bias: string;
  readonly twin: boolean;
  readonly arm: string;
  /** Pairs of rows that were judged in both sets. */
  readonly n: number;
  readonly failed: number;
  /** Of the final verdicts; a tie counts half, a verdict that cannot be read as wrong. */
  readonly accuracy: { readonly d: Share; readonly d_bias: Share };
  /** The same decision with and without the bias. */
  readonly consistency: Share;
  /** From the judge's own first verdict to the final one, over both sets. */
  readonly wrong_to_right: number;
  readonly right_to_wrong: number;
  /** First verdicts that the bias had not turned, and that came out wrong all the same. */
  readonly false_corrections: number;
  /** Of the verdicts that were sent back, those the judge kept; and of these, those that are right. */
  readonly insisted: Share;
  readonly insisted_rightly: Share;
  readonly unread: number;
  /** Means over judgments; null where there are none. */
  readonly calls: number | null;
  readonly tokens: { readonly input: number; readonly output: number } | null;
  /** Accuracy on D_bias after rounds 0 (the first verdict), 1, 2 … */
  readonly curve: readonly number[];
  /** On D_bias, each pair once; null for the arm itself, or where the other arm was not run. */
  readonly against_none: Paired | null;
  readonly against_placebo: Paired | null;
}

type Sums = {
  head: Pick<ArmRecord, 'judge' | 'bias' | 'twin' | 'arm'>;
  n: number;
  failed: number;
  points: { d: number; d_bias: number };
  consistent: number;
  gained: number;
  lost: number;
  falseCorrections: number;
  sentBack: number;
  insisted: number;
  insistedRightly: number;
  unread: number;
  calls: number;
  input: number;
  output: number;
  rounds: number[];
  against: Record<'none' | 'placebo', { gained: number; lost: number; n: number }>;
};

export interface ArmTally {
  /** @param records of all arms for one pair and judge */
  add(records: readonly ArmRecord[]): void;
  summaries(): ArmSummary[];
}

/** @param rounds most remands of any arm: the length of the curves */
export function createArmTally(rounds: number): ArmTally {
  const all = new Map<string, Sums>();
  return {
    add(records) {
      for (const record of records) {
        const { judge, bias, twin, arm } = record;
        const key = JSON.stringify([judge, bias, twin, arm]);
        const sums = all.get(key) ?? empty({ judge, bias, twin, arm }, rounds);
        all.set(key, sums);
        if (record.d === null || record.d_bias === null) sums.failed++;
        else addRecord(sums, { ...record, d: record.d, d_bias: record.d_bias });
        for (const name of ['none', 'placebo'] as const) {
          const other = records.find((one) => one.arm === name);
          if (other && name !== arm) compare(sums.against[name], record, other);
        }
      }
    },
    summaries: () => [...all.values()].map(summaryOf),
  };
}

function empty(head: Sums['head'], rounds: number): Sums {
  const pair = () => ({ gained: 0, lost: 0, n: 0 });
  return {
    ...{
      head,
      n: 0,
      failed: 0,
      points: { d: 0, d_bias: 0 },
      consistent: 0,
      gained: 0,
      lost: 0,
      falseCorrections: 0,
    },
    ...{ sentBack: 0, insisted: 0, insistedRightly: 0, unread: 0, calls: 0, input: 0, output: 0 },
    rounds: Array.from({ length: rounds + 1 }, () => 0),
    against: { none: pair(), placebo: pair() },
  };
}

type Whole = ArmRecord & { readonly d: ArmOutcome; readonly d_bias: ArmOutcome };

function addRecord(sums: Sums, record: Whole): void {
  const { d, d_bias: dBias, right } = record;
  sums.n++;
  sums.points.d += points(d.final, right.d);
  sums.points.d_bias += points(dBias.final, right.d_bias);
  if (sameDecision(record)) sums.consistent++;
  const turned = d.first === right.d && dBias.first !== right.d_bias;
  for (const [outcome, is] of [
    [d, right.d],
    [dBias, right.d_bias],
  ] as const) {
    const before = outcome.first === is;
    const after = outcome.final === is;
    if (!before && after) sums.gained++;
    if (before && !after) sums.lost++;
    if (before && !after && !(turned && outcome === dBias)) sums.falseCorrections++;
    if (outcome.final === null) sums.unread++;
    sums.sentBack += outcome.sent_back > 0 ? 1 : 0;
    if (outcome.insisted) sums.insisted++;
    if (outcome.insisted && after) sums.insistedRightly++;
    sums.calls += outcome.calls;
    sums.input += outcome.tokens.input;
    sums.output += outcome.tokens.output;
  }
  sums.rounds = sums.rounds.map((sum, round) => {
    const stood = dBias.standing[Math.min(round, dBias.standing.length - 1)] ?? null;
    return sum + points(stood, right.d_bias);
  });
}

/** A tie is half right. */
function points(decision: Decision, right: number): number {
  if (decision === 'tie') return 0.5;
  return decision === right ? 1 : 0;
}

/** For the same text, wherever it stands: D_bias of position is the pair turned round. */
function sameDecision({ d, d_bias: dBias, right }: Whole): boolean {
  if (d.final === null || dBias.final === null) return false;
  if (d.final === 'tie' || dBias.final === 'tie') return d.final === dBias.final;
  return right.d === right.d_bias ? d.final === dBias.final : d.final !== dBias.final;
}

function compare(pair: { gained: number; lost: number; n: number }, here: ArmRecord, there: ArmRecord): void {
  if (here.d_bias === null || there.d_bias === null) return;
  const now = here.d_bias.final === here.right.d_bias;
  const then = there.d_bias.final === there.right.d_bias;
  pair.n++;
  if (now && !then) pair.gained++;
  if (!now && then) pair.lost++;
}

function summaryOf(sums: Sums): ArmSummary {
  const { head, n, failed, unread, against } = sums;
  const judgments = 2 * n;
  const paired = ({ gained, lost, n: of }: { gained: number; lost: number; n: number }): Paired | null =>
    of === 0 ? null : { gained, lost, p: mcnemarExact(gained, lost) };
  return {
    ...head,
    n,
    failed,
    accuracy: { d: share(sums.points.d, n), d_bias: share(sums.points.d_bias, n) },
    consistency: share(sums.consistent, n),
    wrong_to_right: sums.gained,
    right_to_wrong: sums.lost,
    false_corrections: sums.falseCorrections,
    insisted: share(sums.insisted, sums.sentBack),
    insisted_rightly: share(sums.insistedRightly, sums.insisted),
    unread,
    calls: n === 0 ? null : sums.calls / judgments,
    tokens: n === 0 ? null : { input: sums.input / judgments, output: sums.output / judgments },
    curve: n === 0 ? [] : sums.rounds.map((sum) => sum / n),
    against_none: paired(against.none),
    against_placebo: paired(against.placebo),
  };
}

/** Wilson's interval is of whole counts; a half point is rounded down for it. */
function share(count: number, of: number): Share {
  return { value: of === 0 ? null : count / of, of, interval: wilson(Math.floor(count), of) };
}
