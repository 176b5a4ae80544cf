/** Why model calls failed, counted while a command runs and told once at its end. */
import { JudgeError } from '../http/index.ts';

export interface FailureTally {
  /** The same work; a call that fails for good is counted with its reason. */
  watch<T>(call: Promise<T>): Promise<T>;
  /** In one line, the commonest reasons first; empty where none failed. */
  describe(): string;
}

/** Reasons that are told; further ones are only counted. */
const MOST = 3;

export function createFailureTally(): FailureTally {
  const reasons = new Map<string, number>();
  return {
    async watch(call) {
      try {
        return await call;
      } catch (cause) {
        if (cause instanceof JudgeError) reasons.set(cause.message, (reasons.get(cause.message) ?? 0) + 1);
        throw cause;
      }
    },
    describe() {
      if (reasons.size === 0) return '';
      const all = [...reasons].toSorted(([, a], [, b]) => b - a);
      const count = all.reduce((sum, [, n]) => sum + n, 0);
      const [only] = all;
      if (all.length === 1 && only) return `${count} calls failed: ${only[0]}\n`;
      const told = all.slice(0, MOST).map(([why, n]) => `${n} times: ${why}`);
      const others = all.length > MOST ? [`${all.length - MOST} other reasons`] : [];
      return `${count} calls failed. ${[...told, ...others].join('; ')}\n`;
    },
  };
}
