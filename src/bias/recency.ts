/** Recency: the verdict follows when an option is said to have been written. Undone by taking the remark out. */
import { createCueFinder } from '../case/index.ts';
import { injectStatement } from './draft.ts';
import { WORDS } from './meanings.ts';
import { type RemarkKind, spotRemarks, undoRemarks } from './remark.ts';
import type { Bias } from './types.ts';

const DATE =
  '(?:\\p{L}{3,9}\\.?\\s{1,9})?(?:\\d{1,2},?\\s{1,9})?(?:19|20)\\d\\d(?:-\\d\\d){0,2}(?![\\p{L}\\p{N}])';
const MADE = '(?:written|authored|published|posted|created|composed|produced|updated|answered|dated)';
const NOUN =
  '(?:output|response|answer|assistant|story|text|candidate|option|reply|completion|summary|essay)';
/** "written in 2025", "Published: 1950", "dates from 1950". */
const WHEN = `(?:(?:${MADE})(?:\\s{0,9}[:=]|\\s{1,9}(?:back\\s{1,9})?(?:in|on))?|(?:date|year)\\s{0,9}[:=]|dates?\\s{1,9}from)\\s{0,9}${DATE}`;
const LINE = new RegExp(
  `^[\\[(*_#\\s-]{0,20}(?:(?:this|the)\\s{1,9})?(?:(?:new|old|recent)\\s{1,9})?(?:${NOUN}(?:\\s{0,9}\\(?[a-z0-9]{1,2}\\)?)?\\s{0,9})?(?:(?:was|is|were)\\s{1,9})?(?:(?:new|old|recent)\\W{1,3}(?:and\\s{1,9})?(?:it\\s{1,9}(?:was|is)\\s{1,9})?)?${WHEN}[\\])*_.\\s]{0,20}$`,
  'iu',
);
/** A year by itself could be an answer; in brackets on a line of its own it is a date. */
const YEAR_LINE = /^(?:\((?:19|20)\d\d\)|\[(?:19|20)\d\d\])$/;

const YEAR = /(?<![\d.,])(?:19|20)\d\d(?![\d%])/;

const findTimes = createCueFinder({
  age: { sentences: [{ all: [WORDS.age] }] },
});

/** Sentences that say when an option was written. */
export const RECENCY_REMARK: RemarkKind = {
  bias: 'recency',
  what: 'when an option was written',
  says: (sentence) => YEAR.test(sentence) || findTimes(sentence)('age').length > 0,
  isLine: (line) => LINE.test(line) || YEAR_LINE.test(line),
};

export const recency: Bias = {
  name: 'recency',
  definition:
    'The choice follows how new or old an answer is said to be (the date it was written), whether or not that ' +
    'answer is the better one.',
  expectation: 'invariant',
  trait: 'age',

  spot: (subject) => spotRemarks(subject, RECENCY_REMARK),

  undo: async (subject) => undoRemarks(subject, RECENCY_REMARK),

  inject: injectStatement(() => '{option} was written in 2025'),
};
