/** What came of distilling, counted while the rows go by: kept and dropped, how often the teacher was right, lengths. */

import * as z from 'zod';
import type { DistilReport } from '../../report/index.ts';
import { wilson } from '../../stats/index.ts';
import { type DetectorExample, detectorExample, formatCompletion, SPLITS } from '../label-pairs.ts';
import type { DatasetSplit } from './groups.ts';
import { type TeacherAttempt, teacherAttempt } from './teach.ts';

// What became of a row: an example, or dropped for a reason.

/** Why rows are dropped, in the order in which reports list them. */
const DROP_REASONS = [
  'teacher wrong',
  'unreadable',
  'refused',
  'cut off',
  'no reasoning',
  'label leaked',
  'failed',
  'duplicate',
  'balance',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

const attempts = z.array(teacherAttempt);

/** A line of dropped.jsonl. */
const droppedRow = z.object({
  id: z.string(),
  base: z.string(),
  bias_category: z.string(),
  llm_judge_model: z.string(),
  bias_label: z.enum(['Yes', 'No']),
  reason: z.enum(DROP_REASONS),
  /** Id of the row that a duplicate repeats; null for the others. */
  repeats: z.string().nullable(),
  /** What the teacher made of it; empty where it was not asked. */
  attempts,
});
export type DroppedRow = z.output<typeof droppedRow>;

/** A row on its way to the files. */
export const fate = z.union([
  z.object({ example: detectorExample, attempts }),
  z.object({ dropped: droppedRow }),
]);
export type Fate = z.output<typeof fate>;

// Token lengths as they go by: a count for each length, so that every figure is exact and memory stays small.

/** Context lengths that detectors are trained with: rows beyond them are cut, or left out. */
const LENGTH_LIMITS = [3584, 4096] as const;

interface LengthTally {
  add(length: number): void;
  figures(): DistilReport['token_lengths']['both'];
}

export function createLengthTally(): LengthTally {
  const counts = new Map<number, number>();
  return {
    add(length) {
      counts.set(length, (counts.get(length) ?? 0) + 1);
    },
    figures() {
      const sorted = [...counts].toSorted(([a], [b]) => a - b);
      const n = sorted.reduce((sum, [, count]) => sum + count, 0);
      const rank = (share: number) => {
        let seen = 0;
        for (const [length, count] of sorted) {
          seen += count;
          if (seen >= share * n) return length;
        }
        return null;
      };
      const over = LENGTH_LIMITS.map((limit): [string, number] => [
        `${limit}`,
        sorted.reduce((sum, [length, count]) => sum + (length > limit ? count : 0), 0),
      ]);
      return {
        n,
        p50: rank(0.5),
        p95: rank(0.95),
        max: sorted.at(-1)?.[0] ?? null,
        over: Object.fromEntries(over),
      };
    },
  };
}

export type { DistilReport };
export type DistilCounts = DistilReport['by_bias'][string];
type Accuracy = NonNullable<DistilReport['teacher']>['accuracy'][number];

export interface ReportSettings {
  readonly teacher: { readonly name: string; readonly labelShown: boolean } | null;
  readonly tokens: { readonly encoding: string; count(text: string): number };
}

interface DistilTally {
  /** What the teacher made of a row, kept or not. */
  taught(row: { readonly bias_category: string }, attempts: readonly TeacherAttempt[]): void;
  kept(example: DetectorExample): void;
  dropped(row: DroppedRow): void;
  report(): DistilReport;
}

export function createDistilTally({ teacher, tokens }: ReportSettings): DistilTally {
  const all = createCounts();
  const by = { by_bias: createGrouped(), by_label: createGrouped(), by_judge: createGrouped() };
  const splits = Object.fromEntries(SPLITS.map((split) => [split, { rows: 0, yes: 0, no: 0 }])) as Record<
    DatasetSplit,
    { rows: number; yes: number; no: number }
  >;
  const firsts = new Map<string, { n: number; unread: number; right: number }>();
  const outcomes: Record<string, number> = {};
  const attemptsOfKept: Record<string, number> = {};
  const lengths = { prompt: createLengthTally(), completion: createLengthTally(), both: createLengthTally() };
  const count = (row: DetectorExample | DroppedRow, reason: DropReason | null) => {
    all.add(reason);
    by.by_bias.add(row.bias_category, reason);
    by.by_label.add(row.bias_label, reason);
    by.by_judge.add(row.llm_judge_model, reason);
  };
  return {
    taught({ bias_category }, attempts) {
      for (const { outcome } of attempts) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      const last = attempts.at(-1)?.outcome;
      if (last === 'right') attemptsOfKept[attempts.length] = (attemptsOfKept[attempts.length] ?? 0) + 1;
      const [first] = attempts;
      if (!first || first.outcome === 'failed') return;
      const counts = firsts.get(bias_category) ?? { n: 0, unread: 0, right: 0 };
      firsts.set(bias_category, counts);
      counts.n++;
      if (first.label === null) counts.unread++;
      else if (first.outcome !== 'wrong') counts.right++;
    },
    kept(example) {
      count(example, null);
      const split = splits[example.split];
      split.rows++;
      split[example.bias_label === 'Yes' ? 'yes' : 'no']++;
      const prompt = tokens.count(example.prompt);
      const completion = tokens.count(formatCompletion(example));
      lengths.prompt.add(prompt);
      lengths.completion.add(completion);
      lengths.both.add(prompt + completion);
    },
    dropped(row) {
      count(row, row.reason);
    },
    report: () => ({
      ...all.counted(),
      by_bias: by.by_bias.counted(),
      by_label: by.by_label.counted(),
      by_judge: by.by_judge.counted(),
      splits,
      teacher: teacher && {
        name: teacher.name,
        label_shown: teacher.labelShown,
        accuracy: accuracyOf(firsts),
        outcomes,
        attempts_of_kept: attemptsOfKept,
      },
      token_lengths: {
        encoding: tokens.encoding,
        prompt: lengths.prompt.figures(),
        completion: lengths.completion.figures(),
        both: lengths.both.figures(),
      },
    }),
  };
}

/** By bias, and all together where there are several. */
function accuracyOf(firsts: ReadonlyMap<string, { n: number; unread: number; right: number }>): Accuracy[] {
  const each = [...firsts].map(([bias, counts]) => ({ bias, ...counts }));
  const sum = { bias: 'all', n: 0, unread: 0, right: 0 };
  for (const { n, unread, right } of each) {
    sum.n += n;
    sum.unread += unread;
    sum.right += right;
  }
  return (each.length > 1 ? [...each, sum] : each).map((one) => {
    const read = one.n - one.unread;
    return {
      ...one,
      share: read === 0 ? null : one.right / read,
      interval: wilson(one.right, read),
    };
  });
}

function createCounts() {
  let rows = 0;
  let kept = 0;
  const dropped: Record<string, number> = {};
  return {
    add(reason: DropReason | null) {
      rows++;
      if (reason === null) kept++;
      else dropped[reason] = (dropped[reason] ?? 0) + 1;
    },
    counted: (): DistilCounts => ({ rows, kept, dropped }),
  };
}

function createGrouped() {
  const groups = new Map<string, ReturnType<typeof createCounts>>();
  return {
    add(name: string, reason: DropReason | null) {
      const counts = groups.get(name) ?? createCounts();
      groups.set(name, counts);
      counts.add(reason);
    },
    counted: (): Record<string, DistilCounts> =>
      Object.fromEntries([...groups].map(([name, counts]) => [name, counts.counted()])),
  };
}
