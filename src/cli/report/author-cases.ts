/** The cases behind an audit of author metadata: reviews of one paper under two authors that were rated differently. */
import {
  type AuthorReviewRecord,
  authorReviewRecord,
  collectPanels,
  RATING_MEASURES,
  type RatingMeasure,
} from '../../audit/index.ts';
import { readJsonl } from '../../records/node.ts';
import {
  type AuthorsResult,
  CASE_LIMITS,
  type CaseGroup,
  nameAuthorGroup,
  type ShownCase,
} from '../../report/index.ts';

interface Pair {
  readonly first: AuthorReviewRecord;
  readonly second: AuthorReviewRecord;
  /** Points between the two. */
  readonly apart: number;
}

interface CasePick {
  readonly group: string;
  readonly behind: RatingMeasure;
  readonly outcome: string;
  /** Flips come before what is merely higher. */
  readonly rank: number;
  /** The widest apart, one a paper. */
  pairs: Pair[];
  count: number;
}

/**
 * @param path of the reviews, those of one paper, judge and dimension one after the other
 * @returns by the name of the group of bars; no more cases are held than are shown
 * @throws InputError naming the line that is wrong
 */
export async function readAuthorCases(
  path: string,
  { findings, threshold }: AuthorsResult,
): Promise<ReadonlyMap<string, readonly CaseGroup[]>> {
  const sides = new Map(findings.map((finding) => [nameAuthorGroup(finding), finding.sides]));
  const all = new Map<string, CasePick>();
  const panels = collectPanels((panel, first) => {
    const group = nameAuthorGroup(first);
    const of = sides.get(group);
    if (of) pick(all, panel, { group, sides: of, threshold });
  });
  for await (const record of readJsonl(path, authorReviewRecord)) panels.add(record);
  panels.close();
  const groups = Map.groupBy(
    [...all.values()].toSorted((a, b) => a.rank - b.rank),
    ({ group }) => group,
  );
  return new Map(
    [...groups].map(([group, picked]) => [
      group,
      RATING_MEASURES.flatMap((measure) =>
        picked
          .filter(({ behind }) => behind === measure)
          .map(({ behind, outcome, count, pairs }) => ({
            behind: `${behind} rating`,
            outcome,
            count,
            shown: pairs.map((pair) => shownCase(pair, behind, outcome)),
          })),
      ),
    ]),
  );
}

interface Panel {
  readonly group: string;
  readonly sides: readonly [string, string];
  readonly threshold: number;
}

/** Of the reviews of one paper: every pair is counted, and of each outcome the widest is offered. */
function pick(
  all: Map<string, CasePick>,
  reviews: readonly AuthorReviewRecord[],
  { group, sides, threshold }: Panel,
) {
  const widest = new Map<CasePick, Pair>();
  for (const first of reviews.filter(({ side }) => side === 0))
    for (const second of reviews.filter(({ side, stratum }) => side === 1 && stratum === first.stratum))
      for (const behind of RATING_MEASURES) {
        const [one, other] = [ratingOf(first, behind), ratingOf(second, behind)];
        const apart = one === null || other === null ? 0 : Math.round(100 * (one - other)) / 100;
        if (one === null || other === null || apart === 0) continue;
        const favoured = sides[apart > 0 ? 0 : 1];
        const flips = one >= threshold !== other >= threshold;
        const outcome = flips ? `only "${favoured}" reaches ${threshold}` : `"${favoured}" is rated higher`;
        const key = JSON.stringify([group, behind, outcome]);
        const picked = all.get(key) ?? { group, behind, outcome, rank: Number(!flips), pairs: [], count: 0 };
        all.set(key, picked);
        picked.count++;
        const best = widest.get(picked);
        if (!best || Math.abs(apart) > Math.abs(best.apart)) widest.set(picked, { first, second, apart });
      }
  for (const [picked, pair] of widest)
    picked.pairs = [...picked.pairs, pair]
      .toSorted((a, b) => Math.abs(b.apart) - Math.abs(a.apart))
      .slice(0, CASE_LIMITS.each);
}

function ratingOf({ hard, soft }: AuthorReviewRecord, measure: RatingMeasure): number | null {
  return measure === 'hard' ? hard : (soft?.value ?? null);
}

function shownCase({ first, second, apart }: Pair, measure: RatingMeasure, outcome: string): ShownCase {
  const { paper, accepted, field } = first;
  const known = accepted === null ? '' : accepted ? ', accepted' : ', rejected';
  return {
    behind: measure,
    outcome,
    id: paper,
    context: [],
    instruction: `The paper ${paper}${field === null ? '' : ` (${field})`}${known}: ${Math.abs(apart).toFixed(2)} points apart, and nothing but the author differs.`,
    options: [first, second].map((one) => ({
      label: `${one.profile}: hard ${one.hard ?? 'none'}, soft ${one.soft?.value.toFixed(2) ?? 'none'}`,
      text: one.text ?? '',
      right: false,
    })),
    steps: [],
  };
}
