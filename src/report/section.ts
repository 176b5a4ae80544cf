/** What each kind of result becomes: the verdict in words for the top of the page, and the body below. */
import type { Html } from './report-words.ts';

export interface ReportSection {
  readonly title: string;
  /** Sentences. */
  readonly verdict: readonly Html[];
  readonly body: readonly Html[];
}

/** The cases behind a group of bars; nothing where there are none. */
export type RenderCases = (group: string, heading?: string) => Html | '';

/** Below this a difference is told; the tests are two-sided. */
export const LEVEL = 0.05;
