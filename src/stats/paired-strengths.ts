/**
 * Strengths from verdicts on pairs, with ties and an effect of the place: Bradley and Terry's model (Biometrika 39:324, 1952)
 * in the form that Davidson gave it for ties (Journal of the American Statistical Association 65:317, 1970). Intervals are
 * sandwiches over items: verdicts on one item are not independent.
 */
import { normalQuantile } from './distributions.ts';
import { type Interval, type NoFigure, noFigure, requireShare } from './figure.ts';

/** One verdict on two, in the order in which they were shown. */
export interface PairVerdict {
  readonly first: string;
  readonly second: string;
  /** Which one is better; `tie` for none. */
  readonly better: 'first' | 'second' | 'tie';
  /** Verdicts on one item are taken together. */
  readonly item: string;
  /** Default 1. A ranking of n gives each of its pairs 2/n, so that it weighs as much as the n - 1 steps that it has. */
  readonly weight?: number;
}

/** One in the logarithm of the odds, in points of chess ratings: 400 points are odds of ten to one. */
export const RATING_POINTS = 400 / Math.LN10;

export interface Strength {
  readonly name: string;
  /** Log odds against one of middle strength; the mean of all is 0. */
  readonly value: number;
  readonly standardError: number;
  readonly interval: Interval;
}

export interface PairedStrengths {
  /** The strongest first. */
  readonly strengths: readonly Strength[];
  /** Log odds that being shown first is worth; null where it was not asked for, or cancels. */
  readonly place: Omit<Strength, 'name'> | null;
  /** Whether an effect of the place has no finite size and is left out, as each two met in both orders equally often. */
  readonly placeCancels: boolean;
  /** How often two of equal strength tie, in [0, 1). */
  readonly ties: number;
  readonly verdicts: number;
  readonly items: number;
  /** Pairs whose next verdict would tell most, that first. */
  readonly next: readonly {
    readonly first: string;
    readonly second: string;
    readonly standardError: number;
  }[];
}

export interface PairedStrengthsOptions {
  /** In (0, 1), default .95. */
  readonly confidence?: number;
  /** Whether an effect of the place is looked for; default true. */
  readonly place?: boolean;
  /** Pairs that are proposed; default 10. */
  readonly proposals?: number;
}

const MOST_STEPS = 100;
const CLOSE = 1e-9;

/**
 * @param verdicts are read once and not kept: a generator may give a million of them
 * @returns the reason where there are no finite strengths: some won or lost against all others that they met, or met none;
 * or where no item says otherwise than the strengths do, so that no interval has a width
 *
 * @example pairedStrengths(verdicts) // { strengths: [{ name: 'a', value: …, interval: …, … }, …], … }
 */
export function pairedStrengths(
  verdicts: Iterable<PairVerdict>,
  options: PairedStrengthsOptions = {},
): PairedStrengths | NoFigure {
  const collected = collectVerdicts();
  for (const verdict of verdicts) collected.add(verdict);
  return collected.fit(options);
}

/** Verdicts as they come: a million of them take some megabytes. */
export interface VerdictCollection {
  add(verdict: PairVerdict): void;
  /** As `pairedStrengths`. */
  fit(options?: PairedStrengthsOptions): PairedStrengths | NoFigure;
}

/**
 * @example
 * const collection = collectVerdicts();
 * collection.add({ first: 'a', second: 'b', better: 'first', item: 'q1' });
 * collection.fit();
 */
export function collectVerdicts(): VerdictCollection {
  const names = new Map<string, number>();
  const items = new Map<string, number>();
  const number = (known: Map<string, number>, name: string) => {
    const found = known.get(name) ?? known.size;
    known.set(name, found);
    return found;
  };
  const first: number[] = [];
  const second: number[] = [];
  const item: number[] = [];
  const outcome: number[] = [];
  const weight: number[] = [];
  return {
    add(one) {
      first.push(number(names, one.first));
      second.push(number(names, one.second));
      item.push(number(items, one.item));
      outcome.push(one.better === 'first' ? 1 : one.better === 'second' ? -1 : 0);
      weight.push(one.weight ?? 1);
    },
    fit: (options = {}) =>
      fitStrengths(
        {
          names: [...names.keys()],
          items: items.size,
          first: Int32Array.from(first),
          second: Int32Array.from(second),
          outcome: Int8Array.from(outcome),
          weight: Float64Array.from(weight),
          item: Int32Array.from(item),
        },
        options,
      ),
  };
}

