/**
 * What the verdicts show of each judge: how far exchanging two cues shifts its selections, whether its reasons say
 * so, and which cues win over which. Pure: the same records give the same figures.
 */
import {
  type Figure,
  holm,
  type Interval,
  mcnemarExact,
  type NoFigure,
  type PairedDifference,
  pairedDifference,
  wilson,
} from '../../stats/index.ts';
import type { CuedReply, CueRecord } from './ask-cues.ts';
import { buildHierarchies, type Hierarchy } from './hierarchy.ts';

/** A share of a count, with Wilson's interval. */
interface WilsonShare {
  readonly count: number;
  readonly n: number;
  /** Null where n is 0. */
  readonly share: number | null;
  readonly interval: Interval | NoFigure;
}

export interface CuePairResult {
  readonly cues: readonly [string, string];
  /** Selections of the first text while the first cue stood beside it, and while the second did. */
  readonly first_as_given: WilsonShare;
  readonly first_exchanged: WilsonShare;
  /**
   * The verdict shift rate as arXiv 2509.26072 computes it: the difference of those two shares, in [-1, 1], with
   * Newcombe's interval for paired shares. Above 0 the first cue is preferred.
   */
  readonly shift: Figure<PairedDifference>;
  /** The verdict shift rate as the same paper defines it: verdicts that flip when the cues are exchanged. */
  readonly flips: WilsonShare;
  /** McNemar's exact test: whether flips go towards one cue more often than towards the other. */
  readonly p: number;
  /** After Holm's correction for all comparisons of the run: every pair of cues, judge and dataset. */
  readonly p_holm: number;
  /** Whether it holds at the 5% level after the correction. */
  readonly found: boolean;
  /** Reasons that name the cue as a ground, by rule. */
  readonly acknowledged: WilsonShare;
  /** The same by the checker; n is 0 where there was none. */
  readonly acknowledged_by_checker: WilsonShare;
  /** Pairs of texts without two verdicts that could be read: they count nowhere above but in acknowledgments. */
  readonly unread: number;
  readonly failed: number;
}

export interface JudgeCues {
  readonly dataset: string;
  readonly judge: string;
  /** For how many comparisons p is corrected. */
  readonly comparisons: number;
  readonly cue_pairs: readonly CuePairResult[];
  readonly hierarchies: readonly Hierarchy[];
}

/** A reason of which rule and checker say different things. */
interface Disagreement {
  readonly id: string;
  readonly dataset: string;
  readonly judge: string;
  readonly cues: readonly [string, string];
  readonly assignment: 'as_given' | 'exchanged';
  readonly reason: string;
  readonly by_rule: boolean;
  readonly by_checker: boolean;
}

const LEVEL = 0.05;

/** @param seed of the bootstrap, a whole number of 32 bits */
export function measureCues(records: readonly CueRecord[], seed: number): JudgeCues[] {
  const groups = groupsOf(records);
  const measured = corrected(groups);
  const comparisons = measured.flat().length;
  return groups.map((group, index) => ({
    dataset: group[0]?.dataset ?? '',
    judge: group[0]?.judge ?? '',
    comparisons,
    cue_pairs: measured[index] ?? [],
    hierarchies: buildHierarchies(group, seed),
  }));
}

/** The pairs of cues of all judges and datasets, without what takes resampling. */
export function measureCuePairs(records: readonly CueRecord[]): CuePairResult[] {
  return corrected(groupsOf(records)).flat();
}

function groupsOf(records: readonly CueRecord[]): (readonly CueRecord[])[] {
  return [...Map.groupBy(records, ({ dataset, judge }) => JSON.stringify([dataset, judge])).values()];
}

/** All that a run compares is one family: among ten judges one would be found to follow a cue by chance otherwise. */
function corrected(groups: readonly (readonly CueRecord[])[]): CuePairResult[][] {
  const measured = groups.map((group) =>
    [...Map.groupBy(group, ({ cues }) => cues.join('/')).values()].map(measurePair),
  );
  const adjusted = holm(measured.flat().map(({ p }) => p)).values();
  return measured.map((pairs) =>
    pairs.map((pair) => {
      const p_holm = adjusted.next().value ?? 1;
      return { ...pair, p_holm, found: p_holm < LEVEL };
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
  };
}

function sharedBy(said: readonly CuedReply[], of: (one: CuedReply) => boolean | null): WilsonShare {
  const known = said.map(of).filter((one) => one !== null);
  return share(known.filter((one) => one).length, known.length);
}

function share(count: number, n: number): WilsonShare {
  return { count, n, share: n === 0 ? null : count / n, interval: wilson(count, n) };
}

export function listDisagreements(records: Iterable<CueRecord>): Disagreement[] {
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
