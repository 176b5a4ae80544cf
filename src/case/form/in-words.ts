/** A verdict's form in one clause, for people. */
import type { VerdictForm } from '../types.ts';

/**
 * @param labels of the options, for forms that do not say how they are written
 *
 * @example describeForm({ kind: 'pass', field: 'ok' }, ['answer']) // 'whether it passes, in the JSON field "ok"'
 */
export function describeForm(form: VerdictForm, labels: readonly string[]): string {
  const field = form.field === null ? '' : `, in the JSON field "${form.field}"`;
  return `${whatIsAsked(form, labels)}${field}`;
}

function whatIsAsked(form: VerdictForm, labels: readonly string[]): string {
  switch (form.kind) {
    case 'choice': {
      const tie = form.tie === null ? '' : `; "${form.tie}" for a tie`;
      if (!form.write)
        return `one of ${labels.join(', ')}, in words that the request does not prescribe${tie}`;
      return `one of ${spelled(form.write.template, form.write.labels)}${tie}`;
    }
    case 'score': {
      const mean = form.mean ? ', as the mean of several replies' : '';
      return `${form.legal ? `one of the numbers ${form.legal.join(', ')}` : `a number${scale(form)}`}${written(form.template)}${mean}`;
    }
    case 'scores': {
      const fields = form.fields
        ? `, in the JSON fields ${form.fields.map((one) => `"${one}"`).join(', ')}`
        : '';
      return `a number${scale(form)} for each option${written(form.template)}${fields}`;
    }
    case 'ranking':
      return `the options in order, the best first: ${form.names.join(', ')}`;
    case 'list':
      return `a verdict in the field "${form.item}" of each entry`;
    case 'pass': {
      const words = form.write ? `, written ${spelled(form.write.template, form.write.labels)}` : '';
      return `whether it passes${words}${POLARITY[form.polarity ?? 'higher']}`;
    }
    case 'category':
      return `one of the categories ${spelled(form.write.template, form.write.labels)}`;
  }
}

const POLARITY = {
  higher: '',
  lower: ' (true is the bad value)',
  unknown: ' (which value is the good one is not known)',
} as const;

const scale = ({ min, max }: { readonly min: number | null; readonly max: number | null }) =>
  `${min === null ? '' : ` from ${min}`}${max === null ? '' : ` to ${max}`}`;

const written = (template: string | null) =>
  template === null || template === '{}' ? '' : `, written "${template}"`;

const spelled = (template: string, labels: readonly string[]) =>
  labels.map((label) => `"${template.replace('{}', () => label)}"`).join(', ');