function fitStrengths(rows: Rows, options: PairedStrengthsOptions): PairedStrengths | NoFigure {
  const { confidence = 0.95, place = true, proposals = 10 } = options;
  requireShare('confidence', confidence);
  const { names } = rows;
  if (names.length < 2) return noFigure('there are no two that met');
  const cells = countCells(rows);
  const lost = findUnbound(cells);
  if (lost.length > 0) {
    const told = lost.slice(0, 5).map((n) => names[n]);
    return noFigure(
      `no finite strength for ${told.join(', ')}${lost.length > 5 ? ` and ${lost.length - 5} more` : ''}: all verdicts of that group against the others go one way, or there are none`,
    );
  }
  const hasTies = rows.outcome.includes(0);
  const hasPlace = place && rows.outcome.some((one) => one !== 0);
  const layout: Layout = { names: names.length, hasPlace, hasTies };
  const fit = maximise(cells, layout);
  if (!fit) {
    // A judge that always goes by place between texts of like quality has an infinite effect of the place.
    const without = hasPlace && isBalanced(cells) ? fitStrengths(rows, { ...options, place: false }) : null;
    if (without) return 'strengths' in without ? { ...without, placeCancels: true } : without;
    if (!hasPlace) return noFigure('too few of the verdicts name a winner');
    return noFigure(
      'too few verdicts tell apart who is stronger and who was shown first: judge each pair in both orders, or rank without an effect of the place',
    );
  }
  const { parameters, inverse } = fit;
  const errors = sandwich(rows, parameters, inverse, layout);
  // At the maximum the items' scores sum to 0: where each is 0, no spread is seen, which is not certainty.
  if (errors.subarray(0, names.length).every((one) => Math.sqrt(one) < CLOSE))
    return noFigure(
      rows.items < 2
        ? 'one item alone says nothing about the spread'
        : 'the verdicts on every item cancel, as where a judge goes by the place alone: nothing tells who is stronger',
    );
  const z = normalQuantile(1 - (1 - confidence) / 2);
  const told = (n: number) => {
    const [value, standardError] = [parameters[n] ?? 0, Math.sqrt(errors[n] ?? 0)];
    return {
      value,
      standardError,
      interval: { low: value - z * standardError, high: value + z * standardError },
    };
  };
  const strengths = names.map((name, n) => ({ name, ...told(n) })).sort((a, b) => b.value - a.value);
  const nu = hasTies ? Math.exp(parameters[layout.names + Number(hasPlace)] ?? 0) : 0;
  return {
    strengths,
    place: hasPlace ? told(layout.names) : null,
    placeCancels: false,
    ties: nu / (2 + nu),
    verdicts: rows.outcome.length,
    items: rows.items,
    next: proposePairs(names, parameters, inverse, layout, proposals),
  };
}

/** The verdicts column by column: a million of them take a few megabytes. */
interface Rows {
  readonly names: readonly string[];
  /** Indexes of the two. */
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** 1 where the first one is better, -1 where the second is, 0 for a tie. */
  readonly outcome: Int8Array;
  readonly weight: Float64Array;
  /** How many items there are, and for each verdict the number of its own. */
  readonly items: number;
  readonly item: Int32Array;
}

/** The verdict with this number. */
const rowAt = (rows: Rows, n: number) => ({
  first: rows.first[n] ?? 0,
  second: rows.second[n] ?? 0,
  outcome: rows.outcome[n] ?? 0,
  weight: rows.weight[n] ?? 0,
});

