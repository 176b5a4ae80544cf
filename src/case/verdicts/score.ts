/** One answer has a score. */

import * as z from 'zod';
import { strictFields } from '../../strict-fields.ts';
import { isBeside, namesVerdict } from '../words/field-names.ts';
import * as fields from './file-fields.ts';
import {
  type FormKind,
  type FormOf,
  noVerdict,
  type Scale,
  spreadOf,
  toTracedSpread,
  tracedSpread,
  type VerdictKind,
} from './kind.ts';
import { ENDS, loose } from './reading/frames.ts';
import { withoutMarkup } from './reading/own-words.ts';
import { isUnread, type Reply, readFieldOrWords, type Unread } from './reading/reply.ts';
import { SHORT_REPLY } from './reading/sole-label.ts';
import {
  NUMBER as ANY_NUMBER,
  jsonField,
  numberPatterns,
  tellScale,
  tellTemplate,
  withDigits,
  withPoints,
} from './spelling.ts';

export const score = {
  isSame: (a, b) => a.score === b.score,
  distance: (a, b) => Math.abs(a.score - b.score),
  spread: (verdict) => verdict.spread,
  describe: (verdict) => `a score of ${verdict.score}`,
  remind: () => 'the score you gave then',
  brief: (verdict) => `Score: ${verdict.score}`,
  readBrief(text) {
    const [, said] = /^Score: ([\s\S]+)$/.exec(text) ?? [];
    return said === undefined || Number.isNaN(Number(said)) ? null : { kind: 'score', score: Number(said) };
  },
  plain: (verdict) => String(verdict.score),
  traced: { score: z.number().optional(), spread: tracedSpread },
  toDraw: ({ score: number }) => ({ score: number }),
  toTrace: (verdict) => ({
    score: verdict.score,
    ...(verdict.spread && { spread: toTracedSpread(verdict.spread) }),
  }),
  fromTrace: ({ score: told }) => (typeof told === 'number' ? { kind: 'score', score: told } : null),
  toProperty: (verdict) => verdict.score,
  wordsOf: (verdict) => verdict.score,
  weigh: (verdict, alternatives) => ({
    ...verdict,
    spread: spreadOf(alternatives, (one) => (one.kind === 'score' ? one.score : null)),
    lead: alternatives.lead,
  }),
} as const satisfies VerdictKind<'score'>;

type ScoreForm = FormOf<'score'>;

const file = strictFields({
  kind: z.literal('score'),
  ...fields.scale,
  template: fields.framed,
  field: fields.field,
});

export const scoreForm = {
  read(reply, form, { checkpoint }) {
    if (form.field === null && isBesideLabel(reply.json)) return noVerdict('no-label');
    const read = readFieldOrWords<{ readonly score: number }>(
      reply,
      form.field,
      { value: (value) => scoreInValue(value, form), words: (said) => scoreInText(said, form) },
      checkpoint,
    );
    if (isUnread(read)) return noVerdict(read.none);
    return clientTakesAnother(reply.text, form, read.score)
      ? noVerdict('contradictory')
      : { kind: 'score', score: read.score };
  },
  write(verdict, form) {
    if (verdict.kind !== 'score' || isUnread(readOnScale(String(verdict.score), undefined, form)))
      return null;
    if (form.field !== null) return JSON.stringify({ [form.field]: verdict.score });
    return form.template?.replaceAll('{}', String(verdict.score)) ?? null;
  },
  describe(form) {
    const number = form.legal ? `one of the numbers ${form.legal.join(', ')}` : `a number${tellScale(form)}`;
    return `${number}${tellTemplate(form.template)}${form.mean ? ', as the mean of several replies' : ''}`;
  },
  patterns: ({ template }) => numberPatterns(template ?? '{}'),
  labelSource: ({ template }) => (template ?? '{}').split('{}').map(RegExp.escape).join(ANY_NUMBER),
  scale: (form) => form,
  combine(verdicts, { mean }) {
    const scores = verdicts.flatMap((one) => (one.kind === 'score' ? [one.score] : []));
    if (!mean || verdicts.length < 2 || scores.length < verdicts.length) return null;
    return { kind: 'score', score: scores.reduce((sum, one) => sum + one, 0) / scores.length };
  },
  decide: ([liked = 0], form) => ({ kind: 'score', score: scoreLiked(liked, form) }),
  file,
  fromFile: ({ min = null, max = null, template = null, field = null }) => ({
    kind: 'score',
    min,
    max,
    template,
    field,
  }),
} as const satisfies FormKind<'score', z.infer<typeof file>>;

