/** The audit of cues, as the command line plans it. */
import { createCuePlan, cueSettings } from '../../../audit/cues/index.ts';
import { readAuditSettings } from './audit-settings.ts';
import { fromPlan, listAuditJudges } from './from-plan.ts';
import type { AuditKind } from './types.ts';

export const cuesKind: AuditKind = async (asked, judges) =>
  fromPlan(await createCuePlan(readAuditSettings(asked, cueSettings), listAuditJudges(judges)));