/** Which parameters there are: the strengths, then the place, then the log of the ties. */
interface Layout {
  readonly names: number;
  readonly hasPlace: boolean;
  readonly hasTies: boolean;
}

/** How often the first of two won, lost and tied, at `first * names + second`. */
interface Cells {
  readonly names: number;
  readonly won: Float64Array;
  readonly lost: Float64Array;
  readonly tied: Float64Array;
}

function countCells(rows: Rows): Cells {
  const names = rows.names.length;
  const count = () => new Float64Array(names * names);
  const cells = { names, won: count(), lost: count(), tied: count() };
  for (let n = 0; n < rows.outcome.length; n++) {
    const { first, second, outcome, weight } = rowAt(rows, n);
    const counts = outcome > 0 ? cells.won : outcome < 0 ? cells.lost : cells.tied;
    const at = first * names + second;
    counts[at] = (counts[at] ?? 0) + weight;
  }
  return cells;
}

/** Whether each two met in both orders equally often. */
function isBalanced({ names, won, lost, tied }: Cells): boolean {
  const met = won.map((count, at) => count + (lost[at] ?? 0) + (tied[at] ?? 0));
  return met.every(
    (count, at) => Math.abs(count - (met[(at % names) * names + Math.floor(at / names)] ?? 0)) < CLOSE,
  );
}

/** Calls `work` for every two that met in this order. */
function eachCell(
  { names, won, lost, tied }: Cells,
  work: (first: number, second: number, won: number, lost: number, tied: number) => void,
): void {
  for (let first = 0, at = 0; first < names; first++)
    for (let second = 0; second < names; second++, at++) {
      const [w, l, t] = [won[at] ?? 0, lost[at] ?? 0, tied[at] ?? 0];
      if (w + l + t > 0) work(first, second, w, l, t);
    }
}

/** Probabilities that the first one wins, and that the two tie. */
function predict(
  parameters: Float64Array,
  first: number,
  second: number,
  { names, hasPlace, hasTies }: Layout,
) {
  const lead =
    (parameters[first] ?? 0) - (parameters[second] ?? 0) + (hasPlace ? (parameters[names] ?? 0) : 0);
  const nu = hasTies ? Math.exp(parameters[names + Number(hasPlace)] ?? 0) : 0;
  const [up, down] = [Math.exp(lead / 2), Math.exp(-lead / 2)];
  const sum = up + down + nu;
  return { won: up / sum, tied: nu / sum };
}

/** Newton's method with halved steps. The strengths are held at a mean of 0 by a pull on their sum, which moves nothing else. */
function maximise(cells: Cells, layout: Layout) {
  const size = layout.names + Number(layout.hasPlace) + Number(layout.hasTies);
  let parameters = new Float64Array(size);
  let best = likelihood(cells, parameters, layout);
  let inverse: Float64Array[] | null = null;
  for (let step = 0; step < MOST_STEPS; step++) {
    const { gradient, information } = derive(cells, parameters, layout, size);
    inverse = invert(information);
    if (!inverse) return null;
    const move = multiply(inverse, gradient);
    let scale = 1;
    let next = parameters;
    let reached = Number.NEGATIVE_INFINITY;
    for (; scale > 1e-6; scale /= 2) {
      next = parameters.map((one, n) => one + scale * (move[n] ?? 0));
      reached = likelihood(cells, next, layout);
      if (reached >= best - 1e-9) break;
    }
    const far = Math.max(...move.map((one) => Math.abs(scale * one)));
    parameters = next;
    best = Math.max(best, reached);
    if (far < CLOSE) return { parameters, inverse };
  }
  return null;
}

function likelihood(cells: Cells, parameters: Float64Array, layout: Layout): number {
  let sum = 0;
  eachCell(cells, (first, second, won, lost, tied) => {
    const p = predict(parameters, first, second, layout);
    const other = 1 - p.won - p.tied;
    sum += won * Math.log(p.won) + lost * Math.log(other) + (tied > 0 ? tied * Math.log(p.tied) : 0);
  });
  return sum;
}

