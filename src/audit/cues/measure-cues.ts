/**
 * What the verdicts show of each judge: how far exchanging two cues shifts its selections, whether its reasons say
 * so, and which cues win over which. Pure: the same records give the same figures.
 */

import type { CuePlace } from '../../../prompts/index.ts';
import type { CuePairReport } from '../../report/index.ts';
import {
  type Bootstrap,
  bootstrap,
  bradleyTerry,
  type Figure,
  holm,
  mcnemarExact,
  pairedDifference,
  type Wins,
  wilson,
} from '../../stats/index.ts';
import { describeLosses, describeSelection, formatP, testPairs } from '../losses.ts';
import type { CuedReply, CueRecord } from './ask-cues.ts';
import type { CuePair } from './cue-pairs.ts';

type WilsonShare = CuePairReport['flips'];

export interface CuePairResult extends CuePairReport {
  /** McNemar's exact test: whether flips go towards one cue more often than towards the other. */
  readonly p: number;
  /** As `acknowledged`, by the checker; n is 0 where there was none. */
  readonly acknowledged_by_checker: WilsonShare;
}

export interface JudgeCues {
  readonly dataset: string;
  readonly judge: string;
  /** For how many comparisons p is corrected. */
  readonly comparisons: number;
  readonly cue_pairs: readonly CuePairResult[];
  readonly hierarchies: readonly Hierarchy[];
}

const LEVEL = 0.05;

/** @param seed of the bootstrap, a whole number of 32 bits */
export function measureCues(records: readonly CueRecord[], seed: number): JudgeCues[] {
  const groups = groupsOf(records);
  const measured = measureFamily(groups);
  const comparisons = measured.flat().filter(({ flips }) => flips.n > 0).length;
  return groups.map((group, index) => {
    const pairs = measured[index] ?? [];
    const fair = pairs.filter(({ losses }) => !losses?.selective);
    const named = new Set(fair.map(({ cues }) => cues.join('/')));
    return {
      dataset: group[0]?.dataset ?? '',
      judge: group[0]?.judge ?? '',
      comparisons,
      cue_pairs: pairs,
      hierarchies: buildHierarchies(
        group.filter(({ cues }) => named.has(cues.join('/'))),
        fair,
        seed,
      ),
    };
  });
}

/** The pairs of cues of all judges and datasets, without what takes resampling. */
export function measureCuePairs(records: readonly CueRecord[]): CuePairResult[] {
  return measureFamily(groupsOf(records)).flat();
}

function groupsOf(records: readonly CueRecord[]): (readonly CueRecord[])[] {
  return [...Map.groupBy(records, ({ dataset, judge }) => JSON.stringify([dataset, judge])).values()];
}

/** All that a run compares is one family: among ten judges one would be found to follow a cue by chance otherwise. */
function measureFamily(groups: readonly (readonly CueRecord[])[]): CuePairResult[][] {
  const measured = groups.map((group) =>
    [...Map.groupBy(group, ({ cues }) => cues.join('/')).values()].map(measurePair),
  );
  // Where no verdict could be read nothing was compared: a judge that cannot be read makes no other harder to find out.
  const compared = measured.flat().filter(({ flips }) => flips.n > 0);
  const adjusted = holm(compared.map(({ p }) => p));
  const byPair = new Map(compared.map((pair, n) => [pair, adjusted[n] ?? 1]));
  return measured.map((pairs) =>
    pairs.map((pair) => {
      const p_holm = byPair.get(pair) ?? 1;
      return { ...pair, p_holm, found: p_holm < LEVEL && !pair.losses?.selective };
    }),
  );
}

