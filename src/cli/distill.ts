/** `remand distill`: a teacher's reasoning for labelled verdicts, checked, balanced and split, to train a detector. */

import { stat } from 'node:fs/promises';
import {
  BALANCES,
  type DistilReport,
  type DistilSettings,
  distil,
  labelledRow,
  listDatasetFiles,
  listDistilFiles,
  type Shares,
  surveyRows,
} from '../dataset/index.ts';
import { describeError, InputError } from '../errors.ts';
import { readJsonl } from '../records/node.ts';
import { takeFirst } from './arguments.ts';
import { claimOutput, overwriteOption } from './claim-output.ts';
import {
  asOneOf,
  asText,
  asWhole,
  atMost,
  concurrency,
  createCommand,
  flag,
  needed,
  optional,
  usual,
} from './command.ts';
import { modelOptions, withModels } from './model-arguments.ts';
import { readModelSpec } from './open-models.ts';
import { loadTokenCounter } from './process-setup.ts';
import { showProgress } from './progress.ts';
import { describeResult } from './result-origin.ts';

export const distillCommand = createCommand(
  {
    in: needed(asText, 'labels.jsonl, or the folder it stands in'),
    out: needed(asText, 'folder to write to'),
    teacher: needed(asText, '[name=][protocol:]model@url[#KEY_VARIABLE], or none: labels without reasons'),
    'show-label': flag('tell the teacher the true label; reasoning that gives that away is thrown out'),
    attempts: usual(asWhole(1, 100), '1', 'how often a row is asked about until it is right'),
    balance: usual(asOneOf(BALANCES), 'none', BALANCES.join(', ')),
    splits: usual(asShares, '80/10/10', 'shares of train, validation and test'),
    dedupe: usual(
      asResemblance,
      '0.9',
      'resemblance of cases from which one of them is dropped, above 0 and up to 1; none: keep all, on one side of the split',
    ),
    seed: usual(asWhole(0, 2 ** 31), '1', 'seed of --balance and --splits'),
    limit: atMost('at most this many rows'),
    concurrency: concurrency('16', 'rows worked on at a time'),
    'max-tokens': optional(asWhole(1, 1e7), 'longest answer, in tokens, reasoning included'),
    ...modelOptions,
    ...overwriteOption,
    // Several attempts are of use only where they differ, and reasoning models refuse a temperature.
    parameters: { ...modelOptions.parameters, default: '{}' },
  },
  async ({ args, texts, defaults, print, ...call }) => {
    const {
      limit,
      concurrency,
      attempts,
      dedupe,
      balance,
      splits: shares,
      seed,
      'show-label': showLabel,
    } = args;
    const origin = await call.origin();
    const settings: Omit<DistilSettings, 'teacher'> = {
      showLabel,
      attempts,
      origin,
      balance,
      shares,
      seed,
      tokens: await loadTokenCounter(),
    };
    const asks = args.teacher !== 'none';
    if (!asks && showLabel) throw new InputError('--show-label', 'there is no teacher to show it to');
    const path = await labelsIn(args.in);
    const rows = () => takeFirst(readJsonl(path, labelledRow), limit);
    const reading = showProgress('rows read', null);
    using surveyed = await surveyRows(counted(rows(), reading.update), dedupe)
      .catch((cause: unknown) => {
        if (cause instanceof InputError && !cause.field.startsWith(path))
          throw new InputError(path, cause.message);
        throw cause;
      })
      .finally(reading.stop);
    checkLabels(path, surveyed.labels);
    const made: { report?: DistilReport } = {};
    // Other rows make another run; with more attempts the same one goes on.
    const told = { ...texts, labels: path, attempts: undefined };
    const { report } = listDistilFiles(args.out);
    const parameters = { ...limitParameters(args.teacher, args['max-tokens']), ...args.parameters };
    await withModels(
      { ...args, folder: args.out, store: asks ? args.store : ':memory:', parameters },
      async (models, signal) => {
        const teacher = asks ? await models.open(args.teacher, '--teacher') : null;
        // Only now is it certain that something will be written.
        await claimOutput({ path: report, command: 'distill', args: told, defaults, option: '--out' });
        const out = await models.folder(args.out);
        const progress = models.progress('rows', surveyed.rows);
        const onProgress = ({ done }: { readonly done: number }) => progress(done);
        const run = { concurrency, signal, onProgress };
        made.report = await distil(rows(), surveyed, out, { ...settings, teacher }, run);
      },
      (paid) => {
        const { report } = made;
        if (!report) throw new RangeError('nothing was distilled');
        print(
          { ...report, ...paid },
          async () => `${await describeResult(report)}\nWritten to ${args.out}.\n`,
          origin,
        );
      },
    );
  },
);

/** @param told how many there were so far */
async function* counted<T>(all: AsyncIterable<T>, told: (done: number) => void): AsyncGenerator<T> {
  let done = 0;
  for await (const one of all) {
    yield one;
    told(++done);
  }
}

/** Other names of the limit, such as `max_completion_tokens`, go into --parameters. */
function limitParameters(teacher: string, longest: number | undefined): Record<string, number> {
  if (longest === undefined || teacher === 'none') return {};
  return { [readModelSpec(teacher, '--teacher').protocol.capabilities.maxTokens]: longest };
}

async function labelsIn(path: string): Promise<string> {
  const found = await stat(path).catch((cause: Error) => {
    throw new InputError('--in', `${path} cannot be read: ${describeError(cause)}`);
  });
  return found.isDirectory() ? listDatasetFiles(path).labels : path;
}

function asShares(text: string, option: string): Shares {
  const shares = text.split('/').map((one) => (one.trim() === '' ? Number.NaN : Number(one)));
  const [train, validation, test] = shares;
  const known = shares.length === 3 && shares.every((share) => Number.isFinite(share) && share >= 0);
  if (!known || train === undefined || validation === undefined || test === undefined || train <= 0)
    throw new InputError(option, `must be three shares such as 80/10/10, the first above 0, not "${text}"`);
  return [train, validation, test];
}

function asResemblance(text: string, option: string): number | null {
  if (text === 'none') return null;
  const share = Number(text);
  if (!(share > 0 && share <= 1))
    throw new InputError(option, `must be above 0 and at most 1, or none, not "${text}"`);
  return share;
}

/** A detector that has seen one label alone says nothing else. */
function checkLabels(path: string, { Yes: yes, No: no }: Readonly<Record<'Yes' | 'No', number>>): void {
  if (yes > 0 && no > 0) return;
  const missing = yes === 0 ? 'Yes (biased)' : 'No (not biased)';
  throw new InputError(
    path,
    `none of its ${yes + no} rows is labelled ${missing}, and a detector is learned from both; ` +
      'take other judges, more items or other biases (remand dataset judge, remand dataset label)',
  );
}
