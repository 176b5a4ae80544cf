/** Figures and findings of the report in words: every share with its count, every effect with its direction, every gap with its reason. */
import { html } from 'hono/html';
import { holm, type Interval, type NoFigure } from '../stats/index.ts';
import type { ByItem } from './results.ts';

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
  return html`<div class="scroll" tabindex="0"><table>
<thead><tr>${head.map(heading)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>\n`)}</tbody>
</table></div>`;
}

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

export interface Effect {
  readonly name: string;
  readonly gained: number;
  readonly lost: number;
  /** Exact, two-sided: over items where the result has them, else McNemar's. */
  readonly p: number;
  /** The least p that so few changes can give; at or above the level, nothing could have been told. */
  readonly least?: number;
}

/** What the sentences begin with, and what the counts are of. */
export interface EffectWords {
  readonly helped: Html;
  readonly harmed: Html;
  /** What comes between a difference that cannot be told, or is none, and the names. */
  readonly open: string;
  readonly counts: (effect: Effect) => string;
}

export function renderEffects(effects: readonly Effect[], words: EffectWords): Html[] {
  const told = effects.filter(({ p }) => p < LEVEL);
  const same = effects.filter(({ gained, lost }) => gained + lost === 0);
  const open = effects.filter((one) => one.p >= LEVEL && !same.includes(one));
  const helped = told.filter(({ gained, lost }) => gained > lost);
  const harmed = told.filter(({ gained, lost }) => gained < lost);
  const named = (some: readonly Effect[]) =>
    joinList(some.map((one) => `${one.name} (${words.counts(one)}, ${formatPValue(one.p)})`));
  const unsettled = open.map(({ name, gained, lost, least = 0 }) => {
    const never = least >= LEVEL ? `, where no p is below ${Number(least.toPrecision(2))}` : '';
    return `${name} (${gained} against ${lost}${never})`;
  });
  return [
    ...(helped.length > 0 ? [html`${words.helped} ${named(helped)}.`] : []),
    ...(harmed.length > 0 ? [html`${words.harmed} ${named(harmed)}.`] : []),
    ...(told.length > 0 && effects.length > 1 ? [standing(effects, told)] : []),
    ...(same.length > 0
      ? [html`No verdict came out differently ${words.open} ${joinList(same.map(({ name }) => name))}.`]
      : []),
    ...(open.length > 0
      ? [
          html`n is <strong>too small to tell</strong> ${words.open} ${joinList(unsettled)}: such a difference comes about by chance.`,
        ]
      : []),
  ];
}

/** Of many tests some succeed by chance: which hold all together. */
function standing(effects: readonly Effect[], told: readonly Effect[]): Html {
  const adjusted = holm(effects.map(({ p }) => p));
  const kept = told.filter((one) => (adjusted[effects.indexOf(one)] ?? 1) < LEVEL);
  const all = `Corrected for all ${effects.length} comparisons (Holm)`;
  if (kept.length === told.length) return html`${all}, that stands.`;
  if (kept.length === 0) return html`${all}, none of that stands.`;
  return html`${all}, that stands for ${joinList(kept.map(({ name }) => name))}.`;
}

/** What a reader of many tests must know. */
export function renderTestsNote(effects: readonly Effect[], test = 'exact McNemar test, two-sided'): Html {
  const expected = (effects.length * LEVEL).toFixed(1);
  return html`<p class="faint">p: ${test}, not corrected for the ${formatCount(effects.length, 'comparison')} made here;
of so many, ${expected} would fall below ${LEVEL} by chance alone.</p>`;
}

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
