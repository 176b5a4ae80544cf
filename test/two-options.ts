/** A case of two or more options and perhaps a statement, laid out as a reader would find it, for unit tests. */
import type { Case, Statement, VerdictForm } from '../src/case/types.ts';

const LETTERS = 'abcdefgh';

export interface Layout {
  readonly options: readonly string[];
  readonly statement?: string;
  readonly form?: VerdictForm;
}

export function caseOf({ options, statement, form }: Layout): Case {
  let text = 'Which is better?\n\n';
  const context: Statement[] = [];
  if (statement !== undefined) {
    const start = text.length;
    text += `${statement}\n\n`;
    const mentions = [...statement.matchAll(/\(([a-h])\)/g)].map((match) => ({
      option: LETTERS.indexOf(match[1] ?? ''),
      at: { part: 0, start: start + match.index, end: start + match.index + 3 },
    }));
    const at = { part: 0, start, end: start + statement.length };
    context.push({ text: statement, at, mentions, whole: { part: 0, start, end: text.length } });
  }
  const placed = options.map((option, index) => {
    const label = `Output (${LETTERS[index]})`;
    text += `${label}: `;
    const start = text.length;
    text += `${option}\n\n`;
    return { label, text: option, at: { part: 0, start, end: start + option.length } };
  });
  return {
    layout: 'test',
    prompt: { parts: [{ role: 'user', text }] },
    instruction: null,
    options: placed,
    context,
    form: form ?? {
      kind: 'choice',
      write: { template: 'Output ({})', labels: options.map((_, index) => LETTERS[index] ?? '') },
      tie: null,
      field: null,
    },
    noteAt: { part: 0, offset: text.length },
  };
}
