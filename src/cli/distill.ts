/** `remand distill`: a teacher's reasoning for labelled verdicts, checked, balanced and split, to train a detector. */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defineCommand } from 'citty';
import {
  BALANCES,
  type DistilCounts,
  type DistilReport,
  type DistilSettings,
  distil,
  labelledRow,
  listDatasetFiles,
  type Shares,
  surveyRows,
} from '../dataset/index.ts';
import { InputError } from '../errors.ts';
import type { Model } from '../models/index.ts';
import { readJsonl } from '../records/node.ts';
import {
  parseJsonObject,
  parseOneOf,
  parseWholeNumber,
  readLimit,
  runInterruptible,
  takeFirst,
} from './arguments.ts';
import { modelArguments, withModels } from './model-arguments.ts';
import { readModelSpec } from './open-models.ts';
import { loadOptional } from './process-setup.ts';
import { describeOrigin, formatResult } from './result-origin.ts';
import { print } from './terminal.ts';

export const distillCommand = defineCommand({
  args: {
    in: { type: 'string', required: true, description: 'labels.jsonl, or the folder it stands in' },
    out: { type: 'string', required: true, description: 'folder to write to' },
    teacher: {
      type: 'string',
      required: true,
      description: '[name=][protocol:]model@url[#KEY_VARIABLE], or none: labels without reasons',
    },
    'show-label': {
      type: 'boolean',
      default: false,
      description: 'tell the teacher the true label; reasoning that gives that away is thrown out',
    },
    attempts: {
      type: 'string',
      default: '1',
      description: 'how often a row is asked about until it is right',
    },
    balance: { type: 'string', default: 'none', description: BALANCES.join(', ') },
    splits: { type: 'string', default: '80/10/10', description: 'shares of train, validation and test' },
    dedupe: {
      type: 'string',
      default: '0.9',
      description:
        'resemblance of cases from which one of them is dropped, above 0 and up to 1; none: keep all',
    },
    seed: { type: 'string', default: '1', description: 'seed of --balance and --splits' },
    limit: { type: 'string', description: 'at most so many rows' },
    concurrency: { type: 'string', default: '16', description: 'rows worked on at a time' },
    'max-tokens': { type: 'string', description: 'longest answer, in tokens, reasoning included' },
    ...modelArguments,
    // Several attempts are of use only where they differ, and reasoning models refuse a temperature.
    parameters: { ...modelArguments.parameters, default: '{}' },
    json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
  },
  async run(context) {
    const { args } = context;
    const origin = await describeOrigin('distill', context);
    const { countTokens, setMergeCacheSize } = await loadOptional(
      'gpt-tokenizer',
      () => import('gpt-tokenizer/encoding/o200k_base'),
    );
    const limit = readLimit(args.limit);
    const concurrency = parseWholeNumber('--concurrency', args.concurrency, 1, 1024);
    const attempts = parseWholeNumber('--attempts', args.attempts, 1, 100);
    const showLabel = args['show-label'];
    const settings: Omit<DistilSettings, 'teacher'> = {
      ...{ showLabel, attempts, origin },
      balance: parseOneOf('--balance', args.balance, BALANCES),
      shares: readShares(args.splits),
      seed: parseWholeNumber('--seed', args.seed, 0, 2 ** 31),
      tokens: {
        encoding: 'o200k_base',
        count: (text) => countTokens(text, { disallowedSpecial: new Set() }),
      },
    };
    // It remembers the tokens of words, by default of 100,000: tens of MiB, filled only by long runs.
    setMergeCacheSize(10_000);
    const dedupe = readDedupe(args.dedupe);
    const asks = args.teacher !== 'none';
    if (!asks && showLabel) throw new InputError('--show-label', 'there is no teacher to show it to');
    const parameters = parseJsonObject('--parameters', args.parameters);
    const longest =
      args['max-tokens'] === undefined ? null : parseWholeNumber('--max-tokens', args['max-tokens'], 1, 1e7);

    const path = await labelsIn(args.in);
    const rows = () => takeFirst(readJsonl(path, labelledRow), limit);
    using surveyed = await surveyRows(rows(), dedupe).catch((cause: unknown) => {
      if (cause instanceof InputError && !cause.field.startsWith(path))
        throw new InputError(path, cause.message);
      throw cause;
    });
    checkLabels(path, surveyed.labels);
    const made: { report?: DistilReport } = {};
    const run = async (teacher: Model | null, out: string, progress: (done: number) => void) => {
      made.report = await runInterruptible((signal) =>
        distil(
          rows(),
          surveyed,
          out,
          { ...settings, teacher },
          { concurrency, signal, onProgress: ({ done }) => progress(done) },
        ),
      );
    };
    const store = args.store ?? join(args.out, 'calls.sqlite');
    const all = JSON.stringify({ ...limited(args.teacher, longest), ...parameters });
    await withModels(
      { ...args, store: asks ? store : ':memory:', parameters: all, keyVariable: 'JUDGE_API_KEY' },
      async (models) =>
        run(
          asks ? await models.open(args.teacher, '--teacher') : null,
          await models.folder(args.out),
          models.progress('rows', surveyed.rows),
        ),
      (paid) => {
        if (!made.report) throw new RangeError('nothing was distilled');
        print(
          args.json
            ? formatResult({ ...made.report, ...paid }, origin)
            : `${describeDistillation(made.report, args.out)}\n`,
        );
      },
    );
  },
});

