/**
 * What each arm did, beside the judge alone and beside a contentless request to reconsider: right and wrong counted
 * in pairs, what it cost, and the same after each round.
 */

import { computeCost, type Prices } from '../../models/index.ts';
import {
  type Figure,
  holm,
  type Interval,
  mcnemarExact,
  mean,
  midPInterval,
  type PairedDifference,
  pairedDifference,
} from '../../stats/index.ts';
import { COVERAGES } from '../confidence/evaluate-records.ts';
import { areaUnderRisk, riskAt, type ScoredItem } from '../confidence/promise-risk.ts';
import { describePanel, type Panel } from '../confidence/several-judgments.ts';
import type { ArmRecord, ModelSpending, TimedRecord } from './run-arms.ts';
import { type ArmPairCounts, type ArmSums, addRecord, countArmPair, createArmSums } from './sums.ts';

/** A share with its interval; null, and the reason, where there is nothing to count. */
interface ArmShare {
  readonly value: number | null;
  readonly of: number;
  readonly interval: Interval | null;
  readonly reason?: string;
}

/** One arm beside another on D_bias: each pair counts once, so the outcomes compared are independent of each other. */
export interface ArmComparison {
  /** Pairs that both arms judged. */
  readonly n: number;
  /** Judgments that are wrong there and right here, and the other way round; a tie is not right. */
  readonly gained: number;
  readonly lost: number;
  /** Exact McNemar, two-sided. */
  readonly p: number;
  /** The same, Holm-corrected for all arms of this judge and bias that are compared with the same one. */
  readonly p_holm: number;
  /** Share of right verdicts here less there, with Newcombe's interval. */
  readonly difference: PairedDifference;
}

/** Figures that can be missing without saying so themselves. */
type Reasoned = 'calls' | 'tokens' | 'calls_interval' | 'against_none' | 'against_placebo';

export interface ArmSummary {
  readonly judge: string;
  readonly bias: string;
  readonly twin: boolean;
  readonly arm: string;
  /** Pairs of rows that were judged in both sets. */
  readonly n: number;
  readonly failed: number;
  /** Of the final verdicts; a tie counts half, a verdict that cannot be read as wrong. */
  readonly accuracy: { readonly d: ArmShare; readonly d_bias: ArmShare };
  /** The same decision with and without the bias. */
  readonly consistency: ArmShare;
  /** From the judge's own first verdict to the final one, over both sets. */
  readonly wrong_to_right: number;
  readonly right_to_wrong: number;
  /** First verdicts that the bias had not turned, and that came out wrong all the same. */
  readonly false_corrections: number;
  /** Of the verdicts that were sent back, those the judge kept; and of these, those that are right. */
  readonly insisted: ArmShare;
  readonly insisted_rightly: ArmShare;
  readonly unread: number;
  /** Means over judgments; null where there are none. */
  readonly calls: number | null;
  readonly tokens: { readonly input: number; readonly output: number } | null;
  /** Of the mean of calls, from the means of the pairs: two judgments of one pair are not independent. */
  readonly calls_interval: Interval | null;
  /** For 1,000 judgments, the first verdicts included. */
  readonly price_per_1000: Figure;
  /** Mean over judgments of the time its calls took one after the other; only where all were made in this run. */
  readonly seconds: Figure;
  /** Risk of the surest shares of the judgments, over both sets, a tie counting half; empty where none tell how sure they are. */
  readonly risk: Readonly<Record<string, number>>;
  readonly area_under_risk: Figure;
  /** What the vote of a panel is worth beside its best judge; null where there is none. */
  readonly panel: Panel | null;
  /** Accuracy on D_bias after rounds 0 (the first verdict), 1, 2 … */
  readonly curve: readonly number[];
  /** On D_bias, each pair once; null for the arm itself, or where the other arm was not run. */
  readonly against_none: ArmComparison | null;
  readonly against_placebo: ArmComparison | null;
  /** Why one of these is null, for each that is. */
  readonly reasons: Readonly<Partial<Record<Reasoned, string>>>;
}

interface ArmTally {
  /** @param records of all arms for one pair and judge */
  add(records: readonly (ArmRecord & Partial<TimedRecord>)[]): void;
  summaries(): ArmSummary[];
}

/**
 * @param rounds most remands of any arm: the length of the curves
 * @param known prices by model; null where there are none
 */
export function createArmTally(rounds: number, known: Prices | null = null): ArmTally {
  const all = new Map<string, ArmSums>();
  return {
    add(records) {
      for (const record of records) {
        const { judge, bias, twin, arm } = record;
        const key = JSON.stringify([judge, bias, twin, arm]);
        const sums = all.get(key) ?? createArmSums({ judge, bias, twin, arm }, rounds);
        all.set(key, sums);
        if (record.d === null || record.d_bias === null) sums.failed++;
        else addRecord(sums, { ...record, d: record.d, d_bias: record.d_bias });
        for (const name of ['none', 'placebo'] as const) {
          const other = records.find((one) => one.arm === name);
          if (other && name !== arm) countArmPair(sums.against[name], record, other);
        }
      }
    },
    summaries: () => corrected([...all.values()].map((sums) => summaryOf(sums, known))),
  };
}

