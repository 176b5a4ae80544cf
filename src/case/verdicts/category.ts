/**
 * How one answer relates to another text, by a label that is no grade: Factuality's A to E (autoevals, openai/evals).
 * They are no options, and none is better than another; inspect_ai's C, P and I with partial credit are read so, too.
 */
import * as z from 'zod';
import { strictFields } from '../../strict-fields.ts';
import { MEANINGS } from '../words/vocabulary.ts';
import { listRows } from '../words/words.ts';
import * as fields from './file-fields.ts';
import { type FormKind, type FormOf, noVerdict, type VerdictKind } from './kind.ts';
import { isUnread, type Reply, readInBoth, type Unread, valuesOf, withReason } from './reading/reply.ts';
import { ruledLabel } from './reading/ruled.ts';
import { labelAlone } from './reading/sole-label.ts';
import { jsonField, labelSource, putInField, spellingPatterns, spellOut, tellLabels } from './spelling.ts';

export const category = {
  isSame: (a, b) => a.category === b.category,
  distance: (a, b) => Number(a.category !== b.category),
  describe: (verdict) => `the category ${verdict.category}`,
  remind: () => 'the answer you gave then',
  brief: (verdict) => `Category: ${verdict.category}`,
  readBrief(text) {
    const [, said] = /^Category: ([\s\S]+)$/.exec(text) ?? [];
    return said === undefined ? null : { kind: 'category', category: said };
  },
  toDraw: (verdict) => ({ category: verdict.category }),
  traced: { category: z.string().optional() },
  toTrace: (verdict) => ({ category: verdict.category }),
  fromTrace: ({ category: told }) => (typeof told === 'string' ? { kind: 'category', category: told } : null),
} as const satisfies VerdictKind<'category'>;

type CategoryForm = FormOf<'category'>;
type CategoryRead = { readonly category: string } | Unread;

const file = strictFields({
  kind: z.literal('category'),
  labels: fields.labels,
  template: fields.framed,
  field: fields.field,
});

export const categoryForm = {
  read(reply, form) {
    const { field } = form;
    const found = field === null ? categoryInText(reply, form) : categoryInField(reply, field, form);
    const read = withReason(found, reply);
    return isUnread(read) ? noVerdict(read.none) : { kind: 'category', category: read.category };
  },
  write(verdict, { write, field }) {
    if (verdict.kind !== 'category' || !write.labels.includes(verdict.category)) return null;
    return putInField(field, spellOut(write, verdict.category));
  },
  describe: ({ write }) => `one of the categories ${tellLabels(write.template, write.labels)}`,
  patterns: ({ write }) => spellingPatterns(write, null),
  labels: ({ write }) => write.labels,
  labelSource: ({ write }) => labelSource(write, null),
  decide: (_, { write }) => ({ kind: 'category', category: write.labels[0] ?? '' }),
  file,
  fromFile({ labels, template = '{}', field = null }) {
    const write = { template, labels, ...(template !== '{}' && { rule: 'unique' as const }) };
    return { kind: 'category', write, field };
  },
} as const satisfies FormKind<'category', z.infer<typeof file>>;

function categoryInField(reply: Reply, field: string, { write }: CategoryForm): CategoryRead {
  const values = new Set(valuesOf(reply, field).map(String));
  const [only = ''] = values;
  if (values.size > 1) return { none: 'contradictory' };
  return write.labels.includes(only) ? { category: only } : { none: 'no-label' };
}

function categoryInText(reply: Reply, { write }: CategoryForm): CategoryRead {
  const { rule } = write;
  if (rule !== undefined) {
    const read = readInBoth(reply, (text) => ruledLabel(text, { ...write, rule }, null));
    if (typeof read === 'object') return read;
    return { category: write.labels[Number(read)] ?? '' };
  }
  const read = labelAlone(reply.said, write.labels);
  return isUnread(read) ? read : { category: write.labels[read] ?? '' };
}

/** Words that let an answer pass or fail wherever they stand. */
const PASSES = /^(?:pass(?:ed)?|correct|valid|true)$/;

/** `(A) The submitted answer is a subset …`, `A. It says less.`, one a line, counting up from A. */
function listedLetters(orders: string): string[] {
  const found = [...orders.matchAll(/^[ \t]*(?:\(([A-Z])\)|([A-Z])[.):])[ \t]+\S/gm)].map(
    ([, enclosed, letter = '']) => enclosed ?? letter,
  );
  const counts = found.every((letter, i) => letter === String.fromCharCode('A'.charCodeAt(0) + i));
  return counts && found.length > 1 ? found : [];
}

/** @returns null where the prompt does not ask for such a letter */
export function categoryInWords(orders: string): CategoryForm | null {
  if (/\bGRADE: ?\$LETTER\b/.test(orders) && /["'“]P["'”]/.test(orders))
    return {
      kind: 'category',
      write: { template: 'GRADE: {}', labels: ['C', 'P', 'I'], rule: 'last' },
      field: null,
    };
  const labels = listedLetters(orders);
  const asks =
    /\b(?:select|choos|pick)\w{0,9}\b[^\n]{0,40}\b(?:following )?(?:options?|categor(?:y|ies)|choices?|letters?)\b/i;
  return labels.length > 0 && asks.test(orders)
    ? { kind: 'category', write: { template: '{}', labels }, field: jsonField(orders, 'option') }
    : null;
}

/**
 * `faithful` and `unfaithful`, `toxic` and `non-toxic` (phoenix): which of them lets pass depends on the word. What
 * has a word of its own is read as that (form/schema.ts).
 */
function areOpposites(values: readonly string[]): boolean {
  const [short = '', long = ''] = values
    .map((value) => value.toLowerCase())
    .sort((a, b) => a.length - b.length);
  return (
    values.length === 2 &&
    /^\p{L}{4,}$/u.test(short) &&
    !PASSES.test(short) &&
    new RegExp(`^(?:un|in|im|ir|il|dis|(?:non|not?)[-_ ]?)${short}$`, 'u').test(long)
  );
}

/** Pairs of the same sort whose words do not show it: phoenix, mlflow, langfuse. In no order. */
const PAIRS = listRows(MEANINGS.sorts);

function arePair(values: readonly string[]): boolean {
  const said = values.map((value) => value.toLowerCase());
  return said.length === 2 && PAIRS.some((pair) => pair.every((word) => said.includes(word)));
}

/**
 * The values a schema's field is limited to, where they are the letters that the orders explain or opposites; null where
 * they are not: other words may sort a text without judging it.
 */
export function categoryOf(values: readonly string[], orders: string, field: string): CategoryForm | null {
  const letters = listedLetters(orders);
  return (letters.length > 1 && letters.join() === values.join()) || areOpposites(values) || arePair(values)
    ? { kind: 'category', write: { template: '{}', labels: values }, field }
    : null;
}
