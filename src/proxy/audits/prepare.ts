/** The audits that can be asked for over HTTP, by their names on the command line. */
import { InputError } from '../../errors.ts';
import type { AuditKind, AuditSettings, Judges, PreparedAudit } from './kinds/types.ts';

/**
 * Not among them: `authorship`, which draws its lines on thousands of reviews by people and embeds all of them, more
 * than a request carries and an isolate holds at once. It is the command line's.
 */
const KINDS: Readonly<Record<string, () => Promise<AuditKind>>> = {
  // Loaded when one is asked for: an isolate that judges starts without their statistics.
  cues: async () => (await import('./kinds/cues-kind.ts')).cuesKind,
  authors: async () => (await import('./kinds/authors-kind.ts')).authorsKind,
  perturb: async () => (await import('./kinds/perturb-kind.ts')).perturbKind,
};

/** Rejects (InputError) naming the setting that cannot be used. */
export async function prepareAudit(asked: AuditSettings, judges: Judges): Promise<PreparedAudit> {
  const { kind: name = 'cues' } = asked;
  const found = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  const names = Object.keys(KINDS).join(', ');
  if (!found)
    throw new InputError(
      'kind',
      `must be one of ${names}, not "${name}"; authorship is for \`npx remand audit\``,
    );
  const kind = await found();
  return kind(asked, judges);
}
