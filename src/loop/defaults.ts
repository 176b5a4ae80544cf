/** How a judgment is done where nobody says otherwise, over HTTP and in process alike. */
import type { Policy } from './types.ts';

export const DEFAULTS = {
  mode: 'debias',
  /** T of the loop. The second round is what tells "revised" from "still biased"; more seldom moves a judge. */
  rounds: 2,
  policy: 'last-word' satisfies Policy,
  /** All work after the first verdict; the impatient clients give up after 10 to 20 s. */
  deadlineMs: 8_000,
  /** Calls to any model beside the first. */
  extraCalls: 8,
} as const;
