/**
 * A text with nothing in it that reads as a verdict of a form. A detector's reasoning comes from a model that may
 * quote labels, or from judged text that plants them; a judge that is shown one tends to repeat it.
 */
import type { Spelling, VerdictForm } from './types.ts';

/** What stands where a label was. */
const INSTEAD = '(a verdict)';

/** Shapes of verdicts of every known client, whatever the form at hand: `[[A]]`, `[RESULT] B`, `GRADE: C`. */
const SHAPES: readonly RegExp[] = [
  /(?<!\[)\[{2,}[^[\]\n]{0,40}\]{2,}/g,
  /\[RESULT\][ \t]*(?:\S{1,20})?/gi,
  /\b(?:GRADE|Rating|Score)[ \t]{0,40}:[ \t]{0,40}\S{1,20}/gi,
  /["'](?:final_?)?(?:verdict|winner|choice|decision|preference|preferred|better|best|selected|pass(?:ed)?|score|rating|grade|label|answer|result)["'][ \t]{0,40}:[ \t]{0,40}(?:"[^"\n]{0,60}"|'[^'\n]{0,60}'|[\w.-]{1,20})/gi,
];

export function withoutLabels(text: string, form: VerdictForm): string {
  let result = text;
  for (const pattern of [...ownPatterns(form), ...SHAPES]) result = result.replace(pattern, INSTEAD);
  return result;
}

const NUMBER = '-?\\d{1,9}(?:\\.\\d{1,9})?';

function ownPatterns(form: VerdictForm): RegExp[] {
  const field = form.field === null ? [] : fieldPattern(form.field);
  switch (form.kind) {
    case 'choice':
      return [...field, ...(form.write ? spelled(form.write, form.tie) : [])];
    case 'pass':
    case 'category':
      return [...field, ...(form.write ? spelled(form.write, null) : [])];
    case 'score':
      return [...field, ...numbered(form.template ?? '{}')];
    case 'scores':
      return [...(form.fields ?? []).flatMap(fieldPattern), ...numbered(form.template ?? '{}')];
    case 'list':
      return fieldPattern(form.item);
    case 'ranking':
      return [...field, /["']rank["'][ \t]{0,40}:[ \t]{0,40}\d{1,3}/g];
  }
}

function fieldPattern(field: string): RegExp[] {
  const value = `(?:"[^"\\n]{0,60}"|'[^'\\n]{0,60}'|[\\w.-]{1,20})`;
  return [new RegExp(`["']${RegExp.escape(field)}["'][ \\t]{0,40}:[ \\t]{0,40}${value}`, 'gi')];
}

/** A label that is a mere word or letter is one only where it has a line to itself; elsewhere it is a word. */
function spelled({ template, labels, strong = [] }: Spelling, tie: string | null): RegExp[] {
  const written = [...labels, ...strong].map((label) => template.replaceAll('{}', () => label));
  const all = [...written, ...(tie === null ? [] : [tie])];
  const [bare, dressed] = [all.filter(isBare), all.filter((one) => !isBare(one))];
  return [
    ...(dressed.length > 0 ? [new RegExp(alternatives(dressed), 'giu')] : []),
    ...(bare.length > 0 ? [aloneOnALine(alternatives(bare))] : []),
  ];
}

function numbered(template: string): RegExp[] {
  const pattern = template.split('{}').map(RegExp.escape).join(NUMBER);
  return /[^\s{},]/.test(template) ? [new RegExp(pattern, 'giu')] : [aloneOnALine(pattern)];
}

const isBare = (label: string) => /^[\p{L}\p{N}]+$/u.test(label);

/** Longest first, or `A>B` would be taken out of the middle of `A>>B`. */
const alternatives = (labels: readonly string[]) =>
  labels
    .toSorted((a, b) => b.length - a.length)
    .map((label) => RegExp.escape(label))
    .join('|');

const aloneOnALine = (label: string) =>
  new RegExp(`(?<=^[ \\t"'*]{0,8})(?:${label})(?=[ \\t"'*.!]{0,8}$)`, 'gimu');