/** Characters of a word that sorts an answer. */
const LONGEST_WORD = 30;

/** Whether a number of which nothing says that it is the verdict stands beside a word that may be it: `{"outcome": "resolved", "frustration": 1}`. */
function isBesideLabel({ objects: [object, ...others] }: Reply['json']): boolean {
  if (!object || others.length > 0) return false;
  const fields = Object.entries(object).filter(([name]) => !isBeside(name));
  const numbers = fields.filter(([, value]) => typeof value === 'number');
  const words = fields.filter(
    ([, value]) =>
      typeof value === 'boolean' ||
      (typeof value === 'string' && value.length <= LONGEST_WORD && /\p{L}/u.test(value)),
  );
  return numbers.length > 0 && words.length > 0 && !numbers.some(([name]) => namesVerdict(name));
}

/** Liking 0 is the middle of the scale, 0.5 and more its top, -0.5 and less its bottom. */
export function scoreLiked(liked: number, { min, max }: Scale): number {
  const low = min ?? 1;
  const high = max ?? Math.max(10, low + 1);
  const score = low + (high - low) * Math.min(1, Math.max(0, 0.5 + liked));
  // A scale from 0 to 1 has values in between, one from 1 to 10 is said in whole numbers.
  return high - low > 1 ? Math.round(score) : Math.round(score * 100) / 100;
}

type ScoreRead = { readonly score: number } | Unread;

const VALUE = `(${ANY_NUMBER})`;
const NUMBER = `${VALUE}(?:\\s{0,9}(?:/|out of)\\s{0,9}(\\d{1,9})(?![\\d.]{0,9}\\d))?`;
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
  `(?<![\\p{N}.\\-/]|\\d,)(-?\\d{1,9}(?:\\.\\d{1,9})?)\\s{0,9}(?:/|out of)\\s{0,9}(\\d{1,9})${ENDS}${DONE}`,
  'giu',
);
const ALONE = new RegExp(
  `^\\s{0,9}(?:${NOUN}\\s{1,9})?["'(\\[]{0,3}${NUMBER}["')\\]]{0,3}[.!]?(?:\\s{0,9}(?:points?|stars?))?\\s{0,9}$`,
  'gimu',
);
/** A number that is all that a line says behind its label, whatever that is, with its unit: `Accuracy: 20 %`, `分数：[7]`, `[평점] 7`, `5 Punkte`. */
const LABELLED = new RegExp(
  `^\\s{0,9}(?:[[【(]?\\p{L}[^:：=\\])】\\n]{0,40}[:：=\\])】]\\s{0,9})?["'(\\[]{0,3}${NUMBER}["')\\]]{0,3}(?:\\s?%|\\s?\\p{L}[\\p{L}\\p{M}]{0,9})?[.]?\\s{0,9}$`,
  'gimu',
);
/** A number that opens the reply, in front of its reasons: `7 - clear`, `4: some words are missing`, `1, tells it all`. */
const OPENS = new RegExp(
  `^\\s{0,9}["'(\\[]{0,3}${NUMBER}["')\\]]{0,3}(?:\\s{1,3}[-–—]|[:：,])\\s(?=\\p{L})`,
  'gu',
);
/** "on a scale of 1 to 10", "(1-5)": they say what could be given, not what was. */
const SCALE =
  /\b(?:scale|range)(?:\s+(?:of|from|between))?\s*-?\d{1,9}(?:\.\d+)?\s*(?:to|-|–|and)\s*-?\d{1,9}(?:\.\d+)?|\(\s*\d{1,9}\s*(?:to|-|–)\s*\d{1,9}\s*\)|\b\d{1,9}[- ]point scale/giu;

