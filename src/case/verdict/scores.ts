/**
 * A score for every option in one reply: two numbers on the first line (`9 6`), in brackets (`[[9,6]]`), or each
 * behind its option's name (`Assistant A: 9`). Only the asked spelling is read: numbers are everywhere in prose.
 */
import type { NoVerdictReason, VerdictForm } from '../types.ts';

export type ScoresForm = Extract<VerdictForm, { kind: 'scores' }>;
export type Scores =
  | { readonly scores: readonly number[] }
  | { readonly none: Extract<NoVerdictReason, 'no-label' | 'contradictory' | 'off-scale'> };

const NUMBER = '(-?\\d{1,9}(?:\\.\\d{1,9})?)';
const ENDS = '(?![\\p{L}\\p{N}%]|\\.\\d|,\\d|\\s*(?:-|–|to|or)\\s*\\d)';

export function scoresInText(text: string, form: ScoresForm): Scores {
  if (form.template === null) return { none: 'no-label' };
  const pieces = form.template.split('{}');
  const options = pieces.length - 1;
  if (/^[\s,]*$/.test(pieces.join(''))) return onFirstLine(text, options, form);
  if (form.template.startsWith('[[')) {
    const inBrackets = new RegExp(
      `\\[\\[\\s*${Array(options).fill(NUMBER).join('\\s*,\\s*')}\\s*\\]\\]`,
      'g',
    );
    return agreed(
      [...text.matchAll(inBrackets)].map((match) => match.slice(1).map(Number)),
      form,
    );
  }
  return byName(text, pieces.slice(0, -1), form);
}

/** The numbers of JSON fields, one for each option. */
export function scoresInFields(values: readonly unknown[], form: ScoresForm): Scores {
  const numbers = values.map((value) =>
    typeof value === 'number' || (typeof value === 'string' && new RegExp(`^${NUMBER}$`).test(value.trim()))
      ? Number(value)
      : Number.NaN,
  );
  return onScale(numbers, form);
}

/** `9 6` or `9, 6` alone on the first line: all that these clients read. */
function onFirstLine(text: string, options: number, form: ScoresForm): Scores {
  const words = (text.trim().split('\n', 1)[0] ?? '').trim().split(/\s*,\s*|\s+/, options + 1);
  if (words.length !== options) return { none: 'no-label' };
  const whole = new RegExp(`^${NUMBER}$`);
  return onScale(
    words.map((word) => (whole.test(word) ? Number(word) : Number.NaN)),
    form,
  );
}

/** Each score behind the words in front of its place in the template, once. */
function byName(text: string, leads: readonly string[], form: ScoresForm): Scores {
  const found = leads.map((lead) => {
    const words = RegExp.escape(lead.replace(/^[\s,;]+/, '').trim()).replace(/(?:\\x20|\s)+/g, '\\s+');
    const scored = new RegExp(
      `(?<![\\p{L}\\p{N}])${words}\\s*${NUMBER}(?:\\s*(?:/|out of)\\s*(\\d{1,9}))?${ENDS}`,
      'giu',
    );
    return [...text.matchAll(scored)].map(([, number, outOf]) =>
      outOf !== undefined && form.max !== null && Number(outOf) !== form.max ? Number.NaN : Number(number),
    );
  });
  if (found.some((numbers) => numbers.length === 0)) return { none: 'no-label' };
  if (found.some((numbers) => new Set(numbers).size > 1)) return { none: 'contradictory' };
  return onScale(
    found.map(([number]) => number ?? Number.NaN),
    form,
  );
}

function agreed(all: readonly (readonly number[])[], form: ScoresForm): Scores {
  const [first] = all;
  if (first === undefined) return { none: 'no-label' };
  return all.every((one) => one.join() === first.join()) ? onScale(first, form) : { none: 'contradictory' };
}

function onScale(scores: readonly number[], { min, max }: ScoresForm): Scores {
  if (!scores.every(Number.isFinite)) return { none: 'no-label' };
  const off = scores.some((score) => (min !== null && score < min) || (max !== null && score > max));
  return off ? { none: 'off-scale' } : { scores };
}
