/** The detector's prompt for a row that has none of its own. */
import { renderBrief } from '../../detect/index.ts';
import type { DetectorRow } from '../detector-row.ts';
import { createRowBrief } from '../row-brief.ts';

/** @throws InputError for a bias that is unknown, options that are not laid out as published, or no decision */
export function renderDetectorPrompt(row: DetectorRow): string {
  // Nothing is asked of anybody, so nothing can be stopped.
  return renderBrief(createRowBrief(row, new AbortController().signal));
}
