/**
 * The form of a choice as the prompt says it in words: `"[[A]]" if assistant A is better`, `Output (a)` or
 * `Output (b)`, `[RESULT] A`, "only the letter", yes or no where the question is whether the first is better.
 */
import { labelKey } from '../../counterfactual.ts';
import type { NoVerdictReason, Spelling, VerdictForm } from '../../types.ts';
import type { FormSource } from '../kind.ts';
import { fieldRuleFor, ruleFor } from '../reading/ruled.ts';
import { dropKeys, fieldFrom0, jsonField } from '../spelling.ts';

type Choice = Extract<VerdictForm, { kind: 'choice' }>;
type Write = NonNullable<Choice['write']>;

const COUNTS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const THINGS = ['output', 'response', 'answer', 'assistant', 'candidate', 'choice', 'option'];
const counting = (things: readonly string[]) =>
  new RegExp(`\\b(${COUNTS.join('|')}|[2-8]) (?:\\w{1,30} ){0,2}?(?:${things.join('|')})s\\b`, 'i');
const COUNTED = counting(THINGS);

export function choiceInWords(source: Omit<FormSource, 'schema'>): Choice | 'mismatch' {
  const form = choiceAsked(source);
  if (form === 'mismatch' || !form.write || form.write.rule) return form;
  const { template, labels } = form.write;
  const rule = form.field === null ? ruleFor(source.orders, template, labels) : fieldRuleFor(source.orders);
  return rule ? { ...form, write: { ...form.write, rule } } : form;
}

