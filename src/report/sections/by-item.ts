/** Changes with everything that belongs to one item taken together, as cells of a table. */
import { html } from 'hono/html';
import { formatPoints, formatPValue, type Html, renderNone } from '../report-words.ts';
import type { ByItem } from '../results.ts';

/** Results of earlier versions have no test over items, and McNemar's alone. */
interface Tested {
  readonly by_item?: ByItem | undefined;
  readonly mcnemar_p: number;
}

/** The p-value to go by: that over items where there is one. */
export function choosePValue({ by_item: found, mcnemar_p: p }: Tested): number {
  if (found === undefined) return p;
  return found.value === null || found.test.value === null ? 1 : found.test.value;
}

/** The least p that so few changed items can give. */
export function findLeastP(found: ByItem | undefined): number {
  return !found || found.value === null || found.test.value === null ? 0 : found.test.least;
}

/** In percentage points. */
export function renderDifferenceCell(found: ByItem | undefined): Html {
  if (found === undefined) return renderNone('not recorded');
  if (found.value === null) return renderNone(found.reason);
  const range = found.interval
    ? `[${formatPoints(found.interval.low)}, ${formatPoints(found.interval.high)}]`
    : 'no interval: nothing varies';
  return html`${formatPoints(found.value)}<span class="range">${range}</span>`;
}

export function renderPCell(found: ByItem | undefined): Html {
  if (found === undefined) return renderNone('not recorded');
  if (found.value === null) return renderNone(found.reason);
  if (found.test.value === null) return renderNone(found.test.reason);
  const { value, moved, up } = found.test;
  return html`${formatPValue(value)}<span class="range">${up} up, ${moved - up} down</span>`;
}
