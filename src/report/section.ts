/** What each kind of result becomes: the verdict in words for the top of the page, and the body below. */
import type { Html } from './words.ts';

export interface Section {
  readonly title: string;
  /** Sentences. */
  readonly verdict: readonly Html[];
  readonly body: readonly Html[];
}

/** The cases behind a group of bars; nothing where there are none. */
export type CasesOf = (group: string, heading?: string) => Html | '';

/** Below this a difference is told; the tests are two-sided. */
export const LEVEL = 0.05;
