/** The audits that can be asked for over HTTP, by their names on the command line. */
import { InputError } from '../../errors.ts';
import type { Asked, Judges, Kind, Prepared } from './kinds/types.ts';

/**
 * Not among them: `authorship`, which draws its lines on thousands of reviews by people and embeds all of them, more
 * than a request carries and an isolate holds at once. It is the command line's.
 */
const KINDS: Readonly<Record<string, () => Promise<Kind>>> = {
  // Loaded when one is asked for: an isolate that judges starts without their statistics.
  cues: async () => (await import('./kinds/cues.ts')).cues,
  authors: async () => (await import('./kinds/authors.ts')).authors,
  perturb: async () => (await import('./kinds/perturb.ts')).perturb,
};

/** Rejects (InputError) naming the setting that cannot be used. */
export async function prepare(asked: Asked, judges: Judges): Promise<Prepared> {
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