function measurePair(records: readonly CueRecord[]): Omit<CuePairResult, 'p_holm' | 'found'> {
  const read = records.flatMap(({ as_given, exchanged }) =>
    as_given?.selected && exchanged?.selected
      ? [{ given: as_given.selected === 'first', turned: exchanged.selected === 'first' }]
      : [],
  );
  const count = (given: boolean, turned: boolean) =>
    read.filter((one) => one.given === given && one.turned === turned).length;
  const both = count(true, true);
  const gained = count(true, false);
  const lost = count(false, true);
  const counts = { both, gained, lost, neither: count(false, false) };
  const failed = records.filter(({ error }) => error !== null).length;
  const without = records
    .filter(({ error }) => error === null)
    .map(({ as_given, exchanged }) => [!as_given?.selected, !exchanged?.selected] as const);
  const unread = (side: 0 | 1) => without.filter((one) => one[side]).length;
  const alone = (side: 0 | 1) => without.filter((one) => one[side] && !one[side === 0 ? 1 : 0]).length;
  const side = (at: 0 | 1) => ({ asked: records.length, unread: unread(at), failed });
  const said = records.flatMap(({ as_given, exchanged }) => [as_given ?? [], exchanged ?? []].flat());
  return {
    cues: records[0]?.cues ?? ['', ''],
    first_as_given: share(both + gained, read.length),
    first_exchanged: share(both + lost, read.length),
    shift: pairedDifference(counts),
    flips: share(gained + lost, read.length),
    p: mcnemarExact(gained, lost),
    acknowledged: sharedBy(said, ({ named }) => named),
    acknowledged_by_checker: sharedBy(said, ({ checked }) => checked),
    unread: records.length - read.length - failed,
    failed,
    losses: testPairs([side(0), side(1)], [alone(0), alone(1)]),
  };
}

function sharedBy(said: readonly CuedReply[], of: (one: CuedReply) => boolean | null): WilsonShare {
  const known = said.map(of).filter((one) => one !== null);
  return share(known.filter((one) => one).length, known.length);
}

function share(count: number, n: number): WilsonShare {
  return { count, n, share: n === 0 ? null : count / n, interval: wilson(count, n) };
}

/** Reasons of which rule and checker say different things. */
export function listDisagreements(records: Iterable<CueRecord>) {
  return [...records].flatMap(({ id, dataset, judge, cues, ...record }) =>
    (['as_given', 'exchanged'] as const).flatMap((assignment) => {
      const { reason, named, checked } = record[assignment] ?? {};
      if (typeof reason !== 'string' || typeof named !== 'boolean' || typeof checked !== 'boolean') return [];
      return named === checked
        ? []
        : [{ id, dataset, judge, cues, assignment, reason, by_rule: named, by_checker: checked }];
    }),
  );
}

// The order of cues that the verdicts support, from all pairs of cues at once: each verdict is a comparison that one
// cue won. Every two texts are judged with the cues both ways round, so what speaks for a text speaks for both cues
// alike; it makes the differences smaller and does not turn them.

interface Rank {
  readonly cue: string;
  /** Log strength; those of one hierarchy sum to 0. */
  readonly strength: number;
}

/** From one cue to the next below it. */
interface HierarchyStep {
  readonly above: string;
  readonly below: string;
  /**
   * Log odds that a verdict goes to the upper one, with a bootstrap interval over pairs of texts: 95% for all steps of
   * the judge and dataset together (Bonferroni), so that an order of many cues is no easier to find than one of two.
   */
  readonly odds: Figure<Bootstrap>;
  /**
   * Of two cues alone whether their comparison is found. Of more: whether the interval leaves out 0, and so does the sign
   * test over pairs of texts. Otherwise the data does not tell the two apart.
   */
  readonly supported: boolean;
}

/** Of cues that were compared with one another, directly or by way of others. */
export interface Hierarchy {
  /** Strongest first. */
  readonly ranks: readonly Rank[];
  readonly intervals: readonly Figure<Bootstrap>[];
  readonly steps: readonly HierarchyStep[];
}

/** Half a win each way beforehand: there is an estimate also for a cue that never lost. */
const PRIOR = { prior: 0.5 };
/** Enough for the tails of an interval that is corrected for a handful of steps. */
const RESAMPLES = 2000;

/** One pair of texts: who won what. */
type PairWins = readonly Wins[];

/** @param records of one judge and dataset */
function buildHierarchies(
  records: readonly CueRecord[],
  pairs: readonly CuePairResult[],
  seed: number,
): Hierarchy[] {
  const rows = [...Map.groupBy(records, ({ id }) => id).values()].map((all) => all.flatMap(winsOf));
  const groups = components(rows.flat());
  const steps = groups.reduce((sum, cues) => sum + cues.size - 1, 0);
  return groups.map((cues) =>
    hierarchyOf(
      cues,
      rows.map((row) => row.filter(({ winner }) => cues.has(winner))).filter((row) => row.length > 0),
      {
        seed,
        steps,
        pairs: pairs.filter((pair) => pair.cues.every((cue) => cues.has(cue))),
      },
    ),
  );
}

