/** What records of judgments tell of the judges in them: right how often, how far their confidence can be trusted, alone, one after the other, and together. */

import type { VerdictValue } from '../../case/index.ts';
import { type CombinedVerdict, combineDraws, creditOf, valuesBeside } from '../../loop/index.ts';
import type { Panel } from '../../report/index.ts';
import {
  clusteredShare,
  type Interval,
  independentCases,
  type NoFigure,
  wilsonOf,
} from '../../stats/index.ts';
import { average } from '../../stats/mean.ts';
import type { JudgedItem } from './past-judgment.ts';
import { areaUnderRisk, keptAt, riskAt } from './promise-risk.ts';
import {
  accuracyWith,
  type CascadePoint,
  cascadeAt,
  describePanel,
  type SampleCount,
} from './several-judgments.ts';

/** Shares of the items, the surest first, at which the risk is told. */
export const COVERAGES = [1, 0.8, 0.6, 0.4] as const;
/** Shares of the items, the least sure first, that go on to another judge. */
export const CASCADE_SHARES = [0, 0.2, 0.3, 0.4, 0.5, 1] as const;
const SAMPLE_COUNTS = [1, 2, 3, 5, 8, 16, 32] as const;

export interface JudgeReliability {
  /** Items with a verdict and a label. */
  readonly n: number;
  /** Items without a verdict, and items without a label. */
  readonly unread: number;
  readonly unlabelled: number;
  readonly accuracy: number;
  /** Wilson's, 95 %, with the items of a group taken together. */
  readonly interval: Interval | NoFigure;
  /** Share of the items whose two orders give the same verdict; null where no item has both. */
  readonly agreement: number | null;
  /** Risk by share of the items: `{ "1": 0.2, "0.8": 0.15, … }`. */
  readonly coverage: Readonly<Record<string, number>>;
  /** Of each of these, Wilson's, 95 %, for as many items as those of a group are worth together. */
  readonly coverage_interval: Readonly<Record<string, Interval>>;
  readonly area_under_risk: number;
  /** Accuracy by number of samples. */
  readonly samples: Readonly<Record<string, number>>;
  /** Samples drawn per item where drawing ends as soon as the rest cannot change the verdict. */
  readonly samples_drawn: Readonly<Record<string, number>>;
}

export interface RecordsEvaluation {
  readonly judges: Readonly<Record<string, JudgeReliability>>;
  /** `A>B`: A first, and B where A is least sure, on the items that both judged. */
  readonly cascades: Readonly<Record<string, readonly CascadePoint[]>>;
  /** All judges together; null where no item was judged by all, or there is one judge. */
  readonly panel: Panel | null;
}

interface ScoredItem {
  readonly item: string;
  readonly group: string;
  readonly verdict: CombinedVerdict;
  readonly label: VerdictValue;
  readonly credit: number;
  readonly confidence: number;
  readonly calls: number;
}

/**
 * @param judges as `groupJudgments` gives them
 *
 * @example evaluateRecords(groupJudgments(records)).judges['gpt-4']?.coverage['0.8'] // the risk of the surest 80 %
 */
export function evaluateRecords(judges: ReadonlyMap<string, readonly JudgedItem[]>): RecordsEvaluation {
  const scored = new Map([...judges].map(([name, items]) => [name, items.flatMap(scoreItem)]));
  const described = [...judges].flatMap(([name, items]) => {
    const judge = describeJudge(items, scored.get(name) ?? []);
    return judge ? [[name, judge] as const] : [];
  });
  const names = described.map(([name]) => name);
  const cascades = names.flatMap((first) =>
    names.flatMap((second) => {
      const points = first === second ? [] : cascade(scored.get(first) ?? [], scored.get(second) ?? []);
      return points.length > 0 ? [[`${first}>${second}`, points] as const] : [];
    }),
  );
  return {
    judges: Object.fromEntries(described),
    cascades: Object.fromEntries(cascades),
    panel: panelOf(names, scored),
  };
}

function scoreItem({ item, group, label, draws }: JudgedItem): ScoredItem[] {
  const verdict = combineDraws(draws);
  if (!verdict || label === null) return [];
  const credit = creditOf(verdict, label);
  return [{ item, group, verdict, label, credit, confidence: verdict.confidence, calls: draws.length }];
}

