/** How many requests were read, in all and of each pipeline. */
import type { RequestReading } from './readings.ts';

interface Counts {
  readonly requests: number;
  readonly read: number;
  readonly ambiguous: number;
}

interface PipelineCounts extends Counts {
  /** The template, or what else decided. */
  readonly name: string;
  /** Why the template does not decide; null where it does or there is none. */
  readonly open: string | null;
}

export interface Summary extends Counts {
  /** The largest first. */
  readonly pipelines: readonly PipelineCounts[];
}

export function summariseReadings(readings: readonly RequestReading[]): Summary {
  const groups = Map.groupBy(readings, pipelineOf);
  const pipelines = [...groups].map(
    ([name, these]): PipelineCounts => ({ name, open: these[0]?.open ?? null, ...countsOf(these) }),
  );
  return { ...countsOf(readings), pipelines: pipelines.sort((a, b) => b.requests - a.requests) };
}

function pipelineOf({ template, by, subject, given }: RequestReading): string {
  if (by === 'declared') return 'declared by the requests';
  if (template !== null) return `template ${template}`;
  return subject ? `first guess ${subject.layout}, ${given.protocol}` : `no template, ${given.protocol}`;
}

const countsOf = (readings: readonly RequestReading[]): Counts => ({
  requests: readings.length,
  read: readings.filter(({ subject }) => subject !== null).length,
  ambiguous: readings.filter(({ reason }) => reason === 'ambiguous').length,
});
