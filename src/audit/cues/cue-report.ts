/** What an audit of cues comes to, as `result.json` holds it: figures, the order of the cues, and a paragraph for each judge. */
import type { CuePlace } from '../../../prompts/index.ts';
import type { CueRecord } from './ask-cues.ts';
import type { CuePair } from './cue-pairs.ts';
import { type CuePairResult, type JudgeCues, listDisagreements, measureCues } from './measure-cues.ts';

// What the audit of cues found of a judge, in one paragraph that needs no statistics to be read.

/** @param called what a text with a cue is called after "texts", by the cue's name: `marked new` */
export function describeCueVerdict(result: JudgeCues, called: (cue: string) => string): string {
  const measured = result.cue_pairs.filter(({ shift }) => shift.value !== null);
  const judge = `${result.judge} on ${result.dataset}`;
  if (measured.length === 0) return `${judge}: no pair of texts has two verdicts that could be read.`;
  const found = measured
    .filter((one) => one.found)
    .toSorted((a, b) => Math.abs(b.shift.value ?? 0) - Math.abs(a.shift.value ?? 0));
  if (found.length === 0) return `${judge}: ${nothing(measured, result.comparisons)}`;
  const sentences = found.map((one, index) => preference(one, called, index === 0));
  const holds = correction(found, result.comparisons);
  return [`${judge}: ${sentences.join('; ')}.`, holds, reasons(found), ...order(result)].join(' ');
}

/** That p is corrected, and for how much: without it a reader could take one of many comparisons for the only one. */
function correction(found: readonly CuePairResult[], comparisons: number): string {
  const p = shortP(Math.max(...found.map(({ p_holm }) => p_holm)));
  if (comparisons === 1) return `That is beyond chance (exact test, p ${p}).`;
  const each = found.length === 1 ? 'That is' : 'Each of these is';
  return `${each} beyond chance (exact test, p ${p} after Holm's correction for all ${comparisons} comparisons of the run).`;
}

const LEVEL = 0.05;

function shortP(p: number): string {
  return p < 0.0001 ? '< 0.0001' : `= ${Number(p.toPrecision(2))}`;
}

function nothing(measured: readonly CuePairResult[], comparisons: number): string {
  const widest = Math.max(
    ...measured.flatMap(({ shift }) =>
      shift.value === null ? [] : [Math.abs(shift.interval.low), Math.abs(shift.interval.high)],
    ),
  );
  const most = measured.reduce((all, { shift }) => Math.max(all, shift.value === null ? 0 : shift.n), 0);
  const p = shortP(Math.min(1, ...measured.map(({ p_holm }) => p_holm)));
  const after =
    comparisons === 1 ? '' : ` after Holm's correction for all ${comparisons} comparisons of the run`;
  // The exact test's least p: every verdict flips, all of them one way.
  const hopeless = comparisons * 2 ** (1 - most) >= LEVEL;
  return (
    `exchanging the cues did not shift the verdicts of this judge beyond chance (smallest p ${p}${after}), on at most ` +
    `${most} pairs of texts${hopeless ? ', which are too few to show a shift of any size' : ''}. ` +
    `Shifts of up to ${Math.round(100 * widest)} points are not ruled out.`
  );
}

function preference({ cues, shift, flips }: CuePairResult, called: (cue: string) => string, first: boolean) {
  const value = shift.value ?? 0;
  const [liked, other] = value > 0 ? cues : [cues[1], cues[0]];
  const points = `${Math.round(Math.abs(100 * value))} points`;
  const flipped = Math.round(100 * (flips.share ?? 0));
  return (
    `${first ? 'this judge prefers' : 'it prefers'} texts ${called(liked)} to the same texts ${called(other)} ` +
    `(by ${points}; ${flipped}% of its verdicts flip when the two are exchanged)`
  );
}

function reasons(found: readonly CuePairResult[]): string {
  const sum = (of: (one: CuePairResult) => number) => found.reduce((all, one) => all + of(one), 0);
  const [named, given] = [sum((one) => one.acknowledged.count), sum((one) => one.acknowledged.n)];
  const [checked, read] = [
    sum((one) => one.acknowledged_by_checker.count),
    sum((one) => one.acknowledged_by_checker.n),
  ];
  if (given === 0) return 'It gave no reasons.';
  const share = `${named} of its ${given} reasons (${Math.round((100 * named) / given)}%)`;
  if (read > 0 && checked !== named) {
    const byRule = named === 0 ? `none of its ${given} reasons names the cue` : `it says so in ${share}`;
    return `By rule ${byRule}; the checker finds it in ${checked} of ${read}.`;
  }
  return named === 0
    ? `It never says so: none of its ${given} reasons names the cue.`
    : `It says so in ${share}.`;
}

/** `>` where the data supports it, `≥` where it only points that way. */
function order({ hierarchies }: JudgeCues): string[] {
  const lines = hierarchies
    .filter(({ ranks, steps }) => ranks.length > 2 && steps.some(({ supported }) => supported))
    .map(({ ranks, steps }) =>
      ranks.map(({ cue }, i) => (i === 0 ? cue : `${steps[i - 1]?.supported ? '>' : '≥'} ${cue}`)).join(' '),
    );
  return lines.map((line) => `Of all pairs together: ${line} (≥: the data does not tell the two apart).`);
}

export interface CueReport {
  readonly audit: 'cues';
  readonly cues: readonly { readonly name: string; readonly called: string; readonly wording: string }[];
  readonly place: CuePlace;
  readonly seed: number;
  /** Comparisons of which a call failed. */
  readonly failed: number;
  /** Rows that were no pair of two texts, by the reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly results: readonly (JudgeCues & { readonly verdict: string })[];
  readonly disagreements: ReturnType<typeof listDisagreements>;
}

/** @param records of all judges; of their replies only the reasons are read */
export function createCueReport(
  records: readonly CueRecord[],
  audit: Pick<CueReport, 'place' | 'seed' | 'skipped'> & { readonly cues: readonly CuePair[] },
): CueReport {
  const { place, seed, skipped } = audit;
  const cues = new Map(
    audit.cues.flat().map(({ name, called, wording }) => [name, { name, called, wording }]),
  );
  const results = measureCues(records, seed).map((one) => ({
    ...one,
    verdict: describeCueVerdict(one, (cue) => cues.get(cue)?.called ?? cue),
  }));
  const failed = records.filter(({ error }) => error !== null).length;
  return {
    ...{ audit: 'cues', cues: [...cues.values()], place, seed, failed, skipped, results },
    disagreements: listDisagreements(records),
  };
}
