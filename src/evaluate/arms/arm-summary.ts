/**
 * What each arm did, beside the judge alone and beside a contentless request to reconsider: right and wrong counted
 * in pairs, what it cost, and the same after each round.
 */

import { computeCost, type Prices } from '../../models/index.ts';
import type { ArmResult } from '../../report/index.ts';
import {
  type Figure,
  holm,
  mean,
  midPInterval,
  noFigure,
  pairedDifference,
  signFlipTest,
} from '../../stats/index.ts';
import { COVERAGES } from '../confidence/evaluate-records.ts';
import { areaUnderRisk, riskAt, type ScoredItem } from '../confidence/promise-risk.ts';
import { describePanel } from '../confidence/several-judgments.ts';
import type { ArmRecord, ModelSpending, TimedRecord } from './run-arms.ts';
import { type ArmPairCounts, type ArmSums, addRecord, countArmPair, createArmSums } from './sums.ts';

type ArmShare = ArmResult['consistency'];
type ArmComparison = NonNullable<ArmResult['against_none']>;

/** Figures that can be missing without saying so themselves. */
type Reasoned = 'calls' | 'tokens' | 'calls_interval' | 'against_none' | 'against_placebo';

interface ArmTally {
  /** @param records of all arms for one pair and judge */
  add(records: readonly (ArmRecord & Partial<TimedRecord>)[]): void;
  summaries(): ArmResult[];
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
          // The judge alone beside the placebo is the placebo beside the judge alone: one test, told once.
          if (other && name !== arm && arm !== 'none') countArmPair(sums.against[name], record, other);
        }
      }
    },
    summaries: () => correctPValues([...all.values()].map((sums) => summaryOf(sums, known))),
  };
}

function summaryOf(sums: ArmSums, known: Prices | null): ArmResult {
  const { head, n, failed, unread, against } = sums;
  const judgments = 2 * n;
  const perPair = mean({ n, sum: sums.calls / 2, squares: sums.callsSquared / 4 });
  const none = failed > 0 ? `every pair failed (${failed})` : 'no pair was judged';
  const part = {
    calls: n === 0 ? null : sums.calls / judgments,
    tokens: n === 0 ? null : { input: sums.input / judgments, output: sums.output / judgments },
    calls_interval: perPair.value === null ? null : perPair.interval,
    against_none: compareArms(against.none),
    against_placebo: compareArms(against.placebo),
  };
  return {
    ...head,
    n,
    failed,
    accuracy: { d: share(sums.points.d, n, none), d_bias: share(sums.points.d_bias, n, none) },
    consistency: share(sums.consistent, n, none),
    wrong_to_right: sums.gained,
    right_to_wrong: sums.lost,
    by_half: { better: sums.halfGained, worse: sums.halfLost },
    false_corrections: sums.falseCorrections,
    insisted: share(sums.insisted, sums.sentBack, 'none was sent back'),
    insisted_rightly: share(sums.insistedRightly, sums.insisted, 'the judge insisted on none'),
    unread,
    ...part,
    price_per_1000:
      sums.unsplit > 0
        ? noFigure('the records do not say which model the tokens were spent on')
        : computePricePerThousand([...sums.spent.values()], judgments, known),
    seconds: secondsOf(sums),
    ...summariseRisk(sums.scored, judgments),
    panel: sums.panel && describePanel(sums.panel.judges, sums.panel.items),
    curve: n === 0 ? [] : sums.rounds.map((sum) => sum / n),
    reasons: reasonsOf(part, head.arm, against, n === 0 ? none : 'one pair says nothing about the spread'),
  };
}

/** Of all verdicts or of none: arms whose verdicts tell it on other cases could not be compared. */
function summariseRisk(
  scored: readonly ScoredItem[],
  judgments: number,
): Pick<ArmResult, 'risk' | 'area_under_risk'> {
  if (scored.length > 0 && scored.length < judgments)
    return {
      risk: {},
      area_under_risk: noFigure(`only ${scored.length} of ${judgments} verdicts tell how sure they are`),
    };
  const area = areaUnderRisk(scored);
  return {
    risk: Object.fromEntries(
      COVERAGES.flatMap((share) => {
        const risk = riskAt(scored, share);
        return risk === null ? [] : [[String(share), risk]];
      }),
    ),
    area_under_risk: area === null ? noFigure('no verdict tells how sure it is') : { value: area },
  };
}

function compareArms({ both, gained, lost, n, balances }: ArmPairCounts): ArmComparison | null {
  const difference = pairedDifference({ both, gained, lost, neither: n - both - gained - lost });
  if (difference.value === null) return null;
  const p = signFlipTest(balances).value ?? 1;
  return { n, gained, lost, p, p_holm: p, difference };
}

function reasonsOf(
  part: Pick<ArmResult, Reasoned>,
  arm: string,
  against: ArmSums['against'],
  none: string,
): ArmResult['reasons'] {
  const beside = (name: 'none' | 'placebo') => {
    if (arm === name) return 'it is that arm itself';
    if (arm === 'none') return 'see the placebo against none';
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
  if (n === 0) return noFigure('no judgments');
  if (untimed > 0)
    return noFigure(`${untimed} of ${n} pairs have calls from the call store, whose time is not known`);
  return { value: ms / 1000 / (2 * n) };
}

/** All that the run compares with one arm is one family of tests: every arm, of every judge and bias. */
function correctPValues(summaries: readonly ArmResult[]): ArmResult[] {
  const correct = (against: 'against_none' | 'against_placebo') => {
    const tested = summaries.filter((one) => one[against] !== null);
    const all = holm(tested.map((one) => one[against]?.p ?? 1));
    return new Map(tested.map((one, n) => [one, all[n] ?? 1]));
  };
  const families = { against_none: correct('against_none'), against_placebo: correct('against_placebo') };
  const adjusted = (one: ArmResult, against: 'against_none' | 'against_placebo'): ArmComparison | null => {
    const pair = one[against];
    return pair && { ...pair, p_holm: families[against].get(one) ?? pair.p };
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
  if (known === null) return noFigure('no prices were given');
  if (judgments === 0) return noFigure('no judgments');
  let sum = 0;
  for (const { model, calls, uncounted, input, output } of spent) {
    const cost = computeCost(model, { input, output }, known);
    if (!cost) return noFigure(`no price is known of ${model}`);
    if (uncounted > 0) return noFigure(`${model} did not count the tokens of ${uncounted} of ${calls} calls`);
    sum += cost.input + cost.output;
  }
  return { value: (sum / judgments) * 1000 };
}
