/** The cases that `eval judge` and `eval detector` wrote beside their figures. */
import { readJsonl } from '../../records/node.ts';
import { CASE_LIMITS, type CaseGroup, type CaseLine, caseLine } from '../../report/index.ts';

/** What tells most comes first; what is not named here follows. */
const FIRST = ['wrong → right', 'right → wrong', 'bias missed', 'false alarm', 'unreadable'];

/**
 * @returns by group; no more cases are held than are shown
 * @throws InputError naming the line that is wrong
 */
export async function readLinedCases(path: string): Promise<ReadonlyMap<string, readonly CaseGroup[]>> {
  const all = new Map<
    string,
    { group: string; behind: string; outcome: string; count: number; shown: CaseLine[] }
  >();
  for await (const line of readJsonl(path, caseLine)) {
    const { group, behind, outcome } = line;
    const key = JSON.stringify([group, behind, outcome]);
    const gathered = all.get(key) ?? { group, behind, outcome, count: 0, shown: [] };
    all.set(key, gathered);
    gathered.count++;
    if (gathered.shown.length < CASE_LIMITS.each) gathered.shown.push(line);
  }
  const rank = (outcome: string) => (FIRST.includes(outcome) ? FIRST.indexOf(outcome) : FIRST.length);
  const ordered = [...all.values()].toSorted(
    (a, b) => Number(a.behind > b.behind) - Number(a.behind < b.behind) || rank(a.outcome) - rank(b.outcome),
  );
  return Map.groupBy(ordered, ({ group }) => group);
}
