/**
 * Labels that say which of two options is better and by how much: `[[A>>B]]`, `[[A>B]]`, `[[A=B]]`, `[[B>A]]`,
 * `[[B>>A]]` (arena-hard, JudgeBench), or the same in another frame. Such a form's clients read nothing but the label, so
 * neither is here.
 */
import type { NoVerdictReason, Spelling } from '../../types.ts';
import { ruleFor } from '../client-rules.ts';

/** What the inner text of such a label says. */
export type Grade = { readonly option: 0 | 1; readonly strength: 'slight' | 'strong' } | 'tie';

/** @param keys what stands for the options, in order: `A`, `B` */
export function gradeOf(inner: string, keys: readonly [string, string]): Grade | null {
  const [, left, sign = '', right] =
    /^\s*([\p{L}\p{N}]+)\s*(>{1,2}|<{1,2}|[=~≈])\s*([\p{L}\p{N}]+)\s*$/u.exec(inner) ?? [];
  const [first, second] = keys;
  if (!((left === first && right === second) || (left === second && right === first))) return null;
  if (/[=~≈]/.test(sign)) return 'tie';
  const better = sign.startsWith('>') ? left : right;
  return { option: better === first ? 0 : 1, strength: sign.length === 2 ? 'strong' : 'slight' };
}

/**
 * The grade of a reply: the last label for arena-hard, the only one for everyone else. A label of the same
 * characters that says nothing (`[[A]]`) is found by their parsers, too, and makes the reply unreadable.
 */
export function gradeIn(
  text: string,
  write: Spelling,
): Grade | { readonly none: Extract<NoVerdictReason, 'no-label' | 'contradictory'> } {
  const keys = keysOf(write);
  if (!keys) return { none: 'no-label' };
  const found = innersIn(text, write.template).flatMap((inner) => {
    const grade = gradeOf(inner, keys);
    return grade !== null || keys.includes(inner.trim()) ? [grade] : [];
  });
  const distinct = new Set(found.map((grade) => JSON.stringify(grade)));
  if (write.rule !== 'last' && distinct.size > 1) return { none: 'contradictory' };
  return found.at(-1) ?? { none: 'no-label' };
}

/** What stands in the place of the template: in double brackets anywhere, or with a line to itself. */
function innersIn(text: string, template: string): string[] {
  if (template === '[[{}]]')
    return Array.from(text.matchAll(/\[\[([^[\]\n]{1,20})\]\]/g), ([, inner = '']) => inner);
  const [lead = '', tail = ''] = template.normalize('NFKC').split('{}');
  return text.split('\n').flatMap((raw) => {
    const line = raw.trim();
    const isFramed = line.startsWith(lead) && line.endsWith(tail);
    return isFramed ? [line.slice(lead.length, line.length - tail.length)] : [];
  });
}

/** Whether the labels of a form are of this kind. */
export function keysOf({ labels }: Spelling): [string, string] | null {
  const [first, second] = labels;
  const [, left, sign, right] = /^([\p{L}\p{N}]+)([<>])([\p{L}\p{N}]+)$/u.exec(first ?? '') ?? [];
  if (labels.length !== 2 || second === undefined || !left || !right) return null;
  return sign === '>' ? [left, right] : [right, left];
}

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
