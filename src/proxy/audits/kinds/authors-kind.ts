/** The audit of author metadata, as the command line plans it. */
import { authorSettings, createAuthorPlan } from '../../../audit/authors/plan.ts';
import { readAuditSettings } from './audit-settings.ts';
import { fromPlan, listAuditJudges } from './from-plan.ts';
import type { AuditKind } from './types.ts';

export const authorsKind: AuditKind = async (asked, judges) =>
  fromPlan(await createAuthorPlan(readAuditSettings(asked, authorSettings), listAuditJudges(judges)));
