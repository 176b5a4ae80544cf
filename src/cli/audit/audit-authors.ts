/** `remand audit authors`: reviews of the same papers under other authors, and whether the ratings follow them. */

import {
  AUTHOR_DATA,
  type AuthorPlan,
  applyProfile,
  authorData,
  authorSettings,
  createAuthorPlan,
  describeCoverage,
  listProfiles,
  tryReviewer,
} from '../../audit/index.ts';
import { readPapers } from '../../audit/node.ts';
import { InputError } from '../../errors.ts';
import { settleAll } from '../../models/index.ts';
import { formatJsonLine } from '../../records/node.ts';
import { countAll, readJsonOption, requireOption, runInterruptible, takeFirst } from '../arguments.ts';
import { asList, asText, createCommand, flag, optional } from '../command.ts';
import { print } from '../terminal.ts';
import { describeSettings, planOptions, runAudit } from './run-audit.ts';

export const auditAuthorsCommand = createCommand(
  {
    papers: optional(
      asText,
      'JSONL (id, title, abstract or text, accepted, field), Markdown, text, an OpenReview export, or a folder; authors named above a text are taken out',
    ),
    ...describeSettings(authorSettings),
    data: optional(asText, 'JSON file of institutions, names and templates in place of our own'),
    'print-data': flag('print our own, to be edited'),
    ...planOptions,
    // `--print-data` needs neither.
    judge: optional(asList(';'), planOptions.judge.description),
    out: optional(asText, planOptions.out.description),
  },
  async ({ args, ...call }) => {
    if (args['print-data']) return print(`${JSON.stringify(AUTHOR_DATA, null, 2)}\n`);
    const papersAt = requireOption('--papers', args.papers);
    const out = requireOption('--out', args.out);
    const judge = requireOption('--judge', args.judge);
    const data =
      args.data === undefined ? AUTHOR_DATA : await readJsonOption(args.data, '--data', authorData);
    const options = { prefix: '--', data } as const;
    const profiles = listProfiles(args, options);
    const papers = () => takeFirst(readPapers(papersAt, '--papers'), args.limit);
    const count = await countAll(papers());
    if (count === 0) throw new InputError('--papers', `${papersAt} holds no papers`);

    async function tryAll({ reviewers }: AuthorPlan): Promise<void> {
      const [profile] = profiles;
      if (!profile) return;
      for await (const paper of takeFirst(papers(), 1))
        await runInterruptible((signal) =>
          settleAll(
            reviewers.map((one) =>
              tryReviewer(one, applyProfile(paper, profile), args.soft !== undefined, signal),
            ),
          ),
        );
    }

    await runAudit(
      { ...call, args: { ...args, out, judge } },
      {
        noun: 'reviews',
        total: count * profiles.length * judge.length,
        files: ['reviews'],
        async open(named, models) {
          const plan = await createAuthorPlan(args, named, options);
          // What is handed over to be asked later cannot be tried first.
          if (models.batches.length === 0) await tryAll(plan);
          return plan;
        },
        rows: papers,
        write: (record, { reviews }) => reviews.write(formatJsonLine(record)),
        measured: ({ findings }) => findings.some(({ hard }) => hard !== null),
        notes: ({ soft, unread }) => [...soft.map(describeCoverage), `${unread} reviews could not be read`],
      },
    );
  },
);
