/**
 * Whether a judge under a promise answers as large a share of its verdicts as its labelled ones: where it does not, the cases
 * are no longer like those that were labelled, and nothing is promised of them.
 */
import type { TrustFile } from './trust.ts';

/** Verdicts that are looked at together. */
const WINDOW = 100;
/** Standard deviations of a share of so many: with the promised coverage, one window in 370 is further away. */
const FAR = 3;

export interface CoverageWatch {
  /** @returns whether the share of the latest verdicts is far from the promised one; told once a window */
  observe(judge: string, isAnswered: boolean): boolean;
}

/**
 * @example
 * const watch = createCoverageWatch(file); // promises that gpt-4o answers 60 %
 * watch.observe('gpt-4o', false); // false, and true with the hundredth verdict where only 40 of them were answered
 */
export function createCoverageWatch(file: TrustFile | undefined): CoverageWatch {
  const windows = new Map<string, { seen: number; answered: number }>();
  return {
    observe(judge, isAnswered) {
      const known = file && Object.hasOwn(file.judges, judge) ? file.judges[judge] : undefined;
      const promised = known?.promise?.kept?.coverage;
      if (promised === undefined) return false;
      const window = windows.get(judge) ?? { seen: 0, answered: 0 };
      windows.set(judge, window);
      window.seen++;
      if (isAnswered) window.answered++;
      if (window.seen < WINDOW) return false;
      windows.delete(judge);
      const far = FAR * Math.sqrt((promised * (1 - promised)) / WINDOW);
      return Math.abs(window.answered / WINDOW - promised) > far;
    },
  };
}
