/**
 * Which score a reply gives. Surest place first: the asked spelling, `[[7]]`, the number as the whole
 * reply, then "Rating: 7", "I give it a 7", "7/10" on a scale that ends at 10, a number alone on its
 * line. Numbers in one kind of place
 * that differ are contradictory; numbers elsewhere in prose are no score.
 */
import type { NoVerdictReason, VerdictForm } from '../types.ts';

export type ScoreForm = Extract<VerdictForm, { kind: 'score' }>;
export type Score =
  | { readonly score: number }
  | { readonly none: Extract<NoVerdictReason, 'no-label' | 'contradictory' | 'off-scale'> };

const NUMBER = '(-?\\d{1,9}(?:\\.\\d{1,9})?)(?:\\s{0,9}(?:/|out of)\\s{0,9}(\\d{1,9})(?![\\d.]{0,9}\\d))?';
const ENDS = '(?![\\p{L}\\p{N}%]|\\.\\d|,\\d|\\s{0,9}(?:-|–|to|or)\\s{0,9}\\d)';
/** A number that ends what is said: "a 7.", "7 points", "7 because", not "7 examples". */
const DONE =
  '(?=["\')\\]]{0,3}\\s{0,9}(?:[.,;:!)\\n–—-]|$|stars?\\b|points?\\b|because\\b|since\\b|for\\b|as\\b|due\\b|on\\b|here\\b|overall\\b))';
const NOUN = '(?:score|rating|grade|mark)';
const JOIN =
  '(?:\\s{0,9}\\([^()\\n]{0,40}\\))?["\']?(?:\\s{0,9}(?:is|was|would be|should be|will be|of|as|at|an?\\b|:|=|→|->)){1,4}\\s{0,9}["\'\\[(]{0,3}\\s{0,9}';

const MARKED = new RegExp(`\\[\\[\\s{0,9}${NUMBER}\\s{0,9}\\]\\]`, 'gu');
const FINAL = new RegExp(
  `\\b(?:final|overall|total|combined)\\s{1,9}(?:\\p{L}{1,20}\\s{1,9}){0,2}?${NOUN}${JOIN}${NUMBER}${ENDS}`,
  'giu',
);
const LED = new RegExp(
  `(?:\\b${NOUN}|^\\s{0,9}(?:verdict|judge?ment|evaluation|assessment))${JOIN}${NUMBER}${ENDS}`,
  'gimu',
);
const GIVEN = new RegExp(
  `\\b(?:I(?:'d| would| will|'ll)? (?:give|rate|assign|award|score|grade)|(?:deserves?|merits?|earns?|rated?|scored?)(?=\\s{1,9}(?:an?\\b|this\\b|it\\b|\\d)))(?:\\s{1,9}[\\p{L}']{1,20}){0,6}?\\s{0,9}${NUMBER}${ENDS}${DONE}`,
  'giu',
);
const FRACTION = new RegExp(
  `(?<![\\p{N}.\\-/])(-?\\d{1,9}(?:\\.\\d{1,9})?)\\s{0,9}(?:/|out of)\\s{0,9}(\\d{1,9})${ENDS}${DONE}`,
  'giu',
);
const ALONE = new RegExp(
  `^\\s{0,9}(?:${NOUN}\\s{1,9})?["'(\\[]{0,3}${NUMBER}["')\\]]{0,3}[.!]?(?:\\s{0,9}(?:points?|stars?))?\\s{0,9}$`,
  'gimu',
);
/** "on a scale of 1 to 10", "(1-5)": they say what could be given, not what was. */
const SCALE =
  /\b(?:scale|range)(?:\s+(?:of|from|between))?\s*-?\d{1,9}(?:\.\d+)?\s*(?:to|-|–|and)\s*-?\d{1,9}(?:\.\d+)?|\(\s*\d{1,9}\s*(?:to|-|–)\s*\d{1,9}\s*\)|\b\d{1,9}[- ]point scale/giu;

export function scoreInText(said: string, form: ScoreForm): Score {
  const text = said.replace(SCALE, ' ');
  // `Rating: [[{}]]`: FastChat takes the first number in double brackets, whatever stands in front of it.
  const bracketed = form.template?.includes('[[{}]]') ?? false;
  const asked = form.template === null || bracketed ? null : askedSpelling(form.template);
  const places = [
    ...(asked ? [asked] : []),
    MARKED,
    new RegExp(`^\\s*${NUMBER}(?:\\s{0,9}(?:points?|stars?))?[.!]?\\s*$`, 'gu'),
    FINAL,
    LED,
    GIVEN,
    FRACTION,
    ALONE,
  ];
  for (const place of places) {
    const matches = [...text.matchAll(place)].filter(
      (match) => place !== FRACTION || match[2] === String(form.max),
    );
    const found = matches.map((match) => onScale(match[1], match[2], form));
    const scores = [...new Set(found.map((one) => ('score' in one ? one.score : null)))];
    const [first] = found;
    if (first !== undefined) return scores.length === 1 ? first : { none: 'contradictory' };
  }
  return { none: 'no-label' };
}

/** A number on the scale of the form. `7/10` counts only where the form's scale ends at 10 or is not known. */
export function onScale(number: string | undefined, outOf: string | undefined, form: ScoreForm): Score {
  const score = Number(number);
  const top = outOf === undefined ? form.max : Number(outOf);
  if (!Number.isFinite(score)) return { none: 'no-label' };
  if (form.max !== null && top !== form.max) return { none: 'off-scale' };
  if (top !== null && score > top) return { none: 'off-scale' };
  if (form.min !== null && score < form.min) return { none: 'off-scale' };
  if (form.legal && !form.legal.includes(score)) return { none: 'off-scale' };
  return { score };
}

function askedSpelling(template: string): RegExp | null {
  const [before, after] = template.trim().split('{}');
  if (before === undefined || after === undefined || before + after === '') return null;
  return new RegExp(
    `${loose(before)}\\s{0,9}${NUMBER}${after === '' ? ENDS : `\\s{0,9}${loose(after)}`}`,
    'giu',
  );
}

/** Literally, but any space for a space. */
const loose = (text: string) =>
  text
    .trim()
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/\s+/g, '\\s{1,9}');
