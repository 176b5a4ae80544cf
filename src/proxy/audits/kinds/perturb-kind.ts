/** The audit of perturbations that a rule can make, piece by piece: one judgment of one text. */
import * as z from 'zod';
import { REVIEW_MODES, REVIEW_ROLES } from '../../../../prompts/submission-review.ts';
import {
  askJudgment,
  createFailedJudgment,
  judgmentRecord,
  listJudgmentTasks,
  type PerturbationRecord,
  perturbAll,
  perturbationRecord,
} from '../../../audit/perturb/ask-judgments.ts';
import { MARGINS } from '../../../audit/perturb/compare-pairs.ts';
import { createPerturbCounts } from '../../../audit/perturb/counts.ts';
import { createPerturbReport } from '../../../audit/perturb/perturb-report.ts';
import { createPerturbTally } from '../../../audit/perturb/perturb-tally.ts';
import { submissionLine } from '../../../audit/perturb/submission-line.ts';
import { PERTURBATIONS, type Submission } from '../../../bias/review/index.ts';
import { draw } from '../../../stats/seeded-draw.ts';
import { createWholeNumber } from '../../options.ts';
import { createPositiveNumber, createWordList, readAuditSettings } from './audit-settings.ts';
import type { AuditKind, AuditPiece } from './types.ts';

/** Those that a model makes need an editor, and what it made would have to be kept beside the rows. */
const BY_RULE = PERTURBATIONS.filter(({ by }) => by === 'rule');

const settings = z.object({
  perturbations: createWordList(BY_RULE.map(({ name }) => name)).default(BY_RULE.map(({ name }) => name)),
  roles: createWordList(REVIEW_ROLES).default([...REVIEW_ROLES]),
  modes: createWordList(REVIEW_MODES).default(['none']),
  threshold: createWholeNumber(2, 10).default(6),
  'margin-dimension': createPositiveNumber().default(MARGINS.dimension),
  'margin-overall': createPositiveNumber().default(MARGINS.overall),
  seed: createWholeNumber(0, 2 ** 31).default(1),
});

/** What became of a submission before any judge saw it: the record of a piece that makes no call. */
const made = z.object({
  made: z.array(perturbationRecord),
  unfit: z.array(z.object({ role: z.string(), reason: z.string() })),
});

export const perturbKind: AuditKind = (asked, { specs, open }) => {
  const { perturbations: names, roles, modes, threshold, seed, ...rest } = readAuditSettings(asked, settings);
  const margins = { dimension: rest['margin-dimension'], overall: rest['margin-overall'] };
  const chosen = BY_RULE.filter(({ name }) => names.includes(name));
  const judges = specs.map((spec) => open(spec, {}));
  const tools = { draw: (of: string) => draw(seed, of), editor: null };

  async function perturbed(submission: Submission) {
    const run = { concurrency: 1, signal: new AbortController().signal };
    for await (const one of perturbAll([submission], { perturbations: chosen, tools }, run)) return one;
    throw new RangeError('a submission was not perturbed');
  }

  return {
    row: submissionLine,
    async pieces(row) {
      // As it was read from the line, by this very schema's output.
      const one = await perturbed(row as Submission);
      const unfit: { role: string; reason: string }[] = [];
      const onUnfit = (role: string, reason: string) => void unfit.push({ role, reason });
      const tasks = listJudgmentTasks(one, { judges, roles, modes, onUnfit }, chosen);
      const first: AuditPiece = {
        calls: 0,
        ask: async () => ({ made: one.records.map(withoutTexts), unfit }),
        failed: () => ({ made: [], unfit }),
      };
      return [
        first,
        ...tasks.map((task) => ({
          calls: 1,
          // The figures need the scores and none of the text around them.
          ask: async (signal: AbortSignal) => ({ ...(await askJudgment(task, signal)), text: null }),
          failed: (error: Error) => createFailedJudgment(task, error),
        })),
      ];
    },
    report(records) {
      const counts = createPerturbCounts(chosen);
      const tally = createPerturbTally(threshold);
      for (const record of z.array(z.union([made, judgmentRecord])).parse(records))
        if ('made' in record) {
          for (const one of record.made) counts.addPerturbation(one);
          for (const { role, reason } of record.unfit) counts.addUnfit(role, reason);
        } else {
          tally.add(record);
          counts.addJudgment(record);
        }
      return createPerturbReport(tally.finish(), counts.result(), chosen, { threshold, margins, seed });
    },
  };
};

/** They are counted; what was changed can be made again by the same rule and seed. */
function withoutTexts(record: PerturbationRecord): PerturbationRecord {
  return { ...record, changes: record.changes.map((change) => ({ ...change, before: '', after: '' })) };
}
