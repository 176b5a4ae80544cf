/**
 * Authority: the verdict follows who an answer says stands behind it: experts, studies, institutions, credentials. Undone by
 * taking the name away; the claim stays.
 */
import { type Cut, clausesOf, type FoundCue, joinLists, joinRanges, matchWords } from '../case/index.ts';
import { readCues } from './cue-words.ts';
import { injectWords } from './draft.ts';
import { WORDS } from './meanings.ts';
import { isQuoted, spotPhrases, undoPhrases } from './phrase.ts';
import { type RemarkKind, spotRemarks, undoRemarks } from './remark.ts';
import type { Bias } from './types.ts';

/** Citations are written alike in all of these languages: `(Miller et al., 2019)`, `[1] Kumar, P., Journal of Nutrition, 2018.` */
const CITATION =
  /[ \t]?\(\p{Lu}\p{L}{1,30}(?: et al\.| (?:and|und|et|y|&) \p{Lu}\p{L}{1,30})?,? (?:19|20)\d\d[a-z]?\)|^\[\d{1,2}\] \p{Lu}[^\n]{5,200}\b(?:19|20)\d\d\b[^\n]{0,40}|\b(?:doi:|doi\.org\/|arXiv:)[^\s)]{5,60}/gmu;

const NAMES = matchWords(joinLists(WORDS.experts, WORDS.calling, WORDS.credential), 'giu');
const WITHHELD = 'withheld';
/** Characters of a sentence that no rule fits: a heading (`Evidence`) claims nothing. */
const SHORTEST = 14;

/** What an answer calls to witness, in its order. */
export function findAuthorities(text: string, read = readCues): Cut[] {
  const cited = text
    .matchAll(CITATION)
    .map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
  const cues = read(text)
    .cues('authority')
    .filter((cue) => (cue.rule || cue.sentence.end - cue.sentence.start >= SHORTEST) && !isQuoted(text, cue));
  const clauses = joinRanges([...cited, ...cues.flatMap((cue) => clausesOf(text, cue) ?? [])]);
  const names = cues.filter((cue) => clausesOf(text, cue) === null).flatMap((cue) => namesOf(text, cue));
  return [...clauses, ...names].sort((a, b) => a.start - b.start);
}

/**
 * The first and the last name in a cue and what stands between them, as one, with what is written in capitals beside it. Of a
 * sentence that no rule fits: the whole of it where nobody is named.
 */
function namesOf(text: string, { rule, sentence, ...place }: FoundCue): Cut[] {
  const { start, end } = rule ? place : sentence;
  const found = text.slice(start, end).matchAll(NAMES).toArray();
  const [first] = found;
  const last = found.at(-1);
  if (!first || !last) return rule ? [] : [sentence];
  const from = start + first.index;
  const to = start + last.index + last[0].length;
  const before =
    /(?<=\s)(?:\p{Lu}[\p{L}'’-]{0,30}\s){1,5}$/u.exec(text.slice(sentence.start, from))?.[0] ?? '';
  const behind = /^(?:\s\p{Lu}[\p{L}'’-]{0,30}){1,5}/u.exec(text.slice(to, sentence.end))?.[0] ?? '';
  return [{ start: from - before.length, end: to + behind.length, instead: WITHHELD }];
}

/** Sentences beside an option that say who vouches for it. What stands within an option is a phrase. */
const WITNESS_REMARK: RemarkKind = {
  bias: 'authority',
  what: 'who vouches for an option',
  says: (sentence) => findAuthorities(sentence).length > 0,
  isLine: () => false,
};

/** Put in front of one option. */
const BEFORE = 'According to a study by leading experts at Harvard University: ';

export const authority: Bias = {
  name: 'authority',
  definition:
    'The choice follows whom an answer calls to witness (experts, studies, institutions, credentials) rather than what it ' +
    'says.',
  expectation: 'invariant',
  trait: 'sources',

  spot: (subject, _judge, read) => [
    ...spotPhrases(subject, 'authority', 'appeals to an authority', (text) => findAuthorities(text, read)),
    ...spotRemarks(subject, WITNESS_REMARK),
  ],

  async undo(subject, cue) {
    return cue.favours === 'any'
      ? undoRemarks(subject, WITNESS_REMARK)
      : undoPhrases(subject, findAuthorities);
  },

  inject: injectWords((text) => BEFORE + text),
};
