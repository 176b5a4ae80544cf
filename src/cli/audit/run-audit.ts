/** Runs the plan of an audit from the command line: models, files, progress, and what was paid. */

import { join } from 'node:path';
import * as z from 'zod';
import { type AuditJudge, type AuditPlan, isFailed, runPlan } from '../../audit/index.ts';
import type { Bias } from '../../bias/index.ts';
import { InputError } from '../../errors.ts';
import { INJECTED } from '../../evaluate/index.ts';
import { type WholeFile, writeWhole } from '../../records/node.ts';
import { claimOutput, overwriteOption } from '../claim-output.ts';
import {
  asList,
  asText,
  atMost,
  type CommandCall,
  type CommandOption,
  concurrency,
  needed,
  optional,
} from '../command.ts';
import { modelOptions, withModels } from '../model-arguments.ts';
import { checkNames, type Models, readModelSpec } from '../open-models.ts';
import { describeResult, writeResult } from '../result-origin.ts';

/** What every audit that runs a plan can be told. */
export const planOptions = {
  judge: needed(
    asList(';'),
    '[name=][protocol:]model@url[#KEY_VARIABLE], such as gpt-4o-mini@https://api.openai.com; several with ;',
  ),
  out: needed(asText, 'folder to write to'),
  limit: atMost('at most this many rows, of each dataset where there are several'),
  concurrency: concurrency('16', 'rows, and judgments, at a time'),
  ...modelOptions,
  ...overwriteOption,
};

type PlanCall = Pick<CommandCall<typeof planOptions>, 'args' | 'texts' | 'defaults' | 'print' | 'origin'>;

/** `--biases`: those of the catalogue that are put into cases. @throws InputError naming the word that is none of them */
export function readInjected(words: readonly string[]): Bias[] {
  return words.map((word) => {
    const bias = INJECTED.find(({ name }) => name === word);
    if (!bias)
      throw new InputError(
        '--biases',
        `"${word}" is none of those that can be put into a case: ${INJECTED.map(({ name }) => name).join(', ')}`,
      );
    return bias;
  });
}

/** The settings of an audit as options of its command: the schema says what each may be, and how it is described. */
export function describeSettings<S extends z.ZodObject>(
  schema: S,
): { readonly [Name in keyof S['shape']]: CommandOption<z.output<S['shape'][Name]>> } {
  const options = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>).map(
    ([name, setting]) => {
      const value: unknown = setting instanceof z.ZodDefault ? setting.def.defaultValue : undefined;
      const read = (text: string, option: string) => {
        const { data, error } = setting.safeParse(text);
        if (error) throw new InputError(option, error.issues[0]?.message ?? 'cannot be read');
        return data;
      };
      const described = optional(read, setting.description ?? '');
      // A list is written with commas between its words, and so it is as text.
      return [name, value === undefined ? described : { ...described, default: String(value) }];
    },
  );
  return Object.fromEntries(options);
}

interface AuditRun<
  Row extends { readonly id: string },
  Entry extends object,
  Report extends object,
  File extends string,
> {
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
  /** Whether anything could be compared. */
  measured(report: Report): boolean;
  /** What is said below the result. */
  notes?(report: Report): readonly string[];
}

type AuditFiles<File extends string> = Readonly<Record<File, WholeFile>>;

/** Sets the exit code where nothing came, or nothing that could be compared. A dry run ends here. */
export async function runAudit<
  Row extends { readonly id: string },
  Entry extends object,
  Report extends object,
  File extends string,
>(
  { args, texts, defaults, print, ...call }: PlanCall,
  { noun, total, files, open, rows, write, measured, notes }: AuditRun<Row, Entry, Report, File>,
): Promise<void> {
  const { concurrency } = args;
  const path = join(args.out, 'result.json');
  await claimOutput({ path, command: `audit of ${noun}`, args: texts, defaults, option: '--out' });
  const known = typeof total === 'function' ? await total() : total;
  let [count, failed] = [0, 0];
  let found: Report | null = null;
  const ask = async (models: Models, signal: AbortSignal) => {
    [count, failed] = [0, 0];
    const judges = args.judge.map((spec): AuditJudge => {
      const { name, protocol } = readModelSpec(spec, '--judge');
      return { name, protocol, open: (more) => models.open(spec, '--judge', more) };
    });
    checkNames(
      judges.map(({ name }) => name),
      '--judge',
    );
    const plan = await open(judges, models);
    const tally = plan.createTally();
    const progress = models.progress(noun, known);
    const out = await models.folder(args.out);
    const paths = Object.fromEntries(files.map((name) => [name, join(out, `${name}.jsonl`)])) as Record<
      File,
      string
    >;
    await writeWhole(paths, async (to) => {
      for await (const entry of runPlan(plan, rows(signal, to), { concurrency, signal })) {
        await write(entry, to);
        tally.add(entry);
        if (!('error' in entry)) continue;
        count++;
        if (isFailed(entry)) failed++;
        progress(count, failed > 0 ? `${failed} failed` : '');
      }
    });
    found = tally.report();
  };
  await withModels({ ...args, folder: args.out }, ask, async (paid) => {
    if (found === null) throw new RangeError('the run ended without a report');
    const report: Report = found;
    if (failed === count || !measured(report)) process.exitCode = 1;
    const origin = await writeResult(path, report, await call.origin());
    const again = failed > 0 ? ' (start again to retry them)' : '';
    const { calls, tokens } = paid;
    const spent = `${count} ${noun}, ${failed} failed${again}; ${calls} calls, ${tokens.input} tokens in, ${tokens.output} out`;
    const below = [...(notes?.(report) ?? []), spent, path];
    print(
      { ...report, ...paid },
      async () => `${await describeResult(report)}\n${below.join('\n')}\n`,
      origin,
    );
  });
}
