/**
 * A text with nothing in it that reads as a verdict of a form. A detector's reasoning comes from a model that may
 * quote labels, or from judged text that plants them; a judge that is shown one tends to repeat it.
 */
import type { VerdictForm } from './types.ts';
import { formKindOf } from './verdicts/index.ts';
import { fieldPattern } from './verdicts/spelling.ts';

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
  const field = form.field === null ? [] : fieldPattern(form.field);
  const patterns = [...field, ...formKindOf(form).patterns(form), ...SHAPES];
  return patterns.reduce((rest, pattern) => rest.replace(pattern, INSTEAD), text);
}
