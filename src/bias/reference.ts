/**
 * Reference: the verdict agrees with a reference answer only because it is there. Undone by withholding the reference, which
 * most judges are right to follow: so it is told that there is one, and undone where an operator or a client asks for it by name.
 */
import {
  asGiven,
  type Case,
  createCueFinder,
  type Edit,
  matchWords,
  quote,
  type Statement,
} from '../case/index.ts';
import { injectStatement } from './draft.ts';
import { WORDS } from './meanings.ts';
import type { Bias } from './types.ts';

const WITHHELD = 'withheld';

/** A statement of what a reference says begins with it, under whatever heading. */
const SAYS =
  /^\W{0,8}(?:statement\W{1,4})?(?:according to )?(?:the )?(?:(?:reference|gold|expected|ideal|model|ground[- ]truth) (?:answer|solution|response|output)\b(?! [a-z]\b)|(?:reference|gold|expected|ground[- ]truth)(?=\s{0,4}[:：,]|\s(?:says|gives|agrees|is|has|lists|matches|sides|reads)\b))/iu;
const BEGINS_WITH = matchWords(WORDS.reference);
/** Characters in front of a reference with which a statement begins. */
const LEAD = 12;
const findComparisons = createCueFinder({
  reference: { sentences: [{ all: [WORDS.reference, WORDS.agrees] }] },
});
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
    return [{ bias: 'reference', favours: 'any', seen: `a reference is given: "${quote(first)}"${more}` }];
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
export function tellsReference({ text, of, mentions }: Statement): boolean {
  if (of || text.length > LONGEST) return false;
  if (SAYS.test(text)) return true;
  const at = text.search(BEGINS_WITH);
  return at >= 0 && (at <= LEAD || (mentions.length > 0 && findComparisons(text)('reference').length > 0));
}

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
