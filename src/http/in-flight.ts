/** Calls that may outlive whoever asked for them, so that an account can wait until it is complete. */
export interface InFlight {
  /** Notes that work has begun and hands it back. */
  begin<T>(work: Promise<T>): Promise<T>;
  /** Whether nothing that was begun is under way. */
  idle(): boolean;
  /** Resolves when nothing that was begun is under way any more. */
  settled(): Promise<void>;
}

export function createInFlight(): InFlight {
  const all = new Set<Promise<unknown>>();
  return {
    begin(work) {
      all.add(work);
      // Whoever asked hears of a failure; here it only means that the work is over.
      const over = () => all.delete(work);
      work.then(over, over);
      return work;
    },
    idle: () => all.size === 0,
    async settled() {
      await Promise.allSettled(all);
    },
  };
}
