/** `remand audit authors`: reviews of the same papers under other authors, and whether the ratings follow them. */
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { createAuthorReport } from '../../audit/authors/author-report.ts';
import { createAuthorTally } from '../../audit/authors/author-tally.ts';
import { AUTHOR_DATA, type AuthorData, authorData } from '../../audit/authors/data.ts';
import { readPapers } from '../../audit/authors/papers.ts';
import { createProfiles, DIMENSIONS } from '../../audit/authors/profiles.ts';
import { applyProfile, estimateAuthors, type Reviewer, reviewAll } from '../../audit/authors/review-all.ts';
import { tryReviewer } from '../../audit/authors/try-reviewer.ts';
import { requestLogProbabilities } from '../../audit/log-probabilities.ts';
import { createSeedFields } from '../../audit/seed.ts';
import { InputError } from '../../errors.ts';
import { settleAll } from '../../models/run.ts';
import { formatJsonLine } from '../../records/jsonl.ts';
import { writeWhole } from '../../records/whole-file.ts';
import {
  parseJsonObject,
  parseOneOf,
  parsePositive,
  parseWholeNumber,
  readLimit,
  readTextOption,
  runInterruptible,
  takeFirst,
} from '../arguments.ts';
import { checkNames } from '../dataset/dataset-judge.ts';
import { modelArguments, withModels } from '../model-arguments.ts';
import { readModelSpec } from '../model-spec.ts';
import type { Models } from '../open-models.ts';
import { showProgress } from '../progress.ts';
import { print, tell } from '../terminal.ts';
import { formatAuthorsTable } from './authors-table.ts';