function scoreInText(said: string, form: ScoreForm): ScoreRead {
  // `Rating: [[{}]]`: FastChat takes the first number in double brackets, whatever stands in front of it, and none with a comma.
  const bracketed = form.template?.includes('[[{}]]') ?? false;
  const text = (bracketed ? withDigits(said) : withPoints(said)).replace(SCALE, ' ');
  const asked =
    form.template === null || bracketed
      ? null
      : askedSpelling(withoutMarkup(form.template.normalize('NFKC')));
  const places = [
    ...(asked ? [asked] : []),
    MARKED,
    new RegExp(`^\\s*${NUMBER}(?:\\s{0,9}(?:points?|stars?))?[.!]?\\s*$`, 'gu'),
    FINAL,
    LED,
    GIVEN,
    FRACTION,
    ALONE,
    // Where the request tells no scale, the form is one of replies: a number with its unit.
    ...(form.min === null && form.max === null ? [LABELLED, OPENS] : []),
  ];
  for (const place of places) {
    const matches = [...text.matchAll(place)].filter(
      (match) => place !== FRACTION || match[2] === String(form.max),
    );
    const found = matches.map((match) => readOnScale(match[1], match[2], form));
    const scores = [...new Set(found.map((one) => ('score' in one ? one.score : null)))];
    const [first] = found;
    if (first !== undefined) return scores.length === 1 ? first : { none: 'contradictory' };
  }
  const isBare = form.template === null && text.length <= SHORT_REPLY;
  return (isBare ? soleScore(text, form) : null) ?? { none: 'no-label' };
}

/** The only number of a short reply, behind its label or in front of a reason, in whatever language. */
function soleScore(text: string, form: ScoreForm): ScoreRead | null {
  const [only, ...more] = text.matchAll(new RegExp(NUMBER, 'gu'));
  if (!only || more.length > 0 || ![LABELLED, OPENS].some((place) => text.match(place))) return null;
  const read = readOnScale(only[1], only[2], form);
  return 'score' in read ? read : null;
}

/** A number on the scale of the form. `7/10` counts only where the form's scale ends at 10 or is not known. */
function readOnScale(number: string | undefined, outOf: string | undefined, form: ScoreForm): ScoreRead {
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
    `${loose(before.trim())}\\s{0,9}${after === '' ? '\\[{0,2}' : ''}${NUMBER}${after === '' ? ENDS : `\\s{0,9}${loose(after.trim())}`}`,
    'giu',
  );
}

function scoreInValue(value: unknown, form: ScoreForm): ScoreRead {
  if (typeof value !== 'string' && typeof value !== 'number') return { none: 'no-label' };
  const [, number, outOf] =
    /^\s*([-+]?\d{1,9}(?:\.\d{1,17})?)(?:\s*\/\s*(\d{1,9})|\s?%)?\s*$/.exec(withPoints(String(value))) ?? [];
  return number === undefined ? { none: 'no-label' } : readOnScale(number, outOf, form);
}

/**
 * FastChat takes the first number in double brackets, in its judge's thinking as well, or else in single ones; a score
 * that it would not share is none.
 */
function clientTakesAnother(text: string, { template }: ScoreForm, score: number): boolean {
  if (!template?.includes('[[{}]]')) return false;
  const taken = (/\[\[(\d+(?:\.\d*)?)\]\]/.exec(text) ?? /\[(\d+(?:\.\d*)?)\]/.exec(text))?.[1];
  return taken !== undefined && Number(taken) !== score;
}