function describeJudge(items: readonly JudgedItem[], scored: readonly ScoredItem[]): JudgeReliability | null {
  const n = scored.length;
  if (n === 0) return null;
  const credits = scored.map(({ credit, group }) => ({ value: credit, group }));
  const scale = scaleOf(items);
  // Of any number of items: a call takes only so many arguments.
  const most = items.reduce(
    (so, { draws }) => Math.max(so, new Set(draws.map(({ sample = 0 }) => sample)).size),
    0,
  );
  const counts = [...new Set([...SAMPLE_COUNTS.filter((one) => one <= most), most])];
  const samples = counts.flatMap((count) => accuracyWith(items, count, scale) ?? []);
  const byCount = (tell: (one: SampleCount) => number) =>
    Object.fromEntries(samples.map((one) => [String(one.samples), tell(one)]));
  const byShare = <T>(tell: (share: number) => T) =>
    Object.fromEntries(COVERAGES.map((share) => [String(share), tell(share)]));
  return {
    n,
    unread: items.filter(({ draws }) => combineDraws(draws) === null).length,
    unlabelled: items.filter(({ label }) => label === null).length,
    accuracy: average(credits.map(({ value }) => value)),
    interval: clusteredShare(credits),
    agreement: agreementOf(items),
    coverage: byShare((share) => riskAt(scored, share) ?? 0),
    coverage_interval: byShare((share) =>
      wilsonOf(riskAt(scored, share) ?? 0, keptAt(n, share) * (independentCases(credits, 0.95) / n), 0.95),
    ),
    area_under_risk: areaUnderRisk(scored) ?? 0,
    samples: byCount(({ accuracy }) => accuracy),
    samples_drawn: byCount(({ drawn }) => drawn),
  };
}

/** The lowest and the highest score of a judge, which stand for the ends of its scale; null where it gives none. */
function scaleOf(items: readonly JudgedItem[]): [number, number] | null {
  let ends: [number, number] | null = null;
  for (const { draws } of items)
    for (const { scores = [] } of draws)
      for (const score of scores)
        if (score !== null)
          ends = ends ? [Math.min(ends[0], score), Math.max(ends[1], score)] : [score, score];
  return ends;
}

function agreementOf(items: readonly JudgedItem[]): number | null {
  const both = items.flatMap(({ draws }) => {
    const given = combineDraws(draws.filter(({ order = 'given' }) => order === 'given'));
    const swapped = combineDraws(draws.filter(({ order }) => order === 'swapped'));
    return given && swapped ? [given.best.join() === swapped.best.join() ? 1 : 0] : [];
  });
  return both.length === 0 ? null : both.reduce<number>((sum, one) => sum + one, 0) / both.length;
}

function cascade(first: readonly ScoredItem[], second: readonly ScoredItem[]): CascadePoint[] {
  const others = new Map(second.map((one) => [one.item, one]));
  const shared = first.flatMap((one) => {
    const other = others.get(one.item);
    return other ? [{ one, other }] : [];
  });
  if (shared.length === 0) return [];
  const items = shared.map(({ one, other }) => ({
    group: one.group,
    confidence: one.confidence,
    first: one.credit,
    second: other.credit,
  }));
  const callsOf = (all: readonly ScoredItem[]) => all.reduce((sum, { calls }) => sum + calls, 0) / all.length;
  const calls = [callsOf(shared.map(({ one }) => one)), callsOf(shared.map(({ other }) => other))] as const;
  return CASCADE_SHARES.map((share) => cascadeAt(items, share, calls));
}

function panelOf(names: readonly string[], scored: ReadonlyMap<string, readonly ScoredItem[]>): Panel | null {
  const byItem = names.map((name) => new Map((scored.get(name) ?? []).map((one) => [one.item, one])));
  const items = [...(byItem[0]?.keys() ?? [])].flatMap((item) => {
    const all = byItem.flatMap((judge) => judge.get(item) ?? []);
    if (all.length < names.length) return [];
    return [{ group: all[0]?.group ?? item, vote: voteOf(all), credits: all.map(({ credit }) => credit) }];
  });
  return describePanel(names, items);
}

/** How right the vote of judges is; what is left open between several options counts for each in part. */
function voteOf(all: readonly ScoredItem[]): number {
  const votes = new Map<VerdictValue, number>();
  for (const { verdict, label } of all) {
    const said = valuesBeside(verdict, label);
    for (const value of said) votes.set(value, (votes.get(value) ?? 0) + 1 / said.length);
  }
  const most = Math.max(...votes.values());
  const best = [...votes].flatMap(([option, count]) => (most - count <= 1e-9 ? [option] : []));
  const [first] = all;
  return first ? creditOf({ kind: 'choice', best, confidence: most, isTold: true }, first.label) : 0;
}
