/** What today's reader cannot hold, as a list that is compared with what a run finds. */
import type { Entry, Plan, Report } from './run.ts';

export const KNOWN = 'known.json';

/** The sample that `npm test` runs. */
export const SAMPLE: Plan = { seed: 1, prompts: 440, lines: 4 };

export interface KnownEntry extends Omit<Entry, 'count'> {
  /** How often it breaks in the full run, and in the sample; 0 for not at all. */
  readonly full: number;
  readonly sample: number;
}

export interface Known {
  /** Of the full run. */
  readonly plan: Plan;
  readonly entries: readonly KnownEntry[];
}

const keyOf = ({ layout, kind, breach }: Omit<Entry, 'count'>) => JSON.stringify([layout, kind, breach]);

export function knownList(plan: Plan, full: Report, sample: Report): Known {
  const counts = (report: Report) => new Map(report.entries.map((one) => [keyOf(one), one.count]));
  const [inFull, inSample] = [counts(full), counts(sample)];
  const all = new Map([...full.entries, ...sample.entries].map((one) => [keyOf(one), one]));
  return {
    plan,
    entries: [...all]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, { layout, kind, breach }]) => ({
        layout,
        kind,
        breach,
        full: inFull.get(key) ?? 0,
        sample: inSample.get(key) ?? 0,
      })),
  };
}

/** @returns what breaks and is not listed, and what is listed and no longer breaks, a line each */
export function differences(
  known: readonly KnownEntry[],
  found: readonly Entry[],
  run: 'full' | 'sample',
): string[] {
  const listed = new Set(known.filter((one) => one[run] > 0).map(keyOf));
  const broken = new Set(found.map(keyOf));
  return [
    ...[...broken].filter((key) => !listed.has(key)).map((key) => `breaks and is not listed: ${key}`),
    ...[...listed].filter((key) => !broken.has(key)).map((key) => `is listed and no longer breaks: ${key}`),
  ];
}