function summaryOf(sums: ArmSums, known: Prices | null): ArmSummary {
  const { head, n, failed, unread, against } = sums;
  const judgments = 2 * n;
  const perPair = mean({ n, sum: sums.calls / 2, squares: sums.callsSquared / 4 });
  const none = failed > 0 ? `every pair failed (${failed})` : 'no pair was judged';
  const part = {
    calls: n === 0 ? null : sums.calls / judgments,
    tokens: n === 0 ? null : { input: sums.input / judgments, output: sums.output / judgments },
    calls_interval: perPair.value === null ? null : perPair.interval,
    against_none: paired(against.none),
    against_placebo: paired(against.placebo),
  };
  return {
    ...head,
    n,
    failed,
    accuracy: { d: share(sums.points.d, n, none), d_bias: share(sums.points.d_bias, n, none) },
    consistency: share(sums.consistent, n, none),
    wrong_to_right: sums.gained,
    right_to_wrong: sums.lost,
    false_corrections: sums.falseCorrections,
    insisted: share(sums.insisted, sums.sentBack, 'none was sent back'),
    insisted_rightly: share(sums.insistedRightly, sums.insisted, 'the judge insisted on none'),
    unread,
    ...part,
    price_per_1000:
      sums.unsplit > 0
        ? { value: null, reason: 'the records do not say which model the tokens were spent on' }
        : computePricePerThousand([...sums.spent.values()], judgments, known),
    seconds: secondsOf(sums),
    ...summariseRisk(sums.scored),
    panel: sums.panel && describePanel(sums.panel.judges, sums.panel.items),
    curve: n === 0 ? [] : sums.rounds.map((sum) => sum / n),
    reasons: reasonsOf(part, head.arm, against, n === 0 ? none : 'one pair says nothing about the spread'),
  };
}

function summariseRisk(scored: readonly ScoredItem[]): Pick<ArmSummary, 'risk' | 'area_under_risk'> {
  const area = areaUnderRisk(scored);
  return {
    risk: Object.fromEntries(
      COVERAGES.flatMap((share) => {
        const risk = riskAt(scored, share);
        return risk === null ? [] : [[String(share), risk]];
      }),
    ),
    area_under_risk:
      area === null ? { value: null, reason: 'no verdict tells how sure it is' } : { value: area },
  };
}

function paired({ both, gained, lost, n }: ArmPairCounts): ArmComparison | null {
  const difference = pairedDifference({ both, gained, lost, neither: n - both - gained - lost });
  if (difference.value === null) return null;
  const p = mcnemarExact(gained, lost);
  return { n, gained, lost, p, p_holm: p, difference };
}

function reasonsOf(
  part: Pick<ArmSummary, Reasoned>,
  arm: string,
  against: ArmSums['against'],
  none: string,
): ArmSummary['reasons'] {
  const beside = (name: 'none' | 'placebo') => {
    if (arm === name) return 'it is that arm itself';
    return against[name].run ? 'no pair was judged by both' : 'that arm was not run';
  };
  const all: Record<Reasoned, string> = {
    calls: none,
    tokens: none,
    calls_interval: none,
    against_none: beside('none'),
    against_placebo: beside('placebo'),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => part[name as Reasoned] === null));
}

function secondsOf({ n, untimed, ms }: ArmSums): Figure {
  if (n === 0) return { value: null, reason: 'no judgments' };
  if (untimed > 0)
    return {
      value: null,
      reason: `${untimed} of ${n} pairs have calls from the call store, whose time is not known`,
    };
  return { value: ms / 1000 / (2 * n) };
}

/** All arms of one judge and bias are one family of tests, once against each arm they are compared with. */
function corrected(summaries: readonly ArmSummary[]): ArmSummary[] {
  const familyOf = ({ judge, bias, twin }: ArmSummary) => JSON.stringify([judge, bias, twin]);
  const families = Map.groupBy(summaries, familyOf);
  const adjusted = (one: ArmSummary, against: 'against_none' | 'against_placebo'): ArmComparison | null => {
    const tested = (families.get(familyOf(one)) ?? []).filter((other) => other[against] !== null);
    const all = holm(tested.map((other) => other[against]?.p ?? 1));
    const pair = one[against];
    return pair && { ...pair, p_holm: all[tested.indexOf(one)] ?? pair.p };
  };
  return summaries.map((one) => ({
    ...one,
    against_none: adjusted(one, 'against_none'),
    against_placebo: adjusted(one, 'against_placebo'),
  }));
}

/** The interval is of whole counts; a half point is rounded down for it. What is measured here may be rare: mid-p. */
function share(count: number, of: number, none: string): ArmShare {
  const interval = midPInterval(Math.floor(count), of);
  return 'low' in interval
    ? { value: count / of, of, interval }
    : { value: null, of, interval: null, reason: none };
}

// What judgments cost in money, at prices that are given.

/** @param judgments that all of it was spent on */
function computePricePerThousand(
  spent: readonly ModelSpending[],
  judgments: number,
  known: Prices | null,
): Figure {
  if (known === null) return { value: null, reason: 'no prices were given' };
  if (judgments === 0) return { value: null, reason: 'no judgments' };
  let sum = 0;
  for (const { model, calls, uncounted, input, output } of spent) {
    const cost = computeCost(model, { input, output }, known);
    if (!cost) return { value: null, reason: `no price is known of ${model}` };
    if (uncounted > 0)
      return { value: null, reason: `${model} did not count the tokens of ${uncounted} of ${calls} calls` };
    sum += cost.input + cost.output;
  }
  return { value: (sum / judgments) * 1000 };
}
