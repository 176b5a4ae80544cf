/** When a fuzzing run ends: after some time, or after so many cases, which is the same run on every machine. */
export interface RunLength {
  readonly unit: 'seconds' | 'cases';
  readonly count: number;
}

/**
 * @param began of `performance.now()`
 * @returns the share of the run that is over; 1 and more where it has ended
 */
export function shareOf({ unit, count }: RunLength, began: number, cases: number): number {
  return (unit === 'cases' ? cases : (performance.now() - began) / 1_000) / count;
}
