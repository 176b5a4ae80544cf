/** Labels that say which of two options is better and by how much, as the prompt lists them: `[[A>>B]]` to `[[B>>A]]`. */
import type { Spelling } from '../types.ts';
import { gradeOf } from '../verdict/graded.ts';
import { ruleFor } from './clients.ts';

/**
 * @param inner what stands inside the double brackets of the orders, in order
 * @param keys what stands for the options
 * @returns null where no label has such a sign; `mismatch` where the list is not complete, or of other options
 */
export function gradedInWords(
  orders: string,
  inner: readonly string[],
  keys: readonly string[],
): { readonly write: Spelling; readonly tie: string | null } | 'mismatch' | null {
  const signed = inner.filter((text) => /[<>]/.test(text));
  if (signed.length === 0) return null;
  const [first, second] = keys;
  if (keys.length !== 2 || first === undefined || second === undefined) return 'mismatch';
  const graded = inner.map((text) => ({ text, grade: gradeOf(text, [first, second]) }));
  // `[[A]]` beside `[[A>B]]` is another form's label: which one is asked for cannot be told.
  if (graded.some(({ text, grade }) => grade === null && (/[<>=]/.test(text) || keys.includes(text))))
    return 'mismatch';
  const label = (option: 0 | 1, strength: 'slight' | 'strong') =>
    graded.find(
      ({ grade }) => typeof grade === 'object' && grade?.option === option && grade.strength === strength,
    )?.text;
  const slight = [label(0, 'slight'), label(1, 'slight')].filter((text) => text !== undefined);
  const strong = [label(0, 'strong'), label(1, 'strong')].filter((text) => text !== undefined);
  if (slight.length < 2 || strong.length === 1) return 'mismatch';
  const tie = graded.find(({ grade }) => grade === 'tie')?.text;
  const rule = ruleFor(orders, '[[{}]]', slight);
  return {
    write: {
      template: '[[{}]]',
      labels: slight,
      ...(strong.length > 0 && { strong }),
      ...(rule && { rule }),
    },
    tie: tie === undefined ? null : `[[${tie}]]`,
  };
}
