/** `remand audit`: how far a judge can be trusted, before it is. */
import { defineCommand } from 'citty';
import { auditAuthorsCommand } from './audit/audit-authors.ts';
import { auditAuthorshipCommand } from './audit/audit-authorship.ts';
import { auditCuesCommand } from './audit/audit-cues.ts';
import { auditPerturbCommand } from './audit/audit-perturb.ts';

export const auditCommand = defineCommand({
  meta: { name: 'audit', description: 'Inject what a fair judge would not notice, and see whether it does.' },
  subCommands: {
    authors: auditAuthorsCommand,
    authorship: auditAuthorshipCommand,
    cues: auditCuesCommand,
    perturb: auditPerturbCommand,
  },
});
