/** `remand audit authors`: reviews of the same papers under other authors, and whether the ratings follow them. */
import { defineCommand } from 'citty';
import {
  AUTHOR_DATA,
  type AuthorData,
  type AuthorPlan,
  applyProfile,
  authorData,
  authorSettings,
  countReviewCalls,
  createAuthorPlan,
  describeOptions,
  estimateAuthors,
  listProfiles,
  readSettings,
  tryReviewer,
} from '../../audit/index.ts';
import { readPapers } from '../../audit/node.ts';
import { InputError } from '../../errors.ts';
import { settleAll } from '../../models/index.ts';
import { formatJsonLine } from '../../records/node.ts';
import { parseJsonObject, readLimit, readTextOption, runInterruptible, takeFirst } from '../arguments.ts';
import { print, tell } from '../terminal.ts';
import { formatAuthorsTable } from './authors-table.ts';
import { listJudges, planArguments, runAudit } from './run-audit.ts';

export const auditAuthorsCommand = defineCommand({
  meta: {
    name: 'authors',
    description: "Does a judge's review follow the author's institution, gender, seniority or publications?",
  },
  args: {
    papers: {
      type: 'string',
      description:
        'JSONL (id, title, abstract or text, accepted, field), Markdown, text, an OpenReview export, or a folder',
    },
    ...describeOptions(authorSettings),
    data: {
      type: 'string',
      description: 'JSON file of institutions, names and templates in place of our own',
    },
    'print-data': { type: 'boolean', default: false, description: 'print our own, to be edited' },
    ...planArguments,
    // `--print-data` needs neither.
    judge: { ...planArguments.judge, required: false },
    out: { ...planArguments.out, required: false },
  },
  async run({ args }) {
    if (args['print-data']) return print(`${JSON.stringify(AUTHOR_DATA, null, 2)}\n`);
    const papersAt = needed('--papers', args.papers);
    const out = needed('--out', args.out);
    const judge = needed('--judge', args.judge);
    const settings = readSettings(authorSettings, args, '--');
    const options = { prefix: '--', data: dataOf(args.data) } as const;
    const limit = readLimit(args.limit);
    const profiles = listProfiles(settings, options);
    const papers = () => takeFirst(readPapers(papersAt, '--papers'), limit);
    const judges = listJudges(judge).length;
    const estimated = await estimateAuthors(papers(), profiles, judges, countReviewCalls(settings));
    if (estimated.papers === 0) throw new InputError('--papers', `${papersAt} holds no papers`);
    const cost =
      `${estimated.calls} calls at most (${estimated.papers} papers, ${profiles.length} profiles, ${judges} judges), ` +
      `about ${estimated.input_tokens} tokens in, ${estimated.output_tokens} out\n`;
    if (args['dry-run']) return print(args.json ? `${JSON.stringify(estimated)}\n` : cost);
    tell(cost);

    async function tryAll({ reviewers }: AuthorPlan): Promise<void> {
      const [profile] = profiles;
      if (!profile) return;
      for await (const paper of takeFirst(papers(), 1))
        await runInterruptible((signal) =>
          settleAll(
            reviewers.map((one) =>
              tryReviewer(one, applyProfile(paper, profile), settings.soft !== undefined, signal),
            ),
          ),
        );
    }

    const { report, calls, tokens } = await runAudit(
      { ...args, out, judge },
      {
        noun: 'reviews',
        total: estimated.papers * profiles.length * judges,
        files: ['reviews'],
        async open(named, models) {
          const plan = await createAuthorPlan(settings, named, options);
          // What is handed over to be asked later cannot be tried first.
          if (models.batches.length === 0) await tryAll(plan);
          return plan;
        },
        rows: papers,
        write: (record, { reviews }) => reviews.write(formatJsonLine(record)),
      },
    );
    const result = { ...report, calls, tokens };
    print(args.json ? `${JSON.stringify(result)}\n` : formatAuthorsTable(result));
  },
});

function needed(option: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new InputError(option, 'is needed');
  return value;
}

function dataOf(path: string | undefined): AuthorData {
  if (path === undefined) return AUTHOR_DATA;
  const read = authorData.safeParse(parseJsonObject('--data', readTextOption(path, '--data')));
  if (read.success) return read.data;
  const wrong = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new InputError('--data', `${path}: ${wrong.join('; ')}`);
}
