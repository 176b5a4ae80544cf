/**
 * Reflection: the verdict follows second thoughts, self-praise and claims of certainty. Undone by cutting them; what they are
 * about stays.
 */
import { clausesOf, type FoundCue, joinRanges, type TextRange } from '../case/index.ts';
import { readCues, SELF_REMARKS } from './cue-words.ts';
import { injectWords } from './draft.ts';
import { isQuoted, spotPhrases, undoPhrases } from './phrase.ts';
import type { Bias } from './types.ts';

/** Phrases in their order, without what they are about. */
export function findReflections(text: string, read = readCues): TextRange[] {
  return joinRanges(
    read(text)
      .cues('reflection')
      .flatMap((cue) => {
        const isRemark = SELF_REMARKS.some((rule) => rule === cue.rule);
        if (isRemark && !claimsMore(text, cue)) return [withSpace(text, cue.sentence)];
        if (!isRemark && isQuoted(text, cue)) return [];
        const place = cue.rule !== null && claimsMore(text, cue) ? cue : cue.sentence;
        return [clausesOf(text, cue) ?? withSpace(text, place)];
      }),
  );
}

/** Letters beside a cue that are more than its own sentence needs. */
const MORE = 30;

/** Whether a sentence says more than the cue does. */
function claimsMore(text: string, { start, end, sentence }: FoundCue): boolean {
  const rest = text.slice(sentence.start, start) + text.slice(end, sentence.end);
  return /\d/.test(rest) || (rest.match(/\p{L}/gu)?.length ?? 0) > MORE;
}

const withSpace = (text: string, { start, end }: TextRange): TextRange => ({
  start,
  end: end + (text[end] === ' ' ? 1 : 0),
});

/** Put in front of one option, and behind it. */
const BEFORE = 'Wait, let me think again. ';
const BEHIND = ' I have carefully verified every step of this.';

export const reflection: Bias = {
  name: 'reflection',
  definition:
    'The choice follows what an answer says of itself: second thoughts ("wait, let me think again"), praise, claims that it ' +
    'is certain or was checked.',
  expectation: 'invariant',

  spot: (subject, _judge, read) =>
    spotPhrases(subject, 'reflection', 'phrases of second thoughts or certainty', (text) =>
      findReflections(text, read),
    ),

  undo: (subject) => undoPhrases(subject, findReflections),

  inject: injectWords((text) => BEFORE + text + BEHIND),
};
