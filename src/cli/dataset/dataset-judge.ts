/** `remand dataset judge`: judges decide the rows of D and of D_bias. */
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { checkFiles, judgePairs, listDatasetFiles, readPairs } from '../../dataset/index.ts';
import { InputError } from '../../errors.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import { countAll, parseWholeNumber, readLimit, runInterruptible, takeFirst } from '../arguments.ts';
import { claimOutput, overwriteArgument } from '../claim-output.ts';
import { modelArguments, withModels } from '../model-arguments.ts';
import type { Models } from '../open-models.ts';
import { print } from '../terminal.ts';

export const datasetJudgeCommand = defineCommand({
  meta: {
    name: 'judge',
    description: 'Let judges decide the rows of D and of D_bias. A run that was stopped resumes.',
  },
  args: {
    in: { type: 'string', required: true, description: 'folder with d.jsonl and d_bias.jsonl' },
    judge: {
      type: 'string',
      required: true,
      description: '[name=][protocol:]model@url[#KEY_VARIABLE], or sandbox; several with ;',
    },
    concurrency: { type: 'string', default: '16', description: 'rows judged at a time' },
    limit: { type: 'string', description: 'at most so many rows' },
    ...modelArguments,
    ...overwriteArgument,
    json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
  },
  async run({ args }) {
    const limit = readLimit(args.limit);
    const concurrency = parseWholeNumber('--concurrency', args.concurrency, 1, 1024);
    const specs = args.judge.split(';').map((spec) => spec.trim());
    const report = (result: object, words: string) =>
      print(args.json ? `${JSON.stringify(result)}\n` : `${words}\n`);
    const { d, dBias, verdicts } = listDatasetFiles(args.in);
    await checkFiles([d, dBias]);
    await claimOutput({ path: verdicts, command: 'dataset judge', args, option: '--judge' });
    const counts = { verdicts: 0, unread: 0, failed: 0 };
    const store = args.store ?? join(args.in, 'calls.sqlite');
    const ask = async (models: Models) => {
      const verdicts = listDatasetFiles(await models.folder(args.in)).verdicts;
      const rows = await countAll(takeFirst(readPairs(args.in), limit));
      const progress = models.progress('verdicts', rows * specs.length);
      const judges = await Promise.all(specs.map((spec) => models.open(spec, '--judge')));
      checkNames(judges.map(({ name }) => name));
      await runInterruptible((signal) =>
        writeWhole({ verdicts }, async (files) => {
          const pairs = takeFirst(readPairs(args.in), limit);
          for await (const record of judgePairs(pairs, judges, { concurrency, signal })) {
            await files.verdicts.write(formatJsonLine(record));
            counts.verdicts++;
            if (record.error !== null) counts.failed++;
            else if (record.d?.unread || record.d_bias?.unread) counts.unread++;
            progress(counts.verdicts, counts.failed > 0 ? `${counts.failed} failed` : '');
          }
        }),
      );
    };
    const setting = { ...args, store, keyVariable: 'JUDGE_API_KEY' };
    await withModels(setting, ask, ({ calls, tokens }) => {
      // Some failed: the dataset is whole but for them, and the next start asks for them again. All failed: nothing came.
      if (counts.failed > 0 && counts.failed === counts.verdicts) process.exitCode = 1;
      report(
        { ...counts, calls, tokens },
        `${counts.verdicts} verdicts in ${verdicts}: ${counts.unread} could not be read, ${counts.failed} failed${counts.failed > 0 ? ' (start again to retry them)' : ''}; ` +
          `${calls} calls, ${tokens.input} tokens in, ${tokens.output} out`,
      );
    });
  },
});

/** Records are told apart by the judge's name. */
export function checkNames(names: readonly string[]): void {
  if (new Set(names).size < names.length)
    throw new InputError(
      '--judge',
      `two judges have one name (${names.join(', ')}): name them with name=model@url`,
    );
}
