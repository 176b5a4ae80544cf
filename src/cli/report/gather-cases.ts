/** Cases as their records go by: each is counted, and of each outcome behind a bar a few records are held. */
import { CASE_LIMITS, type CaseGroup, type ShownCase } from '../../report/index.ts';

/** What became of a verdict, by whether it was right before and after. */
export function describeTurn(before: boolean, after: boolean): string {
  if (before) return after ? 'stayed right' : 'right → wrong';
  return after ? 'wrong → right' : 'stayed wrong';
}

/** Which bar of which group a case stands behind, and what came of it. */
type CasePlace = Pick<CaseGroup, 'behind' | 'outcome'> & { readonly group: string };

interface GatheredCases<Kept> extends CasePlace {
  readonly records: Kept[];
  count: number;
}

export function createCaseGatherer<Kept>() {
  const all = new Map<string, GatheredCases<Kept>>();
  return {
    /** @returns whether the record is held: no more are than are shown */
    add(place: CasePlace, record: Kept): boolean {
      const key = JSON.stringify([place.group, place.behind, place.outcome]);
      const gathered = all.get(key) ?? { ...place, records: [], count: 0 };
      all.set(key, gathered);
      gathered.count++;
      if (gathered.records.length >= CASE_LIMITS.each) return false;
      gathered.records.push(record);
      return true;
    },
    /**
     * @param show null for a record whose texts are missing
     * @param order of the bars and outcomes of a group; as they came by default
     * @returns by the name of the group of bars
     */
    groups(
      show: (record: Kept, outcome: string) => ShownCase | null,
      order: (a: CasePlace, b: CasePlace) => number = () => 0,
    ): ReadonlyMap<string, readonly CaseGroup[]> {
      const shown = [...all.values()].toSorted(order).map(({ records, ...place }) => ({
        ...place,
        shown: records.flatMap((record) => show(record, place.outcome) ?? []),
      }));
      return Map.groupBy(shown, ({ group }) => group);
    },
  };
}
