/** `remand audit authors`: reviews of the same papers under other authors, and whether the ratings follow them. */
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { AUTHOR_DATA, type AuthorData, authorData } from '../../audit/authors/data.ts';
import { readPapers } from '../../audit/authors/papers.ts';
import { DIMENSIONS, profilesOf } from '../../audit/authors/profiles.ts';
import { authorReport } from '../../audit/authors/report.ts';
import { estimate, type Reviewer, reviewAll, reviewed } from '../../audit/authors/run.ts';
import { createTally } from '../../audit/authors/tally.ts';
import { tryOut } from '../../audit/authors/trial.ts';
import { askingForLogProbabilities } from '../../audit/log-probabilities.ts';
import { seedFields } from '../../audit/seed.ts';
import { InputError } from '../../errors.ts';
import { together } from '../../models/run.ts';
import { jsonLine } from '../../records/jsonl.ts';
import { writeWhole } from '../../records/whole.ts';
import {
  aboveZero,
  interrupted,
  jsonObject,
  oneOf,
  readLimit,
  taken,
  textOf,
  wholeNumber,
} from '../arguments.ts';
import { checkNames } from '../dataset/judge.ts';
import { modelArguments, withModels } from '../model-arguments.ts';
import { readModelSpec } from '../model-spec.ts';
import type { Models } from '../models.ts';
import { showProgress } from '../progress.ts';
import { print, tell } from '../terminal.ts';
import { authorsTable } from './authors-table.ts';

const SOFT = ['logprobs', 'samples', 'none'] as const;

export const authors = defineCommand({
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
    const soft = oneOf('--soft', args.soft ?? 'logprobs', SOFT);
    const seed = wholeNumber('--seed', args.seed, 0, 2 ** 31 - 1);
    const samples = wholeNumber('--samples', args.samples, 1, 1000);
    const top = wholeNumber('--top-logprobs', args['top-logprobs'], 1, 100);
    const threshold = wholeNumber('--threshold', args.threshold, 2, 10);
    const margin = aboveZero('--margin', args.margin);
    const concurrency = wholeNumber('--concurrency', args.concurrency, 1, 1024);
    const limit = readLimit(args.limit);
    const data = dataOf(args.data);
    const most =
      args['per-side'] === undefined ? undefined : wholeNumber('--per-side', args['per-side'], 1, 1e6);
    const dimensions = new Set(
      args.dimensions.split(',').map((one) => oneOf('--dimensions', one.trim(), DIMENSIONS)),
    );
    const profiles = [...dimensions].flatMap((one) => profilesOf(one, data, most));
    const papers = () => taken(readPapers(papersAt, '--papers'), limit);
    const estimated = await estimate(papers(), profiles, specs.length, soft === 'samples' ? 1 + samples : 1);
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
          const seeded = seedFields(protocol, seed);
          const more = soft === 'logprobs' ? askingForLogProbabilities(protocol, top) : {};
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
      for await (const paper of taken(papers(), 1))
        if (profile)
          await interrupted((signal) =>
            together(
              reviewers.map((one) => tryOut(one, reviewed(paper, profile), args.soft !== undefined, signal)),
            ),
          );
      return reviewers;
    };
    const tally = createTally(threshold);
    const counts = { reviews: 0, unread: 0, failed: 0 };
    const progress = showProgress('reviews', estimated.papers * profiles.length * specs.length);
    const files = { reviews: join(out, 'reviews.jsonl') };
    const store = args.store ?? join(out, 'calls.sqlite');
    const spend = await withModels({ ...args, store, keyVariable: 'JUDGE_API_KEY' }, async (models) => {
      const reviewers = await open(models);
      await interrupted((signal) =>
        writeWhole(files, async ({ reviews }) => {
          for await (const record of reviewAll(papers(), reviewers, profiles, { concurrency, signal })) {
            await reviews.write(jsonLine(record));
            tally.add(record);
            counts.reviews++;
            if (record.error !== null) counts.failed++;
            else if (record.unread !== null) counts.unread++;
            progress.update(counts.reviews, counts.failed > 0 ? `${counts.failed} failed` : '');
          }
        }),
      );
    }).finally(() => progress.stop());
    const audit = authorReport(tally.finish(), data, { threshold, margin, seed });
    const result = { ...audit, ...counts, ...spend };
    await writeWhole({ result: join(out, 'result.json') }, (whole) =>
      whole.result.write(`${JSON.stringify(audit)}\n`),
    );
    if (counts.failed === counts.reviews) process.exitCode = 1;
    print(args.json ? `${JSON.stringify(result)}\n` : authorsTable(result));
  },
});

function needed(option: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new InputError(option, 'is needed');
  return value;
}

function dataOf(path: string | undefined): AuthorData {
  if (path === undefined) return AUTHOR_DATA;
  const read = authorData.safeParse(jsonObject('--data', textOf(path, '--data')));
  if (read.success) return read.data;
  const wrong = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new InputError('--data', `${path}: ${wrong.join('; ')}`);
}
