/** Why model calls failed, counted while a command runs and told once at its end. */
import { JudgeError } from '../http/index.ts';

export interface FailureTally {
  /** The same work; a call that fails for good is counted with its reason. */
  watch<T>(call: Promise<T>): Promise<T>;
  /** In one line, the commonest reasons first; empty where none failed. */
  describe(): string;
  /** Whether more calls failed than were answered. */
  isMost(): boolean;
}

/** Reasons that are told; further ones are only counted. */
const MOST = 3;

export function createFailureTally(): FailureTally {
  const reasons = new Map<string, number>();
  let all = 0;
  const countFailed = () => [...reasons.values()].reduce((sum, n) => sum + n, 0);
  return {
    async watch(call) {
      all++;
      try {
        return await call;
      } catch (cause) {
        if (cause instanceof JudgeError) reasons.set(cause.message, (reasons.get(cause.message) ?? 0) + 1);
        throw cause;
      }
    },
    describe() {
      const [first, ...more] = [...reasons].toSorted(([, a], [, b]) => b - a);
      if (!first) return '';
      const head = `${countFailed()} of ${all} calls failed: `;
      if (more.length === 0) return `${head}${first[0]}\n`;
      const told = [first, ...more].slice(0, MOST).map(([why, n]) => `${why} (${n} times)`);
      const others = more.length >= MOST ? [`${more.length + 1 - MOST} other reasons`] : [];
      return `${head}${[...told, ...others].join('; ')}\n`;
    },
    isMost: () => 2 * countFailed() > all,
  };
}
