/** Draws the report's charts as SVG in the page: colours are the page's own variables, so one drawing serves light and dark. */
import * as Plot from '@observablehq/plot';
import { html, raw } from 'hono/html';
import { parseHTML } from 'linkedom';
import type { Interval } from '../stats/index.ts';
import type { Effect, Html } from './report-words.ts';

export interface Bar {
  /** The row of bars it belongs to. */
  readonly group: string;
  readonly name: string;
  readonly value: number | null;
  readonly interval: Interval | null;
  /** Filled, or only drawn round: told apart in grey as well. */
  readonly kind: 'first' | 'second';
}

/** Shares as bars with their intervals. Groups stand beneath each other, each under its name. */
export function drawShareBars(bars: readonly Bar[], words: Words, width = WIDE): Drawing {
  const groups = [...Map.groupBy(bars, ({ group }) => group)];
  const barName = createLabelFitter(bars.map(({ name }) => name));
  // Two bars of one name are two rows.
  const rows = groups.flatMap(([group, own], at) => {
    const heading = groups.length === 1 ? [] : [{ key: `group ${at}`, name: group, isHeading: true }];
    return [...heading, ...own.map((bar, n) => ({ ...bar, key: `bar ${at} ${n}`, name: barName(bar.name) }))];
  });
  const placed = rows.flatMap((row) => ('value' in row ? [row] : []));
  const known = placed.filter(({ value }) => value !== null);
  const text = { fill: 'var(--ink)', textAnchor: 'start' as const };
  return {
    ...words,
    ...layRows(rows, { width, marginRight: 60, x: { ...SHARE_AXIS, label: null } }, [
      Plot.barX(known, {
        y: 'key',
        x: 'value',
        stroke: 'var(--bar)',
        strokeWidth: 1.2,
        fill: (bar: Bar) => (bar.kind === 'first' ? 'var(--bar-faint)' : 'var(--bar-full)'),
      }),
      ...drawWhiskers(known, ({ key }) => key),
      Plot.text(known, {
        ...text,
        y: 'key',
        dx: 7,
        fontVariant: 'tabular-nums' as const,
        text: (bar: Bar) => `${(100 * (bar.value ?? 0)).toFixed(1)}`,
        x: (bar: Bar) => Math.max(bar.value ?? 0, bar.interval?.high ?? 0),
      }),
      Plot.text(
        placed.filter(({ value }) => value === null),
        { ...text, y: 'key', x: 0, text: () => 'no data', dx: 6, fill: 'var(--faint)' },
      ),
      Plot.ruleX([0], { stroke: 'var(--ink)' }),
    ]),
  };
}

type Words = Pick<Drawing, 'title' | 'caption'>;

/** Nothing where there are no bars. */
export function renderShareBars(bars: readonly Bar[], words: Words, width = WIDE): Html | '' {
  return bars.length === 0 ? '' : renderDrawing(drawShareBars(bars, words, width));
}

interface Row {
  /** On the y axis. */
  readonly key: string;
  /** As short as it is shown. */
  readonly name: string;
  /** Of the rows below it: a row without a mark. */
  readonly isHeading?: boolean;
}

/** Rows of marks under each other. Names stand beside them; on a phone above them, which leaves the width to the marks. */
export function layRows(
  rows: readonly Row[],
  options: Plot.PlotOptions,
  marks: readonly Plot.Markish[],
): Pick<Drawing, 'options' | 'phone'> {
  const names = new Map(rows.map(({ key, name }) => [key, name]));
  const headings = rows.filter(({ isHeading }) => isHeading);
  const left = computeMargin(rows.flatMap(({ name, isHeading }) => (isHeading ? [] : [name])));
  const { marginTop = 20, width = WIDE } = options;
  const y = { label: null, padding: 0.18, tickSize: 0 };
  const shorten = (most: number) =>
    createLabelFitter(
      rows.map(({ name }) => name),
      Math.floor(most / CHARACTER_PX) - 4,
    );
  const above = rows.map((row) => ({ ...row, over: row.isHeading ? row.key : `over ${row.key}` }));
  const written = { text: ({ name }: Row) => name, frameAnchor: 'left' as const, ...HALO };
  return {
    options: {
      ...options,
      marginLeft: left,
      height: marginTop + 40 + rows.length * 26,
      y: {
        ...y,
        domain: [...names.keys()],
        tickFormat: (key: string) => (headings.some((one) => one.key === key) ? '' : (names.get(key) ?? '')),
      },
      marks: [
        ...marks,
        Plot.text(headings, {
          ...written,
          y: 'key',
          dx: 6 - left,
          fontWeight: 600,
          text: ({ name }: Row) => shorten(width)(name),
        }),
      ],
    },
    phone: {
      ...options,
      width: PHONE,
      marginLeft: 6,
      height: marginTop + 40 + above.length * 46 - headings.length * 20,
      y: {
        ...y,
        axis: null,
        domain: above.flatMap(({ key, over }) => (over === key ? [key] : [over, key])),
      },
      marks: [
        ...marks,
        Plot.text(
          above.filter(({ isHeading }) => isHeading),
          { ...written, y: 'over', dx: -4, fontWeight: 600, text: ({ name }: Row) => shorten(PHONE)(name) },
        ),
        Plot.text(
          above.filter(({ isHeading }) => !isHeading),
          { ...written, y: 'over', dx: 4, dy: 5, text: ({ name }: Row) => shorten(PHONE)(name) },
        ),
      ],
    },
  };
}