/** Other names of the limit, such as `max_completion_tokens`, go into --parameters. */
function limited(teacher: string, longest: number | null): Record<string, number> {
  if (longest === null || teacher === 'none') return {};
  return { [readModelSpec(teacher, '--teacher').protocol.capabilities.maxTokens]: longest };
}

async function labelsIn(path: string): Promise<string> {
  const found = await stat(path).catch((cause: Error) => {
    throw new InputError('--in', `${path} cannot be read: ${cause.message}`);
  });
  return found.isDirectory() ? listDatasetFiles(path).labels : path;
}

function readShares(text: string): Shares {
  const shares = text.split('/').map((one) => (one.trim() === '' ? Number.NaN : Number(one)));
  const [train, validation, test] = shares;
  const known = shares.length === 3 && shares.every((share) => Number.isFinite(share) && share >= 0);
  if (!known || train === undefined || validation === undefined || test === undefined || train <= 0)
    throw new InputError(
      '--splits',
      `must be three shares such as 80/10/10, the first above 0, not "${text}"`,
    );
  return [train, validation, test];
}

function readDedupe(text: string): number | null {
  if (text === 'none') return null;
  const share = Number(text);
  if (!(share > 0 && share <= 1))
    throw new InputError('--dedupe', `must be above 0 and at most 1, or none, not "${text}"`);
  return share;
}

// The report of a distillation in words.

/** @param folder where the files are */
function describeDistillation(report: DistilReport, folder: string): string {
  const { splits, teacher, token_lengths: lengths } = report;
  const sides = Object.entries(splits).map(
    ([split, { rows, yes, no }]) => `  ${split}: ${rows} (${yes} Yes, ${no} No)`,
  );
  const groups = (['by_bias', 'by_label', 'by_judge'] as const).flatMap((by) =>
    Object.entries(report[by]).map(([name, counts]) => `  ${by.slice(3)} ${name}: ${counted(counts)}`),
  );
  return [
    `${report.kept} examples of ${report.rows} rows in ${folder}`,
    ...sides,
    ...groups,
    ...(teacher ? taught(teacher) : []),
    `tokens (${lengths.encoding}):`,
    ...(['prompt', 'completion', 'both'] as const).map((part) => {
      const { p50, p95, max, over } = lengths[part];
      const beyond = Object.entries(over).map(([limit, count]) => `${count} above ${limit}`);
      return `  ${part}: median ${p50 ?? '-'}, p95 ${p95 ?? '-'}, longest ${max ?? '-'}; ${beyond.join(', ')}`;
    }),
    ...(report.dropped.failed
      ? [
          `${report.dropped.failed} rows failed at the teacher's endpoint: started again, they are asked again`,
        ]
      : []),
  ].join('\n');
}

function counted({ rows, kept, dropped }: DistilCounts): string {
  const gone = Object.entries(dropped).map(([reason, count]) => `${count} ${reason}`);
  return `${kept} of ${rows}${gone.length > 0 ? `; dropped: ${gone.join(', ')}` : ''}`;
}

function taught(teacher: NonNullable<DistilReport['teacher']>): string[] {
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  return [
    `${teacher.name}'s label at the first attempt${teacher.label_shown ? ' (it was shown the true one)' : ''}:`,
    ...teacher.accuracy.map(({ bias, n, unread, right, share, interval }) =>
      share === null || !('low' in interval)
        ? `  ${bias}: none of ${n} could be read`
        : `  ${bias}: ${percent(share)} right (95%: ${percent(interval.low)} to ${percent(interval.high)}), ` +
          `${right} of ${n - unread}${unread > 0 ? `, ${unread} not read` : ''}`,
    ),
    ...Object.entries(teacher.attempts_of_kept).map(
      ([nth, rows]) => `  right at attempt ${nth}: ${rows} rows`,
    ),
  ];
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
