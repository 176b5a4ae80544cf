/** The audits that can be asked for over HTTP, by their names on the command line. */
import { InputError } from '../../case/errors.ts';
import { authors } from './kinds/authors.ts';
import { cues } from './kinds/cues.ts';
import { perturb } from './kinds/perturb.ts';
import type { Asked, Judges, Kind, Prepared } from './kinds/types.ts';

/**
 * Not among them: `authorship`, which draws its lines on thousands of reviews by people and embeds all of them, more
 * than a request carries and an isolate holds at once. It is the command line's.
 */
const KINDS: Readonly<Record<string, Kind>> = { cues, authors, perturb };

/** @throws InputError naming the setting that cannot be used */
export function prepare(asked: Asked, judges: Judges): Prepared {
  const { kind = 'cues' } = asked;
  const found = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  const names = Object.keys(KINDS).join(', ');
  if (!found)
    throw new InputError(
      'kind',
      `must be one of ${names}, not "${kind}"; authorship is for \`npx remand audit\``,
    );
  return found(asked, judges);
}
