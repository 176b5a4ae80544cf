/**
 * Which first verdicts are worth a call in the other order. What a judge says of itself tells: how sure its log-probabilities
 * are, which place it chose, and whether it chose the longer text. From the verdicts that were checked a logistic model learns
 * how likely the two orders disagree; those below a threshold are checked only now and then, by a share that the operator
 * sets. A judge that changes is noticed by a cumulative sum of log-likelihood ratios (Page 1954), and all is checked anew.
 *
 * Pure but for what it has seen: no clock, no chance. One for each judge and kind of case.
 */

import { fitLogistic, predictLogistic } from '../stats/index.ts';

/** What is known of a verdict before the other order is asked. */
export interface FirstVerdict {
  /** Index of the option it chose; null for a tie, and for verdicts that choose none. */
  readonly choice: number | null;
  /** Of what it says, as its reply's log-probabilities have it; null where it has none. */
  readonly probability: number | null;
  /** Characters of the first option and of the second. */
  readonly lengths: readonly [number, number];
}

export interface OrderCheck {
  readonly isDue: boolean;
  /** How likely it was to be made: 1, or the operator's share. */
  readonly chance: number;
  /** The share of the latest verdicts that were checked. */
  readonly share: number;
}

export interface OrderChecks {
  /** Whether every verdict is checked, whatever it says: too few have been, or the judge has changed. */
  readonly checksAll: () => boolean;
  /** @param isSampled whether this one is among the share that is checked in any case */
  readonly decide: (first: FirstVerdict, isSampled: boolean) => OrderCheck;
  /** @returns whether the judge disagrees with itself more often than before, so that all is checked again */
  readonly observe: (first: FirstVerdict, check: Pick<OrderCheck, 'chance'>, disagreed: boolean) => boolean;
}

/**
 * Before the first verdict is left unchecked so many were checked, and so many of them disagreed; or so many were checked that
 * a judge which disagrees less often hardly needs it. And of how many the model learns.
 */
const LEAST = 50;
const LEAST_DISAGREED = 8;
const ENOUGH = 200;
const MOST = 400;
/** Share of the disagreements that is to be found among the verdicts that are checked for what they say. */
const FOUND = 0.985;
/** Checks after which the model is fitted anew. */
const FIT_EVERY = 25;
/** Latest decisions of which the share is told. */
const TOLD = 100;
/** Times as large as before the odds of disagreement are when a judge has changed; and one false alarm in so many checks. */
const ODDS = 4;
const CHECKS_BETWEEN_FALSE_ALARMS = 1000;

interface Observation {
  readonly features: readonly number[];
  readonly disagreed: number;
  readonly weight: number;
}

/**
 * @param floor share of all verdicts that is checked in any case; 1 checks all
 *
 * @example createOrderChecks({ floor: 0.1 }).decide({ choice: 0, probability: 0.99, lengths: [90, 80] }, false)
 */
export function createOrderChecks({ floor }: { readonly floor: number }): OrderChecks {
  let seen: Observation[] = [];
  let weights: readonly number[] | null = null;
  let threshold = 0;
  let unfitted = 0;
  let alarm = 0;
  const decided: boolean[] = [];

  const checksAll = () => floor >= 1 || weights === null;

  return {
    checksAll,
    decide(first, isSampled) {
      const risk = weights && predictLogistic(weights, featuresOf(first));
      const isRisky = checksAll() || risk === null || risk >= threshold;
      const isDue = isRisky || isSampled;
      decided.push(isDue);
      if (decided.length > TOLD) decided.shift();
      const share = decided.filter(Boolean).length / decided.length;
      return { isDue, chance: isRisky ? 1 : floor, share };
    },
    observe(first, { chance }, disagreed) {
      const features = featuresOf(first);
      const risk = weights ? predictLogistic(weights, features) : null;
      if (risk !== null) {
        alarm = Math.max(0, alarm + evidenceOfChange(risk, disagreed));
        if (alarm >= Math.log(CHECKS_BETWEEN_FALSE_ALARMS)) {
          [seen, weights, unfitted, alarm] = [[], null, 0, 0];
          return true;
        }
      }
      seen.push({ features, disagreed: disagreed ? 1 : 0, weight: 1 / Math.max(chance, 0.01) });
      if (seen.length > MOST) seen.shift();
      unfitted++;
      if (isEnough(seen) && (weights === null || unfitted >= FIT_EVERY)) {
        unfitted = 0;
        weights = learnWeights(seen) ?? weights;
        threshold = weights ? findThreshold(seen, weights, floor) : 0;
      }
      return false;
    },
  };
}

function isEnough(seen: readonly Observation[]): boolean {
  const disagreed = seen.filter((one) => one.disagreed === 1).length;
  return seen.length >= ENOUGH || (seen.length >= LEAST && disagreed >= LEAST_DISAGREED);
}

/** Probabilities nearer to 1 tell no more. */
const SUREST = 1e-4;

function featuresOf({ choice, probability, lengths: [a, b] }: FirstVerdict): number[] {
  const side = choice === null ? 0 : choice === 0 ? 1 : -1;
  const longer = Math.max(-2, Math.min(2, Math.log((a + 1) / (b + 1))));
  const p = probability === null ? 0.5 : Math.min(1 - SUREST, Math.max(SUREST, probability));
  return [1, side, side * longer, Math.abs(longer), Math.log(p / (1 - p)) / 2];
}

/** Keeps weights small; each verdict is weighed by how unlikely it was to be checked. */
const RIDGE = 1;

const learnWeights = (seen: readonly Observation[]): number[] | null =>
  fitLogistic({
    features: seen.map(({ features }) => features),
    targets: seen.map(({ disagreed }) => disagreed),
    weights: seen.map(({ weight }) => weight),
    ridge: RIDGE,
  });

/** Of the risk where the disagreements begin: the next ones begin a little below. */
const MARGIN = 0.8;

/** The risk below which no more than a few of the disagreements lie, less what the sampled share finds of them. */
function findThreshold(seen: readonly Observation[], weights: readonly number[], floor: number): number {
  const risks = seen
    .map(({ features, disagreed, weight }) => ({
      risk: predictLogistic(weights, features),
      missed: disagreed * weight,
    }))
    .sort((a, b) => a.risk - b.risk);
  const allowed = ((1 - FOUND) / (1 - floor)) * risks.reduce((sum, { missed }) => sum + missed, 0);
  let missed = 0;
  for (const one of risks) {
    missed += one.missed;
    if (missed > allowed) return MARGIN * one.risk;
  }
  return Number.POSITIVE_INFINITY;
}

/** How much more likely this is for a judge whose odds of disagreeing with itself have risen, as a logarithm. */
function evidenceOfChange(risk: number, disagreed: boolean): number {
  const odds = (ODDS * risk) / (1 - risk);
  const risen = odds / (1 + odds);
  return disagreed ? Math.log(risen / risk) : Math.log((1 - risen) / (1 - risk));
}

/** Judges and kinds of case of which it is known; the oldest makes room. */
const MAX_JUDGES = 500;

/** @param floor share of all verdicts that is checked in any case */
export function createOrderBook(floor: number): (...key: readonly (string | null)[]) => OrderChecks {
  const known = new Map<string, OrderChecks>();
  return (...parts) => {
    const key = JSON.stringify(parts);
    const checks = known.get(key) ?? createOrderChecks({ floor });
    known.delete(key);
    known.set(key, checks);
    const [oldest] = known.keys();
    if (known.size > MAX_JUDGES && oldest !== undefined) known.delete(oldest);
    return checks;
  };
}
