/**
 * The figures of `remand eval judge`, computed straight from the records and from nothing else of Remand: no
 * loop, no reader, no detector. Run as `npm run figures:recorded -- items.jsonl verdicts.jsonl`; the tests hold
 * both against each other.
 *
 * Rule: where both first verdicts of an item could be read and disagree, its recorded re-judgment counts,
 * otherwise its first verdicts. A re-judgment that could not be read leaves the first verdict.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

type Winner = '1' | '2' | 'tie' | null;
type Round = { original: { winner: Winner }; swapped: { winner: Winner } };
interface Line {
  id: string;
  judge: string;
  strategy: string;
  rounds: Round[];
}

export interface Figures {
  n: number;
  accuracy_before: number;
  accuracy_after: number;
  agreement_before: number;
  agreement_after: number;
  wrong_to_right: number;
  right_to_wrong: number;
  /** Judged once and never again. */
  baseline: boolean;
}

/** Judgments that are right here, with re-judgments counted, and wrong under a baseline of the same judge; and back. */
export interface Beside {
  n: number;
  gained: number;
  lost: number;
}

/** By judge/strategy, then by the strategy of the baseline. */
export function figuresBesideBaselines(
  itemsPath: string,
  verdictsPath: string,
): Record<string, Record<string, Beside>> {
  const labels = labelsIn(itemsPath);
  const all = Map.groupBy(lines<Line>(verdictsPath), ({ judge, strategy }) => `${judge}/${strategy}`);
  const isBaseline = (some: readonly Line[]) => some.every(({ rounds }) => rounds.length === 1);
  const right = (some: readonly Line[]) =>
    new Map(
      some.flatMap(({ id, rounds }) =>
        lastOf(rounds).map((winner, order) => [`${order} ${id}`, winner === labels.get(id)] as const),
      ),
    );
  const found: Record<string, Record<string, Beside>> = {};
  for (const [name, some] of all) {
    if (isBaseline(some)) continue;
    const here = right(some);
    const beside: Record<string, Beside> = {};
    for (const other of all.values()) {
      if (other[0]?.judge !== some[0]?.judge || !isBaseline(other)) continue;
      const sum = { n: 0, gained: 0, lost: 0 };
      for (const [key, there] of right(other)) {
        const now = here.get(key);
        if (now === undefined) continue;
        sum.n++;
        sum.gained += Number(now && !there);
        sum.lost += Number(!now && there);
      }
      beside[other[0]?.strategy ?? ''] = sum;
    }
    found[name] = beside;
  }
  return found;
}

function labelsIn(path: string): Map<string, string> {
  return new Map(lines<{ id: string; label: 1 | 2 }>(path).map(({ id, label }) => [id, String(label)]));
}

function lastOf(rounds: readonly Round[]): Winner[] {
  const first = pair(rounds[0]);
  const again = pair(rounds[1]);
  const disagree = first[0] !== null && first[1] !== null && first[0] !== first[1];
  return disagree ? first.map((winner, order) => again[order] ?? winner) : first;
}

export function recordedFigures(itemsPath: string, verdictsPath: string): Record<string, Figures> {
  const labels = labelsIn(itemsPath);
  const figures: Record<string, Figures> = {};
  for (const { id, judge, strategy, rounds } of lines<Line>(verdictsPath)) {
    const first = pair(rounds[0]);
    const last = lastOf(rounds);
    const right = labels.get(id);
    const name = `${judge}/${strategy}`;
    figures[name] ??= {
      n: 0,
      accuracy_before: 0,
      accuracy_after: 0,
      agreement_before: 0,
      agreement_after: 0,
      wrong_to_right: 0,
      right_to_wrong: 0,
      baseline: true,
    };
    const sum = figures[name];
    sum.n++;
    sum.baseline &&= rounds.length === 1;
    for (const order of [0, 1]) {
      sum.accuracy_before += Number(first[order] === right);
      sum.accuracy_after += Number(last[order] === right);
      sum.wrong_to_right += Number(first[order] !== right && last[order] === right);
      sum.right_to_wrong += Number(first[order] === right && last[order] !== right);
    }
    sum.agreement_before += Number(first[0] !== null && first[0] === first[1]);
    sum.agreement_after += Number(last[0] !== null && last[0] === last[1]);
  }
  for (const sum of Object.values(figures)) {
    sum.accuracy_before /= 2 * sum.n;
    sum.accuracy_after /= 2 * sum.n;
    sum.agreement_before /= sum.n;
    sum.agreement_after /= sum.n;
  }
  return figures;
}

function pair(round: Round | undefined): Winner[] {
  return [round?.original.winner ?? null, round?.swapped.winner ?? null];
}

/** The files are trusted here; Remand's own reading of them, with every line checked, is what this is held against. */
function lines<T>(path: string): T[] {
  const text = readFileSync(path, 'utf8').trim();
  return text.split('\n').map((line): T => JSON.parse(line));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [items = '', verdicts = ''] = process.argv.slice(2);
  process.stdout.write(`${JSON.stringify(recordedFigures(items, verdicts), null, 2)}\n`);
}