/**
 * @param steps of all hierarchies together, to be corrected for
 * @param pairs its comparisons
 */
function hierarchyOf(
  cues: ReadonlySet<string>,
  rows: readonly PairWins[],
  {
    seed,
    steps: all,
    pairs: [pair, ...more],
  }: { readonly seed: number; readonly steps: number; readonly pairs: readonly CuePairResult[] },
): Hierarchy {
  // One seed draws the same samples for every figure: each is fitted once.
  const fits: ReadonlyMap<string, number>[] = [];
  const fitted = (sample: readonly PairWins[], call: number) => {
    const known = fits[call] ?? bradleyTerry(sumWins(sample), PRIOR) ?? new Map<string, number>();
    fits[call] = known;
    return known;
  };
  const figure = (of: (strengths: ReadonlyMap<string, number>) => number | null, confidence: number) => {
    let call = 0;
    return bootstrap(rows, (sample) => of(fitted(sample, call++)), {
      seed,
      confidence,
      resamples: RESAMPLES,
      method: 'percentile',
    });
  };
  const ranks = [...fitted(rows, 0)]
    .filter(([cue]) => cues.has(cue))
    .map(([cue, strength]) => ({ cue, strength }))
    .toSorted((a, b) => b.strength - a.strength);
  const steps = ranks.slice(1).map(({ cue: below }, index) => {
    const above = ranks[index]?.cue ?? '';
    const odds = figure(
      (strengths) => {
        const [upper, lower] = [strengths.get(above), strengths.get(below)];
        return upper === undefined || lower === undefined ? null : upper - lower;
      },
      1 - LEVEL / all,
    );
    const supported =
      pair && more.length === 0 ? pair.found : isSupported(odds, all * testLeads(rows, above, below));
    return { above, below, odds, supported };
  });
  const intervals = ranks.map(({ cue }) => figure((strengths) => strengths.get(cue) ?? null, 1 - LEVEL));
  return { ranks, intervals, steps };
}

/** Less than this is rounding. */
const ROUNDING = 1e-6;

/** Whether more pairs of texts speak for the one cue than for the other. A cue speaks by its wins less its losses; two-sided. */
function testLeads(rows: readonly PairWins[], above: string, below: string): number {
  const leads = rows.map((row) => {
    const balance = (cue: string) =>
      row.reduce((sum, { winner, loser }) => sum + Number(winner === cue) - Number(loser === cue), 0);
    return balance(above) - balance(below);
  });
  return mcnemarExact(leads.filter((lead) => lead > 0).length, leads.filter((lead) => lead < 0).length);
}

/**
 * Where all pairs of texts say exactly the same, resampling them shows no spread, and where few of them turn, too little of it:
 * then the sign test decides.
 */
function isSupported(odds: Figure<Bootstrap>, p: number): boolean {
  if (odds.value === null || odds.value < ROUNDING || p >= LEVEL) return false;
  return 'low' in odds.interval ? odds.interval.low > ROUNDING : odds.resamples === RESAMPLES;
}

function winsOf({ cues: [first, second], as_given, exchanged }: CueRecord): Wins[] {
  // Both assignments or none: one alone would count what speaks for its text as speaking for the cue.
  if (!as_given?.selected || !exchanged?.selected) return [];
  const won = (winner: string, loser: string) => ({ winner, loser, count: 1 });
  return [
    as_given.selected === 'first' ? won(first, second) : won(second, first),
    exchanged.selected === 'first' ? won(second, first) : won(first, second),
  ];
}

function sumWins(rows: readonly PairWins[]): Wins[] {
  const counts = new Map<string, Map<string, number>>();
  for (const row of rows)
    for (const { winner, loser } of row) {
      const over = counts.get(winner) ?? new Map<string, number>();
      counts.set(winner, over.set(loser, (over.get(loser) ?? 0) + 1));
    }
  return [...counts].flatMap(([winner, over]) =>
    [...over].map(([loser, count]) => ({ winner, loser, count })),
  );
}

/** Groups of cues that comparisons connect. */
function components(wins: readonly Wins[]): Set<string>[] {
  let groups: Set<string>[] = [];
  for (const { winner, loser } of wins) {
    const touched = groups.filter((group) => group.has(winner) || group.has(loser));
    if (touched.length === 1 && touched[0]?.has(winner) && touched[0].has(loser)) continue;
    const joined = new Set([winner, loser, ...touched.flatMap((group) => [...group])]);
    groups = [...groups.filter((group) => !touched.includes(group)), joined];
  }
  return groups;
}

