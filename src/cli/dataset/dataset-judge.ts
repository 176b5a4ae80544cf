/** `remand dataset judge`: judges decide the rows of D and of D_bias. */
import { checkDataset, judgePairs, listDatasetFiles, readPairs } from '../../dataset/index.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import { countAll, takeFirst } from '../arguments.ts';
import { claimOutput, overwriteOption } from '../claim-output.ts';
import { asList, asText, atMost, concurrency, createCommand, needed } from '../command.ts';
import { modelOptions, withModels } from '../model-arguments.ts';
import type { Models } from '../open-models.ts';

export const datasetJudgeCommand = createCommand(
  {
    in: needed(asText, 'folder with d.jsonl and d_bias.jsonl'),
    judge: needed(
      asList(';'),
      '[name=][protocol:]model@url[#KEY_VARIABLE], such as gpt-4o-mini@https://api.openai.com, or sandbox; several with ;',
    ),
    concurrency: concurrency('16', 'rows judged at a time'),
    limit: atMost('at most this many rows'),
    ...modelOptions,
    ...overwriteOption,
  },
  async ({ args, texts, defaults, print }) => {
    const { concurrency, limit } = args;
    const { verdicts } = listDatasetFiles(args.in);
    await checkDataset(args.in);
    const counts = { verdicts: 0, unread: 0, failed: 0 };
    const pairs = () => takeFirst(readPairs(args.in), limit);
    const ask = async (models: Models, signal: AbortSignal) => {
      const { verdicts } = listDatasetFiles(await models.folder(args.in));
      const progress = models.progress('verdicts', (await countAll(pairs())) * args.judge.length);
      const judges = await models.openAll(args.judge, '--judge');
      // Only now is it certain that something will be written.
      const claim = {
        path: listDatasetFiles(args.in).verdicts,
        command: 'dataset judge',
        args: texts,
        defaults,
      };
      await claimOutput({ ...claim, option: '--judge' });
      await writeWhole({ verdicts }, async (files) => {
        for await (const [, record] of judgePairs(pairs(), judges, { concurrency, signal })) {
          await files.verdicts.write(formatJsonLine(record));
          counts.verdicts++;
          if (record.error !== null) counts.failed++;
          else if (record.d?.unread || record.d_bias?.unread) counts.unread++;
          progress(counts.verdicts, counts.failed > 0 ? `${counts.failed} failed` : '');
        }
      });
    };
    await withModels({ ...args, folder: args.in }, ask, ({ calls, tokens }) => {
      // Some failed: the dataset is whole but for them, and the next start asks for them again. All failed: nothing came.
      if (counts.failed > 0 && counts.failed === counts.verdicts) process.exitCode = 1;
      const again = counts.failed > 0 ? ' (start again to retry them)' : '';
      print(
        { ...counts, calls, tokens },
        () =>
          `${counts.verdicts} verdicts in ${verdicts}: ${counts.unread} could not be read, ${counts.failed} failed${again}; ` +
          `${calls} calls, ${tokens.input} tokens in, ${tokens.output} out\n`,
      );
    });
  },
);
