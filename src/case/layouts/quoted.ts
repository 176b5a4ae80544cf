/** Which readings are of a piece of another one's texts, or may be: a question and an answer hold labels of their own. */

import type { Span } from '../types.ts';
import type { Finding, Mark } from './layout.ts';

/** Whether a reading is of what stands in the labelled instruction of another one, or in what that one judges. */
export function isQuoted({ marks }: Finding, { labelled, instruction, options }: Finding): boolean {
  const texts = [...options.map(({ at }) => at), ...(labelled && instruction ? [instruction] : [])];
  return texts.some((text) => marks.every((mark) => contains(text, mark)));
}

/**
 * Whether what a reading takes for judged text goes on to the label of another one that is set off more strongly:
 * "Answer: 40" in a question, and further down `[Submission]`. Where an answer without a rule below it ends is a
 * guess, so neither holds.
 */
export function swallows(outer: Finding, inner: Finding): boolean {
  const weight = ({ style }: Finding) => ['colon', 'bold'].indexOf(style);
  const weak = weight(outer) >= 0 && (weight(inner) < 0 || weight(inner) > weight(outer));
  return weak && inner.layout === outer.layout && outer.closed.length === 0 && isQuoted(inner, outer);
}

/** A numbered list behind the label of an answer may be the answer's; and one with such a label in it is of no choices. */
export function standsAmongLabels({ marks: [first], options }: Finding, marks: readonly Mark[]): boolean {
  const end = options.at(-1)?.at.end ?? 0;
  return marks.some(
    ({ role, key, style, page, start }) =>
      page.part === first?.part &&
      style !== 'colon' &&
      style !== 'alone' &&
      (role === 'single'
        ? start < first.start
        : role === 'option' && key !== null && start > first.start && start < end),
  );
}

export const contains = (outer: Span, inner: Span) =>
  outer.part === inner.part && outer.start <= inner.start && inner.end <= outer.end;
