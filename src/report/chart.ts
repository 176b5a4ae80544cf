/**
 * Charts as SVG within the page. Colours are the page's own variables, so that one drawing serves the light scheme,
 * the dark one and paper; what a colour says is said by place, shape or print as well.
 */
import * as Plot from '@observablehq/plot';
import { html, raw } from 'hono/html';
import { parseHTML } from 'linkedom';
import type { Interval } from '../stats/index.ts';
import type { Html } from './report-words.ts';

/** Pixels: the page's full measure, and half of it. */
export const WIDE = 1080;
export const HALF = 520;

export interface Drawing {
  readonly title: string;
  /** What is drawn, of how many, and what the whiskers are. */
  readonly caption: string;
  readonly options: Plot.PlotOptions;
}

export function renderDrawing({ title, caption, options }: Drawing): Html {
  // A document of its own for each drawing: nothing is shared, so the same input gives the same bytes.
  const { document } = parseHTML('<!doctype html><html></html>');
  const drawn = Plot.plot({
    ...options,
    document,
    style: { fontSize: '13px', color: 'var(--ink)', background: 'none', overflow: 'visible' },
  });
  const narrow = (options.width ?? WIDE) < WIDE;
  return html`<figure class="${narrow ? 'half' : 'wide'}"><figcaption><strong>${title}</strong> <span class="faint">${caption}</span></figcaption>
${raw(drawn.outerHTML)}</figure>`;
}

/** Room for the longest label beside an axis, in pixels at the charts' font size. */
export function computeMargin(labels: readonly string[], most = 330): number {
  return Math.min(most, 24 + 7.4 * Math.max(4, ...labels.map((label) => label.length)));
}

/** As much of a label as the margin holds: both its ends, since names of models and of what they did differ at either. */
function fitLabel(label: string, most = 40): string {
  if (label.length <= most) return label;
  const end = Math.floor(most * 0.4);
  return `${label.slice(0, most - 1 - end)}…${label.slice(-end)}`;
}

/** The same for several that share an axis: two that would be cut to the same label would be drawn as one. */
export function createLabelFitter(labels: Iterable<string>, most = 40): (label: string) => string {
  const shown = new Map<string, string>();
  const taken = new Set<string>();
  for (const label of new Set(labels)) {
    let short = fitLabel(label, most);
    for (let n = 2; taken.has(short); n++) short = `${fitLabel(label, most - 4)} (${n})`;
    taken.add(short);
    shown.set(label, short);
  }
  return (label) => shown.get(label) ?? fitLabel(label, most);
}

/** The axis of shares, 0 to 100%. */
export const SHARE_AXIS = { domain: [0, 1], percent: false, tickFormat: '.0%', grid: true } as const;

/** A whisker: the interval of a share. */
export function drawWhiskers<T extends { readonly interval: Interval | null }>(
  data: readonly T[],
  y: (one: T) => string,
  channels: Plot.RuleYOptions = {},
): Plot.Markish[] {
  const known = data.filter((one) => one.interval !== null);
  const ends = { y, stroke: 'var(--ink)', ...channels };
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
