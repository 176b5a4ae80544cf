/**
 * Distilling a teacher: labelled verdicts become examples a detector learns from (arXiv 2505.17100 §3.2). A teacher's
 * reasoning is kept only where it came to the true label; the examples are balanced, split by base item, and written
 * in the order of the rows. What is dropped is listed with its reason.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endsRun, type Model, type RunOptions, runAll } from '../models/index.ts';
import { formatJsonLine, readJsonl, writeJsonl, writeWhole } from '../records/node.ts';
import type { ResultOrigin } from '../report/index.ts';
import {
  createDistilTally,
  type DistilReport,
  type DroppedRow,
  type DropReason,
  type Fate,
  fate,
  type ReportSettings,
} from './distil/distil-report.ts';
import { assignSplit, type Balance, createBalancer, type Shares } from './distil/groups.ts';
import { openNotes } from './distil/similar.ts';
import { type DistilSurvey, renderRowPrompt } from './distil/survey-rows.ts';
import { type Lesson, type TeacherAttempt, teach } from './distil/teach.ts';
import type { DetectorExample, LabelledRow } from './label-pairs.ts';

export interface DistilSettings {
  /** Written into the report. */
  readonly origin: ResultOrigin;
  /** Null for labels without reasons: nobody is asked, and every row is kept. */
  readonly teacher: Model | null;
  readonly showLabel: boolean;
  /** How often the teacher is asked about one row until it is right, 1 or more. */
  readonly attempts: number;
  readonly balance: Balance;
  readonly shares: Shares;
  /** Of balance and split. */
  readonly seed: number;
  readonly tokens: ReportSettings['tokens'];
}

/** Names of what a distilled folder holds. */
export const listDistilFiles = (folder: string) => ({
  train: join(folder, 'train.jsonl'),
  validation: join(folder, 'validation.jsonl'),
  test: join(folder, 'test.jsonl'),
  dropped: join(folder, 'dropped.jsonl'),
  report: join(folder, 'report.json'),
});

/**
 * @param rows the same rows, in the same order, as the survey was made of
 * @param folder gets the files, all of them or none
 * @throws BudgetError, JudgeError where the teacher's endpoint will answer no row, or the signal's reason
 */
export async function distil(
  rows: AsyncIterable<LabelledRow>,
  surveyed: DistilSurvey,
  folder: string,
  settings: DistilSettings,
  run: RunOptions,
): Promise<DistilReport> {
  // What is kept is known only when every row has been answered, and is too much to hold in memory.
  const waiting = join(folder, 'answered.jsonl.partial');
  using notes = openNotes();
  const balancing = createBalancer(notes, settings.balance, settings.seed);
  try {
    await writeJsonl(waiting, decideFates(rows, surveyed, settings, run, balancing.add));
    return await writeExamples(waiting, folder, balancing.cut(), settings);
  } finally {
    await rm(waiting, { force: true });
  }
}

/** One fate a row, in the order of the rows, before balancing. */
async function* decideFates(
  rows: AsyncIterable<LabelledRow>,
  surveyed: DistilSurvey,
  settings: DistilSettings,
  run: RunOptions,
  onKept: (index: number, row: LabelledRow) => void,
): AsyncGenerator<Fate> {
  const { teacher, showLabel, attempts, shares, seed } = settings;
  const work = async ({ row, repeats }: NumberedRow, signal: AbortSignal): Promise<Lesson | null> =>
    teacher === null || repeats !== null
      ? null
      : teach(row, renderRowPrompt(row), { teacher, showLabel, attempts }, signal);
  const results = runAll(numberRows(rows, surveyed), work, { ...run, fatal: endsRun });
  for await (const result of results) {
    if ('error' in result) throw result.error;
    const { row, repeats } = result.item;
    const lesson = result.value;
    const last = lesson?.attempts.at(-1);
    if (repeats !== null) yield { dropped: droppedOf(row, 'duplicate', repeats, []) };
    else if (lesson && last && last.outcome !== 'right')
      yield {
        dropped: droppedOf(
          row,
          last.outcome === 'wrong' ? 'teacher wrong' : last.outcome,
          null,
          lesson.attempts,
        ),
      };
    else {
      onKept(result.index, row);
      const example: DetectorExample = {
        ...row,
        prompt: renderRowPrompt(row),
        reasoning: lesson?.reasoning ?? null,
        teacher: teacher?.name ?? null,
        split: assignSplit(surveyed.groups.rootOf(row.base), shares, seed),
      };
      yield { example, attempts: [...(lesson?.attempts ?? [])] };
    }
  }
}

interface NumberedRow {
  readonly row: LabelledRow;
  readonly repeats: string | null;
}

async function* numberRows(
  rows: AsyncIterable<LabelledRow>,
  { duplicates }: DistilSurvey,
): AsyncGenerator<NumberedRow> {
  let index = 0;
  for await (const row of rows) yield { row, repeats: duplicates.get(index++) };
}

async function writeExamples(
  waiting: string,
  folder: string,
  cut: { has(index: number): boolean },
  settings: DistilSettings,
): Promise<DistilReport> {
  const { teacher, showLabel, tokens, origin } = settings;
  const tally = createDistilTally({
    teacher: teacher && { name: teacher.name, labelShown: showLabel },
    tokens,
  });
  return writeWhole(listDistilFiles(folder), async (files) => {
    let index = 0;
    for await (const one of readJsonl(waiting, fate)) {
      const { attempts } = 'dropped' in one ? one.dropped : one;
      const row = 'dropped' in one ? one.dropped : one.example;
      tally.taught(row, attempts);
      if ('example' in one && !cut.has(index)) {
        tally.kept(one.example);
        await files[one.example.split].write(formatJsonLine(one.example));
      } else {
        const dropped = 'dropped' in one ? one.dropped : droppedOf(one.example, 'balance', null, attempts);
        tally.dropped(dropped);
        await files.dropped.write(formatJsonLine(dropped));
      }
      index++;
    }
    const report = tally.report();
    await files.report.write(`${JSON.stringify({ ...report, origin }, null, 2)}\n`);
    return report;
  });
}

function droppedOf(
  { id, base, bias_category, llm_judge_model, bias_label }: LabelledRow,
  reason: DropReason,
  repeats: string | null,
  attempts: readonly TeacherAttempt[],
): DroppedRow {
  const row = { id, base, bias_category, llm_judge_model, bias_label };
  return { ...row, reason, repeats, attempts: [...attempts] };
}