const SCALES = [
  new RegExp(
    `\\b(?:scale|range|scor\\w{0,9}|rat\\w{0,9}|grade\\w{0,9}|points?|number|integer|value)\\b[^\\n]{0,60}?\\b${VALUE}\\s{0,9}(?:to|-|–|—|and|through|\\.\\.)\\s{0,9}${VALUE}\\b`,
    'i',
  ),
  new RegExp(`\\bbetween ${VALUE} and ${VALUE}\\b`, 'i'),
  new RegExp(
    `\\b(?:from )?${VALUE}\\s{0,9}(?:to|-|–)\\s{0,9}${VALUE}[^\\n]{0,20}\\b(?:scale|score|rating|points)\\b`,
    'i',
  ),
];

/** G-Eval asks twenty times and takes the mean (arXiv 2303.16634 §2). */
const AVERAGED = /\bEvaluation Form \(scores only\)/i;

/** @returns null where nothing asks for a score */
export function scoreInWords(orders: string): ScoreForm | null {
  const speaksOfScores = /score|rating|grade/i.test(orders);
  const template = scoreTemplate(orders, speaksOfScores);
  const hasNumber = /\d/.test(orders);
  const ends = hasNumber ? endsIn(orders) : null;
  const [min, max] = [Number(ends?.[1]), Number(ends?.[2])];
  const field = jsonField(orders, 'number');
  const example = field === null ? null : exampleOf(orders, field);
  // `(each 1-5)` above `"overall_score": 0.87` is the scale of other marks.
  const known = ends !== null && min < max && (example === null || (min <= example && example <= max));
  const legal = hasNumber ? legalScores(orders) : null;
  const asked = speaksOfScores && /\b(?:score|rating|grade)\b/i.test(orders);
  if (!known && !legal && template === null && !asked) return null;
  return {
    kind: 'score',
    min: legal?.[0] ?? (known ? min : null),
    max: legal?.at(-1) ?? (known ? max : outOf(orders)),
    template,
    field,
    ...(legal && { legal }),
    ...(AVERAGED.test(orders) && { mean: true }),
  };
}

/** The fraction that stands as an example in a field of the reply; a whole number may only hold its place. */
function exampleOf(orders: string, field: string): number | null {
  const name = `"${field}"`;
  const at = orders.indexOf(name);
  const [, example] =
    (at < 0 ? null : /^\s?:\s?(\d{1,6}\.\d{1,6})\s{0,9}[,}\n]/.exec(orders.slice(at + name.length))) ?? [];
  return example === undefined || Number.isInteger(Number(example)) ? null : Number(example);
}

/** A line for each score there is: `score3_description: …`. */
const DESCRIBED = /^score(\d{1,3})_description:/gm;

/** @returns the scores that a rubric describes line by line; null where there is none */
export function describedScores(orders: string): Pick<ScoreForm, 'min' | 'max' | 'legal'> | null {
  const legal = Array.from(orders.matchAll(DESCRIBED), ([, score]) => Number(score)).toSorted(
    (a, b) => a - b,
  );
  const [min, max] = [legal[0], legal.at(-1)];
  return min === undefined || max === undefined || min === max ? null : { min, max, legal };
}

function endsIn(orders: string): RegExpExecArray | null {
  for (const scale of SCALES) {
    const ends = scale.exec(orders);
    if (ends) return ends;
  }
  return null;
}

const MORE_LISTED = `(?:\\s{0,9},\\s{0,9}${ANY_NUMBER}){1,30}`;
const LIST = `(${ANY_NUMBER}(?:${MORE_LISTED},?\\s{0,9}(?:or|and)\\s{0,9}|${MORE_LISTED}\\s{0,9},\\s{0,9}|\\s{0,9}or\\s{0,9})${ANY_NUMBER})`;
/** How every list begins; without one, there is nothing to look for. */
const LISTS = /\d\s*(?:,|or)/i;
/** "The rating must be one of 1, 3, 5, 6, 8, 10"; not "Rate it in only 1 or 2 sentences". */
const LEGAL = new RegExp(
  `\\b(?:rating|score|grade|value|number|integer|answer|respond|reply|return|output)\\w{0,9}\\b[^\\n.]{0,60}?\\b(?:one of|only|either|must be|with|as)(?: the| an?| \\w{1,20} values?| numbers?| integers?| scores?|:){0,4}\\s{0,9}["'(\\[{]{0,2}${LIST}(?=["')\\]}]{0,2}\\s{0,9}(?:[.,;:)\\n]|$|based|where|depending|without))`,
  'i',
);

