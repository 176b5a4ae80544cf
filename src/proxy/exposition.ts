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

export interface Registry {
  counter(name: string, help: string): { inc(labels?: Labels, by?: number): void };
  /** @param bounds upper bounds of the buckets, growing */
  histogram(
    name: string,
    help: string,
    bounds: readonly number[],
  ): { observe(value: number, labels?: Labels): void };
  /** Read when it is asked for. */
  gauge(name: string, help: string, read: () => number): void;
  /** The exposition. */
  text(): string;
}

export function createRegistry(): Registry {
  const families: Family[] = [];
  return {
    counter(name, help) {
      const counts = new Map<string, number>();
      const samples = () => [...counts].map(([labels, count]) => sample(name, labels, count));
      families.push({ name, kind: 'counter', help, samples });
      return {
        inc(labels = {}, by = 1) {
          const written = write(labels);
          counts.set(written, (counts.get(written) ?? 0) + by);
        },
      };
    },
    histogram(name, help, bounds) {
      const series = new Map<string, { readonly buckets: number[]; sum: number; count: number }>();
      const samples = () =>
        [...series].flatMap(([labels, { buckets, sum, count }]) => [
          ...bounds.map((bound, i) =>
            sample(`${name}_bucket`, join(labels, `le="${bound}"`), buckets[i] ?? 0),
          ),
          sample(`${name}_bucket`, join(labels, 'le="+Inf"'), count),
          sample(`${name}_sum`, labels, sum),
          sample(`${name}_count`, labels, count),
        ]);
      families.push({ name, kind: 'histogram', help, samples });
      return {
        observe(value, labels = {}) {
          const written = write(labels);
          const one = series.get(written) ?? { buckets: bounds.map(() => 0), sum: 0, count: 0 };
          series.set(written, one);
          one.count++;
          one.sum += value;
          // Cumulative: each bucket counts everything up to its bound.
          const first = bounds.findIndex((bound) => value <= bound);
          for (let i = first; i >= 0 && i < bounds.length; i++) one.buckets[i] = (one.buckets[i] ?? 0) + 1;
        },
      };
    },
    gauge(name, help, read) {
      families.push({ name, kind: 'gauge', help, samples: () => [sample(name, '', read())] });
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

function sample(name: string, labels: string, value: number): string {
  return labels === '' ? `${name} ${value}` : `${name}{${labels}} ${value}`;
}

function join(labels: string, more: string): string {
  return labels === '' ? more : `${labels},${more}`;
}

function write(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');
}

/** A label's value may hold anything but these three as they are. */
function escaped(value: string): string {
  if (!/[\\"\n]/.test(value)) return value;
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