/** Text that lies over lines. */
const HALO = { fill: 'var(--ink)', stroke: 'var(--ground)', strokeWidth: 5 } as const;

interface MeasuredShift {
  readonly name: string;
  readonly value: number;
  readonly interval: Interval;
}

/** Numbers of any unit as points with their intervals, about a line at 0. */
export function renderForest(shifts: readonly MeasuredShift[], words: Words, width = WIDE): Html | '' {
  if (shifts.length === 0) return '';
  const named = createLabelFitter(shifts.map(({ name }) => name));
  const y = (shift: MeasuredShift) => named(shift.name);
  const names = [...new Set(shifts.map(y))].map((name) => ({ key: name, name }));
  return renderDrawing({
    ...words,
    ...layRows(names, { width, marginRight: 60, x: { label: null, grid: true, nice: true } }, [
      Plot.ruleX([0], { stroke: 'var(--ink)' }),
      Plot.ruleY(shifts, {
        y,
        stroke: 'var(--bar)',
        strokeWidth: 1.5,
        x1: (shift: MeasuredShift) => shift.interval.low,
        x2: (shift: MeasuredShift) => shift.interval.high,
      }),
      Plot.dot(shifts, { y, x: 'value', r: 4, fill: 'var(--bar)' }),
    ]),
  });
}

type VerdictChanges = Pick<Effect, 'name' | 'gained' | 'lost'>;

/** Wrong→right to the right of the line, right→wrong to its left, both counts printed. */
export function drawChanges(rows: readonly VerdictChanges[], words: Words, width = WIDE): Drawing {
  const most = Math.max(1, ...rows.flatMap(({ gained, lost }) => [gained, lost]));
  const named = createLabelFitter(rows.map((row) => row.name));
  const name = (row: VerdictChanges) => named(row.name);
  const text = { y: name, fill: 'var(--ink)', fontVariant: 'tabular-nums' as const };
  return {
    ...words,
    ...layRows(
      rows.map((row) => ({ key: name(row), name: name(row) })),
      {
        width,
        marginRight: 40,
        marginTop: 34,
        x: { domain: [-most * 1.12, most * 1.12], label: null, axis: null },
      },
      [
        Plot.barX(rows, { y: name, x: 'gained', fill: 'var(--gain)' }),
        Plot.barX(rows, { y: name, x: (row: VerdictChanges) => -row.lost, fill: 'var(--loss)' }),
        Plot.text(rows, {
          ...text,
          x: 'gained',
          text: (row: VerdictChanges) => String(row.gained),
          textAnchor: 'start',
          dx: 5,
        }),
        Plot.text(rows, {
          ...text,
          x: (row: VerdictChanges) => -row.lost,
          text: (row: VerdictChanges) => String(row.lost),
          textAnchor: 'end',
          dx: -5,
        }),
        Plot.text(['right → wrong'], {
          frameAnchor: 'top',
          dy: -22,
          dx: -12,
          textAnchor: 'end',
          fontWeight: 600,
          text: (one: string) => `← ${one}`,
          x: 0,
        }),
        Plot.text(['wrong → right'], {
          frameAnchor: 'top',
          dy: -22,
          dx: 12,
          textAnchor: 'start',
          fontWeight: 600,
          text: (one: string) => `${one} →`,
          x: 0,
        }),
        Plot.ruleX([0], { stroke: 'var(--ink)' }),
      ],
    ),
  };
}

export interface Cell {
  readonly row: string;
  readonly column: string;
  /** In [-1, 1]: how strong the colour is, and which; null for no data. */
  readonly strength: number | null;
  /** What is printed in it, up to two lines. */
  readonly text: string;
}

