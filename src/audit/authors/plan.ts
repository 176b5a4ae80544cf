/** The plan of the audit of author metadata: one review of one paper under one author, by one judge. */
import * as z from 'zod';
import { InputError } from '../../errors.ts';
import {
  createChoice,
  createCount,
  createPositiveNumber,
  createWordList,
  type SettingPrefix,
} from '../audit-settings.ts';
import { type AuditJudge, type AuditPlan, createSeedFields } from '../plan.ts';
import {
  type AuthorReviewRecord,
  askReview,
  authorReviewRecord,
  createFailedReview,
  type Reviewer,
} from './ask-reviews.ts';
import { type AuthorReport, createAuthorReport } from './author-report.ts';
import { createAuthorTally } from './author-tally.ts';
import { type Paper, paperLine } from './paper.ts';
import { AUTHOR_DATA, type AuthorData, createProfiles, DIMENSIONS, type Profile } from './profiles.ts';

const SOFT = ['logprobs', 'samples', 'none'] as const;

export const authorSettings = z.object({
  dimensions: createWordList(DIMENSIONS).default(DIMENSIONS).describe('which to vary, one at a time'),
  'per-side': createCount(1, 1_000_000)
    .optional()
    .describe('at most this many profiles on each side (default: all)'),
  soft: createChoice(SOFT)
    .optional()
    .describe(`soft rating by ${SOFT.join(', ')} (default: logprobs where the judge gives them)`),
  samples: createCount(1, 1000).default(8).describe('with soft ratings by samples: ratings for each review'),
  'top-logprobs': createCount(1, 100).default(20).describe('alternatives asked for at each token'),
  threshold: createCount(2, 10)
    .default(6)
    .describe('the least rating at which a paper is accepted, as the reviewer is told'),
  // A point more for one review in ten; of papers at the line, so many cross it.
  margin: createPositiveNumber().default(0.1).describe('points: the smallest mean difference that matters'),
  seed: createCount(0, 2 ** 31 - 1)
    .default(1)
    .describe('sent to judges whose protocol has one'),
});
type AuthorSettings = z.output<typeof authorSettings>;

/** What the command line has beside the settings. */
interface AuthorPlanOptions {
  readonly prefix?: SettingPrefix;
  /** Institutions, names and templates in place of our own. */
  readonly data?: AuthorData;
}

export interface AuthorPlanReport extends AuthorReport {
  readonly reviews: number;
  readonly unread: number;
  readonly failed: number;
  /** Papers whose text named authors, which were taken out. */
  readonly own_authors: number;
}

export interface AuthorPlan extends AuditPlan<Paper, AuthorReviewRecord, AuthorPlanReport> {
  readonly reviewers: readonly Reviewer[];
}

export function listProfiles(
  { dimensions, 'per-side': most }: AuthorSettings,
  { data = AUTHOR_DATA }: AuthorPlanOptions,
): Profile[] {
  return dimensions.flatMap((dimension) => createProfiles(dimension, data, most));
}

/** @throws InputError naming the setting that cannot be used */
export async function createAuthorPlan(
  settings: AuthorSettings,
  judges: readonly AuditJudge[],
  options: AuthorPlanOptions = {},
): Promise<AuthorPlan> {
  const { soft, samples, threshold, margin, seed } = settings;
  const { prefix = '', data = AUTHOR_DATA } = options;
  const profiles = listProfiles(settings, options);
  const reviewers = await Promise.all(judges.map((judge) => openReviewer(judge, settings, prefix)));
  // A review is one call, and one for each sample of its rating.
  const calls = soft === 'samples' ? 1 + samples : 1;
  return {
    reviewers,
    row: paperLine,
    tasks: async (paper) =>
      reviewers.flatMap((reviewer) =>
        profiles.map((profile) => {
          const task = { paper, reviewer, profile };
          return {
            calls,
            ask: (signal) => askReview(task, signal),
            fail: (error) => createFailedReview(task, error),
          };
        }),
      ),
    entry: authorReviewRecord,
    trim: (record) => ({ ...record, text: null }),
    createTally() {
      const tally = createAuthorTally(threshold);
      const counts = { reviews: 0, unread: 0, failed: 0 };
      const named = new Set<string>();
      return {
        add(record) {
          tally.add(record);
          counts.reviews++;
          if (record.own_authors) named.add(record.paper);
          if (record.error !== null) counts.failed++;
          else if (record.unread !== null) counts.unread++;
        },
        report: () => ({
          ...createAuthorReport(tally.finish(), data, { threshold, margin, seed }),
          ...counts,
          own_authors: named.size,
        }),
      };
    },
  };
}

async function openReviewer(
  { name, protocol, open }: AuditJudge,
  { soft, samples, seed, threshold, 'top-logprobs': top }: AuthorSettings,
  prefix: SettingPrefix,
): Promise<Reviewer> {
  const seeded = createSeedFields(protocol, seed);
  switch (soft) {
    case 'none':
      return { judge: await open(seeded), softly: { by: 'nothing' }, threshold };
    case 'samples': {
      // Without a seed: samples that were drawn alike would be one.
      const [judge, sampler] = await Promise.all([open(seeded), open({ temperature: 1 })]);
      return { judge, softly: { by: 'samples', samples, sampler }, threshold };
    }
    case 'logprobs':
    case undefined: {
      const { logProbabilities } = protocol.capabilities;
      if (logProbabilities === null && soft !== undefined)
        throw new InputError(
          `${prefix}soft`,
          `${name}: ${protocol.name} has no log-probabilities; ask for ${prefix}soft samples (estimated from sampled ratings) or ${prefix}soft none`,
        );
      return {
        judge: await open({ ...seeded, ...logProbabilities?.(top) }),
        softly: { by: 'logprobs' },
        threshold,
      };
    }
  }
}
