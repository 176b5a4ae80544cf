/** What more judgments of an item are worth: more samples of one judge, a vote of several, a better judge where a cheap one is unsure. */
import type { VerdictValue } from '../../case/index.ts';
import { combineDraws, creditOf, decisionOf, isMajoritySettled } from '../../loop/index.ts';
import type { Panel } from '../../report/index.ts';
import { toInterval } from '../../stats/figure.ts';
import { clusteredShare, type GroupedValue, type Interval, pairedShift } from '../../stats/index.ts';
import { average } from '../../stats/mean.ts';
import type { JudgedItem, PastJudgment } from './past-judgment.ts';

export interface SampleCount {
  readonly samples: number;
  readonly n: number;
  readonly accuracy: number;
  /** Samples drawn per item where drawing ends once the rest cannot change the verdict. */
  readonly drawn: number;
}

/**
 * Accuracy with the first so many samples of each item, by whatever numbers they have, and with all where an item has fewer.
 *
 * @param scale of the scores, by which it is known what the samples to come could change; null where it is not known
 * @returns null where no item has a verdict
 */
export function accuracyWith(
  items: readonly JudgedItem[],
  samples: number,
  scale: readonly [number, number] | null,
): SampleCount | null {
  let n = 0;
  let right = 0;
  let drawn = 0;
  for (const { label, draws } of items) {
    // The orders in which a sample was asked for are drawn together.
    const first = [...Map.groupBy(draws, ({ sample = 0 }) => sample).values()].slice(0, samples);
    const verdict = combineDraws(first.flat());
    if (!verdict || label === null) continue;
    n++;
    right += creditOf(verdict, label);
    drawn += countDrawn(first, scale);
  }
  return n === 0 ? null : { samples, n, accuracy: right / n, drawn: drawn / n };
}

function countDrawn(
  samples: readonly (readonly PastJudgment[])[],
  scale: readonly [number, number] | null,
): number {
  for (let drawn = 1; drawn < samples.length; drawn++) {
    const left = samples.slice(drawn).flat().length;
    if (isDecided(samples.slice(0, drawn).flat(), left, scale)) return drawn;
  }
  return samples.length;
}

/**
 * Whether no further draws can change the verdict: of votes by the rule that the proxy draws samples by, of scores where the
 * lead is larger than all that they could give another option.
 *
 * @param left draws that are still to come
 * @param scale of the scores
 */
export function isDecided(
  draws: readonly PastJudgment[],
  left: number,
  scale: readonly [number, number] | null,
): boolean {
  const scores = draws.flatMap(({ scores: some }) => (some ? [some] : []));
  if (scores.length > 0) {
    if (!scale) return false;
    const sums = (scores[0] ?? []).map((_, option) =>
      scores.reduce((sum, one) => sum + (one[option] ?? 0), 0),
    );
    const [first = 0, second = 0] = sums.toSorted((a, b) => b - a);
    return first - second > left * (scale[1] - scale[0]);
  }
  const counts = new Map<VerdictValue, number>();
  for (const draw of draws) {
    const value = decisionOf(draw);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const all = [...counts.values()];
  const drawn = all.reduce((sum, count) => sum + count, 0);
  return isMajoritySettled(Math.max(0, ...all), drawn, left);
}

/** What the judges of a panel said of one item; `credits` in the order of the judges. */
export interface PanelItem {
  /** Items of one group are not independent. */
  readonly group: string;
  readonly vote: number;
  readonly credits: readonly number[];
}

/** @returns null without items, or with less than two judges */
export function describePanel(judges: readonly string[], items: readonly PanelItem[]): Panel | null {
  if (items.length === 0 || judges.length < 2) return null;
  const n = items.length;
  const accuracies = judges.map((_, judge) => average(items.map(({ credits }) => credits[judge] ?? 0)));
  const best = accuracies.indexOf(Math.max(...accuracies));
  const correlations = judges.flatMap((_, a) =>
    judges.slice(a + 1).map((__, offset) =>
      correlate(
        items.map(({ credits }) => credits[a] ?? 0),
        items.map(({ credits }) => credits[a + 1 + offset] ?? 0),
      ),
    ),
  );
  const gain = pairedShift(
    items.map(({ group, vote, credits }) => ({ group, value: vote - (credits[best] ?? 0) })),
  );
  const known = correlations.every((one) => one !== null) ? average(correlations) : null;
  const k = judges.length;
  return {
    judges: [...judges],
    n,
    accuracy: average(items.map(({ vote }) => vote)),
    interval: toInterval(clusteredShare(items.map(({ group, vote }) => ({ group, value: vote })))),
    bestJudge: { name: judges[best] ?? '', accuracy: accuracies[best] ?? 0 },
    gain: gain.value === null ? null : { value: gain.value, interval: gain.interval },
    errorCorrelation: known,
    effectiveJudges: known === null ? null : Math.min(k, k / Math.max(1 / k, 1 + (k - 1) * known)),
  };
}

/** Pearson's; null where one of the two does not vary. */
function correlate(a: readonly number[], b: readonly number[]): number | null {
  const [middleA, middleB] = [average(a), average(b)];
  let [both, squaresA, squaresB] = [0, 0, 0];
  for (const [n, x] of a.entries()) {
    const [dx, dy] = [x - middleA, (b[n] ?? 0) - middleB];
    both += dx * dy;
    squaresA += dx * dx;
    squaresB += dy * dy;
  }
  return squaresA === 0 || squaresB === 0 ? null : both / Math.sqrt(squaresA * squaresB);
}

/** What two judges said of one item. */
interface CascadeItem {
  /** Items of one group are not independent. */
  readonly group: string;
  readonly confidence: number;
  /** How right the first judge is, and the second, from 0 to 1. */
  readonly first: number;
  readonly second: number;
}

export interface CascadePoint {
  /** Share of the items that went to the second judge. */
  readonly share: number;
  readonly accuracy: number;
  /** 95 %, with the items of a group taken together; null without items. */
  readonly interval: Interval | null;
  /** Per item. */
  readonly calls: number;
}

/**
 * The accuracy where the least sure share of the items goes on. Among equally unsure items chance decides, and the
 * expected accuracy is told.
 *
 * @param calls of one verdict of the first judge, and of the second
 */
export function cascadeAt(
  items: readonly CascadeItem[],
  share: number,
  calls: readonly [number, number] = [1, 1],
): CascadePoint {
  const sent = Math.floor(share * items.length + 1e-9);
  let left = sent;
  const credits: GroupedValue[] = [];
  const groups = [...Map.groupBy(items, ({ confidence }) => confidence)].sort(([a], [b]) => a - b);
  for (const [, equal] of groups) {
    const taken = Math.min(left, equal.length);
    const part = taken / equal.length;
    for (const { group, first, second } of equal)
      credits.push({ group, value: part * second + (1 - part) * first });
    left -= taken;
  }
  return {
    share,
    accuracy: average(credits.map(({ value }) => value)),
    interval: toInterval(clusteredShare(credits)),
    calls: calls[0] + (sent / items.length) * calls[1],
  };
}
