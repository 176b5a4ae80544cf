/** Figures in words: a share never stands without what it is of, and one that could not be had says why. */
import { html } from 'hono/html';
import type { Interval, NoFigure } from '../stats/index.ts';

export type Html = ReturnType<typeof html>;

export function formatPercent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

/** In percentage points, with its sign. */
export function formatPoints(difference: number): string {
  const rounded = (100 * difference).toFixed(1);
  if (Number(rounded) === 0) return '±0.0';
  return difference > 0 ? `+${rounded}` : rounded.replace('-', '−');
}

/** @param why what a reader is told where there is no figure */
export function renderShareCell(value: number | null, interval: Interval | null, why: string): Html {
  if (value === null) return renderNone(why);
  const range =
    interval === null ? '' : `[${(100 * interval.low).toFixed(1)}, ${(100 * interval.high).toFixed(1)}]`;
  return html`${formatPercent(value)}<span class="range">${range}</span>`;
}

/** For drawings, which show nothing where there is none; the table beside them says why. */
export function toInterval(interval: Interval | NoFigure): Interval | null {
  return 'low' in interval ? interval : null;
}

export function renderNone(why: string): Html {
  return html`<span class="faint">${why}</span>`;
}

/** To two significant digits, and no more zeros than anyone counts. */
export function formatPValue(p: number): string {
  if (p < 0.0001) return 'p < 0.0001';
  return `p = ${p >= 0.995 ? '1' : Number(p.toPrecision(2))}`;
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** `a, b and c` */
export function joinList(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** The sandbox judge is a simulation, and whatever was measured on it is named so. */
export function nameJudge(judge: string): string {
  return isSandbox(judge) ? `${judge} (simulation)` : judge;
}

export function isSandbox(judge: string): boolean {
  return /^(?:remand-)?sandbox\b/i.test(judge);
}

export function renderTable(
  head: readonly string[],
  rows: readonly (readonly (Html | string | number)[])[],
): Html {
  const cell = (value: Html | string | number) =>
    typeof value === 'number'
      ? html`<td class="number">${value.toLocaleString('en')}</td>`
      : html`<td>${value}</td>`;
  const heading = (name: string, column: number) =>
    rows.length > 0 && rows.every((row) => typeof row[column] === 'number')
      ? html`<th scope="col" class="number">${name}</th>`
      : html`<th scope="col">${name}</th>`;
  return html`<div class="scroll"><table>
<thead><tr>${head.map(heading)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>\n`)}</tbody>
</table></div>`;
}
