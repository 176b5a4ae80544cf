/** Token lengths as they go by: a count for each length, so that every figure is exact and memory stays small. */

/** Context lengths that detectors are trained with: rows beyond them are cut, or left out. */
const LENGTH_LIMITS = [3584, 4096] as const;

export interface LengthFigures {
  readonly n: number;
  /** Nearest rank; null for none. */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly max: number | null;
  /** How many are longer than each limit. */
  readonly over: Readonly<Record<string, number>>;
}

interface LengthTally {
  add(length: number): void;
  figures(): LengthFigures;
}

export function createLengthTally(): LengthTally {
  const counts = new Map<number, number>();
  return {
    add(length) {
      counts.set(length, (counts.get(length) ?? 0) + 1);
    },
    figures() {
      const sorted = [...counts].toSorted(([a], [b]) => a - b);
      const n = sorted.reduce((sum, [, count]) => sum + count, 0);
      const rank = (share: number) => {
        let seen = 0;
        for (const [length, count] of sorted) {
          seen += count;
          if (seen >= share * n) return length;
        }
        return null;
      };
      const over = LENGTH_LIMITS.map((limit): [string, number] => [
        `${limit}`,
        sorted.reduce((sum, [length, count]) => sum + (length > limit ? count : 0), 0),
      ]);
      return {
        n,
        p50: rank(0.5),
        p95: rank(0.95),
        max: sorted.at(-1)?.[0] ?? null,
        over: Object.fromEntries(over),
      };
    },
  };
}