/** Nothing where there are no cells. */
export function renderHeatmap(cells: readonly Cell[], words: Words, width?: number): Html | '' {
  if (cells.length === 0) return '';
  const drawn = drawHeatmap(cells, words);
  return renderDrawing(width === undefined ? drawn : { ...drawn, options: { ...drawn.options, width } });
}

/** Radians. */
const TURN = (35 * Math.PI) / 180;

/** A figure for each row and column, printed in its cell: colour is an aid, never the message. */
export function drawHeatmap(cells: readonly Cell[], words: Words): Drawing {
  const rowName = createLabelFitter(cells.map(({ row }) => row));
  const columnName = createLabelFitter(
    cells.map(({ column }) => column),
    24,
  );
  const rows = [...new Set(cells.map(({ row }) => rowName(row)))];
  const columns = [...new Set(cells.map(({ column }) => columnName(column)))];
  const left = computeMargin(rows);
  const place = { x: (cell: Cell) => columnName(cell.column), y: (cell: Cell) => rowName(cell.row) };
  const width = Math.min(WIDE, left + 20 + columns.length * 170);
  const longest = 7.2 * Math.max(0, ...columns.map((column) => column.length));
  // Headings wider than their column are turned, and need room above it and beside the last.
  const turned = longest > (width - left - 20) / Math.max(1, columns.length);
  const top = turned ? 26 + Math.ceil(longest * Math.sin(TURN)) : 34;
  const print = { text: 'text', fill: 'var(--ink)', lineHeight: 1.25, fontVariant: 'tabular-nums' } as const;
  const fill = (cell: Cell) => shade(cell.strength);
  // On a phone the columns stand under each other.
  const stacked = columns.flatMap((column) => [
    { key: column, name: column, isHeading: true },
    ...rows.map((row) => ({ key: `${column}\n${row}`, name: row, isHeading: false })),
  ]);
  const key = (cell: Cell) => `${columnName(cell.column)}\n${rowName(cell.row)}`;
  return {
    ...words,
    phone: {
      width: PHONE,
      marginLeft: left,
      marginRight: 6,
      marginTop: 0,
      marginBottom: 4,
      height: 4 + stacked.length * 42,
      y: {
        domain: stacked.map((one) => one.key),
        label: null,
        tickSize: 0,
        padding: 0.08,
        tickFormat: (one: string) => one.split('\n')[1] ?? '',
      },
      marks: [
        Plot.cell(cells, { y: key, fill, stroke: 'var(--line)' }),
        Plot.text(cells, { ...print, y: key, frameAnchor: 'middle' }),
        Plot.text(columns, {
          y: String,
          text: String,
          frameAnchor: 'left',
          dx: 6 - left,
          dy: 8,
          fontWeight: 600,
        }),
      ],
    },
    options: {
      width,
      marginLeft: left,
      marginTop: top,
      marginRight: turned ? 10 + Math.ceil(0.8 * longest * Math.cos(TURN)) : 20,
      height: top + 14 + rows.length * 46,
      x: {
        domain: columns,
        axis: 'top',
        label: null,
        tickSize: 0,
        padding: 0.04,
        ...(turned ? { tickRotate: (-TURN * 180) / Math.PI } : {}),
      },
      y: { domain: rows, label: null, tickSize: 0, padding: 0.08 },
      marks: [
        Plot.cell(cells, { ...place, fill, stroke: 'var(--line)' }),
        Plot.text(cells, { ...place, ...print }),
      ],
    },
  };
}

/** Never so strong that the print on it could not be read. */
function shade(strength: number | null): string {
  if (strength === null) return 'none';
  const share = Math.round(60 * Math.min(1, Math.abs(strength)));
  return `color-mix(in srgb, var(--${strength < 0 ? 'loss' : 'gain'}) ${share}%, var(--ground))`;
}

/** Pixels: what stands alone, one of a pair, and what fits a phone of 375 pixels. */
export const WIDE = 820;
export const HALF = 520;
export const PHONE = 343;

export interface Drawing {
  readonly title: string;
  /** What is drawn, of how many, and what the whiskers are. */
  readonly caption: string;
  readonly options: Plot.PlotOptions;
  /** On a phone; missing where it is the same in less width. */
  readonly phone?: Plot.PlotOptions;
}

