/**
 * Reference: the verdict agrees with a reference answer only because it is there. Undone by withholding the reference, which
 * most judges are right to follow: so it is told that there is one, and undone where an operator or a client asks for it by name.
 */
import { asGiven, type Case, type Edit, type Statement } from '../case/index.ts';
import { injectStatement } from './draft.ts';
import type { Bias } from './types.ts';

const WITHHELD = 'withheld';

/** A statement of what a reference says. */
const SAYS =
  /^\W{0,8}(?:statement\W{1,4})?(?:according to )?(?:the )?(?:reference|gold|expected|model|ideal|ground[- ]truth)(?: (?:answer|solution|response|output))?\b/i;
/** Longer texts are material. */
const LONGEST = 600;

export const reference: Bias = {
  name: 'reference',
  definition:
    'The verdict agrees with a reference answer only because that is there: without it, the same judge decides otherwise. ' +
    'A reference can be wrong, and an answer that differs from it can be right.',
  expectation: 'invariant',
  mustBeNamed: true,

  spot(subject) {
    const texts = [
      ...(subject.standards ?? []).flatMap(({ of, text }) => (of === 'reference' ? [text] : [])),
      ...subject.context.flatMap((one) => (tellsReference(one) ? [one.text] : [])),
    ];
    const [first] = texts;
    if (first === undefined) return [];
    const more = texts.length > 1 ? ` and ${texts.length - 1} more` : '';
    return [{ bias: 'reference', favours: 'any', seen: `a reference is given: "${clip(first)}"${more}` }];
  },

  async undo(subject) {
    const elsewhere = (subject.standards ?? []).flatMap(({ of, at, text }): Edit[] =>
      of === 'reference' ? [{ at, with: /^".*"$/s.test(text) ? `"${WITHHELD}"` : WITHHELD }] : [],
    );
    const context = subject.context.flatMap((one, index) =>
      tellsReference(one) ? [[index, null] as const] : [],
    );
    if (elsewhere.length + context.length === 0) return null;
    return { ...asGiven(subject), elsewhere, context: new Map(context) };
  },

  /** The reference is said to agree with one side. */
  inject: injectStatement(() => 'The reference answer agrees with {option}'),
};

/** Whether a statement says what a reference says. */
export const tellsReference = ({ text, of }: Statement) => !of && text.length <= LONGEST && SAYS.test(text);

/** The options that a reference is on the side of, one flag each: it is said to agree with them, or says what they say. */
export function findReferred({ options, context, standards = [] }: Case): boolean[] {
  const texts = standards.flatMap(({ of, text }) => (of === 'reference' ? [text.trim()] : []));
  const named = context
    .filter(tellsReference)
    .flatMap(({ mentions }) => mentions.map(({ option }) => option));
  return options.map(
    ({ text }, index) => named.includes(index) || texts.some((one) => one !== '' && text.includes(one)),
  );
}

const clip = (text: string) => (text.length > 120 ? `${text.slice(0, 117)}...` : text);
