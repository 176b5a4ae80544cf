/** `remand audit`: how far a judge can be trusted, before it is. */
import { defineCommand } from 'citty';
import { authors } from './audit/authors.ts';
import { authorship } from './audit/authorship.ts';
import { auditCuesCommand } from './audit/cues.ts';
import { auditPerturbCommand } from './audit/perturb.ts';

export const audit = defineCommand({
  meta: { name: 'audit', description: 'Inject what a fair judge would not notice, and see whether it does.' },
  subCommands: { authors, authorship, cues: auditCuesCommand, perturb: auditPerturbCommand },
});
