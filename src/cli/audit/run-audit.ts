/** Runs the plan of an audit from the command line: models, files, progress, and what was paid. */

import { join } from 'node:path';
import { type AuditJudge, type AuditPlan, isFailed, runPlan } from '../../audit/index.ts';
import type { Spend } from '../../models/index.ts';
import { type WholeFile, writeWhole } from '../../records/node.ts';
import type { ResultOrigin } from '../../report/index.ts';
import { parseWholeNumber, runInterruptible } from '../arguments.ts';
import { claimOutput, overwriteArgument } from '../claim-output.ts';
import { checkNames } from '../dataset/dataset-judge.ts';
import { type ModelArguments, modelArguments, withModels } from '../model-arguments.ts';
import { type Models, readModelSpec } from '../open-models.ts';
import { formatResult, keepDate } from '../result-origin.ts';

/** What every audit that runs a plan can be told. */
export const planArguments = {
  judge: {
    type: 'string',
    required: true,
    description: '[name=][protocol:]model@url[#KEY_VARIABLE]; several with ;',
  },
  out: { type: 'string', required: true, description: 'folder to write to' },
  limit: { type: 'string', description: 'at most so many rows, of each dataset where there are several' },
  concurrency: { type: 'string', default: '16', description: 'rows, and judgments, at a time' },
  ...modelArguments,
  ...overwriteArgument,
  json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
} as const;

type PlanArguments = Omit<ModelArguments, 'store' | 'keyVariable'> & {
  readonly judge: string;
  readonly out: string;
  readonly concurrency: string;
  readonly store?: string | undefined;
};

interface AuditRun<
  Row extends { readonly id: string },
  Entry extends object,
  Report extends object,
  File extends string,
> {
  readonly origin: ResultOrigin;
  /** What is counted: `reviews`. */
  readonly noun: string;
  /** How many there will be; null where that is not known. */
  readonly total: number | null | (() => Promise<number>);
  /** Of the files that are written, without their `.jsonl`. */
  readonly files: readonly File[];
  /** With `--via batch` all of this may begin several times. */
  open(judges: readonly AuditJudge[], models: Models): Promise<AuditPlan<Row, Entry, Report>>;
  rows(signal: AbortSignal, files: AuditFiles<File>): AsyncIterable<Row>;
  write(entry: Entry, files: AuditFiles<File>): Promise<void>;
  print(outcome: AuditOutcome<Report>): void;
}

type AuditFiles<File extends string> = Readonly<Record<File, WholeFile>>;

interface AuditOutcome<Report> extends Pick<Spend, 'calls' | 'tokens'> {
  readonly report: Report;
  readonly origin: ResultOrigin;
  /** Records of calls; those that make none are not counted. */
  readonly count: number;
  readonly failed: number;
}

export function listJudges(judge: string): string[] {
  return judge.split(';').map((spec) => spec.trim());
}

/** Sets the exit code where nothing came. A dry run ends here. */
export async function runAudit<
  Row extends { readonly id: string },
  Entry extends object,
  Report extends object,
  File extends string,
>(
  args: PlanArguments,
  { origin, noun, total, files, open, rows, write, print }: AuditRun<Row, Entry, Report, File>,
): Promise<void> {
  const concurrency = parseWholeNumber('--concurrency', args.concurrency, 1, 1024);
  const written = { path: join(args.out, 'result.json'), option: '--out' };
  await claimOutput({ ...written, command: `audit of ${noun}`, args: { ...args } });
  const store = args.store ?? join(args.out, 'calls.sqlite');
  const known = typeof total === 'function' ? await total() : total;
  let [count, failed] = [0, 0];
  let found: Report | null = null;
  const ask = async (models: Models) => {
    [count, failed] = [0, 0];
    const judges = listJudges(args.judge).map((spec): AuditJudge => {
      const { name, protocol } = readModelSpec(spec, '--judge');
      return { name, protocol, open: (more) => models.open(spec, '--judge', more) };
    });
    checkNames(judges.map(({ name }) => name));
    const plan = await open(judges, models);
    const tally = plan.createTally();
    const progress = models.progress(noun, known);
    const out = await models.folder(args.out);
    const paths = Object.fromEntries(files.map((name) => [name, join(out, `${name}.jsonl`)])) as Record<
      File,
      string
    >;
    await runInterruptible((signal) =>
      writeWhole(paths, async (to) => {
        for await (const entry of runPlan(plan, rows(signal, to), { concurrency, signal })) {
          await write(entry, to);
          tally.add(entry);
          if (!('error' in entry)) continue;
          count++;
          if (isFailed(entry)) failed++;
          progress(count, failed > 0 ? `${failed} failed` : '');
        }
      }),
    );
    found = tally.report();
  };
  await withModels({ ...args, store, keyVariable: 'JUDGE_API_KEY' }, ask, async (paid) => {
    if (found === null) throw new RangeError('the run ended without a report');
    const report: Report = found;
    if (failed === count) process.exitCode = 1;
    const kept = keepDate(written.path, report, origin);
    const text = formatResult(report, kept);
    await writeWhole({ result: written.path }, ({ result }) => result.write(text));
    print({ report, origin: kept, count, failed, ...paid });
  });
}
