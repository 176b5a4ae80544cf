/**
 * Counters, histograms and gauges in the Prometheus text format
 * (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format). prom-client would do, but loads
 * Node's http, zlib and cluster with it, which workerd does not always have.
 */

type Labels = Readonly<Record<string, string>>;

/** One metric, with the lines of its samples. */
interface Family {
  readonly name: string;
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly help: string;
  readonly samples: () => readonly string[];
}

/** One metric, as it is counted: `of` is one line of it, to be kept where it is counted often; it is there, at 0, from then on. */
export interface Metric<Line> {
  of(labels?: Labels): Line;
}

export interface Counter {
  inc(by?: number): void;
}

export interface MetricHistogram {
  observe(value: number): void;
}

export interface Registry {
  counter(name: string, help: string): Metric<Counter>;
  /** @param bounds upper bounds of the buckets, growing */
  histogram(name: string, help: string, bounds: readonly number[]): Metric<MetricHistogram>;
  /** Read when it is asked for. */
  gauge(name: string, help: string, read: () => number, labels?: Labels): void;
  /** A counter that is counted elsewhere. */
  total(name: string, help: string, read: () => number): void;
  /** The exposition. */
  text(): string;
}

export function createRegistry(): Registry {
  const families: Family[] = [];
  return {
    counter(name, help) {
      const { of, all } = lines(counting);
      const samples = () => [...all].map(([labels, { total }]) => sample(name, labels, total()));
      families.push({ name, kind: 'counter', help, samples });
      return { of };
    },
    histogram(name, help, bounds) {
      const { of, all } = lines(() => observing(bounds));
      const samples = () =>
        [...all].flatMap(([labels, { buckets, totals }]) => {
          const { sum, count } = totals();
          return [
            ...bounds.map((bound, i) =>
              sample(`${name}_bucket`, join(labels, `le="${bound}"`), buckets[i] ?? 0),
            ),
            sample(`${name}_bucket`, join(labels, 'le="+Inf"'), count),
            sample(`${name}_sum`, labels, sum),
            sample(`${name}_count`, labels, count),
          ];
        });
      families.push({ name, kind: 'histogram', help, samples });
      return { of };
    },
    gauge(name, help, read, labels = {}) {
      const written = write(labels);
      families.push({ name, kind: 'gauge', help, samples: () => [sample(name, written, read())] });
    },
    total(name, help, read) {
      families.push({ name, kind: 'counter', help, samples: () => [sample(name, '', read())] });
    },
    text: () =>
      families
        .flatMap(({ name, kind, help, samples }) => [
          `# HELP ${name} ${help}`,
          `# TYPE ${name} ${kind}`,
          ...samples(),
          '',
        ])
        .join('\n'),
  };
}

/** A metric's lines, by their labels as they are written. */
function lines<Line>(fresh: () => Line) {
  const all = new Map<string, Line>();
  const of = (labels: Labels = {}): Line => {
    const written = write(labels);
    const line = all.get(written) ?? fresh();
    all.set(written, line);
    return line;
  };
  return { of, all };
}

function counting() {
  let count = 0;
  return {
    inc(by = 1) {
      count += by;
    },
    total: () => count,
  };
}

function observing(bounds: readonly number[]) {
  const buckets = bounds.map(() => 0);
  let sum = 0;
  let count = 0;
  return {
    observe(value: number) {
      count++;
      sum += value;
      // Cumulative: each bucket counts everything up to its bound.
      const first = bounds.findIndex((bound) => value <= bound);
      for (let i = first; i >= 0 && i < bounds.length; i++) buckets[i] = (buckets[i] ?? 0) + 1;
    },
    buckets,
    totals: () => ({ sum, count }),
  };
}

function sample(name: string, labels: string, value: number): string {
  return labels === '' ? `${name} ${value}` : `${name}{${labels}} ${value}`;
}

function join(labels: string, more: string): string {
  return labels === '' ? more : `${labels},${more}`;
}

function write(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',');
}

/** A label's value may hold anything but these three as they are. */
function escapeLabel(value: string): string {
  if (!/[\\"\n]/.test(value)) return value;
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