function choiceAsked(source: Omit<FormSource, 'schema'>): Choice | 'mismatch' {
  const { orders, labels, noun, usual } = source;
  const keys = labels.map(labelKey);
  const counted = countAsked(orders, noun);
  if (counted !== null && counted !== labels.length) return 'mismatch';
  const field = jsonField(orders, 'option');
  const open: Choice = { kind: 'choice', write: null, tie: null, field };
  const brackets = inBrackets(orders, keys);
  if (brackets) return brackets === 'mismatch' ? brackets : { ...open, ...brackets };
  if (orders.includes('[RESULT]')) return { ...open, write: { template: '[RESULT] {}', labels: keys } };
  if (labels.length === 2 && /\bis the first\b[^\n?]{0,200}\bbetter than the second\b/i.test(orders))
    return { ...open, write: { template: '{}', labels: ['Yes', 'No'] } };
  const named = byName(orders, labels, keys, noun);
  if (named === 'mismatch') return named;
  const tie = /["'“](tie|both|equal|draw)["'”]/i.exec(orders)?.[1] ?? null;
  const write = named ?? byKeyAlone(orders, keys);
  if (write) return { ...open, write, tie };
  // Options called 1 and 2 that may be counted from 0: a template tells, whose orders hold no other text.
  if (/^[1-9]/.test(keys[0] ?? '') && fieldFrom0(orders, keys.length)) return 'mismatch';
  return { ...open, write: usual === null ? null : { template: usual, labels: keys }, tie };
}

/** "the two responses", "3 AI assistants": how many options the prompt speaks of. */
export function countAsked(orders: string, noun: string): number | null {
  const counted = THINGS.includes(noun) ? COUNTED : counting([noun, ...THINGS]);
  const said = counted.exec(orders)?.[1];
  if (said === undefined) return null;
  const index = COUNTS.indexOf(said.toLowerCase());
  return index < 0 ? Number(said) : index + 2;
}

/** `[[A]]`, `[[B]]` and `[[C]]` for a tie, or labels that say by how much (`[[A>>B]]`). */
function inBrackets(
  orders: string,
  keys: readonly string[],
): Pick<Choice, 'write' | 'tie'> | 'mismatch' | null {
  if (!orders.includes('[[')) return null;
  const inner = [...orders.matchAll(/\[\[([^[\]\n]{1,20})\]\]/g)].map((match) => match[1] ?? '');
  if (inner.length === 0) return null;
  const graded = gradedInWords(orders, inner, keys);
  if (graded) return graded;
  const written = keys.map((key) => inner.find((text) => text.toLowerCase() === key.toLowerCase()));
  const asked = written.filter((text) => text !== undefined);
  if (asked.length === 0) return null;
  if (asked.length < keys.length) return 'mismatch';
  const rest = [...new Set(inner)].filter((text) => !asked.includes(text) && !/^\.+$/.test(text));
  const tie = rest.find((text) => meansTie(orders, `[[${text}]]`));
  if (rest.some((text) => text !== tie && /^(?:[a-z]|\d{1,2})$/i.test(text))) return 'mismatch';
  return { write: { template: '[[{}]]', labels: asked }, tie: tie === undefined ? null : `[[${tie}]]` };
}

function meansTie(orders: string, label: string): boolean {
  const at = orders.indexOf(label);
  return /\b(?:tie|tied|equal|equally|draw|same|both|neither)\b/i.test(
    `${label}${orders.slice(at + label.length, at + label.length + 60)}`,
  );
}

/** `Output (a)` or `Output (b)`, `Choice 1`: labels written out, or an example of one. */
function byName(
  orders: string,
  labels: readonly string[],
  keys: readonly string[],
  noun: string,
): Write | 'mismatch' | null {
  const told = orders.toLowerCase();
  const named = labels.filter((label) => /\W/.test(label.trim()) && told.includes(label.toLowerCase()));
  // One option named may be an example; two or more are the list, and it has to be complete.
  if (named.length > 1 && named.length < labels.length) return 'mismatch';
  if (named.length === labels.length) {
    const template = templateOf(labels[0] ?? '', keys[0] ?? '');
    const says =
      /(?:answer|respond|reply|output|say|write|return|either|only|verdict|choose|select|print|which)/i;
    if (says.test(orders) && /["'“`]/.test(orders)) return { template, labels: keys };
  }
  const words = `Choice|Option|Answer|Response|Output|Assistant|Story|${noun}`;
  const example = new RegExp(
    `["'“\`]((?:${words}) \\(?)(?:${keys.filter((key) => /^[\p{L}\p{N}]+$/u.test(key)).join('|')}|N|X|<[^>\\n]{1,20}>|\\{[^}\\n]{1,20}\\}|\\[[^\\]\\n]{1,20}\\])(\\)?)["'”\`]`,
    'i',
  ).exec(orders);
  return example ? { template: `${example[1]}{}${example[2]}`, labels: keys } : null;
}

function templateOf(label: string, key: string): string {
  const at = label.lastIndexOf(key);
  return `${label.slice(0, at)}{}${label.slice(at + key.length)}`;
}

/** "Answer with only the letter", `"A" or "B"`. */
function byKeyAlone(orders: string, labels: readonly string[]): Write | null {
  const kind = /^\D/.test(labels[0] ?? '') ? 'letter|character|label' : 'number|digit|integer|index';
  const values = dropKeys(orders);
  const only = new RegExp(
    `\\b(?:only|just|single|one)\\b[^\\n.]{0,40}\\b(?:${kind})\\b|\\b(?:the )(?:${kind}) of\\b`,
    'i',
  );
  // `response_a` may be asked for as "A".
  for (const keys of [
    labels,
    labels.map((key) => key.toUpperCase()),
    labels.map((key) => key.toLowerCase()),
  ]) {
    const quoted = keys.every((key) =>
      ['"', "'", '`', '“'].some((quote) => values.includes(`${quote}${key}`)),
    );
    const listed = new RegExp(`\\b${keys.slice(0, -1).join(', ')},? or ${keys.at(-1)}\\b`).test(orders);
    if (quoted || (listed && /\b(?:answer|respond|reply|output|return|print|only)\b/i.test(orders)))
      return { template: '{}', labels: keys };
  }
  return only.test(orders) && !isScale(labels, orders) ? { template: '{}', labels } : null;
}

/** Whether numbers that name the options go on in the orders: `1 (first much better), 2, 3 (same), 4, 5` is a scale. */
function isScale(labels: readonly string[], orders: string): boolean {
  const last = Number(labels.at(-1));
  const stands = (number: number) => new RegExp(`(?<![\\d.])${number}(?![\\d.%])`).test(orders);
  return Number.isInteger(last) && stands(last + 1) && stands(last + 2);
}

/*
 * Labels that say which of two options is better and by how much: `[[A>>B]]`, `[[A>B]]`, `[[A=B]]`, `[[B>A]]`,
 * `[[B>>A]]` (arena-hard, JudgeBench), or the same in another frame. Such a form's clients read nothing but the label, so
 * neither is here.
 */

/** What the inner text of such a label says. */
export type Grade = { readonly option: 0 | 1; readonly strength: 'slight' | 'strong' } | 'tie';

/**
 * @param inner `A>>B`
 * @param keys what stands for the options, in order: `A`, `B`
 * @returns null for other texts
 */
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
 * The labels among texts that say which option is better, slightly and by far, and that neither is.
 *
 * @returns null where one of the two options has no label, or only one of them is better by far
 */
export function gradeLabels(graded: readonly { readonly text: string; readonly grade: Grade | null }[]) {
  const labels = (strength: 'slight' | 'strong') =>
    [0, 1].flatMap((option) => {
      const found = graded.find(
        ({ grade }) => typeof grade === 'object' && grade?.option === option && grade.strength === strength,
      );
      return found ? [found.text] : [];
    });
  const [slight, strong] = [labels('slight'), labels('strong')];
  if (slight.length < 2 || strong.length === 1) return null;
  return { slight, strong, tie: graded.find(({ grade }) => grade === 'tie')?.text };
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
function gradedInWords(
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
  const labels = gradeLabels(graded);
  if (!labels) return 'mismatch';
  const { slight, strong, tie } = labels;
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
