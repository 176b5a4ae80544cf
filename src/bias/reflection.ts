/**
 * Reflection: the verdict follows second thoughts, self-praise and claims of certainty. Undone by cutting them; what they are
 * about stays.
 */
import {
  clausesOf,
  countLetters,
  cutPhrases,
  type FoundCue,
  joinLists,
  joinRanges,
  matchWords,
  type TextRange,
} from '../case/index.ts';
import { readCues, SELF_REMARKS } from './cue-words.ts';
import { injectWords } from './draft.ts';
import { isQuoted, spotPhrases, undoPhrases } from './phrase.ts';
import type { Bias } from './types.ts';

/** Phrases in their order, without what they are about. */
export const findReflections = (text: string, read = readCues): TextRange[] =>
  joinRanges(placesIn(text, read(text).cues('reflection')));

/** Of these phrases, what can be cut without a claim: an answer that would be gone loses less, or nothing. */
function findCuts(text: string): TextRange[] {
  const cues = readCues(text).cues('reflection');
  const elsewhere = cutPhrases(text, joinRanges(cues.map(({ sentence }) => sentence)));
  const cut = (placesOf: (cue: FoundCue) => readonly TextRange[]): TextRange[] =>
    joinRanges(
      cues.flatMap((cue) => placesOf(cue).find((place) => holdsNoClaim(text, cue, place, elsewhere)) ?? []),
    );
  const smaller = (cue: FoundCue) => (isRemark(cue) ? [clausesOf(text, cue) ?? withSpace(text, cue)] : []);
  const cuts = cut((cue) => [...placesIn(text, [cue]), ...smaller(cue)]);
  if (!isNothing(cutPhrases(text, cuts)) || cues.every((cue) => isBare(text, cue))) return cuts;
  const fewer = cut(smaller);
  return isNothing(cutPhrases(text, fewer)) ? [] : fewer;
}

/** Whether a place says no number and no name that stands nowhere else, and what remains of its sentence is more than a remnant. */
function holdsNoClaim(text: string, cue: FoundCue, place: TextRange, elsewhere: string): boolean {
  if ((cue.rule === null || isRemark(cue)) && leavesRemnant(text, cue)(place)) return false;
  const rest = text.slice(cue.sentence.start, place.start) + text.slice(place.end, cue.sentence.end);
  const known = new Set(`${elsewhere} ${rest}`.match(/\p{N}+|\p{L}+/gu));
  return withoutCue(text.slice(place.start, place.end), cue)
    .matchAll(GERMAN.test(text) ? /\p{N}+/gu : /\p{N}+|(?<!^)\p{Lu}\p{L}+/gu)
    .every(([name]) => known.has(name));
}

/** German writes every noun with a capital, not names alone. */
const GERMAN = /(?<!\p{L})(?:ich|und|ist|mein|meine|diese)(?!\p{L})/iu;

/** So few letters beside the words of a remark are no claim: "is", "and". */
const BESIDE = 6;

/** A remark that says nothing besides. */
const isBare = (text: string, cue: FoundCue) =>
  isRemark(cue) && countLetters(withoutCue(text.slice(cue.sentence.start, cue.sentence.end), cue)) <= BESIDE;

/** A text without the words that a cue is known by. */
const withoutCue = (text: string, { rule }: FoundCue): string =>
  rule ? text.replace(matchWords(joinLists(...rule.all), 'giu'), '_') : text;

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
  trait: 'certainty',

  spot: (subject, _judge, read) =>
    spotPhrases(subject, 'reflection', 'phrases of second thoughts or certainty', (text) =>
      findReflections(text, read),
    ),

  undo: (subject) => undoPhrases(subject, findCuts),

  inject: injectWords((text) => BEFORE + text + BEHIND),
};
