/** How a judgment is done where nobody says otherwise, over HTTP and in process alike. */
import type { Policy } from './types.ts';

export const DEFAULTS = {
  mode: 'debias',
  /** T of the loop. The second round tells "revised" from "still biased"; further rounds rarely change a verdict. */
  rounds: 2,
  policy: 'last-word' satisfies Policy,
  /** Time for all work after the first verdict, in milliseconds. Impatient clients give up after 10 to 20 s. */
  deadlineMs: 8_000,
  /** Calls to any model beside the first. */
  extraCalls: 8,
} as const;
