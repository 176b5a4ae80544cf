/**
 * The kinds of verdict, and of forms that ask for one. One more is a file beside this one, its lines in the lists here,
 * and its types in ../types.ts.
 */
import * as z from 'zod';
import type { Case, Verdict, VerdictForm } from '../types.ts';
import { category, categoryForm } from './category.ts';
import { choice, choiceForm, tie } from './choice.ts';
import type {
  Decision,
  FormKind,
  FormName,
  KindName,
  NameOption,
  TracedFields,
  VerdictKind,
  VerdictOf,
} from './kind.ts';
import { list, listForm } from './list.ts';
import { pass, passForm } from './pass.ts';
import { rankingForm } from './ranking.ts';
import { score, scoreForm } from './score.ts';
import { scores, scoresForm } from './scores.ts';

/** No verdict could be read. */
const none = {
  // Two replies that cannot be read do not agree.
  isSame: () => false,
  describe: ({ reason }) => `no verdict (${reason})`,
  remind: () => 'nothing that could be read',
  brief: () => 'None',
  /** Why not. */
  traced: { none: z.string().optional() },
  toTrace: ({ reason }) => ({ none: reason }),
  fromTrace: () => null,
} as const satisfies VerdictKind<'none'>;

type Kinds = { readonly [K in KindName]: VerdictKind<K> };

const KINDS: Kinds = { choice, tie, score, scores, pass, category, list, none };

/**
 * How a verdict stands in a reply, as a template's file tells it. `field` is the JSON field that holds it, absent where
 * it stands in plain text, and `template` the text around the label, with `{}` for the label itself.
 */
export const verdictFileSchema = z
  .discriminatedUnion('kind', [
    choiceForm.file,
    scoreForm.file,
    passForm.file,
    categoryForm.file,
    scoresForm.file,
    rankingForm.file,
    listForm.file,
  ])
  .refine((file) => !('min' in file && 'max' in file) || Number(file.min) < Number(file.max), {
    path: ['max'],
    error: 'must be more than min',
  });
export type VerdictFile = z.infer<typeof verdictFileSchema>;
type FileOf<K extends FormName> = Extract<VerdictFile, { readonly kind: K }>;

const FORMS: { readonly [K in FormName]: FormKind<K, FileOf<K>> } = {
  choice: choiceForm,
  score: scoreForm,
  pass: passForm,
  category: categoryForm,
  scores: scoresForm,
  ranking: rankingForm,
  list: listForm,
};

export const formKindOf = <K extends FormName>({ kind }: { readonly kind: K }): FormKind<K, FileOf<K>> =>
  FORMS[kind];

/** @example formFromFile({ kind: 'choice', labels: ['1', '2'], template: '<verdict>{}</verdict>' }) */
export const formFromFile = (file: VerdictFile): VerdictForm => formKindOf(file).fromFile(file);

/** How many options a template's file speaks of; null where it does not say. */
export const countOptions = (file: VerdictFile): number | null => {
  const { countOptions: count } = formKindOf(file);
  return count ? count(file) : 1;
};

/** The same form for so many options; null where the file does not say how that would be. */
export const forOptions = (file: VerdictFile, count: number): VerdictFile | null =>
  [null, count].includes(countOptions(file)) ? file : (formKindOf(file).forOptions?.(file, count) ?? null);

/** The same form outside any JSON field; a list, which is nothing else, as it is. */
export const withoutField = (form: VerdictForm): VerdictForm =>
  form.kind === 'list' ? form : { ...form, field: null };

/**
 * A verdict's form in one clause, for people.
 * @param labels of the options, for forms that do not say how they are written
 *
 * @example describeForm({ kind: 'pass', field: 'ok' }, ['answer']) // 'whether it passes, in the JSON field "ok"'
 */
export function describeForm(form: VerdictForm, labels: readonly string[]): string {
  const field = form.field === null ? '' : `, in the JSON field "${form.field}"`;
  return `${formKindOf(form).describe(form, labels)}${field}`;
}

export const isNone = (verdict: Verdict): verdict is VerdictOf<'none'> & Verdict => verdict.kind === 'none';

/** Whether a reply is in the form that was asked for: it has a verdict, or says that no option is chosen. */
export const isUnderstood = (verdict: Verdict): boolean => !isNone(verdict) || verdict.reason === 'neither';

/** Whether a reply makes no try at a verdict: it is empty or refuses. Such a one says nothing of the form that was asked for. */
const saysNothing = (verdict: Verdict): boolean =>
  isNone(verdict) && (verdict.reason === 'empty' || verdict.reason === 'refusal');

