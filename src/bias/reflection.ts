/**
 * Reflection: the verdict follows second thoughts, self-praise and claims of certainty. Undone by cutting them; what they are
 * about stays.
 */
import {
  clausesOf,
  countLetters,
  cutPhrases,
  type FoundCue,
  joinRanges,
  type TextRange,
} from '../case/index.ts';
import { readCues, SELF_REMARKS } from './cue-words.ts';
import { injectWords } from './draft.ts';
import { isQuoted, spotPhrases, undoPhrases } from './phrase.ts';
import type { Bias } from './types.ts';

/** Phrases in their order, without what they are about. */
export const findReflections = (text: string, read = readCues): TextRange[] =>
  joinRanges(placesIn(text, read(text).cues('reflection')));

/** Of these phrases, what can be cut without a claim. */
function findCuts(text: string): TextRange[] {
  const cues = readCues(text).cues('reflection');
  const certain = cues.filter(
    (cue) => cue.rule !== null || !placesIn(text, [cue]).some(leavesRemnant(text, cue)),
  );
  const cuts = joinRanges(placesIn(text, certain));
  return isNothing(cutPhrases(text, cuts)) && !certain.every(isRemark) ? [] : cuts;
}

const isNothing = (text: string) => !/[\p{L}\p{N}]/u.test(text);

/** Remarks are about the answer itself and claim nothing else. */
const isRemark = (cue: FoundCue) => SELF_REMARKS.some((rule) => rule === cue.rule);

const placesIn = (text: string, cues: readonly FoundCue[]): TextRange[] =>
  cues.flatMap((cue) => {
    if (isRemark(cue) && !claimsMore(text, cue)) return [withSpace(text, cue.sentence)];
    if (!isRemark(cue) && isQuoted(text, cue)) return [];
    const place = cue.rule !== null && claimsMore(text, cue) ? cue : cue.sentence;
    return [clausesOf(text, cue) ?? withSpace(text, place)];
  });

/** So few letters are no claim: "I believe". */
const REMNANT = 12;

/** Whether the sentence of a cue says something beside a place, but hardly a claim. */
const leavesRemnant =
  (text: string, { sentence }: FoundCue) =>
  (place: TextRange): boolean => {
    const rest = text.slice(sentence.start, place.start) + text.slice(place.end, sentence.end);
    return !isNothing(rest) && !/\d/.test(rest) && countLetters(rest) <= REMNANT;
  };

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

  undo: (subject) => undoPhrases(subject, findCuts),

  inject: injectWords((text) => BEFORE + text + BEHIND),
};
