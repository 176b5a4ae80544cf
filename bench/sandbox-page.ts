/** docs/sandbox.md: how often the intervals of the evaluation hold what was planted, and why where it is not 95%. */

import { binomialCdf } from '../src/stats/distributions.ts';
import type { Interval } from '../src/stats/figure.ts';
import { pairedDifference } from '../src/stats/paired-difference.ts';
import { midPInterval } from '../src/stats/share-interval.ts';

/** What is measured of a judge whose bias turns a share of the verdicts: `fall` of the accuracy, or a `share` of pairs. */
export type Kind = 'share' | 'fall';

/** How often an interval held the truth. */
export interface Measure {
  readonly name: string;
  readonly kind: Kind;
  /** The planted share of pairs. */
  readonly truth: number;
  readonly held: number;
  readonly of: number;
}

export interface Line {
  readonly bias: string;
  readonly weight: number;
  readonly truth: number;
  /** On one large sample: share turned, and share in which the probe found the bias. */
  readonly measured: number;
  readonly found: number;
  readonly measures: readonly Measure[];
}

/** Two-sided: below it a count does not come of chance. Of so many measures, one in a hundred may. */
const LEVEL = 0.01;

/**
 * How often the interval of `pairs` holds the truth, summed over all counts there could be: each verdict is turned
 * with the same probability, so their count is binomial. No sampling, so no error but rounding.
 */
export function exactCoverage(kind: Kind, truth: number, pairs: number): number {
  let held = 0;
  for (let count = 0; count <= pairs; count++) {
    const interval = intervalOf(kind, count, pairs);
    if (interval.low > truth || truth > interval.high) continue;
    held += binomialCdf(count, pairs, truth) - (count === 0 ? 0 : binomialCdf(count - 1, pairs, truth));
  }
  return held;
}

/** As the evaluation gives it: a verdict is right without the bias, always, in this simulation. */
function intervalOf(kind: Kind, count: number, pairs: number): Interval {
  if (kind === 'share') {
    const interval = midPInterval(count, pairs);
    if (!('low' in interval)) throw new RangeError(interval.reason);
    return interval;
  }
  const found = pairedDifference({ both: pairs - count, gained: count, lost: 0, neither: 0 });
  if (found.value === null) throw new RangeError(found.reason);
  return found.interval;
}

/** Two-sided p-value of a count that should come at a rate. */
export function chanceOf(held: number, of: number, rate: number): number {
  const below = binomialCdf(held, of, rate);
  const above = held === 0 ? 1 : 1 - binomialCdf(held - 1, of, rate);
  return Math.min(1, 2 * Math.min(below, above));
}

/** @param pairs of each sample */
export function sandboxPage(lines: readonly Line[], pairs: number, made: string): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  // Without a bias every count is 0 and every interval holds it: no evidence.
  const counted = lines.filter(({ truth }) => truth > 0).flatMap(({ measures }) => measures);
  const held = counted.reduce((sum, one) => sum + one.held, 0);
  const of = counted.reduce((sum, one) => sum + one.of, 0);
  const exact = (one: Measure) => exactCoverage(one.kind, one.truth, pairs);
  const mean = counted.reduce((sum, one) => sum + exact(one), 0) / counted.length;
  const least = Math.min(...counted.map(exact));
  const off = counted.filter((one) => chanceOf(one.held, one.of, 0.95) < LEVEL);
  const strange = counted.filter((one) => chanceOf(one.held, one.of, exact(one)) < LEVEL);
  const cell = (one: Measure | undefined) =>
    one === undefined
      ? '–'
      : `${percent(one.held / one.of)} (${percent(exact(one))})${off.includes(one) ? ' *' : ''}`;
  const rows = lines.map(({ bias, weight, truth, measured, found, measures }) => [
    ...[bias, weight.toFixed(2), percent(truth), percent(measured), percent(found)],
    ...['turned', 'turned after the probe', 'fall'].map((name) =>
      cell(measures.find((one) => one.name === name)),
    ),
  ]);
  const head = [
    ...['bias', 'weight', 'truth', 'measured', 'found', 'covered: turned', 'turned after the probe'],
    'fall of accuracy',
  ];
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `# The evaluation against a known truth

**A simulation.** It says whether the figures of \`remand eval judge\` can be believed, and nothing about real judges.
${made}

Judges whose bias is a declared weight judge cases whose merits are drawn, so that the share of verdicts which the bias
turns is known before anything is measured. The evaluation then runs as it does on real judges, on ${counted[0]?.of ?? 0} fresh samples of
${pairs} pairs for each bias and weight.

**The evaluation recovers the planted effect within its own 95% intervals ${percent(held / of)} of the time** (${held.toLocaleString('en')} of ${of.toLocaleString('en')}
intervals, ${counted.length} measures; expected ${percent(mean)}, and for no measure less than ${percent(least)}).

- *truth*: share of pairs whose verdict the bias turns. *measured*: the same by the evaluation, on one sample of 500 pairs.
  *found*: pairs in which the probe found the bias.
- *covered*: share of the intervals that hold the truth, and in brackets what it must be in the long run, summed over every count
  there could be. A count is whole, so no interval for it can hold 95% at every truth; these err on the wide side where events are
  rare. Shares have mid-p intervals (Wilson's held a share of 2% in 92% of samples only: a count of 3 of 50 excluded it). The
  fall of accuracy has Newcombe's interval for paired shares, which is wide where nothing is ever lost.
- ${
    off.length === 0
      ? 'Every measure is within binomial error of 95% (two-sided, 1%).'
      : `Marked *: ${off.length} of ${counted.length} measures outside binomial error of 95% (two-sided, 1%; about ${Math.max(1, Math.round(counted.length * LEVEL))} would be by chance). ${
          strange.length === 0
            ? 'Each is within binomial error of what is in brackets.'
            : `${strange.length} of all measures are outside binomial error of what is in brackets, too: chance, or a defect.`
        }`
  }
- Where the weight is 0, every count is 0 and every interval holds it: not counted above.

${table.join('\n')}
`;
}
