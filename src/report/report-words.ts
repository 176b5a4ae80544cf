/** Figures and findings of the report in words: every share with its count, every effect with its direction, every gap with its reason. */
import { html } from 'hono/html';
import { formatPercent, holm, type Interval } from '../stats/index.ts';
import type { ByItem, Panel } from './results.ts';

export { formatPercent };

export type Html = ReturnType<typeof html>;

/** In percentage points, with its sign. */
export function formatPoints(difference: number): string {
  const rounded = (100 * difference).toFixed(1);
  if (Number(rounded) === 0) return '±0.0';
  return difference > 0 ? `+${rounded}` : rounded.replace('-', '−');
}

/** @param why what a reader is told where there is no figure */
export function renderShareCell(value: number | null, interval: Interval | null, why: string): Html {
  if (value === null) return renderNone(why);
  return renderRangeCell(formatPercent(value), interval === null ? '' : `[${percents(interval)}]`);
}

/** A figure with its interval below it, or a few words. An interval stays on one line. */
export function renderRangeCell(value: string, range: string): Html {
  const shown = range.startsWith('[') ? range.replaceAll(' ', '\u00a0').replaceAll('-', '−') : range;
  return html`${value}${shown === '' ? '' : html`<span class="range">${shown}</span>`}`;
}

/** In percentage points. */
export function renderPointsCell(value: number, { low, high }: Interval, unit = ''): Html {
  return renderRangeCell(`${formatPoints(value)}${unit}`, `[${formatPoints(low)}, ${formatPoints(high)}]`);
}

/** What the vote of a panel is worth beside its best judge, and how far their errors are the same ones. */
export function tellPanel(panel: Panel): string {
  const { accuracy, interval, bestJudge, gain, errorCorrelation, effectiveJudges } = panel;
  const between = interval ? ` [${percents(interval)}]` : '';
  const more = gain
    ? ` The vote less the best, which was chosen on these very judgments: ${formatPoints(gain.value)} points [${formatPoints(gain.interval.low)}, ${formatPoints(gain.interval.high)}].`
    : '';
  const together =
    errorCorrelation === null || effectiveJudges === null
      ? ''
      : ` Their errors correlate by ${errorCorrelation.toFixed(2)}: they are worth ${effectiveJudges.toFixed(1)} judges with errors of their own.`;
  return `${formatPercent(accuracy)}${between}; the best alone, ${bestJudge.name}: ${formatPercent(bestJudge.accuracy)}.${more}${together}`;
}

const percents = ({ low, high }: Interval) => `${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}`;

export function renderNone(why: string): Html {
  return html`<span class="faint">${why}</span>`;
}

