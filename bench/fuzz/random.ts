/** Seeded choices: the same seed makes the same case on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Mulberry32; 32 bits. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** From 0 to `bound` - 1. */
  below(bound: number): number {
    return this.next() % Math.max(1, bound);
  }

  chance(share: number): boolean {
    return this.next() / 2 ** 32 < share;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new RangeError('nothing to pick from');
    return picked;
  }
}

/** Numbers in [0, 1). */
export function createRandom(seed: number): () => number {
  const random = new Random(seed);
  return () => random.next() / 2 ** 32;
}

/** The seed of one case of a run. */
export function caseSeed(seed: number, index: number): number {
  return new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)).next();
}
