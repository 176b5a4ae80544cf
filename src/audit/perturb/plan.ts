/** The plan of the audit of perturbations: one judgment of one text, in one role and way of prompting. */
import * as z from 'zod';
import { REVIEW_MODES, REVIEW_ROLES } from '../../../prompts/index.ts';
import { type Editor, PERTURBATIONS, type Perturbation, type Submission } from '../../bias/index.ts';
import { InputError } from '../../errors.ts';
import { draw } from '../../stats/seeded-draw.ts';
import { createCount, createPositiveNumber, createWordList, type SettingPrefix } from '../audit-settings.ts';
import type { AuditJudge, AuditPlan } from '../plan.ts';
import {
  askJudgment,
  createFailedJudgment,
  findUnfitRoles,
  type JudgmentRecord,
  judgmentRecord,
  listJudgmentTasks,
  perturbSubmission,
  type SubmissionRecord,
  submissionRecord,
} from './ask-judgments.ts';
import { createPerturbReport, MARGINS, type PerturbReport } from './perturb-report.ts';
import { createPerturbCounts, createPerturbTally } from './perturb-tally.ts';
import { submissionLine } from './submissions.ts';

const NAMES = PERTURBATIONS.map(({ name }) => name);

export const perturbSettings = z.object({
  perturbations: createWordList(['all', ...NAMES])
    .default(['all'])
    .describe(`all, or some of ${NAMES.join(', ')}`),
  roles: createWordList(REVIEW_ROLES).default(REVIEW_ROLES).describe('what the judge is asked to be'),
  modes: createWordList(REVIEW_MODES)
    .default(['none'])
    .describe(`ways of prompting: ${REVIEW_MODES.join(', ')}`),
  threshold: createCount(2, 10)
    .default(6)
    .describe('the least overall score at which a reviewer accepts, as it is told'),
  'margin-dimension': createPositiveNumber()
    .default(MARGINS.dimension)
    .describe('points: the smallest difference of a dimension or a decision that matters'),
  'margin-overall': createPositiveNumber()
    .default(MARGINS.overall)
    .describe('points: the smallest difference of the overall score that matters'),
  seed: createCount(0, 2 ** 31)
    .default(1)
    .describe('of what is drawn: false claims, typing errors'),
});
type PerturbSettings = z.output<typeof perturbSettings>;

/** What the command line has beside the settings. */
interface PerturbPlanOptions {
  readonly prefix?: SettingPrefix;
  /** Makes the edits that no rule can; without one they are left out. */
  readonly editor?: Editor | null;
}

/** For each submission what was changed in it, then its judgments. */
export type PerturbRecord = SubmissionRecord | JudgmentRecord;

type PerturbPlan = AuditPlan<Submission, PerturbRecord, PerturbReport>;

/** @throws InputError naming those that need an editor where there is none */
export function choosePerturbations(
  { perturbations: names }: PerturbSettings,
  { prefix = '', edited }: { readonly prefix?: SettingPrefix; readonly edited: boolean },
): Perturbation[] {
  const usable = PERTURBATIONS.filter(({ by }) => edited || by === 'rule');
  if (names.includes('all')) return usable;
  const missing = names.filter((name) => !usable.some((one) => one.name === name));
  if (missing.length > 0)
    throw new InputError(
      `${prefix}perturbations`,
      `${missing.join(', ')}: made by a model, so \`npx remand audit perturb\` needs --editor for it`,
    );
  return PERTURBATIONS.filter(({ name }) => names.includes(name));
}

/** @throws InputError naming the setting that cannot be used */
export async function createPerturbPlan(
  settings: PerturbSettings,
  named: readonly AuditJudge[],
  { prefix = '', editor = null }: PerturbPlanOptions = {},
): Promise<PerturbPlan> {
  const { roles, modes, threshold, seed } = settings;
  const margins = { dimension: settings['margin-dimension'], overall: settings['margin-overall'] };
  const perturbations = choosePerturbations(settings, { prefix, edited: editor !== null });
  const judges = await Promise.all(named.map((one) => one.open({})));
  return {
    row: submissionLine,
    async tasks(submission, signal) {
      const tools = { draw: (of: string) => draw(seed, of), editor, signal };
      const record: SubmissionRecord = {
        submission: submission.id,
        title: submission.title,
        perturbations: await perturbSubmission(submission, perturbations, tools),
        unfit: findUnfitRoles(submission, roles),
      };
      const tasks = listJudgmentTasks(submission, record, { judges, roles, modes, perturbations, threshold });
      return [
        { calls: 0, ask: async () => record, fail: () => record },
        ...tasks.map((task) => ({
          calls: 1,
          ask: (within: AbortSignal) => askJudgment(task, within),
          fail: (error: Error) => createFailedJudgment(task, error),
        })),
      ];
    },
    entry: z.union([submissionRecord, judgmentRecord]),
    trim: (record) =>
      'judge' in record
        ? { ...record, text: null }
        : { ...record, perturbations: record.perturbations.map(trimChanges) },
    createTally() {
      const counts = createPerturbCounts(perturbations);
      const tally = createPerturbTally(threshold);
      return {
        add(record) {
          if ('judge' in record) {
            tally.add(record);
            counts.addJudgment(record);
            return;
          }
          for (const one of record.perturbations) counts.addPerturbation(one);
          for (const { role, reason } of record.unfit) counts.addUnfit(role, reason);
        },
        report: () =>
          createPerturbReport(tally.finish(), counts.result(), perturbations, { threshold, margins, seed }),
      };
    },
  };
}

/** Changes are counted. The same rule and seed make them again. */
function trimChanges(record: SubmissionRecord['perturbations'][number]) {
  return { ...record, changes: record.changes.map((change) => ({ ...change, before: '', after: '' })) };
}
