/** `remand eval judge --in …`: live judges on D and D_bias, one arm beside the other over the same first verdicts. */
import { join } from 'node:path';
import { readPairs } from '../../dataset/index.ts';
import { InputError } from '../../errors.ts';
import {
  ARMS,
  type ArmName,
  type ArmSummary,
  createArm,
  createArmTally,
  runArms,
} from '../../evaluate/index.ts';
import { type Prices, prices } from '../../models/index.ts';
import { systemClock } from '../../ports.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import { parseJsonObject, parseOneOf, readTextOption, runInterruptible, takeFirst } from '../arguments.ts';
import { type ModelArguments, withModels } from '../model-arguments.ts';
import { showProgress } from '../progress.ts';

interface ArmsOptions extends Omit<ModelArguments, 'store' | 'keyVariable'> {
  /** Folder with d.jsonl and d_bias.jsonl. */
  readonly in: string;
  /** Specifications, with `;` between them. */
  readonly judge: string;
  readonly arms: string;
  readonly rounds: number;
  readonly limit: number;
  readonly concurrency: number;
  readonly detectorModel: string | undefined;
  /** Of the samples of `majority-…`. */
  readonly temperature: string;
  readonly store: string | undefined;
  /** Path of a JSON file of prices. */
  readonly prices: string | undefined;
}

interface ArmsResult {
  readonly arms: readonly ArmSummary[];
  readonly calls: number;
  readonly records: string;
}

export async function compareArms(options: ArmsOptions): Promise<ArmsResult> {
  const listed = options.arms.split(',').map((name) => parseOneOf<ArmName>('--arms', name.trim(), ARMS));
  const names = [...new Set(listed)];
  const store = options.store ?? join(options.in, 'calls.sqlite');
  const records = join(options.in, 'judgments.jsonl');
  const tally = createArmTally(
    options.rounds,
    options.prices === undefined ? null : readPrices(options.prices),
  );
  const progress = showProgress('pairs', null);
  let done = 0;
  const spend = await withModels({ ...options, store, keyVariable: 'JUDGE_API_KEY' }, async (models) => {
    const specs = options.judge.split(';').map((spec) => spec.trim());
    const judges = await Promise.all(specs.map((spec) => models.open(spec, '--judge')));
    const detector =
      options.detectorModel === undefined
        ? null
        : await models.open(options.detectorModel, '--detector-model');
    if (new Set(judges.map(({ name }) => name)).size < judges.length)
      throw new InputError('--judge', 'has two judges of one name; tell them apart as name=model@url');
    const samplers = await Promise.all(
      specs.map((spec) => models.open(spec, '--judge', { temperature: Number(options.temperature) })),
    );
    await runInterruptible((signal) =>
      writeWhole({ records }, async (files) => {
        for (const [index, judge] of judges.entries()) {
          const sampling = samplers[index] ?? null;
          const tools = { rounds: options.rounds, clock: systemClock, detector, sampling };
          const arms = names.map((name) => createArm(name, tools));
          const pairs = takeFirst(readPairs(options.in), options.limit);
          for await (const group of runArms(pairs, [judge], arms, {
            concurrency: options.concurrency,
            signal,
            clock: systemClock,
          })) {
            tally.add(group);
            for (const { ms: _, ...record } of group) await files.records.write(formatJsonLine(record));
            progress.update(++done);
          }
        }
      }),
    );
  }).finally(() => progress.stop());
  return { arms: tally.summaries(), calls: spend.calls, records };
}

function readPrices(path: string): Prices {
  const option = '--prices';
  const read = prices.safeParse(parseJsonObject(option, readTextOption(path, option)));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new InputError(
    option,
    `${path}: ${issue?.path.join('.')}: ${issue?.message}; it is {"model": {"input": …, "output": …}}, per million tokens`,
  );
}
