/** The kinds of verdict. One more is a file beside this one, a line in `KINDS` and `tracedFields`, and its types. */
import type { Case, Verdict } from '../types.ts';
import { category } from './category.ts';
import { choice } from './choice.ts';
import type { Decision, KindName, NameOption, TracedFields, VerdictKind } from './kind.ts';
import { list } from './list.ts';
import { none } from './none.ts';
import { pass } from './pass.ts';
import { score } from './score.ts';
import { scores } from './scores.ts';
import { tie } from './tie.ts';

type Kinds = { readonly [K in KindName]: VerdictKind<K> };

const KINDS: Kinds = { choice, tie, score, scores, pass, category, list, none };

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
 * @example isSameVerdict({ kind: 'tie', text: 'C' }, { kind: 'tie', text: '[[C]]' }) // true
 */
export const sameVerdict = (a: Verdict, b: Verdict): boolean => a.kind === b.kind && kindOf(a).isSame(a, b);

/** A verdict on a counterfactual, said of the original case's options. */
export function mapBack(verdict: Verdict, { order }: { readonly order: readonly number[] }): Verdict {
  const { mapBack: back } = kindOf(verdict);
  return back ? (back(verdict, order) ?? { text: verdict.text, kind: 'none', reason: 'no-label' }) : verdict;
}

/** The option a verdict puts first; null where it puts none first. */
export const preferred = (verdict: Verdict): number | null => kindOf(verdict).preferred?.(verdict) ?? null;

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
