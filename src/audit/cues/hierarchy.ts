/**
 * The order of cues that the verdicts support, from all pairs of cues at once: each verdict is a comparison that one
 * cue won. Every two texts are judged with the cues both ways round, so what speaks for a text speaks for both cues
 * alike; it makes the differences smaller and does not turn them.
 */
import { type Bootstrap, bootstrap, bradleyTerry, type Figure, type Wins } from '../../stats/index.ts';
import type { CueRecord } from './ask-cues.ts';

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
  /** Whether the interval leaves out 0 on enough pairs of texts. Otherwise the data does not tell the two apart. */
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
const LEVEL = 0.05;

/** One pair of texts: who won what. */
type Won = readonly Wins[];

/** @param records of one judge and dataset */
export function buildHierarchies(records: readonly CueRecord[], seed: number): Hierarchy[] {
  const rows = [...Map.groupBy(records, ({ id }) => id).values()].map((all) => all.flatMap(winsOf));
  const groups = components(rows.flat());
  const steps = groups.reduce((sum, cues) => sum + cues.size - 1, 0);
  return groups.map((cues) =>
    hierarchyOf(
      cues,
      rows.map((row) => row.filter(({ winner }) => cues.has(winner))).filter((row) => row.length > 0),
      { seed, steps },
    ),
  );
}

/** @param steps of all hierarchies together, to be corrected for */
function hierarchyOf(
  cues: ReadonlySet<string>,
  rows: readonly Won[],
  { seed, steps: all }: { readonly seed: number; readonly steps: number },
): Hierarchy {
  // One seed draws the same samples for every figure: each is fitted once.
  const fits: ReadonlyMap<string, number>[] = [];
  const fitted = (sample: readonly Won[], call: number) => {
    const known = fits[call] ?? bradleyTerry(summed(sample), PRIOR) ?? new Map<string, number>();
    fits[call] = known;
    return known;
  };
  const figure = (of: (strengths: ReadonlyMap<string, number>) => number | null, confidence: number) => {
    let call = 0;
    return bootstrap(rows, (sample) => of(fitted(sample, call++)), {
      ...{ seed, confidence, resamples: RESAMPLES, method: 'percentile' },
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
    return { above, below, odds, supported: isSupported(odds, all) };
  });
  const intervals = ranks.map(({ cue }) => figure((strengths) => strengths.get(cue) ?? null, 1 - LEVEL));
  return { ranks, intervals, steps };
}

/** Less than this is rounding. */
const ROUNDING = 1e-6;

/**
 * Where all pairs of texts say exactly the same, resampling them shows no spread: then their number decides, by the
 * two-sided sign test on as many that agree.
 */
function isSupported(odds: Figure<Bootstrap>, steps: number): boolean {
  if (odds.value === null || odds.value < ROUNDING) return false;
  if (steps * 2 ** (1 - odds.clusters) >= LEVEL) return false;
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

function summed(rows: readonly Won[]): Wins[] {
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
