/** The audit of author metadata, piece by piece: one review of one paper under one author. */
import * as z from 'zod';
import { createAuthorReport } from '../../../audit/authors/author-report.ts';
import { createAuthorTally } from '../../../audit/authors/author-tally.ts';
import { AUTHOR_DATA } from '../../../audit/authors/data.ts';
import { paperLine } from '../../../audit/authors/paper.ts';
import { createProfiles, DIMENSIONS } from '../../../audit/authors/profiles.ts';
import {
  askReview,
  createFailedReview,
  listReviewTasks,
  type Reviewer,
} from '../../../audit/authors/review-all.ts';
import { authorReviewRecord, type SoftRatingMethod } from '../../../audit/authors/review-paper.ts';
import { requestLogProbabilities } from '../../../audit/log-probabilities.ts';
import { createSeedFields } from '../../../audit/seed.ts';
import { InputError } from '../../../errors.ts';
import { createWholeNumber } from '../../options.ts';
import { createPositiveNumber, createWordList, readAuditSettings } from './audit-settings.ts';
import type { AuditKind, JudgeSpec, Judges } from './types.ts';

const SOFT = ['logprobs', 'none'] as const;

const settings = z.object({
  dimensions: createWordList(DIMENSIONS).default([...DIMENSIONS]),
  'per-side': createWholeNumber(1, 1_000).optional(),
  /** Sampled ratings are eight calls for each review, and are left to the command line. */
  soft: z.enum(SOFT, { error: `must be one of ${SOFT.join(', ')}` }).optional(),
  'top-logprobs': createWholeNumber(1, 100).default(20),
  threshold: createWholeNumber(2, 10).default(6),
  margin: createPositiveNumber().default(0.1),
  seed: createWholeNumber(0, 2 ** 31 - 1).default(1),
});

/** A paper as it is kept: what is known of it and no more. */
const paper = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  accepted: z.boolean().nullable(),
  field: z.string().nullable(),
});

export const authorsKind: AuditKind = (asked, judges) => {
  const { dimensions, threshold, margin, seed, ...rest } = readAuditSettings(asked, settings);
  const profiles = dimensions.flatMap((one) => createProfiles(one, AUTHOR_DATA, rest['per-side']));
  const reviewers = judges.specs.map((spec) => reviewer(spec, judges, { seed, ...rest }));
  return {
    row: paperLine,
    pieces: async (row) =>
      listReviewTasks(paper.parse(row), reviewers, profiles).map((task) => ({
        calls: 1,
        // The figures need the ratings and none of the text around them.
        ask: async (signal) => ({ ...(await askReview(task, signal)), text: null }),
        failed: (error) => createFailedReview(task, error),
      })),
    report(records) {
      const all = z.array(authorReviewRecord).parse(records);
      const tally = createAuthorTally(threshold);
      for (const record of all) tally.add(record);
      const failed = all.filter(({ error }) => error !== null).length;
      const unread = all.filter((one) => one.error === null && one.unread !== null).length;
      const report = createAuthorReport(tally.finish(), AUTHOR_DATA, { threshold, margin, seed });
      return { ...report, reviews: all.length, unread, failed };
    },
  };
};

interface Softness {
  readonly soft?: 'logprobs' | 'none' | undefined;
  readonly 'top-logprobs': number;
  readonly seed: number;
}

/** Log-probabilities where the protocol has them, unless it was said otherwise. */
function reviewer(
  spec: JudgeSpec,
  { open }: Judges,
  { soft, 'top-logprobs': top, seed }: Softness,
): Reviewer {
  const asking = soft === 'none' ? {} : requestLogProbabilities(spec.protocol, top);
  if (asking === null && soft === 'logprobs')
    throw new InputError('soft', `${spec.protocol.name} has no log-probabilities; ask for none`);
  const softly: SoftRatingMethod = { by: soft === 'none' ? 'nothing' : 'logprobs' };
  return { judge: open(spec, { ...createSeedFields(spec.protocol, seed), ...asking }), softly };
}
