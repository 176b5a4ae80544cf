/**
 * The form of a verdict on one answer as the prompt says it in words: `Rating: [[5]]` on a scale from 1 to 10,
 * "one of 1, 3, 5", yes or no, pass or fail.
 */
import type { VerdictForm } from '../types.ts';
import { passSpelling } from './clients.ts';
import { jsonField } from './json-field.ts';

type Score = Extract<VerdictForm, { kind: 'score' }>;

const NUMBER = '(-?\\d{1,9}(?:\\.\\d{1,9})?)';
const SCALE = [
  new RegExp(
    `\\b(?:scale|range|scor\\w{0,9}|rat\\w{0,9}|grade\\w{0,9}|points?|number|integer|value)\\b[^\\n]{0,60}?\\b${NUMBER}\\s{0,9}(?:to|-|–|—|and|through|\\.\\.)\\s{0,9}${NUMBER}\\b`,
    'i',
  ),
  new RegExp(`\\bbetween ${NUMBER} and ${NUMBER}\\b`, 'i'),
  new RegExp(
    `\\b(?:from )?${NUMBER}\\s{0,9}(?:to|-|–)\\s{0,9}${NUMBER}[^\\n]{0,20}\\b(?:scale|score|rating|points)\\b`,
    'i',
  ),
];

/** G-Eval asks twenty times and takes the mean (arXiv 2303.16634 §2). */
const AVERAGED = /\bEvaluation Form \(scores only\)/i;

/** @returns null where nothing asks for a score */
export function scoreInWords(orders: string): Score | null {
  const speaksOfScores = /score|rating|grade/i.test(orders);
  const template = scoreTemplate(orders, speaksOfScores);
  const hasNumber = /\d/.test(orders);
  const ends = hasNumber ? endsIn(orders) : null;
  const [min, max] = [Number(ends?.[1]), Number(ends?.[2])];
  const known = ends !== null && min < max;
  const legal = hasNumber ? legalScores(orders) : null;
  const asked = speaksOfScores && /\b(?:score|rating|grade)\b/i.test(orders);
  if (!known && !legal && template === null && !asked) return null;
  return {
    kind: 'score',
    min: legal?.[0] ?? (known ? min : null),
    max: legal?.at(-1) ?? (known ? max : outOf(orders)),
    template,
    field: jsonField(orders),
    ...(legal && { legal }),
    ...(AVERAGED.test(orders) && { mean: true }),
  };
}

/** A line for each score there is: `score3_description: …`. */
const DESCRIBED = /^score(\d{1,3})_description:/gm;

/** @returns the scores that a rubric describes line by line; null where there is none */
export function describedScores(orders: string): Pick<Score, 'min' | 'max' | 'legal'> | null {
  const legal = Array.from(orders.matchAll(DESCRIBED), ([, score]) => Number(score)).toSorted(
    (a, b) => a - b,
  );
  const [min, max] = [legal[0], legal.at(-1)];
  return min === undefined || max === undefined || min === max ? null : { min, max, legal };
}

function endsIn(orders: string): RegExpExecArray | null {
  for (const scale of SCALE) {
    const ends = scale.exec(orders);
    if (ends) return ends;
  }
  return null;
}

const LISTED = '-?\\d{1,9}(?:\\.\\d{1,9})?';
const MORE_LISTED = `(?:\\s{0,9},\\s{0,9}${LISTED}){1,30}`;
const LIST = `(${LISTED}(?:${MORE_LISTED},?\\s{0,9}(?:or|and)\\s{0,9}|${MORE_LISTED}\\s{0,9},\\s{0,9}|\\s{0,9}or\\s{0,9})${LISTED})`;
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

const PAIRS =
  /\b(?:["'“`]?y(?:es)?["'”`]?(?: (?:or|and) ?| ?[/|] ?)["'“`]?n(?:o)?["'”`]?)(?![a-z])|["'“`](?:Y|yes|pass|correct|true|C|PASS|CORRECT)["'”`][^\n]{0,60}["'“`](?:N|no|fail|incorrect|false|I|FAIL|INCORRECT)["'”`]|\bpass(?:ed)?(?:\/| or )fail(?:ed)?\b|\bcorrect(?:\/| or )incorrect\b|"pass"\s{0,9}:\s{0,9}(?:true|false|<?bool)|\bGRADE: ?(?:\$LETTER|C\b)/i;

/** @returns null where nothing asks for yes or no */
export function passInWords(orders: string): VerdictForm | null {
  const write = passSpelling(orders);
  if (write) return { kind: 'pass', field: null, write };
  return PAIRS.test(orders) ? { kind: 'pass', field: jsonField(orders) } : null;
}
