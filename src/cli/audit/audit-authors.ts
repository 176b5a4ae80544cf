/** `remand audit authors`: reviews of the same papers under other authors, and whether the ratings follow them. */

import { defineCommand } from 'citty';
import {
  AUTHOR_DATA,
  type AuthorData,
  type AuthorFinding,
  type AuthorPlan,
  type AuthorPlanReport,
  applyProfile,
  authorData,
  authorSettings,
  createAuthorPlan,
  describeCoverage,
  describeOptions,
  listProfiles,
  type MeasureFigures,
  type Rates,
  readSettings,
  tryReviewer,
} from '../../audit/index.ts';
import { readPapers } from '../../audit/node.ts';
import { InputError } from '../../errors.ts';
import { settleAll } from '../../models/index.ts';
import { formatJsonLine } from '../../records/node.ts';
import { describeIssues, explainIssue } from '../../strict-fields.ts';
import { parseJsonObject, readLimit, readTextOption, runInterruptible, takeFirst } from '../arguments.ts';
import type { Paid } from '../model-arguments.ts';
import { describeOrigin, formatResult } from '../result-origin.ts';
import { alignRows, print } from '../terminal.ts';
import { listJudges, planArguments, runAudit } from './run-audit.ts';

const HEAD = [
  ...['judge', 'dimension', 'pairs of', 'rating', 'pairs', 'win', 'lose', 'tie', 'mean'],
  ...['accepted only as first', 'only as second', 'p (Holm)'],
];

function formatAuthorsTable({ findings, verdicts, soft, ...counts }: AuthorPlanReport & Paid): string {
  const rows = findings.flatMap((finding) =>
    (['hard', 'soft'] as const).flatMap((measure) => {
      const measured = finding[measure];
      if (!measured) return [];
      const named = (name: string) => name === 'accepted: yes' || name === 'accepted: no';
      const groups = Object.entries(finding.groups).filter(([name]) => named(name));
      return [
        row(finding, 'all', measure, measured, measured),
        ...groups.map(([name, both]) => row(finding, name, measure, both[measure], null)),
      ];
    }),
  );
  const words = verdicts.map(({ verdict }) => `\n${verdict}\n`).join('');
  const known = soft.map((one) => `\n${describeCoverage(one)}`).join('');
  const { reviews, unread, failed, calls, tokens } = counts;
  const paid = `${calls} calls, ${tokens.input} tokens in, ${tokens.output} out`;
  const again = failed > 0 ? ' (start again to retry them)' : '';
  return `${alignRows([HEAD, ...rows])}${words}${known}\n${reviews} reviews: ${unread} could not be read, ${failed} failed${again}; ${paid}\n`;
}

function row(
  { judge, dimension, sides }: AuthorFinding,
  group: string,
  measure: string,
  rates: Rates,
  tested: MeasureFigures | null,
): string[] {
  const share = (value: number | null) => (value === null ? '-' : (100 * value).toFixed(1));
  return [
    ...[judge, `${dimension}: ${sides.join(' / ')}`, group, measure, `${rates.pairs}`],
    ...[share(rates.win), share(rates.lose), share(rates.tie), rates.mean?.toFixed(2) ?? '-'],
    ...[`${rates.raised}`, `${rates.lowered}`, tested ? tested.p_holm.toPrecision(2) : ''],
  ];
}

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
  async run(context) {
    const { args } = context;
    if (args['print-data']) return print(`${JSON.stringify(AUTHOR_DATA, null, 2)}\n`);
    const papersAt = needed('--papers', args.papers);
    const out = needed('--out', args.out);
    const judge = needed('--judge', args.judge);
    const settings = readSettings(authorSettings, args, '--');
    const options = { prefix: '--', data: dataOf(args.data) } as const;
    const limit = readLimit(args.limit);
    const profiles = listProfiles(settings, options);
    const papers = () => takeFirst(readPapers(papersAt, '--papers'), limit);
    let count = 0;
    for await (const _ of papers()) count++;
    if (count === 0) throw new InputError('--papers', `${papersAt} holds no papers`);

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

    await runAudit(
      { ...args, out, judge },
      {
        origin: await describeOrigin('audit authors', context),
        noun: 'reviews',
        total: count * profiles.length * listJudges(judge).length,
        files: ['reviews'],
        async open(named, models) {
          const plan = await createAuthorPlan(settings, named, options);
          // What is handed over to be asked later cannot be tried first.
          if (models.batches.length === 0) await tryAll(plan);
          return plan;
        },
        rows: papers,
        write: (record, { reviews }) => reviews.write(formatJsonLine(record)),
        print({ report, origin, calls, tokens }) {
          const result = { ...report, calls, tokens };
          print(args.json ? formatResult(result, origin) : formatAuthorsTable(result));
        },
      },
    );
  },
});

function needed(option: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new InputError(option, 'is needed');
  return value;
}

function dataOf(path: string | undefined): AuthorData {
  if (path === undefined) return AUTHOR_DATA;
  const given = parseJsonObject('--data', readTextOption(path, '--data'));
  const read = authorData.safeParse(given, { error: explainIssue });
  if (read.success) return read.data;
  throw new InputError('--data', `${path}: ${describeIssues(read.error)}`);
}
