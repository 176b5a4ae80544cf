/**
 * Calibration: on labelled judgments, whether sending a biased verdict back helps this judge, decided by the paired
 * counts and what they leave open, never by the point estimate. A judge that guesses again when it is asked again
 * loses by it (LLaMA2 on LLMBar: 39 wrong verdicts turned right, 60 right ones wrong).
 */
import type { Calibration, CalibrationEntry } from '../calibration.ts';
import { discordantNeeded } from '../stats/discordant-needed.ts';
import { pairedDifference } from '../stats/paired-difference.ts';
import { probabilityOfGain } from '../stats/probability-of-gain.ts';

/** One labelled judgment. */
export interface LabelledJudgment {
  /** Judgments of one item are no independent ones. */
  readonly item: string;
  /** Names of the biases found and sent back; empty where none were. */
  readonly biases: readonly string[];
  /** Whether the first verdict is right; one that cannot be read is not. */
  readonly before: boolean;
  /** Whether the verdict is right that came of sending it back; the same as `before` where it was not. */
  readonly after: boolean;
}

/** Probability of a gain from which verdicts are sent back. */
export const THRESHOLD = 0.8;

/** @param judgments by the judge's model name */
export function calibrate(
  judgments: Readonly<Record<string, readonly LabelledJudgment[]>>,
  biases: readonly string[],
  threshold: number = THRESHOLD,
): Calibration {
  const judges = Object.entries(judgments).map(([judge, all]) => {
    const entries = biases.map((bias) => [bias, settle(all, bias, threshold)] as const);
    return [judge, Object.fromEntries(entries)] as const;
  });
  return { version: 1, threshold, judges: Object.fromEntries(judges) };
}

function settle(all: readonly LabelledJudgment[], bias: string, threshold: number): CalibrationEntry {
  const sent = all.filter(({ biases }) => biases.includes(bias));
  const gained = sent.filter(({ before, after }) => !before && after).length;
  const lost = sent.filter(({ before, after }) => before && !after).length;
  const right = sent.filter(({ before }) => before).length;
  const probability = probabilityOfGain(gained, lost);
  const action =
    probability >= threshold ? 'remand' : coinIsBetter(right, sent.length, threshold) ? 'tie' : 'flag';
  const counts = {
    judgments: all.length,
    sent_back: sent.length,
    wrong_to_right: gained,
    right_to_wrong: lost,
    probability_of_gain: probability,
    gain: gainOf(all, gained, lost),
    cases_to_settle: casesToSettle(all.length, gained, lost),
  };
  return { action, why: grounds(action, counts, right), ...counts };
}

/** Over all judgments of the judge, those not sent back included: they are neither gained nor lost. */
function gainOf(all: readonly LabelledJudgment[], gained: number, lost: number): CalibrationEntry['gain'] {
  const right = all.filter(({ before }) => before).length;
  const both = right - lost;
  const found = pairedDifference({ both, gained, lost, neither: all.length - both - gained - lost });
  return found.value === null
    ? { value: null, interval: null }
    : { value: found.value, interval: found.interval };
}

/** Labelled judgments, at the rate at which verdicts changed so far; null where nothing tells. */
function casesToSettle(judgments: number, gained: number, lost: number): number | null {
  const more = discordantNeeded(gained, lost).value;
  return more === null ? null : Math.ceil((more * judgments) / (gained + lost || 1));
}

/** A tie is half right: it beats verdicts that are more often wrong than right. */
function coinIsBetter(right: number, of: number, threshold: number): boolean {
  return probabilityOfGain(of - right, right) >= threshold;
}

function grounds(
  action: CalibrationEntry['action'],
  {
    sent_back,
    wrong_to_right,
    right_to_wrong,
    probability_of_gain,
    judgments,
  }: Omit<CalibrationEntry, 'action' | 'why'>,
  right: number,
): string {
  const counts =
    `of ${judgments} labelled judgments ${sent_back} were sent back; ${wrong_to_right} turned right, ${right_to_wrong} turned wrong ` +
    `(probability of a gain ${probability_of_gain.toFixed(2)})`;
  if (action === 'remand') return counts;
  if (action === 'tie')
    return `${counts}; of those sent back ${right} were right at first, so a tie is better`;
  return `${counts}: not enough to send back`;
}
