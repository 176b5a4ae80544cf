/** The audits that run by a plan, by their names, for whoever asks for one in texts: over HTTP. */
import * as z from 'zod';
import { InputError } from '../errors.ts';
import { createJsonObject, readSettings } from './audit-settings.ts';
import type { AuditJudge, AuditPlan } from './plan.ts';

interface LoadedPlan<S extends z.ZodObject> {
  readonly settings: S;
  create(settings: z.output<S>, judges: readonly AuditJudge[]): Promise<AuditPlan>;
}

/** One kind of audit, loaded when it is asked for: who judges starts without its statistics. */
function definePlan<S extends z.ZodObject>(load: () => Promise<LoadedPlan<S>>) {
  return async (given: AuditSettings, judges: readonly AuditJudge[]): Promise<AuditPlan> => {
    const { settings, create } = await load();
    const known = Object.keys({ ...settings.shape, ...common.shape });
    const stray = Object.keys(given).find((name) => !known.includes(name));
    if (stray !== undefined) throw new InputError(stray, `no such setting; there are ${known.join(', ')}`);
    return create(readSettings(settings, given, ''), judges);
  };
}

const PLANS = {
  cues: definePlan(async () => {
    const { createCuePlan: create, cueSettings: settings } = await import('./cues/plan.ts');
    return { settings, create };
  }),
  authors: definePlan(async () => {
    const { createAuthorPlan: create, authorSettings: settings } = await import('./authors/plan.ts');
    return { settings, create };
  }),
  perturb: definePlan(async () => {
    const { createPerturbPlan: create, perturbSettings: settings } = await import('./perturb/plan.ts');
    return { settings, create };
  }),
};
const KINDS = Object.keys(PLANS) as (keyof typeof PLANS)[];

const common = z.object({
  /** Not `authorship`: it draws its lines on thousands of reviews by people and embeds all of them at once. */
  kind: z
    .enum(KINDS, { error: `must be one of ${KINDS.join(', ')}; authorship is for \`npx remand audit\`` })
    .default('cues'),
  judge: z.string({ error: 'names no judge' }),
  parameters: createJsonObject().default({ temperature: 0 }),
});

/** Settings by the names of the command's options. */
type AuditSettings = Readonly<Record<string, string>>;

/**
 * @param readJudges reads what the settings say of the judges, and of further fields of each request to them
 * @throws InputError naming a setting that is not known, or cannot be used
 */
export function openPlan(
  given: AuditSettings,
  readJudges: (judge: string, parameters: Readonly<Record<string, unknown>>) => readonly AuditJudge[],
): Promise<AuditPlan> {
  const { kind, judge, parameters } = readSettings(common, given, '');
  return PLANS[kind](given, readJudges(judge, parameters));
}