/** The verdicts of replies that tell whether a form is theirs. */
export const tellingForm = (verdicts: readonly Verdict[]): readonly Verdict[] =>
  verdicts.filter((verdict) => !saysNothing(verdict));

/** Whether a reply was read in the form that was asked for; null where it tells nothing of that. */
export const wasRead = (verdict: Verdict): boolean | null =>
  saysNothing(verdict) ? null : isUnderstood(verdict);

/** The chosen option, or that none is better; null where the verdict says something else. */
export const winnerOf = (verdict: Verdict): number | 'tie' | null =>
  verdict.kind === 'choice' ? verdict.option : verdict.kind === 'tie' ? 'tie' : null;

/** The fields of all kinds, for the schema of a trace. */
export const tracedFields = {
  ...choice.traced,
  ...tie.traced,
  ...score.traced,
  ...scores.traced,
  ...pass.traced,
  ...category.traced,
  ...list.traced,
  ...none.traced,
};

export const kindOf = <K extends KindName>({ kind }: { readonly kind: K }): VerdictKind<K> => KINDS[kind];

/**
 * Whether two verdicts decide the same. Two unreadable ones do not.
 *
 * @example sameVerdict({ kind: 'tie', text: 'C' }, { kind: 'tie', text: '[[C]]' }) // true
 */
export const sameVerdict = (a: Verdict, b: Verdict): boolean => a.kind === b.kind && kindOf(a).isSame(a, b);

/**
 * A verdict on a counterfactual, said of the original case's options.
 *
 * @example
 * mapBack({ kind: 'choice', option: 0, text: 'A' }, { order: [1, 0] })
 * // { kind: 'choice', option: 1, text: 'A' }
 */
export function mapBack(verdict: Verdict, { order }: { readonly order: readonly number[] }): Verdict {
  const { mapBack: back } = kindOf(verdict);
  return back ? (back(verdict, order) ?? { text: verdict.text, kind: 'none', reason: 'no-label' }) : verdict;
}

/**
 * The option a verdict puts first; null where it puts none first.
 *
 * @example preferred({ kind: 'choice', option: 1, text: 'B' }) // 1
 */
export const preferred = (verdict: Verdict): number | null => kindOf(verdict).preferred?.(verdict) ?? null;

/** What a verdict of the form may be, where the form says so: labels, and the ends of a scale. */
export function listAnswers(form: VerdictForm, options: Case['options']) {
  const { min = null, max = null } = formKindOf(form).scale?.(form) ?? {};
  return { labels: [...(formKindOf(form).labels?.(form, options) ?? [])], min, max };
}

/**
 * How far apart two verdicts are, on the scale of the scores; 0 or 1 where there is no scale. Null where they cannot be
 * compared.
 */
export const distanceBetween = (a: Verdict, b: Verdict): number | null =>
  a.kind === b.kind ? (kindOf(a).distance?.(a, b) ?? null) : null;

/** How an option is called in texts for people. */
export const labelsOf =
  ({ options }: Pick<Case, 'options'>): NameOption =>
  (option) =>
    options[option]?.label ?? String(option);

/**
 * A verdict in words, after "the judge gave".
 *
 * @example describeVerdict({ kind: 'score', score: 4, text: 'Rating: 4' }, String) // 'a score of 4'
 */
export const describeVerdict = (verdict: Verdict, nameOf: NameOption): string =>
  kindOf(verdict).describe(verdict, nameOf);

/** A verdict for the judge itself: without a label or a number that would read as one. */
export const remindVerdict = (verdict: Verdict, nameOf: NameOption): string =>
  kindOf(verdict).remind(verdict, nameOf);

/** A verdict of a trace in words; its options are named by their labels. */
export function describeTraced(told: TracedFields): string {
  const labels: string[] = [];
  const decision = fromTracedFields(told, (label) => labels.push(label) - 1);
  if (decision)
    return describeVerdict({ ...decision, text: '' }, (option) => labels[option] ?? `option ${option + 1}`);
  return `no verdict (${told.none ?? 'unknown'})`;
}

/** Reads a verdict as `brief` of its kind writes it; null for a choice, which is read by its label, and for none. */
export function readBrief(text: string): Decision | null {
  for (const kind of Object.values(KINDS)) {
    const read = kind.readBrief?.(text);
    if (read) return read;
  }
  return null;
}

/** @returns null for what says no decision */
export function fromTracedFields(told: TracedFields, optionOf: (label: string) => number): Decision | null {
  for (const kind of Object.values(KINDS)) {
    const read = kind.fromTrace(told, optionOf);
    if (read) return read;
  }
  return null;
}