/** To two significant digits, and no more zeros than anyone counts; by no-break spaces one line. */
export function formatPValue(p: number): string {
  if (p < 0.0001) return 'p\u00a0<\u00a00.0001';
  return `p\u00a0=\u00a0${p >= 0.995 ? '1' : Number(p.toPrecision(2))}`;
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

/** A number with its unit, its interval below it. */
const FIGURE = /^[+±−-]?[\d.,]+(?:%| pt)?(?:<span class="range">[^<]*<\/span>)?$/;
const NO_FIGURE = /^(?:–|<span class="faint">[^<]*<\/span>)$/;

type TableCell = Html | string | number;

/** Columns that fit on a phone. Rows of more are stacked there: each cell is a line with its column's name. */
const MOST_SIDE_BY_SIDE = 3;

/** A table with a line for each of some things, by what its columns are called; nothing where there are none. */
export function renderColumns<T>(
  all: readonly T[],
  columns: Readonly<Record<string, (one: T, n: number) => TableCell>>,
): Html | '' {
  const cells = Object.values(columns);
  return renderTable(
    Object.keys(columns),
    all.map((one, n) => cells.map((cell) => cell(one, n))),
  );
}

/** Nothing where there are no rows. */
export function renderTable(head: readonly string[], rows: readonly (readonly TableCell[])[]): Html | '' {
  if (rows.length === 0) return '';
  // A column of figures stands right; where a cell has none it says why.
  const isNumeric = head.map((_, column) => {
    const cells = rows.map((row) => String(row[column] ?? '').replace(NO_FIGURE, ''));
    return cells.some((one) => one !== '') && cells.every((one) => one === '' || FIGURE.test(one));
  });
  const number = (column: number) => (isNumeric[column] ? html` class="number"` : '');
  const isWide = head.length > MOST_SIDE_BY_SIDE;
  const named = (column: number) => (isWide ? html` data-name="${head[column]}"` : '');
  const cell = (value: TableCell, column: number) =>
    html`<td${number(column)}${named(column)}>${typeof value === 'number' ? value.toLocaleString('en').replace('-', '−') : value}</td>`;
  const heading = (name: string, column: number) => html`<th scope="col"${number(column)}>${name}</th>`;
  return html`<div class="scroll" tabindex="0"><table${isWide ? html` class="wide"` : ''}>
<thead><tr>${head.map(heading)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>\n`)}</tbody>
</table></div>`;
}

/** A sentence; what is no text is left out. */
export type Sentence = Html | false | null | undefined;

/** What a kind of result has to say. The page shows the findings and the chart first, then a list of the parts, then the parts. */
export interface ReportSection {
  readonly title: string;
  /** The weightiest first. Three stand at the top, the others in a part of their own. */
  readonly findings: readonly Sentence[];
  /** Whether a simulated judge is among the judges. */
  readonly isSimulated?: boolean;
  /** The one drawing at the top; empty where nothing was measured. */
  readonly chart: Html | '';
  /** A part without a body is left out. */
  readonly parts: readonly ReportPart[];
}

export interface ReportPart {
  readonly heading: string;
  readonly body: readonly (Html | '')[];
}

/** What was found of each judge, in words. @param name what is judged, by its judge's name by default */
export function renderVerdicts<T extends { readonly judge: string; readonly verdict: string }>(
  found: readonly T[],
  name: (one: T) => string = ({ judge }) => nameJudge(judge),
): ReportPart {
  return {
    heading: 'What was found, judge by judge',
    body: [renderColumns(found, { judge: name, finding: ({ verdict }) => verdict })],
  };
}

/** The cases behind a group of bars; nothing where there are none. */
export type RenderCases = (group: string, heading?: string) => Html | '';

/** Names in a sentence, and their characters; a table has them all. */
const MOST_NAMES = 3;
const MOST_NAMED = 70;

/** `a, b, c and 5 more` */
export function nameSome(names: readonly string[]): string {
  const ends = names.map((_, n) => names.slice(0, n + 1).join(', ').length);
  const fit = Math.max(1, ends.slice(0, MOST_NAMES).filter((end) => end <= MOST_NAMED).length);
  const rest = names.length - fit;
  return joinList(rest > 0 ? [...names.slice(0, fit), `${rest} more`] : names);
}

/** Below this a difference is told; the tests are two-sided. */
export const LEVEL = 0.05;

export interface Effect {
  readonly name: string;
  readonly gained: number;
  readonly lost: number;
  /** Exact, two-sided: over items where the result has them, else McNemar's. */
  readonly p: number;
  /** The p corrected for all that the result compares so; where there is none, for all that stand beside each other here. */
  readonly p_holm?: number;
  /** The least p that so few changes can give; at or above the level, nothing could have been told. */
  readonly least?: number;
}

/** What the sentences begin with, and what is compared. */
export interface EffectWords {
  /** `Sending back helped`: the names follow. */
  readonly helped: Html;
  readonly harmed: Html;
  /** What the comparisons have in common, where several kinds stand beside each other: `Against a placebo,`. */
  readonly open: string;
  /** Of one row of the table: `judge / strategy`. */
  readonly noun: string;
  /** Heads of the columns of verdicts that became better, and worse. */
  readonly heads: readonly [string, string];
}

interface JudgedEffect extends Effect {
  /** Corrected for all comparisons (Holm). */
  readonly adjusted: number;
  readonly outcome: 'better' | 'worse' | 'no change' | 'too few to tell';
}

function judgeEffects(effects: readonly Effect[]): JudgedEffect[] {
  const adjusted = holm(effects.map(({ p }) => p));
  return effects.map((one, index) => {
    const { gained, lost, p } = one;
    const told = gained > lost ? 'better' : 'worse';
    const outcome = p < LEVEL ? told : gained + lost === 0 ? 'no change' : 'too few to tell';
    return { ...one, adjusted: one.p_holm ?? adjusted[index] ?? 1, outcome };
  });
}

/** @returns at most four sentences: what became better, what became worse, what stands, and what cannot be told */
export function renderEffects(effects: readonly Effect[], words: EffectWords): Sentence[] {
  const all = judgeEffects(effects);
  const of = (wanted: JudgedEffect['outcome']) => all.filter(({ outcome }) => outcome === wanted);
  const [better, worse, few, same] = [of('better'), of('worse'), of('too few to tell'), of('no change')];
  const told = [...better, ...worse];
  const kept = told.filter(({ adjusted }) => adjusted < LEVEL);
  const named = (some: readonly JudgedEffect[]) => {
    const [only] = some;
    return only && some.length === 1
      ? `${only.name} (${only.gained} ${words.heads[0]}, ${only.lost} ${words.heads[1]}, ${formatPValue(only.p)})`
      : nameSome(some.map(({ name }) => name));
  };
  const correction = `correction for all ${all.length} comparisons (Holm)`;
  const stands =
    kept.length === told.length
      ? `That stands after ${correction}.`
      : kept.length === 0
        ? `None of that stands after ${correction}.`
        : `After ${correction}, it stands for ${nameSome(kept.map(({ name }) => name))}.`;
  /** With what the comparisons have in common before it. */
  const open = (sentence: string) =>
    words.open === '' ? sentence : `${words.open} ${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`;
  return [
    better.length > 0 && html`${words.helped} ${named(better)}.`,
    worse.length > 0 && html`${words.harmed} ${named(worse)}.`,
    told.length > 0 && all.length > 1 && html`${open(stands)}`,
    few.length > 0 &&
      html`${open('n is')} <strong>too small to tell</strong> for ${nameSome(few.map(({ name }) => name))}.`,
    same.length > 0 &&
      html`${open(`No verdict became right or wrong for ${nameSome(same.map(({ name }) => name))}.`)}`,
  ];
}

/** Every comparison with its counts and tests: the sentences name but a few. */
export function renderEffectsTable(
  effects: readonly Effect[],
  words: EffectWords,
  test: string,
): (Html | '')[] {
  if (effects.length === 0) return [];
  const few = (least = 0) =>
    least >= LEVEL ? `, no p below ${Number(least.toPrecision(2))} is possible` : '';
  const several =
    effects.length === 1
      ? ''
      : ` The corrected p allows for all ${formatCount(effects.length, 'comparison')} (Holm).
Of this many tests, ${(effects.length * LEVEL).toFixed(1)} would fall below ${LEVEL} by chance alone.`;
  return [
    renderTable(
      [words.noun, ...words.heads, 'p', 'p, corrected', 'result'],
      judgeEffects(effects).map(({ name, gained, lost, p, adjusted, least, outcome }) => [
        ...[name, gained, lost, formatPValue(p), formatPValue(adjusted)],
        outcome === 'too few to tell'
          ? `${outcome}${few(least)}`
          : `${outcome}${p < LEVEL && adjusted >= LEVEL ? ', not after correction' : ''}`,
      ]),
    ),
    html`<p class="faint">p: ${test}.${several}</p>`,
  ];
}

/** The p-value to go by: that over items. */
export function choosePValue({ by_item: found }: { readonly by_item: ByItem }): number {
  return found.value === null || found.test.value === null ? 1 : found.test.value;
}

/** Verdicts that are right or wrong here and there. */
interface PairedVerdicts {
  readonly gained: number;
  readonly lost: number;
  readonly by_item: ByItem;
}

export function toEffect(name: string, { gained, lost, by_item }: PairedVerdicts): Effect {
  const least = by_item.value === null || by_item.test.value === null ? 0 : by_item.test.least;
  return { name, gained, lost, p: choosePValue({ by_item }), least };
}

/** The columns of such verdicts, in tables of pairs. @param items what p is over: `questions` */
export function pairedColumns(items: string) {
  type Row = { readonly pair: PairedVerdicts & { readonly mcnemar_p: number } };
  return {
    'right only here': ({ pair }: Row) => pair.gained,
    'right only there': ({ pair }: Row) => pair.lost,
    'difference in points': ({ pair }: Row) => renderDifferenceCell(pair.by_item),
    [`p, over ${items}`]: ({ pair }: Row) => renderPCell(pair.by_item),
    McNemar: ({ pair }: Row) => formatPValue(pair.mcnemar_p),
  };
}

/** What could not be put into any case, and why. @param noun what was to be put: `bias` */
export function renderDropped(
  noun: string,
  dropped: Readonly<Record<string, Readonly<Record<string, number>>>>,
): ReportPart {
  const rows = Object.entries(dropped).flatMap(([name, reasons]) =>
    Object.entries(reasons).map(([reason, count]) => [name, count, reason]),
  );
  return { heading: 'What could not be made', body: [renderTable([noun, 'cases', 'because'], rows)] };
}

/** In percentage points. */
export function renderDifferenceCell(found: ByItem): Html {
  if (found.value === null) return renderNone(found.reason);
  return found.interval
    ? renderPointsCell(found.value, found.interval)
    : renderRangeCell(formatPoints(found.value), 'no interval: nothing varies');
}

export function renderPCell(found: ByItem): Html {
  if (found.value === null) return renderNone(found.reason);
  if (found.test.value === null) return renderNone(found.test.reason);
  const { value, moved, up } = found.test;
  return renderRangeCell(formatPValue(value), `${up} up, ${moved - up} down`);
}