/** DeepEval's strict grading: "STRICTLY EITHER 1 (follows the criteria …), OR 0". */
const ONE_OR_ZERO = /\bstrictly either 1\b[^\n]{0,200}?\bor 0\b/i;

function legalScores(orders: string): number[] | null {
  if (ONE_OR_ZERO.test(orders)) return [0, 1];
  if (!LISTS.test(orders)) return null;
  const values =
    LEGAL.exec(orders)?.[1]
      ?.match(/-?\d+(?:\.\d+)?/g)
      ?.map(Number) ?? [];
  const ascending = values.every((value, i) => i === 0 || value > (values[i - 1] ?? value));
  return values.length > 1 && ascending ? values : null;
}

function outOf(orders: string): number | null {
  const max = /\bout of (\d+)\b/i.exec(orders)?.[1];
  return max === undefined ? null : Number(max);
}

const BRACKETED =
  /((?:rating|score|grade|verdict): ?)?\[\[(?:rating|score|number|\d+(?:\.\d+)?|[nNxX])\]\]/gi;

function scoreTemplate(orders: string, speaksOfScores: boolean): string | null {
  const bracketed = orders.includes('[[') ? [...orders.matchAll(BRACKETED)] : [];
  const whole = bracketed.find((match) => match[1] !== undefined) ?? bracketed[0];
  if (whole) return `${whole[1] ?? ''}[[{}]]`;
  if (orders.includes('[RESULT]')) return '[RESULT] {}';
  if (!speaksOfScores) return null;
  const named =
    /["'“`\n]((?:final |overall )?(?:rating|score|grade): ?)(?:<[^>\n]{1,30}>|\{[^}\n]{1,30}\}|\[[^\]\n]{1,30}\]|[NX]\b|\d+)/i.exec(
      orders,
    );
  return named ? `${named[1]}{}` : null;
}

/** What may be a list. Who wrote the description may be hostile, so the list itself is read by splitting it. */
const IN_PARENTHESES = /\(([^()]{1,200})\)/g;
const BETWEEN_VALUES = /,\s{0,9}or\b|,|\/|\bor\b/;
const RANGE = /\b(?:from|between|scale of)\s{1,9}(\d{1,3})\s{0,9}(?:-|–|to|and)\s{0,9}(\d{1,3})\b/i;

interface ToldValues {
  readonly min: number;
  readonly max: number;
  /** Where only some values between the two may be given, ascending. */
  readonly legal?: readonly number[];
}

/**
 * The values of a number as its description in a JSON schema tells them: `Rating (0, 2, or 4)`, `verdict (0/1)`,
 * `Score from 1-5`. Schemas made from classes (pydantic) seldom say it in any other way.
 *
 * @returns null where the description tells no values, or tells them in two ways
 */
export function valuesInWords(description: string): ToldValues | null {
  const listed = listedIn(description);
  const range = RANGE.exec(description);
  if (listed && range) return null;
  if (listed) {
    const legal = [...new Set(listed)].toSorted((a, b) => a - b);
    const [min, max] = [legal[0], legal.at(-1)];
    return min === undefined || max === undefined || min === max ? null : { min, max, legal };
  }
  const [min, max] = [Number(range?.[1]), Number(range?.[2])];
  return min < max ? { min, max } : null;
}

/** The first list of two numbers or more in brackets. */
function listedIn(description: string): number[] | null {
  for (const [, inner = ''] of description.matchAll(IN_PARENTHESES)) {
    const values = inner.split(BETWEEN_VALUES).map((value) => value.trim());
    if (values.length > 1 && values.every((value) => /^\d{1,3}$/.test(value))) return values.map(Number);
  }
  return null;
}
