/** Changes with everything that belongs to one item taken together, as cells of a table. */
import { html } from 'hono/html';
import type { ByItem } from '../results.ts';
import { type Html, none, points, pValue } from '../words.ts';

/** Results of earlier versions have no test over items, and McNemar's alone. */
interface Tested {
  readonly by_item?: ByItem | undefined;
  readonly mcnemar_p: number;
}

/** The p-value to go by: that over items where there is one. */
export function trusted({ by_item: found, mcnemar_p: p }: Tested): number {
  if (found === undefined) return p;
  return found.value === null || found.test.value === null ? 1 : found.test.value;
}

/** The least p that so few changed items can give. */
export function leastOf(found: ByItem | undefined): number {
  return !found || found.value === null || found.test.value === null ? 0 : found.test.least;
}

/** In percentage points. */
export function differenceCell(found: ByItem | undefined): Html {
  if (found === undefined) return none('not recorded');
  if (found.value === null) return none(found.reason);
  const range = found.interval
    ? `[${points(found.interval.low)}, ${points(found.interval.high)}]`
    : 'no interval: nothing varies';
  return html`${points(found.value)}<span class="range">${range}</span>`;
}

export function pCell(found: ByItem | undefined): Html {
  if (found === undefined) return none('not recorded');
  if (found.value === null) return none(found.reason);
  if (found.test.value === null) return none(found.test.reason);
  const { value, moved, up } = found.test;
  return html`${pValue(value)}<span class="range">${up} up, ${moved - up} down</span>`;
}
