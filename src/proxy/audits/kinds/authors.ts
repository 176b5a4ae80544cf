/** The audit of author metadata, piece by piece: one review of one paper under one author. */
import * as z from 'zod';
import { AUTHOR_DATA } from '../../../audit/authors/data.ts';
import { paperLine } from '../../../audit/authors/paper.ts';
import { DIMENSIONS, profilesOf } from '../../../audit/authors/profiles.ts';
import { authorReport } from '../../../audit/authors/report.ts';
import { reviewRecord, type Softly } from '../../../audit/authors/review.ts';
import { askReview, failedReview, type Reviewer, reviewTasks } from '../../../audit/authors/run.ts';
import { createTally } from '../../../audit/authors/tally.ts';
import { askingForLogProbabilities } from '../../../audit/log-probabilities.ts';
import { seedFields } from '../../../audit/seed.ts';
import { InputError } from '../../../errors.ts';
import { whole } from '../../options.ts';
import { above0, readSettings, wordsOf } from './settings.ts';
import type { JudgeSpec, Judges, Kind } from './types.ts';

const SOFT = ['logprobs', 'none'] as const;

const settings = z.object({
  dimensions: wordsOf(DIMENSIONS).default([...DIMENSIONS]),
  'per-side': whole(1, 1_000).optional(),
  /** Sampled ratings are eight calls for each review, and are left to the command line. */
  soft: z.enum(SOFT, { error: `must be one of ${SOFT.join(', ')}` }).optional(),
  'top-logprobs': whole(1, 100).default(20),
  threshold: whole(2, 10).default(6),
  margin: above0().default(0.1),
  seed: whole(0, 2 ** 31 - 1).default(1),
});

/** A paper as it is kept: what is known of it and no more. */
const paper = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  accepted: z.boolean().nullable(),
  field: z.string().nullable(),
});

export const authors: Kind = (asked, judges) => {
  const { dimensions, threshold, margin, seed, ...rest } = readSettings(asked, settings);
  const profiles = dimensions.flatMap((one) => profilesOf(one, AUTHOR_DATA, rest['per-side']));
  const reviewers = judges.specs.map((spec) => reviewer(spec, judges, { seed, ...rest }));
  return {
    row: paperLine,
    pieces: async (row) =>
      reviewTasks(paper.parse(row), reviewers, profiles).map((task) => ({
        calls: 1,
        // The figures need the ratings and none of the text around them.
        ask: async (signal) => ({ ...(await askReview(task, signal)), text: null }),
        failed: (error) => failedReview(task, error),
      })),
    report(records) {
      const all = z.array(reviewRecord).parse(records);
      const tally = createTally(threshold);
      for (const record of all) tally.add(record);
      const failed = all.filter(({ error }) => error !== null).length;
      const unread = all.filter((one) => one.error === null && one.unread !== null).length;
      const report = authorReport(tally.finish(), AUTHOR_DATA, { threshold, margin, seed });
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
  const asking = soft === 'none' ? {} : askingForLogProbabilities(spec.protocol, top);
  if (asking === null && soft === 'logprobs')
    throw new InputError('soft', `${spec.protocol.name} has no log-probabilities; ask for none`);
  const softly: Softly = { by: soft === 'none' ? 'nothing' : 'logprobs' };
  return { judge: open(spec, { ...seedFields(spec.protocol, seed), ...asking }), softly };
}
