/**
 * What each arm did, beside the judge alone and beside a contentless request to reconsider: right and wrong counted
 * in pairs, what it cost, and the same after each round.
 */

import type { Prices } from '../../judge/prices.ts';
import type { Figure } from '../../stats/figure.ts';
import { holm } from '../../stats/holm.ts';
import { mcnemarExact } from '../../stats/mcnemar.ts';
import { mean } from '../../stats/mean.ts';
import { type Interval, wilson } from '../../stats/wilson.ts';
import { pricePerThousand } from './price.ts';
import type { ArmRecord, TimedRecord } from './run.ts';
import { addRecord, type Counted, compare, emptySums, type Sums } from './sums.ts';

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
  /** The same, Holm-corrected for all arms of this judge and bias that are compared with the same one. */
  readonly p_holm: number;
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
  /** Of the mean of calls, from the means of the pairs: two judgments of one pair are not independent. */
  readonly calls_interval: Interval | null;
  /** For 1,000 judgments, the first verdicts included. */
  readonly price_per_1000: Figure;
  /** Mean over judgments of the time its calls took one after the other; only where all were made in this run. */
  readonly seconds: Figure;
  /** Accuracy on D_bias after rounds 0 (the first verdict), 1, 2 … */
  readonly curve: readonly number[];
  /** On D_bias, each pair once; null for the arm itself, or where the other arm was not run. */
  readonly against_none: Paired | null;
  readonly against_placebo: Paired | null;
}

export interface ArmTally {
  /** @param records of all arms for one pair and judge */
  add(records: readonly (ArmRecord & Partial<TimedRecord>)[]): void;
  summaries(): ArmSummary[];
}

/**
 * @param rounds most remands of any arm: the length of the curves
 * @param known prices by model; null where there are none
 */
export function createArmTally(rounds: number, known: Prices | null = null): ArmTally {
  const all = new Map<string, Sums>();
  return {
    add(records) {
      for (const record of records) {
        const { judge, bias, twin, arm } = record;
        const key = JSON.stringify([judge, bias, twin, arm]);
        const sums = all.get(key) ?? emptySums({ judge, bias, twin, arm }, rounds);
        all.set(key, sums);
        if (record.d === null || record.d_bias === null) sums.failed++;
        else addRecord(sums, { ...record, d: record.d, d_bias: record.d_bias });
        for (const name of ['none', 'placebo'] as const) {
          const other = records.find((one) => one.arm === name);
          if (other && name !== arm) compare(sums.against[name], record, other);
        }
      }
    },
    summaries: () => corrected([...all.values()].map((sums) => summaryOf(sums, known))),
  };
}

function summaryOf(sums: Sums, known: Prices | null): ArmSummary {
  const { head, n, failed, unread, against } = sums;
  const judgments = 2 * n;
  const paired = ({ gained, lost, n: of }: Counted): Paired | null => {
    const p = mcnemarExact(gained, lost);
    return of === 0 ? null : { gained, lost, p, p_holm: p };
  };
  const perPair = mean({ n, sum: sums.calls / 2, squares: sums.callsSquared / 4 });
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
    calls_interval: perPair.value === null ? null : perPair.interval,
    price_per_1000:
      sums.unsplit > 0
        ? { value: null, reason: 'the records do not say which model the tokens were spent on' }
        : pricePerThousand([...sums.spent.values()], judgments, known),
    seconds: secondsOf(sums),
    curve: n === 0 ? [] : sums.rounds.map((sum) => sum / n),
    against_none: paired(against.none),
    against_placebo: paired(against.placebo),
  };
}

function secondsOf({ n, untimed, ms }: Sums): Figure {
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
  const adjusted = (one: ArmSummary, against: 'against_none' | 'against_placebo'): Paired | null => {
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

/** Wilson's interval is of whole counts; a half point is rounded down for it. */
function share(count: number, of: number): Share {
  return { value: of === 0 ? null : count / of, of, interval: wilson(Math.floor(count), of) };
}