/** The gradient of the log-likelihood, and its expected information. */
function derive(cells: Cells, parameters: Float64Array, layout: Layout, size: number) {
  const { names, hasPlace, hasTies } = layout;
  const gradient = new Float64Array(size);
  // The pull that holds the sum of the strengths at 0.
  const information = Array.from({ length: size }, (_, i) => {
    const row = new Float64Array(size);
    if (i < names) row.fill(1 / names, 0, names);
    return row;
  });
  const add = (i: number, j: number, value: number) => {
    const row = information[i];
    if (row) row[j] = (row[j] ?? 0) + value;
  };
  const involved = hasPlace ? [0, 0, names] : [0, 0];
  eachCell(cells, (first, second, won, lost, tied) => {
    const p = predict(parameters, first, second, layout);
    const n = won + lost + tied;
    const down = 1 - p.won - p.tied;
    // Half of the lead's derivative belongs to each of a win and a loss; a tie leaves it.
    const mean = (p.won - down) / 2;
    const slope = (won - lost) / 2 - n * mean;
    const curve = n * ((p.won + down) / 4 - mean ** 2);
    const cross = -n * p.tied * mean;
    const ties = n * p.tied * (1 - p.tied);
    // The lead is the first strength less the second, and the place.
    involved[0] = first;
    involved[1] = second;
    for (const [n, i] of involved.entries()) {
      const a = n === 1 ? -1 : 1;
      gradient[i] = (gradient[i] ?? 0) + a * slope;
      for (const [m, j] of involved.entries()) add(i, j, (m === 1 ? -a : a) * curve);
      if (!hasTies) continue;
      add(i, size - 1, a * cross);
      add(size - 1, i, a * cross);
    }
    if (!hasTies) return;
    gradient[size - 1] = (gradient[size - 1] ?? 0) + tied - n * p.tied;
    add(size - 1, size - 1, ties);
  });
  for (let i = 0; i < names; i++) {
    let sum = 0;
    for (let j = 0; j < names; j++) sum += parameters[j] ?? 0;
    gradient[i] = (gradient[i] ?? 0) - sum / names;
  }
  return { gradient, information };
}

/** Variances of the parameters, with the verdicts of an item taken together. */
function sandwich(
  rows: Rows,
  parameters: Float64Array,
  inverse: readonly Float64Array[],
  layout: Layout,
): Float64Array {
  const size = parameters.length;
  const variances = new Float64Array(size);
  const moved = new Float64Array(size);
  const score = new Map<number, number>();
  const add = (n: number, value: number) => score.set(n, (score.get(n) ?? 0) + value);
  const order = groupByItem(rows);
  for (let at = 0; at < order.length; ) {
    const item = rows.item[order[at] ?? 0];
    score.clear();
    for (; at < order.length && rows.item[order[at] ?? 0] === item; at++) {
      const { first, second, outcome, weight } = rowAt(rows, order[at] ?? 0);
      const p = predict(parameters, first, second, layout);
      const slope = weight * (outcome / 2 - (p.won - (1 - p.won - p.tied)) / 2);
      add(first, slope);
      add(second, -slope);
      if (layout.hasPlace) add(layout.names, slope);
      if (layout.hasTies) add(size - 1, weight * (Number(outcome === 0) - p.tied));
    }
    moved.fill(0);
    for (const [n, value] of score) {
      const row = inverse[n];
      if (row) for (let i = 0; i < size; i++) moved[i] = (moved[i] ?? 0) + value * (row[i] ?? 0);
    }
    for (let i = 0; i < size; i++) variances[i] = (variances[i] ?? 0) + (moved[i] ?? 0) ** 2;
  }
  // As many items as there are parameters would fit themselves; a few more are flattered less.
  const { items } = rows;
  const flattered = items > size ? items / (items - size + 1) : 1;
  return variances.map((one) => one * flattered);
}