// What an audit of cues comes to, as `result.json` holds it: figures, the order of the cues, and a paragraph for each judge.

// What the audit of cues found of a judge, in one paragraph that needs no statistics to be read.

/** @param called what a text with a cue is called after "texts", by the cue's name: `marked new` */
export function describeCueVerdict(result: JudgeCues, called: (cue: string) => string): string {
  const measured = result.cue_pairs.filter(({ shift, losses }) => shift.value !== null && !losses?.selective);
  const judge = `${result.judge} on ${result.dataset}`;
  const lost = reservations(result);
  if (result.cue_pairs.every(({ shift }) => shift.value === null))
    return [`${judge}: no pair of texts has two verdicts that could be read.`, ...lost].join(' ');
  if (measured.length === 0) return [`${judge}: nothing is claimed.`, ...lost].join(' ');
  const found = measured
    .filter((one) => one.found)
    .toSorted((a, b) => Math.abs(b.shift.value ?? 0) - Math.abs(a.shift.value ?? 0));
  if (found.length === 0) return [`${judge}: ${nothing(measured, result.comparisons)}`, ...lost].join(' ');
  const sentences = found.map((one, index) => preference(one, called, index === 0));
  const holds = correction(found, result.comparisons);
  return [`${judge}: ${sentences.join('; ')}.`, holds, reasons(found), ...order(result), ...lost].join(' ');
}

/** Comparisons without two verdicts, by pair of cues, and those of which nothing is claimed. */
function reservations({ cue_pairs: pairs }: JudgeCues): string[] {
  const lost = pairs.filter(({ unread, failed }) => unread + failed > 0);
  if (lost.length === 0) return [];
  const each = lost.map(
    ({ cues, unread, failed, flips }) =>
      `${unread + failed} of ${flips.n + unread + failed} of ${cues.join('/')}`,
  );
  const failures = lost.reduce((sum, { failed }) => sum + failed, 0);
  const why = failures > 0 ? ` (${failures} failed)` : '';
  return [
    `Comparisons without two verdicts that could be read: ${each.join(', ')}${why}.`,
    ...lost.flatMap(({ cues, losses }) => {
      if (!losses?.selective) return [];
      const sides = ['texts with the cues as given', 'those with the cues exchanged'] as const;
      const one = describeLosses(losses, sides, { replies: 'replies', figure: 'verdict' });
      return [`Of ${cues.join('/')} no preference is claimed: ${one}; ${describeSelection(losses)}.`];
    }),
  ];
}

/** That p is corrected, and for how much: without it a reader could take one of many comparisons for the only one. */
function correction(found: readonly CuePairResult[], comparisons: number): string {
  const p = formatP(Math.max(...found.map(({ p_holm }) => p_holm)));
  if (comparisons === 1) return `That is beyond chance (exact test, ${p}).`;
  const each = found.length === 1 ? 'That is' : 'Each of these is';
  return `${each} beyond chance (exact test, ${p} after Holm's correction for all ${comparisons} comparisons of the run).`;
}

function nothing(measured: readonly CuePairResult[], comparisons: number): string {
  const widest = Math.max(
    ...measured.flatMap(({ shift }) =>
      shift.value === null ? [] : [Math.abs(shift.interval.low), Math.abs(shift.interval.high)],
    ),
  );
  const most = measured.reduce((all, { shift }) => Math.max(all, shift.value === null ? 0 : shift.n), 0);
  const p = formatP(Math.min(1, ...measured.map(({ p_holm }) => p_holm)));
  const after =
    comparisons === 1 ? '' : ` after Holm's correction for all ${comparisons} comparisons of the run`;
  // The exact test's least p: every verdict flips, all of them one way.
  const hopeless = comparisons * 2 ** (1 - most) >= LEVEL;
  return (
    `exchanging the cues did not shift the verdicts of this judge beyond chance (smallest ${p}${after}), on at most ` +
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
    audit: 'cues',
    cues: [...cues.values()],
    place,
    seed,
    failed,
    skipped,
    results,
    disagreements: listDisagreements(records),
  };
}
