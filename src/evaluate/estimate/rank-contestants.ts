/** Contestants in order, by each judge and by all together, from verdicts on two or more of them. */
import { InputError } from '../../errors.ts';
import type { ContestantRanking } from '../../report/index.ts';
import {
  collectVerdicts,
  type PairedStrengthsOptions,
  type PairVerdict,
  type VerdictCollection,
} from '../../stats/index.ts';
import type { PastJudgment } from '../confidence/past-judgment.ts';

/** Contestants of whom all threes are looked through. */
const MOST_IN_CYCLES = 200;

interface Ranking {
  /** @throws InputError where choice or scores do not fit the contestants, and for a verdict that was added before */
  add(judgment: PastJudgment): void;
  /** Of each judge, and of all together where there are several. */
  list(options?: PairedStrengthsOptions): ContestantRanking[];
}

/** @example const ranking = createRanking(); for (const one of records) ranking.add(one); ranking.list() */
export function createRanking(): Ranking {
  const judges = new Map<string, JudgeVerdicts>();
  const all = openVerdicts();
  const seen = new Set<string>();
  const addOnce = ({ item, judge, contestants = [], sample = 0, order = 'given' }: PastJudgment) => {
    const key = JSON.stringify([judge, item, sample, order, ...contestants]);
    if (seen.has(key))
      throw new InputError(
        'sample',
        `${judge} has two verdicts on item ${item} (sample ${sample}, order ${order}); number what was asked again: "sample": 0, 1, …`,
      );
    seen.add(key);
  };
  return {
    add(judgment) {
      const own = judges.get(judgment.judge) ?? openVerdicts();
      judges.set(judgment.judge, own);
      const pairs = listPairs(judgment);
      if (pairs.length > 0) addOnce(judgment);
      for (const one of [own, all]) {
        if (pairs.length === 0) one.unread++;
        for (const pair of pairs) {
          one.verdicts.add(pair);
          one.tally(pair);
        }
        if (pairs.length > 0) {
          one.items.add(judgment.item);
          one.read++;
        }
      }
    },
    list(options = {}) {
      const each = [...judges].map(([judge, own]) => describe(judge, own, options));
      return judges.size > 1 ? [...each, describe(null, all, options)] : each;
    },
  };
}

interface JudgeVerdicts {
  readonly verdicts: VerdictCollection;
  readonly tally: (pair: PairVerdict) => void;
  /** By how much each beat each of the others more often than it lost. */
  readonly leads: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly items: Set<string>;
  read: number;
  unread: number;
}

function openVerdicts(): JudgeVerdicts {
  const leads = new Map<string, Map<string, number>>();
  const move = (from: string, to: string, by: number) => {
    const row = leads.get(from) ?? new Map<string, number>();
    leads.set(from, row);
    row.set(to, (row.get(to) ?? 0) + by);
  };
  return {
    verdicts: collectVerdicts(),
    leads,
    items: new Set(),
    read: 0,
    unread: 0,
    tally({ first, second, better, weight = 1 }) {
      const lead = better === 'first' ? weight : better === 'second' ? -weight : 0;
      move(first, second, lead);
      move(second, first, -lead);
    },
  };
}

function describe(
  judge: string | null,
  { verdicts, leads, items, read, unread }: JudgeVerdicts,
  options: PairedStrengthsOptions,
): ContestantRanking {
  const found = verdicts.fit(options);
  return {
    judge,
    // What the model takes together are groups, and a verdict on four is six pairs to it.
    found:
      'strengths' in found ? { ...found, verdicts: read, items: items.size, groups: found.items } : found,
    cycles: findCycles(leads),
    unread,
  };
}

/** A verdict on n is a verdict on each two of them, with a weight of 2/n: all together weigh as much as a ranking's n - 1 steps. */
function listPairs({
  item,
  group = item,
  judge,
  contestants,
  choice,
  scores,
  order = 'given',
}: PastJudgment): PairVerdict[] {
  if (!contestants) return [];
  const count = contestants.length;
  if (new Set(contestants).size < count)
    throw new InputError('contestants', `item ${item} of ${judge} names one of them twice`);
  if ((scores && scores.length !== count) || (typeof choice === 'number' && !(choice in contestants)))
    throw new InputError(
      'contestants',
      `item ${item} of ${judge} has ${count} of them, and a verdict on others`,
    );
  const shown = contestants.map((name, n) => ({ name, n }));
  if (order === 'swapped') shown.reverse();
  const better = (a: number, b: number): PairVerdict['better'] | null => {
    if (scores) {
      const [left, right] = [scores[a] ?? null, scores[b] ?? null];
      if (left === null || right === null) return null;
      return left > right ? 'first' : left < right ? 'second' : 'tie';
    }
    if (choice === 'tie') return 'tie';
    return choice === a ? 'first' : choice === b ? 'second' : null;
  };
  return shown.flatMap((one, place) =>
    shown.slice(place + 1).flatMap((other): PairVerdict[] => {
      const winner = better(one.n, other.n);
      return winner === null
        ? []
        : [{ first: one.name, second: other.name, better: winner, item: group, weight: 2 / count }];
    }),
  );
}

function findCycles(leads: JudgeVerdicts['leads']): ContestantRanking['cycles'] {
  const names = [...leads.keys()];
  if (names.length > MOST_IN_CYCLES) return null;
  const beats = (a: string, b: string) => (leads.get(a)?.get(b) ?? 0) > 0;
  let count = 0;
  let example: readonly string[] | null = null;
  for (const [n, a] of names.entries())
    for (const [m, b] of names.entries()) {
      if (m <= n) continue;
      for (const c of names.slice(m + 1))
        for (const [x, y, z] of [
          [a, b, c],
          [a, c, b],
        ] as const)
          if (beats(x, y) && beats(y, z) && beats(z, x)) {
            count++;
            example ??= [x, y, z];
          }
    }
  return { count, example };
}
