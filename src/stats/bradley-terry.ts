/** Strengths from comparisons two at a time: which of several things win, and by how much, from all pairs at once. */

/** How often one beat another. */
export interface Wins {
  readonly winner: string;
  readonly loser: string;
  /** 0 or more, not necessarily whole. */
  readonly count: number;
}

export interface BradleyTerryOptions {
  /**
   * Wins that each of two that were compared is given over the other beforehand; default 0, which is maximum
   * likelihood. With a half, the estimate exists also where one never lost, as half a count does for the log odds.
   */
  readonly prior?: number;
}

const MOST_STEPS = 10_000;
const CLOSE = 1e-10;

/**
 * The log strength of each, their mean 0: the odds that one beats another are e to the difference of the two
 * (Bradley and Terry, Biometrika 39:324, 1952). Fitted by Hunter's MM steps, which raise the likelihood each time
 * (Annals of Statistics 32:384, 2004).
 *
 * @returns null where there is no estimate: some won against all they were compared with, or were compared with
 * nobody of the others (Ford, American Mathematical Monthly 64(8):28, 1957)
 * @throws RangeError for a count that is negative or no number, and for one that beat itself
 *
 * @example
 * bradleyTerry([{ winner: 'a', loser: 'b', count: 3 }, { winner: 'b', loser: 'a', count: 1 }])
 * // Map { 'a' => 0.549, 'b' => -0.549 }
 */
export function bradleyTerry(
  wins: readonly Wins[],
  { prior = 0 }: BradleyTerryOptions = {},
): ReadonlyMap<string, number> | null {
  const names = [...new Set(wins.flatMap(({ winner, loser }) => [winner, loser]))];
  const table = names.map(() => names.map(() => 0));
  const add = (row: number, column: number, count: number) => {
    const cells = table[row];
    if (cells) cells[column] = (cells[column] ?? 0) + count;
  };
  const compared = new Set<string>();
  for (const { winner, loser, count } of wins) {
    if (!(count >= 0 && Number.isFinite(count)) || winner === loser)
      throw new RangeError(`${winner} cannot have beaten ${loser} ${count} times`);
    const [row, column] = [names.indexOf(winner), names.indexOf(loser)];
    add(row, column, count);
    const pair = [Math.min(row, column), Math.max(row, column)].join();
    if (prior === 0 || compared.has(pair)) continue;
    compared.add(pair);
    add(row, column, prior);
    add(column, row, prior);
  }
  if (names.length === 0 || !isConnected(table)) return null;
  return new Map(fitStrengths(table).map((strength, index) => [names[index] ?? '', strength]));
}

function fitStrengths(table: readonly (readonly number[])[]): number[] {
  const won = table.map((row) => row.reduce((sum, count) => sum + count, 0));
  let strengths = table.map(() => 1);
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = strengths.map((mine, i) => {
      let met = 0;
      for (const [j, theirs] of strengths.entries())
        if (i !== j) met += ((table[i]?.[j] ?? 0) + (table[j]?.[i] ?? 0)) / (mine + theirs);
      return met === 0 ? mine : (won[i] ?? 0) / met;
    });
    const logs = next.map(Math.log);
    const middle = logs.reduce((sum, one) => sum + one, 0) / logs.length;
    const scaled = logs.map((one) => Math.exp(one - middle));
    const moved = Math.max(...scaled.map((one, i) => Math.abs(Math.log(one / (strengths[i] ?? 1)))));
    strengths = scaled;
    if (moved < CLOSE) break;
  }
  return strengths.map(Math.log);
}

/** Whether everyone can be reached from everyone by steps from a winner to one it beat. */
function isConnected(table: readonly (readonly number[])[]): boolean {
  const reaches = (beat: (from: number, to: number) => boolean) => {
    const seen = new Set([0]);
    for (const from of seen) for (const [to] of table.entries()) if (beat(from, to)) seen.add(to);
    return seen.size === table.length;
  };
  return (
    reaches((from, to) => (table[from]?.[to] ?? 0) > 0) && reaches((from, to) => (table[to]?.[from] ?? 0) > 0)
  );
}
