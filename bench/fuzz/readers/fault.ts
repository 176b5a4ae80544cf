/** What is wrong with one reading of a sample. */
import type { Reader } from './readers.ts';

/** Longest that reading one text may take, in milliseconds of CPU time. */
export const READ_BUDGET_MS = 50;

/** In milliseconds. */
const LONG_MS = 1_000;
/** @returns what is wrong in words that are the same for every sample with this fault, or null */
export async function faultOf({ open }: Reader, sample: string): Promise<string | null> {
  try {
    return (await open(sample)?.()()) ?? null;
  } catch (error) {
    if (!(error instanceof Error)) return `threw ${String(error)}`;
    const [frame = ''] = (error.stack ?? '').split('\n').filter((line) => /\/(?:src|adapters)\//.test(line));
    const place = /\/((?:src|adapters)\/[^:]+)/.exec(frame)?.[1] ?? 'nowhere of ours';
    return `${error.name}: ${error.message.replace(/\d+|".*"|'.*'/gs, '…').slice(0, 120)} (${place})`;
  }
}

/**
 * CPU time of one reading, in milliseconds.
 *
 * @param times most readings; the fastest counts, since a first one compiles. One that takes seconds is not repeated.
 */
export function cpuMsOf({ open }: Reader, sample: string, times: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times && (i === 0 || least < LONG_MS); i++) {
    const read = open(sample);
    const used = process.threadCpuUsage();
    read?.();
    const { user, system } = process.threadCpuUsage(used);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