const SOFT = ['logprobs', 'samples', 'none'] as const;

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
    judge: {
      type: 'string',
      description: '[name=][protocol:]model@url[#KEY_VARIABLE]; several with ;',
    },
    out: { type: 'string', description: 'folder for reviews.jsonl, result.json and the call store' },
    dimensions: {
      type: 'string',
      default: DIMENSIONS.join(','),
      description: 'which to vary, one at a time',
    },
    data: {
      type: 'string',
      description: 'JSON file of institutions, names and templates in place of our own',
    },
    'print-data': { type: 'boolean', default: false, description: 'print our own, to be edited' },
    'per-side': { type: 'string', description: 'at most so many profiles on each side (default: all)' },
    soft: {
      type: 'string',
      description: `soft rating by ${SOFT.join(', ')} (default: logprobs where the judge gives them)`,
    },
    samples: { type: 'string', default: '8', description: 'with --soft samples: ratings for each review' },
    'top-logprobs': { type: 'string', default: '20', description: 'alternatives asked for at each token' },
    threshold: { type: 'string', default: '6', description: 'the least rating at which a paper is accepted' },
    margin: {
      type: 'string',
      // A point more for one review in ten; of papers at the line, so many cross it.
      default: '0.1',
      description: 'points: the smallest mean difference that matters',
    },
    seed: { type: 'string', default: '1', description: 'sent to judges whose protocol has one' },
    concurrency: { type: 'string', default: '16', description: 'reviews at a time' },
    limit: { type: 'string', description: 'at most so many papers' },
    ...modelArguments,
    'dry-run': { type: 'boolean', default: false, description: 'say what it would ask, and ask nothing' },
    json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
  },
  async run({ args }) {
    if (args['print-data']) return print(`${JSON.stringify(AUTHOR_DATA, null, 2)}\n`);
    const papersAt = needed('--papers', args.papers);
    const out = needed('--out', args.out);
    const specs = needed('--judge', args.judge)
      .split(';')
      .map((spec) => spec.trim());
    const soft = parseOneOf('--soft', args.soft ?? 'logprobs', SOFT);
    const seed = parseWholeNumber('--seed', args.seed, 0, 2 ** 31 - 1);
    const samples = parseWholeNumber('--samples', args.samples, 1, 1000);
    const top = parseWholeNumber('--top-logprobs', args['top-logprobs'], 1, 100);
    const threshold = parseWholeNumber('--threshold', args.threshold, 2, 10);
    const margin = parsePositive('--margin', args.margin);
    const concurrency = parseWholeNumber('--concurrency', args.concurrency, 1, 1024);
    const limit = readLimit(args.limit);
    const data = dataOf(args.data);
    const most =
      args['per-side'] === undefined ? undefined : parseWholeNumber('--per-side', args['per-side'], 1, 1e6);
    const dimensions = new Set(
      args.dimensions.split(',').map((one) => parseOneOf('--dimensions', one.trim(), DIMENSIONS)),
    );
    const profiles = [...dimensions].flatMap((one) => createProfiles(one, data, most));
    const papers = () => takeFirst(readPapers(papersAt, '--papers'), limit);
    const estimated = await estimateAuthors(
      papers(),
      profiles,
      specs.length,
      soft === 'samples' ? 1 + samples : 1,
    );
    if (estimated.papers === 0) throw new InputError('--papers', `${papersAt} holds no papers`);
    const cost =
      `${estimated.calls} calls at most (${estimated.papers} papers, ${profiles.length} profiles, ${specs.length} judges), ` +
      `about ${estimated.input_tokens} tokens in, ${estimated.output_tokens} out\n`;
    if (args['dry-run']) return print(args.json ? `${JSON.stringify(estimated)}\n` : cost);
    tell(cost);

    const open = async (models: Models): Promise<Reviewer[]> => {
      const reviewers = await Promise.all(
        specs.map(async (spec): Promise<Reviewer> => {
          const { protocol, name } = readModelSpec(spec, '--judge');
          const seeded = createSeedFields(protocol, seed);
          const more = soft === 'logprobs' ? requestLogProbabilities(protocol, top) : {};
          if (more === null && args.soft !== undefined)
            throw new InputError(
              '--soft',
              `${name}: ${protocol.name} has no log-probabilities; ask for --soft samples (estimated from sampled ratings) or --soft none`,
            );
          const judge = await models.open(spec, '--judge', { ...seeded, ...more });
          if (soft === 'logprobs') return { judge, softly: { by: 'logprobs' } };
          if (soft === 'none') return { judge, softly: { by: 'nothing' } };
          // Without a seed: samples that were drawn alike would be one.
          const sampler = await models.open(spec, '--judge', { temperature: 1 });
          return { judge, softly: { by: 'samples', samples, sampler } };
        }),
      );
      checkNames(reviewers.map(({ judge }) => judge.name));
      // What is handed over to be asked later cannot be tried first.
      if (models.batches.length > 0) return reviewers;
      const [profile] = profiles;
      for await (const paper of takeFirst(papers(), 1))
        if (profile)
          await runInterruptible((signal) =>
            settleAll(
              reviewers.map((one) =>
                tryReviewer(one, applyProfile(paper, profile), args.soft !== undefined, signal),
              ),
            ),
          );
      return reviewers;
    };
    const tally = createAuthorTally(threshold);
    const counts = { reviews: 0, unread: 0, failed: 0 };
    const progress = showProgress('reviews', estimated.papers * profiles.length * specs.length);
    const files = { reviews: join(out, 'reviews.jsonl') };
    const store = args.store ?? join(out, 'calls.sqlite');
    const spend = await withModels({ ...args, store, keyVariable: 'JUDGE_API_KEY' }, async (models) => {
      const reviewers = await open(models);
      await runInterruptible((signal) =>
        writeWhole(files, async ({ reviews }) => {
          for await (const record of reviewAll(papers(), reviewers, profiles, { concurrency, signal })) {
            await reviews.write(formatJsonLine(record));
            tally.add(record);
            counts.reviews++;
            if (record.error !== null) counts.failed++;
            else if (record.unread !== null) counts.unread++;
            progress.update(counts.reviews, counts.failed > 0 ? `${counts.failed} failed` : '');
          }
        }),
      );
    }).finally(() => progress.stop());
    const audit = createAuthorReport(tally.finish(), data, { threshold, margin, seed });
    const result = { ...audit, ...counts, ...spend };
    await writeWhole({ result: join(out, 'result.json') }, (whole) =>
      whole.result.write(`${JSON.stringify(audit)}\n`),
    );
    if (counts.failed === counts.reviews) process.exitCode = 1;
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
