/** What a log of model calls tells by itself: which are judgments, how many of them can be examined, how often the first option wins. */
import { isNone, readVerdict, winnerOf } from '../../case/index.ts';
import { createSeededDraw, type Interval, wilson } from '../../stats/index.ts';
import type { RequestReading } from '../read/readings.ts';
import type { GivenRequest } from '../read/requests.ts';

export interface PipelineTally {
  readonly name: string;
  readonly calls: number;
  readonly examinable: number;
  /** Replies in the log in which a verdict was read. */
  readonly verdicts: number;
  /** Of verdicts for one of several options; null where there are none. */
  readonly first_wins: {
    readonly n: number;
    readonly share: number;
    readonly interval: Interval | null;
  } | null;
}

export interface LogTally {
  readonly calls: number;
  /** Those that look like judgments, whether they can be examined or not. */
  readonly judgments: number;
  readonly examinable: number;
  readonly verdicts: number;
  /** Judgments that are left alone, by reason. */
  readonly left_alone: Readonly<Record<string, number>>;
  readonly pipelines: readonly PipelineTally[];
}

interface Counts {
  calls: number;
  examinable: number;
  verdicts: number;
  decided: number;
  first: number;
}

/**
 * Counts as it goes, and keeps some of the judgments, each as likely as any other (reservoir sampling, Vitter, ACM Transactions
 * on Mathematical Software 11:37, 1985).
 */
export function createLogTally(sample: number, seed: number) {
  const pipelines = new Map<string, Counts>();
  const left = new Map<string, number>();
  const kept: GivenRequest[] = [];
  const draw = createSeededDraw(seed);
  let calls = 0;
  let judgments = 0;
  let examinable = 0;
  let verdicts = 0;

  return {
    add({ given, subject, template, reason }: RequestReading): void {
      calls++;
      if (subject === null && (reason === 'no-case' || reason === null)) return;
      judgments++;
      const name = template ?? given.protocol;
      const counts = pipelines.get(name) ?? { calls: 0, examinable: 0, verdicts: 0, decided: 0, first: 0 };
      pipelines.set(name, counts);
      counts.calls++;
      if (subject === null) return void left.set(reason ?? '', (left.get(reason ?? '') ?? 0) + 1);
      counts.examinable++;
      examinable++;
      if (kept.length < sample) kept.push(given);
      else {
        const place = draw(examinable);
        if (place < sample) kept[place] = given;
      }
      if (given.reply === null) return;
      const verdict = readVerdict(given.reply, subject.form, subject.options);
      if (isNone(verdict)) return;
      verdicts++;
      counts.verdicts++;
      const winner = subject.options.length > 1 ? winnerOf(verdict) : null;
      if (typeof winner !== 'number') return;
      counts.decided++;
      if (winner === 0) counts.first++;
    },
    /** The judgments that were kept. */
    sample: (): readonly GivenRequest[] => kept,
    tell: (): LogTally => ({
      ...{ calls, judgments, examinable, verdicts },
      left_alone: Object.fromEntries([...left].sort(([, a], [, b]) => b - a)),
      pipelines: [...pipelines]
        .sort(([, a], [, b]) => b.calls - a.calls)
        .map(([name, { decided, first, ...counts }]) => ({
          name,
          ...counts,
          first_wins:
            decided === 0
              ? null
              : { n: decided, share: first / decided, interval: shareInterval(first, decided) },
        })),
    }),
  };
}

function shareInterval(count: number, of: number): Interval | null {
  const found = wilson(count, of);
  return 'low' in found ? found : null;
}
