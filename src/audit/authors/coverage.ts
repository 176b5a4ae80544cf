/** How much of a judge's soft ratings is known: over how many reviews, and what its endpoint left out of them. */
import type { DimensionTally } from './author-tally.ts';

export interface Coverage {
  readonly judge: string;
  readonly reviews: number;
  /** Of these, how many have a soft rating. */
  readonly soft: number;
  /** Probability on no rating that was listed, over those: mean and most. Null where there are none. */
  readonly missing: { readonly mean: number; readonly most: number } | null;
  /** Why the others have none, counted. Unread reviews are not among them. */
  readonly no_soft: Readonly<Record<string, number>>;
}

/** @returns one for each judge, in the order of the tallies */
export function computeCoverage(tallies: readonly DimensionTally[]): Coverage[] {
  const judges = [...new Set(tallies.map(({ judge }) => judge))];
  return judges.map((judge) => {
    const own = tallies.filter((one) => one.judge === judge);
    const sum = (of: (one: DimensionTally) => number) => own.reduce((all, one) => all + of(one), 0);
    const soft = sum(({ softly }) => softly);
    const reasons = new Map<string, number>();
    for (const [reason, count] of own.flatMap(({ noSoft }) => [...noSoft]))
      reasons.set(reason, (reasons.get(reason) ?? 0) + count);
    return {
      judge,
      reviews: sum(({ reviews }) => reviews),
      soft,
      missing:
        soft === 0
          ? null
          : {
              mean: sum(({ missing }) => missing.sum) / soft,
              most: Math.max(...own.map(({ missing }) => missing.most)),
            },
      no_soft: Object.fromEntries(reasons),
    };
  });
}

/** A line for each judge. */
export function describeCoverage({ judge, reviews, soft, missing, no_soft: reasons }: Coverage): string {
  const why = Object.entries(reasons).map(([reason, count]) => `${reason} (${count})`);
  const without = why.length > 0 ? `; ${why.join(', ')}` : '';
  if (!missing) return `${judge}: no soft ratings${without}`;
  const percent = (share: number) => `${(100 * share).toFixed(2)}%`;
  return (
    `${judge}: soft ratings of ${soft} of ${reviews} reviews${without}; of the probability at the rating ` +
    `${percent(missing.mean)} is on no rating that the endpoint lists, at most ${percent(missing.most)}`
  );
}
