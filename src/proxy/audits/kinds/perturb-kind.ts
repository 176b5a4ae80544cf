/** The audit of perturbations, as the command line plans it. */
import { createPerturbPlan, perturbSettings } from '../../../audit/perturb/index.ts';
import { readAuditSettings } from './audit-settings.ts';
import { fromPlan, listAuditJudges } from './from-plan.ts';
import type { AuditKind } from './types.ts';

export const perturbKind: AuditKind = async (asked, judges) =>
  fromPlan(await createPerturbPlan(readAuditSettings(asked, perturbSettings), listAuditJudges(judges)));