/** Numbers of the verdicts, those of an item side by side. */
function groupByItem({ item, items }: Rows): Int32Array {
  const starts = new Int32Array(items + 1);
  for (const one of item) starts[one + 1] = (starts[one + 1] ?? 0) + 1;
  for (let n = 0; n < items; n++) starts[n + 1] = (starts[n + 1] ?? 0) + (starts[n] ?? 0);
  const order = new Int32Array(item.length);
  for (const [n, one] of item.entries()) {
    const place = starts[one] ?? 0;
    order[place] = n;
    starts[one] = place + 1;
  }
  return order;
}

/** The pairs of which it is least known who is stronger, weighed by how open a verdict on them is. */
function proposePairs(
  names: readonly string[],
  parameters: Float64Array,
  inverse: readonly Float64Array[],
  layout: Layout,
  count: number,
): PairedStrengths['next'] {
  let best: (PairedStrengths['next'][number] & { readonly worth: number })[] = [];
  for (let i = 0; i < names.length; i++)
    for (let j = i + 1; j < names.length; j++) {
      const spread = (inverse[i]?.[i] ?? 0) + (inverse[j]?.[j] ?? 0) - 2 * (inverse[i]?.[j] ?? 0);
      const { won, tied } = predict(parameters, i, j, layout);
      const open = won * (1 - won) + (tied * (1 - tied)) / 4;
      const worth = spread * open;
      if (best.length >= count && worth <= (best.at(-1)?.worth ?? 0)) continue;
      const pair = { first: names[i] ?? '', second: names[j] ?? '', standardError: Math.sqrt(spread), worth };
      best = [...best, pair].sort((a, b) => b.worth - a.worth).slice(0, count);
    }
  return best.map(({ worth: _, ...pair }) => pair);
}

/** Those who cannot be reached from the others by steps from a winner to one it beat, or the other way; ties go both ways. */
function findUnbound(cells: Cells): number[] {
  const { names } = cells;
  /** Whether one beat or tied another: `beat[one * names + another]`. */
  const beat = new Uint8Array(names * names);
  eachCell(cells, (first, second, won, lost, tied) => {
    if (won + tied > 0) beat[first * names + second] = 1;
    if (lost + tied > 0) beat[second * names + first] = 1;
  });
  const reach = (steps: (from: number, to: number) => number) => {
    const seen = new Set([0]);
    for (const from of seen) for (let to = 0; to < names; to++) if (beat[steps(from, to)]) seen.add(to);
    return seen;
  };
  const below = reach((from, to) => from * names + to);
  const above = reach((from, to) => to * names + from);
  const bound = Array.from({ length: names }, (_, n) => n).filter((n) => below.has(n) && above.has(n));
  const lost = Array.from({ length: names }, (_, n) => n).filter((n) => !below.has(n) || !above.has(n));
  // The first one alone may be the stranger.
  return lost.length === 0 ? [] : lost.length <= bound.length ? lost : bound;
}

const multiply = (matrix: readonly Float64Array[], vector: Float64Array): Float64Array =>
  vector.map((_, i) => {
    const row = matrix[i];
    let sum = 0;
    if (row) for (let j = 0; j < vector.length; j++) sum += (row[j] ?? 0) * (vector[j] ?? 0);
    return sum;
  });

/** Of a symmetric matrix that is positive, by Gauss and Jordan in its own place; null where it is not. */
function invert(rows: Float64Array[]): Float64Array[] | null {
  const size = rows.length;
  for (let k = 0; k < size; k++) {
    const pivotRow = rows[k];
    const pivot = pivotRow?.[k] ?? 0;
    if (!pivotRow || !(pivot > 1e-12)) return null;
    pivotRow[k] = 1;
    for (let j = 0; j < size; j++) pivotRow[j] = (pivotRow[j] ?? 0) / pivot;
    for (let i = 0; i < size; i++) {
      const row = rows[i];
      if (i === k || !row) continue;
      const factor = row[k] ?? 0;
      if (factor === 0) continue;
      row[k] = 0;
      for (let j = 0; j < size; j++) row[j] = (row[j] ?? 0) - factor * (pivotRow[j] ?? 0);
    }
  }
  return rows;
}