/** Both drawings of it: the page shows the one that fits. */
export function renderDrawing({ title, caption, options, phone }: Drawing): Html {
  const { width = WIDE } = options;
  const fits = width <= PHONE;
  return html`<figure class="${width < WIDE ? 'half' : 'wide'}"><figcaption><strong>${title}</strong> <span class="faint">${caption}</span></figcaption>
<div class="scroll${fits ? '' : ' desk'}" tabindex="0">${renderSvg(options)}</div>${
    fits ? '' : html`<div class="phone">${renderSvg(phone ?? { ...options, width: PHONE })}</div>`
  }</figure>`;
}

function renderSvg(options: Plot.PlotOptions) {
  // A document of its own for each drawing: nothing is shared, so the same input gives the same bytes.
  const { document } = parseHTML('<!doctype html><html></html>');
  const drawn = Plot.plot({
    ...options,
    document,
    style: { fontSize: '13px', color: 'var(--ink)', background: 'none', overflow: 'visible' },
  });
  // A label that says "bar" tells nobody anything; the caption says what is drawn.
  for (const group of drawn.querySelectorAll('g[aria-label]')) group.removeAttribute('aria-label');
  const svg = drawn.matches('svg') ? drawn : drawn.querySelector('svg');
  svg?.setAttribute('role', 'img');
  svg?.setAttribute('aria-label', 'chart');
  return raw(drawn.outerHTML);
}

/** Width of a character at the charts' font size, on average. */
const CHARACTER_PX = 7.4;
/** Characters beside an axis: a phone still shows some of the drawing. */
const MOST_BESIDE = 30;

/** Room for the longest label beside an axis, in pixels at the charts' font size. */
export function computeMargin(labels: readonly string[]): number {
  return 24 + CHARACTER_PX * Math.max(4, ...labels.map((label) => label.length));
}

/**
 * Shortens labels that share an axis. A label is never cut where it differs from the one most like it: the cut lies in what they
 * share, or there is none.
 *
 * @param most characters
 */
export function createLabelFitter(labels: Iterable<string>, most = MOST_BESIDE): (label: string) => string {
  const all = [...new Set(labels)];
  const shown = new Map(all.map((label) => [label, fitLabel(label, all, most)]));
  return (label) => shown.get(label) ?? label;
}

function fitLabel(label: string, all: readonly string[], most: number): string {
  const cut = label.length - most + 1;
  if (cut < 2) return label;
  // By default a little more is kept of the beginning.
  const usual = Math.ceil(most * 0.6) - 1;
  const places = Array.from({ length: most }, (_, at) => at).sort(
    (a, b) => Math.abs(a - usual) - Math.abs(b - usual),
  );
  const differences = all.filter((other) => other !== label).map((other) => findDifference(label, other));
  const place = places.find((at) =>
    differences.every(
      ({ from, to }) =>
        to <= at || from >= at + cut || (from + LEAST_SEEN <= at && at + cut + LEAST_SEEN <= to),
    ),
  );
  return place === undefined
    ? label
    : `${label.slice(0, place)}…${label.slice(place + cut)}`.replace(/\p{Surrogate}/gu, '');
}

/** Where two labels differ nearly everywhere: characters of the difference that are seen on either side of a cut. */
const LEAST_SEEN = 4;

/** Where one label differs from another: from the first character that is not shared to the last. */
function findDifference(label: string, other: string): { readonly from: number; readonly to: number } {
  const shorter = Math.min(label.length, other.length);
  let from = 0;
  while (from < shorter && label[from] === other[from]) from++;
  let same = 0;
  while (same < shorter - from && label.at(-1 - same) === other.at(-1 - same)) same++;
  // Where the other is this one with something put in, the place is between two characters.
  return { from, to: Math.max(from + 1, label.length - same) };
}

/** The axis of shares, 0 to 100%. */
export const SHARE_AXIS = { domain: [0, 1], percent: false, tickFormat: '.0%', grid: true } as const;

/** A whisker: the interval of a share. */
function drawWhiskers<T extends { readonly interval: Interval | null }>(
  data: readonly T[],
  y: (one: T) => string,
): Plot.Markish[] {
  const known = data.filter((one) => one.interval !== null);
  const ends = { y, stroke: 'var(--ink)' };
  return [
    Plot.ruleY(known, {
      ...ends,
      x1: (one: T) => one.interval?.low,
      x2: (one: T) => one.interval?.high,
      strokeWidth: 1.4,
    }),
    Plot.tickX(known, { ...ends, x: (one: T) => one.interval?.low, inset: 5 }),
    Plot.tickX(known, { ...ends, x: (one: T) => one.interval?.high, inset: 5 }),
  ];
}
